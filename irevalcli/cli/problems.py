"""How errors and notes read on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Note
    from irevalcli.cli.console import Console
    from irevalcli.errors import Finding, IrevalError

_LONGEST_EXCERPT = 100
_CONTEXT = 40
_BOLD_RED, _BOLD_YELLOW, _BOLD, _END = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1m", "\x1b[0m"


def _painted(text: str, paint: str, *, colour: bool) -> str:
    return f"{paint}{text}{_END}" if colour else text


def visible(raw: bytes) -> str:
    """Bytes of a file as one line of printable text; a tab becomes a blank, so that columns stay aligned."""
    text = raw.replace(b"\t", b" ").decode("utf-8", "backslashreplace")
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)


def error_lines(error: IrevalError, console: Console) -> Iterator[str]:
    """The lines of an error: findings with excerpts, or the message; then what to do."""
    paint = _painted("error", _BOLD_RED, colour=console.colour_errors)
    findings = error.findings if isinstance(error, InputProblem) else ()
    for finding in findings:
        yield from finding_lines(finding, console)
    if not findings:
        yield f"{paint}: {error.message}"
    elif len(findings) > 1:
        yield f"{paint}: {error.message}"
    for hint in error.hints:
        yield f"  {hint}"


def finding_lines(finding: Finding, console: Console) -> Iterator[str]:
    """A finding with its place, the line it stands on, and a caret under what is wrong."""
    paint = _BOLD_RED if finding.severity == "error" else _BOLD_YELLOW
    head = _painted(f"{finding.severity}[{finding.rule}]", paint, colour=console.colour_errors)
    if not finding.line:
        yield f"{head}: {finding.path}: {finding.message}"
    else:
        yield f"{head}: {finding.message}"
        yield f"  --> {finding.location}"
        yield from _excerpt(finding)
    if finding.help:
        yield f"      = help: {finding.help}"


def _excerpt(finding: Finding) -> Iterator[str]:
    if not finding.excerpt:
        return
    first = max(0, finding.column - 1 - _CONTEXT) if len(finding.excerpt) > _LONGEST_EXCERPT else 0
    shown = finding.excerpt[first : first + _LONGEST_EXCERPT]
    before, after = ("…" if first else ""), ("…" if first + len(shown) < len(finding.excerpt) else "")
    indent = visible(shown[: finding.column - 1 - first])
    marked = visible(shown[finding.column - 1 - first :][: finding.width])
    margin = str(finding.line).rjust(5)
    yield f"{' ' * 5} |"
    yield f"{margin} | {before}{visible(shown)}{after}"
    carets = "^" * max(len(marked), 1)
    yield f"{' ' * 5} | {' ' * (len(before) + len(indent))}{carets} {finding.expected}".rstrip()


def note_line(note: Note, console: Console) -> str:
    """A note or warning in one line."""
    head = "warning:" if note.severity == "warning" else "note:   "
    if note.severity == "warning":
        head = _painted(head, _BOLD_YELLOW, colour=console.colour_errors)
    return f"{head} {note.text}" + (f"  [{note.hint}]" if note.hint else "")
