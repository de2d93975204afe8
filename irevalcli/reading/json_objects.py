"""JSON of the shape ``{qid: {docid: number}}``, one query at a time: a whole file is never held as Python objects."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.faults import quoted
from irevalcli.reading.headers import is_header
from irevalcli.reading.rules import NOT_JSON

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.reading.arrays import Floats
    from irevalcli.reading.headers import Role
    from irevalcli.reading.heads import Head
    from irevalcli.reading.rules import Rule

SHAPE = "{qid: {docid: number}}"
LONGEST_EXCERPT = 10_000
"""Characters of a line that messages show an excerpt of; JSON often stands in a single line."""

MOST_LOCATED = 1000
"""How many faults of a text are located; the others are only counted."""

_BLANKS = re.compile(r"[ \t\n\r]*")
_BETWEEN_OBJECTS = re.compile(r"(?:^[ \t\r]*#[^\n]*|[ \t\n\r])*", re.MULTILINE)
_ENDINGS = re.compile("[\0\n\r]")
_DECODER = json.JSONDecoder(object_pairs_hook=list)
_INFINITE = ("Infinity", "-Infinity")


def is_one_object(head: Head, roles: Sequence[Role]) -> bool:
    """Whether a file seems to be one JSON object, and not JSONL: an object on each line, or one with known keys.

    Args:
        head: of the file.
        roles: what a key may stand for.
    """
    text = head.text.strip(b" \t\r\n")
    if not text.startswith(b"{"):
        return False
    keys = keys_of_line(head)
    second = text.partition(b"\n")[2].lstrip()
    return not keys or (not second.startswith(b"{") and not is_header(keys, roles))


def keys_of_line(head: Head) -> list[bytes]:
    """The keys of the JSON object on the first line of a file; none if there is no whole one."""
    line = head.text.strip(b" \t\r\n").partition(b"\n")[0]
    try:
        entry = json.loads(line) if line.startswith(b"{") else {}
    except (ValueError, RecursionError):
        return []
    return [_bytes(key) for key in entry]


class Document:
    """What is read.

    Places in it are looked for in ascending order, so that a text with a fault in every entry takes no longer.

    Attributes:
        text: the text.
        name: of its file.
        rule: what values break that are no numbers.
        infinite: whether infinities are numbers.
    """

    def __init__(self, text: str, name: str, rule: Rule, *, infinite: bool) -> None:
        self.text = text
        self.name = name
        self.rule = rule
        self.infinite = infinite
        # The position last looked for: its line, the first character and the end of that, and the bytes before it.
        self._position, self._line, self._start, self._end, self._bytes = 0, 1, 0, -1, 0

    def finding(self, rule: Rule, message: str, position: int, width: int, *, expected: str = "") -> Finding:
        """A finding about the characters at a position."""
        self._go_to(position)
        excerpt = b""
        if self._end - self._start <= LONGEST_EXCERPT:
            excerpt = _bytes(self.text[self._start : self._end].rstrip("\r"))
        column = self._bytes + 1
        return Finding(rule.code, message, self.name, self._line, column, width, excerpt, expected, rule.help)

    def _go_to(self, position: int) -> None:
        text = self.text
        if position < self._position:
            self._position, self._line, self._start, self._end, self._bytes = 0, 1, 0, -1, 0
        newlines = text.count("\n", self._position, position)
        if newlines:
            self._line += newlines
            self._start = self._position = text.rindex("\n", 0, position) + 1
            self._bytes = 0
        if newlines or self._end < 0:
            end = text.find("\n", position)
            self._end = len(text) if end < 0 else end
        self._bytes += len(_bytes(text[self._position : position]))
        self._position = position

    def broken(self, message: str, position: int) -> InputProblem:
        """The problem that the text is not of the shape, from a position on."""
        place = min(position, len(self.text.rstrip(" \t\r\n")))
        return InputProblem.of(self.finding(NOT_JSON, message, place, 1, expected=f"expected {SHAPE}"))


class Query(NamedTuple):
    """One query with what it lists.

    Attributes:
        qid: its id.
        docids: as written, in order.
        numbers: theirs, float64.
        faults: what was wrong with others, which are left out; no more than the text's first `MOST_LOCATED`.
        dropped: how many were left out.
    """

    qid: bytes
    docids: list[str]
    numbers: Floats
    faults: list[Finding]
    dropped: int


def _bytes(text: str) -> bytes:
    r"""Text as the bytes that ids are made of; what JSON writes as \udcXX is the byte XX again."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape" if _is_escaped(text) else "surrogatepass")


def _is_escaped(text: str) -> bool:
    return not any("\ud800" <= char <= "\udc7f" or "\udd00" <= char <= "\udfff" for char in text)


def encoded(ids: Sequence[str]) -> tuple[bytes, list[int]]:
    """The ids one after the other as bytes, and the length of each."""
    joined = "".join(ids)
    if joined.isascii():
        return joined.encode(), [len(each) for each in ids]
    parts = [_bytes(each) for each in ids]
    return b"".join(parts), [len(part) for part in parts]


def queries(document: Document) -> Iterator[Query]:
    """The queries of a text in order. Several objects one after the other are read like one, with comments as in JSONL.

    Raises:
        InputProblem: the text is no JSON, or not of the shape.
    """
    text = document.text
    position = _past_blanks_and_comments(text, 0)
    room = MOST_LOCATED
    while position < len(text):
        position = _after(document, position, "{")
        closed = text.startswith("}", position)
        position += closed
        while not closed:
            key = position
            if not text.startswith('"', position):
                raise document.broken("no query here: ids are strings", position)
            qid, position = _string(document, position)
            start = _after(document, _past_blanks(text, position), ":")
            if not text.startswith("{", start):
                raise document.broken(f"what query {quoted(_bytes(qid))} lists is no object", start)
            pairs, position = _value(document, start)
            if not _is_id(qid):
                raise document.broken("an id is empty, or holds a line break or NUL", key)
            found = _query(_bytes(qid), pairs) or _sorted_out(document, _bytes(qid), start, room)
            room -= len(found.faults)
            yield found
            position = _past_blanks(text, position)
            closed = text.startswith("}", position)
            position = position + 1 if closed else _after(document, position, ",")
        position = _past_blanks_and_comments(text, position)


def _past_blanks_and_comments(text: str, position: int) -> int:
    found = _BETWEEN_OBJECTS.match(text, position)
    return found.end() if found else position


def _past_blanks(text: str, position: int) -> int:
    found = _BLANKS.match(text, position)
    return found.end() if found else position


def _after(document: Document, position: int, sign: str) -> int:
    """The position of what follows a sign that must stand here."""
    if not document.text.startswith(sign, position):
        what = "the end of the file" if position >= len(document.text) else quoted(_bytes(document.text[position]))
        raise document.broken(f"{what} where {sign!r} should stand", position)
    return _past_blanks(document.text, position + 1)


def _string(document: Document, position: int) -> tuple[str, int]:
    try:
        found: tuple[str, int] = _DECODER.raw_decode(document.text, position)
    except json.JSONDecodeError as error:
        raise document.broken(f"not JSON: {error.msg}", error.pos) from None
    return found


def _value(document: Document, position: int) -> tuple[Any, int]:
    """What stands at a position, objects as lists of pairs, so that nothing is lost where a key comes twice."""
    try:
        return _DECODER.raw_decode(document.text, position)
    except json.JSONDecodeError as error:
        raise document.broken(f"not JSON: {error.msg}", error.pos) from None
    except RecursionError:
        raise document.broken("objects within objects, too deep to read", position) from None
    except ValueError as error:  # an integer of thousands of digits
        raise document.broken(f"not a number: {error}", position) from None


def _query(qid: bytes, pairs: list[tuple[str, object]]) -> Query | None:
    """The query that lists these pairs; None if it has infinite scores, or something is wrong with it."""
    docids = [docid for docid, _ in pairs]
    values = [value for _, value in pairs]
    if {type(value) for value in values} <= {int, float} and "" not in docids and not _ENDINGS.search("".join(docids)):
        try:
            numbers = np.array(values, np.float64)
        except OverflowError:
            numbers = np.full(1, np.nan)
        if np.isfinite(numbers).all():
            return Query(qid, docids, numbers, [], 0)
    return None


def _sorted_out(document: Document, qid: bytes, start: int, room: int) -> Query:
    """A query of which something may be wrong, entry by entry, with at most `room` faults."""
    text = document.text
    docids, numbers, dropped = [], [], 0
    faults: list[Finding] = []
    position = _after(document, start, "{")
    while not text.startswith("}", position):
        key = position
        docid, position = _string(document, position)
        place = _after(document, _past_blanks(text, position), ":")
        value, position = _value(document, place)
        entry = Entry(docid, key, value, place, position)
        if _is_right(document, entry):
            docids.append(docid)
            numbers.append(float(value))
        else:
            dropped += 1
            if len(faults) < room:
                faults.append(_fault(document, entry))
        position = _past_blanks(text, position)
        if text.startswith(",", position):
            position = _past_blanks(text, position + 1)
    return Query(qid, docids, np.array(numbers, np.float64), faults, dropped)


class Entry(NamedTuple):
    """A document with its value, and where they stand: the docid, the value's first character and its end."""

    docid: str
    key: int
    value: Any
    start: int
    end: int


def _is_right(document: Document, entry: Entry) -> bool:
    if not _is_id(entry.docid) or type(entry.value) not in {int, float}:
        return False
    try:
        finite = math.isfinite(entry.value)
    except OverflowError:
        return False
    return finite or (document.infinite and document.text[entry.start : entry.end] in _INFINITE)


def _is_id(text: str) -> bool:
    return bool(text) and not _ENDINGS.search(text)


def _fault(document: Document, entry: Entry) -> Finding:
    if not _is_id(entry.docid):
        return document.finding(NOT_JSON, "a docid is empty, or holds a line break or NUL", entry.key, 1)
    literal = document.text[entry.start : entry.end]
    message = f"{document.rule.title}: {quoted(_bytes(literal))}"
    return document.finding(document.rule, message, entry.start, len(literal), expected="expected a finite number")
