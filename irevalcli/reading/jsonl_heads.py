"""The beginning of a JSONL file: whether it is one, and the names of its keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from irevalcli.reading.faults import DataLine, Field
from irevalcli.reading.headers import is_header
from irevalcli.reading.json_objects import encoded
from irevalcli.reading.jsonl_values import DECODER, is_passed_over

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.reading.headers import Role
    from irevalcli.reading.heads import Head

F = TypeVar("F")

_FIRST_VALUE = re.compile(rb'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*(\{|[^\s{])')


class JsonStart(NamedTuple):
    """The first object of a file.

    Attributes:
        line: it, with its keys as fields; without fields if it is not seen whole.
        nested: it is a query with its documents.
        alone: no other object is seen after it.
    """

    line: DataLine
    nested: bool
    alone: bool

    def is_row(self, roles: Sequence[Role]) -> bool:
        """Whether its keys are those of a row."""
        return not self.nested and is_header([field.text for field in self.line.fields], roles)


def names_of(line: DataLine) -> tuple[str, ...]:
    """The keys of a line that has them as its fields."""
    return tuple(field.text.decode("utf-8", "surrogateescape") for field in line.fields)


class JsonLinesKind(NamedTuple, Generic[F]):
    """JSONL, as runs or as qrels are written in it: how the format of such a file is told from its head.

    Attributes:
        roles: what keys can stand for.
        nested: the format of a file whose lines are queries with their documents.
        plain: the format of a file whose first line is not seen whole, or is no object.
        keyed: the format of a file by its first line, which has the keys as its fields. Raises InputProblem if a key is
            missing.
    """

    roles: Sequence[Role]
    nested: F
    plain: F
    keyed: Callable[[DataLine, Head], F]

    def told(self, head: Head) -> F:
        """The format of a file that is said to be JSONL.

        Raises:
            InputProblem: its first line lacks a key or has one twice.
        """
        return self._by_start(_json_start(head), head)

    def recognised(self, head: Head) -> F | None:
        """The format of a file that is JSONL, or None; a single object that is no row is JSON of another format.

        Raises:
            InputProblem: its first line lacks a key or has one twice.
        """
        start = _json_start(head)
        if start is None or (start.alone and not start.is_row(self.roles)):
            return None
        return self._by_start(start, head)

    def _by_start(self, start: JsonStart | None, head: Head) -> F:
        if start is None or not (start.nested or start.line.fields):
            return self.plain
        return self.nested if start.nested else self.keyed(start.line, head)


def _json_start(head: Head) -> JsonStart | None:
    """The first object of a file, if it fills a line, or one that is longer than the head; else None."""
    lines = [(number, text) for number, text in enumerate(head.text.split(b"\n"), 1) if not is_passed_over(text)]
    if not lines:
        return None
    number, text = lines[0]
    try:
        pairs = DECODER.decode(text.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None if head.whole or len(lines) > 1 else _cut_off(head, number, text)
    if not isinstance(pairs, tuple) or not pairs:
        return None
    keys = [encoded([key])[0] for key, _ in pairs]
    nested = all(isinstance(value, tuple) for _, value in pairs)
    places = [text.find(b'"' + key + b'"') + 2 for key in keys]
    fields = [Field(key, max(place, 1)) for key, place in zip(keys, places, strict=True)]
    alone = not any(other.lstrip().startswith(b"{") for _, other in lines[1:])
    return JsonStart(DataLine(number, text.removesuffix(b"\r"), fields), nested, alone)


def _cut_off(head: Head, number: int, text: bytes) -> JsonStart | None:
    """An object that begins with a query, alone unless comments precede it, which only JSONL has; or else a row."""
    first = _FIRST_VALUE.match(text)
    if first is None:
        return None
    nested = first[1] == b"{"
    commented = any(line.strip() for line in head.text.split(b"\n")[: number - 1])
    return JsonStart(DataLine(number, text, []), nested, alone=nested and not commented)
