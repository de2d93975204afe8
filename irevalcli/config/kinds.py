"""The kinds of values in the configuration file: what each accepts, and what becomes of it."""

from __future__ import annotations

import datetime as dt
import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from irevalcli.config.keys import MOST_DIGITS, ORDERS, STDIN, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.config.keys import Key


class ValueKind(NamedTuple):
    """A kind of values.

    Attributes:
        expected: what a value is, in words.
        accepts: whether a value that TOML gave is one, for a key.
        converted: the value as the program takes it, from the one in the file and the file's folder.
    """

    expected: str
    accepts: Callable[[Any, Key], bool]
    converted: Callable[[Any, str], Any] = lambda value, _: value


def _is_text(value: Any, _: Key) -> bool:  # noqa: ANN401
    return isinstance(value, str) and bool(value.strip()) and "\0" not in value


def _are_texts(value: Any, key: Key) -> bool:  # noqa: ANN401
    return isinstance(value, list) and bool(value) and all(_is_text(member, key) for member in value)


def _is_number(value: Any, key: Key) -> bool:  # noqa: ANN401
    # TOML's true is an int for Python.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    inside = key.least < value < key.most
    return inside or (key.inclusive and value in (key.least, key.most))


def _is_count(value: Any, key: Key) -> bool:  # noqa: ANN401
    return isinstance(value, int) and _is_number(value, key)


def _is_share_or_number(value: Any, key: Key) -> bool:  # noqa: ANN401
    return _is_number(value, key) or (_is_text(value, key) and value.strip().endswith("%"))


def _is_decimals(value: Any, _: Key) -> bool:  # noqa: ANN401
    if value == "full":
        return True
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_DIGITS


def _is_order(value: Any, _: Key) -> bool:  # noqa: ANN401
    word, _colon, measure = value.partition(":") if isinstance(value, str) else ("", "", "")
    return word in ORDERS and (word == "value" or not measure)


def _is_date(value: Any, _: Key) -> bool:  # noqa: ANN401
    return isinstance(value, dt.date) and not isinstance(value, dt.datetime)


def _is_table(value: Any, _: Key) -> bool:  # noqa: ANN401
    return isinstance(value, dict)


def _are_tables(value: Any, key: Key) -> bool:  # noqa: ANN401
    return isinstance(value, list) and all(_is_table(member, key) for member in value)


def _path(text: str, folder: str) -> str:
    """The path as seen from the working directory."""
    return text if text == STDIN else os.path.join(folder, text)  # noqa: PTH118  (a path stays as it was written)


def _run(text: str, folder: str) -> str:
    """Likewise a run; one that names an existing file is a path as a whole, else it may be LABEL=PATH."""
    label, equals, path = text.partition("=")
    if not (equals and label and path) or os.path.exists(_path(text, folder)):  # noqa: PTH110
        return _path(text, folder)
    return f"{label}={_path(path, folder)}"


def _queries(text: str, folder: str) -> str:
    return f"@{_path(text[1:], folder)}" if text.startswith("@") else text


KINDS: dict[Kind, ValueKind] = {
    "text": ValueKind("text in quotes", _is_text),
    "texts": ValueKind("a list of texts in quotes", _are_texts),
    "choice": ValueKind("one of", lambda value, key: value in key.values),
    "switch": ValueKind("true or false", lambda value, _: isinstance(value, bool)),
    "number": ValueKind("a number", _is_number),
    "count": ValueKind("a whole number", _is_count),
    "share or number": ValueKind('a number, or a share such as "2%"', _is_share_or_number),
    "decimals": ValueKind(f'a whole number from 0 to {MOST_DIGITS}, or "full"', _is_decimals),
    "path": ValueKind("a path in quotes", _is_text, _path),
    "paths": ValueKind(
        "a list of paths in quotes", _are_texts, lambda paths, folder: [_path(path, folder) for path in paths]
    ),
    "run": ValueKind("a path, or LABEL=PATH, in quotes", _is_text, _run),
    "runs": ValueKind(
        "a list of paths, or LABEL=PATH, in quotes",
        _are_texts,
        lambda runs, folder: [_run(run, folder) for run in runs],
    ),
    "queries": ValueKind("qids with commas between them, or @FILE, in quotes", _is_text, _queries),
    "order": ValueKind(f"one of {', '.join(ORDERS)}, value:MEASURE", _is_order),
    "date": ValueKind("a date such as 2027-03-01, without quotes", _is_date),
    "table": ValueKind("a table", _is_table),
    "tables": ValueKind("a list of tables", _are_tables),
    "table or tables": ValueKind(
        "a table, or a list of them", lambda value, key: _is_table(value, key) or _are_tables(value, key)
    ),
}
"""Every kind by its name."""


def expected(key: Key) -> str:
    """What a value of this key is, in words, with its limits."""
    words = KINDS[key.kind].expected
    if key.kind == "choice":
        return f"{words} {', '.join(key.values)}"
    limits = [
        f"{sign} {limit:g}"
        for sign, limit in ((("≥", ">")[not key.inclusive], key.least), (("≤", "<")[not key.inclusive], key.most))
        if math.isfinite(limit)
    ]
    return f"{words} {' and '.join(limits)}" if limits else words
