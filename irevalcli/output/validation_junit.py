"""What validation found as JUnit's XML: a suite for each file, and in it a case for each rule that was broken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.finding_text import findings_lines
from irevalcli.output.junit import Case, Suite, junit_xml
from irevalcli.output.project_paths import project_path
from irevalcli.output.validation_concise import not_shown
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Count, FileReport, Validation
    from irevalcli.output.validation_formats import ValidationLayout


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """The document. A rule whose findings do not fail is a case that passes, with the findings as its output."""
    suites = [
        Suite(file.path, [_case(file, count, layout) for count in file.counts], _properties(file))
        for file in validation.files
    ]
    yield junit_xml("irevalcli validate", suites, nothing="nothing to report")


def _properties(file: FileReport) -> list[tuple[str, str]]:
    return [("kind", file.kind), ("rows", str(file.rows)), ("queries", str(file.queries))]


def _case(file: FileReport, count: Count, layout: ValidationLayout) -> Case:
    findings = [
        finding for finding in file.findings if (finding.rule, finding.severity) == (count.rule, count.severity)
    ]
    lines = list(findings_lines(findings, colour=False))
    lines += [f"{number} more, not shown" for other, number in not_shown(file) if other == count]
    fails = count.severity == "error" or (count.severity == "warning" and layout.strict)
    first = next(iter(findings), None)
    title = RULES[count.rule].title
    return Case(
        file.path,
        f"{count.rule}: {title}",
        "failed" if fails else "passed",
        f"{count.severity}: {title if first is None else first.message}",
        "\n".join(lines),
        project_path(file.path),
        0 if first is None else first.line,
    )
