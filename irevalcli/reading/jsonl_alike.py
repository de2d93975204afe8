"""JSONL whose lines are all written alike: the same keys in the same order and spelling, and no escapes.

Then what stands between two values is the same text in every line. That is proved, not assumed, and the values are what
is left over. Other lines are read one by one (`reading.jsonl_lines`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.numbers import parse_decimals
from irevalcli.reading.tokens import NEWLINE, SPACE, Fields, line_starts
from irevalcli.reading.words import LOW_BYTES, PAD, load_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Bytes, Positions
    from irevalcli.reading.pieces import Piece

QUOTE, BACKSLASH, MINUS, POINT, ZERO, LOWER_E, CASE = b'"\\-.0e '

_BLANK = rb"[ \t\r]*"
_KEY = _BLANK + rb'"([^"\\]+)"' + _BLANK + b":" + _BLANK
_VALUE = rb'(?:"([^"\\]+)"|(-?[0-9][0-9.eE+-]*))' + _BLANK
_MEMBER = re.compile(_KEY + _VALUE + rb"(?:(,)|\}" + _BLANK + b"$)")


class Template(NamedTuple):
    """How a line is written.

    Attributes:
        keys: in order.
        numbers: per key, whether its value is a number and no string.
        literals: what stands before the first value, between each two, and behind the last, with the quotes of strings.
    """

    keys: tuple[bytes, ...]
    numbers: tuple[bool, ...]
    literals: tuple[bytes, ...]


def template_of(line: bytes) -> Template | None:
    """How a line is written that is a flat object of strings and numbers without escapes; None of others."""
    keys, numbers, literals = [], [], []
    opening = re.match(_BLANK + rb"\{", line)
    place = opening.end() if opening else 0
    told = 0
    more = opening is not None
    while more:
        member = _MEMBER.match(line, place)
        if member is None:
            return None
        value = 3 if member[2] is None else 2
        keys.append(member[1])
        numbers.append(value == 3)
        literals.append(line[told : member.start(value)])
        told, place = member.end(value), member.end()
        more = member[4] is not None
    if not keys or len(set(keys)) < len(keys):
        return None
    return Template(tuple(keys), tuple(numbers), (*literals, line[told:]))


def values_alike(piece: Piece, template: Template) -> list[Fields] | None:
    """The values of every line of a piece, by key, if all lines are written like that; else None."""
    data = piece.data
    body = data[PAD : piece.stop]
    newlines = np.flatnonzero(body == NEWLINE) + PAD
    quotes = np.flatnonzero(body == QUOTE) + PAD
    rows = newlines.size
    text = b"".join(template.literals)
    controls = sum(byte < SPACE for byte in text) + 1
    if quotes.size != rows * text.count(b'"') or np.count_nonzero(body < SPACE) != rows * controls:
        return None
    if (body == BACKSLASH).any():
        return None
    fields = _between(data, template, Fields(line_starts(newlines), newlines), quotes.reshape(rows, -1))
    if fields is None:
        return None
    numbers = [field for field, is_number in zip(fields, template.numbers, strict=True) if is_number]
    legal = all(_are_numbers(data, column) for column in numbers) and not _bare_points(piece, numbers)
    return fields if legal else None


def _between(data: Bytes, template: Template, lines: Fields, quotes: Positions) -> list[Fields] | None:
    """What stands between the literals, if these stand in every line; `quotes` has a row for each line."""
    if (quotes[:, 0] < lines.start).any() or (quotes[:, -1] > lines.end).any():
        return None
    fields: list[Fields] = []
    start = lines.start
    stop = start
    passed = 0
    for index, literal in enumerate(template.literals):
        if index:
            quote = literal.find(b'"')
            start = lines.end - len(literal) if quote < 0 else quotes[:, passed] - quote
            if (start <= stop).any():
                return None
            fields.append(Fields(stop, start))
        if not _all_read(data, start, literal):
            return None
        stop = start + len(literal)
        passed += literal.count(b'"')
    return fields if (stop == lines.end).all() else None


def _all_read(data: Bytes, start: Positions, text: bytes) -> bool:
    """Whether `text` stands at each of these positions."""
    if len(text) < 8:
        found = load_words(data, start)
        found &= LOW_BYTES[len(text)]
        return bool((found == _word(text)).all())
    places = [*range(0, len(text) - 8, 8), len(text) - 8]
    return all(bool((load_words(data, start + place) == _word(text[place : place + 8])).all()) for place in places)


def _word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text, "little"))


def _are_numbers(data: Bytes, fields: Fields) -> bool:
    """Whether all are numbers of JSON, which begin and end with a digit; those with bare points are not seen."""
    first = fields.start + (data[fields.start] == MINUS)
    leading = data[first]
    if not (_are_digits(leading) and _are_digits(data[fields.end - 1])):
        return False
    zero = np.flatnonzero((leading == ZERO) & (fields.end - first > 1))
    return not _any_digits(data[first[zero] + 1]) and not parse_decimals(data, *fields)[1].any()


def _are_digits(chars: Bytes) -> bool:
    return bool((chars - np.uint8(ZERO) <= 9).all())


def _any_digits(chars: Bytes) -> bool:
    return bool((chars - np.uint8(ZERO) <= 9).any())


def _bare_points(piece: Piece, numbers: Sequence[Fields]) -> bool:
    """Whether a point stands right before an exponent in one of these columns, as in 1.e5."""
    body = piece.data[PAD : piece.stop]
    points = body == POINT
    points[:-1] &= (body[1:] | np.uint8(CASE)) == LOWER_E
    places = np.flatnonzero(points) + PAD
    if not places.size:
        return False
    for column in numbers:
        row = np.searchsorted(column.start, places, "right") - 1
        if ((row >= 0) & (places < column.end[row])).any():
            return True
    return False
