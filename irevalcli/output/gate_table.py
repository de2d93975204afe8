"""What a gate found, for the terminal: a line for each rule, details indented below it, and the sum of all at the end.

Unless a terminal is narrow, no line begins with an id: what reads the log of a CI job obeys some beginnings of lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.ascii_text import IN_ASCII
from irevalcli.output.display_width import display_width, padded
from irevalcli.output.gate_text import counts_text, explained_together, parts, undecided_text
from irevalcli.output.id_text import visible
from irevalcli.output.prose import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.gate.verdicts import GateReport, Outcome, Verdict
    from irevalcli.output.registry import Layout

MARKS: dict[Outcome, str] = {"pass": "PASS", "fail": "FAIL", "undecided": "????", "warn": "WARN"}
"""What stands in front of a rule. All have the same width."""

_PAINT: dict[Outcome, str] = {
    "pass": "\x1b[32m", "fail": "\x1b[1;31m", "undecided": "\x1b[1;33m", "warn": "\x1b[1;33m"
}  # fmt: skip
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_INDENT = " " * 6
_GAP, _BEFORE_DETAILS = " " * 3, " " * 12
_ROOM_FOR_FOUND = 30
"""Columns that are wanted beside the rules; what was found stands below them if there are fewer."""


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """A block for each run, with its name above it if there are several; then how many rules passed and failed."""
    listed = list(parts(report))
    for part in listed:
        if len(listed) > 1:
            yield from (_painted(line, _BOLD, layout).encode() for line in wrapped(visible(part.name), layout.width))
        yield from (line.encode() for line in _verdicts(part.run.verdicts, layout))
        if len(listed) > 1 and part.run.follow_up:
            yield f"{_INDENT}details: {visible(part.run.follow_up)}\n".encode()
        yield b"\n"
    follow_up = listed[0].run.follow_up if len(listed) == 1 else ""
    yield from (line.encode() for line in _summary(counts_text(report), follow_up, layout))
    yield from (line.encode() for line in wrapped(undecided_text(report), layout.width))


def _summary(counts: str, follow_up: str, layout: Layout) -> Iterator[str]:
    """The counts, and beside or below them the command that shows more, which is never broken."""
    details = f"details: {visible(follow_up)}"
    line = f"{counts}{_BEFORE_DETAILS}{details}"
    if follow_up and (layout.width is None or display_width(line) <= layout.width):
        yield f"{line}\n"
        return
    yield from wrapped(counts, layout.width)
    if follow_up:
        yield f"{details}\n"


def _verdicts(verdicts: Sequence[Verdict], layout: Layout) -> Iterator[str]:
    """The lines of all rules, what was found in a column beside them, or below them in a narrow terminal."""
    rules = padded([_shown(verdict.rule.text, layout) for verdict in verdicts], right=False)
    column = len(_INDENT) + max(map(display_width, rules), default=0) + len(_GAP)
    beside = layout.width is None or column + _ROOM_FOR_FOUND <= layout.width
    for verdict, rule, told in zip(verdicts, rules, explained_together(verdicts, layout), strict=True):
        found = [verdict.found, *told]
        head = f"{MARKS[verdict.outcome]}  {rule}"
        lines = _beside(head, found, column, layout) if beside else _below(head, found, layout)
        mark = MARKS[verdict.outcome]
        yield next(lines).replace(mark, _painted(mark, _PAINT[verdict.outcome], layout), 1)
        yield from lines


def _beside(head: str, found: Sequence[str], column: int, layout: Layout) -> Iterator[str]:
    first, *further = (_shown(line, layout) for line in found)
    indent = " " * column
    yield from wrapped(first, layout.width, first=head + _GAP, indent=indent) if first else [f"{head.rstrip()}\n"]
    for line in further:
        yield from wrapped(line, layout.width, first=indent, indent=indent)


def _below(head: str, found: Sequence[str], layout: Layout) -> Iterator[str]:
    mark, rule = head[: len(_INDENT)], head[len(_INDENT) :]
    yield from wrapped(rule.rstrip(), layout.width, first=mark, indent=_INDENT)
    for line in found:
        yield from wrapped(_shown(line, layout), layout.width, first=_INDENT, indent=_INDENT)


def _painted(text: str, paint: str, layout: Layout) -> str:
    line, end, _ = text.partition("\n")
    return f"{paint}{line}{_PLAIN}{end}" if layout.colour else text


def _shown(text: str, layout: Layout) -> str:
    return visible(text) if layout.unicode else visible(text).translate(IN_ASCII)
