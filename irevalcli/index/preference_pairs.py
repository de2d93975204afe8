"""Agreement of a ranking with the groups of a query, document pair by document pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.index.preference_counts import GroupCounts
    from irevalcli.reading.arrays import Bools, Floats, Positions

CELLS = 500_000
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


class QueryPreferences(NamedTuple):
    """The preferences of one query.

    Attributes:
        num_documents: documents that are judged.
        num_retrieved: those of them that were retrieved; they have the smallest numbers.
        groups: per group with one sub-group: numbers and levels of its judgments.
        above, below: the numbers of preferred and other document, for the preferences of all other groups.
    """

    num_documents: int
    num_retrieved: int
    groups: list[tuple[Positions, Floats]]
    above: Positions
    below: Positions


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


def fill(agreement: PairAgreement, index: int, query: QueryPreferences) -> None:
    """Put the numbers of one query, pair by pair, into their place."""
    retrieved, documents = range(query.num_retrieved), range(query.num_documents)
    unretrieved = documents[query.num_retrieved :]
    agreement.retrieved[index], score = _area(query, retrieved, retrieved, 0.0)
    agreement.score_retrieved[index] = score
    agreement.implied[index], agreement.score[index] = _area(query, retrieved, unretrieved, score)
    agreement.unretrieved[index], _ = _area(query, unretrieved, unretrieved, 0.0)


def _area(query: QueryPreferences, firsts: range, seconds: range, score: float) -> tuple[int, float]:
    """How many pairs some group has an opinion on, and `score` with their scores added one after the other."""
    pairs = 0
    for first, second, wanted, stated in _weights(query, firsts, seconds):
        counted = (stated > 0) & (first < second)
        shares = wanted[counted] / stated[counted]
        pairs += shares.size
        score = float(np.add.accumulate(np.append(score, shares))[-1])
    return pairs, score


def _weights(
    query: QueryPreferences, firsts: range, seconds: range
) -> Iterator[tuple[Positions, Positions, Floats, Floats]]:
    """Blocks of pairs: row and column numbers, how many groups want the first document first, and in all."""
    height = max(CELLS // max(len(seconds), 1), 1)
    columns = np.arange(seconds.start, seconds.stop)
    spread = [_spread(query.num_documents, *group) for group in query.groups]
    for begin in range(firsts.start, firsts.stop, height):
        rows = np.arange(begin, min(begin + height, firsts.stop))[:, np.newaxis]
        wanted = np.zeros((rows.size, columns.size))
        unwanted = np.zeros_like(wanted)
        for level, times in spread:
            both = times[rows] * times[columns]
            wanted += both * (level[rows] > level[columns])
            unwanted += both * (level[rows] < level[columns])
        _add(wanted, query.above - begin, query.below - seconds.start)
        _add(unwanted, query.below - begin, query.above - seconds.start)
        yield rows, columns, wanted, wanted + unwanted


def _spread(num_documents: int, documents: Positions, levels: Floats) -> tuple[Floats, Positions]:
    """Per document of the query, its level in a group and how often the group judges it."""
    level = np.zeros(num_documents)
    level[documents] = levels
    return level, np.bincount(documents, minlength=num_documents)


def _add(cells: Floats, row: Positions, column: Positions) -> None:
    inside = (row >= 0) & (row < cells.shape[0]) & (column >= 0) & (column < cells.shape[1])
    np.add.at(cells, (row[inside], column[inside]), 1)
