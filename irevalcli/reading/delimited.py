"""Delimited text (CSV, TSV) to columns: where the fields of every line of a piece start and end.

One separator stands between two fields; LF or CR LF ends a line, also inside quotes, where that is a fault. How
quotes are read is a matter of the `Dialect`. Lines without a field are skipped, and lines that begin with # unless they
have as many fields as the others. What is wrong with lines is said in `reading.delimited_lines`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.tokens import HASH, NEWLINE, TAB, Fields, Lines, Rows, line_starts
from irevalcli.reading.trec import well_formed
from irevalcli.reading.words import PAD, token_list

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Bytes, Positions
    from irevalcli.reading.pieces import Piece

RETURN, QUOTE = b'\r"'
COMMA, SEMICOLON, BAR = b",;|"

_NOWHERE = np.empty(0, np.int64)


class Dialect(NamedTuple):
    """How fields are set apart.

    Attributes:
        separator: the byte between two fields.
        guards: quotes are those of RFC 4180: around a whole field, which may then hold separators, and doubled inside
            it; anywhere else they are faults. Otherwise a separator always separates, and a quote is part of a field
            unless the field is written as RFC 4180 has it.
    """

    separator: int
    guards: bool = True


TABS = Dialect(TAB, guards=False)


class Wish(NamedTuple):
    """What is to be cut out of the lines.

    Attributes:
        width: number of fields of every line.
        columns: the wanted ones, from 0.
        filled: those of them that must not be empty.
        header: the line that names the columns, without its end, wherever it stands; or b"".
        skip: pass over malformed lines instead of stopping at the first.
    """

    width: int
    columns: tuple[int, ...]
    filled: tuple[int, ...]
    header: bytes = b""
    skip: bool = False


def delimited_rows(piece: Piece, dialect: Dialect, wish: Wish) -> tuple[Bytes, Rows]:
    """The buffer that holds the fields, and the data lines of a piece, column by column, without quotes."""
    rows, quotes = _alike(piece, dialect, wish) or _of_any_kind(piece, dialect, wish)
    if dialect.guards:
        data, columns = _unquoted(piece.data, rows.columns, quotes)
    else:
        data, columns = _unwrapped(piece, rows.columns)
    return data, rows._replace(columns=columns)


def _alike(piece: Piece, dialect: Dialect, wish: Wish) -> tuple[Rows, Positions] | None:
    """The rows and the quotes, if every line has the wanted number of fields and no fault; else None.

    That is proved, not assumed.
    """
    data = piece.data
    ends, quotes = _ends(piece, dialect)
    newlines = _line_ends(piece, ends, wish.width)
    if newlines is None or not data[PAD : piece.stop].all() or not _well_placed(piece, dialect, quotes).all():
        return None
    lines = Fields(line_starts(newlines), newlines - (data[newlines - 1] == RETURN))
    columns = [_column(ends, lines, wish.width, column) for column in wish.columns]
    if any(_are_empty(data, columns[wish.columns.index(column)]).any() for column in wish.filled):
        return None
    headers = _equal_lines(data, lines, wish.header)
    if not headers.size:
        return Rows(columns, None, newlines.size), quotes
    kept = np.delete(np.arange(newlines.size), headers)
    return Rows([column.at(kept) for column in columns], kept, newlines.size), quotes


def _line_ends(piece: Piece, ends: Positions, width: int) -> Positions | None:
    """Where lines end, if every line has `width` fields; else None."""
    count = np.count_nonzero(piece.data[PAD : piece.stop] == NEWLINE)
    newlines = np.ascontiguousarray(ends[width - 1 :: width])
    right = ends.size == count * width and (piece.data[newlines] == NEWLINE).all()
    return newlines if right else None


def _column(ends: Positions, lines: Fields, width: int, column: int) -> Fields:
    """A column of lines that have `width` fields, from where these end."""
    start = lines.start if column == 0 else ends[column - 1 :: width] + 1
    return Fields(start, lines.end if column == width - 1 else np.ascontiguousarray(ends[column::width]))


def _of_any_kind(piece: Piece, dialect: Dialect, wish: Wish) -> tuple[Rows, Positions]:
    """The rows and the quotes of a piece whatever its lines look like."""
    data, width = piece.data, wish.width
    every, quotes = _lines(piece, dialect)
    right = np.flatnonzero(every.widths == width)
    kept = np.flatnonzero(_are_data(data, every, wish))
    for column in wish.filled:
        every.widths[right[_are_empty(data, every.column(right, column))]] = -1
        right = right[every.widths[right] == width]
    return well_formed(every, kept, (width, width), wish.columns, skip=wish.skip), quotes


def _are_data(data: Bytes, every: Lines, wish: Wish) -> Bools:
    """Which lines are not blank, no header, and no comment."""
    end = every.fields.end[every.first + np.abs(every.widths) - 1]
    found: Bools = (every.widths == wish.width) | (data[every.start] != HASH)
    found[_equal_lines(data, Fields(every.start, end), wish.header)] = False
    lonely = np.flatnonzero(every.widths == 1)
    found[lonely[[not text.strip() for text in token_list(data, every.start[lonely], end[lonely])]]] = False
    return found


def _ends(piece: Piece, dialect: Dialect, unread: Positions = _NOWHERE) -> tuple[Positions, Positions]:
    """Where fields end, and the quotes that matter; `unread` are quotes that do not."""
    body = piece.data[PAD : piece.stop]
    marks = body == dialect.separator
    marks |= body == NEWLINE
    quoted = body == QUOTE
    if not dialect.guards or not quoted.any():
        return np.flatnonzero(marks) + PAD, _NOWHERE
    quoted[unread - PAD] = False
    marks |= quoted
    places = np.flatnonzero(marks)
    is_quote = quoted[places]
    inside = np.cumsum(is_quote, dtype=np.uint8)
    inside &= 1
    inside |= is_quote
    places += PAD
    return places[inside == 0], places[is_quote]


def _well_placed(piece: Piece, dialect: Dialect, quotes: Positions) -> Bools:
    """Which quotes begin or end a field, or are doubled inside one; all lines must have an even number of them."""
    data = piece.data
    opening, closing = quotes[::2], quotes[1::2]
    right = np.ones(quotes.size, np.bool_)
    if opening.size > closing.size or not quotes.size:
        return ~right
    doubled = opening[1:] == closing[:-1] + 1
    before, after = data[opening - 1], data[closing + 1]
    right[::2] = (before == dialect.separator) | (before == NEWLINE) | (opening == PAD)
    right[2::2] |= doubled
    right[1::2] = (after == dialect.separator) | (after == NEWLINE)
    right[1::2] |= (after == RETURN) & (data[closing + 2] == NEWLINE)
    right[1:-1:2] |= doubled
    return right


def _lines(piece: Piece, dialect: Dialect) -> tuple[Lines, Positions]:
    """Every line with its fields, and the quotes that matter.

    A line with a NUL byte or with quotes where none belong has less than no fields.
    """
    data = piece.data
    body = data[PAD : piece.stop]
    newlines = np.flatnonzero(body == NEWLINE) + PAD
    quotes = np.flatnonzero(body == QUOTE) + PAD if dialect.guards else _NOWHERE
    line = np.searchsorted(newlines, quotes)
    odd = (np.bincount(line, minlength=newlines.size) & 1).astype(np.bool_)
    ends, quotes = _ends(piece, dialect, quotes[odd[line]])
    misplaced = quotes[~_well_placed(piece, dialect, quotes)]
    upto = np.searchsorted(ends, newlines, "right")
    widths = np.diff(upto, prepend=0)
    first = upto - widths
    start = line_starts(ends)
    stops = ends.copy()
    stops[upto - 1] -= (data[newlines - 1] == RETURN) & (newlines > start[upto - 1])
    odd[np.searchsorted(newlines, misplaced)] = True
    odd[np.searchsorted(newlines, np.flatnonzero(body == 0) + PAD)] = True
    widths[odd] *= -1
    return Lines(Fields(start, stops), first, widths, start[first]), quotes


def _are_empty(data: Bytes, fields: Fields) -> Bools:
    """Which fields hold nothing, or nothing but their quotes."""
    length = fields.end - fields.start
    empty: Bools = length == 0
    two = np.flatnonzero(length == 2)
    empty[two] = (data[fields.start[two]] == QUOTE) & (data[fields.start[two] + 1] == QUOTE)
    return empty


def _equal_lines(data: Bytes, lines: Fields, text: bytes) -> Positions:
    """The lines that read `text`, unless it is b""."""
    if not text:
        return _NOWHERE
    found = np.flatnonzero(lines.end - lines.start == len(text))
    # Lines of data often differ from the header in their first byte, and seldom agree with it in some more.
    for place in range(min(len(text), 4)):
        found = found[data[lines.start[found] + place] == text[place]]
    return found[[token == text for token in token_list(data, *lines.at(found))]]


def _unquoted(data: Bytes, columns: list[Fields], quotes: Positions) -> tuple[Bytes, list[Fields]]:
    """The fields without the quotes around them and with single ones inside, as RFC 4180 has it."""
    if not quotes.size:
        return data, columns
    opening, closing = quotes[::2], quotes[1::2]
    doubled = opening[1:][opening[1:] == closing[:-1] + 1]
    return _without(data, [_peeled(column, data[column.start] == QUOTE) for column in columns], doubled)


def _unwrapped(piece: Piece, columns: list[Fields]) -> tuple[Bytes, list[Fields]]:
    """The same for fields that are written as RFC 4180 has it; the others as they are."""
    data = piece.data
    quotes = np.flatnonzero(data[PAD : piece.stop] == QUOTE) + PAD
    if not quotes.size:
        return data, columns
    doubled: list[Positions] = []
    peeled = []
    for column in columns:
        wrapped = (data[column.start] == QUOTE) & (data[column.end - 1] == QUOTE) & (column.end - column.start > 1)
        rows = np.flatnonzero(wrapped)
        first = np.searchsorted(quotes, column.start[rows] + 1)
        stop = np.searchsorted(quotes, column.end[rows] - 1)
        for row in np.flatnonzero(first < stop).tolist():
            inner = quotes[first[row] : stop[row]]
            if inner.size % 2 or (inner[1::2] != inner[::2] + 1).any():
                wrapped[rows[row]] = False
            else:
                doubled.append(inner[1::2])
        peeled.append(_peeled(column, wrapped))
    return _without(data, peeled, np.unique(np.concatenate([_NOWHERE, *doubled])))


def _peeled(column: Fields, wrapped: Bools) -> Fields:
    """The fields, less one byte on either side of those that are wrapped."""
    return Fields(column.start + wrapped, column.end - wrapped)


def _without(data: Bytes, columns: list[Fields], places: Positions) -> tuple[Bytes, list[Fields]]:
    """The buffer less the bytes at these places, ascending, and the fields in it."""
    if not places.size:
        return data, columns
    shifted = [
        Fields(start - np.searchsorted(places, start), end - np.searchsorted(places, end)) for start, end in columns
    ]
    return np.delete(data, places), shifted
