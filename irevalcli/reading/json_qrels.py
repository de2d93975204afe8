"""Qrels as one JSON object: ``{qid: {docid: grade}}``, as pytrec_eval, ranx and BEIR write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.headers import QRELS_ROLES
from irevalcli.reading.json_objects import Document, is_one_object, queries
from irevalcli.reading.json_runs import Batch
from irevalcli.reading.qrels_rows import QrelsRows
from irevalcli.reading.rules import QRELS_GRADE
from irevalcli.reading.without_lines import QrelsWithoutLines

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head


def _read(content: bytes, path: str) -> tuple[QrelsRows, list[Finding]]:
    text = content.decode("utf-8", "surrogateescape")
    batch = Batch.of(list(queries(Document(text, path, QRELS_GRADE, infinite=False))))
    rows = QrelsRows(
        np.frombuffer(batch.held, np.uint8),
        batch.qids,
        batch.docids,
        batch.numbers,
        groups=None,
        subgroups=None,
        lines=None,
        line_count=0,
        dropped=batch.dropped,
    )
    return rows, batch.faults


def told(head: Head) -> QrelsWithoutLines:
    """The format of the file that has this head."""
    return QrelsWithoutLines("json", head.name, _read)


def recognised(head: Head) -> QrelsWithoutLines | None:
    """The same if the file seems to be one object."""
    return told(head) if is_one_object(head, QRELS_ROLES) else None
