"""What validation found, with the lines it stands on, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.finding_text import findings_lines
from irevalcli.output.validation_concise import line_of, more_lines, summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Validation
    from irevalcli.output.validation_formats import ValidationLayout


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """The findings of each file in full, how many more there are of a rule, and the summary."""
    for file in validation.files:
        for line in findings_lines(file.findings, colour=layout.colour, apart=True):
            yield line_of(line, layout)
        if file.findings:
            yield b"\n"
        more = [line_of(line, layout) for line in more_lines(file, colour=layout.colour)]
        yield from [*more, b"\n"] if more else []
    yield line_of(summary(validation), layout)
