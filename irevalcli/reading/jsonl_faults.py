"""JSONL value by value: the slow, exact reader of lines that are malformed, which keeps their places."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.reading.faults import DataLine, Field, binary_faults, collected, number_advice, quoted
from irevalcli.reading.json_objects import encoded
from irevalcli.reading.jsonl_values import DECODER, id_text, is_passed_over, number_text, plain_text
from irevalcli.reading.numbers import strict_grade, strict_score
from irevalcli.reading.rules import RUN_RANKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.jsonl_values import Keys
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.rules import Rule

_BLANKS = " \t\n\r"


class Member(NamedTuple):
    """A key with its value, and where they stand.

    Attributes:
        key: without quotes.
        value: as `DECODER` has it.
        key_at, value_at: their characters in the line, from the first to one past the last.
    """

    key: str
    value: object
    key_at: slice
    value_at: slice


class Sentences(NamedTuple):
    """What is said about lines.

    Attributes:
        fields: the rule on keys and ids.
        number: the rule on the number.
        number_words: what the number is.
        ids: what each id is.
        example: a right line.
        rank: key of a rank that must be a number, or "".
    """

    fields: Rule
    number: Rule
    number_words: str
    ids: tuple[str, ...]
    example: str
    rank: str = ""


class Line(NamedTuple):
    """A line as text and as bytes."""

    number: int
    text: str
    raw: bytes

    def finding(self, rule: Rule, message: str, path: str, at: slice, *, expected: str = "") -> Finding:
        """A finding about some of its characters."""
        column = len(_encoded(self.text[: at.start or 0])) + 1
        line = DataLine(self.number, self.raw, [])
        found = line.finding(rule, message, path, at=Field(_encoded(self.text[at]), column), expected=expected)
        return found._replace(width=max(found.width, 1))


def members(text: str, start: int = 0) -> list[Member]:
    """The members of the object that starts at a character.

    Raises:
        ValueError: what stands there is no JSON.
    """
    found = []
    place = _past(text, start + 1)
    while not text.startswith("}", place):
        key, end = DECODER.raw_decode(text, place)
        value_start = _past(text, _past(text, end) + 1)
        value, value_end = DECODER.raw_decode(text, value_start)
        found.append(Member(key, value, slice(place, end), slice(value_start, value_end)))
        place = _past(text, value_end)
        if text.startswith(",", place):
            place = _past(text, place + 1)
    return found


def _past(text: str, place: int) -> int:
    """Where the next character stands that is no blank."""
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place


def json_faults(piece: Piece, path: str, keys: Keys, sentences: Sentences, of_each: int | None) -> list[Finding]:
    """Everything wrong with a piece; lines counted from its first."""
    lines = (
        Line(number, raw.decode("utf-8", "surrogateescape"), raw.removesuffix(b"\r"))
        for number, raw in enumerate(piece.lines(), 1)
        if not is_passed_over(raw)
    )
    said = _Said(path, keys, sentences)
    return binary_faults(piece, path) or collected(map(said.about, lines), of_each)


class _Said(NamedTuple):
    """What is to be said about the lines of a file."""

    path: str
    keys: Keys
    sentences: Sentences

    def about(self, line: Line) -> Iterator[Finding]:
        """Everything wrong with a line."""
        start = _past(line.text, 0)
        try:
            DECODER.decode(line.text)
        except json.JSONDecodeError as error:
            yield self._malformed(line, f"not JSON: {error.msg}", slice(error.pos, error.pos + 1))
        except (RecursionError, ValueError):
            yield self._malformed(line, "objects within objects, too deep to read", slice(start, start + 1))
        else:
            if not line.text.startswith("{", start):
                yield self._malformed(line, "no JSON object", slice(start, start + 1))
            elif self.keys.nested:
                yield from self._about_queries(line, members(line.text, start))
            else:
                yield from self._about_row(line, members(line.text, start))

    def _malformed(self, line: Line, message: str, at: slice) -> Finding:
        example = self.sentences.example
        found = line.finding(self.sentences.fields, message, self.path, at, expected=f"expected e.g. {example}")
        return found._replace(help=f"a line is: {example}")

    def _about_queries(self, line: Line, queries: list[Member]) -> Iterator[Finding]:
        for query in queries:
            yield from self._about_id(line, query.key, query.key_at, "the query")
            if not isinstance(query.value, tuple):
                yield self._malformed(line, f"what query {_shown(query.key)} lists is no object", query.value_at)
                continue
            for document in members(line.text, query.value_at.start):
                yield from self._about_id(line, document.key, document.key_at, "the document")
                yield from self._about_number(line, document)

    def _about_row(self, line: Line, found: list[Member]) -> Iterator[Finding]:
        whole = slice(len(line.text.rstrip()))
        by_key: dict[str, Member] = {}
        for member in found:
            if by_key.setdefault(member.key, member) is not member:
                yield self._malformed(line, f"the key {_shown(member.key)} stands here twice", member.key_at)
        missing = [_shown(key) for key in self.keys.needed if key not in by_key]
        if missing:
            yield self._malformed(line, f"no key {', '.join(missing)}", whole)
        for key, words in zip(self.keys.ids, self.sentences.ids, strict=True):
            if key in by_key:
                yield from self._about_id(line, by_key[key].value, by_key[key].value_at, words)
        if self.keys.number in by_key:
            yield from self._about_number(line, by_key[self.keys.number])
        for key in self.keys.texts:
            if key in by_key and plain_text(by_key[key].value) is None:
                yield self._malformed(line, f"{_shown(key)} holds a line break or NUL", by_key[key].value_at)
        yield from self._about_rank(line, by_key.get(self.sentences.rank), whole)

    def _about_id(self, line: Line, value: object, at: slice, words: str) -> Iterator[Finding]:
        if id_text(value) is not None:
            return
        text = line.text[at]
        if isinstance(value, str):
            message = f"{words} holds a line break or NUL: {_shown(text)}" if value else f"{words} is empty"
        else:
            message = f"{words} is neither a string nor an integer: {_shown(text)}"
        yield self._malformed(line, message, at)

    def _about_number(self, line: Line, member: Member) -> Iterator[Finding]:
        number = number_text(member.value, infinite=self.keys.infinite)
        if number is not None and strict_score(number.encode()) is not None:
            return
        text, at = _encoded(line.text[member.value_at]), member.value_at
        message = f"{self.sentences.number_words} is not a number: {quoted(text)}"
        yield line.finding(self.sentences.number, message, self.path, at, expected=number_advice(text))

    def _about_rank(self, line: Line, member: Member | None, whole: slice) -> Iterator[Finding]:
        if not self.sentences.rank:
            return
        text = None if member is None else plain_text(member.value)
        if text is None or strict_grade(_encoded(text)) is None:
            at = whole if member is None else member.value_at
            message = "no rank" if member is None else f"rank is not a number: {_shown(line.text[at])}"
            yield line.finding(RUN_RANKS, message, self.path, at, expected="ties are to be broken by it")


def _encoded(text: str) -> bytes:
    return encoded([text])[0]


def _shown(text: str) -> str:
    return quoted(_encoded(text))
