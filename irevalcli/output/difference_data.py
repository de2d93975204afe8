"""Differences as data: rows of queries separated by tabs or commas, and one JSON object."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.analysis.diff_selection import select
from irevalcli.output.difference_text import value_text, verdict_word
from irevalcli.output.fields import delimited
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_object import definition
from irevalcli.output.json_text import written
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.diff import Change, Difference
    from irevalcli.analysis.diff_selection import View
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.output.registry import Layout
    from irevalcli.reading.arrays import Positions

SCHEMA = 1
"""Rises when a reader of the object would have to change."""

_VALUES = ("measure", "query", "first", "second", "change", "verdict")
_LIKENESS = ("overlap", "of", "rbo", "tau_ap")
_UNJUDGED = ("unjudged_first", "unjudged_second")


def render_tsv(difference: Difference, layout: Layout, view: View) -> Iterator[bytes]:
    """A row for each measure and query, separated by tabs."""
    return delimited(_rows(difference, layout, view), "\t")


def render_csv(difference: Difference, layout: Layout, view: View) -> Iterator[bytes]:
    """A row for each measure and query, separated by commas and quoted as in RFC 4180."""
    return delimited(_rows(difference, layout, view), ",")


def _rows(difference: Difference, layout: Layout, view: View) -> Iterator[list[str]]:
    alike = () if difference.likeness is None else _LIKENESS
    unjudged = _UNJUDGED if alike and difference.qrels_path is not None else ()
    values = _VALUES if difference.changes else ("query",)
    yield [*values, *alike, *unjudged]
    changes: Sequence[Change | None] = difference.changes or (None,)
    for change in changes:
        places = select(difference, change, view).places
        rows = places if change is None else change.row[places]
        likeness = _likeness_cells(difference, rows, layout)
        for place, row, cells in zip(places.tolist(), rows.tolist(), likeness, strict=True):
            query = decoded(difference.qids[row])
            yield [query, *cells] if change is None else [*_value_cells(change, place, query, layout), *cells]


def _value_cells(change: Change, place: int, query: str, layout: Layout) -> list[str]:
    whole = change.spec is not None and change.spec.measure.integer
    numbers = (change.first[place], change.second[place], change.change[place])
    texts = [value_text(float(number), layout, whole=whole) for number in numbers]
    return [change.name, query, *texts, verdict_word(change, int(change.verdict[place]))]


def _likeness_cells(difference: Difference, rows: Positions, layout: Layout) -> list[list[str]]:
    alike = difference.likeness
    if alike is None:
        return [[] for _ in range(rows.size)]
    form = real_form(layout.digits)
    columns = [
        [str(number) for number in alike.overlap[rows].tolist()],
        [str(number) for number in alike.size[rows].tolist()],
        ["" if math.isnan(value) else form(value) for value in alike.rbo[rows].tolist()],
        ["" if math.isnan(value) else form(value) for value in alike.tau_ap[rows].tolist()],
    ]
    if difference.qrels_path is not None:
        columns += [[str(number) for number in counts[rows].tolist()] for counts in alike.unjudged]
    return [list(cells) for cells in zip(*columns, strict=True)]


def render_json(difference: Difference, layout: Layout, view: View) -> Iterator[bytes]:
    """One object, numbers in full; a query stands on one line."""
    del layout
    qrels, *files = difference.digests
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "qrels": None if difference.qrels_path is None else {"path": difference.qrels_path, "sha256": qrels},
        **{
            name: run_object(run) | {"sha256": digest, "missing": list(map(decoded, missing))}
            for name, run, digest, missing in zip(
                ("first", "second"), difference.runs, files, difference.missing, strict=True
            )
        },
        "options": difference.options,
        "queries": len(difference.qids),
        "different": difference.found,
        "notes": [note._asdict() for note in difference.notes],
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    yield b'  "measures": ['
    for place, change in enumerate(difference.changes):
        yield escaped("," * bool(place) + "\n    " + _change_text(difference, change, view))
    yield b"\n  ],\n" if difference.changes else b"],\n"
    yield escaped(f'  "rankings": {_rankings_text(difference, view)}\n}}\n')


def run_object(run: NamedRun) -> dict[str, object]:
    """A run in JSON."""
    return {"label": run.label, "path": run.path}


def _change_text(difference: Difference, change: Change, view: View) -> str:
    places = select(difference, change, view).places.tolist()
    deltas = change.change
    facts: dict[str, object] = {
        "measure": {"name": change.name, "higher_is_better": change.higher_is_better}
        if change.spec is None
        else definition(change.name, change.spec, change.given),
        "first": finite(change.means[0]),
        "second": finite(change.means[1]),
        "queries": int(change.row.size),
        **{verdict_word(change, verdict): change.count(verdict) for verdict in (1, 0, -1)},
    }
    lines = [f"      {written(key)}: {written(value)}" for key, value in facts.items()]
    rows = [
        written(
            {
                "query": decoded(difference.qids[change.row[place]]),
                "first": finite(float(change.first[place])),
                "second": finite(float(change.second[place])),
                "change": finite(float(deltas[place])),
                "verdict": verdict_word(change, int(change.verdict[place])),
            }
        )
        for place in places
    ]
    lines.append(f'      "per_query": {listed(rows, 8)}')
    return "{\n" + ",\n".join(lines) + "\n    }"


def listed(lines: Sequence[str], indent: int) -> str:
    """A JSON array with an element on each line."""
    if not lines:
        return "[]"
    between = ",\n" + " " * indent
    return f"[\n{' ' * indent}{between.join(lines)}\n{' ' * (indent - 2)}]"


def _rankings_text(difference: Difference, view: View) -> str:
    """How alike the rankings are; of a difference with measures all of them, in the order of the queries."""
    alike = difference.likeness
    if alike is None:
        return "null"
    places = range(len(difference.qids)) if difference.changes else select(difference, None, view).places.tolist()
    rows = []
    for place in places:
        row: dict[str, object] = {
            "query": decoded(difference.qids[place]),
            "overlap": int(alike.overlap[place]),
            "of": int(alike.size[place]),
            "rbo": finite(float(alike.rbo[place])),
            "tau_ap": finite(float(alike.tau_ap[place])),
            "same": bool(alike.same[place]),
        }
        if difference.qrels_path is not None:
            row["unjudged"] = [int(counts[place]) for counts in alike.unjudged]
        rows.append(written(row))
    return listed(rows, 4)


def finite(value: float | None) -> float | None:
    """The number, never a negative zero, or None for what JSON has no word for."""
    return value + 0.0 if value is not None and math.isfinite(value) else None
