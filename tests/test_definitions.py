"""Measures that are written for all queries at once against their definitions, one query and one rank at a time."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import random_queries, ranking_of

from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Query

    Definition = Callable[[list[float], list[float]], float]


def gains_of(query: Query) -> list[float]:
    return [float(max(grade or 0, 0)) for grade in query[0]]


def ideal_of(query: Query) -> list[float]:
    return sorted((float(grade) for grade in query[0] + query[1] if grade and grade > 0), reverse=True)


def dcg(gains: list[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg_at(gains: list[float], ideal: list[float], rank: int) -> float:
    return dcg(gains[:rank]) / dcg(ideal[:rank])


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def ndcg_rel(gains: list[float], ideal: list[float]) -> float:
    """The mean over relevant documents of nDCG at their ranks, that at the end for those not retrieved."""
    found = [ndcg_at(gains, ideal, rank) for rank, gain in enumerate(gains, 1) if gain > 0]
    last = ndcg_at(gains, ideal, max(len(gains), len(ideal))) if ideal else 0.0
    return mean(found + [last] * (len(ideal) - len(found)))


def rndcg(gains: list[float], ideal: list[float]) -> float:
    """The mean of nDCG at the last place of every gain in the ideal ranking, and at the end if that is two beyond."""
    ends = [rank for rank in range(1, len(ideal) + 1) if ideal[rank - 1 : rank] != ideal[rank : rank + 1]]
    if ends and len(gains) >= ends[-1] + 2:
        ends.append(len(gains))
    return mean([ndcg_at(gains, ideal, rank) for rank in ends])


def graded_g(gains: list[float], ideal: list[float]) -> float:
    """Gains over the logarithm of 2 and of what an ideal ranking has found more, as a share of all gains."""
    padded = ideal + [0.0] * len(gains)
    total = 0.0
    for rank, gain in enumerate(gains, 1):
        total += gain / log2(2 + sum(max(best, 1.0) for best in padded[:rank]) - sum(gains[:rank]))
    return total / sum(ideal) if ideal else 0.0


def rbp_by_query(gains: list[float], ideal: list[float]) -> float:
    """RBP of grades divided by the query's own highest one."""
    return sum(0.2 * 0.8**place * gain / ideal[0] for place, gain in enumerate(gains) if gain > 0)


GRADED: dict[str, Definition] = {
    "ndcg_rel": ndcg_rel,
    "Rndcg": rndcg,
    "G": graded_g,
    "RBP(gain=scaled,scale=query)": rbp_by_query,
}


@pytest.mark.parametrize(("name", "definition"), GRADED.items(), ids=GRADED)
@pytest.mark.parametrize("grades", [(None, None, -1, 0, 0, 1, 2, 3), (None, 0, 2, 2, 2, 7), (None, None, None, 0, 1)])
def test_a_graded_measure_is_what_its_definition_says(
    name: str, definition: Definition, grades: tuple[int | None, ...]
) -> None:
    queries = random_queries(31, grades=grades)
    (spec,) = parse_measures(name)
    expected = [definition(gains_of(query), ideal_of(query)) for query in queries]
    assert len(set(expected)) > 50
    np.testing.assert_allclose(np.asarray(spec.compute(ranking_of(queries))), expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("p", [0.0, 0.5, 0.8, 0.95, 1.0])
def test_the_residual_of_rbp_is_the_weight_of_all_that_is_not_judged(p: float) -> None:
    queries = random_queries(32)
    expected = []
    for ranked, _ in queries:
        unjudged = [place for place, grade in enumerate(ranked) if grade is None or grade < 0]
        expected.append(p ** len(ranked) + sum((1 - p) * p**place for place in unjudged))
    (spec,) = parse_measures(f"RBPResid(p={p})")
    np.testing.assert_allclose(np.asarray(spec.compute(ranking_of(queries))), expected, rtol=1e-12, atol=1e-15)
