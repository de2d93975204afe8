"""Sub-topics: which retrieved documents cover which of them, how often each was covered above, and the greedy ideal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.grouping import judgments_of

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

POSITIVE = float(np.nextafter(0.0, 1.0))
"""The level at which every positive grade counts as relevant."""

# A summand that is at most this share of the first is less than half of the last bit of every sum that holds the first.
_LOST = 2.0**-54


class Covered(NamedTuple):
    """Hits × the sub-topics that they are relevant to, in order of query, rank, sub-topic.

    Attributes:
        query: per row, the index of its query.
        rank: per row, from 1.
        subtopic: per row, the index of its sub-topic among the pseudo-queries of `Ranking.by_group`.
        seen: per row, how many documents relevant to the sub-topic stand above.
    """

    query: Positions
    rank: Positions
    subtopic: Positions
    seen: Positions


class Ideal(NamedTuple):
    """The greedy ideal ranking of every query, in order of rank, then query.

    Attributes:
        query: per ranked document, the index of its query.
        rank: per ranked document, from 1.
        gain: per ranked document, its novelty gain. Those too small to change a sum over ranks are left out.
        listed: per ranked document, which listed document it is.
    """

    query: Positions
    rank: Positions
    gain: Floats
    listed: Positions


def has_subtopics(judgments: Judgments) -> bool:
    """Whether some query is judged for several groups, so that these can be its sub-topics.

    The judgments must have been read with their groups (format ``qrels_jg``): otherwise these are known only if some
    document is judged twice.
    """
    query = judgments.query[judgments.row_listed]
    return bool(((query[1:] == query[:-1]) & (judgments.row_group[1:] != judgments.row_group[:-1])).any())


def num_subtopics(ranking: Ranking, level: float) -> Positions:
    """Per query, how many of its sub-topics have a document with a grade of `level` or more."""
    grouped = ranking.by_group()
    relevant = grouped.ranking.judgments.num_relevant(level) > 0
    return np.bincount(grouped.query[relevant], minlength=grouped.num_queries)


def covered(ranking: Ranking, level: float) -> Covered:
    """The hits with a grade of `level` or more for some sub-topic. Computed once for a ranking."""
    key = ("covered", level)
    if key not in ranking.views:
        grouped = ranking.by_group()
        relevant = grouped.ranking.relevant(level)
        query = grouped.query[relevant.query]
        order = np.lexsort((relevant.query, relevant.rank, query))
        ranking.views[key] = Covered(
            query[order], relevant.rank[order], relevant.query[order], relevant.count[order] - 1
        )
    rows: Covered = ranking.views[key]
    return rows


def ideal(ranking: Ranking, level: float, alpha: float) -> Ideal:
    """The ideal rankings, whatever was retrieved. Computed once for the judgments.

    Each rank is given to the document with the highest novelty gain, of several to the one with the highest docid, as
    ndeval does it. The gain is that over the sub-topics that the document is relevant to, of (1 - alpha)^(how many
    documents above are relevant to it, too).
    """
    views = judgments_of(ranking).views
    key = ("ideal", level, alpha)
    if key not in views:
        views[key] = _Greedy(_relevant_rows(ranking, level), 1.0 - alpha).rank_all()
    ranked: Ideal = views[key]
    return ranked


class _Rows(NamedTuple):
    """Documents × the sub-topics that they are relevant to, in order of document, sub-topic."""

    listed: Positions
    subtopic: Positions
    query: Positions
    num_subtopics: int


def _relevant_rows(ranking: Ranking, level: float) -> _Rows:
    judgments = judgments_of(ranking)
    lists = ranking.by_group().ranking.judgments
    row = np.flatnonzero(lists.grade >= level)
    row = row[np.lexsort((lists.query[row], judgments.row_listed[row]))]
    listed = judgments.row_listed[row]
    return _Rows(listed, lists.query[row], judgments.query[listed], lists.num_queries)


class _Greedy:
    """Builds the ideal rankings of all queries side by side, one rank after the other.

    Documents with the same sub-topics gain the same at every rank, so that a choice is one among *kinds* of documents,
    which are few. Kinds stand in order of query; those of finished queries are dropped.
    """

    def __init__(self, rows: _Rows, factor: float) -> None:
        self._factor = factor
        # What one more document is worth to a sub-topic.
        self._worth = np.ones(rows.num_subtopics)
        first = np.flatnonzero(np.diff(rows.listed, prepend=-1))
        kind = _kinds(rows, first)
        order = np.lexsort((-rows.listed[first], kind))
        self._documents = rows.listed[first][order]
        self._next = np.searchsorted(kind[order], np.arange(kind.max(initial=-1) + 1))
        self._end = np.append(self._next, order.size)[1:]
        self._query = rows.query[first][order[self._next]]
        member = np.repeat(np.arange(first.size), np.diff(first, append=rows.listed.size))
        speaks = np.zeros(first.size, np.bool_)
        speaks[order[self._next]] = True
        row = np.flatnonzero(speaks[member])
        self._row_kind, self._row_subtopic = kind[member[row]], rows.subtopic[row]

    def rank_all(self) -> Ideal:
        """The ideal ranking of every query that has a relevant document."""
        nobody = np.empty(0, np.int64)
        ranks = [Ideal(nobody, nobody, np.empty(0), nobody)]
        lost = np.zeros(0)
        while self._query.size:
            start = np.flatnonzero(np.diff(self._query, prepend=-1))
            place = np.repeat(np.arange(start.size), np.diff(start, append=self._query.size))
            gain = np.bincount(self._row_kind, self._worth[self._row_subtopic], self._query.size)
            gain[self._next == self._end] = 0
            best = np.maximum.reduceat(gain, start)
            lost = lost if lost.size else best * _LOST
            going = best > lost
            if not going.all():
                self._keep(going[place])
                lost = lost[going]
                continue
            document = np.where(gain == best[place], self._documents[np.minimum(self._next, self._end - 1)], -1)
            chosen = np.flatnonzero(document == np.maximum.reduceat(document, start)[place])
            query, rank = self._query[chosen], np.full(chosen.size, len(ranks))
            ranks.append(Ideal(query, rank, best, document[chosen]))
            self._take(chosen)
        return Ideal(*map(np.concatenate, zip(*ranks, strict=True)))

    def _take(self, chosen: Positions) -> None:
        """Rank the next document of these kinds, one kind for each query."""
        self._next[chosen] += 1
        taken = np.zeros(self._query.size, np.bool_)
        taken[chosen] = True
        self._worth[self._row_subtopic[taken[self._row_kind]]] *= self._factor

    def _keep(self, kept: Bools) -> None:
        """Drop all other kinds."""
        index = np.cumsum(kept) - 1
        row = kept[self._row_kind]
        self._row_kind, self._row_subtopic = index[self._row_kind[row]], self._row_subtopic[row]
        self._next, self._end, self._query = self._next[kept], self._end[kept], self._query[kept]


def _kinds(rows: _Rows, first: Positions) -> Positions:
    """Per document, a number that those with the same sub-topics share: 0, 1, … in order of the first sub-topic.

    Args:
        rows: the documents' sub-topics.
        first: first row of each document.
    """
    count = np.diff(first, append=rows.listed.size)
    kind = np.zeros(first.size, np.int64)
    for place in range(int(count.max(initial=0))):
        subtopic = np.where(count > place, rows.subtopic[first + np.minimum(place, count - 1)] + 1, 0)
        kind = np.unique(kind * (rows.num_subtopics + 1) + subtopic, return_inverse=True)[1]
    return kind
