"""How the values of each run vary over queries: a row for each run and measure, as table or as separated fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.fields import csv_field
from irevalcli.output.grid import Grid, GridColumn
from irevalcli.output.id_text import encoded, visible
from irevalcli.output.markdown import grid_rows
from irevalcli.output.order import ordered
from irevalcli.output.shown import real_form, shown_names
from irevalcli.output.table import grid_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Column, Evaluation
    from irevalcli.output.registry import Layout

_KEYS = ("run", "measure")
_SHORT = ("queries", "mean", "s.d.", "min", "q1", "median", "q3", "max")
_LONG = ("queries", "mean", "deviation", "minimum", "q1", "median", "q3", "maximum", "low", "high")


def render_description(evaluation: Evaluation, name: str, layout: Layout) -> Iterator[bytes]:
    """The rows as ``table``, ``markdown``, ``tsv`` or ``csv``. What does not exist is a dash or an empty field.

    Args:
        evaluation: with spreads, see `irevalcli.analysis.intervals`.
        name: of the format.
        layout: its digits, names, order, width and signs.
    """
    evaluation = ordered(evaluation, layout.sort)
    if name in ("tsv", "csv"):
        yield from _separated(evaluation, layout, "\t" if name == "tsv" else ",")
        return
    grid = _grid(evaluation, layout)
    yield from (text.encode() for text in (grid_text(grid, layout) if name == "table" else grid_rows(grid)))


def _rows(evaluation: Evaluation, layout: Layout) -> Iterator[tuple[str, str, Column]]:
    """Label, measure and column, run after run."""
    for run in evaluation.runs:
        for name, column in zip(shown_names(run.columns, layout.names), run.columns, strict=True):
            yield run.label, name, column


def _numbers(column: Column, layout: Layout, absent: str) -> list[str]:
    """Texts for the headings `_LONG`."""
    spread, count = column.spread, str(len(column.values))
    if spread is None:
        return [count, *[absent] * (len(_LONG) - 1)]
    form = real_form(layout.digits)
    values = (
        spread.mean, spread.deviation, spread.minimum, *spread.quartiles, spread.maximum, spread.low, spread.high,
    )  # fmt: skip
    return [count, *(absent if value is None else form(value) for value in values)]


def _separated(evaluation: Evaluation, layout: Layout, separator: str) -> Iterator[bytes]:
    yield encoded(separator.join(_KEYS + _LONG) + "\n")
    for label, name, column in _rows(evaluation, layout):
        keys = map(csv_field, (label, name)) if separator == "," else map(visible, (label, name))
        yield encoded(separator.join([*keys, *_numbers(column, layout, "")]) + "\n")


def _grid(evaluation: Evaluation, layout: Layout) -> Grid:
    absent, dots = ("–", "…") if layout.unicode else ("-", "..")
    rows = list(_rows(evaluation, layout))
    keys = [
        GridColumn("run", [visible(label) for label, _, _ in rows]),
        GridColumn("measure", [visible(name) for _, name, _ in rows]),
    ]
    texts = [_numbers(column, layout, absent) for _, _, column in rows]
    columns = list(zip(*texts, strict=True))
    intervals = [absent if low == absent else f"{low} {dots} {high}" for low, high in zip(*columns[-2:], strict=True)]
    level = next((column.spread.confidence for _, _, column in rows if column.spread is not None), None)
    heading = "CI of mean" if level is None else f"{100 * level:.6g}% CI of mean"
    measures = [GridColumn(name, list(cells), right=True) for name, cells in zip(_SHORT, columns[:-2], strict=True)]
    return Grid(keys, [*measures, GridColumn(heading, intervals, right=True)])
