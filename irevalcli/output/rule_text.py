"""The records of rules as text: a list, one rule in full, JSON, Markdown."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

from irevalcli.output.finding_text import visible_bytes
from irevalcli.output.id_text import encoded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from irevalcli.reading.rules import Rule

SCHEMA = 1
_INDENT = "  "
_LABEL_WIDTH = 13
_NARROWEST = 40
_HEAD = ("code", "severity", "fix", "what is found")
_KINDS = {
    "INP": "Files of any kind",
    "RUN": "Runs",
    "QRL": "Qrels",
    "PRF": "Preferences",
    "POP": "Popularity files",
}
"""What the first three letters of a code stand for."""


def list_lines(rules: Sequence[Rule]) -> Iterator[str]:
    """A table of rules: code, severity, whether ``--fix`` puts it right, title."""
    for code, severity, fix, title in (_HEAD, *map(_row, rules)):
        yield f"{code:<8}{severity:<10}{fix:<5}{title}"


def _row(rule: Rule) -> tuple[str, str, str, str]:
    return rule.code, rule.severity, "yes" if rule.fixable else "", rule.title


def rule_lines(rule: Rule, width: int | None) -> Iterator[str]:
    """One rule in full, wrapped to `width` if there is one."""
    yield f"{rule.code} — {rule.title}"
    beside = [("beside qrels", _shown(rule.beside))] if rule.beside else []
    yield from _entry("severity", [severity_words(rule)], width)
    yield from _entry("why", [rule.why], width)
    yield from _entry("how found", [rule.found], width)
    for label, lines in (("example", _shown(rule.example)), ("better", _shown(rule.better)), *beside):
        yield from _entry(label, lines, None)
    yield from _entry("what to do", [rule.help], width)


def _entry(label: str, texts: Iterable[str], width: int | None) -> Iterator[str]:
    for index, text in enumerate(texts):
        head = f"{_INDENT}{label if index == 0 else '':<{_LABEL_WIDTH}}"
        if width is None:
            yield (head + text).rstrip()
        else:
            yield from textwrap.wrap(
                text, max(width, _NARROWEST), initial_indent=head, subsequent_indent=" " * len(head),
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip


def severity_words(rule: Rule) -> str:
    """The severity with what changes it, and whether the rule is looked for at all."""
    words: list[str] = [rule.severity]
    if rule.preset_trec is not None:
        words.append(f"{rule.preset_trec} under --preset trec")
    if rule.limited:
        words.append(f"looked for only under {rule.limited}")
    if rule.fixable:
        words.append("--fix puts it right")
    return "; ".join(words)


def _shown(example: str) -> list[str]:
    """The lines of an example, with what would not be seen spelt out."""
    lines = [visible_bytes(line) for line in encoded(example).split(b"\n")]
    return lines[:-1] if example.endswith("\n") else [*lines[:-1], f"{lines[-1]}   (and no line end)"]


def rule_object(rule: Rule) -> dict[str, Any]:
    """A record as JSON can hold it."""
    return rule._asdict() | {"beside": rule.beside or None, "limited": rule.limited or None}


def rules_json(rules: Iterable[Rule]) -> bytes:
    """All given records as one JSON object."""
    whole = {"schema": SCHEMA, "rules": [rule_object(rule) for rule in rules]}
    return json.dumps(whole, ensure_ascii=True, allow_nan=False, indent=2).encode() + b"\n"


def rules_markdown(rules: Sequence[Rule]) -> Iterator[str]:
    """All given records as Markdown: for each kind of file a table, and a section for each rule."""
    for kind, heading in _KINDS.items():
        members = [rule for rule in rules if rule.code.startswith(kind)]
        yield f"## {heading}"
        yield ""
        yield "| code | what is found | severity | fix |"
        yield "|:---|:---|:---|:---|"
        for rule in members:
            _, severity, fix, title = _row(rule)
            yield f"| [{rule.code}](#{rule.code.lower()}) | {title} | {severity} | {fix} |"
        yield ""
        for rule in members:
            yield from _section(rule)


def _section(rule: Rule) -> Iterator[str]:
    yield f"### {rule.code}"
    yield ""
    yield f"**{rule.title}** ({severity_words(rule)})"
    yield ""
    yield rule.why
    yield ""
    yield f"How it is found: {rule.found}"
    yield ""
    for label, text in (("Wrong", rule.example), ("Better", rule.better), ("Beside these qrels", rule.beside)):
        if text:
            yield f"{label}:"
            yield ""
            yield "```text"
            yield from _shown(text)
            yield "```"
            yield ""
    yield f"What to do: {rule.help}."
    yield ""
