"""What validation found as annotations of GitHub Actions, and the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.github import Annotation, Kind, annotation_lines
from irevalcli.output.id_text import escaped
from irevalcli.output.project_paths import project_path
from irevalcli.output.validation_concise import line_of, summary
from irevalcli.reading.rules import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Validation
    from irevalcli.errors import Finding
    from irevalcli.output.validation_formats import ValidationLayout

_KINDS: dict[str, Kind] = {"error": "error", "warning": "warning", "note": "notice"}


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """An annotation for each finding that is shown, as far as the runner shows them, and the summary."""
    findings = (finding for file in validation.files for finding in file.findings)
    for line in annotation_lines(_annotation(finding) for finding in findings):
        yield escaped(f"{line}\n")
    yield line_of(summary(validation), layout)


def _annotation(finding: Finding) -> Annotation:
    path = project_path(finding.path)
    # The runner's log shows the message alone.
    message = f"{finding.location}: {finding.message}" + (f"\n{finding.help}" if finding.help else "")
    title = f"{finding.rule}: {RULES[finding.rule].title}"
    return Annotation(_KINDS[finding.severity], message, title, path, finding.line, finding.column)
