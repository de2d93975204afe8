"""Qrels as one JSON object: ``{qid: {docid: grade}}``, as pytrec_eval, ranx and BEIR write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.headers import QRELS_ROLES
from irevalcli.reading.json_objects import Document, is_one_object, queries
from irevalcli.reading.json_runs import Batch
from irevalcli.reading.qrels_rows import QrelsRows
from irevalcli.reading.rules import QRELS_GRADE
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head
    from irevalcli.reading.json_objects import Query
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import Strictness


class JsonQrels(NamedTuple):
    """The format. The attributes are those of `QrelsFormat`, and the path of the file, for messages."""

    path: str
    name: str = "json"
    note: str = ""
    grouped: bool = False
    subgrouped: bool = False
    real_grades: bool = True

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        found = _queries(piece, self.path)
        batch = Batch.of(found)
        dropped = sum(query.dropped for query in found)
        stopped = bool(dropped) and not strictness.skip
        return QrelsRows(
            np.frombuffer(batch.held, np.uint8),
            batch.qids,
            batch.docids,
            batch.numbers,
            None,
            None,
            None,
            line_count=0,
            malformed=batch.numbers.size if stopped else None,
            dropped=0 if stopped else dropped,
        )

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`; all of them."""
        del of_each
        return [fault for query in _queries(piece, path) for fault in query.faults]


def _queries(piece: Piece, name: str) -> list[Query]:
    text = piece.data[PAD : piece.stop].tobytes().decode("utf-8", "surrogateescape")
    return list(queries(Document(text, name, QRELS_GRADE, infinite=False)))


def told(head: Head) -> JsonQrels:
    """The format of the file that has this head."""
    return JsonQrels(head.name)


def json_object(head: Head) -> JsonQrels | None:
    """The same if the file seems to be one object."""
    return told(head) if is_one_object(head, QRELS_ROLES) else None
