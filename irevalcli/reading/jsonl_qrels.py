"""Qrels as JSONL: an object for each judged document, or for each query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.headers import QRELS_ROLES, qrels_columns, qrels_note, qrels_shape
from irevalcli.reading.jsonl_heads import json_start
from irevalcli.reading.jsonl_lines import json_rows
from irevalcli.reading.jsonl_values import NESTED, Keys
from irevalcli.reading.qrels_rows import QrelsRows
from irevalcli.reading.rules import QRELS_FIELDS, QRELS_GRADE

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head
    from irevalcli.reading.jsonl_heads import JsonStart
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import Strictness

LINE = '{"qid": "q01", "docid": "tyre-04", "grade": 3}'
NESTED_LINE = '{"q01": {"tyre-04": 3, "tyre-01": 1}}'


class JsonLinesQrels(NamedTuple):
    """Qrels as JSONL. The attributes are those of `QrelsFormat`, and the keys of query, document and perhaps group."""

    keys: Keys
    note: str = ""
    name: str = "jsonl"
    grouped: bool = False
    subgrouped: bool = False
    real_grades: bool = True

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        keys = self.keys
        rows = json_rows(piece, keys, skip=strictness.skip)
        ids = rows.columns[: len(keys.ids)]
        return QrelsRows(
            rows.data,
            ids[0],
            ids[1],
            np.ones(ids[0].start.size) if keys.number is None else rows.columns[len(ids)],
            ids[2] if len(ids) > 2 else None,
            None,
            rows.lines,
            rows.line_count,
            rows.malformed,
            rows.dropped,
        )

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`."""
        from irevalcli.reading.jsonl_faults import Sentences, json_faults  # noqa: PLC0415  (start-up: faults are rare)

        ids = ("the query", "the document", "the sub-topic")[: len(self.keys.ids)]
        example = NESTED_LINE if self.keys.nested else LINE
        sentences = Sentences(QRELS_FIELDS, QRELS_GRADE, "grade", ids, example)
        return json_faults(piece, path, self.keys, sentences, of_each)


def jsonl(head: Head) -> JsonLinesQrels:
    """The format of qrels that are said to be JSONL.

    Raises:
        InputProblem: their first line lacks a key or has one twice.
    """
    start = json_start(head)
    if start is None or not (start.nested or start.line.fields):
        return JsonLinesQrels(Keys(("qid", "docid"), "grade"))
    return JsonLinesQrels(NESTED) if start.nested else _by_keys(start, head.name)


def known_jsonl(head: Head) -> JsonLinesQrels | None:
    """The format of qrels that are JSONL, or None; a single object that is no row is JSON of another format.

    Raises:
        InputProblem: their first line lacks a key or has one twice.
    """
    start = json_start(head)
    if start is None or (start.alone and not start.is_row(QRELS_ROLES)):
        return None
    return jsonl(head)


def _by_keys(start: JsonStart, path: str) -> JsonLinesQrels:
    columns = qrels_columns(start.line, path)
    names = [field.text.decode("utf-8", "surrogateescape") for field in start.line.fields]
    shape = qrels_shape(columns, len(names))
    ids = tuple(names[place] for place in (shape.qid, shape.docid, shape.group) if place is not None)
    number = None if shape.grade is None else names[shape.grade]
    return JsonLinesQrels(Keys(ids, number), qrels_note("JSONL", columns))
