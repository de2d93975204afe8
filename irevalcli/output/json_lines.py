"""One JSON object a line and value: run, query, measure, value.

The rows of aggregates have the query ``all`` and, unlike those of a query of that name, ``"aggregate": true``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_text import aggregate_value, query_values, written
from irevalcli.output.long_form import LineShape, query_lines
from irevalcli.output.shown import has_query_values, shown_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Evaluation, Scores
    from irevalcli.output.registry import Layout


def render(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """Run after run: a row for every query and measure, then its aggregates."""
    for scores in evaluation.runs:
        names = shown_names(scores.columns, layout.names)
        if layout.per_query:
            yield from _query_rows(scores, names)
        if layout.summary:
            yield escaped("".join(_aggregate_rows(scores, names)))


def _shape(label: str, name: str, end: str) -> LineShape:
    return LineShape(f'{{"run": {written(label)}, "query": ', f', "measure": {written(name)}, "value": ', end)


def _query_rows(scores: Scores, names: list[str]) -> Iterator[bytes]:
    shown = [(name, column) for name, column in zip(names, scores.columns, strict=True) if has_query_values(column)]
    shapes = [_shape(scores.label, name, "}\n") for name, _ in shown]
    values = [list(map(written, query_values(column))) for _, column in shown]
    qids = [written(decoded(qid)) for qid in scores.qids]
    return map(escaped, query_lines(qids, shapes, values))


def _aggregate_rows(scores: Scores, names: list[str]) -> Iterator[str]:
    for name, column in zip(names, scores.columns, strict=True):
        if column.aggregate is not None:
            ends = (
                ""
                if column.spread is None
                else f', "low": {written(column.spread.low)}, "high": {written(column.spread.high)}'
            )
            shape = _shape(scores.label, name, f'{ends}, "aggregate": true}}\n')
            yield shape.line(written("all"), written(aggregate_value(column)))
