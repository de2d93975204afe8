"""Differences as people read them: a table of queries with bars for each measure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.diff_selection import select
from irevalcli.output.difference_text import (
    BETTER,
    LONGEST_HALF,
    SHORTEST_HALF,
    WORSE,
    Signs,
    bar,
    bar_heading,
    signed,
    value_text,
    words_of,
)
from irevalcli.output.display_width import display_width
from irevalcli.output.grid import Grid, GridColumn
from irevalcli.output.id_text import decoded, visible
from irevalcli.output.markdown import grid_rows, literal
from irevalcli.output.prose import wrapped
from irevalcli.output.table import grid_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.diff import Change, Difference
    from irevalcli.analysis.diff_selection import Selection, View
    from irevalcli.output.registry import Layout
    from irevalcli.reading.arrays import Positions

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_GAP = 3


class _Block(NamedTuple):
    """What a measure, or a difference without measures, comes to as text."""

    title: str
    grid: Grid
    remark: str


def render_table(difference: Difference, layout: Layout, view: View) -> Iterator[bytes]:
    """One table for each measure, to be read on a terminal."""
    for place, block in enumerate(_blocks(difference, layout, view, bars=True)):
        yield b"\n" * bool(place)
        for line in wrapped(block.title, layout.width):
            yield (f"{_BOLD}{line[:-1]}{_PLAIN}\n" if layout.colour else line).encode()
        if block.grid.keys[0].cells:
            yield b"\n"
            for text in grid_text(block.grid, layout):
                yield text.encode()
        for line in wrapped(block.remark, layout.width):
            yield line.encode()


def render_markdown(difference: Difference, layout: Layout, view: View) -> Iterator[bytes]:
    """A heading and a table for each measure."""
    for place, block in enumerate(_blocks(difference, layout._replace(width=None), view, bars=False)):
        parts = [f"### {literal(block.title)}\n"]
        if block.grid.keys[0].cells:
            parts.append("".join(grid_rows(block.grid)))
        if block.remark:
            parts.append(f"{literal(block.remark)}\n")
        yield ("\n" * bool(place) + "\n".join(parts)).encode()


def _blocks(difference: Difference, layout: Layout, view: View, *, bars: bool) -> Iterator[_Block]:
    changes: Sequence[Change | None] = difference.changes or (None,)
    for change in changes:
        selection = select(difference, change, view)
        title = _title_of_rankings(difference, layout) if change is None else _title(difference, change, layout)
        columns = _columns(difference, change, selection, layout, view)
        if change is not None and bars:
            _with_bars(columns, change, selection, layout)
        nothing = f"no query is {view.only}" if view.only in {"better", "worse"} else "no query changed"
        remark = "" if selection.places.size else nothing
        yield _Block(title, Grid(columns[:1], columns[1:]), remark)


def _title(difference: Difference, change: Change, layout: Layout) -> str:
    signs = Signs.of(unicode=layout.unicode)
    first, second = (visible(run.label) for run in difference.runs)
    means = [signs.none if mean is None else value_text(mean, layout, whole=_is_sum(change)) for mean in change.means]
    delta = signs.none
    if change.means[0] is not None and change.means[1] is not None:
        moved = change.means[1] - change.means[0]
        moved = 0.0 if abs(moved) <= difference.tolerance else moved
        delta = signed(moved, layout, signs, whole=_is_sum(change))
    up, down = words_of(change)
    counts = f" {signs.dot} ".join([f"{change.count(1)} {up}", f"{change.count(0)} same", f"{change.count(-1)} {down}"])
    head = f"{visible(change.name)}  {first} {means[0]} {signs.arrow} {second} {means[1]}"
    return f"{head}   {signs.delta} {delta}   {counts}"


def _is_sum(change: Change) -> bool:
    """Whether the aggregate of a count is a count."""
    return change.spec is not None and change.spec.measure.integer and change.spec.measure.aggregation == "sum"


def _is_whole(change: Change) -> bool:
    return change.spec is not None and change.spec.measure.integer


def _title_of_rankings(difference: Difference, layout: Layout) -> str:
    signs = Signs.of(unicode=layout.unicode)
    first, second = (visible(run.label) for run in difference.runs)
    number = len(difference.qids)
    alike = difference.likeness
    head = f"{first} {signs.arrow} {second}   {number} quer{'y' if number == 1 else 'ies'}"
    if alike is None:
        return head
    same = int(alike.same.sum())
    return f"{head} {signs.dot} {same} with the same first {alike.ranks} documents"


def _columns(
    difference: Difference, change: Change | None, selection: Selection, layout: Layout, view: View
) -> list[GridColumn]:
    """The columns but the bars, as many of them as there is room for; the query is the first."""
    places = selection.places
    rows = places if change is None else change.row[places]
    query = GridColumn("query", [visible(decoded(difference.qids[row])) for row in rows.tolist()])
    dots = Signs.of(unicode=layout.unicode).dots
    columns = [_gapped(query, selection, f"{dots} {selection.left_out} more")]
    if change is not None:
        columns += [_gapped(column, selection) for column in _values(difference, change, places, layout)]
    needed = len(columns)
    columns += [_gapped(column, selection) for column in _likeness(difference, rows, layout)]
    if layout.width is None:
        return columns
    beside_bars = layout.width - (2 * SHORTEST_HALF + 1 + _GAP if change is not None else 0)
    # What queries are ordered by is the last to go, after the bars.
    ordered_by = {"rbo": "RBO", "tau": Signs.of(unicode=layout.unicode).tau}.get(view.by, "overlap@")
    while len(columns) > needed:
        last = len(columns) - 1
        alone = last == needed and view.by != "measure"
        if _width(columns) <= (layout.width if alone else beside_bars):
            break
        del columns[last - (last > needed and columns[last].heading.startswith(ordered_by))]
    return columns


def _width(columns: Sequence[GridColumn]) -> int:
    widths = [max(map(display_width, [column.heading, *column.cells])) for column in columns]
    return sum(widths) + _GAP * (len(columns) - 1)


def _values(difference: Difference, change: Change, places: Positions, layout: Layout) -> Iterator[GridColumn]:
    signs = Signs.of(unicode=layout.unicode)
    whole = _is_whole(change)
    for run, values in zip(difference.runs, (change.first, change.second), strict=True):
        cells = [value_text(value, layout, whole=whole) for value in values[places].tolist()]
        yield GridColumn(visible(run.label), cells, right=True)
    deltas = zip(change.change[places].tolist(), change.verdict[places].tolist(), strict=True)
    cells = [signed(delta if verdict else 0.0, layout, signs, whole=whole) for delta, verdict in deltas]
    yield GridColumn(signs.delta, cells, right=True)


def _likeness(difference: Difference, rows: Positions, layout: Layout) -> Iterator[GridColumn]:
    alike = difference.likeness
    if alike is None:
        return
    signs = Signs.of(unicode=layout.unicode)
    pairs = zip(alike.overlap[rows].tolist(), alike.size[rows].tolist(), strict=True)
    yield GridColumn(f"overlap@{alike.depth}", [f"{common}/{size}" for common, size in pairs], right=True)
    for heading, values in (("RBO", alike.rbo), (signs.tau, alike.tau_ap)):
        texts = [signs.none if math.isnan(value) else f"{value:z.2f}" for value in values[rows].tolist()]
        yield GridColumn(heading, [text.replace("-", signs.minus, 1) for text in texts], right=True)
    first, second = (counts[rows].tolist() for counts in alike.unjudged)
    if difference.qrels_path is not None and any(first + second):
        cells = [f"{one} {signs.arrow} {other}" for one, other in zip(first, second, strict=True)]
        yield GridColumn(f"unjudged@{alike.depth}", cells, right=True)


def _with_bars(columns: list[GridColumn], change: Change, selection: Selection, layout: Layout) -> None:
    """Put bars behind the values, as long as there is room for; none if there is none."""
    signs = Signs.of(unicode=layout.unicode)
    half = LONGEST_HALF
    if layout.width is not None:
        half = min(half, (layout.width - _width(columns) - _GAP - 1) // 2)
    if half < SHORTEST_HALF:
        return
    improvement = [
        value if verdict else 0.0
        for value, verdict in zip(change.improvement.tolist(), change.verdict.tolist(), strict=True)
    ]
    largest = max(map(abs, improvement), default=0.0)
    chosen = [improvement[place] for place in selection.places.tolist()]
    bars = GridColumn(
        bar_heading(words_of(change), half, signs),
        [bar(value, largest, half, signs) for value in chosen],
        paint=tuple(BETTER if value > 0 else WORSE if value < 0 else "" for value in chosen),
    )
    columns.insert(4, _gapped(bars, selection))


def _gapped(column: GridColumn, selection: Selection, text: str = "") -> GridColumn:
    """The column with a cell where queries are left out."""
    if selection.gap is None or not selection.places.size:
        return column
    gap = selection.gap
    paint = (*column.paint[:gap], "", *column.paint[gap:]) if column.paint else ()
    return column._replace(cells=[*column.cells[:gap], text, *column.cells[gap:]], paint=paint)
