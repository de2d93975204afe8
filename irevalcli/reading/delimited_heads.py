"""The beginning of a file of delimited text: its separator, and the names of its columns if it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from irevalcli.errors import InputProblem
from irevalcli.reading.delimited import BAR, COMMA, SEMICOLON, TABS, Dialect
from irevalcli.reading.delimited_lines import Misquoted, cut
from irevalcli.reading.faults import DataLine, counted_fields
from irevalcli.reading.headers import is_header
from irevalcli.reading.numbers import strict_score
from irevalcli.reading.rules import UNKNOWN_FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from irevalcli.reading.headers import Role
    from irevalcli.reading.heads import Head
    from irevalcli.reading.qrels_rows import QrelsShape
    from irevalcli.reading.run_rows import RunShape

F = TypeVar("F")
S = TypeVar("S", bound="RunShape | QrelsShape")

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


def _starts(head: Head, dialects: Sequence[Dialect]) -> list[Start]:
    """How a file starts in each dialect, the one that cuts its first line into most fields first."""
    first = ((dialect, next(head_lines(head, dialect), None)) for dialect in dialects)
    found = [Start(dialect, line) for dialect, line in first if line is not None and len(line.fields) > 1]
    return sorted(found, key=lambda start: -start.width)


def named_start(head: Head, dialects: Sequence[Dialect], roles: Sequence[Role]) -> Start | None:
    """How a file starts that has a header, or None."""
    found = (start for start in _starts(head, dialects) if is_header([f.text for f in start.line.fields], roles))
    return next(found, None)


class DelimitedKind(NamedTuple, Generic[F, S]):
    """CSV or TSV, as runs or as qrels are written in it: how the format of such a file is told from its head.

    Attributes:
        name: as ``--run-format`` or ``--qrels-format`` has it.
        dialects: ways of setting fields apart; the first of them that fits counts.
        roles: what columns can hold.
        headed: the format of a file, by how it starts with a header. Raises InputProblem if a column is missing.
        shapes: the columns that a file without a header can have.
        headless: the format of such a file, by its shape.
    """

    name: str
    dialects: tuple[Dialect, ...]
    roles: Sequence[Role]
    headed: Callable[[str, Start, Head], F]
    shapes: tuple[S, ...]
    headless: Callable[[str, Dialect, S, Head], F]

    def recognised(self, head: Head) -> F | None:
        """The format of a file that has a header, or None.

        Raises:
            InputProblem: the header lacks a column or has one twice.
        """
        start = named_start(head, self.dialects, self.roles)
        return None if start is None else self.headed(self.name, start, head)

    def told(self, head: Head) -> F:
        """The format of a file that is said to be of this kind.

        Raises:
            InputProblem: its columns cannot be told.
        """
        named = self.recognised(head)
        if named is not None:
            return named
        found = _starts(head, self.dialects)
        if not found:
            return self.headless(self.name, self.dialects[0], self.shapes[0], head)
        if found[0].names_columns:
            return self.headed(self.name, found[0], head)
        for start in found:
            for shape in self.shapes:
                if start.width == shape.width:
                    return self.headless(self.name, start.dialect, shape, head)
        raise _unknown_width(found[0], [shape.words for shape in self.shapes], head.name)


def _unknown_width(start: Start, known: Sequence[str], path: str) -> InputProblem:
    """The problem that a file without a header does not have one of the known numbers of columns."""
    message = f"{counted_fields(start.width)}, and no header that names them"
    expected = "without a header expected " + " or ".join(known)
    finding = start.line.finding(UNKNOWN_FORMAT, message, path, expected=expected)
    return InputProblem.of(finding._replace(help="begin the file with a line that names the columns"))
