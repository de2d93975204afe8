"""Rows of run, query, measure and value, separated by tabs or commas, below a header.

Ids stand as they are in the files, byte for byte. A tab or line end in the label of a run, which a file name can hold,
is spelt out in tsv and quoted in csv. The aggregates of a run stand under the query ``all`` after its queries. With
intervals there are two more columns, ``low`` and ``high``, which are empty for queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.fields import csv_field, tsv_field
from irevalcli.output.id_text import decoded, encoded
from irevalcli.output.long_form import LineShape, query_lines
from irevalcli.output.shown import aggregate_text, has_query_values, query_texts, real_form, shown_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.scores import Column, Evaluation, Scores
    from irevalcli.output.registry import Layout

_HEADER = ("run", "query", "measure", "value")
_ENDS = ("low", "high")
_ALL = "all"


def render_tsv(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """Tab-separated rows."""
    return _rows(evaluation, layout, "\t", tsv_field)


def render_csv(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """Comma-separated rows, quoted as in RFC 4180, with line feeds as line ends."""
    return _rows(evaluation, layout, ",", csv_field)


def _rows(evaluation: Evaluation, layout: Layout, separator: str, field: Callable[[str], str]) -> Iterator[bytes]:
    intervals = any(column.spread is not None for scores in evaluation.runs for column in scores.columns)
    yield encoded(separator.join(_HEADER + _ENDS * intervals) + "\n")
    for scores in evaluation.runs:
        before = field(scores.label) + separator
        names = shown_names(scores.columns, layout.names)
        empty = separator * len(_ENDS) * intervals
        shapes = [LineShape(before, f"{separator}{field(name)}{separator}", f"{empty}\n") for name in names]
        if layout.per_query:
            yield from _query_rows(scores, shapes, layout, field)
        if layout.summary:
            yield encoded("".join(_aggregate_rows(scores, shapes, layout, separator)))


def _query_rows(
    scores: Scores, shapes: list[LineShape], layout: Layout, field: Callable[[str], str]
) -> Iterator[bytes]:
    shown = [place for place, column in enumerate(scores.columns) if has_query_values(column)]
    values = [_values(scores.columns[place], layout, field) for place in shown]
    qids = [field(decoded(qid)) for qid in scores.qids]
    return map(encoded, query_lines(qids, [shapes[place] for place in shown], values))


def _values(column: Column, layout: Layout, field: Callable[[str], str]) -> list[str]:
    texts = query_texts(column, layout.digits)
    return [field(text) for text in texts] if isinstance(column.values, list) else texts


def _aggregate_rows(scores: Scores, shapes: list[LineShape], layout: Layout, separator: str) -> Iterator[str]:
    for shape, column in zip(shapes, scores.columns, strict=True):
        text = aggregate_text(column, layout.digits)
        if text is not None and column.spread is not None:
            ends = (column.spread.low, column.spread.high)
            form = real_form(layout.digits)
            text = separator.join([text, *("" if end is None else form(end) for end in ends)])
            yield shape._replace(after="\n").line(_ALL, text)
        elif text is not None:
            yield shape.line(_ALL, text)
