"""Findings as text: what is wrong, where, the line it stands on with a caret under it, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.errors import Finding

_LONGEST_EXCERPT = 100
_CONTEXT = 40
_MARGIN = 5
_END = "\x1b[0m"
_PAINT = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}


def painted(text: str, severity: str, *, colour: bool) -> str:
    """The text in the colour of a severity."""
    return f"{_PAINT[severity]}{text}{_END}" if colour else text


def printable(text: str) -> str:
    """Text in one line, with what a terminal would obey or cannot show spelt out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def visible_bytes(raw: bytes) -> str:
    """Bytes of a file as one line of printable text; a tab becomes a blank, so that columns stay aligned."""
    return printable(raw.replace(b"\t", b" ").decode("utf-8", "backslashreplace"))


def findings_lines(
    findings: Sequence[Finding], *, colour: bool, most: int | None = None, apart: bool = False
) -> Iterator[str]:
    """Findings in full, what to do about a rule below its first one.

    Args:
        findings: in their order.
        colour: whether escape sequences may be written.
        most: how many of each rule are written in full; the others get one line each. None for all.
        apart: with an empty line between them.
    """
    shown: dict[str, int] = {}
    for finding in findings:
        if apart and shown:
            yield ""
        before = shown.get(finding.rule, 0)
        if most is None or before < most:
            yield from _full(finding, colour=colour)
            if not before:
                yield from _what_to_do(finding)
        else:
            yield f"{_head(finding, colour=colour)}: {printable(finding.location)}: {printable(finding.message)}"
        shown[finding.rule] = before + 1


def _head(finding: Finding, *, colour: bool) -> str:
    return painted(f"{finding.severity}[{finding.rule}]", finding.severity, colour=colour)


def _full(finding: Finding, *, colour: bool) -> Iterator[str]:
    head = _head(finding, colour=colour)
    if not finding.line:
        yield f"{head}: {printable(finding.path)}: {printable(finding.message)}"
        return
    margin = " " * max(_MARGIN, len(str(finding.line)))
    yield f"{head}: {printable(finding.message)}"
    yield f"{margin}--> {printable(finding.location)}"
    yield from _excerpt(finding, margin)


def _what_to_do(finding: Finding) -> Iterator[str]:
    if finding.help:
        yield f"{' ' * _MARGIN} = help: {printable(finding.help)}"
    if finding.rule in RULES:
        yield f"{' ' * _MARGIN} = help: irevalcli validate --explain {finding.rule}"


def _excerpt(finding: Finding, margin: str) -> Iterator[str]:
    if not finding.excerpt:
        return
    first = max(0, finding.column - 1 - _CONTEXT) if len(finding.excerpt) > _LONGEST_EXCERPT else 0
    shown = finding.excerpt[first : first + _LONGEST_EXCERPT]
    before, after = ("…" if first else ""), ("…" if first + len(shown) < len(finding.excerpt) else "")
    start = max(finding.column - 1 - first, 0)
    indent = " " * (len(before) + len(visible_bytes(shown[:start])))
    carets = "^" * max(len(visible_bytes(shown[start : start + finding.width])), 1)
    yield f"{margin} |"
    yield f"{finding.line:>{len(margin)}} | {before}{visible_bytes(shown)}{after}"
    yield f"{margin} | {indent}{carets} {printable(finding.expected)}".rstrip()
