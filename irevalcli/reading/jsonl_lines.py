"""JSONL to columns: one JSON object a line, which is a row, or a query with all its documents.

Lines that are written alike are read together. How they are written is taken from one of them; what that does not fit
may fit another way of writing, as where two programs wrote the file; what is left is read one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.annexes import Annex
from irevalcli.reading.jsonl_alike import Alike, lines_alike
from irevalcli.reading.jsonl_marks import marks_of
from irevalcli.reading.jsonl_singles import one_by_one
from irevalcli.reading.jsonl_templates import template_of
from irevalcli.reading.tokens import Fields, Rows

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Positions
    from irevalcli.reading.jsonl_marks import Marks
    from irevalcli.reading.jsonl_values import Keys
    from irevalcli.reading.pieces import Piece

MOST_TEMPLATES = 8
"""How many ways of writing a line are tried in a piece."""

GOOD_SHARE = 32
"""A template is worth its while if one of so many lines is written like it."""

MOST_MISSES = 3
"""After so many templates that were not, the lines have little in common."""

FEW_LINES = 64
"""So many lines are read one by one sooner than by another template."""


def json_rows(piece: Piece, keys: Keys, *, skip: bool) -> tuple[Bytes, Rows]:
    """The buffer that holds the values, and the rows of a piece; a nested line is several rows.

    The columns are those of `keys`, of nested lines qid, docid and number. The rows go up to the first malformed line
    unless these are to be passed over.
    """
    marks = marks_of(piece)
    annex = Annex(piece)
    line_count = marks.lines.start.size
    parts, left = ([], np.arange(line_count)) if keys.nested else _together(marks, keys, annex)
    if len(parts) == 1 and not left.size:
        return annex.data(), Rows(parts[0].fields, None, line_count)
    rest = one_by_one(marks, left, keys, annex)
    found = _merged([*parts, rest.rows])
    if skip or not rest.malformed.size:
        return annex.data(), Rows(found.fields, found.lines, line_count, dropped=rest.malformed.size)
    found = found.at(found.lines < rest.malformed[0])
    return annex.data(), Rows(found.fields, found.lines, line_count, found.lines.size)


def _together(marks: Marks, keys: Keys, annex: Annex) -> tuple[list[Alike], Positions]:
    """The lines that are written like others, by template, and all that are left."""
    parts: list[Alike] = []
    is_left = np.ones(marks.lines.start.size, np.bool_)
    waiting = np.flatnonzero(marks.quote_counts)
    misses = 0
    for _ in range(MOST_TEMPLATES):
        if misses == MOST_MISSES or waiting.size < (FEW_LINES if parts else 1):
            break
        # The first lines of a file may be comments, and the first of a piece is as good a sample as any other.
        model = int(waiting[waiting.size // 2])
        template = template_of(marks.data[marks.lines.start[model] : marks.lines.end[model]].tobytes())
        found = None if template is None else lines_alike(marks, template, waiting, keys, annex)
        if found is not None and found.lines.size:
            parts.append(found)
            is_left[found.lines] = False
        misses += found is None or found.lines.size * GOOD_SHARE < waiting.size
        waiting = waiting[is_left[waiting] & (waiting != model)]
    return parts, np.flatnonzero(is_left)


def _merged(parts: list[Alike]) -> Alike:
    """All their rows, in the order of the lines."""
    if len(parts) == 1:
        return parts[0]
    lines = np.concatenate([part.lines for part in parts])
    order = np.argsort(lines, kind="stable")
    columns = zip(*(part.fields for part in parts), strict=True)
    fields = [Fields(*(np.concatenate(ends)[order] for ends in zip(*column, strict=True))) for column in columns]
    return Alike(lines[order], fields)
