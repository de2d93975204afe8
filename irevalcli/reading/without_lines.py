"""Formats without lines, such as one JSON object: rows and faults are known when the file is read, at one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading.pieces import Piece
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_rows import QrelsRows, Strictness
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows, Wanted


class ReadRun(NamedTuple):
    """Rows of a run that were read.

    Attributes:
        held: the buffer of the rows' fields, with `PAD` bytes of slack on either side.
        rows: the rows, with ranks if the format has them; those with a fault are `dropped`.
        faults: what was wrong with these.
    """

    held: bytearray
    rows: RunRows
    faults: list[Finding]


class _ReadPiece(Piece):
    """A piece whose rows are known."""

    __slots__ = ("read",)

    def __init__(self, read: ReadRun, *, opens_file: bool) -> None:
        super().__init__(read.held, len(read.held) - PAD, opens_file=opens_file)
        self.read = read


def _read(piece: Piece) -> ReadRun:
    if not isinstance(piece, _ReadPiece):
        raise TypeError(f"a piece of another format: {piece!r}")
    return piece.read


class RunWithoutLines(NamedTuple):
    """A format of runs.

    Attributes:
        name: as ``--run-format`` has it.
        parts: the rows of a run, some at a time. Raises InputProblem if it is not written in this format at all.
        note: as `RunFormat.note`.
        otherwise: as `RunFormat.otherwise`.
    """

    name: str
    parts: Callable[[Source], Iterator[ReadRun]]
    note: str = ""
    otherwise: RunFormat | None = None

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`."""
        del spare
        for number, part in enumerate(self.parts(source)):
            yield _ReadPiece(part, opens_file=not number)

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        rows = _read(piece).rows
        rows = rows if wanted.ranks else rows._replace(ranks=None)
        return rows if wanted.skip or not rows.dropped else rows._replace(malformed=rows.size, dropped=0)

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        del path, wanted
        return _read(piece).faults


class QrelsWithoutLines(NamedTuple):
    """A format of qrels. The attributes are those of `QrelsFormat`, and how a file is read.

    Attributes:
        path: the file's name, for messages.
        read: its rows, those with a fault `dropped`, and what was wrong with these. Raises InputProblem if it is not
            written in this format at all.
    """

    name: str
    path: str
    read: Callable[[bytes, str], tuple[QrelsRows, list[Finding]]]
    note: str = ""
    grouped: bool = False
    subgrouped: bool = False
    real_grades: bool = True

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        rows, _ = self.read(piece.data[PAD : piece.stop].tobytes(), self.path)
        return rows if strictness.skip or not rows.dropped else rows._replace(malformed=rows.size, dropped=0)

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`; all of them."""
        del of_each
        return self.read(piece.data[PAD : piece.stop].tobytes(), path)[1]
