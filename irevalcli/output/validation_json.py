"""What validation found as one JSON object. Schema 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from irevalcli import __version__
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_text import written
from irevalcli.reading.rules import RULES, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.analysis.validation import Count, FileReport, Validation
    from irevalcli.errors import Finding
    from irevalcli.output.validation_formats import ValidationLayout

SCHEMA = 1
"""Rises when a reader of the object would have to change."""


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """The object: its upper levels indented, each finding on a line."""
    head = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "strict": layout.strict,
        "summary": {f"{severity}s": validation.total(severity) for severity in get_args(Severity)},
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    yield b'  "files": ['
    for place, file in enumerate(validation.files):
        yield b",\n    {\n" if place else b"\n    {\n"
        yield from map(escaped, _file(file))
        yield b"\n    }"
    yield b"\n  ]\n}\n" if validation.files else b"]\n}\n"


def _file(file: FileReport) -> Iterator[str]:
    for key, value in (("path", file.path), ("kind", file.kind), ("rows", file.rows), ("queries", file.queries)):
        yield f"      {written(key)}: {written(value)},\n"
    yield f'      "counts": {_listed(map(_count, file.counts))},\n'
    yield f'      "findings": {_listed(map(_finding, file.findings))}'


def _listed(entries: Iterable[dict[str, Any]]) -> str:
    lines = [f"        {written(entry)}" for entry in entries]
    return "[\n" + ",\n".join(lines) + "\n      ]" if lines else "[]"


def _count(count: Count) -> dict[str, Any]:
    return {**count._asdict(), "fixable": RULES[count.rule].fixable}


def _finding(finding: Finding) -> dict[str, Any]:
    """The finding; line and column are null where it has none."""
    fields = finding._asdict()
    del fields["path"]
    place = {key: fields[key] or None for key in ("line", "column", "width")}
    return {**fields, **place, "excerpt": decoded(finding.excerpt) if finding.line else None}
