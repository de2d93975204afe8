"""Runs in delimited text: CSV and TSV with a header, or without one in the order of a TREC run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import Finding
from irevalcli.reading.blank_runs import MSMARCO, SCORED, are_ranks
from irevalcli.reading.delimited import Wish, delimited_rows
from irevalcli.reading.delimited_heads import CSV, TSV, head_lines, named_start, starts, unknown_width
from irevalcli.reading.delimited_lines import Layout, checked_lines
from irevalcli.reading.faults import binary_faults, collected, run_line_faults
from irevalcli.reading.headers import RUN_ROLES, run_columns, run_note, run_shape
from irevalcli.reading.pieces import pieces
from irevalcli.reading.rules import RUN_FIELDS
from irevalcli.reading.run_rows import TREC_SHAPE, RunRows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.reading.delimited import Dialect
    from irevalcli.reading.delimited_heads import Start
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head
    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunShape, Wanted


class DelimitedRun(NamedTuple):
    """A run in delimited text.

    Attributes:
        name: as ``--run-format`` has it.
        dialect: how fields are set apart.
        shape: which column holds what.
        header: the line that names the columns, or b"".
        note: as `RunFormat.note`.
        otherwise: as `RunFormat.otherwise`.
    """

    name: str
    dialect: Dialect
    shape: RunShape
    header: bytes = b""
    note: str = ""
    otherwise: RunFormat | None = None

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`."""
        separator, column = bytes([self.dialect.separator]), self.shape.qid

        def qid_of(line: bytes) -> bytes:
            fields = line.partition(b"\n")[0].split(separator, column + 1)
            return b"".join(fields[column : column + 1])

        return pieces(source, spare, qid_of)

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        shape = self.shape
        rank = shape.rank if wanted.ranks else None
        columns = [column for column in (shape.qid, shape.docid, shape.score, shape.tag, rank) if column is not None]
        wish = Wish(shape.width, tuple(columns), (shape.qid, shape.docid), self.header, wanted.skip)
        data, rows = delimited_rows(piece, self.dialect, wish)
        found = dict(zip(columns, rows.columns, strict=True))
        return RunRows(
            data,
            found[shape.qid],
            found[shape.docid],
            found[shape.score],
            None if rank is None else found[rank],
            None if shape.tag is None else found[shape.tag],
            rows.lines,
            rows.line_count,
            rows.malformed,
            smaller_first=shape.smaller_first,
            dropped=rows.dropped,
        )

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        shape = self.shape

        def faults_of(line: DataLine | Finding) -> list[Finding]:
            if isinstance(line, Finding):
                return [line]
            opens_file = piece.opens_file and not self.header
            return run_line_faults([line], path, shape, wanted._replace(of_each=None), opens_file=opens_file)

        filled = ((shape.qid, "the query"), (shape.docid, "the document"))
        layout = Layout(shape.width, shape.words, filled, self.header, RUN_FIELDS)
        lines = checked_lines(piece, path, self.dialect, layout)
        return binary_faults(piece, path) or collected(map(faults_of, lines), wanted.of_each)


def csv(head: Head) -> RunFormat:
    """The format of a run that is said to be CSV.

    Raises:
        InputProblem: its columns cannot be told.
    """
    return _told(head, "csv", CSV)


def tsv(head: Head) -> RunFormat:
    """The same for TSV."""
    return _told(head, "tsv", TSV)


def named_csv(head: Head) -> RunFormat | None:
    """The format of a run that is CSV with a header, or None.

    Raises:
        InputProblem: the header lacks a column or has one twice.
    """
    return _named(head, "csv", CSV)


def named_tsv(head: Head) -> RunFormat | None:
    """The same for TSV."""
    return _named(head, "tsv", TSV)


def _named(head: Head, name: str, dialects: Sequence[Dialect]) -> DelimitedRun | None:
    start = named_start(head, dialects, RUN_ROLES)
    return None if start is None else _by_header(start, name, head.name)


def _by_header(start: Start, name: str, path: str) -> DelimitedRun:
    columns = run_columns(start.line, path)
    shape = run_shape(columns, start.width)
    return DelimitedRun(name, start.dialect, shape, start.header, run_note(name.upper(), columns))


def _told(head: Head, name: str, dialects: Sequence[Dialect]) -> RunFormat:
    named = _named(head, name, dialects)
    if named is not None:
        return named
    found = starts(head, dialects)
    if not found:
        return DelimitedRun(name, dialects[0], TREC_SHAPE)
    if found[0].names_columns:
        return _by_header(found[0], name, head.name)
    for start in found:
        if start.width == TREC_SHAPE.width:
            return DelimitedRun(name, start.dialect, TREC_SHAPE)
        if start.width == SCORED.shape.width:
            return _three_columns(head, name, start.dialect)
    raise unknown_width(found[0], (TREC_SHAPE.words, SCORED.shape.words), head.name)


def _three_columns(head: Head, name: str, dialect: Dialect) -> DelimitedRun:
    lines = [tuple(field.text for field in line.fields) for line in head_lines(head, dialect)]
    scored = DelimitedRun(name, dialect, SCORED.shape)
    if all(len(line) == SCORED.shape.width for line in lines) and are_ranks(lines):
        return DelimitedRun(name, dialect, MSMARCO.shape, note=MSMARCO.note, otherwise=scored)
    return scored
