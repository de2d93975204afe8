"""The drop-in's graded measures and RBP with pairs of levels and gains, against plain Python to the last bit."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from builders import query_of, random_queries, ranking_of
from graded_definitions import DEFINED, assert_identical, defined_rbp_resid

from irevalcli.trec.gains import column
from irevalcli.trec.table import Setting

if TYPE_CHECKING:
    from builders import Query
    from graded_definitions import Pairs

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


@pytest.mark.parametrize("name", DEFINED)
@pytest.mark.parametrize("pairs", PAIRS.values(), ids=PAIRS.keys())
def test_values_are_those_of_the_definition_to_the_last_bit(name: str, pairs: Pairs) -> None:
    queries = random_queries(1, count=150) + random_queries(2, count=8, longest=300)
    values = column(name, pairs, Setting())(ranking_of(queries))
    assert_identical(values, [DEFINED[name](query, pairs) for query in queries])


@pytest.mark.parametrize("name", DEFINED)
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
