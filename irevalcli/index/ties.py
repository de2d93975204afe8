"""The ties of a ranking: documents of equal score, seen as a group that may stand in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions


class Ties:
    """The ties that hold a hit, in order of query, then rank. A document whose score is its own is a tie of one.

    Attributes:
        num_queries: number of queries.
        query: per tie, the index of its query.
        above: per tie, the number of ranks above it.
        size: per tie, the number of documents, hits and others.
        tie: per hit of the ranking, the tie that it belongs to.
    """

    def __init__(self, ranking: Ranking) -> None:
        new = np.ones(ranking.query.size, np.bool_)
        new[1:] = (ranking.query[1:] != ranking.query[:-1]) | (ranking.tie_first[1:] != ranking.tie_first[:-1])
        self.num_queries = ranking.num_queries
        self.query = ranking.query[new]
        self.above = ranking.tie_first[new] - 1
        self.size = ranking.tie_size[new]
        self.tie = np.cumsum(new) - 1
        self._end = ranking.retrieved

    @classmethod
    def of(cls, ranking: Ranking) -> Ties:
        """The ties of the ranking, which keeps them."""
        key = ("ties",)
        if key not in ranking.views:
            ranking.views[key] = cls(ranking)
        view: Ties = ranking.views[key]
        return view

    @property
    def matter(self) -> Bools:
        """Per query, whether a hit shares its score with another document."""
        matter = np.zeros(self.num_queries, np.bool_)
        matter[self.query[self.size > 1]] = True
        return matter

    def total(self, values: Floats | Bools) -> Floats:
        """Per tie, the sum of `values`, one for each hit of the ranking."""
        return np.bincount(self.tie, values, self.size.size).astype(np.float64, copy=False)

    def seen(self, cutoff: int | Positions | None = None) -> Positions:
        """Per tie, how many of its ranks lie inside the ranking, at the cutoff (one for all, or by query) or above."""
        end = self._end if cutoff is None else np.minimum(self._end, cutoff)
        return np.clip(end[self.query] - self.above, 0, self.size)
