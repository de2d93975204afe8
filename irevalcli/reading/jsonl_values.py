"""One line of JSONL to its values, exactly: what is read, and what counts as an id, a number or a text."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

Pairs = tuple[tuple[str, object], ...]

LINE_ENDS = re.compile("[\0\n\r]")
"""Characters that no id holds."""

_INFINITIES = ("Infinity", "-Infinity")
_BLANKS = " \t\n\r"


class Bare:
    """A word that JSON does not have and that Python writes: NaN, Infinity, -Infinity."""

    def __init__(self, word: str) -> None:
        self.word = word


DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_float=str.encode, parse_int=str.encode, parse_constant=Bare)
"""Numbers come as the bytes that are written, objects as tuples of pairs, so that no digit and no key gets lost."""


class Keys(NamedTuple):
    """What is read of every line.

    Attributes:
        ids: keys of strings or integers that must be there: query, document, and perhaps a sub-topic.
        number: key of the number, or None.
        texts: keys of what may be missing and is taken as it stands.
        nested: there are none of these keys: lines have the form ``{qid: {docid: number}}``.
        infinite: whether the number may be Infinity or -Infinity.
    """

    ids: tuple[str, ...]
    number: str | None
    texts: tuple[str, ...] = ()
    nested: bool = False
    infinite: bool = False

    @property
    def needed(self) -> tuple[str, ...]:
        """The keys that must be there."""
        return self.ids if self.number is None else (*self.ids, self.number)

    @property
    def all(self) -> tuple[str, ...]:
        """All keys, in the order of the columns that they become."""
        return self.needed + self.texts


def is_passed_over(line: bytes) -> bool:
    """Whether a line is blank or a comment."""
    text = line.lstrip()
    return not text or text.startswith(b"#")


def members_of(text: str) -> Pairs | None:
    """The keys of the object that a line is, with their values; None if it is none, or more than one."""
    text = text.strip(_BLANKS)
    try:
        pairs, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return pairs if end == len(text) and isinstance(pairs, tuple) else None


def id_text(value: object) -> str | None:
    """A string, or the digits of an integer; None if the value is no id."""
    if isinstance(value, bytes):
        value = value.decode()
        return value if value.removeprefix("-").isdigit() else None
    if not isinstance(value, str) or not value:
        return None
    # What can be printed has no line end; to ask for that is much faster than to search.
    return value if value.isprintable() or not LINE_ENDS.search(value) else None


def number_text(value: object, *, infinite: bool) -> str | None:
    """The number as it is written; None if the value is none."""
    if isinstance(value, bytes):
        return value.decode()
    return value.word if infinite and isinstance(value, Bare) and value.word in _INFINITIES else None


def plain_text(value: object) -> str | None:
    """The string, or the number as it is written, "" of other values; None if it is no plain text."""
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        return ""
    return value if value.isprintable() or not LINE_ENDS.search(value) else None
