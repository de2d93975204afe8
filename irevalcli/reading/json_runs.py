"""Runs as one JSON object: ``{qid: {docid: score}}``, as pytrec_eval, ranx and BEIR write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.headers import RUN_ROLES
from irevalcli.reading.json_objects import Document, encoded, is_one_object, queries
from irevalcli.reading.pieces import Piece
from irevalcli.reading.rules import RUN_SCORE
from irevalcli.reading.run_rows import RunRows
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head
    from irevalcli.reading.json_objects import Query
    from irevalcli.reading.opening import Source
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import Wanted

BATCH_ROWS = 1 << 16
"""Rows of a piece, unless a single query has more."""


class Batch(NamedTuple):
    """Some queries in one buffer.

    Attributes:
        held: the docids, then the qids, with slack on either side.
        qids, docids: per row.
        numbers: per row.
    """

    held: bytearray
    qids: Fields
    docids: Fields
    numbers: np.ndarray[tuple[int], np.dtype[np.float64]]

    @classmethod
    def of(cls, found: Sequence[Query]) -> Batch:
        """The batch of these queries."""
        parts = [encoded(query.docids) for query in found]
        docids = b"".join(text for text, _ in parts)
        lengths = np.array([length for _, lengths in parts for length in lengths], np.int64)
        end = np.cumsum(lengths) + PAD
        qids = b"".join(query.qid for query in found)
        qid_end = np.cumsum([len(query.qid) for query in found], dtype=np.int64) + PAD + len(docids)
        qid_start = qid_end - np.array([len(query.qid) for query in found], np.int64)
        sizes = [len(query.docids) for query in found]
        held = bytearray(PAD) + docids + qids + bytearray(PAD)
        numbers = np.concatenate([np.empty(0), *(query.numbers for query in found)])
        repeated = Fields(np.repeat(qid_start, sizes), np.repeat(qid_end, sizes))
        return cls(held, repeated, Fields(end - lengths, end), numbers)


class ReadPiece(Piece):
    """A piece whose rows are known.

    Attributes:
        rows: the rows.
        faults: what was wrong with others.
    """

    __slots__ = ("faults", "rows")

    def __init__(self, batch: Batch, faults: list[Finding], dropped: int, *, opens_file: bool) -> None:
        super().__init__(batch.held, len(batch.held) - PAD, opens_file=opens_file)
        self.faults = faults
        self.rows = RunRows(
            self.data, batch.qids, batch.docids, batch.numbers, None, None, None, line_count=0, dropped=dropped
        )


class JsonRun(NamedTuple):
    """The format. The attributes are those of `RunFormat`."""

    name: str = "json"
    note: str = ""
    otherwise: RunFormat | None = None

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`; the text of the whole file is held, not what it says."""
        del spare
        raw = source.read_all()
        document = Document(raw.decode("utf-8", "surrogateescape"), source.name, RUN_SCORE, infinite=True)
        del raw
        waiting: list[Query] = []
        opens_file = True
        rows = 0
        for query in queries(document):
            waiting.append(query)
            rows += len(query.docids)
            if rows >= BATCH_ROWS:
                yield _piece(waiting, opens_file=opens_file)
                waiting, rows, opens_file = [], 0, False
        if waiting:
            yield _piece(waiting, opens_file=opens_file)

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        rows = _read(piece).rows
        if wanted.skip or not rows.dropped:
            return rows
        return rows._replace(malformed=rows.size, dropped=0)

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        del path, wanted
        return _read(piece).faults


JSON = JsonRun()


def _read(piece: Piece) -> ReadPiece:
    if not isinstance(piece, ReadPiece):
        raise TypeError(f"a piece of another format: {piece!r}")
    return piece


def _piece(found: list[Query], *, opens_file: bool) -> ReadPiece:
    faults = [fault for query in found for fault in query.faults]
    return ReadPiece(Batch.of(found), faults, sum(query.dropped for query in found), opens_file=opens_file)


def json_object(head: Head) -> JsonRun | None:
    """The format of a file that seems to be one object."""
    return JSON if is_one_object(head, RUN_ROLES) else None
