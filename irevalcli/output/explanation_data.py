"""Explanations as data: tab-separated rows, one for each measure and rank, and one JSON object."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.output.explanation import number_texts
from irevalcli.output.id_text import decoded, encoded, escaped, visible
from irevalcli.output.json_object import definition
from irevalcli.output.json_text import written
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.analysis.explain import Explained, Explanation, Named, Step
    from irevalcli.output.prose import Texts
    from irevalcli.output.registry import Layout

SCHEMA = 1
"""Rises when a reader of the object would have to change."""

_KEYS = ("run", "query", "measure", "rank", "document", "score", "grade")
_SUMS = ("contribution", "total", "value", "ideal_gain", "ideal_contribution", "ideal_total")


def render_tsv(explained: Explained, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """A row for each measure and rank. Columns that a measure or rank has no number for are empty."""
    names = list(dict.fromkeys(name for one in explained.explanations for name in one.quantities))
    heading = [*_KEYS, *names, *_SUMS, *(["text"] if texts.documents else [])]
    yield encoded("\t".join(heading) + "\n")
    for explanation in explained.explanations:
        columns = list(_columns(explained, explanation, names, layout))
        if texts.documents:
            found = (texts.documents.get(step.docid or b"", "") for step in explanation.steps)
            columns.append([visible(" ".join(text.split())) for text in found])
        yield encoded("".join("\t".join(row) + "\n" for row in zip(*columns, strict=True)))


def _columns(explained: Explained, explanation: Explanation, names: list[str], layout: Layout) -> Iterator[list[str]]:
    steps = explanation.steps
    for text in (explained.run.label, decoded(explained.query), explanation.spec.name):
        yield [text if text.isprintable() else visible(text)] * len(steps)
    yield [str(step.rank) for step in steps]
    yield [decoded(step.docid or b"") for step in steps]
    yield ["" if step.score is None else repr(step.score) for step in steps]
    yield ["" if step.grade is None else f"{step.grade:g}" for step in steps]
    for name in names:
        place = explanation.quantities.index(name) if name in explanation.quantities else None
        yield _cells(
            (step.quantities[place] if step.quantities and place is not None else None for step in steps), layout
        )
    yield _cells((step.contribution for step in steps), layout)
    yield _cells((step.total for step in steps), layout)
    yield [real_form(layout.digits)(step.value) for step in steps]
    yield _cells((step.ideal_gain for step in steps), layout)
    yield _cells((step.ideal_contribution for step in steps), layout)
    yield _cells((step.ideal_total for step in steps), layout)


def _cells(values: Iterable[float | None], layout: Layout) -> list[str]:
    """The numbers as text, nothing for those that are missing."""
    every = list(values)
    texts = iter(number_texts([value for value in every if value is not None], layout.digits))
    return ["" if value is None else next(texts) for value in every]


def render_json(explained: Explained, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """One object, numbers in full; a rank stands on one line."""
    del layout
    head = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "qrels": explained.qrels_path,
        "run": {"label": explained.run.label, "path": explained.run.path},
        "query": decoded(explained.query),
        "query_text": texts.queries.get(explained.query),
        "retrieved": explained.retrieved,
        "options": explained.options,
        "notes": [note._asdict() for note in explained.notes],
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    yield b'  "explanations": ['
    for place, explanation in enumerate(explained.explanations):
        yield escaped(("," * bool(place)) + "\n    {\n" + ",\n".join(_members(explanation, texts)) + "\n    }")
    yield b"\n  ]\n}\n"


def _members(explanation: Explanation, texts: Texts) -> Iterator[str]:
    facts: dict[str, object] = {
        "measure": definition(explanation.spec.name, explanation.spec, explanation.given),
        "value": _finite(explanation.value),
        "total": _named(explanation.total),
        "factor": _named(explanation.factor),
        "divisor": _named(explanation.divisor),
        "addend": _named(explanation.addend),
    }
    yield from (f"      {written(key)}: {written(value)}" for key, value in facts.items())
    ranks = [written(_rank(explanation, step, texts)) for step in explanation.steps]
    yield f'      "ranks": {_listed(ranks)}'
    others = [
        written({"measure": other.name, "value": _finite(other.value), "why": other.why})
        for other in explanation.alternatives
    ]
    yield f'      "alternatives": {_listed(others)}'


def _listed(lines: list[str]) -> str:
    return "[\n        " + ",\n        ".join(lines) + "\n      ]" if lines else "[]"


def _named(number: Named | None) -> dict[str, object] | None:
    return None if number is None else {"name": number.name, "value": _finite(number.value)}


def _rank(explanation: Explanation, step: Step, texts: Texts) -> dict[str, Any]:
    quantities = zip(explanation.quantities, step.quantities, strict=True) if step.quantities else ()
    rank: dict[str, Any] = {
        "rank": step.rank,
        "document": None if step.docid is None else decoded(step.docid),
        "score": None if step.score is None else _finite(step.score),
        "grade": step.grade,
        "quantities": {name: _finite(value) for name, value in quantities},
        "contribution": _finite(step.contribution),
        "total": _finite(step.total),
        "value": _finite(step.value),
    }
    if explanation.ideal:
        rank |= {
            "ideal_gain": step.ideal_gain,
            "ideal_contribution": step.ideal_contribution,
            "ideal_total": step.ideal_total,
        }
    if texts.documents:
        rank["text"] = texts.documents.get(step.docid or b"")
    return rank


def _finite(value: float) -> float | None:
    """The number, whole ones as they are, and None for what JSON has no word for."""
    return value + 0 if math.isfinite(value) else None
