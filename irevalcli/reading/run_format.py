"""What a format of runs offers. Only types are here, so that starting the program does not pay for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.opening import Source
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_rows import RunRows, Wanted


class RunFormat(Protocol):
    """A way in which runs are written."""

    @property
    def name(self) -> str:
        """As ``--run-format`` has it."""

    @property
    def note(self) -> str:
        """What users should know if the file was recognised as this, in a clause; "" for TREC runs."""

    @property
    def otherwise(self) -> RunFormat | None:
        """What the file is written in if its ranks turn out to be none (not positive integers, or not distinct)."""

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """The pieces of a run in order, as far as can be seen with whole queries; see `reading.pieces.pieces`.

        Raises:
            InputProblem: the source cannot be read to its end, or is not written in this format at all.
        """

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """The data lines of a piece, up to the first malformed one unless these are to be passed over."""

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """Everything wrong with a piece, as far as wanted, by a slow and exact reader; line 1 is the piece's first.

        It is asked only after the fast reader saw a malformed line, or a score or wanted rank that is no legal number.
        """
