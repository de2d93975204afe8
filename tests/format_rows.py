"""The rows of runs and qrels in any format, as plain tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from plain import opened

from irevalcli.reading.pieces import Piece
from irevalcli.reading.qrels_rows import Strictness
from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.sniffing import qrels_format_of, run_format_of
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Bytes, Floats


class ReadRun(NamedTuple):
    """What a reader made of a run: qid, docid, score, rank and tag by row, the line of each row, and all faults."""

    rows: list[tuple[bytes, ...]]
    lines: list[int]
    malformed: bool
    faults: list[Finding]
    pieces: int


def read_run(text: bytes, name: str = "auto", *, skip: bool = False) -> ReadRun:
    """A run as its format reads it, up to the first piece with a malformed line; faults are those of all pieces."""
    rows: list[tuple[bytes, ...]] = []
    lines: list[int] = []
    faults: list[Finding] = []
    malformed, passed, pieces = False, 0, 0
    with opened(text) as source:
        layout = run_format_of(source, name)
        for piece in layout.pieces(source, []):
            pieces += 1
            found = layout.rows(piece, Wanted("seen", skip=skip))
            if not malformed:
                columns = [found.qids, found.docids, found.scores, found.ranks, found.tags]
                rows += zip(*(_texts(found.data, column, found.size) for column in columns), strict=True)
                lines += [passed + found.line_of(row) + 1 for row in range(found.size)]
            malformed |= found.malformed is not None
            located = layout.faults(piece, "file", Wanted("seen", skip=skip))
            faults += [fault._replace(line=fault.line + passed) for fault in located]
            passed += found.line_count
    return ReadRun(rows, lines, malformed, faults, pieces)


def read_qrels(text: bytes, name: str = "auto") -> list[tuple[bytes, ...]]:
    """Qid, group, docid and grade of qrels without faults."""
    with opened(text) as source:
        layout = qrels_format_of(source, name)
        piece = Piece.of(source.read_all())
        found = layout.rows(piece, Strictness())
        if found.malformed is not None:
            raise AssertionError(layout.faults(piece, "file"))
        columns = [found.qids, found.groups, found.docids, found.grades]
        return list(zip(*(_texts(found.data, column, found.size) for column in columns), strict=True))


def _texts(data: Bytes, column: Fields | Floats | None, rows: int) -> list[bytes]:
    if column is None:
        return [b""] * rows
    return token_list(data, *column) if isinstance(column, Fields) else [b"%g" % value for value in column.tolist()]
