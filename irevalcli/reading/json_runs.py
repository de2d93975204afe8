"""Runs as one JSON object: ``{qid: {docid: score}}``, as pytrec_eval, ranx and BEIR write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.headers import RUN_ROLES
from irevalcli.reading.json_objects import Document, encoded, is_one_object, queries
from irevalcli.reading.rules import RUN_SCORE
from irevalcli.reading.run_rows import RunRows
from irevalcli.reading.tokens import Fields
from irevalcli.reading.without_lines import ReadRun, RunWithoutLines
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Floats
    from irevalcli.reading.heads import Head
    from irevalcli.reading.json_objects import Query
    from irevalcli.reading.opening import Source

BATCH_ROWS = 1 << 16
"""Rows of a piece, unless a single query has more."""


class Batch(NamedTuple):
    """Some queries in one buffer.

    Attributes:
        held: the docids, then the qids, with slack on either side.
        qids, docids: per row.
        numbers: per row.
        faults: what was wrong with entries, which are left out.
        dropped: how many were left out.
    """

    held: bytearray
    qids: Fields
    docids: Fields
    numbers: Floats
    faults: list[Finding]
    dropped: int

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
        return cls(
            bytearray(PAD) + docids + qids + bytearray(PAD),
            Fields(np.repeat(qid_start, sizes), np.repeat(qid_end, sizes)),
            Fields(end - lengths, end),
            np.concatenate([np.empty(0), *(query.numbers for query in found)]),
            [fault for query in found for fault in query.faults],
            sum(query.dropped for query in found),
        )


def _parts(source: Source) -> Iterator[ReadRun]:
    """The rows of a run; the text of the whole file is held, not what it says."""
    raw = source.read_all()
    document = Document(raw.decode("utf-8", "surrogateescape"), source.name, RUN_SCORE, infinite=True)
    del raw
    waiting: list[Query] = []
    rows = 0
    for query in queries(document):
        waiting.append(query)
        rows += len(query.docids)
        if rows >= BATCH_ROWS:
            yield _part(waiting)
            waiting, rows = [], 0
    if waiting:
        yield _part(waiting)


def _part(found: list[Query]) -> ReadRun:
    batch = Batch.of(found)
    rows = RunRows(
        np.frombuffer(batch.held, np.uint8),
        batch.qids,
        batch.docids,
        batch.numbers,
        ranks=None,
        tags=None,
        lines=None,
        line_count=0,
        dropped=batch.dropped,
    )
    return ReadRun(batch.held, rows, batch.faults)


JSON = RunWithoutLines("json", _parts)


def recognised(head: Head) -> RunWithoutLines | None:
    """The format of a file that seems to be one object."""
    return JSON if is_one_object(head, RUN_ROLES) else None
