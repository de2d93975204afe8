"""The documents that several runs rank for the same queries, each known by one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.lookup import salted
from irevalcli.index.top_documents import packed
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD, equal_tokens, hash_tokens, token_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.index.ranked_lists import RankedLists
    from irevalcli.reading.arrays import Bytes, Floats, Positions

BATCH_DOCUMENTS = 1 << 18
"""Documents of all runs that are looked at together, unless a single query has more."""


class Listed(NamedTuple):
    """What one run ranks, in order of query, then rank.

    Attributes:
        query: per document, which query of the batch.
        rank: from 1.
        score: as the run has it.
        candidate: which candidate it is.
    """

    query: Positions
    rank: Positions
    score: Floats
    candidate: Positions

    def between(self, begin: int, end: int) -> Listed:
        """A stretch of these documents."""
        here = slice(begin, end)
        return Listed(self.query[here], self.rank[here], self.score[here], self.candidate[here])


class Candidates(NamedTuple):
    """The distinct documents of a batch of queries, those of one query together.

    Attributes:
        num_queries: of the batch.
        query: per candidate, which query of the batch, ascending.
        data: buffer that holds the docids.
        docids: per candidate.
        lists: what each run ranks.
    """

    num_queries: int
    query: Positions
    data: Bytes
    docids: Fields
    lists: tuple[Listed, ...]

    @property
    def size(self) -> int:
        """Number of candidates."""
        return self.query.size

    def matrix(self, values: Sequence[Floats], absent: float = np.nan) -> Floats:
        """A number for each run (row) and candidate (column), from one for each document that the run ranks."""
        table = np.full((len(self.lists), self.size), absent)
        for row, listed, numbers in zip(table, self.lists, values, strict=True):
            row[listed.candidate] = numbers
        return table


class Runs:
    """Several runs side by side.

    Attributes:
        lists: each run's.
        qids: the queries of all, in byte order.
    """

    def __init__(self, lists: Sequence[RankedLists]) -> None:
        self.lists = tuple(lists)
        self.qids = sorted(set().union(*(run.qids for run in lists)))
        self._local = [_places(self.qids, run.qids) for run in lists]

    def sizes(self) -> Positions:
        """Per query, the documents of all runs together."""
        total = np.zeros(len(self.qids), np.int64)
        for run, local in zip(self.lists, self._local, strict=True):
            found = np.flatnonzero(local >= 0)
            total[found] += run.size[local[found]]
        return total

    def batches(self, queries: Positions) -> Iterator[Positions]:
        """The queries, ascending, some at a time."""
        last = np.cumsum(self.sizes()[queries])
        first = 0
        while first < queries.size:
            before = int(last[first - 1]) if first else 0
            end = max(int(np.searchsorted(last, before + BATCH_DOCUMENTS, "right")), first + 1)
            yield queries[first:end]
            first = end

    def candidates(self, queries: Positions) -> Candidates:
        """The documents that the runs have for these queries."""
        parts, places = [], []
        for run, local in zip(self.lists, self._local, strict=True):
            documents, which = run.of_queries(local[queries])
            parts.append((*packed(run.data, run.docids(documents)), which))
            sizes = np.bincount(which, minlength=queries.size)
            rank = np.arange(which.size) - np.repeat(np.cumsum(sizes) - sizes, sizes) + 1
            places.append((rank, run.scores[documents]))
        slack = np.zeros(PAD, np.uint8)
        data = np.concatenate([slack, *(docids for docids, _, _ in parts), slack])
        end = np.cumsum(np.concatenate([lengths for _, lengths, _ in parts])) + PAD
        start = np.concatenate(([PAD], end[:-1]))[: end.size]
        query = np.concatenate([which for _, _, which in parts])
        number, head = _distinct(data, Fields(start, end), query)
        bounds = np.cumsum([0, *(which.size for _, _, which in parts)])
        lists = tuple(
            Listed(which, rank, score, number[begin:stop])
            for (_, _, which), (rank, score), begin, stop in zip(parts, places, bounds[:-1], bounds[1:], strict=True)
        )
        return Candidates(queries.size, query[head], data, Fields(start[head], end[head]), lists)


def _places(every: list[bytes], some: list[bytes]) -> Positions:
    """Per qid of the first list, its place in the second, or -1."""
    place = {qid: index for index, qid in enumerate(some)}
    return np.fromiter((place.get(qid, -1) for qid in every), np.int64, len(every))


def _distinct(data: Bytes, docids: Fields, query: Positions) -> tuple[Positions, Positions]:
    """Per row its number among the distinct (query, docid), which ascend by query; and a row for each of these."""
    hashes = salted(hash_tokens(data, docids.start, docids.end), query)
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    new = np.ones(order.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    row = np.empty(order.size, np.int64)
    row[order] = order[np.flatnonzero(new)][np.cumsum(new) - 1]
    same = query == query[row]
    same &= equal_tokens(data, docids.start, docids.end, data, docids.start[row], docids.end[row])
    if not same.all():
        # Two documents share a hash.
        known: dict[tuple[int, bytes], int] = {}
        keys = zip(query.tolist(), token_list(data, docids.start, docids.end), strict=True)
        row = np.array([known.setdefault(key, place) for place, key in enumerate(keys)], np.int64)
    # The row that stands for a document is its first one, so that numbers do not depend on hashes.
    first = np.flatnonzero(row == np.arange(row.size))
    first = first[np.argsort(query[first], kind="stable")]
    number = np.empty(row.size, np.int64)
    number[first] = np.arange(first.size)
    return number[row], first
