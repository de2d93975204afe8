"""Agreement of a ranking with the groups of a query, document pair by document pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from irevalcli.index.preference_counts import GroupCounts
    from irevalcli.reading.arrays import Bools, Floats, Positions

    Counts = NDArray[np.int32]

CELLS = 100_000
"""Document pairs that are looked at at a time."""


class PairAgreement(NamedTuple):
    """Per query: unordered pairs of documents about which some group states a preference, and how they are ranked.

    The score of a pair is the share of its preferences that want the document with the smaller number first.

    Attributes:
        retrieved: number of pairs of retrieved documents.
        implied: number of pairs of which one document was retrieved.
        unretrieved: number of pairs of which none was.
        score_retrieved: sum of the scores of the first kind, by first document, then second.
        score: the same, with the scores of the second kind added after it in the same order.
    """

    retrieved: Positions
    implied: Positions
    unretrieved: Positions
    score_retrieved: Floats
    score: Floats


class Opinions(NamedTuple):
    """What the groups of some queries state.

    Attributes:
        query, group, document, level: per judgment in groups with one sub-group: query, place of the group among those
            of the query, number of the document, level. In order of query.
        stated_query, above, below: per preference of all other groups: query, numbers of the preferred and of the other
            document. In order of query.
    """

    query: Positions
    group: Positions
    document: Positions
    level: Floats
    stated_query: Positions
    above: Positions
    below: Positions

    def of(self, queries: Positions, num_queries: int) -> Opinions:
        """The part that belongs to some queries, these numbered as they stand in `queries`."""
        slot = np.full(num_queries, -1)
        slot[queries] = np.arange(queries.size)
        mine, stated = slot[self.query], slot[self.stated_query]
        row, edge = np.flatnonzero(mine >= 0), np.flatnonzero(stated >= 0)
        return Opinions(
            mine[row], self.group[row], self.document[row], self.level[row],
            stated[edge], self.above[edge], self.below[edge],
        )  # fmt: skip


def undisputed(counts: GroupCounts, query: Positions, num_queries: int) -> PairAgreement:
    """The agreement for queries with a single group that states every preference once: every score is 0 or 1."""

    def summed(values: Positions) -> Positions:
        return np.bincount(query, weights=values, minlength=num_queries).astype(np.int64)

    return PairAgreement(
        summed(counts.possible_retrieved),
        summed(counts.possible_implied),
        summed(counts.possible_unretrieved),
        summed(counts.fulfilled_retrieved).astype(np.float64),
        summed(counts.fulfilled).astype(np.float64),
    )


def disputed(queries: Positions, repeated: Bools, num_groups: Positions) -> Bools:
    """Per query, whether `undisputed` does not hold for it.

    Args:
        queries: per judgment row, its query.
        repeated: per judgment row, whether it judges the document of the row before it for the same group.
        num_groups: per query.
    """
    twice: Bools = (num_groups > 1) | (np.bincount(queries[repeated], minlength=num_groups.size) > 0)
    return twice


def settle(
    agreement: PairAgreement, chosen: Positions, opinions: Opinions, documents: Positions, retrieved: Positions
) -> None:
    """Put the numbers of some queries, pair by pair, into their places.

    Args:
        agreement: what to change.
        chosen: the queries.
        opinions: of all queries.
        documents: per query, the number of judged documents.
        retrieved: per query, how many of them were retrieved.
    """
    num_queries = documents.size
    opinions = opinions.of(chosen, num_queries)
    by_size = np.argsort(documents[chosen], kind="stable")
    begin = 0
    while begin < by_size.size:
        width = int(documents[chosen[by_size[begin]]])
        alike = int(np.searchsorted(documents[chosen[by_size]], width + width // 4, "right"))
        batch = by_size[begin : min(begin + max(CELLS // width**2, 1), alike)]
        queries = chosen[batch]
        table = _Batch(opinions.of(batch, chosen.size), documents[queries], retrieved[queries])
        first = int(table.retrieved.min())
        most = int(table.retrieved.max())
        nothing = np.zeros(batch.size)
        pairs, score = table.area("retrieved", range(most), range(most), nothing)
        agreement.retrieved[queries], agreement.score_retrieved[queries] = pairs, score
        pairs, score = table.area("implied", range(most), range(first, table.width), score)
        agreement.implied[queries], agreement.score[queries] = pairs, score
        pairs, _ = table.area("unretrieved", range(first, table.width), range(first, table.width), nothing)
        agreement.unretrieved[queries] = pairs
        begin += batch.size


class _Batch:
    """Queries with about as many documents each, side by side."""

    def __init__(self, opinions: Opinions, documents: Positions, retrieved: Positions) -> None:
        self.opinions = opinions
        self.retrieved = retrieved
        self.width = int(documents.max())
        shape = (int(opinions.group.max(initial=-1)) + 1, documents.size, self.width)
        place = np.ravel_multi_index((opinions.group, opinions.query, opinions.document), shape)
        # NaN for a document that the group does not judge: it is neither above nor below.
        self.level = np.full(shape, np.nan)
        self.level.flat[place] = opinions.level
        times = np.bincount(place, minlength=self.level.size).reshape(shape)
        self.times = times if times.max(initial=0) > 1 else None

    def area(
        self, kind: Literal["retrieved", "implied", "unretrieved"], firsts: range, seconds: range, score: Floats
    ) -> tuple[Positions, Floats]:
        """Per query: how many pairs of a kind some group has an opinion on; `score` with theirs added one by one."""
        num_queries = self.retrieved.size
        pairs = np.zeros(num_queries, np.int64)
        end = self.retrieved[:, np.newaxis, np.newaxis]
        height = max(CELLS // max(num_queries * len(seconds), 1), 1)
        for begin in range(firsts.start, firsts.stop, height):
            rows = np.arange(begin, min(begin + height, firsts.stop))[:, np.newaxis]
            columns = np.arange(max(seconds.start, begin + 1), seconds.stop)
            if not columns.size:
                break
            wanted, unwanted = self._weights(rows, columns)
            counted = ((wanted > 0) | (unwanted > 0)) & (rows < columns)
            if kind == "retrieved":
                counted &= columns < end
            elif kind == "implied":
                counted &= (rows < end) & (columns >= end)
            else:
                counted &= rows >= end
            pairs += np.count_nonzero(counted, axis=(1, 2))
            cell = np.flatnonzero(counted & (wanted > 0))
            agreed, contrary = wanted.ravel()[cell], unwanted.ravel()[cell]
            query = np.append(np.arange(num_queries), cell // (rows.size * columns.size))
            score = _sums(query, np.append(score, agreed / (agreed + contrary)), num_queries)
        return pairs, score

    def _weights(self, rows: Positions, columns: Positions) -> tuple[Counts, Counts]:
        """Per query, row and column: how many groups want the row's document first, and how many the column's."""
        wanted = np.zeros((self.retrieved.size, rows.size, columns.size), np.int32)
        unwanted = np.zeros_like(wanted)
        for group, level in enumerate(self.level):
            first, second = level[:, rows], level[:, np.newaxis, columns]
            if self.times is None:
                wanted += first > second
                unwanted += first < second
            else:
                times = self.times[group]
                both = times[:, rows] * times[:, np.newaxis, columns]
                wanted += both * (first > second)
                unwanted += both * (first < second)
        query, above, below = self.opinions.stated_query, self.opinions.above, self.opinions.below
        _add(wanted, query, above - rows[0, 0], below - columns[0])
        _add(unwanted, query, below - rows[0, 0], above - columns[0])
        return wanted, unwanted


def _sums(query: Positions, terms: Floats, num_queries: int) -> Floats:
    added: Any = np.bincount(query, terms, num_queries)
    total: Floats = added
    return total


def _add(cells: Counts, query: Positions, row: Positions, column: Positions) -> None:
    inside = (row >= 0) & (row < cells.shape[1]) & (column >= 0) & (column < cells.shape[2])
    np.add.at(cells, (query[inside], row[inside], column[inside]), 1)
