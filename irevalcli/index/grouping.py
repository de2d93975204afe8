"""A ranking by judgment group (or sub-topic): every group of a query is taken for a query of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.judgments import GradedLists, Judgments
from irevalcli.index.ranking import Ranking

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Floats, Positions


class Grouped:
    """A ranking seen as one pseudo-query for each (query, group), in order of query, then group in byte order.

    Attributes:
        ranking: the pseudo-queries' ranking. Its `listed` are judgment rows; it ranks and counts the same retrieved
            documents for every group of a query, and knows no judgments but the group's own.
        query: per pseudo-query, the index of its real query. int64[pseudo-queries]
        num_queries: number of real queries.
    """

    def __init__(self, ranking: Ranking, query: Positions, num_queries: int) -> None:
        self.ranking = ranking
        self.query = query
        self.num_queries = num_queries

    def mean(self, values: Floats) -> Floats:
        """Per real query, the mean over all its groups of one value per pseudo-query, added in order of group."""
        total = np.bincount(self.query, weights=values, minlength=self.num_queries)
        mean: Floats = total / np.bincount(self.query, minlength=self.num_queries)
        return mean

    def judged_only(self) -> Grouped:
        """The same without, in each group, the documents that this group does not judge."""
        return Grouped(self.ranking.judged_only(), self.query, self.num_queries)

    def every_rank(self, absent: float) -> Grouped:
        """The same with every retrieved document as a hit of every group; see `Ranking.every_rank`."""
        return Grouped(self.ranking.every_rank(absent), self.query, self.num_queries)


def judgments_of(ranking: Ranking) -> Judgments:
    """The judgments of a ranking, with their rows.

    Raises:
        TypeError: the ranking is that of pseudo-queries, which has none.
    """
    if not isinstance(ranking.judgments, Judgments):
        raise TypeError("a ranking by group has no groups of its own")
    return ranking.judgments


def stretches(query: Positions, group: Positions) -> Bools:
    """Per row, whether a new (query, group) begins there. Rows stand in order of query, then group."""
    new = np.ones(query.size, np.bool_)
    new[1:] = (query[1:] != query[:-1]) | (group[1:] != group[:-1])
    return new


def group_ranking(ranking: Ranking) -> Grouped:
    """The ranking by group.

    Raises:
        TypeError: the ranking is one by group itself.
    """
    judgments = judgments_of(ranking)
    row_query = judgments.query[judgments.row_listed]
    new = stretches(row_query, judgments.row_group)
    pseudo = np.cumsum(new) - 1
    query = row_query[new]
    hit_of = np.full(judgments.num_listed, -1)
    known = np.flatnonzero(ranking.listed >= 0)
    hit_of[ranking.listed[known]] = known
    hit = hit_of[judgments.row_listed]
    row = np.flatnonzero(hit >= 0)
    row = row[np.lexsort((ranking.rank[hit[row]], pseudo[row]))]
    hit = hit[row]
    grouped = Ranking(
        GradedLists(query.size, pseudo, judgments.row_grade),
        retrieved=ranking.retrieved[query],
        answered=ranking.answered[query],
        query=pseudo[row],
        rank=ranking.rank[hit],
        listed=row,
        grade=judgments.row_grade[row],
        score=ranking.score[hit],
        tie_first=ranking.tie_first[hit],
        tie_size=ranking.tie_size[hit],
    )
    return Grouped(grouped, query, ranking.num_queries)
