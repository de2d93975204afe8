"""The whole evaluation as one JSON object, complete enough to reproduce it.

Schema 1. Its two upper levels are indented; below them every object stands on one line, so that a change of one query
shows as a change of one line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.measures.trec_names import trec_name
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_text import aggregate_value, query_values, written
from irevalcli.output.shown import has_query_values, shown_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.analysis.scores import Evaluation, Note, Scores
    from irevalcli.measures.registry import MeasureSpec, Value
    from irevalcli.output.registry import Layout

SCHEMA = 1
"""Rises when a reader of the object would have to change."""

_QUERIES_AT_A_TIME = 512


def render(evaluation: Evaluation, layout: Layout) -> Iterator[bytes]:
    """The object, in pieces."""
    columns = evaluation.runs[0].columns if evaluation.runs else ()
    names = shown_names(columns, layout.names)
    head = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "qrels": {
            "path": evaluation.qrels_path,
            "sha256": evaluation.qrels_sha256,
            "queries": evaluation.runs[0].coverage.judged if evaluation.runs else None,
        },
        "further_inputs": [file._asdict() for file in evaluation.further],
        "options": evaluation.options,
        "notes": _notes(evaluation.notes),
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    measures = [
        written(definition(name, column.spec, column.given)) for name, column in zip(names, columns, strict=True)
    ]
    yield escaped(f'  "measures": {_listed(measures)},\n  "runs": [')
    for place, scores in enumerate(evaluation.runs):
        yield b",\n    {\n" if place else b"\n    {\n"
        yield from map(escaped, _run(scores, names, layout))
        yield b"\n    }"
    yield b"\n  ]\n}\n" if evaluation.runs else b"]\n}\n"


def _listed(lines: list[str]) -> str:
    return "[\n    " + ",\n    ".join(lines) + "\n  ]" if lines else "[]"


def definition(name: str, spec: MeasureSpec, given: str) -> dict[str, object]:
    """What a reader must know of a measure; `name` is what the object calls it, `given` what the user did."""
    record = spec.measure
    return {
        "name": name,
        "canonical": spec.name,
        "given": given,
        "trec_eval": trec_name(spec),
        "title": record.title,
        "definition": record.formula,
        "parameters": {key: _parameter(value) for key, value in (spec.parameters | spec.options).items()},
        "range": [record.low, record.high],
        "higher_is_better": spec.higher_is_better,
        "aggregation": record.aggregation,
        "plugin": None if record.origin is None else record.origin._asdict(),
    }


def _parameter(value: Value) -> object:
    if isinstance(value, dict):
        return {f"{grade:g}": gain for grade, gain in sorted(value.items())}
    return value


def _run(scores: Scores, names: list[str], layout: Layout) -> Iterator[str]:
    facts: dict[str, Any] = {
        "label": scores.label,
        "path": scores.path,
        "tag": decoded(scores.tag),
        "sha256": scores.sha256,
        "coverage": coverage_object(scores),
        "notes": _notes(scores.notes),
    }
    if layout.summary:
        facts["aggregate"] = {name: aggregate_value(column) for name, column in zip(names, scores.columns, strict=True)}
        spreads = {name: column.spread for name, column in zip(names, scores.columns, strict=True)}
        if any(spreads.values()):
            facts["intervals"] = {name: spread and spread._asdict() for name, spread in spreads.items()}
    yield ",\n".join(f"      {written(key)}: {written(value)}" for key, value in facts.items())
    if layout.per_query:
        yield ',\n      "per_query": {'
        yield from _queries(scores, names)
        yield "\n      }" if scores.qids else "}"


def _queries(scores: Scores, names: list[str]) -> Iterator[str]:
    shown = [(name, column) for name, column in zip(names, scores.columns, strict=True) if has_query_values(column)]
    keys = [name for name, _ in shown]
    cells = [query_values(column) for _, column in shown]
    for start in range(0, len(scores.qids), _QUERIES_AT_A_TIME):
        stop = start + _QUERIES_AT_A_TIME
        qids = scores.qids[start:stop]
        rows: Iterable[tuple[Any, ...]] = zip(*(column[start:stop] for column in cells), strict=True)
        lines = [
            f"{written(decoded(qid))}: {written(dict(zip(keys, row, strict=True)))}"
            for qid, row in zip(qids, rows if cells else [()] * len(qids), strict=True)
        ]
        yield (",\n        " if start else "\n        ") + ",\n        ".join(lines)


def coverage_object(scores: Scores) -> dict[str, object]:
    """Which queries were scored, as JSON can hold it."""
    coverage = scores.coverage
    left_out = {"left_out": [decoded(qid) for qid in scores.left_out]} if scores.left_out else {}
    return {
        "judged": coverage.judged,
        "scored": len(scores.qids),
        "missing": [decoded(qid) for qid in coverage.missing],
        "unknown": coverage.unknown,
        "without_relevant": coverage.without_relevant,
        **left_out,
    }


def _notes(notes: Iterable[Note]) -> list[dict[str, str]]:
    return [note._asdict() for note in notes]
