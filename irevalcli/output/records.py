"""The records of measures as text: lists, one record in full, JSON, Markdown."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

from irevalcli.measures.families import family_name
from irevalcli.measures.presets import presets_of
from irevalcli.measures.references import cited, cited_text, known
from irevalcli.measures.registry import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from irevalcli.measures.families import Family
    from irevalcli.measures.presets import Preset
    from irevalcli.measures.registry import Example, Measure, Param

SCHEMA = 1
_INDENT = "  "
_LABEL_WIDTH = 13
_GAP = "  "
_NARROWEST = 24
_NEEDS = {
    "further_grades": "further grades of the documents: --qrels NAME=FILE",
    "document_lists": "the documents of the first ranks, judged or not",
    "runs": "several runs",
    "baseline": "several runs, one of them as --baseline",
}
"""What a measure needs beside judgments, in words."""

_SHOWN = {
    "document_lists": "documents",
    "runs": "values (run | others)",
    "baseline": "values (run | baseline)",
}
"""What the lists of a worked example hold, if they are not grades."""

_FURTHER = {"further_grades": "further grades of those retrieved", "document_lists": "counts"}

_HEAD = ("measure", "trec_eval", "what it answers")


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


def _example_line(record: Measure, example: Example) -> str:
    missed = f", not retrieved: {example.unretrieved}" if example.unretrieved else ""
    further = f", {_FURTHER[record.needs]}: {example.further}" if example.further else ""
    source = f"   {example.source}" if example.source else ""
    shown = _SHOWN.get(record.needs, "grades")
    return f"{example.measure} of {shown} {example.ranking}{missed}{further} = {example.value}{source}"


def _options_line(record: Measure) -> str:
    """What the measure can be asked for beside its parameters, and whether it can be averaged over ties."""
    words = {"judged_only": "judged_only=True", "bound": "bound=low, high or width"}
    options = [words[option.name] for option in record.options]
    return "; ".join(options + ["--ties average"] * (record.tie_average is not None))


def _preset_line(preset: Preset) -> str:
    return f"{preset.written} is {preset.target}: {preset.equals}"


def list_lines(records: Sequence[Measure], width: int | None) -> Iterator[str]:
    """A table of measures: name, trec_eval's name, summary."""
    rows = [_HEAD, *map(_row, records)]
    yield from _table(rows, _column_widths(rows), width)


def family_lines(families: Sequence[Family], width: int | None) -> Iterator[str]:
    """Such a table with a heading above each family, which ends with the family's name in brackets."""
    rows = [[_row(record) for record in family.measures] for family in families]
    widths = _column_widths([_HEAD, *(row for members in rows for row in members)])
    yield from _table([_HEAD], widths, width)
    for family, members in zip(families, rows, strict=True):
        yield ""
        yield f"{family.title} ({family.name})"
        yield from _table(members, widths, width)


def _row(record: Measure) -> tuple[str, str, str]:
    return _short(record), _trec_word(record), record.summary


def _column_widths(rows: Sequence[tuple[str, str, str]]) -> tuple[int, int]:
    return max(len(row[0]) for row in rows), max(len(row[1]) for row in rows)


def _table(rows: Iterable[tuple[str, str, str]], widths: tuple[int, int], width: int | None) -> Iterator[str]:
    first, second = widths
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
        ("needs", [] if record.needs == "hits" else [_NEEDS.get(record.needs, f"judgments with {record.needs}")]),
        ("options", [_options_line(record)]),
        ("note", [record.note]),
        ("same as", [f"{other.tool}: {other.name}" for other in record.equivalents]),
        ("presets", [_preset_line(preset) for preset in presets_of(record.name).values()]),
        ("also called", [", ".join(record.aliases)]),
        ("examples", [_example_line(record, example) for example in record.examples]),
        ("reference", [cited_text(reference) for reference in record.references]),
        ("since", [record.since]),
        ("plugin", ["" if record.origin is None else str(record.origin)]),
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
        "family": family_name(record),
        "plugin": None if record.origin is None else record.origin._asdict(),
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
        "options": [option.name for option in record.options],
        "tie_average": record.tie_average is not None,
        "no_relevant": record.no_relevant,
        "monotone": record.monotone,
        "reference": cited(record),
        "references": [_reference_object(reference) for reference in record.references],
        "since": record.since,
        "note": record.note,
        "aliases": list(record.aliases),
        "equivalents": [other._asdict() for other in record.equivalents],
        "presets": [preset._asdict() for preset in presets_of(record.name).values()],
        "examples": [example._asdict() for example in record.examples],
    }


def _reference_object(reference: str) -> dict[str, Any]:
    """A reference as it is cited, and what is known of it."""
    found = known(reference)
    return {"text": cited_text(reference), **({} if found is None else found._asdict())}


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
        options = _options_line(record)
        if options:
            yield f"- Options: {_cell(options)}"
        if record.note:
            yield f"- Note: {_cell(record.note)}"
        for other in record.equivalents:
            yield f"- Same as {_cell(other.tool)} `{other.name}`"
        for preset in presets_of(record.name).values():
            yield f"- Preset: {_cell(_preset_line(preset))}"
        for example in record.examples:
            yield f"- Example: {_cell(_example_line(record, example))}"
        yield f"- Reference: {_cell(cited(record))}"
        if record.origin is not None:
            yield f"- Plugin: {_cell(str(record.origin))}"
        yield ""
