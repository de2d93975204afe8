"""How a JSONL line is written: its keys, and the text around its values."""

from __future__ import annotations

import re
from typing import NamedTuple

from irevalcli.reading.jsonl_values import members_of

MOST_VALUES = 40
"""Lines with more values are long and few: numpy's cost per value would exceed that of reading them one by one."""

_BLANK = rb"[ \t\r]*"
_STRING = rb'"((?:[^"\\]|\\.)*)"'
_NUMBER = rb"(-?[0-9][0-9.eE+-]*)"
_TOKEN = re.compile(
    _BLANK + b"(?:" + _STRING + b"(" + _BLANK + b":)?|" + _NUMBER + rb"|true|false|null|([\[{])|([\]}])|,)"
)


class Template(NamedTuple):
    """How a line is written.

    Attributes:
        keys: of the values in order; None for those inside of lists or further objects. The words true, false and null
            are no values here but part of the text.
        numbers: per value, whether it is a number and no string.
        literals: what stands before the first value, between each two, and behind the last, with the quotes of strings.
    """

    keys: tuple[str | None, ...]
    numbers: tuple[bool, ...]
    literals: tuple[bytes, ...]


def template_of(line: bytes) -> Template | None:
    """How a line is written that is an object of some values, with keys without escapes, each but once; else None."""
    pairs = members_of(line.decode("utf-8", "surrogateescape"))
    if pairs is None or len(dict(pairs)) < len(pairs):
        return None
    keys: list[str | None] = []
    numbers, literals = [], []
    key = None
    place, told, depth, stop = 0, 0, 0, len(line.rstrip())
    while place < stop:
        token = _TOKEN.match(line, place)
        if token is None:
            return None
        string, colon, number, opens, closes = token.groups()
        depth += (opens is not None) - (closes is not None)
        if colon is not None:
            if b"\\" in string:
                return None
            key = string.decode("utf-8", "surrogateescape") if depth == 1 else None
        elif string is not None or number is not None:
            value = 1 if number is None else 3
            keys.append(key if depth == 1 else None)
            numbers.append(number is not None)
            literals.append(line[told : token.start(value)])
            told = token.end(value)
        place = token.end()
    if not 0 < len(keys) <= MOST_VALUES:
        return None
    return Template(tuple(keys), tuple(numbers), (*literals, line[told:]))
