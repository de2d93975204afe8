"""Running text in the output: lines that fit a terminal, and what queries and documents say."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.display_width import display_width
from irevalcli.output.grid import GridColumn
from irevalcli.output.id_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from irevalcli.output.registry import Layout

_GAP = 3
_SHORTEST_TEXT = 20
_NARROWEST = 20
_BEFORE_SIGN = re.compile(r" (?=[−+-][0-9])")
_UNBROKEN = "\0"
"""Stands for a blank at which no line ends. Texts hold no such character once they are `visible`."""


class Texts(NamedTuple):
    """What queries and documents say, by id; those without a text are absent."""

    queries: Mapping[bytes, str]
    documents: Mapping[bytes, str]


def text_column(
    docids: Sequence[bytes | None], others: Iterable[GridColumn], layout: Layout, texts: Texts
) -> GridColumn:
    """What documents say, cut to what the terminal has room for beside the other columns, two of which are keys."""
    found = [visible(" ".join(texts.documents.get(docid or b"", "").split())) for docid in docids]
    if layout.width is not None:
        widths = [max(map(display_width, [column.heading, *column.cells])) + _GAP for column in others]
        room = layout.width - sum(widths)
        if room < _SHORTEST_TEXT:
            # It goes on below, beside the keys alone.
            room = max(layout.width - sum(widths[:2]), _SHORTEST_TEXT)
        found = [_cut(text, room, "…" if layout.unicode else "...") for text in found]
    return GridColumn("text", found)


def _cut(text: str, room: int, ellipsis: str) -> str:
    if display_width(text) <= room:
        return text
    while text and display_width(text) > room - len(ellipsis):
        text = text[:-1]
    return text + ellipsis


def wrapped(text: str, width: int | None, *, first: str = "", indent: str = "") -> Iterator[str]:
    """The text in lines that fit the terminal; none if it is empty. A change stays beside what has changed."""
    if width is None:
        if text:
            yield f"{first}{text}\n"
        return
    lines = textwrap.wrap(
        _BEFORE_SIGN.sub(_UNBROKEN, text),
        max(width, len(indent) + _NARROWEST),
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (f"{line}\n".replace(_UNBROKEN, " ") for line in lines)
