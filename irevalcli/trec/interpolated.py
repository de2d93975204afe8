"""Interpolated precision with trec_eval's oddities: NaN where nothing is retrieved, and levels of relevance below 0.

Below level 0, documents that the qrels do not list count as relevant in the ranking, but the walk up the ranking starts
from the number of judged ones. Its result then follows from no simpler definition, so it is walked, query by query.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures import interpolated
from irevalcli.measures.registry import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.interpolated import Rounding
    from irevalcli.reading.arrays import Bools, Floats
    from irevalcli.trec.table import Setting


def column(point: float, setting: Setting) -> Callable[[Ranking], Floats]:
    """The computation of iprec_at_recall for a recall point; per query, NaN where trec_eval has it."""
    level, rounding = setting.level, _rounding(setting)

    def compute(ranking: Ranking) -> Floats:
        if level < 0:
            return interpolated_precision(ranking, (point,), level, rounding)[0]
        (values,) = interpolated.interpolated_precision(ranking, (point,), rel=level, rounding=rounding, empty=math.nan)
        return values

    return compute


def mean_column(points: Sequence[float], setting: Setting) -> Callable[[Ranking], Floats]:
    """The computation of 11pt_avg over recall points in the order given; per query, NaN where trec_eval has it."""
    level, rounding = setting.level, _rounding(setting)

    def compute(ranking: Ranking) -> Floats:
        if level < 0:
            return eleven_point(ranking, points, level, rounding)
        return interpolated.eleven_point(ranking, points, rel=level, rounding=rounding, empty=math.nan)

    return compute


def _rounding(setting: Setting) -> Rounding:
    return "nearest" if setting.release_10 else "up"


def interpolated_precision(ranking: Ranking, points: Sequence[float], level: int, rounding: Rounding) -> list[Floats]:
    """Interpolated precision at recall points in ascending order, for a negative level.

    Args:
        ranking: one in which every retrieved document is a hit, as `Ranking.every_rank` makes it.
        points: the recall points.
        level: lowest grade that counts as relevant.
        rounding: how recall becomes a number of documents.

    Returns:
        Per point, one value per query; NaN for a query without retrieved documents, if the point wants no document.
    """
    values = np.zeros((len(points), ranking.num_queries))
    for query, assigned in enumerate(_walks(ranking, points, level, rounding)):
        for index, value in assigned:
            values[index, query] = value
    return list(values)


def eleven_point(ranking: Ranking, points: Sequence[float], level: int, rounding: Rounding) -> Floats:
    """The mean over recall points, at least one and in any order, of what the walk assigns to them.

    The arguments are those of `interpolated_precision`. The values are added from the last point to the first; NaN as
    there.
    """
    walks = _walks(ranking, points, level, rounding)
    sums = [sequential_sum(np.array([value for _, value in assigned])) for assigned in walks]
    return np.array(sums) / len(points)


def _walks(
    ranking: Ranking, points: Sequence[float], level: int, rounding: Rounding
) -> Iterator[list[tuple[int, float]]]:
    relevant = ranking.relevant(level)
    wanted = np.array([interpolated.documents_wanted(point, relevant.num_relevant, rounding) for point in points])
    counts = ranking.grade >= level
    ends = np.cumsum(ranking.retrieved)
    for query, (end, retrieved, found) in enumerate(
        zip(ends.tolist(), ranking.retrieved.tolist(), relevant.judged_total.tolist(), strict=True)
    ):
        yield _walk(counts[end - retrieved : end], found, wanted[:, query].tolist())


def _walk(counts: Bools, found: int, wanted: list[int]) -> list[tuple[int, float]]:
    """One walk from the last rank to the first, with the recall points from last to first.

    Args:
        counts: per rank, whether its document counts as relevant.
        found: number of relevant documents to start from.
        wanted: per point, how many relevant documents it wants.

    Returns:
        Index and value of the points that got a value, in the order in which they got it.
    """
    waiting = len(wanted) - 1
    while waiting >= 0 and wanted[waiting] > found:
        waiting -= 1
    assigned = []
    highest = found / counts.size if counts.size else math.nan
    left = found
    for rank in range(counts.size, 0, -1):
        if left == 0:
            break
        highest = max(highest, left / rank)
        if counts[rank - 1]:
            while waiting >= 0 and wanted[waiting] == left:
                assigned.append((waiting, highest))
                waiting -= 1
            left -= 1
    return assigned + [(index, highest) for index in range(waiting, -1, -1)]
