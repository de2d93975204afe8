"""Differences of one query's rankings as people read them: what is at the top now, and what left it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.difference_text import BETTER, WORSE, Signs, signed, value_text
from irevalcli.output.grid import Grid, GridColumn
from irevalcli.output.id_text import decoded, visible
from irevalcli.output.markdown import grid_rows, literal
from irevalcli.output.prose import text_column, wrapped
from irevalcli.output.table import grid_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.diff_documents import DocumentDifference, Measured, Moved
    from irevalcli.output.prose import Texts
    from irevalcli.output.registry import Layout

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def render_table(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """Tables to be read on a terminal."""
    for line in wrapped(_title(difference, layout), layout.width):
        yield (f"{_BOLD}{line[:-1]}{_PLAIN}\n" if layout.colour else line).encode()
    for text in (_query_text(difference, texts), *_measure_lines(difference, layout)):
        for line in wrapped(text, layout.width):
            yield line.encode()
    for heading, grid in _grids(difference, layout, texts):
        yield f"\n{heading}\n".encode()
        for text in grid_text(grid, layout):
            yield text.encode()
    for place, text in enumerate(_remarks(difference, layout)):
        yield b"\n" * (not place)
        for line in wrapped(text, layout.width):
            yield line.encode()


def render_markdown(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """A heading and tables for pull requests."""
    plain = layout._replace(width=None)
    texts_above = (_query_text(difference, texts), *_measure_lines(difference, plain))
    parts = [
        f"### {literal(_title(difference, plain))}\n",
        *(f"{literal(text)}\n" for text in texts_above if text),
    ]
    for heading, grid in _grids(difference, plain, texts):
        parts += [f"{literal(heading)}\n", "".join(grid_rows(grid))]
    parts += [f"{literal(text)}\n" for text in _remarks(difference, plain)]
    yield "\n".join(parts).encode()


def _title(difference: DocumentDifference, layout: Layout) -> str:
    signs = Signs.of(unicode=layout.unicode)
    first, second = (visible(run.label) for run in difference.runs)
    shared = f"{difference.shared} of {_longer_top(difference)} shared"
    return f"query {visible(decoded(difference.query))} {signs.dot} {first} {signs.arrow} {second} {signs.dot} {shared}"


def _longer_top(difference: DocumentDifference) -> int:
    return min(max(difference.retrieved), difference.depth)


def _query_text(difference: DocumentDifference, texts: Texts) -> str:
    return visible(texts.queries.get(difference.query, ""))


def _measure_lines(difference: DocumentDifference, layout: Layout) -> Iterator[str]:
    signs = Signs.of(unicode=layout.unicode)
    for measured in difference.measures:
        whole = measured.spec.measure.integer
        first, second = (value_text(value, layout, whole=whole) for value in (measured.first, measured.second))
        delta = _delta(measured.second - measured.first, difference, layout, whole=whole)
        yield f"{measured.spec.name} {first} {signs.arrow} {second} ({delta})"


def _delta(value: float, difference: DocumentDifference, layout: Layout, *, whole: bool = False) -> str:
    """A change with its sign; 0 within the tolerance."""
    signs = Signs.of(unicode=layout.unicode)
    return signed(0.0 if abs(value) <= difference.tolerance else value, layout, signs, whole=whole)


def _grids(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[tuple[str, Grid]]:
    """The top of the second ranking and what left that of the first, each with a heading."""
    first, second = (visible(run.label) for run in difference.runs)
    if difference.top:
        yield f"top {difference.depth} of {second}", _grid(difference, difference.top, layout, texts)
    if difference.left:
        heading = f"left the top {difference.depth} of {first}"
        yield heading, _grid(difference, difference.left, layout, texts)


def _grid(difference: DocumentDifference, rows: Sequence[Moved], layout: Layout, texts: Texts) -> Grid:
    signs = Signs.of(unicode=layout.unicode)
    first, second = (f"in {visible(run.label)}" for run in difference.runs)
    columns = [
        GridColumn(second, [signs.none if row.second is None else str(row.second) for row in rows], right=True),
        GridColumn("document", [visible(decoded(row.docid)) for row in rows]),
    ]
    if difference.qrels_path is not None:
        columns.append(GridColumn("grade", [_grade(row, signs) for row in rows], right=True))
    columns += [
        GridColumn(first, [signs.none if row.first is None else str(row.first) for row in rows], right=True),
        GridColumn("moved", [_movement(row, signs) for row in rows], paint=tuple(map(_paint, rows))),
    ]
    columns += _contributions(difference, rows, layout)
    if texts.documents:
        columns.append(text_column([row.docid for row in rows], columns, layout, texts))
    return Grid(columns[:2], columns[2:])


def _grade(row: Moved, signs: Signs) -> str:
    if row.judged:
        return f"{row.grade:g}"
    return f"{signs.none} unjudged" if row.grade is None else "pooled, unjudged"


def _movement(row: Moved, signs: Signs) -> str:
    if row.first is None:
        return "new"
    if row.second is None:
        return "gone"
    if row.first == row.second:
        return signs.equal
    return f"{signs.up if row.second < row.first else signs.down} {abs(row.first - row.second)}"


def _paint(row: Moved) -> str:
    up = row.first is None or (row.second is not None and row.second < row.first)
    return "" if row.first == row.second else BETTER if up else WORSE


def _summed(difference: DocumentDifference) -> Iterator[tuple[int, Measured]]:
    """The measures that are sums over documents, with their places."""
    return ((place, found) for place, found in enumerate(difference.measures) if found.rest is not None)


def _contributions(difference: DocumentDifference, rows: Sequence[Moved], layout: Layout) -> Iterator[GridColumn]:
    """What each document has to do with the change of every measure that is a sum over documents."""
    signs = Signs.of(unicode=layout.unicode)
    for place, measured in _summed(difference):
        lower = measured.spec.higher_is_better is False
        values = [row.changes[place] or 0.0 for row in rows]
        values = [0.0 if abs(value) <= difference.tolerance else value for value in values]
        paint = tuple(("" if not value else WORSE if (value < 0) != lower else BETTER) for value in values)
        cells = [_delta(value, difference, layout) for value in values]
        yield GridColumn(f"{signs.delta} {measured.spec.name}", cells, right=True, paint=paint)


def _remarks(difference: DocumentDifference, layout: Layout) -> Iterator[str]:
    """What the documents that are not listed have to do with the change."""
    rests = [
        f"{measured.spec.name} {_delta(measured.rest, difference, layout)}"
        for _, measured in _summed(difference)
        if measured.rest is not None and abs(measured.rest) > difference.tolerance
    ]
    if rests:
        yield f"documents below both tops: {', '.join(rests)}"
