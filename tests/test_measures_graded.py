"""Graded measures and RBP against textbook versions, to the last bit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from builders import query_of, random_queries, ranking_of
from graded_definitions import assert_identical

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures import gains, graded, rbp
from irevalcli.measures.registry import MEASURES
from irevalcli.trec.gains import column
from irevalcli.trec.table import Setting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from builders import Query

FAMILY = ("CG", "DCG", "IDCG", "nDCG", "ndcg_rel", "Rndcg", "G", "RBP", "RBPResid")


class Rule(NamedTuple):
    gain: Callable[[int], float]
    divisor: Callable[[int], float]


def textbook_dcg(grades: Sequence[int | None], rule: Rule) -> float:
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        gain = rule.gain(grade) if grade is not None and grade >= 0 else 0.0
        if gain != 0:
            total += gain / rule.divisor(rank)
    return total


def textbook_ideal(query: Query, rule: Rule) -> list[int]:
    judged = [grade for grade in query[0] + query[1] if grade is not None and grade >= 0 and rule.gain(grade) > 0]
    return sorted(judged, key=rule.gain, reverse=True)


def plain(rank: int) -> float:
    return math.log2(rank + 1)


PARAMETERS: dict[str, tuple[dict[str, Any], Rule]] = {
    "linear": ({}, Rule(float, plain)),
    "exponential": ({"gain": "exp"}, Rule(lambda grade: 2.0**grade - 1, plain)),
    "gain map": (
        {"gains": {0.0: 0.5, 1.0: 3.0, 2.0: -1.0}},
        Rule({0: 0.5, 1: 3.0, 2: -1.0, 3: 3.0}.__getitem__, plain),
    ),
    "exponential besides a map": (
        {"gain": "exp", "gains": {1.0: 4.0}},
        Rule({0: 0.0, 1: 4.0, 2: 3.0, 3: 7.0}.__getitem__, plain),
    ),
    "lowest grade": ({"rel": 2}, Rule(lambda grade: grade if grade >= 2 else 0.0, plain)),
    "undiscounted first ranks": ({"discount": "jk"}, Rule(float, lambda rank: max(1.0, math.log2(rank)))),
    "another base": (
        {"discount": "jk", "base": 3.0},
        Rule(float, lambda rank: 1.0 if rank < 3 else math.log2(rank) / math.log2(3.0)),
    ),
}


@pytest.mark.parametrize("cutoff", [None, 1, 4, 10, 1000])
@pytest.mark.parametrize(("given", "rule"), PARAMETERS.values(), ids=PARAMETERS.keys())
def test_dcg_and_ndcg_are_the_textbooks(given: dict[str, Any], rule: Rule, cutoff: int | None) -> None:
    queries = random_queries(8, count=300)
    ranking = ranking_of(queries)
    found = [textbook_dcg(query[0][:cutoff], rule) for query in queries]
    ideal = [textbook_dcg(textbook_ideal(query, rule)[:cutoff], rule) for query in queries]
    whole = [textbook_dcg(textbook_ideal(query, rule), rule) for query in queries]
    assert_identical(graded.discounted_gain(ranking, cutoff=cutoff, **given), found)
    assert_identical(graded.ideal_discounted_gain(ranking, cutoff=cutoff, **given), ideal)
    assert_identical(
        graded.normalized_discounted_gain(ranking, cutoff=cutoff, **given),
        [a / b if b else 0.0 for a, b in zip(found, ideal, strict=True)],
    )
    assert_identical(
        graded.normalized_discounted_gain(ranking, cutoff=cutoff, ideal="whole", **given),
        [a / b if b else 0.0 for a, b in zip(found, whole, strict=True)],
    )


@pytest.mark.parametrize("cutoff", [None, 1, 7])
def test_cumulated_gain_is_the_sum_of_the_gains(cutoff: int | None) -> None:
    queries = random_queries(9, count=200)
    assert_identical(
        graded.cumulated_gain(ranking_of(queries), cutoff=cutoff),
        [sum(float(grade) for grade in query[0][:cutoff] if grade is not None and grade > 0) for query in queries],
    )


@pytest.mark.parametrize("cutoff", [None, 1, 7])
@pytest.mark.parametrize(
    ("given", "gain"),
    [
        ({}, lambda grade: float(grade >= 1)),
        ({"rel": 2}, lambda grade: float(grade >= 2)),
        ({"gain": "raw", "p": 0.5}, float),
        ({"gain": "scaled", "p": 0.95}, lambda grade: grade / 3),
        ({"gain": "scaled", "max_rel": 4.0}, lambda grade: grade / 4),
    ],
    ids=["binary", "higher level", "raw", "scaled", "scaled by a given grade"],
)
def test_rbp_is_the_textbooks(given: dict[str, Any], gain: Callable[[int], float], cutoff: int | None) -> None:
    queries = random_queries(10, count=300)
    p = given.get("p", 0.8)
    expected = []
    for ranked, _ in queries:
        power, total = 1.0, 0.0
        for grade in ranked[:cutoff]:
            total += gain(max(grade or 0, 0)) * power
            power *= p
        expected.append((1.0 - p) * total)
    assert_identical(rbp.rank_biased_precision(ranking_of(queries), cutoff=cutoff, **given), expected)


def test_the_native_residual_keeps_the_tail_of_a_fully_judged_list() -> None:
    ranking = ranking_of([query_of("1 0 1", "")])
    assert rbp.rank_biased_residual(ranking, p=0.5)[0] == 0.125
    assert column("rbp_resid", [("p", 0.5)], Setting())(ranking)[0] == 0


def test_rbp_and_its_residual_enclose_what_any_judgment_of_the_unjudged_would_give() -> None:
    queries = random_queries(11, count=200, grades=(None, None, 0, 1))
    best: list[Query] = [([1 if grade is None else grade for grade in ranked], rest) for ranked, rest in queries]
    known, open_ = ranking_of(queries), rbp.rank_biased_residual(ranking_of(queries))
    highest = rbp.rank_biased_precision(known) + open_
    tail = 0.8 ** known.retrieved.astype(float)
    assert np.allclose(rbp.rank_biased_precision(ranking_of(best)) + tail, highest, rtol=0, atol=1e-12)


def test_ndcg_and_ndcg_at_a_cutoff_agree_once_the_cutoff_covers_everything() -> None:
    ranking = ranking_of(random_queries(12, count=200))
    assert_identical(
        graded.normalized_discounted_gain(ranking, cutoff=1000), graded.normalized_discounted_gain(ranking).tolist()
    )


def test_an_ideal_ranking_has_exactly_1() -> None:
    queries = random_queries(13, count=200, grades=(0, 1, 1, 2, 3))
    ideal: list[Query] = [
        (sorted(ranked + rest, key=lambda grade: grade or 0, reverse=True), []) for ranked, rest in queries
    ]
    ranking = ranking_of(ideal)
    something = ranking.judgments.num_relevant(1) > 0
    settings: list[dict[str, Any]] = [{}, {"gain": "exp"}, {"discount": "jk"}, {"cutoff": 5}]
    for given in settings:
        assert_identical(graded.normalized_discounted_gain(ranking, **given), something.astype(float).tolist())
    assert_identical(graded.normalized_gain(ranking), something.astype(float).tolist())


@pytest.mark.parametrize("name", FAMILY)
def test_queries_without_relevant_documents_or_results_have_finite_values(name: str) -> None:
    record = MEASURES[name]
    ranking = ranking_of([([], [1]), ([None, 0, -1], [0]), ([], [-1]), ([None] * 5, [2])])
    values = record.compute(ranking)
    assert np.isfinite(values).all()
    if record.no_relevant is not None:
        assert values[1] == record.no_relevant
        assert values[2] == record.no_relevant


def test_fractional_grades_are_gains_as_they_are() -> None:
    ranking = ranking_of([([1], [1])])
    ranking.grade[:] = 0.5
    ranking.judgments.grade[:] = (0.5, 2.5)
    assert graded.discounted_gain(ranking)[0] == 0.5
    assert graded.discounted_gain(ranking, gain="exp")[0] == 2.0**0.5 - 1
    assert graded.ideal_discounted_gain(ranking)[0] == 2.5 + 0.5 / math.log2(3)


# What cannot be computed is said.


def test_exponential_gains_take_grades_up_to_1023() -> None:
    with pytest.raises(InputProblem, match="the grade 1024 is too high for gain=exp"):
        graded.normalized_discounted_gain(ranking_of([([1024, 1], [])]), gain="exp")
    assert graded.normalized_discounted_gain(ranking_of([([1023, 1], [])]), gain="exp")[0] == 1


def test_gains_that_overflow_together_are_refused() -> None:
    with pytest.raises(InputProblem, match="add up to more than the largest double"):
        graded.normalized_discounted_gain(ranking_of([([1023, 1023], [1023])]), gain="exp")


@pytest.mark.parametrize(
    ("mapped", "message"),
    [({-1.0: 2.0}, "negative grade are unjudged"), ({1.0: math.inf}, "must be a finite number")],
)
def test_gains_that_mean_nothing_are_refused(mapped: dict[float, float], message: str) -> None:
    with pytest.raises(UsageProblem, match=message):
        graded.discounted_gain(ranking_of([([1], [])]), gains=mapped)


def test_a_base_needs_the_discount_that_has_one() -> None:
    with pytest.raises(UsageProblem, match="belongs to discount=jk"):
        graded.normalized_discounted_gain(ranking_of([([1], [])]), base=3.0)


def test_a_grade_above_max_rel_is_refused() -> None:
    with pytest.raises(InputProblem, match="max_rel=2, but the qrels have the grade 3"):
        rbp.rank_biased_precision(ranking_of([([3], [])]), gain="scaled", max_rel=2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"gain": "raw", "rel": 2}, "rel means nothing with gain=raw"),
        ({"gain": "scaled", "rel": 2}, "rel means nothing with gain=scaled"),
        ({"max_rel": 3}, "max_rel and scale mean nothing with gain=binary"),
        ({"gain": "raw", "scale": "query"}, "max_rel and scale mean nothing with gain=raw"),
        ({"gain": "scaled", "scale": "query", "max_rel": 3}, "max_rel means nothing with scale=query"),
    ],
)
def test_rbp_refuses_a_parameter_that_would_do_nothing(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageProblem, match=message):
        rbp.rank_biased_precision(ranking_of([([3], [])]), **given)


def test_equal_rules_share_their_gains() -> None:
    ranking = ranking_of([([1, 2], [])])
    first = gains.gained(ranking, gains.GainRule(gains={1.0: 2.0, 2.0: 3.0}))
    assert gains.gained(ranking, gains.GainRule(gains={2.0: 3.0, 1.0: 2.0})) is first
    assert gains.gained(ranking) is not first


def test_ones_are_added_one_by_one_even_where_that_rounds() -> None:
    start = np.array([0.0, 1.3, 7.9999999999999, 3.1, 2.0**53 - 2, 2.0**53, 2.0**53 + 2, 1e300, math.inf])
    times = np.array([5, 3000, 9, 0, 7, 3, 3, 4, 2])
    expected = []
    for value, count in zip(start.tolist(), times.tolist(), strict=True):
        for _ in range(count):
            value += 1.0  # noqa: PLW2901  (the point is to add step by step)
        expected.append(value)
    assert graded._ones_added(start, times).tolist() == expected


def test_native_measures_are_the_drop_ins_where_no_pairs_are_given() -> None:
    ranking = ranking_of(random_queries(6, count=500))
    for native, name in (
        (graded.discounted_gain(ranking), "dcg"),
        (graded.ideal_discounted_gain(ranking), "ideal_dcg"),
        (graded.normalized_discounted_gain(ranking), "ndcg"),
        (graded.ndcg_at_relevant(ranking), "ndcg_rel"),
        (graded.normalized_gain(ranking), "G"),
        (graded.ndcg_at_levels(ranking), "Rndcg"),
        (rbp.rank_biased_precision(ranking, p=0.9, gain="scaled", scale="query"), "rbp"),
    ):
        assert_identical(native, column(name, [], Setting())(ranking).tolist())


def test_the_native_gain_map_is_the_drop_ins_where_gains_are_whole() -> None:
    ranking = ranking_of(random_queries(7, count=300))
    mapped = {1.0: 2.0, 2.0: 9.0, 0.0: 1.0}
    pairs = [("0", 1.0), ("1", 2.0), ("2", 9.0)]
    for native, name in (
        (graded.normalized_discounted_gain(ranking, gains=mapped), "ndcg"),
        (graded.ndcg_at_relevant(ranking, gains=mapped), "ndcg_rel"),
        (graded.ndcg_at_levels(ranking, gains=mapped), "Rndcg"),
        (graded.normalized_gain(ranking, gains=mapped), "G"),
    ):
        expected = column(name, pairs, Setting(level=0))(ranking)
        assert_identical(native, np.where(np.isnan(expected), 0, expected).tolist())
