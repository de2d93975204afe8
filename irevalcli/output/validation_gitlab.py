"""What validation found as GitLab's code quality report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.finding_text import visible_bytes
from irevalcli.output.gitlab import Issue, Severity, code_quality
from irevalcli.output.project_paths import project_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Validation
    from irevalcli.errors import Finding
    from irevalcli.output.validation_formats import ValidationLayout

_SEVERITIES: dict[str, Severity] = {"error": "critical", "warning": "minor", "note": "info"}


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """The report: an issue for each finding that is shown."""
    del layout
    yield code_quality(_issue(finding) for file in validation.files for finding in file.findings)


def _issue(finding: Finding) -> Issue:
    path = project_path(finding.path)
    # A line keeps its text when others come and go above it; messages hold numbers of lines.
    identity = (finding.rule, path, visible_bytes(finding.excerpt))
    return Issue(finding.rule, finding.message, _SEVERITIES[finding.severity], path, finding.line, identity)
