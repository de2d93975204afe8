"""The records of measures as text: the list, one record in full, JSON, Markdown."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

from irevalcli.measures.references import cited, cited_text
from irevalcli.measures.registry import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.measures.registry import Example, Measure, Param

SCHEMA = 1
_INDENT = "  "
_LABEL_WIDTH = 13
_GAP = "  "
_NARROWEST = 24


def signature(record: Measure) -> str:
    """The name with its parameters: ``AP(rel=1, denom=R)@cutoff``."""
    inside = ", ".join(
        param.name if param.default in (REQUIRED, None) else f"{param.name}={_default(param)}"
        for param in record.parameters
        if param.name != record.at
    )
    at = record.parameter(record.at)
    suffix = "" if at is None else f"@{at.name}" if at.default == REQUIRED else f"[@{at.name}]"
    return record.name + (f"({inside})" if inside else "") + suffix


def value_range(record: Measure) -> str:
    """The range of values in words."""
    low = "-∞" if record.low is None else f"{record.low:g}"
    high = "∞" if record.high is None else f"{record.high:g}"
    direction = {True: ", higher is better", False: ", lower is better", None: ""}[record.higher_is_better]
    return f"{low} … {high}{direction}"


def _default(param: Param) -> str:
    return f"{param.default:g}" if isinstance(param.default, float) else str(param.default)


def _param_meaning(param: Param) -> str:
    kind = "one of " + ", ".join(param.choices) if param.choices else param.type
    if param.low is not None:
        kind += f" ≥ {param.low:g}"
    if param.high is not None:
        kind += f" ≤ {param.high:g}"
    given = (
        "required"
        if param.default == REQUIRED
        else "optional"
        if param.default is None
        else f"default {_default(param)}"
    )
    return f"{param.name}: {param.meaning} ({kind}; {given})"


def _example_line(example: Example) -> str:
    missed = f", not retrieved: {example.unretrieved}" if example.unretrieved else ""
    source = f"   {example.source}" if example.source else ""
    return f"{example.measure} of grades {example.ranking}{missed} = {example.value}{source}"


def list_lines(records: Iterable[Measure], width: int | None) -> Iterator[str]:
    """The table of all measures: name, trec_eval's name, summary."""
    rows = [("measure", "trec_eval", "what it answers")]
    rows += [(_short(record), _trec_word(record), record.summary) for record in records]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    room = None if width is None else max(width - first - second - 2 * len(_GAP), _NARROWEST)
    for name, other, summary in rows:
        lines = [summary] if room is None else textwrap.wrap(summary, room)
        yield f"{name:<{first}}{_GAP}{other:<{second}}{_GAP}{lines[0]}"
        for line in lines[1:]:
            yield " " * (first + second + 2 * len(_GAP)) + line


def _short(record: Measure) -> str:
    at = record.parameter(record.at)
    mark = {"cutoff": "k"}.get(record.at, "x")
    return record.name + ("" if at is None else f"@{mark}" if at.default == REQUIRED else f"[@{mark}]")


def _trec_word(record: Measure) -> str:
    names = (other.name for other in record.equivalents if other.tool == "trec_eval")
    return next(names, "").partition(" ")[0]


def record_lines(record: Measure, width: int | None) -> Iterator[str]:
    """One record in full."""
    yield f"{signature(record)} — {record.title}"
    entries: list[tuple[str, list[str]]] = [
        ("answers", [record.summary]),
        ("formula", [record.formula]),
        ("parameters", [_param_meaning(param) for param in record.parameters]),
        ("range", [value_range(record)]),
        ("aggregate", [record.aggregation]),
        ("no relevant", ["" if record.no_relevant is None else f"{record.no_relevant:g}"]),
        ("needs", [] if record.needs == "hits" else [f"judgments with {record.needs}"]),
        ("note", [record.note]),
        ("same as", [f"{other.tool}: {other.name}" for other in record.equivalents]),
        ("also called", [", ".join(record.aliases)]),
        ("examples", [_example_line(example) for example in record.examples]),
        ("reference", [cited_text(reference) for reference in record.references]),
        ("since", [record.since]),
    ]
    for label, texts in entries:
        for index, text in enumerate(text for text in texts if text):
            head = f"{_INDENT}{label if index == 0 else '':<{_LABEL_WIDTH}}"
            indent = " " * len(head)
            if width is None:
                yield head + text
            else:
                yield from textwrap.wrap(
                    text, max(width, 40), initial_indent=head, subsequent_indent=indent, break_long_words=False,
                    break_on_hyphens=False,
                )  # fmt: skip


def record_object(record: Measure) -> dict[str, Any]:
    """A record as JSON can hold it."""
    return {
        "name": record.name,
        "signature": signature(record),
        "title": record.title,
        "summary": record.summary,
        "formula": record.formula,
        "parameters": [
            {
                "name": param.name,
                "type": param.type,
                "required": param.default == REQUIRED,
                "default": None if param.default == REQUIRED else param.default,
                "meaning": param.meaning,
                "choices": list(param.choices),
                "low": param.low,
                "high": param.high,
            }
            for param in record.parameters
        ],
        "at": record.at or None,
        "range": [record.low, record.high],
        "higher_is_better": record.higher_is_better,
        "kind": record.kind,
        "integer": record.integer,
        "aggregation": record.aggregation,
        "needs": record.needs,
        "no_relevant": record.no_relevant,
        "monotone": record.monotone,
        "reference": cited(record),
        "since": record.since,
        "note": record.note,
        "aliases": list(record.aliases),
        "equivalents": [other._asdict() for other in record.equivalents],
        "examples": [example._asdict() for example in record.examples],
    }


def records_json(records: Iterable[Measure]) -> str:
    """All given records as one JSON object."""
    return json.dumps(
        {"schema": SCHEMA, "measures": [record_object(record) for record in records]},
        ensure_ascii=False, allow_nan=False, indent=2,
    )  # fmt: skip


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def records_markdown(records: Iterable[Measure]) -> Iterator[str]:
    """All given records as Markdown, a section each."""
    for record in records:
        yield f"## {record.name}"
        yield ""
        yield f"**{record.title}** `{signature(record)}` — {_cell(record.summary)}"
        yield ""
        yield f"- Formula: {_cell(record.formula)}"
        yield f"- Range: {value_range(record)}; aggregate: {record.aggregation}"
        for param in record.parameters:
            yield f"- Parameter `{param.name}`: {_cell(_param_meaning(param).partition(': ')[2])}"
        if record.note:
            yield f"- Note: {_cell(record.note)}"
        for other in record.equivalents:
            yield f"- Same as {_cell(other.tool)} `{other.name}`"
        for example in record.examples:
            yield f"- Example: {_cell(_example_line(example))}"
        yield f"- Reference: {_cell(cited(record))}"
        yield ""
