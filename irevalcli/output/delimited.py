"""Rows of run, query, measure and value, separated by tabs or commas, below a header.

Ids stand as they are in the files, byte for byte. A tab or line end in the label of a run, which a file name can hold,
is spelt out in tsv and quoted in csv. The aggregates of a run stand under the query ``all`` after its queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.id_text import decoded, encoded, visible
from irevalcli.output.long_form import LineShape, query_lines
from irevalcli.output.shown import aggregate_text, has_query_values, query_texts, shown_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.scores import Column, Evaluation, Scores
    from irevalcli.output.registry import Layout

_HEADER = ("run", "query", "measure", "value")
_ALL = "all"
_WANTS_QUOTES = frozenset(',"\r\n')


def render_tsv(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """Tab-separated rows."""
    return _rows(evaluation, layout, "\t", _without_tabs)


def render_csv(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """Comma-separated rows, quoted as in RFC 4180, with line feeds as line ends."""
    return _rows(evaluation, layout, ",", _quoted)


def _without_tabs(text: str) -> str:
    return visible(text) if "\t" in text or "\n" in text or "\r" in text else text


def _quoted(text: str) -> str:
    return text if _WANTS_QUOTES.isdisjoint(text) else '"' + text.replace('"', '""') + '"'


def _rows(evaluation: Evaluation, layout: Layout, separator: str, field: Callable[[str], str]) -> Iterator[bytes]:
    yield encoded(separator.join(_HEADER) + "\n")
    for scores in evaluation.runs:
        before = field(scores.label) + separator
        names = shown_names(scores.columns, layout.names)
        shapes = [LineShape(before, f"{separator}{field(name)}{separator}", "\n") for name in names]
        if layout.per_query:
            yield from _query_rows(scores, shapes, layout, field)
        if layout.summary:
            yield encoded("".join(_aggregate_rows(scores, shapes, layout)))


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


def _aggregate_rows(scores: Scores, shapes: list[LineShape], layout: Layout) -> Iterator[str]:
    for shape, column in zip(shapes, scores.columns, strict=True):
        text = aggregate_text(column, layout.digits)
        if text is not None:
            yield shape.line(_ALL, text)
