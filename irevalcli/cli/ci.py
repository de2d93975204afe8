"""What a gate tells a CI service beside its output: annotations, and the summary of the job."""

from __future__ import annotations

import os
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from irevalcli.cli.console import complain
from irevalcli.cli.problems import note_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from irevalcli.analysis.gate.verdicts import GateReport
    from irevalcli.cli.console import Console
    from irevalcli.output.registry import Layout

Wish = Literal["auto", "github", "gitlab", "none"]
Service = Literal["github", "gitlab", "none"]

WISHES: tuple[Wish, ...] = get_args(Wish)
"""What ``--ci`` takes."""

SUMMARY_LIMIT = 1024 * 1024
"""Bytes in a summary from which on GitHub shows none of it."""

_SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"
_REPORTS = frozenset({"junit", "gitlab", "openmetrics"})
"""The formats that GitLab shows when a job keeps them as reports."""

_CUT = b"\n_The rest was cut, because GitHub shows no summary of 1 MiB or more. `--export gate.md` writes all of it._\n"


def service_of(wish: Wish) -> Service:
    """The CI service that is told; ``auto`` is the one in which this process runs."""
    if wish != "auto":
        return wish
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "gitlab" if os.environ.get("GITLAB_CI") == "true" else "none"


def announce(
    report: GateReport, service: Service, layout: Layout, console: Console, *, chosen: str, exported: Collection[str]
) -> None:
    """Tell the service what the gate found: not on standard output, and what cannot be told is only a warning.

    On GitHub: annotations on standard error, which the runner reads, too, and Markdown at the end of
    ``$GITHUB_STEP_SUMMARY``. GitLab reads only files that a job keeps; if none is written, that is said.

    Args:
        report: what the gate found.
        service: who is told.
        layout: of numbers.
        console: where talk goes.
        chosen: the format on standard output.
        exported: the formats of files.
    """
    from irevalcli.output.gate_formats import render_report  # noqa: PLC0415  (numpy, which --help does without)

    if service == "github":
        if chosen != "github":
            for line in render_report(report, "github", layout):
                complain(line.decode().rstrip("\n"))
        _append_summary(render_report(report, "markdown", layout), console)
    elif service == "gitlab" and _REPORTS.isdisjoint((chosen, *exported)):
        console.say("note:    GitLab shows reports that a job keeps: --export junit:gate.xml  [docs/ci.md]")


def _append_summary(pieces: Iterable[bytes], console: Console) -> None:
    """Add the pieces to the summary of the step, as many as fit."""
    from irevalcli.analysis.scores import Note  # noqa: PLC0415  (numpy)

    path = os.environ.get(_SUMMARY_VARIABLE)
    if not path:
        return
    try:
        with Path(path).open("ab") as file:
            file.writelines(_fitting(pieces, SUMMARY_LIMIT - 1 - file.tell(), blank=file.tell() > 0))
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        console.say(
            note_line(Note("warning", f"${_SUMMARY_VARIABLE} {path}: {reason}; the job gets no summary"), console)
        )


def _fitting(pieces: Iterable[bytes], room: int, *, blank: bool) -> Iterable[bytes]:
    """The pieces, an empty line before them if wanted; if not all fit, the first of them and a line that says so."""
    wanted = [b"\n", *pieces] if blank else list(pieces)
    if sum(map(len, wanted)) <= room:
        return wanted
    if room < len(_CUT):
        return []
    ends = accumulate(map(len, wanted))
    return [*(piece for piece, end in zip(wanted, ends, strict=True) if end <= room - len(_CUT)), _CUT]
