"""Compat, Accuracy, GAP and SDCG against their definitions."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import log2
from typing import TYPE_CHECKING, Any

import ir_measures
import numpy as np
import pytest
from builders import random_queries, ranking_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import GRADES, assert_defined, gain_of, ideal_of, queries, share
from worlds import world

from irevalcli.errors import InputProblem
from irevalcli.measures import accuracy, binary, gap, overlap, sdcg
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from strategies import Query


def overlap_of(one: list[int], other: list[int], p: float, depth: int) -> float:
    shared = [p ** (k - 1) * len(set(one[:k]) & set(other[:k])) / k for k in range(1, depth + 1)]
    return share(sum(shared), sum(p ** (k - 1) for k in range(1, depth + 1)))


def defined_compat(query: Query, p: float, *, normalize: bool) -> float:
    grades = query[0] + query[1]
    ideal = sorted((doc for doc, grade in enumerate(grades) if gain_of(grade)), key=lambda doc: -gain_of(grades[doc]))
    ranked = list(range(len(query[0])))
    depth = max(len(ranked), len(ideal))
    return share(overlap_of(ranked, ideal, p, depth), overlap_of(ideal, ideal, p, depth) if normalize else 1.0)


@given(queries(), st.sampled_from([0.0, 0.5, 0.8, 0.95, 1.0]), st.booleans())
def test_compat_is_as_defined(many: list[Query], p: float, normalize: bool) -> None:
    assert_defined(
        partial(overlap.compatibility, p=p, normalize=normalize),
        partial(defined_compat, p=p, normalize=normalize),
        many,
    )


def test_compat_of_long_rankings_is_as_defined() -> None:
    many = random_queries(41, count=50, longest=300)
    assert_defined(overlap.compatibility, partial(defined_compat, p=0.95, normalize=True), many)


@given(queries())
def test_the_ideal_ranking_is_compatible_with_itself(many: list[Query]) -> None:
    ideal = [(list(ideal_of(query)), [0.0]) for query in many]
    values = overlap.compatibility(ranking_of(ideal))  # type: ignore[arg-type]
    assert values.tolist() == [float(bool(ranked)) for ranked, _ in ideal]


def defined_accuracy(query: Query, cutoff: int | None, level: float) -> float:
    relevant = [grade is not None and grade >= level for grade in query[0][:cutoff]]
    good = [place for place, is_good in enumerate(relevant) if is_good]
    bad = [place for place, is_good in enumerate(relevant) if not is_good]
    right = sum(above < below for above, below in product(good, bad))
    return right / (len(good) * len(bad)) if good and bad else float(bool(good))


@given(queries(), st.none() | st.integers(1, 20), st.sampled_from([0.5, 1, 2]))
def test_accuracy_is_the_share_of_pairs_in_the_right_order(many: list[Query], cutoff: int | None, level: float) -> None:
    assert_defined(
        partial(accuracy.pairwise_accuracy, cutoff=cutoff, rel=level),
        partial(defined_accuracy, cutoff=cutoff, level=level),
        many,
    )


RULES: dict[str, dict[str, Any]] = {
    "linear": {},
    "exponential": {"gain": "exp"},
    "shares of users": {"gains": {0.5: 0.2, 1.0: 0.5, 2.0: 0.8, 3.0: 1.0}},
    "level": {"rel": 2},
}


def user_gain(grade: float | None, rule: dict[str, Any]) -> float:
    gain = gain_of(grade)
    gain = 2.0**gain - 1 if "gain" in rule else rule.get("gains", {}).get(gain, gain)
    return gain if gain_of(grade) >= rule.get("rel", 0) else 0.0


def defined_gap(query: Query, rule: dict[str, Any]) -> float:
    gains = [user_gain(grade, rule) for grade in query[0]]
    shared = [sum(min(gains[i], gain) for gain in gains[: i + 1]) / (i + 1) for i in range(len(gains))]
    return share(sum(shared), sum(user_gain(grade, rule) for grade in ideal_of(query)))


@given(queries((*GRADES, 2.5, 1e-3)), st.sampled_from(list(RULES.values())))
def test_gap_is_as_defined(many: list[Query], rule: dict[str, Any]) -> None:
    assert_defined(partial(gap.graded_average_precision, **rule), partial(defined_gap, rule=rule), many)


def test_gap_takes_as_many_different_grades_as_there_are_documents() -> None:
    random = np.random.default_rng(42)
    many: list[Query] = [(random.random(300).tolist(), [0.5]) for _ in range(5)]
    assert_defined(gap.graded_average_precision, partial(defined_gap, rule={}), many)


def test_gap_with_one_grade_is_average_precision() -> None:
    ranking = ranking_of(random_queries(43, grades=(None, -1, 0, 1)))
    assert gap.graded_average_precision(ranking).tolist() == binary.average_precision(ranking).tolist()


def defined_sdcg(query: Query, cutoff: int, highest: float) -> float:
    gained = sum(gain_of(grade) / highest / log2(rank + 1) for rank, grade in enumerate(query[0][:cutoff], 1))
    return gained / sum(1 / log2(rank + 1) for rank in range(1, cutoff + 1))


@given(queries(), st.integers(1, 30), st.sampled_from([3, 4, 4.5]))
def test_sdcg_is_as_defined(many: list[Query], cutoff: int, highest: float) -> None:
    assert_defined(
        partial(sdcg.scaled_discounted_gain, cutoff=cutoff, max_rel=highest),
        partial(defined_sdcg, cutoff=cutoff, highest=highest),
        many,
    )


def test_sdcg_of_the_highest_grade_at_every_rank_is_1() -> None:
    assert sdcg.scaled_discounted_gain(ranking_of([([2] * 10, [1]), ([0], [0])]), cutoff=10).tolist() == [1.0, 0.0]


def test_sdcg_refuses_a_grade_above_the_highest() -> None:
    with pytest.raises(InputProblem, match="SDCG: max_rel=1, but the qrels have the grade 2"):
        sdcg.scaled_discounted_gain(ranking_of([([1], [2])]), cutoff=5, max_rel=1)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("Compat", "Compat"),
        ("Compat(p=0.8)", "Compat(p=0.8)"),
        ("Compat(p=0.8,normalize=False)", "Compat(p=0.8,normalize=False)"),
        ("SDCG(max_rel=3)@5", "SDCG(max_rel=3)@5"),
        ("SDCG(max_rel=3)@20", "SDCG(max_rel=3)@20"),
    ],
)
def test_ir_measures_has_the_same_values(ours: str, theirs: str) -> None:
    # Its ideal ranking places documents that were not retrieved by a score of 0.
    files = world("hits", 7, ties=False, grades=(-1, 0, 0, 1, 2, 3)).scored_by(lambda score: score + 1)
    (spec,) = parse_measures(ours)
    ranking = files.ranking()
    values = np.asarray(spec.compute(ranking))[ranking.answered]
    qrels: dict[str, dict[str, int]] = {}
    for row in files.judged:
        qrels.setdefault(row.qid, {})[row.docid] = int(row.level)
    calculated = ir_measures.iter_calc([ir_measures.parse_measure(theirs)], qrels, files.run)
    by_query = {metric.query_id: metric.value for metric in calculated}
    assert values.tolist() == pytest.approx([by_query[qid] for qid in sorted(files.run)], rel=1e-12, abs=1e-14)
