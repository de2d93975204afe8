"""Rank correlations against scipy, published numbers and plain definitions."""

from __future__ import annotations

import time
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irevalcli.stats import rank_correlation as rank
from irevalcli.stats.rank_counts import equal_before, mid_ranks, smaller_before

X = [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992]
Y = [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988]
MEASURES = [
    rank.kendall_tau,
    rank.kendall_tau_b,
    rank.tau_ap,
    rank.tau_ap_b,
    rank.spearman,
    rank.pearson,
    rank.weighted_tau,
]

pairs = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12)
both_vary = pairs.filter(lambda rows: all(len(set(column)) > 1 for column in zip(*rows, strict=True)))


def columns(rows: list[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [x for x, _ in rows], [y for _, y in rows]


def plain_tau_ap(truth: list[float], estimate: list[float]) -> float:
    order = sorted(range(len(estimate)), key=lambda item: -estimate[item])
    shares = [sum(truth[above] > truth[order[i]] for above in order[:i]) / i for i in range(1, len(order))]
    return 2 / (len(order) - 1) * sum(shares) - 1


def plain_tau_ap_b(first: list[int], second: list[int]) -> float:
    def direction(truth: list[int], estimate: list[int]) -> float:
        shares = []
        for item, score in enumerate(estimate):
            above = [other for other, better in enumerate(estimate) if better > score]
            if above:
                shares.append(sum(truth[other] > truth[item] for other in above) / len(above))
        return 2 / len(shares) * sum(shares) - 1

    return (direction(first, second) + direction(second, first)) / 2


def test_tau_ap_has_the_published_numbers() -> None:
    assert rank.tau_ap(X, Y).value == pytest.approx(0.8519, abs=5e-5)
    assert rank.tau_ap_b(X, Y).value == pytest.approx(0.8333, abs=5e-5)
    rounded = [round(x, 1) for x in X], [round(y, 1) for y in Y]
    assert rank.tau_ap_b(*rounded).value == pytest.approx(0.7321, abs=5e-5)


@given(both_vary)
def test_tau_b_spearman_pearson_and_weighted_tau_are_scipys(rows: list[tuple[int, int]]) -> None:
    x, y = columns(rows)
    assert rank.kendall_tau_b(x, y).value == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert rank.spearman(x, y).value == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert rank.pearson(x, y).value == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-12)
    assert rank.weighted_tau(x, y).value == pytest.approx(stats.weightedtau(x, y).statistic, abs=1e-12)


@given(pairs)
def test_tau_counts_pairs(rows: list[tuple[int, int]]) -> None:
    signs = [np.sign((a - c) * (b - d)) for i, (a, b) in enumerate(rows) for c, d in rows[:i]]
    found = rank.kendall_tau(*columns(rows))
    assert found.value == pytest.approx(float(np.mean(signs)), abs=1e-12)
    assert found.tied_first == sum(a == c for i, (a, _) in enumerate(rows) for c, _ in rows[:i])
    assert bool(found.caveats) is bool(found.tied_first or found.tied_second)


@given(st.permutations(range(9)), st.permutations(range(9)))
def test_tau_ap_without_ties_is_its_definition(x: list[int], y: list[int]) -> None:
    assert rank.tau_ap(x, y).value == pytest.approx(plain_tau_ap(list(map(float, x)), list(map(float, y))), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=5))
def test_tau_ap_with_ties_is_the_mean_over_all_ways_to_break_them(rows: list[tuple[int, int]]) -> None:
    x, y = columns(rows)

    def broken(values: list[int]) -> list[list[float]]:
        # Every order of the items as a tiny addition; each way to break the ties is met equally often.
        return [
            [v + 0.01 * place for v, place in zip(values, order, strict=True)] for order in permutations(range(len(x)))
        ]

    expected = np.mean([plain_tau_ap(truth, estimate) for truth in broken(x) for estimate in broken(y)])
    found = rank.tau_ap(x, y)
    assert found.value == pytest.approx(float(expected), abs=1e-12)


@given(both_vary)
def test_tau_ap_b_is_its_definition(rows: list[tuple[int, int]]) -> None:
    x, y = columns(rows)
    assert rank.tau_ap_b(x, y).value == pytest.approx(plain_tau_ap_b(x, y), abs=1e-12)
    assert rank.tau_ap_b(y, x).value == pytest.approx(plain_tau_ap_b(x, y), abs=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
def test_equal_orders_correlate_fully_and_opposite_ones_inversely(measure: type) -> None:
    x = [0.1, 0.4, 0.2, 0.9, 0.5]
    assert measure(x, x).value == pytest.approx(1.0)  # type: ignore[call-arg]
    assert measure(x, [-value for value in x]).value == pytest.approx(-1.0)  # type: ignore[call-arg]


@pytest.mark.parametrize("measure", [rank.kendall_tau_b, rank.tau_ap_b, rank.spearman, rank.pearson, rank.weighted_tau])
def test_a_constant_vector_has_no_correlation_but_a_caveat(measure: type) -> None:
    found = measure([0.5, 0.5, 0.5], [0.1, 0.2, 0.3])  # type: ignore[call-arg]
    assert found.value is None
    assert "constant" in {caveat.code for caveat in found.caveats}


@pytest.mark.parametrize("measure", MEASURES)
def test_one_item_has_no_order(measure: type) -> None:
    found = measure([0.5], [0.1])  # type: ignore[call-arg]
    assert found.value is None
    assert "one-item" in {caveat.code for caveat in found.caveats}


def test_scores_within_the_tolerance_are_tied() -> None:
    noisy = [0.3, 0.1 + 0.2, 0.5, 0.7]
    assert rank.kendall_tau_b(noisy, [1, 2, 3, 4]).tied_first == 0
    found = rank.kendall_tau_b(noisy, [1, 2, 3, 4], tolerance=1e-9)
    assert found.tied_first == 1
    assert found.value == rank.kendall_tau_b([3, 3, 5, 7], [1, 2, 3, 4]).value


def test_pearson_of_huge_and_tiny_scores_is_finite() -> None:
    assert rank.pearson([1e200, 2e200, 4e200], [1e-200, 2e-200, 3e-200]).value == pytest.approx(
        rank.pearson([1, 2, 4], [1, 2, 3]).value
    )


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="correlated"):
        rank.kendall_tau([1, 2], [1, 2, 3])


@given(st.lists(st.integers(0, 9), max_size=30))
def test_earlier_smaller_and_equal_keys_are_counted(keys: list[int]) -> None:
    row = np.array(keys, dtype=np.int64)
    assert smaller_before(row).tolist() == [sum(k < key for k in keys[:i]) for i, key in enumerate(keys)]
    assert equal_before(row).tolist() == [sum(k == key for k in keys[:i]) for i, key in enumerate(keys)]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_mid_ranks_are_scipys(values: list[int]) -> None:
    assert mid_ranks(np.array(values, dtype=float)).tolist() == stats.rankdata(values).tolist()


def test_long_rankings_are_counted_without_pairs() -> None:
    generator = np.random.default_rng(1)
    times = []
    for size in (10_000, 100_000):
        x, y = generator.random(size), generator.random(size)
        start = time.process_time()
        found = rank.kendall_tau(x, y)
        times.append(time.process_time() - start)
        assert found.value == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    # Ten times the length would be a hundred times the pairs.
    assert times[1] < 40 * times[0]
