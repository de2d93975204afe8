"""The long form shared by several formats: a line for every query and measure."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_QUERIES_AT_A_TIME = 512


class LineShape(NamedTuple):
    """The fixed text of a measure's lines: `before` the query, `between` query and value, `after` the value."""

    before: str
    between: str
    after: str

    def line(self, query: str, value: str) -> str:
        """One line."""
        return f"{self.before}{query}{self.between}{value}{self.after}"


def query_lines(queries: Sequence[str], shapes: Sequence[LineShape], values: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of every query, one for each measure, some queries at a time.

    Args:
        queries: the text that stands for each query.
        shapes: one for each measure.
        values: for each measure one text per query.
    """
    if not shapes:
        return
    template = "".join(
        f"{_literal(shape.before)}%s{_literal(shape.between)}%s{_literal(shape.after)}" for shape in shapes
    )
    cells: list[Sequence[str]] = []
    for column in values:
        cells += [queries, column]
    rows = zip(*cells, strict=True)
    while batch := list(islice(rows, _QUERIES_AT_A_TIME)):
        yield "".join([template % row for row in batch])


def _literal(text: str) -> str:
    return text.replace("%", "%%")
