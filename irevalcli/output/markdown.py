"""A table in GitHub's Markdown; the best of several runs is bold."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from irevalcli.output.grid import grids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.analysis.scores import Evaluation
    from irevalcli.output.grid import Grid, GridColumn
    from irevalcli.output.registry import Layout

# Also what GitHub adds to Markdown: strikethrough, entities, formulas.
_ACTIVE = re.compile(r"[\\`*_\[\]<>|~&$]")
_ROWS_AT_A_TIME = 512


def render(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """One table; per query the runs follow one another in it."""
    for place, grid in enumerate(grids(evaluation, layout)):
        yield from (text.encode() for text in grid_rows(grid, heading=not place))


def grid_rows(grid: Grid, *, heading: bool = True) -> Iterator[str]:
    """The rows of a grid, many at a time, with its heading above them unless they go on with a table."""
    columns = [*grid.keys, *grid.measures]
    if heading:
        rule = "|".join("---:" if column.right else ":---" for column in columns)
        yield f"{_row(literal(column.heading) for column in columns)}|{rule}|\n"
    rows = map(_row, zip(*map(_cells, columns), strict=True))
    while text := "".join(islice(rows, _ROWS_AT_A_TIME)):
        yield text


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cells(column: GridColumn) -> Iterator[str]:
    texts = column.cells if column.right else map(literal, column.cells)
    return (f"**{text}**" if row in column.best else text for row, text in enumerate(texts))


def literal(text: str) -> str:
    """The text with a backslash before every character that Markdown would act on."""
    return _ACTIVE.sub(r"\\\g<0>", text)
