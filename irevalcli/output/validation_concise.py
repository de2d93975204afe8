"""What validation found, a line for each finding, and a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from irevalcli.analysis.notes import counted
from irevalcli.output.ascii_text import IN_ASCII
from irevalcli.output.finding_text import painted, printable
from irevalcli.output.id_text import encoded
from irevalcli.reading.rules import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Count, FileReport, Validation
    from irevalcli.errors import Finding
    from irevalcli.output.validation_formats import ValidationLayout

_WIDTH = len("warning") + 1


def render(validation: Validation, layout: ValidationLayout) -> Iterator[bytes]:
    """The findings of each file, how many more there are of a rule, and the summary."""
    for file in validation.files:
        for finding in file.findings:
            yield line_of(finding_line(finding, colour=layout.colour), layout)
        for more in more_lines(file, colour=layout.colour):
            yield line_of(more, layout)
    yield line_of(summary(validation), layout)


def line_of(text: str, layout: ValidationLayout) -> bytes:
    """The text as a line, in ASCII where no more can be shown."""
    return encoded(f"{text if layout.unicode else text.translate(IN_ASCII)}\n")


def finding_line(finding: Finding, *, colour: bool = False) -> str:
    """Place, code, severity and message, all in one line."""
    return _line(finding.location, finding.rule, finding.severity, finding.message, colour=colour)


def _line(place: str, rule: str, severity: str, message: str, *, colour: bool) -> str:
    word = painted(severity, severity, colour=colour) + " " * (_WIDTH - len(severity))
    return f"{printable(place)}: {rule} {word} {printable(message)}"


def not_shown(file: FileReport) -> Iterator[tuple[Count, int]]:
    """The counts of which not every finding is among those of the file, with how many are not."""
    for count in file.counts:
        shown = sum((finding.rule, finding.severity) == (count.rule, count.severity) for finding in file.findings)
        if count.number > shown:
            yield count, count.number - shown


def more_lines(file: FileReport, *, colour: bool = False) -> Iterator[str]:
    """A line for each rule of which there is more in the file than is shown."""
    for count, number in not_shown(file):
        message = f"{number} more of {count.rule} not shown (--max)"
        yield _line(file.path, count.rule, count.severity, message, colour=colour)


def summary(validation: Validation) -> str:
    """How much was found in how many files, and under which rules."""
    files = counted(len(validation.files), "file")
    numbers = {severity: validation.total(severity) for severity in get_args(Severity)}
    if not any(numbers.values()):
        return f"nothing to report in {files}"
    found = ", ".join(counted(number, severity) for severity, number in numbers.items() if number)
    rules = ", ".join(f"{rule} ×{number}" for rule, number in totals(validation).items())
    return f"{found} in {files} ({rules})"


def totals(validation: Validation) -> dict[str, int]:
    """How often each rule was broken, in the order of their first appearance."""
    found: dict[str, int] = {}
    for count in (count for file in validation.files for count in file.counts):
        found[count.rule] = found.get(count.rule, 0) + count.number
    return found
