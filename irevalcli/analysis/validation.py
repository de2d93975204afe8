"""What validation found: findings for each file. Renderers consume this and compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.reading.rules import Severity

if TYPE_CHECKING:
    from irevalcli.errors import Finding

__all__ = ["Count", "FileReport", "Severity", "Validation"]


class Count(NamedTuple):
    """How often a rule was broken in a file, whether all of its findings are shown or not."""

    rule: str
    severity: Severity
    number: int


class FileReport(NamedTuple):
    """One file, looked through.

    Attributes:
        path: what messages call the file.
        kind: what it was read as.
        rows: data lines; 0 if it could not be read.
        queries: distinct queries.
        findings: those that are shown, in file order; findings about the whole file come last.
        counts: one for each rule that was broken, by code.
    """

    path: str
    kind: Literal["qrels", "run"]
    rows: int
    queries: int
    findings: tuple[Finding, ...]
    counts: tuple[Count, ...]


class Validation(NamedTuple):
    """All files of one call, qrels first."""

    files: tuple[FileReport, ...]

    def total(self, severity: Severity) -> int:
        """How many findings of this severity there are, shown or not."""
        return sum(count.number for file in self.files for count in file.counts if count.severity == severity)
