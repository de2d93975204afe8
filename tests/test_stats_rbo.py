"""Rank-biased overlap against published numbers, its sums written out, and averages over broken ties."""

from __future__ import annotations

import time
from itertools import pairwise, permutations, product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irevalcli.stats.rbo import RBO, TiedList, Ties, rbo, tied_lists, untied

TIES: list[Ties] = ["w", "a", "b"]
Groups = list[list[str]]


def overlap(first: Groups | str, second: Groups | str, p: float = 0.9, ties: Ties = "a") -> RBO:
    return rbo(*tied_lists([list(group) for group in first], [list(group) for group in second]), p=p, ties=ties)


@st.composite
def rankings(draw: st.DrawFn, most: int = 9) -> Groups:
    """Groups of tied letters."""
    letters = draw(st.permutations("abcdefghijkl"))[: draw(st.integers(1, most))]
    cuts = sorted({0, len(letters), *draw(st.lists(st.integers(0, len(letters)), max_size=most))})
    return [letters[low:high] for low, high in pairwise(cuts)]


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize(
    ("first", "second", "p", "ext"),
    [
        ("abcdefg", "zcavwxy", 0.9, 0.288217),
        ("abcdefg", "zcavwxy", 0.8, 0.266045),
        ("abcde", "cabf", 0.9, 0.672750),
        ("cabf", "abcde", 0.9, 0.672750),
    ],
)
def test_published_extrapolations(first: str, second: str, p: float, ext: float, ties: Ties) -> None:
    assert overlap(first, second, p, ties).ext == pytest.approx(ext, abs=5e-7)


@pytest.mark.parametrize(("p", "low"), [(0.9, 0.221686), (0.8, 0.244719)])
def test_published_lower_bounds(p: float, low: float) -> None:
    assert overlap("abcdefg", "zcavwxy", p).low == pytest.approx(low, abs=5e-7)


@pytest.mark.parametrize(
    ("ties", "ext", "low"), [("a", 0.6922853, 0.3310519), ("w", 0.7068257, 0.3429684), ("b", 0.7207131, 0.3509163)]
)
def test_published_numbers_with_ties(ties: Ties, ext: float, low: float) -> None:
    # The example of Corsi and Urbano's programs.
    first = [["red"], ["blue", "green"], ["yellow"], ["pink"]]
    second = [["blue", "red"], ["white"], ["yellow", "black", "purple"], ["green"]]
    found = overlap(first, second, 0.95, ties)
    assert (found.ext, found.low, found.residual) == pytest.approx((ext, low, 0.5620173), abs=5e-8)


def chances(groups: Groups, ties: Ties, depth: int) -> dict[str, float]:
    """How much each item counts down to a depth."""
    found, above = {}, 0
    for group in groups:
        inside = min(max(depth - above, 0), len(group)) / len(group)
        for item in group:
            found[item] = float(inside > 0) if ties == "w" else inside
        above += len(group)
    return found


def plain(first: Groups, second: Groups, p: float, ties: Ties) -> tuple[float, float, float]:
    """Extrapolation, lower bound and residual by the definition, one depth and one item at a time."""
    short, long = sorted([first, second], key=lambda groups: sum(map(len, groups)))
    s, n = sum(map(len, short)), sum(map(len, long))
    known = {item for group in short for item in group}
    low = high = ext = at_short = shared = 0.0
    for depth in range(1, n + 1):
        c, d = chances(short, ties, depth), chances(long, ties, depth)
        shared = sum(c[item] * d[item] for item in c if item in d)
        new = sorted((d[item] for item in d if item not in known and d[item] > 0), reverse=True)
        beyond = max(depth - s, 0)
        if ties == "w":
            size = ((sum(c.values()) if depth <= s else depth) + sum(d.values())) / 2
        elif ties == "a":
            size = depth
        else:
            size = sqrt((sum(v * v for v in c.values()) if depth <= s else depth) * sum(v * v for v in d.values()))
        weight = (1 - p) * p ** (depth - 1)
        if depth == s:
            at_short = shared / size
        typical = sum(new) / len(new) if new else 0.0
        last = (shared + beyond * at_short * typical) / size
        low += weight * shared / size
        high += weight * (shared + sum(new[:beyond])) / size
        ext += weight * last
    low += (1 - p) / p * shared * (log(1 / (1 - p)) - sum(p**depth / depth for depth in range(1, n + 1)))
    for depth in range(n + 1, 3_000):
        high += (1 - p) * p ** (depth - 1) * min((2 * depth - s - n + shared) / depth, 1)
    return ext + last * p**n, low, high - low


@settings(deadline=None)
@given(rankings(), rankings(), st.sampled_from([0.5, 0.9, 0.95]), st.sampled_from(TIES))
def test_overlap_is_its_definition(first: Groups, second: Groups, p: float, ties: Ties) -> None:
    found = overlap(first, second, p, ties)
    ext, low, residual = plain(first, second, p, ties)
    assert found.low == pytest.approx(low, abs=1e-12)
    assert found.residual == pytest.approx(min(residual, 1 - low), abs=1e-9)
    assert found.ext == pytest.approx(min(ext, 1), abs=1e-12)


@settings(deadline=None)
@given(rankings(most=4), rankings(most=4))
def test_the_lower_bound_of_a_is_the_mean_over_all_ways_to_break_the_ties(first: Groups, second: Groups) -> None:
    def broken(groups: Groups) -> list[str]:
        return ["".join(map("".join, parts)) for parts in product(*(permutations(group) for group in groups))]

    lows = [overlap(x, y).low for x in broken(first) for y in broken(second)]
    assert overlap(first, second).low == pytest.approx(float(np.mean(lows)), abs=1e-12)


@given(rankings(), rankings(), st.sampled_from(TIES))
def test_overlap_is_symmetric_and_in_range(first: Groups, second: Groups, ties: Ties) -> None:
    found, turned = overlap(first, second, ties=ties), overlap(second, first, ties=ties)
    assert found.ext == pytest.approx(turned.ext, abs=1e-12)
    assert found.low == pytest.approx(turned.low, abs=1e-12)
    assert 0 <= found.low <= 1
    assert 0 <= found.residual <= 1
    assert 0 <= found.ext <= 1


@given(rankings())
def test_a_ranking_equals_itself_under_w_and_b(groups: Groups) -> None:
    assert overlap(groups, groups, ties="w").ext == pytest.approx(1)
    assert overlap(groups, groups, ties="b").ext == pytest.approx(1)
    assert overlap(groups, groups, ties="a").ext <= overlap(groups, groups, ties="b").ext + 1e-12


def test_disjoint_and_empty_rankings_overlap_by_nothing() -> None:
    assert overlap("abc", "xyz").ext == overlap("abc", "xyz").low == 0.0
    empty = overlap("", "abc")
    assert (empty.ext, empty.low, empty.residual, empty.lengths) == (0.0, 0.0, 1.0, (0, 3))
    assert [caveat.code for caveat in empty.caveats] == ["empty"]


def test_the_result_says_what_was_done() -> None:
    found = overlap([["a"], ["b", "c"]], "ab", p=0.8, ties="b")
    assert (found.p, found.ties, found.lengths) == (0.8, "b", (3, 2))


def test_impossible_rankings_are_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        overlap("aba", "abc")
    with pytest.raises(ValueError, match="add up"):
        rbo(TiedList(np.array([1, 2]), np.array([1])), untied(np.array([1])))
    with pytest.raises(ValueError, match="p must"):
        overlap("abc", "abc", p=1.0)


def test_time_grows_with_the_lengths_and_not_with_their_square() -> None:
    generator = np.random.default_rng(1)
    times = []
    for length in (10_000, 100_000):
        sizes = np.full(length // 5, 5)
        first, second = (TiedList(generator.permutation(length * 3 // 2)[:length], sizes) for _ in range(2))
        start = time.process_time()
        found = rbo(first, second, p=0.999, ties="b")
        times.append(time.process_time() - start)
        assert 0 < found.low <= found.ext < 1
    assert times[1] < 40 * times[0]
