"""Where documents stand in a file, and what its lines are: read again, for messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import Finding
from irevalcli.reading.faults import MOST_FAULTS
from irevalcli.reading.pieces import NEWLINE, pieces
from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.words import PAD, token_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsRows
    from irevalcli.reading.rules import Rule
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows
    from irevalcli.reading.tokens import Fields

Pair = tuple[bytes, bytes]
"""A qid and a docid."""


class Place(NamedTuple):
    """Where a field stands.

    Attributes:
        line: physical line, from 1; 0 if the file has no lines.
        column: of its first byte, from 1, or 0.
        width: of the field, in bytes.
        text: the line without its end.
    """

    line: int
    column: int
    width: int
    text: bytes

    def finding(self, rule: Rule, message: str, path: str, *, expected: str = "") -> Finding:
        """A finding about what stands here."""
        return Finding(
            rule.code, message, path, self.line, self.column, self.width, self.text, expected, rule.help, rule.severity
        )


class Lines:
    """The lines of a piece, to say where fields of its rows stand.

    Args:
        piece: the lines.
        rows: what was read from them.
    """

    def __init__(self, piece: Piece, rows: RunRows | QrelsRows) -> None:
        self._piece = piece
        self._rows = rows
        self._lines = piece.lines() if rows.line_count else []

    @property
    def exist(self) -> bool:
        """Whether the format has lines."""
        return bool(self._lines)

    def place(self, fields: Fields, row: int) -> Place:
        """Where the field of a row stands, in a column of the rows; line 1 is the piece's first."""
        if not self._lines:
            return Place(0, 0, 0, b"")
        rows, piece = self._rows, self._piece
        start, end = int(fields.start[row]), int(fields.end[row])
        line = rows.line_of(row)
        text = self._lines[line]
        if rows.data is piece.data:
            column = start - piece.line_start(start) + 1
        else:
            column = text.find(rows.data[start:end].tobytes()) + 1
        return Place(line + 1, column, end - start, text.rstrip(b"\r"))


def in_its_file(finding: Finding, source: Source) -> Finding:
    """A finding whose line counts from the beginning of the source, with the file of the source that it stands in."""
    if not finding.line:
        return finding
    path, line = source.place(finding.line)
    return finding._replace(path=path, line=line)


def first_at(source: Source, first: int, later: int) -> str:
    """Where what stands on a line of a source stood before: the line, and its file if that is another one."""
    path, line = source.place(first)
    return f"first at line {line}" if path == source.place(later)[0] else f"first at {path}:{line}"


def locate(source: Source, run_format: RunFormat, pairs: Collection[Pair]) -> dict[Pair, list[Place]]:
    """The places in a run where the (qid, docid) pairs stand, of each the first ones. Reads the run again.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    source.rewind()
    places: dict[Pair, list[Place]] = {pair: [] for pair in pairs}
    passed = 0
    for piece in run_format.pieces(source, []):
        rows = run_format.rows(piece, Wanted(skip=True))
        found = [(row, pair) for row, pair in enumerate(_pairs(rows)) if pair in places]
        if found:
            lines = Lines(piece, rows)
            for row, pair in found:
                if len(places[pair]) <= MOST_FAULTS:
                    place = lines.place(rows.docids, row)
                    places[pair].append(place._replace(line=place.line + passed) if place.line else place)
        passed += rows.line_count
    return places


def line_texts(source: Source, lines: Collection[int]) -> dict[int, bytes]:
    """The texts of some lines of a file, which are counted from 1. Reads it again, down to the last of them.

    Raises:
        InputProblem: the source cannot be read so far.
    """
    wanted = sorted(lines)
    found: dict[int, bytes] = {}
    if not wanted:
        return found
    source.rewind()
    passed = 0
    spare: list[bytearray] = []
    for piece in pieces(source, spare):
        here = int(np.count_nonzero(piece.data[PAD : piece.stop] == NEWLINE))
        if passed + here >= wanted[len(found)]:
            texts = piece.lines()
            found |= {line: texts[line - passed - 1] for line in wanted[len(found) :] if line <= passed + here}
            if len(found) == len(wanted):
                break
        passed += here
        spare.append(piece.release())
    return found


def _pairs(rows: RunRows) -> Iterator[Pair]:
    return zip(token_list(rows.data, *rows.qids), token_list(rows.data, *rows.docids), strict=True)
