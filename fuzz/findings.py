"""What must hold of every problem that a reader reports: it can be shown, and points at what stands in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem, IrevalError, MissingExtra, UsageProblem
from irevalcli.output.finding_text import findings_lines
from irevalcli.reading.opening import UTF8_MARK, UTF16_MARKS
from irevalcli.reading.rules import RULES
from irevalcli.reading.unpacking import packing_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.errors import Finding

_TAR = slice(257, 262)

PROBLEMS = (InputProblem, UsageProblem, MissingExtra)
"""All that reading may raise."""


def plain_text(text: bytes) -> bytes | None:
    """The bytes that a reader sees of a file; None if they have to be unpacked or transcoded first."""
    other = text.startswith((*UTF16_MARKS, b"PK")) or text[_TAR] == b"ustar" or packing_of(text[:512]) is not None
    return None if other else text.removeprefix(UTF8_MARK)


def check_problem(problem: IrevalError, text: bytes) -> None:
    """Its findings have known rules, lines that the file has, and excerpts that stand there."""
    if isinstance(problem, InputProblem):
        if not problem.findings:
            raise AssertionError(f"nothing was found: {problem.message}")
        check_findings(problem.findings, text)


def check_findings(findings: Sequence[Finding], text: bytes | None) -> None:
    """The same for findings; without a text, only that they can be shown."""
    if not all(line.isprintable() for line in findings_lines(findings, colour=False, most=3)):
        raise AssertionError(f"not printable: {findings}")
    plain = None if text is None else plain_text(text)
    for finding in findings:
        if finding.rule not in RULES:
            raise AssertionError(f"no such rule: {finding}")
        if finding.line and plain is not None:
            _check_place(finding, plain.split(b"\n"))


def _check_place(finding: Finding, lines: list[bytes]) -> None:
    if not 1 <= finding.line <= len(lines):
        raise AssertionError(f"the file has {len(lines)} lines: {finding}")
    line = lines[finding.line - 1]
    if finding.excerpt and finding.excerpt.rstrip(b"\r") != line.rstrip(b"\r"):
        raise AssertionError(f"not line {finding.line}, which is {line!r}: {finding}")
    if not 0 <= finding.column <= len(line) + 1:
        raise AssertionError(f"line {finding.line} has {len(line)} bytes: {finding}")
