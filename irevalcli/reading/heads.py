"""The beginning of a file, by which its format is told."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.faults import data_lines
from irevalcli.reading.pieces import Piece

if TYPE_CHECKING:
    from irevalcli.reading.faults import DataLine
    from irevalcli.reading.opening import Source
    from irevalcli.reading.rules import Rule

HEAD_SIZE = 1 << 16
"""Bytes that are looked at."""


class Head:
    """The first bytes of a file.

    Attributes:
        text: the bytes, up to `HEAD_SIZE`.
        whole: whether that is all of the file.
        name: of the file, for messages.
    """

    def __init__(self, text: bytes, name: str, *, whole: bool) -> None:
        self.text = text
        self.name = name
        self.whole = whole

    @classmethod
    def of(cls, source: Source) -> Head:
        """The head of a source, which stays at its first byte.

        Raises:
            InputProblem: it cannot be read.
        """
        text = source.head(HEAD_SIZE)
        return cls(text, source.name, whole=len(text) < HEAD_SIZE)

    @property
    def complete(self) -> bytes:
        """The bytes up to the end of the last line that is seen whole; all of them if none is."""
        if self.whole:
            return self.text
        return self.text[: self.text.rfind(b"\n") + 1] or self.text

    @cached_property
    def lines(self) -> list[DataLine]:
        """The data lines that are seen whole, cut at blanks."""
        return list(data_lines(Piece.of(self.complete)))

    @cached_property
    def first_line(self) -> DataLine | None:
        """The first data line, if there is one."""
        start, number = 0, 0
        while start < len(self.text):
            stop = self.text.find(b"\n", start) + 1 or len(self.text)
            text = self.text[start:stop]
            line = None if text.isspace() else next(data_lines(Piece.of(text)), None)
            if line is not None:
                return line._replace(number=number + 1)
            start, number = stop, number + 1
        return None

    @property
    def first(self) -> list[bytes]:
        """The fields of the first data line."""
        return [] if self.first_line is None else [field.text for field in self.first_line.fields]

    def columns(self, width: int) -> list[tuple[bytes, ...]] | None:
        """The fields of the lines that have `width` of them, if the first one and most of all do; else None.

        The others are faulty: one broken line does not make a file another one.
        """
        rows = [tuple(field.text for field in line.fields) for line in self.lines if len(line.fields) == width]
        return rows if len(self.first) == width and 2 * len(rows) > len(self.lines) else None

    def problem(self, rule: Rule, message: str, *hints: str) -> InputProblem:
        """The problem that the file is not what it should be."""
        problem = InputProblem.of(Finding(rule.code, message, self.name, help=rule.help))
        problem.hints = hints
        return problem
