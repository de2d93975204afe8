"""Aligned text for people, the same on a terminal and elsewhere but for bold type and line breaks.

Nothing is ever shortened. What is wider than the terminal goes on in further blocks, each with run and query in front.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.display_width import display_width, padded
from irevalcli.output.grid import grids

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Evaluation
    from irevalcli.output.grid import Grid, GridColumn
    from irevalcli.output.registry import Layout

_GAP = "   "
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_ROWS_AT_A_TIME = 512


class _Aligned(NamedTuple):
    """A column whose heading and cells all have the same width."""

    width: int
    heading: str
    cells: list[str]


def render(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """The table in pieces; per query, one table for each run, an empty line between them."""
    for place, grid in enumerate(grids(evaluation, layout)):
        if place:
            yield b"\n"
        for text in grid_text(grid, layout):
            yield text.encode()


def grid_text(grid: Grid, layout: Layout) -> Iterator[str]:
    """The lines of one grid, several at a time."""
    keys = [_aligned(column, layout) for column in grid.keys]
    measures = [_aligned(column, layout) for column in grid.measures]
    for place, block in enumerate(_blocks(keys, measures, layout.width)):
        if place:
            yield "\n"
        yield from _block([*keys, *block], grid.aggregates, layout)


def _aligned(column: GridColumn, layout: Layout) -> _Aligned:
    texts = padded([column.heading, *column.cells], right=column.right)
    width = display_width(texts[0])
    if layout.colour:
        for row in column.best:
            texts[row + 1] = f"{_BOLD}{texts[row + 1]}{_PLAIN}"
        for row, paint in enumerate(column.paint, 1):
            texts[row] = f"{paint}{texts[row]}{_PLAIN}" if paint else texts[row]
    return _Aligned(width, texts[0], texts[1:])


def _blocks(keys: list[_Aligned], measures: list[_Aligned], limit: int | None) -> Iterator[list[_Aligned]]:
    """The measures in groups that fit the terminal beside the keys, at least one in each."""
    if limit is None or not measures:
        yield measures
        return
    start = sum(key.width + len(_GAP) for key in keys) - len(_GAP)
    block: list[_Aligned] = []
    used = start
    for column in measures:
        wanted = len(_GAP) + column.width
        if block and used + wanted > limit:
            yield block
            block, used = [], start
        block.append(column)
        used += wanted
    yield block


def _block(columns: list[_Aligned], aggregates: int, layout: Layout) -> Iterator[str]:
    heading = _GAP.join(column.heading for column in columns).rstrip(" ")
    yield f"{_BOLD}{heading}{_PLAIN}\n" if layout.colour else f"{heading}\n"
    rows = map(_line, zip(*(column.cells for column in columns), strict=True))
    remaining = len(columns[0].cells) - aggregates
    while remaining > 0:
        yield "".join(islice(rows, min(remaining, _ROWS_AT_A_TIME)))
        remaining -= _ROWS_AT_A_TIME
    if aggregates:
        total = sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)
        rule = ("─" if layout.unicode else "-") * (total if layout.width is None else min(total, layout.width))
        yield f"{_DIM}{rule}{_PLAIN}\n" if layout.colour else f"{rule}\n"
        yield "".join(rows)


def _line(cells: tuple[str, ...]) -> str:
    return _GAP.join(cells).rstrip(" ") + "\n"
