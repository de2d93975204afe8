"""The beginning of a file of delimited text: its separator, and the names of its columns if it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import InputProblem
from irevalcli.reading.delimited import BAR, COMMA, SEMICOLON, TABS, Dialect
from irevalcli.reading.delimited_lines import Misquoted, cut
from irevalcli.reading.faults import DataLine, counted_fields
from irevalcli.reading.headers import is_header
from irevalcli.reading.numbers import strict_score
from irevalcli.reading.rules import UNKNOWN_FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.reading.headers import Role
    from irevalcli.reading.heads import Head

CSV = tuple(Dialect(separator) for separator in (COMMA, SEMICOLON, BAR))
TSV = (TABS,)


class Start(NamedTuple):
    """The first line of a file that is neither blank nor a comment, cut at the separators of a dialect."""

    dialect: Dialect
    line: DataLine

    @property
    def width(self) -> int:
        """Number of fields."""
        return len(self.line.fields)

    @property
    def header(self) -> bytes:
        """The line if it is a header; b"" if it holds a NUL byte, so that it is read as data, and refused."""
        return b"" if b"\0" in self.line.text else self.line.text

    @property
    def names_columns(self) -> bool:
        """Whether the fields can be nothing but names: no data line is without a number."""
        return all(strict_score(field.text) is None for field in self.line.fields)


def head_lines(head: Head, dialect: Dialect) -> Iterator[DataLine]:
    """The lines that are seen whole, without comments, blank lines and those that do not keep to the dialect."""
    for number, text in enumerate(head.complete.split(b"\n"), 1):
        line = text.removesuffix(b"\r")
        if line.startswith(b"#") or not line.strip():
            continue
        try:
            yield DataLine(number, line, cut(line, dialect))
        except Misquoted:
            continue


def starts(head: Head, dialects: Sequence[Dialect]) -> list[Start]:
    """How a file starts in each dialect, the one that cuts its first line into most fields first."""
    first = ((dialect, next(head_lines(head, dialect), None)) for dialect in dialects)
    found = [Start(dialect, line) for dialect, line in first if line is not None and len(line.fields) > 1]
    return sorted(found, key=lambda start: -start.width)


def named_start(head: Head, dialects: Sequence[Dialect], roles: Sequence[Role]) -> Start | None:
    """How a file starts that has a header, or None."""
    found = (start for start in starts(head, dialects) if is_header([f.text for f in start.line.fields], roles))
    return next(found, None)


def unknown_width(start: Start, known: Sequence[str], path: str) -> InputProblem:
    """The problem that a file without a header does not have one of the known numbers of columns."""
    message = f"{counted_fields(start.width)}, and no header that names them"
    expected = "without a header expected " + " or ".join(known)
    finding = start.line.finding(UNKNOWN_FORMAT, message, path, expected=expected)
    return InputProblem.of(finding._replace(help="begin the file with a line that names the columns"))
