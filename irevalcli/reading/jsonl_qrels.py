"""Qrels as JSONL: an object for each judged document, or for each query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading.blank_qrels import GRADED
from irevalcli.reading.headers import QRELS_ROLES, qrels_columns, qrels_note, qrels_shape
from irevalcli.reading.jsonl_heads import JsonLinesKind, names_of
from irevalcli.reading.jsonl_lines import json_rows
from irevalcli.reading.jsonl_values import Keys
from irevalcli.reading.rules import QRELS_FIELDS, QRELS_GRADE

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsRows, QrelsShape, Strictness

LINE = '{"qid": "q01", "docid": "tyre-04", "grade": 3}'
NESTED_LINE = '{"q01": {"tyre-04": 3, "tyre-01": 1}}'


class JsonLinesQrels(NamedTuple):
    """Qrels as JSONL. The attributes are those of `JsonLinesRun` and of `QrelsFormat`."""

    names: tuple[str, ...]
    shape: QrelsShape
    nested: bool = False
    note: str = ""
    name: str = "jsonl"
    grouped: bool = False
    subgrouped: bool = False
    real_grades: bool = True

    @property
    def keys(self) -> Keys:
        """What is read of every line."""
        grade = None if self.shape.grade is None else self.names[self.shape.grade]
        return Keys(tuple(self.names[place] for place in self.shape.ids), grade, nested=self.nested)

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        return self.shape.rows(*json_rows(piece, self.keys, skip=strictness.skip))

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`."""
        from irevalcli.reading.jsonl_faults import Sentences, json_faults  # noqa: PLC0415  (start-up: faults are rare)

        ids = ("the query", "the document", "the sub-topic")[: len(self.shape.ids)]
        example = NESTED_LINE if self.nested else LINE
        sentences = Sentences(QRELS_FIELDS, QRELS_GRADE, "grade", ids, example)
        return json_faults(piece, path, self.keys, sentences, of_each)


def _keyed(line: DataLine, head: Head) -> JsonLinesQrels:
    columns = qrels_columns(line, head.name)
    names = names_of(line)
    return JsonLinesQrels(names, qrels_shape(columns, len(names)), note=qrels_note("JSONL", columns))


_PLAIN = JsonLinesQrels(("qid", "docid", "grade"), GRADED.shape)
JSONL = JsonLinesKind(QRELS_ROLES, _PLAIN._replace(nested=True), _PLAIN, _keyed)
