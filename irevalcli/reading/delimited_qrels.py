"""Qrels in delimited text: CSV and TSV with a header, as BEIR has them, or without one in the order of TREC qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading import delimited_heads
from irevalcli.reading.blank_qrels import GRADED
from irevalcli.reading.delimited import Wish, delimited_rows
from irevalcli.reading.delimited_heads import DelimitedKind
from irevalcli.reading.delimited_lines import Layout, located
from irevalcli.reading.faults import qrels_line_faults
from irevalcli.reading.headers import QRELS_ROLES, qrels_columns, qrels_note, qrels_shape
from irevalcli.reading.qrels_rows import TREC_QRELS_SHAPE
from irevalcli.reading.rules import QRELS_FIELDS

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.delimited import Dialect
    from irevalcli.reading.delimited_heads import Start
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.heads import Head
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsRows, QrelsShape, Strictness


class DelimitedQrels(NamedTuple):
    """Qrels in delimited text. The attributes are those of `DelimitedRun` and of `QrelsFormat`."""

    name: str
    dialect: Dialect
    shape: QrelsShape
    header: bytes = b""
    note: str = ""
    grouped: bool = False
    subgrouped: bool = False
    real_grades: bool = True

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        shape = self.shape
        wish = Wish(shape.width, shape.columns, shape.ids, self.header, strictness.skip)
        return shape.rows(*delimited_rows(piece, self.dialect, wish))

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`."""
        shape = self.shape

        def of_fields(line: DataLine) -> list[Finding]:
            return qrels_line_faults([line], path, shape)

        filled = tuple(zip(shape.ids, ("the query", "the document", "the sub-topic"), strict=False))
        layout = Layout(self.dialect, shape.width, shape.words, filled, self.header, QRELS_FIELDS)
        return located(piece, path, layout, of_fields, of_each)


def _headed(name: str, start: Start, head: Head) -> DelimitedQrels:
    columns = qrels_columns(start.line, head.name)
    note = qrels_note(name.upper(), columns)
    return DelimitedQrels(name, start.dialect, qrels_shape(columns, start.width), start.header, note)


def _headless(name: str, dialect: Dialect, shape: QrelsShape, _: Head) -> DelimitedQrels:
    return DelimitedQrels(name, dialect, shape)


CSV = DelimitedKind("csv", delimited_heads.CSV, QRELS_ROLES, _headed, (TREC_QRELS_SHAPE, GRADED.shape), _headless)
TSV = CSV._replace(name="tsv", dialects=delimited_heads.TSV)
