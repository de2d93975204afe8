"""JSONL lines that are written alike, all at once: the same keys in the same order and spelling.

Then what stands between two values is the same text in every line. That is proved line by line, not assumed, and the
values are what is left over. Other lines are read one by one (`reading.jsonl_values`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.jsonl_values import LINE_ENDS
from irevalcli.reading.numbers import parse_decimals, parse_integers
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import LOW_BYTES, PAD, load_words, token_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.annexes import Annex
    from irevalcli.reading.arrays import Bools, Bytes, Positions
    from irevalcli.reading.jsonl_marks import Marks
    from irevalcli.reading.jsonl_templates import Template
    from irevalcli.reading.jsonl_values import Keys

MINUS, ZERO = b"-0"

_OF_NUMBER = np.array([chr(byte) in "0123456789+-.eE" for byte in range(256)])


class Alike(NamedTuple):
    """Lines of a piece, and their values.

    Attributes:
        lines: counted from 0, ascending.
        fields: their values, by key.
    """

    lines: Positions
    fields: list[Fields]

    def at(self, rows: Bools) -> Alike:
        """Some of the lines."""
        return self if rows.all() else Alike(self.lines[rows], [field.at(rows) for field in self.fields])


def lines_alike(marks: Marks, template: Template, among: Positions, keys: Keys, annex: Annex) -> Alike | None:
    """The lines that are written like that and have no fault, with the values of `keys`; None if these are not there.

    Args:
        marks: those of the piece.
        template: how lines are written.
        among: the lines that are looked at, ascending.
        keys: what is read of every line.
        annex: takes the strings that are written with escapes.
    """
    places = {key: place for place, key in enumerate(template.keys) if key is not None}
    if not places.keys() >= set(keys.needed):
        return None
    if keys.number is not None and not template.numbers[places[keys.number]]:
        return None
    found = _between(marks, template, among)
    legal = np.ones(found.lines.size, np.bool_)
    for field, is_number in zip(found.fields, template.numbers, strict=True):
        if is_number:
            legal &= _are_numbers(marks, field)
    for key in keys.ids:
        field = found.fields[places[key]]
        legal &= field.start < field.end
        if template.numbers[places[key]]:
            legal &= ~parse_integers(marks.data, *field)[1]
    found = found.at(legal)
    for place, is_number in enumerate(template.numbers):
        if marks.backslashes.size and not is_number:
            found = _unescaped(marks, found, place, annex if template.keys[place] in places.keys() & keys.all else None)
    nothing = Fields(*2 * [np.full(found.lines.size, PAD)])
    return Alike(found.lines, [found.fields[places[key]] if key in places else nothing for key in keys.all])


def _between(marks: Marks, template: Template, among: Positions) -> Alike:
    """What stands between the literals, in the lines that have these."""
    text = b"".join(template.literals)
    fits = marks.quote_counts[among] == text.count(b'"')
    fits &= marks.control_counts[among] == sum(byte < ord(" ") for byte in text) + 1
    lines = among[fits]
    start, end = marks.lines.at(lines)
    first = marks.first_quote[lines]
    borders = [start]
    passed = 0
    fits = np.ones(lines.size, np.bool_)
    for index, literal in enumerate(template.literals):
        if index:
            quote = literal.find(b'"')
            if quote >= 0:
                start = marks.quotes[first + passed] - quote
            elif index == len(template.numbers):
                start = end - len(literal)
            else:
                start = _past_number(marks.data, borders[-1], end)
            fits &= borders[-1] <= start
            borders.append(start)
        borders.append(start + len(literal))
        passed += literal.count(b'"')
    fits &= borders[-1] == end
    # All literals stand in order inside the line: none is looked for outside the buffer.
    rows = np.flatnonzero(fits)
    for literal, start in zip(template.literals, borders[::2], strict=True):
        rows = rows[_reads(marks.data, start[rows], literal)]
    values = [Fields(start[rows], stop[rows]) for start, stop in zip(borders[1:-1:2], borders[2::2], strict=True)]
    return Alike(lines[rows], values)


def _past_number(data: Bytes, start: Positions, end: Positions) -> Positions:
    """Where the first byte stands that is of no number, from `start` on, and before `end` if `start` is."""
    place = np.minimum(start, end)
    while (inside := _OF_NUMBER[data[place]]).any():
        place += inside
    return place


def _reads(data: Bytes, start: Positions, text: bytes) -> Bools:
    """Whether `text` stands at each of these positions."""
    if len(text) < 8:
        same: Bools = load_words(data, start) & LOW_BYTES[len(text)] == _word(text)
        return same
    found: Bools = load_words(data, start) == _word(text[:8])
    for place in (*range(8, len(text) - 8, 8), len(text) - 8):
        found &= load_words(data, start + place) == _word(text[place : place + 8])
    return found


def _word(text: bytes) -> np.uint64:
    return np.uint64(int.from_bytes(text, "little"))


def _are_numbers(marks: Marks, fields: Fields) -> Bools:
    """Which are numbers of JSON; these begin and end with a digit, and have no zero and no bare point before others."""
    data = marks.data
    first = fields.start + (data[fields.start] == MINUS)
    leading = data[first]
    legal = _are_digits(leading) & _are_digits(data[fields.end - 1])
    zero = np.flatnonzero((leading == ZERO) & (fields.end - first > 1))
    legal[zero] &= ~_are_digits(data[first[zero] + 1])
    legal &= ~parse_decimals(data, *fields)[1]
    legal[_rows_with(marks.bare_points, fields)] = False
    return legal


def _are_digits(chars: Bytes) -> Bools:
    are: Bools = chars - np.uint8(ZERO) <= 9
    return are


def _rows_with(places: Positions, fields: Fields) -> Positions:
    """The rows, ascending, whose field holds one of these places."""
    row = np.searchsorted(fields.start, places, "right") - 1
    row = row[(row >= 0) & (places < fields.end[row])] if fields.start.size else row[:0]
    return row[np.diff(row, prepend=-1) > 0]


def _unescaped(marks: Marks, found: Alike, place: int, annex: Annex | None) -> Alike:
    """The lines without those whose string at a place is malformed; with an annex, it takes these strings decoded."""
    start, end = found.fields[place]
    rows = _rows_with(marks.backslashes, Fields(start, end))
    if not rows.size:
        return found
    texts = _decoded(token_list(marks.data, start[rows], end[rows]))
    right = np.ones(found.lines.size, np.bool_)
    if annex is None:
        right[rows] = [text is not None for text in texts]
        return found.at(right)
    right[rows] = [text is not None and not LINE_ENDS.search(text) for text in texts]
    start, end = start.copy(), end.copy()
    start[rows], end[rows] = annex.hold([text or "" for text in texts])
    fields = [*found.fields]
    fields[place] = Fields(start, end)
    return Alike(found.lines, fields).at(right)


def _decoded(strings: Sequence[bytes]) -> Sequence[str | None]:
    """The strings that stand between these quotes; only None if one of them is malformed."""
    text = b'["' + b'","'.join(strings) + b'"]'
    try:
        texts: list[str] = json.loads(text.decode("utf-8", "surrogateescape"))
    except ValueError:
        return [None] * len(strings)
    return texts
