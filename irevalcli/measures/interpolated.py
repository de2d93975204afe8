"""Interpolated precision: the highest precision at a recall level or beyond, and its mean over recall points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from irevalcli.measures.arithmetic import whole_numbers
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import REL, REQUIRED, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions

    Rounding = Literal["nearest", "up"]

ELEVEN_POINTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
ROUNDING = Param(
    "rounding",
    "str",
    "nearest",
    "how recall times R becomes a number of documents: to the nearest one, halves away from zero, or by ⌊x + 0.9⌋",
    choices=("nearest", "up"),
)
MANNING = "manning2008 (chapter 8.4)"
ROUNDING_NOTE = (
    "rounding=nearest is trec_eval's rule since release 10, rounding=up that of release 9, pytrec_eval, ir_measures "
    "and ranx. They differ wherever recall times R is not whole, as mostly it is not."
)


def documents_wanted(point: float, num_relevant: Positions, rounding: Rounding) -> Positions:
    """Per query, how many relevant documents make the recall `point`.

    Args:
        point: the recall, usually between 0 and 1.
        num_relevant: per query, R.
        rounding: ``nearest`` as C's lround, or ``up``: 0.9 is added, the fraction cut.
    """
    exact = point * num_relevant
    if rounding == "up":
        return whole_numbers(exact + 0.9)
    whole = np.trunc(exact)
    return whole_numbers(whole + np.copysign(np.abs(exact - whole) >= 0.5, exact))


def interpolated_precision(
    ranking: Ranking, points: Sequence[float], *, rel: float = 1, rounding: Rounding = "nearest", empty: float = 0.0
) -> list[Floats]:
    """Interpolated precision at each of several recall points.

    Args:
        ranking: what is measured.
        points: recall values, in any order.
        rel: lowest grade that counts as relevant, not negative.
        rounding: see `documents_wanted`.
        empty: the value of a query without retrieved documents at points that want no document; trec_eval has NaN.

    Returns:
        Per point, one value per query.
    """
    num_relevant = ranking.relevant(rel).num_relevant
    return [_at_documents(ranking, rel, documents_wanted(point, num_relevant, rounding), empty) for point in points]


def _at_documents(ranking: Ranking, rel: float, wanted: Positions, empty: float) -> Floats:
    """Per query, the highest precision at or after its relevant hit number `wanted`, which is the first at least."""
    relevant = ranking.relevant(rel)
    values = np.where((ranking.retrieved == 0) & (wanted <= 0), empty, 0.0)
    number = np.maximum(wanted, 1)
    reached = number <= relevant.total
    values[reached] = relevant.highest_precision_from[(relevant.start + number - 1)[reached]]
    return values


def eleven_point(
    ranking: Ranking, points: Sequence[float], *, rel: float = 1, rounding: Rounding = "nearest", empty: float = 0.0
) -> Floats:
    """The mean of interpolated precision over recall points, added up from the last point to the first.

    As trec_eval does it, in one walk up the ranking with the points from last to first: points at the end of the list
    that cannot be reached count 0; of the others, a point that is higher than one behind it comes too late, and takes
    like all points before it the value at recall 0. In an ascending list no point comes too late.

    Args:
        ranking: what is measured.
        points: recall values, at least one, in the order given.
        rel: lowest grade that counts as relevant, not negative.
        rounding: see `documents_wanted`.
        empty: the value at recall 0 of a query without retrieved documents; trec_eval has NaN.

    Returns:
        One value per query.
    """
    relevant = ranking.relevant(rel)
    at_zero = _at_documents(ranking, rel, np.zeros_like(relevant.total), empty)
    left = relevant.total.copy()
    started = np.zeros(left.size, np.bool_)
    late = started.copy()
    total = np.zeros(left.size)
    for point in reversed(points):
        wanted = documents_wanted(point, relevant.num_relevant, rounding)
        started |= wanted <= left
        late |= started & ((wanted <= 0) | (wanted > left))
        in_time = started & ~late
        total += np.where(late, at_zero, np.where(in_time, _at_documents(ranking, rel, wanted, empty), 0.0))
        left[in_time] = wanted[in_time]
    return total / len(points)


@measure(
    "IPrec",
    title="interpolated precision at a recall level",
    summary="The best precision that a user can have who wants at least this recall.",
    formula=(
        "max of C(i)/i over ranks i with C(i) ≥ m, 0 if there are none; m = recall · R, rounded; "
        "C(i) = relevant documents down to rank i, R = relevant documents in the qrels"
    ),
    parameters=(Param("recall", "float", REQUIRED, "the recall level", low=0, high=1), REL, ROUNDING),
    at="recall",
    reference=MANNING,
    examples=(
        query_101("IPrec@0.2", "1.0", "trec_eval 10"),
        query_101("IPrec@0.4", ".6667", "trec_eval 10"),
        query_101("IPrec@0.5", ".6", "trec_eval 10, pytrec_eval"),
        query_101("IPrec@0.7", ".5", "trec_eval 10"),
        query_101("IPrec(rounding=up)@0.2", ".6667", "pytrec_eval"),
        query_101("IPrec(rounding=up)@0.4", ".6", "pytrec_eval"),
        query_101("IPrec(rounding=up)@0.7", "0", "pytrec_eval"),
        Example(
            "IPrec@0.3",
            "0 1 0 1",
            "",
            "0.5",
            "textbook: of two relevant documents, the best precision at any recall ≥ 0.3",
        ),
    ),
    equivalents=(
        Equivalent("trec_eval", "iprec_at_recall.x"),
        Equivalent("pytrec_eval", "iprec_at_recall.x, for rounding=up"),
        Equivalent("ir_measures", "IPrec@x, for rounding=up"),
    ),
    note=ROUNDING_NOTE,
)
def interpolated_precision_at(
    ranking: Ranking, *, recall: float, rel: float = 1, rounding: Rounding = "nearest"
) -> Floats:
    """Per query, the highest precision at the recall level or beyond."""
    return interpolated_precision(ranking, (recall,), rel=rel, rounding=rounding)[0]


@measure(
    "11ptAvg",
    title="interpolated precision averaged over recall points",
    summary="The height of the recall-precision curve at eleven (or other) recall points, averaged.",
    formula="mean over the points x of IPrec@x",
    parameters=(
        Param("points", "floats", ELEVEN_POINTS, "the recall points, in ascending order", low=0, high=1),
        REL,
        ROUNDING,
    ),
    reference=MANNING,
    examples=(
        query_101("11ptAvg", ".5394", "trec_eval 10"),
        query_101("11ptAvg(rounding=up)", ".4576", "pytrec_eval"),
    ),
    equivalents=(
        Equivalent("trec_eval", "11pt_avg"),
        Equivalent("pytrec_eval", "11pt_avg, for rounding=up"),
    ),
    note=(
        f"{ROUNDING_NOTE} Of a list in another order trec_eval gives points that come too late the value at recall 0, "
        "and so does this measure."
    ),
)
def eleven_point_average(
    ranking: Ranking,
    *,
    points: tuple[float, ...] = ELEVEN_POINTS,
    rel: float = 1,
    rounding: Rounding = "nearest",
) -> Floats:
    """Per query, the mean of its interpolated precision over the points."""
    return eleven_point(ranking, points, rel=rel, rounding=rounding)
