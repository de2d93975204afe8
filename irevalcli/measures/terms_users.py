"""Measures of users who read from the top, as sums over ranks: RBP, the cascade, C/W/L models that ignore documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures import cascade, cwl_static, rbp, sdcg
from irevalcli.measures.arithmetic import log2_table, powers, ratio, running_products
from irevalcli.measures.cwl import require_positive, squared_decline
from irevalcli.measures.gains import divisors, gained, highest_grade
from irevalcli.measures.registry import sequential_sum
from irevalcli.measures.terms import Amount, Ideal, Quantity, Terms, down_to, sum_over_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.cascade import Satisfaction
    from irevalcli.reading.arrays import Floats


def _positive(grade: Floats) -> Floats:
    gain: Floats = np.maximum(grade, 0.0)
    return gain


@sum_over_ranks(rbp.rank_biased_precision)
def rank_biased_precision(
    ranking: Ranking,
    *,
    cutoff: int | None,
    p: float,
    gain: str,
    rel: float,
    max_rel: float | None,
    scale: str,
) -> Terms:
    """The gain of each document, weighted by the chance that the user gets there."""
    if gain == "binary":
        gains: Floats = (ranking.grade >= rel).astype(np.float64)
    else:
        gains = _positive(ranking.grade)
        if gain == "scaled" and scale == "query":
            gains = ratio(gains, rbp.highest_grades(ranking)[ranking.query])
        elif gain == "scaled":
            gains = ratio(gains, np.full(gains.size, highest_grade(ranking, "RBP", max_rel)))
    weights = powers(p, int(ranking.rank.max(initial=1)))[ranking.rank - 1]
    terms = down_to(cutoff, ranking, gains * weights)
    quantities = Quantity("gain", gains), Quantity("p^(rank - 1)", weights)
    return Terms(quantities, terms, "sum of weighted gains", factor=Amount("1 - p", 1.0 - p))


def _cascade(ranking: Ranking, satisfaction: Satisfaction) -> tuple[Floats, Floats, Floats]:
    """Per hit, the chance to stop at it, the chance to get to it, and the product of the two."""
    chance = satisfaction.of(_positive(ranking.grade))
    passed = np.ones(chance.size)
    passed[1:] = 1.0 - chance[:-1]
    passed[ranking.offsets[:-1][np.diff(ranking.offsets) > 0]] = 1.0
    reached = running_products(passed, ranking.offsets)
    return chance, reached, chance * reached


def _expected(ranking: Ranking, cutoff: int | None, satisfaction: Satisfaction) -> tuple[tuple[Quantity, ...], Floats]:
    chance, reached, stopping = _cascade(ranking, satisfaction)
    quantities = Quantity("chance to get here", reached), Quantity("chance to stop", chance)
    return (*quantities, Quantity("rank", ranking.rank)), down_to(cutoff, ranking, stopping / ranking.rank)


@sum_over_ranks(cascade.expected_reciprocal_rank)
def expected_reciprocal_rank(ranking: Ranking, *, cutoff: int | None, stop: str, max_rel: float | None) -> Terms:
    """The reciprocal of each rank, weighted by the chance that the user stops there."""
    quantities, terms = _expected(ranking, cutoff, cascade.satisfaction_in(ranking, "ERR", stop, max_rel))
    return Terms(quantities[:-1], terms, "expected reciprocal rank")


@sum_over_ranks(cascade.normalized_expected_reciprocal_rank)
def normalized_expected_reciprocal_rank(
    ranking: Ranking, *, cutoff: int | None, stop: str, max_rel: float | None
) -> Terms:
    """The same, beside an ideal ranking."""
    satisfaction = cascade.satisfaction_in(ranking, "nERR", stop, max_rel)
    quantities, terms = _expected(ranking, cutoff, satisfaction)
    gains = gained(ranking)
    ideal_terms = cascade.stopping(satisfaction.of(gains.ideal_gain), gains.ideal_offsets) / gains.ideal_position
    inside = gains.ideal_position <= (cutoff or ideal_terms.size)
    ideal = Ideal(gains.ideal_query[inside], gains.ideal_gain[inside], ideal_terms[inside])
    divisor = Amount("ideal ERR", gains.ideal_sum(np.where(inside, ideal_terms, 0.0)))
    return Terms(quantities[:-1], terms, "ERR", divisor=divisor, ideal=ideal)


@sum_over_ranks(cascade.intentwise_rank_biased_utility)
def intentwise_rank_biased_utility(ranking: Ranking, *, cutoff: int | None, phi: float, max_rel: float | None) -> Terms:
    """The utility of each rank, weighted by the chance that the user stops there."""
    satisfaction = cascade.Satisfaction("linear", highest_grade(ranking, "iRBU", max_rel))
    chance, reached, stopping = _cascade(ranking, satisfaction)
    utility = powers(phi, int(ranking.rank.max(initial=0)) + 1)[ranking.rank]
    quantities = (
        Quantity("chance to get here", reached),
        Quantity("chance to stop", chance),
        Quantity("phi^rank", utility),
    )
    return Terms(quantities, down_to(cutoff, ranking, stopping * utility), "expected utility")


@sum_over_ranks(sdcg.scaled_discounted_gain)
def scaled_discounted_gain(ranking: Ranking, *, cutoff: int, max_rel: float | None) -> Terms:
    """The scaled and discounted gain of each document."""
    highest = highest_grade(ranking, "SDCG", max_rel)
    gain = ratio(_positive(ranking.grade), np.full(ranking.grade.size, highest))
    discount = divisors(ranking.rank)
    possible = sequential_sum(1.0 / log2_table(cutoff + 1)[2 : cutoff + 2])
    quantities = Quantity("gain", gain), Quantity("log2(rank + 1)", discount)
    divisor = Amount("sum of all discounts", possible)
    return Terms(quantities, down_to(cutoff, ranking, gain / discount), "scaled DCG", divisor=divisor)


def require_gain(measure: str, report: str) -> None:
    """Refuse a report that is about costs.

    Raises:
        UsageProblem: what is reported is no sum over the documents.
    """
    if report not in {"EU", "ETU"}:
        raise UsageProblem(f"{measure}(report={report}) is no sum over documents; report=EU and report=ETU are")


def _attention(ranking: Ranking, measure: str, chance: Floats, max_rel: float | None, report: str) -> Terms:
    """The gain of each document, weighted by the chance that the user examines it."""
    require_gain(measure, report)
    highest = highest_grade(ranking, measure, max_rel)
    gain = ratio(_positive(ranking.grade), np.full(ranking.grade.size, highest))
    examined = np.zeros(ranking.rank.size)
    inside = ranking.rank <= chance.size
    examined[inside] = chance[ranking.rank[inside] - 1]
    quantities = Quantity("gain", gain), Quantity("chance to examine", examined)
    divisor = Amount("documents examined", sequential_sum(chance)) if report == "EU" else None
    return Terms(quantities, gain * examined, "gain seen", divisor=divisor)


def _until(cutoff: int, depth: int) -> int:
    return min(cutoff, depth)


def _economic(cutoff: int, depth: int, b: float) -> Floats:
    require_positive("SET", b=b)
    grown = np.array([rank**b for rank in range(1, _until(cutoff, depth) + 2)])
    shares: Floats = np.diff(grown) / (grown[1] - grown[0])
    return shares


def _even_decline(length: float, depth: int) -> Floats:
    require_positive("U", L=length)
    left: Floats = np.maximum(0.0, 1.0 - np.arange(depth) / length)
    return left


def _half_life(h: float, depth: int) -> Floats:
    require_positive("TBG", h=h)
    return powers(2.0 ** (-1.0 / h), depth)


def _discounts(last: int) -> Floats:
    discounts: Floats = 1.0 / log2_table(last + 1)[2 : last + 2]
    return discounts


_CHANCES: dict[str, tuple[Callable[..., Floats], Callable[..., Floats]]] = {
    "CWL_P": (cwl_static.graded_precision, lambda depth, cutoff: np.ones(_until(cutoff, depth))),
    "CWL_RBP": (cwl_static.persistent_user, lambda depth, p: powers(p, depth)),
    "CWL_SDCG": (cwl_static.scaled_dcg, lambda depth, cutoff: _discounts(_until(cutoff, depth))),
    "INSQ": (cwl_static.insq, lambda depth, T: squared_decline(T, depth)),  # noqa: N803
    "NPV": (cwl_static.net_present_value, lambda depth, r: powers(1.0 / (1.0 + r), depth)),
    "SET": (cwl_static.search_economic_metric, lambda depth, cutoff, b: _economic(cutoff, depth, b)),
    "U": (cwl_static.u_measure, lambda depth, L: _even_decline(L, depth)),  # noqa: N803
    "TBG": (cwl_static.time_biased_gain, lambda depth, h: _half_life(h, depth)),
}
"""The chance to examine each rank, by the parameters of the measure, for the models that depend on the rank alone."""


def _register(measure: str, compute: Callable[..., Floats], chance: Callable[..., Floats]) -> None:
    @sum_over_ranks(compute)
    def attention(ranking: Ranking, *, max_rel: float | None, report: str, depth: int, **model: float) -> Terms:
        return _attention(ranking, measure, chance(depth=depth, **model), max_rel, report)


for _name, (_compute, _chance) in _CHANCES.items():
    _register(_name, _compute, _chance)
