"""Lines to fields: where every field of every line of a piece starts and ends.

Fields are separated by runs of the six ASCII blanks of C's isspace; LF ends a line. No quoting, no escapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Bytes, Positions
    from irevalcli.reading.pieces import Piece

NEWLINE, SPACE, TAB, HASH = 10, 32, 9, 35
FIRST_BLANK, LAST_BLANK = 9, 13


class Fields(NamedTuple):
    """Start and end (exclusive) of one field in every row, as positions in the piece's buffer."""

    start: Positions
    end: Positions

    def at(self, rows: Positions | Bools) -> Fields:
        """The fields of some rows."""
        return Fields(self.start[rows], self.end[rows])


class Lines(NamedTuple):
    """The lines of a piece, by their fields.

    Attributes:
        fields: every field of the piece in order.
        first: per line, the index of its first field.
        widths: per line, how many fields it has; 0 for a blank line.
        start: per line, the position of its first byte.
    """

    fields: Fields
    first: Positions
    widths: Positions
    start: Positions

    def column(self, rows: Positions, index: int) -> Fields:
        """Field `index` (from 0) of the given lines, all of which must have it."""
        return self.fields.at(self.first[rows] + index)


class Rows(NamedTuple):
    """The data lines of a piece, column by column, whatever the format; a line may hold several rows.

    Attributes:
        columns: the wanted columns, up to the first malformed line.
        lines: physical lines of the piece, counted from 0, that the rows stand on; None if row i is line i.
        line_count: physical lines of the piece.
        malformed: how many data lines come before the first one with a wrong number of fields; None if all are right.
        extra: data lines with more fields than the format has.
        dropped: malformed lines that were passed over.
    """

    columns: list[Fields]
    lines: Positions | None
    line_count: int
    malformed: int | None = None
    extra: int = 0
    dropped: int = 0

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.columns[0].start.size


def plain_columns(piece: Piece, width: int, wanted: tuple[int, ...]) -> list[Fields] | None:
    """The wanted columns, if every line is exactly `width` fields with one blank or tab between; else None.

    The layout is proved, not assumed: every `width`-th separator is a newline, no other control character occurs, no
    two separators touch, no line starts with a separator or `#`.
    """
    data, stop = piece.data, piece.stop
    body = data[PAD:stop]
    separates = body <= SPACE
    separators = np.flatnonzero(separates)
    rows = separators.size // width
    if not rows or separators.size != rows * width or separates[0]:
        return None
    separators += PAD
    newlines = separators[width - 1 :: width]
    controls = np.count_nonzero(body < SPACE)
    if controls != rows and controls != rows + np.count_nonzero(body == TAB):
        return None
    if not (data[newlines] == NEWLINE).all() or (separates[1:] & separates[:-1]).any():
        return None
    first = line_starts(newlines)
    if (data[first] == HASH).any():
        return None
    return [
        Fields(
            first if column == 0 else separators[column - 1 :: width] + 1,
            np.ascontiguousarray(separators[column::width]),
        )
        for column in wanted
    ]


def blank_mask(body: Bytes) -> Bools:
    """Which bytes separate fields."""
    blank: Bools = (body - np.uint8(FIRST_BLANK)) <= LAST_BLANK - FIRST_BLANK
    blank |= body == SPACE
    return blank


def line_starts(newlines: Positions) -> Positions:
    """Where the lines of a piece start that end at these places."""
    start = np.empty(newlines.size, np.int64)
    start[:1] = PAD
    np.add(newlines[:-1], 1, out=start[1:])
    return start


def lines(piece: Piece) -> Lines:
    """Every line of the piece with its fields, whatever its layout."""
    body = piece.data[PAD : piece.stop]
    blank = blank_mask(body)
    edge = np.empty(blank.size + 1, np.bool_)
    edge[0] = not blank[0] if blank.size else False
    edge[-1] = False
    np.not_equal(blank[1:], blank[:-1], out=edge[1:-1])
    edges = np.flatnonzero(edge) + PAD
    fields = Fields(edges[::2], edges[1::2])
    newlines = np.flatnonzero(body == NEWLINE) + PAD
    upto = np.searchsorted(fields.start, newlines)
    count = np.diff(upto, prepend=0)
    return Lines(fields, upto - count, count, line_starts(newlines))
