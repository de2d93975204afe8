"""The formats of what a gate found, one record each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from irevalcli.output.registry import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.verdicts import GateReport
    from irevalcli.output.registry import Layout

FORMATS: dict[str, Format] = {
    "table": Format("a line for each rule, and what it comes to", "gate_table", suffix=".txt"),
    "json": Format("one object with every rule, value and hash", "gate_json", suffix=".json"),
    "junit": Format("JUnit's XML: a suite for each run, a case for each rule", "gate_junit", suffix=".xml"),
    "markdown": Format("tables for pull requests and job summaries", "gate_markdown", suffix=".md"),
    "github": Format("annotations of GitHub Actions", "gate_github"),
    "gitlab": Format("GitLab's code quality report", "gate_gitlab"),
    "openmetrics": Format("OpenMetrics text, as GitLab's metrics reports want it", "gate_openmetrics", suffix=".prom"),
}
"""Every format by its name in ``--format``, in the order of the help."""

SUFFIXES: dict[str, str] = {record.suffix: name for name, record in FORMATS.items() if record.suffix}
"""The format that a file name's suffix stands for."""

HASHING = frozenset({"json", "junit", "markdown"})
"""The formats that print the SHA-256 of the inputs."""


def render_report(report: GateReport, name: str, layout: Layout) -> Iterator[bytes]:
    """The report in the format called `name`, as pieces of the output in order."""
    record = FORMATS[name]
    renderer = getattr(import_module(f"irevalcli.output.{record.module}"), record.function)
    pieces: Iterator[bytes] = renderer(report, layout)
    return pieces
