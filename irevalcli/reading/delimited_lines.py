"""Delimited text line by line: the slow, exact reader of headers, and of pieces that the fast reader turned down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import Finding
from irevalcli.reading.delimited import QUOTE
from irevalcli.reading.faults import DataLine, Field, binary_faults, collected, counted_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.reading.delimited import Dialect
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.rules import Rule

_QUOTE = bytes([QUOTE])
_WRAPPED = re.compile(rb'"((?:[^"]|"")*+)"')


class Misquoted(ValueError):
    """A line has a quote where none belongs.

    Attributes:
        at: where.
        expected: what should stand there.
    """

    def __init__(self, message: str, at: Field, expected: str) -> None:
        super().__init__(message)
        self.message = message
        self.at = at
        self.expected = expected


def cut(line: bytes, dialect: Dialect) -> list[Field]:
    """The fields of a line, which has no line end; the columns are those of their text, behind a quote.

    Raises:
        Misquoted: the line does not keep to the dialect.
    """
    separator = bytes([dialect.separator])
    if dialect.guards and _QUOTE in line:
        return list(_guarded(line, separator))
    fields, column = [], 1
    for text in line.split(separator):
        wrapped = _WRAPPED.fullmatch(text)
        fields.append(Field(_single(wrapped[1]), column + 1) if wrapped else Field(text, column))
        column += len(text) + 1
    return fields


def _guarded(line: bytes, separator: bytes) -> Iterator[Field]:
    start = 0
    while True:
        if line.startswith(_QUOTE, start):
            wrapped = _WRAPPED.match(line, start)
            if wrapped is None:
                at = Field(line[start:], start + 1)
                raise Misquoted("a quote is not closed", at, "expected the other quote; fields hold no line breaks")
            stop = wrapped.end()
            if line[stop : stop + 1] not in (b"", separator):
                raise _inside(line, stop)
            yield Field(_single(wrapped[1]), start + 2)
        else:
            stop = line.find(separator, start)
            stop = len(line) if stop < 0 else stop
            quote = line.find(_QUOTE, start, stop)
            if quote >= 0:
                raise _inside(line, quote)
            yield Field(line[start:stop], start + 1)
        if stop == len(line):
            return
        start = stop + 1


def _inside(line: bytes, place: int) -> Misquoted:
    at = Field(line[place : place + 1], place + 1)
    return Misquoted("a quote inside a field", at, 'expected quotes around the whole field, and "" inside it')


def _single(text: bytes) -> bytes:
    return text.replace(b'""', b'"')


class Layout(NamedTuple):
    """What a data line must be like.

    Attributes:
        dialect: how fields are set apart.
        width: number of fields.
        words: the fields in words.
        filled: columns that must not be empty, with what they hold.
        header: a line that is none of data, wherever it stands; or b"".
        rule: what a line breaks that is not like that.
    """

    dialect: Dialect
    width: int
    words: str
    filled: tuple[tuple[int, str], ...]
    header: bytes
    rule: Rule


def located(
    piece: Piece, path: str, layout: Layout, of_fields: Callable[[DataLine], list[Finding]], of_each: int | None
) -> list[Finding]:
    """Everything wrong with a piece, as far as wanted; lines counted from its first.

    Args:
        piece: lines of the file.
        path: the file's name.
        layout: what lines must be like.
        of_fields: everything wrong with the fields of a line that is like that.
        of_each: how many faults of each rule are wanted; None for `MOST_FAULTS` of all rules.
    """

    def faults_of(line: DataLine | Finding) -> list[Finding]:
        return [line] if isinstance(line, Finding) else of_fields(line)

    return binary_faults(piece, path) or collected(map(faults_of, _checked_lines(piece, path, layout)), of_each)


def _checked_lines(piece: Piece, path: str, layout: Layout) -> Iterator[DataLine | Finding]:
    """The data lines of a piece, each in its fields, or with what is wrong with it."""
    for number, text in enumerate(piece.lines(), 1):
        line = text.removesuffix(b"\r")
        if line and line == layout.header:
            continue
        try:
            fields = cut(line, layout.dialect)
        except Misquoted as fault:
            if not line.startswith(b"#"):
                found = DataLine(number, line, []).finding(
                    layout.rule, fault.message, path, at=fault.at, expected=fault.expected
                )
                yield found._replace(help="put quotes around whole fields only, and write a quote inside them twice")
            continue
        blank = len(fields) == 1 and not line.strip()
        if not blank and (len(fields) == layout.width or not line.startswith(b"#")):
            yield _checked(DataLine(number, line, fields), path, layout)


def _checked(line: DataLine, path: str, layout: Layout) -> DataLine | Finding:
    if len(line.fields) != layout.width:
        message = f"{counted_fields(len(line.fields))}, {layout.width} expected"
        found = line.finding(layout.rule, message, path, expected=f"expected {layout.words}")
        more = "put quotes around a field that holds a separator" if layout.dialect.guards else "a field holds no tabs"
        return found._replace(help=f"write every line as {layout.words}; {more}")
    for column, words in layout.filled:
        field = line.fields[column]
        if not field.text:
            found = line.finding(layout.rule, f"{words} is empty", path, at=field, expected="expected an id")
            return found._replace(width=1, help="write an id, or delete the line")
    return line
