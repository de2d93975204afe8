"""How errors and notes read on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem
from irevalcli.output.finding_text import findings_lines, painted, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.scores import Note
    from irevalcli.cli.console import Console
    from irevalcli.errors import IrevalError

_IN_FULL = 3
"""How many findings of a rule are shown with their lines; of the others only the place is said."""


def error_lines(error: IrevalError, console: Console) -> Iterator[str]:
    """The lines of an error: findings with excerpts, or the message; then what to do."""
    findings = error.findings if isinstance(error, InputProblem) else ()
    yield from findings_lines(findings, colour=console.colour_errors, most=_IN_FULL)
    if len(findings) != 1:
        yield f"{painted('error', 'error', colour=console.colour_errors)}: {printable(error.message)}"
    for hint in error.hints:
        yield f"  {printable(hint)}"


def note_line(note: Note, console: Console) -> str:
    """A note or warning in one line."""
    head = "note:   "
    if note.severity == "warning":
        head = painted("warning:", "warning", colour=console.colour_errors)
    return f"{head} {printable(note.text)}" + (f"  [{note.hint}]" if note.hint else "")
