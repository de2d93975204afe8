"""Qrels in delimited text: CSV and TSV with a header, as BEIR has them, or without one in the order of TREC qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import Finding
from irevalcli.reading.blank_qrels import GRADED
from irevalcli.reading.delimited import Wish, delimited_rows
from irevalcli.reading.delimited_heads import CSV, TSV, named_start, starts, unknown_width
from irevalcli.reading.delimited_lines import Layout, checked_lines
from irevalcli.reading.faults import binary_faults, collected, qrels_line_faults
from irevalcli.reading.headers import QRELS_ROLES, qrels_columns, qrels_note, qrels_shape
from irevalcli.reading.qrels_rows import TREC_QRELS_SHAPE, QrelsRows
from irevalcli.reading.rules import QRELS_FIELDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.delimited import Dialect
    from irevalcli.reading.delimited_heads import Start
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsShape, Strictness


class DelimitedQrels(NamedTuple):
    """Qrels in delimited text. The attributes are those of `DelimitedRun`."""

    name: str
    dialect: Dialect
    shape: QrelsShape
    header: bytes = b""
    note: str = ""

    @property
    def grouped(self) -> bool:
        """As `QrelsFormat.grouped`."""
        return False

    @property
    def subgrouped(self) -> bool:
        """As `QrelsFormat.subgrouped`."""
        return False

    @property
    def real_grades(self) -> bool:
        """As `QrelsFormat.real_grades`."""
        return True

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        shape = self.shape
        filled = tuple(column for column in (shape.qid, shape.docid, shape.group) if column is not None)
        columns = filled if shape.grade is None else (*filled, shape.grade)
        data, rows = delimited_rows(
            piece, self.dialect, Wish(shape.width, columns, filled, self.header, strictness.skip)
        )
        found = dict(zip(columns, rows.columns, strict=True))
        return QrelsRows(
            data,
            found[shape.qid],
            found[shape.docid],
            np.ones(rows.size) if shape.grade is None else found[shape.grade],
            None if shape.group is None else found[shape.group],
            None,
            rows.lines,
            rows.line_count,
            rows.malformed,
            rows.dropped,
        )

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`."""
        shape = self.shape

        def faults_of(line: DataLine | Finding) -> list[Finding]:
            return [line] if isinstance(line, Finding) else qrels_line_faults([line], path, shape)

        filled = [(shape.qid, "the query"), (shape.docid, "the document")]
        if shape.group is not None:
            filled.append((shape.group, "the sub-topic"))
        layout = Layout(shape.width, shape.words, tuple(filled), self.header, QRELS_FIELDS)
        lines = checked_lines(piece, path, self.dialect, layout)
        return binary_faults(piece, path) or collected(map(faults_of, lines), of_each)


def csv(head: Head) -> DelimitedQrels:
    """The format of qrels that are said to be CSV.

    Raises:
        InputProblem: their columns cannot be told.
    """
    return _told(head, "csv", CSV)


def tsv(head: Head) -> DelimitedQrels:
    """The same for TSV."""
    return _told(head, "tsv", TSV)


def named_csv(head: Head) -> DelimitedQrels | None:
    """The format of qrels that are CSV with a header, or None.

    Raises:
        InputProblem: the header lacks a column or has one twice.
    """
    return _named(head, "csv", CSV)


def named_tsv(head: Head) -> DelimitedQrels | None:
    """The same for TSV."""
    return _named(head, "tsv", TSV)


def _named(head: Head, name: str, dialects: Sequence[Dialect]) -> DelimitedQrels | None:
    start = named_start(head, dialects, QRELS_ROLES)
    return None if start is None else _by_header(start, name, head.name)


def _by_header(start: Start, name: str, path: str) -> DelimitedQrels:
    columns = qrels_columns(start.line, path)
    note = qrels_note(name.upper(), columns)
    return DelimitedQrels(name, start.dialect, qrels_shape(columns, start.width), start.header, note)


def _told(head: Head, name: str, dialects: Sequence[Dialect]) -> DelimitedQrels:
    named = _named(head, name, dialects)
    if named is not None:
        return named
    found = starts(head, dialects)
    if not found:
        return DelimitedQrels(name, dialects[0], TREC_QRELS_SHAPE)
    if found[0].names_columns:
        return _by_header(found[0], name, head.name)
    for start in found:
        for shape in (TREC_QRELS_SHAPE, GRADED.shape):
            if start.width == shape.width:
                return DelimitedQrels(name, start.dialect, shape)
    raise unknown_width(found[0], (TREC_QRELS_SHAPE.words, GRADED.shape.words), head.name)
