"""Differences of one query's rankings as data: a row for each document, or one JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.output.difference_data import SCHEMA, finite, listed, run_object
from irevalcli.output.fields import delimited
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_object import definition
from irevalcli.output.json_text import written
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.diff_documents import DocumentDifference, Moved
    from irevalcli.output.prose import Texts
    from irevalcli.output.registry import Layout

_COLUMNS = ("query", "document", "grade", "first_rank", "second_rank", "place")


def render_tsv(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """A row for each document, separated by tabs."""
    return delimited(_rows(difference, layout, texts), "\t")


def render_csv(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """A row for each document, separated by commas and quoted as in RFC 4180."""
    return delimited(_rows(difference, layout, texts), ",")


def _place(difference: DocumentDifference, row: Moved) -> str:
    """``kept``, ``new`` or ``left``: of the top."""
    if row.second is None or row.second > difference.depth:
        return "left"
    return "kept" if difference.in_both(row) else "new"


def _rows(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[list[str]]:
    form = real_form(layout.digits)
    names = [f"change of {measured.spec.name}" for measured in difference.measures]
    yield [*_COLUMNS, *names, *(["text"] if texts.documents else [])]
    for row in difference.top + difference.left:
        yield [
            decoded(difference.query),
            decoded(row.docid),
            "" if row.grade is None else f"{row.grade:g}",
            "" if row.first is None else str(row.first),
            "" if row.second is None else str(row.second),
            _place(difference, row),
            *("" if value is None else form(value) for value in row.changes),
            *([" ".join(texts.documents.get(row.docid, "").split())] if texts.documents else []),
        ]


def render_json(difference: DocumentDifference, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """One object, numbers in full; a document stands on one line."""
    del layout
    first, second = (
        run_object(run) | {"retrieved": retrieved}
        for run, retrieved in zip(difference.runs, difference.retrieved, strict=True)
    )
    head: dict[str, Any] = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "qrels": difference.qrels_path,
        "first": first,
        "second": second,
        "query": decoded(difference.query),
        "query_text": texts.queries.get(difference.query),
        "options": difference.options,
        "different": difference.found,
        "notes": [note._asdict() for note in difference.notes],
        "measures": [
            {
                "measure": definition(measured.spec.name, measured.spec, measured.given),
                "first": finite(measured.first),
                "second": finite(measured.second),
                "change": finite(measured.second - measured.first),
                "documents_below": finite(measured.rest),
            }
            for measured in difference.measures
        ],
        "shared": difference.shared,
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    documents = [written(_document(difference, row, texts)) for row in difference.top + difference.left]
    yield escaped(f'  "documents": {listed(documents, 4)}\n}}\n')


def _document(difference: DocumentDifference, row: Moved, texts: Texts) -> dict[str, object]:
    found: dict[str, object] = {
        "document": decoded(row.docid),
        "grade": row.grade,
        "judged": None if difference.qrels_path is None else row.judged,
        "first_rank": row.first,
        "second_rank": row.second,
        "place": _place(difference, row),
        "changes": {
            measured.spec.name: finite(value) for measured, value in zip(difference.measures, row.changes, strict=True)
        },
    }
    if texts.documents:
        found["text"] = texts.documents.get(row.docid)
    return found
