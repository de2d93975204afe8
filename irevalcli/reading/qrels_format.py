"""What a format of qrels offers. Only types are here, so that starting the program does not pay for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsRows, Strictness


class QrelsFormat(Protocol):
    """A way in which qrels are written."""

    @property
    def name(self) -> str:
        """As ``--qrels-format`` has it."""

    @property
    def note(self) -> str:
        """What users should know if the file was recognised as this, in a clause; "" for TREC qrels."""

    @property
    def grouped(self) -> bool:
        """Whether the groups are judgment groups, also where a document is judged but once."""

    @property
    def subgrouped(self) -> bool:
        """Whether there are sub-groups: a document may then stand in several of them."""

    @property
    def real_grades(self) -> bool:
        """Whether grades are real numbers even where the reader is lenient."""

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """The data lines of a file.

        Raises:
            InputProblem: the file is not written in this format at all.
        """

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """Everything wrong with a file by a slow and exact reader: `MOST_FAULTS`, or so many faults of each rule."""
