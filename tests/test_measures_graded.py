"""Graded measures and RBP against definitions in plain Python, to the last bit, and against recorded numbers."""

from __future__ import annotations

import ast
import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest
from builders import example_ranking, query_of, random_queries, ranking_of

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures import gains, graded, rbp
from irevalcli.measures.registry import MEASURES, Example
from irevalcli.trec.gains import column
from irevalcli.trec.table import Setting

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Query

    Pairs = list[tuple[str, float]]

FAMILY = ("CG", "DCG", "IDCG", "nDCG", "ndcg_rel", "Rndcg", "G", "RBP", "RBPResid")
TREC_NAMES = ("dcg", "ideal_dcg", "ndcg", "ndcg_rel", "Rndcg", "G", "rbp", "rbp_resid")


# Definitions: trec_eval's measures as section 5 of its specification words them, one query at a time.


def over(numerator: float, denominator: float) -> float:
    if denominator == 0:
        return math.nan if numerator == 0 or math.isnan(numerator) else math.copysign(math.inf, numerator)
    return numerator / denominator


def log2(value: float) -> float:
    return math.log2(value) if value > 0 else -math.inf if value == 0 else math.nan


def merge_sorted(rows: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    if len(rows) < 2:
        return rows
    left, right = merge_sorted(rows[: len(rows) // 2]), merge_sorted(rows[len(rows) // 2 :])
    merged = []
    while left and right:
        merged.append((left if math.trunc(left[0][2] - right[0][2]) <= 0 else right).pop(0))
    return merged + left + right


class Table:
    """The gain table of a query; its rows are (level, count, gain)."""

    def __init__(self, query: Query, pairs: Pairs, *, rescale: bool = False) -> None:
        judged = [grade for grade in query[0] + query[1] if grade is not None and grade >= 0]
        rows = [(int(key), 0, gain) for key, gain in pairs if re.fullmatch("[+-]?[0-9]+", key)]
        for level in range(max(judged, default=-1) + 1):
            named = [place for place, row in enumerate(rows) if row[0] == level]
            if named:
                rows[named[0]] = (level, judged.count(level), rows[named[0]][2])
            else:
                rows.append((level, judged.count(level), float(level)))
        self.rows = merge_sorted(rows)
        low, high = min([0.0, *(row[2] for row in rows)]), max([0.0, *(row[2] for row in rows)])
        if rescale and (low < 0 or high > 1):
            self.rows = [(level, count, (gain - low) / (high - low)) for level, count, gain in self.rows]
        self.pointer = len(self.rows) - 1
        self.places = 0
        self.ideal = self.rows[-1][2] if self.rows else 0.0

    def gain(self, level: int) -> float:
        return next((row[2] for row in self.rows if row[0] == level), 0.0)

    def advance(self) -> None:
        self.places += 1
        while self.pointer >= 0 and self.places > self.rows[self.pointer][1]:
            self.places = 1
            self.pointer -= 1
            self.ideal = self.rows[self.pointer][2] if self.pointer >= 0 else 0.0


def levels_of(query: Query) -> list[int]:
    return [-1 if grade is None else -2 if grade < 0 else grade for grade in query[0]]


def defined_dcg(query: Query, pairs: Pairs) -> float:
    table, total = Table(query, pairs), 0.0
    for rank, level in enumerate(levels_of(query), 1):
        if table.gain(level) != 0:
            total += table.gain(level) / log2(rank + 1)
    return total


def defined_ideal_dcg(query: Query, pairs: Pairs) -> float:
    table, total, position = Table(query, pairs), 0.0, 0
    while table.ideal > 0:
        position += 1
        table.advance()
        if table.ideal > 0:
            total += table.ideal / log2(position + 1)
    return total


def defined_ndcg(query: Query, pairs: Pairs) -> float:
    ideal = defined_ideal_dcg(query, pairs)
    return defined_dcg(query, pairs) / ideal if ideal > 0 else 0.0


def defined_ndcg_rel(query: Query, pairs: Pairs) -> float:
    table, levels = Table(query, pairs), levels_of(query)
    found = relevant = rank = 0
    run = ideal = total = 0.0
    while rank < len(levels) or table.ideal > 0:
        rank += 1
        gain = table.gain(levels[rank - 1]) if rank <= len(levels) else 0.0
        if gain != 0:
            run += gain / log2(rank + 1)
        if table.ideal > 0:
            table.advance()
            if table.ideal > 0:
                relevant += 1
                ideal += table.ideal / log2(rank + 1)
        if gain > 0:
            total += over(run, ideal)
            found += 1
    total += over((relevant - found) * run, ideal)
    return over(total, relevant) if total > 0 else 0.0


def defined_rndcg(query: Query, pairs: Pairs) -> float:
    table, levels = Table(query, pairs), levels_of(query)
    if not any(grade is not None and grade >= 1 for grade in query[0] + query[1]):
        return 0.0
    remembered = table.ideal
    run = ideal = total = 0.0
    rank = points = 0
    while table.ideal > 0:
        rank += 1
        table.advance()
        if table.ideal != remembered:
            if ideal > 0:
                total += run / ideal
                points += 1
            remembered = table.ideal
        if rank <= len(levels) and table.gain(levels[rank - 1]) != 0:
            run += table.gain(levels[rank - 1]) / log2(rank + 1)
        if table.ideal > 0:
            ideal += table.ideal / log2(rank + 1)
    if rank < len(levels):
        for later in range(rank + 1, len(levels) + 1):
            if table.gain(levels[later - 1]) != 0:
                run += table.gain(levels[later - 1]) / log2(later + 1)
        if ideal > 0:
            total += run / ideal
            points += 1
    return over(total, points)


def defined_g(query: Query, pairs: Pairs) -> float:
    table = Table(query, pairs)
    found = ideal = cost = total = 0.0
    for level in levels_of(query):
        gain = table.gain(level)
        found += gain
        if table.ideal > 0:
            table.advance()
            ideal += max(table.ideal, 0.0)
            cost += max(table.ideal, 1.0)
        else:
            cost += 1.0
        if gain != 0:
            total += over(gain, log2(2 + cost - found))
    while table.ideal > 0:
        table.advance()
        ideal += max(table.ideal, 0.0)
    return total / ideal if ideal > 0 else 0.0


def persistence(pairs: Pairs) -> float:
    return dict(pairs).get("p", 0.9)


def defined_rbp(query: Query, pairs: Pairs) -> float:
    table, p, power, total = Table(query, pairs, rescale=True), persistence(pairs), 1.0, 0.0
    for level in levels_of(query):
        total += table.gain(level) * power
        power *= p
    return (1.0 - p) * total


def defined_rbp_resid(query: Query, pairs: Pairs) -> float:
    p, power, total = persistence(pairs), 1.0, 0.0
    levels = levels_of(query)
    for level in levels:
        if level < 0:
            total += power
        power *= p
    return power + (1.0 - p) * total if any(level < 0 for level in levels) else 0.0


DEFINED: dict[str, Callable[[Query, Pairs], float]] = {
    "dcg": defined_dcg,
    "ideal_dcg": defined_ideal_dcg,
    "ndcg": defined_ndcg,
    "ndcg_rel": defined_ndcg_rel,
    "Rndcg": defined_rndcg,
    "G": defined_g,
    "rbp": defined_rbp,
    "rbp_resid": defined_rbp_resid,
}


def assert_identical(values: np.ndarray, wanted: list[float]) -> None:
    assert values.dtype == np.float64
    assert np.array_equal(values, np.array(wanted), equal_nan=True)


PAIRS: dict[str, Pairs] = {
    "no pairs": [],
    "higher steps": [("1", 1.0), ("2", 3.0), ("3", 7.0)],
    "one level changed": [("1", 3.5)],
    "an order turned round": [("1", 3.0), ("2", 1.0)],
    "fractions": [("1", 1.3), ("2", 2.7), ("3", 3.1)],
    "gains less than 1 apart": [("1", 1.9), ("2", 1.2), ("3", 2.1), ("0", 0.5)],
    "half a point comes before nothing": [("1", 0.5)],
    "half a point comes after nothing": [("0", 0.0), ("1", 0.5)],
    "a gain for judged non-relevant documents": [("0", 0.25), ("1", 2.0)],
    "a gain for absent documents": [("-1", 0.5), ("2", 4.0)],
    "gains for unjudged documents": [("-1", 1.0), ("-2", 2.0)],
    "a loss": [("0", -1.0), ("-1", -0.5)],
    "a level twice": [("1", 3.0), ("1", 5.0), ("2", 4.0)],
    "a level that no document has": [("7", 9.0), ("-3", 2.0)],
    "no gain at all": [("1", 0.0), ("2", 0.0), ("3", 0.0)],
    "keys that are no levels": [("a", 3.0), ("1.5", 2.0), ("", 1.0), ("+2", 5.0), ("-0", 1.0)],
    "persistence": [("p", 0.8)],
    "persistence among gains": [("p", 0.95), ("1", 0.3), ("2", 0.9), ("3", 1.0), ("p", 0.5)],
    "very patient": [("p", 0.999)],
}


@pytest.mark.parametrize("name", TREC_NAMES)
@pytest.mark.parametrize("pairs", PAIRS.values(), ids=PAIRS.keys())
def test_values_are_those_of_the_definition_to_the_last_bit(name: str, pairs: Pairs) -> None:
    queries = random_queries(1, count=150) + random_queries(2, count=8, longest=300)
    values = column(name, pairs, Setting())(ranking_of(queries))
    assert_identical(values, [DEFINED[name](query, pairs) for query in queries])


@pytest.mark.parametrize("name", TREC_NAMES)
def test_values_are_those_of_the_definition_where_grades_are_dense(name: str) -> None:
    queries = random_queries(3, count=300, grades=(None, 0, 1, 2, 2, 3, 7))
    pairs = [("2", 2.4), ("3", 2.9), ("4", 1.1)]
    assert_identical(column(name, pairs, Setting())(ranking_of(queries)), [DEFINED[name](q, pairs) for q in queries])


@pytest.mark.parametrize("p", [0.0, 0.5, 0.9, 0.99, 0.9999, 1.0, 1.5, -0.5])
def test_the_residual_of_long_rankings_is_the_plain_sum_to_the_last_bit(p: float) -> None:
    queries: list[Query] = [
        *random_queries(4, count=3, longest=2000, grades=(None, 0)),
        *random_queries(5, count=3, longest=900, grades=(None, *[1] * 30)),
        ([1] * 700 + [None] * 600, [0]),
        ([1] * 50, [0]),
        ([None] * 9000, [0]),
    ]
    values = column("rbp_resid", [("p", p)], Setting())(ranking_of(queries))
    assert_identical(values, [defined_rbp_resid(query, [("p", p)]) for query in queries])


def test_ones_are_added_one_by_one_even_where_that_rounds() -> None:
    start = np.array([0.0, 1.3, 7.9999999999999, 3.1, 2.0**53 - 2, 2.0**53, 2.0**53 + 2, 1e300, math.inf])
    times = np.array([5, 3000, 9, 0, 7, 3, 3, 4, 2])
    expected = []
    for value, count in zip(start.tolist(), times.tolist(), strict=True):
        for _ in range(count):
            value += 1.0  # noqa: PLW2901  (the point is to add step by step)
        expected.append(value)
    assert graded._ones_added(start, times).tolist() == expected


def test_infinite_gains_give_what_c_makes_of_them() -> None:
    ranking = ranking_of([query_of("1 0 2", "1")])
    assert math.isnan(column("ndcg", [("2", math.inf), ("1", -math.inf), ("0", 5.0)], Setting())(ranking)[0])
    assert column("dcg", [("1", math.inf)], Setting())(ranking)[0] == math.inf


@pytest.mark.parametrize("gain", [2.0**31, 5e9, 1e300])
def test_a_gain_beyond_an_int_sorts_below_the_others(gain: float) -> None:
    ranking = ranking_of([query_of("2 1", "1")])
    assert column("ideal_dcg", [("2", gain)], Setting())(ranking)[0] == 1 + 1 / math.log2(3) + gain / 2


def test_half_a_point_gives_nothing_unless_level_0_is_named_first() -> None:
    ranking = ranking_of([query_of("1 1 0", "1")])
    alone, after = [("1", 0.5)], [("0", 0.0), ("1", 0.5)]
    assert [column(name, alone, Setting())(ranking)[0] for name in ("ndcg", "G", "ndcg_rel")] == [0, 0, 0]
    assert math.isnan(column("Rndcg", alone, Setting())(ranking)[0])
    assert all(column(name, after, Setting())(ranking)[0] > 0 for name in ("ndcg", "G", "ndcg_rel", "Rndcg"))


def test_rndcg_is_0_without_relevant_documents_at_the_level() -> None:
    ranking = ranking_of([query_of("1 1 0", ""), query_of("1 2 0", "")])
    values = column("Rndcg", [], Setting(level=2))(ranking)
    assert values[0] == 0
    assert values[1] > 0


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


# Textbook versions of the native parameters.


class Rule(NamedTuple):
    gain: Callable[[float], float]
    divisor: Callable[[int], float]


def textbook_dcg(grades: list[int | None], rule: Rule) -> float:
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        gain = rule.gain(grade) if grade is not None and grade >= 0 else 0.0
        if gain != 0:
            total += gain / rule.divisor(rank)
    return total


def textbook_ideal(query: Query, rule: Rule) -> list[int | None]:
    judged = [grade for grade in query[0] + query[1] if grade is not None and grade >= 0 and rule.gain(grade) > 0]
    return sorted(judged, key=rule.gain, reverse=True)  # type: ignore[return-value]


def plain(rank: int) -> float:
    return math.log2(rank + 1)


PARAMETERS: dict[str, tuple[dict[str, object], Rule]] = {
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
def test_dcg_and_ndcg_are_the_textbooks(given: dict[str, object], rule: Rule, cutoff: int | None) -> None:
    queries = random_queries(8, count=300)
    ranking = ranking_of(queries)
    found = [textbook_dcg(query[0][:cutoff], rule) for query in queries]
    ideal = [textbook_dcg(textbook_ideal(query, rule)[:cutoff], rule) for query in queries]
    whole = [textbook_dcg(textbook_ideal(query, rule), rule) for query in queries]
    assert_identical(graded.discounted_gain(ranking, cutoff=cutoff, **given), found)  # type: ignore[arg-type]
    assert_identical(graded.ideal_discounted_gain(ranking, cutoff=cutoff, **given), ideal)  # type: ignore[arg-type]
    assert_identical(
        graded.normalized_discounted_gain(ranking, cutoff=cutoff, **given),  # type: ignore[arg-type]
        [a / b if b else 0.0 for a, b in zip(found, ideal, strict=True)],
    )
    assert_identical(
        graded.normalized_discounted_gain(ranking, cutoff=cutoff, ideal="whole", **given),  # type: ignore[arg-type]
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
def test_rbp_is_the_textbooks(given: dict[str, object], gain: Callable[[int], float], cutoff: int | None) -> None:
    queries = random_queries(10, count=300)
    p = given.get("p", 0.8)
    expected = []
    for ranked, _ in queries:
        power, total = 1.0, 0.0
        for grade in ranked[:cutoff]:
            total += gain(max(grade or 0, 0)) * power
            power *= p  # type: ignore[operator]
        expected.append((1.0 - p) * total)  # type: ignore[operator]
    assert_identical(rbp.rank_biased_precision(ranking_of(queries), cutoff=cutoff, **given), expected)  # type: ignore[arg-type]


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


# Recorded numbers.


def computed(example: Example) -> float:
    """The value of an example; its measure is written as Name(parameter=value,…)@cutoff."""
    name, inside, cutoff = re.fullmatch(r"(\w+)(?:\((.*)\))?(?:@(\d+))?", example.measure).groups()  # type: ignore[union-attr]
    given: dict[str, object] = {}
    for key, text in re.findall(r"(\w+)=(\{[^}]*\}|[^,]*)", inside or ""):
        given[key] = ast.literal_eval(text) if text[0] in "{0123456789." else text
    if cutoff:
        given["cutoff"] = int(cutoff)
    values = MEASURES[name].compute(example_ranking(example), **given)
    return float(values[0])


EXAMPLES = [example for name in FAMILY for example in MEASURES[name].examples]


@pytest.mark.parametrize("example", EXAMPLES, ids=[f"{example.measure} of {example.ranking}" for example in EXAMPLES])
def test_worked_examples_come_out(example: Example) -> None:
    digits = len(example.value.partition(".")[2])
    assert f"{computed(example):.{digits}f}" == f"{float(example.value):.{digits}f}"


def test_ndcg_and_ndcg_at_a_cutoff_agree_once_the_cutoff_covers_everything() -> None:
    ranking = ranking_of(random_queries(12, count=200))
    assert_identical(
        graded.normalized_discounted_gain(ranking, cutoff=1000), graded.normalized_discounted_gain(ranking).tolist()
    )


def test_an_ideal_ranking_has_exactly_1() -> None:
    queries = random_queries(13, count=200, grades=(0, 1, 1, 2, 3))
    ideal: list[Query] = [(sorted(ranked + rest, reverse=True), []) for ranked, rest in queries]  # type: ignore[type-var, operator]
    ranking = ranking_of(ideal)
    something = ranking.judgments.num_relevant(1) > 0
    for given in ({}, {"gain": "exp"}, {"discount": "jk"}, {"cutoff": 5}):
        assert_identical(graded.normalized_discounted_gain(ranking, **given), something.astype(float).tolist())  # type: ignore[arg-type]
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


def test_equal_rules_share_their_gains() -> None:
    ranking = ranking_of([([1, 2], [])])
    first = gains.gained(ranking, gains.GainRule(gains={1.0: 2.0, 2.0: 3.0}))
    assert gains.gained(ranking, gains.GainRule(gains={2.0: 3.0, 1.0: 2.0})) is first
    assert gains.gained(ranking) is not first
