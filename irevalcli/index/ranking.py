"""Ranking: one run joined with the judgments. This is all that a measure may see."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irevalcli.index.grouping import Grouped
    from irevalcli.index.judgments import GradedLists
    from irevalcli.index.preferences import Preferences
    from irevalcli.index.top_documents import TopDocuments
    from irevalcli.reading.arrays import Bools, Floats, Positions


class Ranking:
    """The hits of every query of the judgments, in rank order.

    A hit is a retrieved document that the qrels list for the query, whatever its grade. All arrays over hits stand in
    order of query, then rank.

    Attributes:
        judgments: the judgments that the run was joined with (of pseudo-queries: their graded lists).
        retrieved: per query, the number of ranked documents. int64[queries]
        answered: per query, whether the run has a line for it. bool[queries]
        query: per hit, the index of its query.
        rank: per hit, from 1.
        listed: per hit, the listed document it is.
        grade: per hit, float64; negative means pooled but unjudged.
        score: per hit, the run's score.
        tie_first: per hit, the rank of the first document with the same score.
        tie_size: per hit, the number of documents with the same score.
        top_documents: the documents of the first ranks, judged or not; None unless they were asked for.
        views: what measures have derived from the ranking and share, by a key of their own.
    """

    def __init__(
        self,
        judgments: GradedLists,
        *,
        retrieved: Positions,
        answered: Bools,
        query: Positions,
        rank: Positions,
        listed: Positions,
        grade: Floats,
        score: Floats,
        tie_first: Positions,
        tie_size: Positions,
        top_documents: TopDocuments | None = None,
    ) -> None:
        self.judgments = judgments
        self.retrieved = retrieved
        self.answered = answered
        self.query = query
        self.rank = rank
        self.listed = listed
        self.grade = grade
        self.score = score
        self.tie_first = tie_first
        self.tie_size = tie_size
        self.top_documents = top_documents
        self.views: dict[tuple[object, ...], Any] = {}
        self._relevant: dict[float, Relevant] = {}

    @property
    def num_queries(self) -> int:
        """Number of queries of the judgments."""
        return self.judgments.num_queries

    @cached_property
    def offsets(self) -> Positions:
        """The first hit of each query, and the number of hits; int64[queries + 1]."""
        return np.searchsorted(self.query, np.arange(self.num_queries + 1))

    def relevant(self, level: float) -> Relevant:
        """The hits with a grade of `level` or more."""
        if level not in self._relevant:
            self._relevant[level] = Relevant(self, level)
        return self._relevant[level]

    @cached_property
    def _grouped(self) -> Grouped:
        from irevalcli.index.grouping import group_ranking  # noqa: PLC0415  (it imports this module)

        return group_ranking(self)

    def by_group(self) -> Grouped:
        """The same ranking by judgment group or sub-topic."""
        return self._grouped

    def with_groups(self, grouped: Grouped) -> Ranking:
        """The same ranking with another view by group, for rules that hold within a group, such as judged-only."""
        same = self.with_retrieved(self.retrieved)
        same._grouped = grouped  # noqa: SLF001
        return same

    @cached_property
    def preferences(self) -> Preferences:
        """The preferences among listed documents that the judgments state, and which ones the ranking fulfils."""
        from irevalcli.index.preferences import Preferences  # noqa: PLC0415  (rare, and it imports this module)

        return Preferences(self)

    def _with(
        self, kept: Bools, *, retrieved: Positions, rank: Positions, ties: tuple[Positions, Positions] | None = None
    ) -> Ranking:
        tie_first, tie_size = ties or (self.tie_first, self.tie_size)
        return Ranking(
            self.judgments,
            retrieved=retrieved,
            answered=self.answered,
            query=self.query[kept],
            rank=rank[kept],
            listed=self.listed[kept],
            grade=self.grade[kept],
            score=self.score[kept],
            tie_first=tie_first[kept],
            tie_size=tie_size[kept],
        )

    def with_retrieved(self, retrieved: Positions) -> Ranking:
        """The same hits with other numbers of ranked documents, as for a query that is given a stand-in."""
        return self._with(np.ones(self.rank.size, np.bool_), retrieved=retrieved, rank=self.rank)

    def only(self, query: int) -> Ranking:
        """The same ranking of one query; of the others nothing was retrieved."""
        retrieved = np.zeros_like(self.retrieved)
        retrieved[query] = self.retrieved[query]
        return self._with(self.query == query, retrieved=retrieved, rank=self.rank)

    def truncated(self, depth: int, *, whole_ties: bool = False) -> Ranking:
        """The same ranking, cut after rank `depth`.

        Args:
            depth: the last rank.
            whole_ties: keep all hits of a tie that the cut goes through, since each of them might stand above it.
        """
        kept = (self.tie_first if whole_ties else self.rank) <= depth
        cut = self._with(kept, retrieved=np.minimum(self.retrieved, depth), rank=self.rank)
        if self.top_documents is not None:
            cut.top_documents = self.top_documents.down_to(depth)
        return cut

    def judged_only(self) -> Ranking:
        """The same ranking without unjudged documents (absent from the qrels, or of negative grade), ranked anew."""
        return self._judged_only

    @cached_property
    def _judged_only(self) -> Ranking:
        judged = self.grade >= 0
        running = np.cumsum(judged)
        before = np.append(0, running)[self.offsets[self.query]]
        rank = running - before
        condensed = self._with(
            judged,
            retrieved=np.bincount(self.query[judged], minlength=self.num_queries),
            rank=rank,
            ties=self._smaller_ties(judged, rank),
        )
        if self.top_documents is not None:
            from irevalcli.index.top_documents import top_hits  # noqa: PLC0415  (start-up: few measures ask for them)

            condensed.top_documents = top_hits(condensed, self.top_documents.depth)
        return condensed

    def _smaller_ties(self, kept: Bools, rank: Positions) -> tuple[Positions, Positions]:
        """First rank and size of the tie of each hit, if ties lose all but the hits `kept`, now at `rank`."""
        hits = np.flatnonzero(kept)
        query, first = self.query[hits], self.tie_first[hits]
        new = np.ones(hits.size, np.bool_)
        new[1:] = (query[1:] != query[:-1]) | (first[1:] != first[:-1])
        begin = np.flatnonzero(new)
        size = np.diff(np.append(begin, hits.size))
        tie_first, tie_size = self.tie_first.copy(), self.tie_size.copy()
        tie_first[hits] = np.repeat(rank[hits[begin]], size)
        tie_size[hits] = np.repeat(size, size)
        return tie_first, tie_size

    def extreme_ties(self, *, best: bool) -> Ranking:
        """The same ranking with each tie in its best order (grades descending, unlisted documents last) or its worst.

        The worst is the reverse: unlisted documents first, then grades ascending.
        """
        order = np.lexsort((-self.grade if best else self.grade, self.tie_first, self.query))
        query, first = self.query[order], self.tie_first[order]
        new = np.ones(order.size, np.bool_)
        new[1:] = (query[1:] != query[:-1]) | (first[1:] != first[:-1])
        begin = np.flatnonzero(new)
        hits = np.diff(np.append(begin, order.size))
        place = np.arange(order.size) - np.repeat(begin, hits)
        unlisted_above = 0 if best else self.tie_size[order] - np.repeat(hits, hits)
        return Ranking(
            self.judgments,
            retrieved=self.retrieved,
            answered=self.answered,
            query=query,
            rank=first + unlisted_above + place,
            listed=self.listed[order],
            grade=self.grade[order],
            score=self.score[order],
            tie_first=first,
            tie_size=self.tie_size[order],
        )

    def every_rank(self, absent: float) -> Ranking:
        """The same ranking with every retrieved document as a hit; those absent from the qrels get the grade `absent`.

        Their place in `listed` is -1. Costs memory in proportion to the run; for levels at which absent documents count
        as relevant, and for measures that look at every rank.
        """
        query = np.repeat(np.arange(self.num_queries), self.retrieved)
        start = np.cumsum(self.retrieved) - self.retrieved
        place = start[self.query] + self.rank - 1
        rank = np.arange(query.size) - start[query] + 1

        def spread(values: Floats | Positions, fill: float) -> Any:  # noqa: ANN401
            every = np.full(query.size, fill, values.dtype)
            every[place] = values
            return every

        return Ranking(
            self.judgments,
            retrieved=self.retrieved,
            answered=self.answered,
            query=query,
            rank=rank,
            listed=spread(self.listed, -1),
            grade=spread(self.grade, absent),
            score=spread(self.score, 0.0),
            tie_first=rank,
            tie_size=np.ones_like(rank),
        )


class Relevant:
    """The relevant hits of a ranking at one level, in order of query, then rank.

    Attributes:
        query: per relevant hit, the index of its query.
        rank: per relevant hit, from 1.
        count: per relevant hit, how many relevant documents stand at its rank or above.
        total: per query, how many of these hits there are.
        judged_total: per query, how many of these hits are judged (grade 0 or more); `total`, unless the level is
            negative.
        num_relevant: per query, how many relevant documents the qrels have.
    """

    def __init__(self, ranking: Ranking, level: float) -> None:
        chosen = ranking.grade >= level
        self._num_queries = ranking.num_queries
        self.query = ranking.query[chosen]
        self.rank = ranking.rank[chosen]
        self.listed = ranking.listed[chosen]
        self.total = np.bincount(self.query, minlength=self._num_queries)
        self.judged_total = (
            self.total
            if level >= 0
            else np.bincount(self.query[ranking.grade[chosen] >= 0], minlength=self._num_queries)
        )
        self.start = np.cumsum(self.total) - self.total
        self.count = np.arange(self.query.size) - self.start[self.query] + 1
        self.num_relevant = ranking.judgments.num_relevant(level)
        self._at: dict[int, Positions] = {}

    @cached_property
    def precision(self) -> Floats:
        """Per relevant hit, the precision at its rank."""
        return self.count / self.rank

    @cached_property
    def highest_precision_from(self) -> Floats:
        """Per relevant hit, the highest precision at its rank or any later rank of its query."""
        order = np.argsort(self.precision)
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        # Going up from the last hit, a query's keys lie above those of all queries after it: the maximum starts anew.
        base = self.query * order.size
        highest = np.maximum.accumulate((place - base)[::-1])[::-1] + base
        return self.precision[order[highest]]

    def total_at(self, cutoff: int) -> Positions:
        """Per query, how many relevant documents stand at `cutoff` or above."""
        if cutoff not in self._at:
            self._at[cutoff] = np.bincount(self.query[self.rank <= cutoff], minlength=self._num_queries)
        return self._at[cutoff]
