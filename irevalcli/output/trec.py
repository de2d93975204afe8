"""trec_eval's lines: the measure in 22 columns, the query, the value; first of each summary the run's tag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.id_text import decoded, encoded
from irevalcli.output.long_form import LineShape, query_lines
from irevalcli.output.shown import aggregate_text, has_query_values, query_texts, shown_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Column, Evaluation, Scores
    from irevalcli.output.registry import Layout

_ALL = "all"
_NAME_WIDTH = 22
_VALUE_WIDTH = 6


def render(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """Run after run: the lines of its queries, then its summary."""
    for scores in evaluation.runs:
        shapes = [_shape(name) for name in shown_names(scores.columns, layout.names)]
        if layout.per_query:
            yield from _query_lines(scores, shapes, layout)
        if layout.summary:
            yield encoded("".join(_summary(scores, shapes, layout)))


def _shape(name: str) -> LineShape:
    return LineShape(f"{name:<{_NAME_WIDTH}}\t", "\t", "\n")


def _query_lines(scores: Scores, shapes: list[LineShape], layout: Layout) -> Iterator[bytes]:
    shown = [place for place, column in enumerate(scores.columns) if has_query_values(column)]
    values = [_values(scores.columns[place], layout) for place in shown]
    qids = [decoded(qid) for qid in scores.qids]
    return map(encoded, query_lines(qids, [shapes[place] for place in shown], values))


def _values(column: Column, layout: Layout) -> list[str]:
    texts = query_texts(column, layout.digits, _VALUE_WIDTH)
    return [f"'{text}'" for text in texts] if isinstance(column.values, list) else texts


def _summary(scores: Scores, shapes: list[LineShape], layout: Layout) -> Iterator[str]:
    yield _shape("runid").line(_ALL, decoded(scores.tag) or scores.label)
    for shape, column in zip(shapes, scores.columns, strict=True):
        text = aggregate_text(column, layout.digits, _VALUE_WIDTH)
        if text is not None:
            yield shape.line(_ALL, text)
