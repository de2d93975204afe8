"""Rankings in which every rank that no judged document holds has a grade too: what unjudged ones might be worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.judgments import GradedLists
from irevalcli.index.ranking import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterator

# Ranks in a ranking at a time: 2 MiB for each of its arrays.
_BLOCK = 1 << 18


def filled(ranking: Ranking, grade: float, depth: int) -> Iterator[Ranking]:
    """The ranking down to rank `depth`, with `grade` wherever there is no judged document, also beyond its end.

    The queries come in order, as many at a time as memory is good for. The judgments remain as they are: what is filled
    in adds nothing to an ideal ranking.
    """
    judgments = ranking.judgments
    starts = np.searchsorted(judgments.query, np.arange(ranking.num_queries + 1))
    rows = max(_BLOCK // depth, 1)
    for begin in range(0, ranking.num_queries, rows):
        end = min(begin + rows, ranking.num_queries)
        listed = slice(starts[begin], starts[end])
        hits = slice(ranking.offsets[begin], ranking.offsets[end])
        query, rank, value = ranking.query[hits] - begin, ranking.rank[hits], ranking.grade[hits]
        known = (rank <= depth) & (value >= 0)
        every = np.full((end - begin, depth), float(grade))
        every[query[known], rank[known] - 1] = value[known]
        ranks = np.tile(np.arange(1, depth + 1), end - begin)
        yield Ranking(
            GradedLists(end - begin, judgments.query[listed] - begin, judgments.grade[listed]),
            retrieved=np.full(end - begin, depth),
            answered=np.ones(end - begin, np.bool_),
            query=np.repeat(np.arange(end - begin), depth),
            rank=ranks,
            listed=np.full(ranks.size, -1),
            grade=every.ravel(),
            score=np.zeros(ranks.size),
            tie_first=ranks,
            tie_size=np.ones_like(ranks),
        )
