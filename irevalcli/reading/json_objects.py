"""JSON of the shape ``{qid: {docid: number}}``, one query at a time: a whole file is never held as Python objects."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.faults import MOST_FAULTS, quoted
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

_BLANKS = re.compile(r"[ \t\n\r]*")
_ENDINGS = re.compile("[\0\n\r]")
_DECODER = json.JSONDecoder(object_pairs_hook=list)
_INFINITE = ("Infinity", "-Infinity")


def is_one_object(head: Head, roles: Sequence[Role]) -> bool:
    """Whether a file seems to be one JSON object, and not JSONL: an object on each line, or one with known keys.

    Args:
        head: of the file.
        roles: what a key may stand for.
    """
    first, _, rest = head.text.strip(b" \t\r\n").partition(b"\n")
    if not first.startswith(b"{"):
        return False
    try:
        entry = json.loads(first)
    except (ValueError, RecursionError):
        return True
    return not rest.lstrip().startswith(b"{") and not is_header([_bytes(key) for key in entry], roles)


class Document(NamedTuple):
    """What is read: the text, the name of its file, and the rule that values which are no numbers break."""

    text: str
    name: str
    rule: Rule
    infinite: bool

    def finding(self, rule: Rule, message: str, position: int, width: int, *, expected: str = "") -> Finding:
        """A finding about the characters at a position."""
        text = self.text
        start = text.rfind("\n", 0, position) + 1
        end = text.find("\n", position)
        line = text[start : len(text) if end < 0 else end]
        column = len(_bytes(text[start:position])) + 1
        excerpt = _bytes(line.rstrip("\r")) if len(line) <= LONGEST_EXCERPT else b""
        number = text.count("\n", 0, position) + 1
        return Finding(rule.code, message, self.name, number, column, width, excerpt, expected, rule.help)

    def broken(self, message: str, position: int) -> InputProblem:
        """The problem that the text is not of the shape, from a position on."""
        return InputProblem.of(self.finding(NOT_JSON, message, position, 1, expected=f"expected {SHAPE}"))


class Query(NamedTuple):
    """One query with what it lists.

    Attributes:
        qid: its id.
        docids: as written, in order.
        numbers: theirs, float64.
        faults: what was wrong with others, which are left out.
        dropped: how many these are.
    """

    qid: bytes
    docids: list[str]
    numbers: Floats
    faults: list[Finding]
    dropped: int


def _bytes(text: str) -> bytes:
    r"""Text as the bytes that ids are made of; what JSON writes as \udcXX is the byte XX again."""
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
    """The queries of a text in order. Several objects one after the other are read like one.

    Raises:
        InputProblem: the text is no JSON, or not of the shape.
    """
    text = document.text
    position = _past_blanks(text, 0)
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
            if not qid or _ENDINGS.search(qid):
                raise document.broken("an id is empty, or holds a line break or NUL", key)
            yield _query(document, _bytes(qid), pairs, start)
            position = _past_blanks(text, position)
            closed = text.startswith("}", position)
            position = position + 1 if closed else _after(document, position, ",")
        position = _past_blanks(text, position)


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


def _query(document: Document, qid: bytes, pairs: list[tuple[str, object]], start: int) -> Query:
    docids = [docid for docid, _ in pairs]
    values = [value for _, value in pairs]
    if {type(value) for value in values} <= {int, float} and "" not in docids and not _ENDINGS.search("".join(docids)):
        try:
            numbers = np.array(values, np.float64)
        except OverflowError:
            numbers = np.full(1, np.nan)
        if np.isfinite(numbers).all():
            return Query(qid, docids, numbers, [], 0)
    return _sorted_out(document, qid, start)


def _sorted_out(document: Document, qid: bytes, start: int) -> Query:
    """A query of which something is wrong, entry by entry."""
    text = document.text
    docids, numbers, faults, dropped = [], [], [], 0
    position = _after(document, start, "{")
    while not text.startswith("}", position):
        key = position
        docid, position = _string(document, position)
        place = _after(document, _past_blanks(text, position), ":")
        value, position = _value(document, place)
        fault = _fault(document, Entry(docid, key, value, place, position))
        if fault is None:
            docids.append(docid)
            numbers.append(float(value))
        else:
            dropped += 1
            faults.append(fault)
        position = _past_blanks(text, position)
        if text.startswith(",", position):
            position = _past_blanks(text, position + 1)
    return Query(qid, docids, np.array(numbers, np.float64), faults[:MOST_FAULTS], dropped)


class Entry(NamedTuple):
    """A document with its value, and where they stand: the docid, the value's first character and its end."""

    docid: str
    key: int
    value: Any
    start: int
    end: int


def _fault(document: Document, entry: Entry) -> Finding | None:
    if not entry.docid or _ENDINGS.search(entry.docid):
        return document.finding(NOT_JSON, "a docid is empty, or holds a line break or NUL", entry.key, 1)
    literal = document.text[entry.start : entry.end]
    if type(entry.value) in {int, float}:
        try:
            finite = math.isfinite(entry.value)
        except OverflowError:
            finite = False
        if finite or (document.infinite and literal in _INFINITE):
            return None
    message = f"{document.rule.title}: {quoted(_bytes(literal))}"
    return document.finding(document.rule, message, entry.start, len(literal), expected="expected a finite number")
