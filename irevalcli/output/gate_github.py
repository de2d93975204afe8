"""What a gate found, as annotations of GitHub Actions: one for each rule that does not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.gate_text import explained, parts, place_of, severity
from irevalcli.output.github import Annotation, annotation_lines
from irevalcli.output.id_text import escaped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.verdicts import GateReport
    from irevalcli.output.registry import Layout


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """An annotation in each line; none if all rules hold. A rule from a file is shown beside its line there."""
    for line in annotation_lines(_annotations(report, layout)):
        yield escaped(f"{line}\n")


def _annotations(report: GateReport, layout: Layout) -> Iterator[Annotation]:
    for part in parts(report):
        for verdict in part.run.verdicts:
            kind = severity(report, verdict)
            if kind is not None:
                place = place_of(verdict)
                message = "\n".join([f"{verdict.outcome}: {verdict.found}", *explained(verdict, layout)])
                yield Annotation(kind, message, f"{part.name}: {verdict.rule.text}", place.file, place.line)
