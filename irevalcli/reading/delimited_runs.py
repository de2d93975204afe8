"""Runs in delimited text: CSV and TSV with a header, or without one in the order of a TREC run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading import delimited_heads
from irevalcli.reading.blank_runs import MSMARCO, SCORED, are_ranks
from irevalcli.reading.delimited import Wish, delimited_rows
from irevalcli.reading.delimited_heads import DelimitedKind, head_lines
from irevalcli.reading.delimited_lines import Layout, located
from irevalcli.reading.faults import run_line_faults
from irevalcli.reading.headers import RUN_ROLES, run_columns, run_note, run_shape
from irevalcli.reading.pieces import pieces
from irevalcli.reading.rules import RUN_FIELDS
from irevalcli.reading.run_rows import TREC_SHAPE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.delimited import Dialect
    from irevalcli.reading.delimited_heads import Start
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head
    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows, RunShape, Wanted


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
        wish = Wish(shape.width, shape.columns(wanted), (shape.qid, shape.docid), self.header, wanted.skip)
        return shape.rows(*delimited_rows(piece, self.dialect, wish), wanted)

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        shape = self.shape
        opens_file = piece.opens_file and not self.header
        # Faults are counted for all lines together, not for each.
        every = wanted._replace(of_each=None)

        def of_fields(line: DataLine) -> list[Finding]:
            return run_line_faults([line], path, shape, every, opens_file=opens_file)

        filled = ((shape.qid, "the query"), (shape.docid, "the document"))
        layout = Layout(self.dialect, shape.width, shape.words, filled, self.header, RUN_FIELDS)
        return located(piece, path, layout, of_fields, wanted.of_each)


def _headed(name: str, start: Start, head: Head) -> RunFormat:
    columns = run_columns(start.line, head.name)
    shape = run_shape(columns, start.width)
    return DelimitedRun(name, start.dialect, shape, start.header, run_note(name.upper(), columns))


def _headless(name: str, dialect: Dialect, shape: RunShape, head: Head) -> RunFormat:
    found = DelimitedRun(name, dialect, shape)
    if shape is not SCORED.shape:
        return found
    lines = [tuple(field.text for field in line.fields) for line in head_lines(head, dialect)]
    if all(len(line) == shape.width for line in lines) and are_ranks(lines):
        return DelimitedRun(name, dialect, MSMARCO.shape, note=MSMARCO.note, otherwise=found)
    return found


CSV = DelimitedKind("csv", delimited_heads.CSV, RUN_ROLES, _headed, (TREC_SHAPE, SCORED.shape), _headless)
TSV = CSV._replace(name="tsv", dialects=delimited_heads.TSV)
