"""What a gate found, as GitLab's code quality report: an issue for each rule that does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.gate_text import parts, place_of, rule_names, severity
from irevalcli.output.gitlab import Issue, code_quality
from irevalcli.output.project_paths import project_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.verdicts import GateReport
    from irevalcli.output.github import Kind
    from irevalcli.output.gitlab import Severity
    from irevalcli.output.registry import Layout

_SEVERITIES: dict[Kind, Severity] = {"error": "major", "warning": "minor", "notice": "info"}


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """The report. A rule from a file stands at its line there, any other at the run's first line."""
    del layout
    yield code_quality(_issues(report))


def _issues(report: GateReport) -> Iterator[Issue]:
    for part in parts(report):
        verdicts = part.run.verdicts
        for verdict, name in zip(verdicts, rule_names(verdicts), strict=True):
            kind = severity(report, verdict)
            if kind is not None:
                place = place_of(verdict)
                yield Issue(
                    f"irevalcli/{verdict.rule.kind}",
                    f"{part.name}: {verdict.rule.text}: {verdict.outcome}: {verdict.found}",
                    _SEVERITIES[kind],
                    place.file or project_path(part.run.path),
                    place.line,
                    ("irevalcli check", part.suite.name, part.run.label, name),
                )
