"""Documents that a run lists twice for one query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.lookup import salted
from irevalcli.index.order import rank_hits
from irevalcli.index.repetitions import repetitions
from irevalcli.reading.words import hash_tokens, sort_order, token_list

if TYPE_CHECKING:
    from irevalcli.index.order import Rows, TieRule
    from irevalcli.index.repetitions import Repetitions
    from irevalcli.index.scan import Columns, RunRules
    from irevalcli.reading.arrays import Positions, Words

MOST_DUPLICATES = 10_000
"""How many duplicates of a run are collected under strict rules; after so many, it is not read to its end."""


class Duplicate(NamedTuple):
    """A document that occurs more than once in a query.

    Attributes:
        query: the judgments' index of the query.
        docid: the document.
        ranks: its ranks, ascending.
    """

    query: int
    docid: bytes
    ranks: tuple[int, ...]


class Distinct(NamedTuple):
    """Rows whose documents were looked through for duplicates.

    Attributes:
        columns: the rows, without those to be left out.
        hashes: per row, the salted hash of its query and docid.
        duplicates: documents that occur twice in a query and were not left out, by query and docid.
        dropped: rows left out because their document was listed before.
    """

    columns: Columns
    hashes: Words
    duplicates: list[Duplicate]
    dropped: int


def without_duplicates(columns: Columns, rules: RunRules) -> Distinct:
    """The rows in which every query's rows stand together, with the duplicates named; or left out, if so the rules."""
    rows = columns.rows(rules.ties)
    hashes = salted(hash_tokens(columns.data, *columns.docids), np.repeat(columns.query, rows.ends - rows.starts))
    again = repetitions(rows, hashes)
    if not again.row.size:
        return Distinct(columns, hashes, [], 0)
    if rules.skip:
        kept = np.delete(np.arange(hashes.size), again.row)
        return Distinct(columns.at(kept), hashes[kept], [], again.row.size)
    listed = _Listed.of(rows, again, columns.query, rules.ties)
    listed = listed.first(MOST_DUPLICATES) if rules.strict else listed.decisive()
    return Distinct(columns, hashes, listed.duplicates(rows), 0)


class _Listed(NamedTuple):
    """Every place of every document that a judged query lists twice, in order of query, docid, rank.

    Attributes:
        row, query, rank: per place.
        start: the first place of each document, and the number of places.
    """

    row: Positions
    query: Positions
    rank: Positions
    start: Positions

    @classmethod
    def of(cls, rows: Rows, again: Repetitions, queries: Positions, rule: TieRule) -> _Listed:
        segment = np.searchsorted(rows.starts, again.row, "right") - 1
        known = queries[segment] >= 0
        row, first = again.row[known], again.first[known]
        row = np.concatenate((np.unique(first), row))
        first = np.concatenate((np.unique(first), first))
        by_row = np.argsort(row)
        row, first = row[by_row], first[by_row]
        rank = rank_hits(rows, row, rule).rank
        query = queries[np.searchsorted(rows.starts, row, "right") - 1]
        # Rows of one document have the docid of the first of them, so sorting by it keeps them together.
        order = np.lexsort((rank, first))
        row, query, rank, first = row[order], query[order], rank[order], first[order]
        start = np.flatnonzero(np.append(True, first[1:] != first[:-1])[: first.size])
        by_docid = sort_order(rows.data, *rows.docids.at(row[start]), query[start])
        sizes = np.diff(np.append(start, row.size))[by_docid]
        bounds = np.cumsum(np.append(0, sizes))
        places = np.repeat(start[by_docid] - bounds[:-1], sizes) + np.arange(row.size)
        return cls(row[places], query[places], rank[places], bounds)

    def first(self, number: int) -> _Listed:
        """The first documents."""
        return self._replace(start=self.start[: number + 1])

    def decisive(self) -> _Listed:
        """Those documents that come twice sooner than all before them in their query.

        Wherever a ranking is cut, the first document that is then still listed twice is one of them.
        """
        begin = self.start[:-1]
        query, second = self.query[begin], self.rank[begin + 1]
        # Going down the queries, the numbers of one lie below those of all before it: the minimum starts anew.
        key = second - query * (int(second.max(initial=0)) + 1)
        lowest = np.minimum.accumulate(key)
        kept = np.append(True, key[1:] < lowest[:-1])[: begin.size]
        return self._of(np.flatnonzero(kept))

    def _of(self, documents: Positions) -> _Listed:
        sizes = np.diff(self.start)[documents]
        bounds = np.cumsum(np.append(0, sizes))
        places = np.repeat(self.start[documents] - bounds[:-1], sizes) + np.arange(int(bounds[-1]))
        return _Listed(self.row[places], self.query[places], self.rank[places], bounds)

    def duplicates(self, rows: Rows) -> list[Duplicate]:
        """One for each document."""
        bounds = self.start.tolist()
        docids = token_list(rows.data, *rows.docids.at(self.row[self.start[:-1]]))
        queries = self.query[self.start[:-1]].tolist()
        ranks = self.rank.tolist()
        return [
            Duplicate(query, docid, tuple(ranks[begin:end]))
            for query, docid, begin, end in zip(queries, docids, bounds[:-1], bounds[1:], strict=True)
        ]
