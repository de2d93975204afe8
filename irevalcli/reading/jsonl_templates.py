"""How a JSONL line is written: its keys, and the text around its values."""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANK = rb"[ \t\r]*"
_KEY = _BLANK + rb'"([^"\\]+)"' + _BLANK + b":" + _BLANK
_STRING = rb'"((?:[^"\\]|\\.)*)"'
_VALUE = b"(?:" + _STRING + rb"|(-?[0-9][0-9.eE+-]*)|(?:true|false|null))" + _BLANK
_MEMBER = re.compile(_KEY + _VALUE + rb"(?:(,)|\}" + _BLANK + b"$)")


class Template(NamedTuple):
    """How a line is written.

    Attributes:
        keys: in order, without those of the words true, false and null, which are no values here but part of the text.
        numbers: per key, whether its value is a number and no string.
        literals: what stands before the first value, between each two, and behind the last, with the quotes of strings.
    """

    keys: tuple[str, ...]
    numbers: tuple[bool, ...]
    literals: tuple[bytes, ...]


def template_of(line: bytes) -> Template | None:
    """How a line is written that is a flat object with keys without escapes; None of others."""
    every, keys, numbers, literals = [], [], [], []
    opening = re.match(_BLANK + rb"\{", line)
    place = opening.end() if opening else 0
    told = 0
    more = opening is not None
    while more:
        member = _MEMBER.match(line, place)
        if member is None:
            return None
        every.append(member[1])
        value = 2 if member[2] is not None else 3 if member[3] is not None else 0
        if value:
            keys.append(member[1].decode("utf-8", "surrogateescape"))
            numbers.append(value == 3)
            literals.append(line[told : member.start(value)])
            told = member.end(value)
        place = member.end()
        more = member[4] is not None
    if not keys or len(set(every)) < len(every):
        return None
    return Template(tuple(keys), tuple(numbers), (*literals, line[told:]))
