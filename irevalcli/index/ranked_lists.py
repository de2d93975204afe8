"""A run without judgments: the ranked documents of all its queries, whether anyone judged them or not.

Costs the bytes of the docids and about 16 bytes a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.duplicates import without_duplicates
from irevalcli.index.score_shape import ScoreShape, shape_of
from irevalcli.index.stream import read_parts, report_of
from irevalcli.index.top_documents import packed, top_order
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD, token_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.index.duplicates import Duplicate
    from irevalcli.index.scan import Columns, RunRules
    from irevalcli.index.stream import RunReport
    from irevalcli.reading.arrays import Bytes, Floats, Positions, Words
    from irevalcli.reading.opening import Source

WHOLE = int(np.iinfo(np.int64).max)
"""A depth that no ranking reaches."""


class QidCensus:
    """Gives every qid an index when it is first seen. Any thread may ask.

    Attributes:
        qids: by index.
    """

    def __init__(self) -> None:
        from threading import Lock  # noqa: PLC0415  (start-up: other runs are joined with judgments)

        self._index: dict[bytes, int] = {}
        self._lock = Lock()

    @property
    def query_lookup(self) -> QidCensus:
        """Itself."""
        return self

    @property
    def qids(self) -> list[bytes]:
        """The qids by their index."""
        return list(self._index)

    def find(self, data: Bytes, tokens: Fields, group: Positions, hashes: Words) -> tuple[Positions, Positions]:
        """All rows, and the index of each one's qid."""
        del group, hashes
        known = self._index
        with self._lock:
            index = [known.setdefault(qid, len(known)) for qid in token_list(data, tokens.start, tokens.end)]
        return np.arange(len(index)), np.array(index, np.int64)


class _ListBlock(NamedTuple):
    """The ranked documents of some queries.

    Attributes:
        query: per query, its index in the census.
        size: per query, how many documents were kept.
        docids: the docids one after the other, in order of query, then rank.
        lengths: per document, how long its docid is.
        scores: per document.
        tied_rows: rows that share their score with the row ranked above.
        duplicates: documents that occur twice in a query.
        dropped: rows left out because their document was listed before.
        shape: how scores go down the file.
    """

    query: Positions
    size: Positions
    docids: Bytes
    lengths: Positions
    scores: Floats
    tied_rows: int
    duplicates: list[Duplicate]
    dropped: int
    shape: ScoreShape


class RankedLists(NamedTuple):
    """The ranked documents of a run's queries. Those of one query stand together, in rank order.

    Attributes:
        qids: the queries in byte order; a query's index is its place here.
        first: per query, its first document.
        size: per query, its number of documents.
        data: buffer that holds the docids.
        bounds: where docid i begins, and (i + 1) ends.
        scores: per document.
    """

    qids: list[bytes]
    first: Positions
    size: Positions
    data: Bytes
    bounds: Positions
    scores: Floats

    @classmethod
    def of(cls, qids: Sequence[bytes], blocks: Sequence[_ListBlock]) -> RankedLists:
        """The lists of all queries; the blocks have different ones, by their index in `qids`."""
        none = np.empty(0, np.int64)
        slack = np.zeros(PAD, np.uint8)
        data = np.concatenate([slack, *(block.docids for block in blocks), slack])
        bounds = np.concatenate([[PAD], *(block.lengths for block in blocks)])
        np.cumsum(bounds, out=bounds)
        sizes = np.concatenate([none, *(block.size for block in blocks)])
        place = np.empty(len(qids), np.int64)
        place[np.concatenate([none, *(block.query for block in blocks)])] = np.arange(len(qids))
        order = place[np.array(sorted(range(len(qids)), key=qids.__getitem__), np.int64)]
        scores = np.concatenate([np.empty(0), *(block.scores for block in blocks)])
        return cls(sorted(qids), (np.cumsum(sizes) - sizes)[order], sizes[order], data, bounds, scores)

    def docids(self, documents: Positions) -> Fields:
        """Where the docids of some documents stand in the buffer."""
        return Fields(self.bounds[documents], self.bounds[documents + 1])

    def of_queries(self, queries: Positions) -> tuple[Positions, Positions]:
        """The documents of some queries, in order of these, then rank; and which of `queries` each belongs to.

        A negative query has none.
        """
        sizes = np.where(queries >= 0, self.size[queries], 0) if self.size.size else np.zeros_like(queries)
        which = np.repeat(np.arange(queries.size), sizes)
        before = np.cumsum(sizes) - sizes
        return np.arange(which.size) + (self.first[queries] - before)[which] if which.size else which, which


def read_lists(source: Source, rules: RunRules, depth: int = WHOLE) -> tuple[RankedLists, RunReport, list[bytes]]:
    """The first `depth` documents of every query, what was noticed on the way, and the qids that its duplicates count.

    Args:
        source: the run; read twice if its queries are scattered.
        rules: how to read and to put in order.
        depth: how many documents of a query are kept.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    census = QidCensus()
    parts = read_parts(source, census, rules, _arranging(rules, depth))
    report = report_of(parts, source)
    qids = census.qids
    usable = (rules.skip or not report.faults) and not report.duplicates
    return RankedLists.of(qids if usable else [], parts.blocks if usable else []), report, qids


def _arranging(rules: RunRules, depth: int) -> Callable[[Columns], _ListBlock]:
    """What turns rows, in which those of a query stand together, into ranked documents."""

    def arrange(columns: Columns) -> _ListBlock:
        columns, _, duplicates, dropped = without_duplicates(columns, rules)
        data, docids, query = columns.data, columns.docids, columns.query
        rows = columns.rows(rules.ties)
        top = top_order(rows, query, depth, rules.ties)
        held, lengths = packed(data, docids.at(top.row))
        size = np.minimum(rows.ends - rows.starts, depth)
        return _ListBlock(
            query,
            size,
            held,
            lengths,
            columns.scores[top.row],
            top.tied_rows,
            duplicates,
            dropped,
            shape_of(columns),
        )

    return arrange
