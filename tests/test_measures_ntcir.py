"""Q, O, P-measure, P-plus and NCU against their definitions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from builders import random_queries, ranking_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_defined, gain_of, ideal_of, queries, share

from irevalcli.errors import UsageProblem
from irevalcli.measures import binary, ntcir

if TYPE_CHECKING:
    from strategies import Query

betas = st.sampled_from([0.0, 0.5, 1.0, 10.0])


def blended(query: Query, beta: float) -> list[tuple[int, float, float]]:
    """Rank, gain and blended ratio of every relevant document."""
    gains, ideal = [gain_of(grade) for grade in query[0]], ideal_of(query)
    return [
        (rank, gain, (sum(g > 0 for g in gains[:rank]) + beta * sum(gains[:rank])) / (rank + beta * sum(ideal[:rank])))
        for rank, gain in enumerate(gains, 1)
        if gain
    ]


def defined_q(query: Query, beta: float, cutoff: int | None) -> float:
    wanted = len(ideal_of(query))
    found = sum(ratio for rank, _, ratio in blended(query, beta) if cutoff is None or rank <= cutoff)
    return share(found, wanted if cutoff is None else min(wanted, cutoff))


def defined_o(query: Query, beta: float) -> float:
    return next((ratio for _, _, ratio in blended(query, beta)), 0.0)


def down_to_best(query: Query, beta: float) -> list[float]:
    hits = blended(query, beta)
    best = [gain for _, gain, _ in hits].index(max(gain for _, gain, _ in hits)) if hits else -1
    return [ratio for _, _, ratio in hits[: best + 1]]


def defined_p(query: Query, beta: float) -> float:
    return (down_to_best(query, beta) or [0.0])[-1]


def defined_p_plus(query: Query, beta: float) -> float:
    ratios = down_to_best(query, beta)
    return share(sum(ratios), len(ratios))


def defined_ncu(query: Query, stop: str, utility: str, beta: float, gamma: float) -> float:
    total, ideal = 0.0, ideal_of(query)
    for count, (rank, gain, ratio) in enumerate(blended(query, beta), 1):
        chance = gain / sum(ideal) if stop == "gu" else gamma ** (count - 1) / sum(gamma**j for j in range(len(ideal)))
        total += chance * (ratio if utility == "BR" else count / rank)
    return total


@given(queries(), betas, st.none() | st.integers(1, 20))
def test_q_is_as_defined(many: list[Query], beta: float, cutoff: int | None) -> None:
    assert_defined(
        partial(ntcir.q_measure, beta=beta, cutoff=cutoff), partial(defined_q, beta=beta, cutoff=cutoff), many
    )


@given(queries(), betas)
def test_o_p_and_p_plus_are_as_defined(many: list[Query], beta: float) -> None:
    for compute, define in (
        (ntcir.o_measure, defined_o),
        (ntcir.p_measure, defined_p),
        (ntcir.p_plus, defined_p_plus),
    ):
        assert_defined(partial(compute, beta=beta), partial(define, beta=beta), many)


@given(queries(), st.sampled_from(["gu", "rb"]), betas | st.none(), st.sampled_from([0.0, 0.5, 0.95, 1.0]))
def test_ncu_is_as_defined(many: list[Query], stop: str, beta: float | None, gamma: float) -> None:
    parameters: dict[str, Any] = {"stop": stop, "utility": "P"}
    if beta is not None:
        parameters |= {"utility": "BR", "beta": beta}
    if stop == "rb":
        parameters["gamma"] = gamma
    defined = {"beta": 1.0, "gamma": 0.95} | parameters
    assert_defined(
        partial(ntcir.normalized_cumulative_utility, **parameters), lambda query: defined_ncu(query, **defined), many
    )


def test_long_rankings_of_many_queries_do_not_run_into_each_other() -> None:
    many = random_queries(32, count=300, longest=100)
    assert_defined(ntcir.q_measure, partial(defined_q, beta=1, cutoff=None), many)
    assert_defined(ntcir.p_plus, partial(defined_p_plus, beta=1), many)


def test_without_patience_for_gain_they_are_the_binary_measures() -> None:
    ranking = ranking_of(random_queries(33, count=100))
    assert ntcir.q_measure(ranking, beta=0).tolist() == binary.average_precision(ranking).tolist()
    assert (
        ntcir.q_measure(ranking, beta=0, cutoff=5).tolist()
        == binary.average_precision(ranking, denom="min", cutoff=5).tolist()
    )
    assert ntcir.o_measure(ranking, beta=0).tolist() == binary.reciprocal_rank(ranking).tolist()


def test_gains_may_be_other_than_the_grades() -> None:
    many = random_queries(34, count=100)
    exponential: list[Query] = [
        (
            [None if grade is None else 2.0**grade - 1 if grade > 0 else grade for grade in ranked],
            [2.0**grade - 1 if grade > 0 else grade for grade in rest],
        )
        for ranked, rest in many
    ]
    graded = ntcir.q_measure(ranking_of(many), gain="exp")
    assert graded.tolist() == ntcir.q_measure(ranking_of(exponential)).tolist()  # type: ignore[arg-type]
    assert ntcir.q_measure(ranking_of(many), rel=2, beta=0).tolist() == (
        binary.average_precision(ranking_of(many), rel=2).tolist()
    )


@pytest.mark.parametrize(
    ("given_values", "message"),
    [
        ({"beta": 2.0}, "beta means nothing with utility=P"),
        ({"gamma": 0.5}, "gamma means nothing with stop=gu"),
        ({"stop": "rb", "beta": 2.0}, "beta means nothing with utility=P"),
        ({"utility": "BR", "gamma": 0.5}, "gamma means nothing with stop=gu"),
    ],
)
def test_ncu_refuses_a_parameter_that_would_do_nothing(given_values: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageProblem, match=message):
        ntcir.normalized_cumulative_utility(ranking_of([([1], [])]), **given_values)
