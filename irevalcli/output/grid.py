"""Scores as a grid of text, as people read them: runs or queries as rows, measures as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.id_text import decoded, visible
from irevalcli.output.shown import aggregate_text, has_query_values, query_texts, real_form, shown_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.scores import Column, Evaluation, Scores
    from irevalcli.output.registry import Layout

ALL = "all"


class GridColumn(NamedTuple):
    """A column of the grid.

    Attributes:
        heading: its name.
        cells: one text per row.
        right: aligned to the right, as numbers are.
        best: the rows that hold the best value of several different ones.
        paint: an escape sequence for each row where colour is wanted, "" for none; empty if no row has one.
    """

    heading: str
    cells: list[str]
    right: bool = False
    best: frozenset[int] = frozenset()
    paint: tuple[str, ...] = ()


class Grid(NamedTuple):
    """Rows and columns of text without control characters.

    Attributes:
        keys: the columns that say what a row is about.
        measures: the columns of values.
        aggregates: number of rows at the end that hold aggregates below those of queries.
    """

    keys: list[GridColumn]
    measures: list[GridColumn]
    aggregates: int = 0


def grids(evaluation: Evaluation, layout: Layout) -> Iterator[Grid]:
    """One grid of all runs, or per query one grid for each run."""
    missing = "–" if layout.unicode else "-"
    runs = evaluation.runs
    if layout.per_query:
        for scores in runs:
            yield _query_grid(scores, layout, missing, with_run=len(runs) > 1)
    elif layout.summary and runs:
        yield _summary_grid(runs, layout, missing)


def _summary_grid(runs: Sequence[Scores], layout: Layout, missing: str) -> Grid:
    labels = GridColumn("run", [visible(scores.label) for scores in runs])
    measures = []
    for place, name in enumerate(shown_names(runs[0].columns, layout.names)):
        columns = [scores.columns[place] for scores in runs]
        texts = [aggregate_text(column, layout.digits) for column in columns]
        cells = [missing if text is None else text for text in texts]
        best = _best(columns, cells)
        cells = [f"{cell}{interval_text(column, layout)}" for cell, column in zip(cells, columns, strict=True)]
        measures.append(GridColumn(visible(name), cells, _is_number(columns[0]), best))
    return Grid([labels], measures)


def _best(columns: Sequence[Column], cells: list[str]) -> frozenset[int]:
    """The rows that show the best value, unless all show the same or neither direction is better."""
    direction = {True: 1, False: -1, None: 0}[columns[0].spec.higher_is_better]
    values = [direction * column.aggregate for column in columns if column.aggregate is not None]
    if not direction or not values or len(set(cells)) == 1:
        return frozenset()
    best = max(values)
    shown = next(
        cell
        for column, cell in zip(columns, cells, strict=True)
        if column.aggregate is not None and direction * column.aggregate == best
    )
    return frozenset(row for row, cell in enumerate(cells) if cell == shown)


def _query_grid(scores: Scores, layout: Layout, missing: str, *, with_run: bool) -> Grid:
    summary = [ALL] if layout.summary else []
    queries = [*(visible(decoded(qid)) for qid in scores.qids), *summary]
    keys = [GridColumn("query", queries)]
    if with_run:
        keys.insert(0, GridColumn("run", [visible(scores.label)] * len(queries)))
    measures = []
    for name, column in zip(shown_names(scores.columns, layout.names), scores.columns, strict=True):
        if not (layout.summary or has_query_values(column)):
            continue
        cells = [missing] * len(scores.qids)
        if has_query_values(column):
            cells = query_texts(column, layout.digits)
        if isinstance(column.values, list):
            cells = list(map(visible, cells))
        if layout.summary:
            summary_cell = aggregate_text(column, layout.digits) or missing
            cells = [*cells, summary_cell + interval_text(column, layout)]
        measures.append(GridColumn(visible(name), cells, _is_number(column)))
    return Grid(keys, measures, len(summary))


def interval_text(column: Column, layout: Layout) -> str:
    """`` ± 0.0499``, half the width of the interval of the mean; "" if it was not asked for."""
    spread = column.spread
    if spread is None or spread.high is None:
        return ""
    return f" {'±' if layout.unicode else '+-'} {real_form(layout.digits)(spread.high - spread.mean)}"


def _is_number(column: Column) -> bool:
    return column.spec.measure.kind != "text"
