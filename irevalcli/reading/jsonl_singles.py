"""JSONL lines that are not written like others, or hold queries: read one by one, their values checked together."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.jsonl_alike import Alike
from irevalcli.reading.jsonl_values import id_text, is_passed_over, members_of, number_text, plain_text
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.annexes import Annex
    from irevalcli.reading.arrays import Positions
    from irevalcli.reading.jsonl_marks import Marks
    from irevalcli.reading.jsonl_values import Keys, Pairs

    Row = tuple[object, ...]


class Singles(NamedTuple):
    """What lines come to that were read one by one.

    Attributes:
        rows: of the lines that are right; a line of queries is there once for each document.
        malformed: the other lines, ascending, without comments and blank ones.
    """

    rows: Alike
    malformed: Positions


def one_by_one(marks: Marks, lines: Positions, keys: Keys, annex: Annex) -> Singles:
    """What these lines come to; the annex takes their values."""
    raw = token_list(marks.data, *marks.lines.at(lines))
    texts = b"\n".join(raw).decode("utf-8", "surrogateescape").split("\n") if raw else []
    found = _queries(texts) if keys.nested else _rows(texts, keys.all)
    malformed = np.zeros(lines.size, np.bool_)
    malformed[[place for place in found.others if not is_passed_over(raw[place])]] = True
    at = np.array(found.places, np.int64)
    columns = _columns(found.rows, keys)
    for column in columns:
        if None in column:
            malformed[at[[text is None for text in column]]] = True
    fields = [annex.hold([text or "" for text in column]) for column in columns]
    return Singles(Alike(lines[at], fields).at(~malformed[at]), lines[malformed])


class _Found(NamedTuple):
    """Objects in lines.

    Attributes:
        rows: query, document and so on, whatever they are.
        places: the line of each row.
        others: lines without an object of the form.
    """

    rows: list[Row]
    places: list[int]
    others: list[int]


def _rows(texts: Sequence[str], wanted: tuple[str, ...]) -> _Found:
    """What each line has for each key, None where that is missing; no key comes twice."""
    found = _Found([], [], [])
    values_of = itemgetter(*wanted)
    for place, text in enumerate(texts):
        pairs = members_of(text)
        values = dict(pairs or ())
        if pairs is None or len(values) < len(pairs):
            found.others.append(place)
            continue
        try:
            row = values_of(values)
        except KeyError:
            row = tuple(map(values.get, wanted))
        found.rows.append(row)
        found.places.append(place)
    return found


def _queries(texts: Sequence[str]) -> _Found:
    """Query, document and number of all that the queries of each line list."""
    found = _Found([], [], [])
    for place, text in enumerate(texts):
        queries = members_of(text)
        rows = None if queries is None else _of_queries(queries)
        if rows is None:
            found.others.append(place)
            continue
        found.rows.extend(rows)
        found.places.extend([place] * len(rows))
    return found


def _of_queries(queries: Pairs) -> list[Row] | None:
    rows: list[Row] = []
    for qid, listed in queries:
        if not isinstance(listed, tuple) or id_text(qid) is None:
            return None
        rows += [(qid, *entry) for entry in listed]
    return rows


def _columns(rows: Sequence[Row], keys: Keys) -> list[Sequence[str | None]]:
    """The values by key, as text; None are those that may not stand there."""
    columns = list(zip(*rows, strict=True)) or [()] * len(keys.all)
    ids, numbers, texts = (
        columns[: len(keys.ids)],
        columns[len(keys.ids) : len(keys.needed)],
        columns[len(keys.needed) :],
    )
    return [
        *(_ids(column) for column in ids),
        *([number_text(value, infinite=keys.infinite) for value in column] for column in numbers),
        *([plain_text(value) for value in column] for column in texts),
    ]


def _ids(column: Row) -> Sequence[str | None]:
    # A look at all together is faster, and seldom fails: what can be printed has no line end.
    strings = [value for value in column if isinstance(value, str) and value]
    if len(strings) == len(column) and "".join(strings).isprintable():
        return strings
    return [id_text(value) for value in column]
