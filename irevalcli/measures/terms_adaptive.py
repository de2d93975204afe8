"""User models (C/W/L) in which what has been found decides how far a user goes, as sums over ranks.

Their tables have the same columns: the gain of a document, the chance to examine it, the chance to go on after it. What
the user can see is the sum of gain × chance to examine it; per document that is divided by the documents examined.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.measures import cwl_adaptive, cwl_nerr
from irevalcli.measures.arithmetic import powers, ratio, running_products, running_sums, sums
from irevalcli.measures.cwl import ScaledGains, scaled_gains, squared_decline, walked
from irevalcli.measures.gains import gained, highest_grade
from irevalcli.measures.terms import Amount, Quantity, Terms, sum_over_ranks
from irevalcli.measures.terms_users import require_gain

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.cwl import Continuation
    from irevalcli.reading.arrays import Bools, Floats, Positions


class _Gains(NamedTuple):
    """The gains of a ranking down to the last rank that a user can get to.

    Attributes:
        found: the hits that gain.
        inside: per hit of the ranking, whether the user can get there.
        gain: per hit of the ranking, 0 where nothing gains or nobody gets.
        total: per hit of the ranking, the sum of the gains down to it.
    """

    found: ScaledGains
    inside: Bools
    gain: Floats
    total: Floats


def _gains(ranking: Ranking, measure: str, max_rel: float | None, last: int) -> _Gains:
    found = scaled_gains(ranking, measure, max_rel, last)
    inside = ranking.rank <= last
    highest = np.full(ranking.rank.size, highest_grade(ranking, measure, max_rel))
    gain = np.where(inside, ratio(np.maximum(ranking.grade, 0.0), highest), 0.0)
    return _Gains(found, inside, gain, running_sums(gain, ranking.offsets))


def _ends(ranking: Ranking) -> tuple[Positions, Positions]:
    """The first and the last hit of every query that has one."""
    some = np.diff(ranking.offsets) > 0
    return ranking.offsets[:-1][some], ranking.offsets[1:][some] - 1


def _seen(gains: _Gains, chance: Floats, going_on: Floats, terms: Floats, examined: Floats, report: str) -> Terms:  # noqa: PLR0917
    """The gains that the user sees: in total, or per document examined."""
    quantities = (
        Quantity("gain", gains.gain),
        Quantity("chance to examine", chance),
        Quantity("chance to go on", going_on),
    )
    divisor = Amount("documents examined", examined) if report == "EU" else None
    return Terms(quantities, terms, "gain seen", divisor=divisor)


@sum_over_ranks(cwl_adaptive.graded_reciprocal_rank)
def graded_reciprocal_rank(ranking: Ranking, *, max_rel: float | None, report: str, depth: int) -> Terms:
    """The gain of the first document that gains."""
    require_gain("CWL_RR", report)
    gains = _gains(ranking, "CWL_RR", max_rel, depth)
    first = gains.found.first[ranking.query]
    chance = (ranking.rank <= np.minimum(first, depth)).astype(np.float64)
    going_on = (ranking.rank < np.minimum(first, depth)).astype(np.float64)
    examined = np.minimum(gains.found.first, depth).astype(np.float64)
    return _seen(gains, chance, going_on, gains.gain * chance, examined, report)


@sum_over_ranks(cwl_adaptive.graded_average_precision)
def graded_average_precision(ranking: Ranking, *, max_rel: float | None, report: str, depth: int) -> Terms:
    """The gain of each document, seen by those who stop at it or at a later one that gains."""
    require_gain("CWL_AP", report)
    gains = _gains(ranking, "CWL_AP", max_rel, depth)
    first, last = _ends(ranking)
    share = gains.gain / ranking.rank
    from_here = running_sums(share[::-1], share.size - ranking.offsets[::-1])[::-1]
    after = np.roll(from_here, -1)
    after[last] = 0.0
    ahead = np.zeros(ranking.num_queries)
    ahead[ranking.query[first]] = from_here[first]
    chance = np.where(ahead[ranking.query] > 0, ratio(from_here, ahead[ranking.query]), ranking.rank == 1)
    found = sums(ranking.query, gains.gain, ranking.num_queries)
    examined = np.where(ahead > 0, ratio(found, ahead), 1.0)
    return _seen(gains, chance, ratio(after, from_here), gains.gain * chance, examined, report)


@sum_over_ranks(cwl_adaptive.truncated_average_precision)
def truncated_average_precision(ranking: Ranking, *, max_rel: float | None, report: str, depth: int) -> Terms:
    """The gain of each document, times the mean gain down to it."""
    require_gain("TrAP", report)
    gains = _gains(ranking, "TrAP", max_rel, depth)
    mean = gains.total / ranking.rank
    quantities = Quantity("gain", gains.gain), Quantity("mean gain so far", mean)
    divisor = Amount(
        "R, the documents with a gain in the qrels, at least 1", np.maximum(gained(ranking).ideal_total, 1)
    )
    if report == "ETU":
        first = np.ones(ranking.num_queries)
        at_top = (ranking.rank == 1) & (gains.gain > 0)
        first[ranking.query[at_top]] = gains.gain[at_top]
        divisor = Amount("the gain at rank 1, or 1 if there is none", first)
    return Terms(quantities, mean * gains.gain, "sum of gain × mean gain", divisor=divisor)


def _walking(ranking: Ranking, gains: _Gains, continuation: Continuation, report: str) -> Terms:
    """The gain of each document, for a user who decides at every rank anew."""
    last = gains.found.depth
    chance, examined = np.zeros(ranking.rank.size), np.zeros(ranking.num_queries)
    for begin, block, spare in walked(gains.found, continuation):
        end = begin + block.shape[0]
        hits = np.flatnonzero(gains.inside & (ranking.query >= begin) & (ranking.query < end))
        chance[hits] = block[ranking.query[hits] - begin, ranking.rank[hits] - 1]
        examined[begin:end] = np.add.accumulate(block, axis=1, out=spare)[:, -1]
    going_on = np.where(ranking.rank < last, continuation(ranking.rank, gains.gain, gains.total), 0.0)
    return _seen(gains, chance, going_on, gains.gain * chance, examined, report)


@sum_over_ranks(cwl_adaptive.inst)
def inst(ranking: Ranking, *, T: float, max_rel: float | None, report: str, depth: int) -> Terms:  # noqa: N803
    """The gain of each document, for a user whose goal comes nearer with every gain."""
    require_gain("INST", report)
    gains = _gains(ranking, "INST", max_rel, depth)
    return _walking(ranking, gains, cwl_adaptive.nearing_goal(T), report)


@sum_over_ranks(cwl_adaptive.bejeweled_player_model)
def bejeweled_player_model(
    ranking: Ranking,
    *,
    cutoff: int,
    T: float,  # noqa: N803
    dynamic: bool,
    hb: float,
    hc: float,
    max_rel: float | None,
    report: str,
    depth: int,
) -> Terms:
    """The gain of each document, for a user who sets limits to benefit and cost."""
    require_gain("BPM", report)
    gains = _gains(ranking, "BPM", max_rel, depth if dynamic else min(cutoff, depth))
    player = cwl_adaptive.playing(T, cutoff, (hb, hc) if dynamic else None)
    return _walking(ranking, gains, player, report)


@sum_over_ranks(cwl_adaptive.information_foraging)
def information_foraging(
    ranking: Ranking,
    *,
    kind: str,
    T: float,  # noqa: N803
    b1: float,
    R1: float,  # noqa: N803
    A: float,  # noqa: N803
    b2: float,
    R2: float,  # noqa: N803
    max_rel: float | None,
    report: str,
    depth: int,
) -> Terms:
    """The gain of each document, for a user with a goal and an expected rate of gain."""
    require_gain("IFT", report)
    gains = _gains(ranking, "IFT", max_rel, depth)
    return _walking(ranking, gains, cwl_adaptive.foraging(kind, (T, b1, R1), (A, b2, R2)), report)


def _nearly(ranking: Ranking, measure: str, patience: Floats, max_rel: float | None, report: str) -> Terms:
    """The gain of each document, for a user whom it satisfies with a probability equal to its gain.

    Args:
        ranking: the ranking.
        measure: its name, for messages.
        patience: for every rank from 1, the chance that a user gets there whom nothing satisfies.
        max_rel: the grade that gains 1, or None for the highest of the qrels.
        report: what is reported.
    """
    require_gain(measure, report)
    last = patience.size
    gains = _gains(ranking, measure, max_rel, last)
    patient = np.zeros(ranking.rank.size)
    patient[gains.inside] = patience[ranking.rank[gains.inside] - 1]
    after = running_products(1.0 - gains.gain, ranking.offsets)
    before = np.roll(after, 1)
    before[_ends(ranking)[0]] = 1.0
    steps = np.append(ratio(patience[1:], patience[:-1]), 0.0)
    going_on = np.zeros(ranking.rank.size)
    going_on[gains.inside] = steps[ranking.rank[gains.inside] - 1]
    examined = cwl_nerr.until_satisfied(ranking, measure, patience, max_rel).depth
    terms = gains.gain * patient * before
    return _seen(gains, patient * before, going_on * (1.0 - gains.gain), terms, examined, report)


_PATIENCE: dict[str, tuple[Callable[..., Floats], Callable[..., Floats]]] = {
    "NERR8": (cwl_nerr.nearly_err_cut, lambda depth, cutoff: np.ones(min(cutoff, depth))),
    "NERR9": (cwl_nerr.nearly_err_reciprocal, lambda depth, cutoff: 1.0 / np.arange(1, min(cutoff, depth) + 1)),
    "NERR10": (cwl_nerr.nearly_err_persistent, lambda depth, p: powers(p, depth)),
    "NERR11": (cwl_nerr.nearly_err_goal, lambda depth, T: squared_decline(T, depth)),  # noqa: N803
}
"""The chance to get to each rank for users whom nothing satisfies, by the parameters of the measure."""


def _register(measure: str, compute: Callable[..., Floats], patience: Callable[..., Floats]) -> None:
    @sum_over_ranks(compute)
    def nearly(ranking: Ranking, *, max_rel: float | None, report: str, depth: int, **model: float) -> Terms:
        return _nearly(ranking, measure, patience(depth=depth, **model), max_rel, report)


for _name, (_compute, _patience) in _PATIENCE.items():
    _register(_name, _compute, _patience)
