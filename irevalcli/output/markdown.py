"""A table in GitHub's Markdown; the best of several runs is bold."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from irevalcli.output.grid import grids
from irevalcli.output.id_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.analysis.scores import Evaluation
    from irevalcli.output.grid import Grid, GridColumn
    from irevalcli.output.registry import Layout

# Also what GitHub adds to Markdown: strikethrough, entities, formulas.
_ACTIVE = re.compile(r"[\\`*_\[\]<>|~&$]")
_ENDS_CODE = re.compile(r"[`|\\]|^ | $|^$")
_NOT_PLAIN = re.compile(r"[^\w .-]", re.ASCII)
_BACKTICKS = re.compile("`+")
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


def code(text: str) -> str:
    """The text as code in a line or a cell, in which GitHub finds no emoji, no mention and no number of an issue."""
    text = visible(text)
    if not _ENDS_CODE.search(text):
        return f"`{text}`"
    # Entities, as a table would end a cell at a bar whatever stands around it.
    return f"<code>{_NOT_PLAIN.sub(lambda match: f'&#{ord(match[0])};', text)}</code>"


def fenced(lines: Iterable[str], language: str) -> str:
    """The lines as a block of code."""
    text = "".join(f"{visible(line)}\n" for line in lines)
    fence = "`" * max(3, *(len(run) + 1 for run in _BACKTICKS.findall(text)), 0)
    return f"{fence}{language}\n{text}{fence}\n"
