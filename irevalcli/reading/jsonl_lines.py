"""JSONL to columns: one JSON object a line, which is a row, or a query with all its documents."""

from __future__ import annotations

import json
import re
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.json_objects import encoded
from irevalcli.reading.jsonl_alike import template_of, values_alike
from irevalcli.reading.numbers import parse_integers
from irevalcli.reading.tokens import NEWLINE, Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Bytes, Positions
    from irevalcli.reading.pieces import Piece

LINE_ENDS = re.compile("[\0\n\r]")
"""Characters that no id holds."""


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
    """

    ids: tuple[str, ...]
    number: str | None
    texts: tuple[str, ...] = ()
    nested: bool = False

    @property
    def needed(self) -> tuple[str, ...]:
        """The keys that must be there."""
        return self.ids if self.number is None else (*self.ids, self.number)

    @property
    def all(self) -> tuple[str, ...]:
        """All keys, in the order of `JsonRows.columns`."""
        return self.needed + self.texts


NESTED = Keys(("qid", "docid"), "number", nested=True)


class JsonRows(NamedTuple):
    """The data lines of a piece, column by column; a nested line is several rows.

    Attributes:
        data: buffer that holds the fields.
        columns: by key; of nested lines qid, docid and number.
        lines: physical lines, counted from 0, that the rows stand on; None if row i is line i.
        line_count: physical lines of the piece.
        malformed: how many rows come before the first malformed line; None if all are right.
        dropped: malformed lines that were passed over.
    """

    data: Bytes
    columns: list[Fields]
    lines: Positions | None
    line_count: int
    malformed: int | None
    dropped: int


def json_rows(piece: Piece, keys: Keys, *, skip: bool) -> JsonRows:
    """The rows of a piece, up to the first malformed line unless these are to be passed over."""
    columns = None if keys.nested else _alike(piece, keys)
    if columns is not None:
        return JsonRows(piece.data, columns, None, columns[0].start.size, None, 0)
    return _one_by_one(piece, keys, skip=skip)


def _alike(piece: Piece, keys: Keys) -> list[Fields] | None:
    """The columns, if all lines are written like the first one; else None."""
    body = piece.data[PAD : piece.stop]
    template = template_of(body[: int((body == NEWLINE).argmax())].tobytes())
    if template is None:
        return None
    places = {key.decode("utf-8", "surrogateescape"): place for place, key in enumerate(template.keys)}
    if not places.keys() >= set(keys.all):
        return None
    if keys.number is not None and not template.numbers[places[keys.number]]:
        return None
    fields = values_alike(piece, template)
    if fields is None:
        return None
    for key in keys.ids:
        if template.numbers[places[key]] and parse_integers(piece.data, *fields[places[key]])[1].any():
            return None
    return [fields[places[key]] for key in keys.all]


def _one_by_one(piece: Piece, keys: Keys, *, skip: bool) -> JsonRows:
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    stopped, dropped = False, 0
    every = piece.lines()
    for place, text in enumerate(every):
        if is_passed_over(text):
            continue
        found = _rows_of(text, keys)
        if found is not None:
            rows += found
            lines += [place] * len(found)
        elif skip:
            dropped += 1
        else:
            stopped = True
            break
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(keys.all)
    data, fields = _held(columns)
    return JsonRows(data, fields, np.array(lines, np.int64), len(every), len(rows) if stopped else None, dropped)


def _held(columns: Sequence[Sequence[str]]) -> tuple[Bytes, list[Fields]]:
    """A buffer with all strings, and where they are."""
    parts = [encoded(column) for column in columns]
    ends = np.cumsum([length for _, lengths in parts for length in lengths], dtype=np.int64) + PAD
    starts = np.concatenate(([PAD], ends))[:-1]
    borders = np.cumsum([len(column) for column in columns])[:-1]
    data = np.frombuffer(b"".join((bytes(PAD), *(text for text, _ in parts), bytes(PAD))), np.uint8)
    fields = [Fields(start, end) for start, end in zip(np.split(starts, borders), np.split(ends, borders), strict=True)]
    return data, fields


def is_passed_over(line: bytes) -> bool:
    """Whether a line is blank or a comment."""
    text = line.lstrip()
    return not text or text.startswith(b"#")


def _rows_of(line: bytes, keys: Keys) -> list[tuple[str, ...]] | None:
    """The values of a line, by row and key, or None if it is malformed."""
    try:
        pairs = DECODER.decode(line.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(pairs, tuple):
        return None
    return _of_queries(pairs) if keys.nested else _of_row(pairs, keys)


def _of_row(pairs: tuple[tuple[str, object], ...], keys: Keys) -> list[tuple[str, ...]] | None:
    values = dict(pairs)
    texts = [id_text(values.get(key)) for key in keys.ids]
    if keys.number is not None:
        texts.append(number_text(values.get(keys.number)))
    texts += [plain_text(values.get(key)) for key in keys.texts]
    row = tuple(text for text in texts if text is not None)
    return [row] if len(row) == len(texts) and len(values) == len(pairs) else None


def _of_queries(pairs: tuple[tuple[str, object], ...]) -> list[tuple[str, ...]] | None:
    rows: list[tuple[str, ...]] = []
    for qid, listed in pairs:
        if not isinstance(listed, tuple) or id_text(qid) is None:
            return None
        docids = [docid for docid, _ in listed]
        numbers = [number.decode() for _, number in listed if isinstance(number, bytes)]
        if len(numbers) < len(docids) or "" in docids or LINE_ENDS.search("".join(docids)):
            return None
        rows += zip(repeat(qid), docids, numbers, strict=False)
    return rows


def id_text(value: object) -> str | None:
    """A string, or the digits of an integer; None if the value is no id."""
    if isinstance(value, bytes):
        value = value.decode()
        return value if value.removeprefix("-").isdigit() else None
    return value if isinstance(value, str) and value and not LINE_ENDS.search(value) else None


def number_text(value: object) -> str | None:
    """The number as it is written; None if the value is none."""
    return value.decode() if isinstance(value, bytes) else None


def plain_text(value: object) -> str | None:
    """The string, or the number as it is written, "" of other values; None if it is no plain text."""
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        return ""
    return None if LINE_ENDS.search(value) else value
