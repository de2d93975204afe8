"""ERR, nERR and iRBU against their definitions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import random_queries, ranking_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_defined, gain_of, ideal_of, queries, share

from irevalcli.errors import InputProblem
from irevalcli.measures import cascade

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from strategies import Query

cutoffs = st.none() | st.integers(1, 20)


def reading(chances: Sequence[float], worth: Callable[[int], float]) -> float:
    total, left = 0.0, 1.0
    for rank, chance in enumerate(chances, 1):
        total += left * chance * worth(rank)
        left *= 1 - chance
    return total


def chances_of(grades: Sequence[float | None], stop: str, highest: float) -> list[float]:
    if stop == "linear":
        return [gain_of(grade) / (highest + 1) for grade in grades]
    return [(2.0 ** gain_of(grade) - 1) / 2.0**highest for grade in grades]


def defined_err(query: Query, cutoff: int | None, stop: str, highest: float) -> float:
    return reading(chances_of(query[0][:cutoff], stop, highest), lambda rank: 1 / rank)


def defined_nerr(query: Query, cutoff: int | None, stop: str, highest: float) -> float:
    best = defined_err((list(ideal_of(query)), []), cutoff, stop, highest)
    return share(defined_err(query, cutoff, stop, highest), best)


@given(queries(), cutoffs, st.sampled_from(["exp", "linear"]), st.sampled_from([3, 3.5, 4, 10]))
def test_err_and_nerr_are_as_defined(many: list[Query], cutoff: int | None, stop: str, highest: float) -> None:
    parameters = {"cutoff": cutoff, "stop": stop, "max_rel": highest}
    for compute, define in (
        (cascade.expected_reciprocal_rank, defined_err),
        (cascade.normalized_expected_reciprocal_rank, defined_nerr),
    ):
        assert_defined(partial(compute, **parameters), partial(define, cutoff=cutoff, stop=stop, highest=highest), many)


@given(queries(), cutoffs, st.sampled_from([0.0, 0.5, 0.99, 1.0]), st.sampled_from([3, 5]))
def test_irbu_is_as_defined(many: list[Query], cutoff: int | None, phi: float, highest: float) -> None:
    assert_defined(
        partial(cascade.intentwise_rank_biased_utility, cutoff=cutoff, phi=phi, max_rel=highest),
        lambda query: reading(chances_of(query[0][:cutoff], "linear", highest), lambda rank: phi**rank),
        many,
    )


def test_long_rankings_of_many_queries_do_not_run_into_each_other() -> None:
    many = random_queries(31, count=300, longest=200)
    assert_defined(cascade.expected_reciprocal_rank, partial(defined_err, cutoff=None, stop="exp", highest=4), many)


def test_the_highest_grade_is_that_of_the_qrels_where_it_is_not_given() -> None:
    ranking = ranking_of([([1, 2], [0]), ([1], [3])])
    for compute in (
        partial(cascade.expected_reciprocal_rank, stop="linear"),
        cascade.expected_reciprocal_rank,
        cascade.normalized_expected_reciprocal_rank,
        cascade.intentwise_rank_biased_utility,
    ):
        assert compute(ranking, max_rel=None).tolist() == compute(ranking, max_rel=3).tolist()
        assert compute(ranking, max_rel=None).tolist() != compute(ranking, max_rel=4).tolist()


@pytest.mark.parametrize(
    "compute",
    [
        cascade.expected_reciprocal_rank,
        cascade.normalized_expected_reciprocal_rank,
        partial(cascade.intentwise_rank_biased_utility, max_rel=4),
    ],
)
def test_a_grade_above_the_highest_is_refused_even_if_its_document_was_not_retrieved(
    compute: Callable[..., np.ndarray],
) -> None:
    with pytest.raises(InputProblem, match="max_rel=4, but the qrels have the grade 5"):
        compute(ranking_of([([1], [5])]))


def test_grades_whose_powers_overflow_are_refused() -> None:
    ranking = ranking_of([([1], [2000])])
    with pytest.raises(InputProblem, match="the grade 2000 is too high for stop=exp"):
        cascade.expected_reciprocal_rank(ranking, max_rel=None)
    assert np.isfinite(cascade.expected_reciprocal_rank(ranking, max_rel=None, stop="linear")).all()


def test_with_the_highest_grade_0_nobody_is_satisfied() -> None:
    ranking = ranking_of([([0, None, -1], [0])])
    assert cascade.expected_reciprocal_rank(ranking, max_rel=0).tolist() == [0.0]
    assert cascade.intentwise_rank_biased_utility(ranking).tolist() == [0.0]
