"""Records of file formats: what a format is called, how it is recognised, and where its reader lives."""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.reading.heads import Head

F = TypeVar("F")

AUTO = "auto"
"""Stands for no format: the first lines decide."""


class FormatEntry(NamedTuple, Generic[F]):
    """A format of runs or of qrels.

    Attributes:
        title: what it is, in a few words.
        columns: what a line or an entry holds.
        module: where the following are, below `irevalcli.reading`; their names may have dots.
        told: the format of a file that is said to be written in it; or a function that gives it from the file's head,
            and raises InputProblem if that contradicts.
        recognised: function that gives the format, or None if the head is of another one; "" if it has to be told.
    """

    title: str
    columns: str
    module: str
    told: str
    recognised: str = ""

    def format_of(self, head: Head) -> F:
        """The format of a file that is said to be written in it.

        Raises:
            InputProblem: the head contradicts.
            MissingExtra: an optional package is needed to read it.
        """
        told = self._attribute(self.told)
        found: F = told(head) if callable(told) else told
        return found

    def recognise(self, head: Head) -> F | None:
        """The format of a file if it is written in this one, as far as its head shows.

        Raises:
            InputProblem: it is, and cannot be used.
        """
        found: F | None = self._attribute(self.recognised)(head) if self.recognised else None
        return found

    def _attribute(self, name: str) -> Any:  # noqa: ANN401
        return attrgetter(name)(import_module(f"irevalcli.reading.{self.module}"))


def recognised(entries: Mapping[str, FormatEntry[F]], head: Head) -> F | None:
    """The first of the formats that the head shows, or None."""
    found = (entry.recognise(head) for entry in entries.values())
    return next((each for each in found if each is not None), None)
