"""How errors and notes read on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.scores import Note
    from irevalcli.cli.console import Console
    from irevalcli.errors import Finding, IrevalError

_IN_FULL = 3
"""How many findings of a rule are shown with their lines; of the others only the place is said."""
_LONGEST_EXCERPT = 100
_CONTEXT = 40
_MARGIN = 5
_BOLD_RED, _BOLD_YELLOW, _END = "\x1b[1;31m", "\x1b[1;33m", "\x1b[0m"


def _painted(text: str, paint: str, *, colour: bool) -> str:
    return f"{paint}{text}{_END}" if colour else text


def printable(text: str) -> str:
    """Text in one line, with what a terminal would obey or cannot show spelt out."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def visible(raw: bytes) -> str:
    """Bytes of a file as one line of printable text; a tab becomes a blank, so that columns stay aligned."""
    return printable(raw.replace(b"\t", b" ").decode("utf-8", "backslashreplace"))


def error_lines(error: IrevalError, console: Console) -> Iterator[str]:
    """The lines of an error: findings with excerpts, or the message; then what to do."""
    findings = error.findings if isinstance(error, InputProblem) else ()
    yield from findings_lines(findings, console)
    if len(findings) != 1:
        yield f"{_painted('error', _BOLD_RED, colour=console.colour_errors)}: {printable(error.message)}"
    for hint in error.hints:
        yield f"  {printable(hint)}"


def findings_lines(findings: Sequence[Finding], console: Console) -> Iterator[str]:
    """The first findings of each rule in full, one line for each of the others."""
    shown: dict[str, int] = {}
    for finding in findings:
        before = shown.get(finding.rule, 0)
        if before < _IN_FULL:
            yield from _full(finding if before == 0 else finding._replace(help=""), console)
        else:
            yield f"{_head(finding, console)}: {printable(finding.location)}: {printable(finding.message)}"
        shown[finding.rule] = before + 1


def _head(finding: Finding, console: Console) -> str:
    paint = _BOLD_RED if finding.severity == "error" else _BOLD_YELLOW
    return _painted(f"{finding.severity}[{finding.rule}]", paint, colour=console.colour_errors)


def _full(finding: Finding, console: Console) -> Iterator[str]:
    """A finding with its place, the line it stands on, and a caret under what is wrong."""
    if not finding.line:
        yield f"{_head(finding, console)}: {printable(finding.path)}: {printable(finding.message)}"
    else:
        margin = " " * max(_MARGIN, len(str(finding.line)))
        yield f"{_head(finding, console)}: {printable(finding.message)}"
        yield f"{margin}--> {printable(finding.location)}"
        yield from _excerpt(finding, margin)
    if finding.help:
        yield f"{' ' * _MARGIN} = help: {finding.help}"


def _excerpt(finding: Finding, margin: str) -> Iterator[str]:
    if not finding.excerpt:
        return
    first = max(0, finding.column - 1 - _CONTEXT) if len(finding.excerpt) > _LONGEST_EXCERPT else 0
    shown = finding.excerpt[first : first + _LONGEST_EXCERPT]
    before, after = ("…" if first else ""), ("…" if first + len(shown) < len(finding.excerpt) else "")
    start = max(finding.column - 1 - first, 0)
    indent = " " * (len(before) + len(visible(shown[:start])))
    carets = "^" * max(len(visible(shown[start : start + finding.width])), 1)
    yield f"{margin} |"
    yield f"{finding.line:>{len(margin)}} | {before}{visible(shown)}{after}"
    yield f"{margin} | {indent}{carets} {finding.expected}".rstrip()


def note_line(note: Note, console: Console) -> str:
    """A note or warning in one line."""
    head = "note:   "
    if note.severity == "warning":
        head = _painted("warning:", _BOLD_YELLOW, colour=console.colour_errors)
    return f"{head} {printable(note.text)}" + (f"  [{note.hint}]" if note.hint else "")
