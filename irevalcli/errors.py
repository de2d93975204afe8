"""The whole error tree; imports nothing of the package.

IrevalError                     exit 70 unless a subclass says otherwise
├── UsageProblem        exit 2  asked wrongly: options, swapped files, a plugin that fails
│   └── UnknownMeasure  exit 2  carries the name
├── InputProblem        exit 3  input unusable; holds every finding that was collected
└── MissingExtra        exit 2  an optional package is needed; carries the pip command
"""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One fault (or oddity) of an input file, located as exactly as it can be.

    Attributes:
        rule: stable code, such as ``RUN002``.
        message: what was found, in a clause without a final stop.
        path: the file as the user named it.
        line: physical line number from 1, or 0 if the fault belongs to the whole file.
        column: byte column from 1, or 0 if it belongs to the whole line.
        width: bytes to underline from ``column`` on.
        excerpt: the line as it stands in the file, without its line end.
        expected: what should have stood there, printed beside the caret.
        help: what to do about it.
        severity: ``error``, ``warning`` or ``note``.
    """

    rule: str
    message: str
    path: str
    line: int = 0
    column: int = 0
    width: int = 0
    excerpt: bytes = b""
    expected: str = ""
    help: str = ""
    severity: str = "error"

    @property
    def location(self) -> str:
        """``path``, ``path:line`` or ``path:line:column``."""
        return ":".join([self.path, *(str(part) for part in (self.line, self.column) if part)])


class IrevalError(Exception):
    """Anything irevalcli reports about itself or its input.

    Attributes:
        hints: lines that say what to do next, printed below the message.
        exit_code: the process exit status that belongs to the error.
    """

    exit_code = 70

    def __init__(self, message: str, *, hints: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.hints = hints


class UsageProblem(IrevalError):
    """The request itself is wrong: options, measure names, swapped arguments."""

    exit_code = 2


class UnknownMeasure(UsageProblem):
    """No measure has the name that was asked for."""

    def __init__(self, message: str, name: str, *, hints: tuple[str, ...] = ()) -> None:
        super().__init__(message, hints=hints)
        self.name = name


class InputProblem(IrevalError):
    """A file cannot be used. ``findings`` holds every fault that was collected, in file order."""

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        findings: tuple[Finding, ...] = (),
        hints: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, hints=hints)
        self.findings = findings

    @classmethod
    def of(cls, finding: Finding) -> InputProblem:
        """The problem that consists of one finding."""
        return cls(f"{finding.location}: {finding.message}", findings=(finding,))


class MissingExtra(IrevalError):
    """An optional package is not installed."""

    exit_code = 2

    def __init__(self, purpose: str, extra: str) -> None:
        super().__init__(f"{purpose} needs an optional package: pip install 'irevalcli[{extra}]'")
