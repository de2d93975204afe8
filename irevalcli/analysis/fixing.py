"""``--fix``: what can be put right in a file without losing anything, and the file with it put right.

Only these: the byte order mark of UTF-8, carriage returns before line feeds, a missing last line feed, and ranks that
disagree with the scores or do not start at 1. Everything else stays, byte for byte.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.analysis.notes import counted
from irevalcli.analysis.renumbering import CannotRenumber, Renumbering
from irevalcli.errors import InputProblem
from irevalcli.reading.opening import UTF8_MARK, UTF16_MARKS, Source
from irevalcli.reading.pieces import pieces
from irevalcli.reading.rules import (
    BYTE_ORDER_MARK,
    CRLF,
    NO_FINAL_NEWLINE,
    RULES,
    RUN_FIRST_RANK,
    RUN_RANK_ORDER,
)
from irevalcli.reading.sniffing import run_format_of
from irevalcli.reading.trec import BlankRun
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat

_RANK_RULES = frozenset({RUN_RANK_ORDER.code, RUN_FIRST_RANK.code})
_LINE_END = re.compile(rb"\r+\n")
_HEAD = 1 << 16


class Repair(NamedTuple):
    """What is put right in a file.

    Attributes:
        path: the file.
        counts: per code, how many lines or queries are changed; none if nothing is.
        left: why something else is not, a clause each.
        mark: the file begins with a byte order mark, which goes (True) or stays (False); None if there is none.
        crlf: lines end with a line feed alone.
        ending: what the last line gets as its end: nothing if it has one, or none is wanted.
        unended: the last line has no end.
        run_format: ranks are renumbered in a run of this format, or None.
    """

    path: str
    counts: dict[str, int]
    left: tuple[str, ...] = ()
    mark: bool | None = None
    crlf: bool = False
    ending: bytes = b""
    unended: bool = False
    run_format: RunFormat | None = None


class Change(NamedTuple):
    """Some whole lines of a file, before and after; as many of them."""

    before: bytes
    after: bytes


def repair_of(path: str, kind: Literal["run", "qrels"], codes: Collection[str], run_format: str = "auto") -> Repair:
    """What can be put right in a file. A file that cannot be read has nothing.

    Args:
        path: the file.
        kind: what it is.
        codes: of the rules whose breach is put right.
        run_format: the name of the run's format.
    """
    wanted = {code for code in codes if RULES[code].fixable}
    if not os.path.isfile(path):  # noqa: PTH113  (any text will do)
        return Repair(path, {}, ("only regular files are",))
    try:
        head, last = _edges(path)
        reason = _why_not(path, head)
    except (OSError, InputProblem):
        return Repair(path, {})
    if reason or not head:
        return Repair(path, {}, (reason,) if reason else ())
    marked = head.startswith(UTF8_MARK)
    repair = Repair(
        path,
        {},
        mark=BYTE_ORDER_MARK.code in wanted if marked else None,
        crlf=CRLF.code in wanted,
        ending=_ending(head, last, wanted) if last != b"\n" else b"",
        unended=last != b"\n",
    )
    try:
        return _counted(repair, kind, wanted, run_format)
    except InputProblem:
        return Repair(path, {})


def _edges(path: str) -> tuple[bytes, bytes]:
    """The first bytes of a file, and its last one."""
    with open(path, "rb") as file:  # noqa: PTH123  (any text will do)
        head = file.read(_HEAD)
        file.seek(max(file.seek(0, os.SEEK_END) - 1, 0))
        return head, file.read(1)


def _why_not(path: str, head: bytes) -> str:
    """Why nothing can be put right in a file that begins so, or ""."""
    plain = bytearray(_HEAD)
    with Source(path, marks=False, stdin=False) as source, memoryview(plain) as view:
        size = source.readinto(view)
    if not head.startswith(plain[:size]):
        return "it is compressed or an archive: unpack it first"
    if head.startswith(UTF16_MARKS):
        return "it is UTF-16: convert it to UTF-8 first"
    if b"\x00" in head:
        return "it is no text file"
    return ""


def _ending(head: bytes, last: bytes, wanted: Collection[str]) -> bytes:
    """The line end for the last line: that of the others, if it stays as it is."""
    if NO_FINAL_NEWLINE.code not in wanted:
        return b""
    others_are_crlf = head.partition(b"\n")[0].endswith(b"\r") and CRLF.code not in wanted
    return b"\r\n" if others_are_crlf and last != b"\r" else b"\n"


class _RankChanges:
    """What renumbering comes to over the pieces of a run."""

    def __init__(self, renumbering: Renumbering | None) -> None:
        self.renumbering = renumbering
        self.counts: Counter[str] = Counter()
        self.left: tuple[str, ...] = ()
        self._unreadable = 0
        self._several = self._opposite = 0

    def add(self, piece: Piece) -> None:
        """Look at the next piece."""
        if self.renumbering is None:
            return
        try:
            found = self.renumbering.renumber(piece)
        except CannotRenumber as why:
            self.renumbering, self.left = None, (f"ranks stay: {why.message}",)
            self.counts.clear()
            return
        self.counts.update(found.queries)
        self._several += found.several
        self._opposite += found.opposite
        self._unreadable += found.unreadable
        if self._unreadable:
            number = counted(self._unreadable, "query", "queries")
            self.left = (f"ranks that are no integers stay, those of {number}",)

    def finish(self) -> None:
        """Leave the ranks alone if they say the opposite of the scores everywhere: they alone may tell the order."""
        if self.counts[RUN_RANK_ORDER.code] and self._opposite == self._several:
            self.renumbering = None
            self.left = (*self.left, "ranks stay: they say the opposite of the scores, which may be distances")
            self.counts.clear()


def _counted(repair: Repair, kind: str, wanted: set[str], run_format: str) -> Repair:
    """The repair with its counts, after reading the file."""
    if kind == "run" and wanted & _RANK_RULES:
        repair = repair._replace(run_format=_format_with_ranks(repair.path, run_format))
    ranks, carriage_returns = _RankChanges(_renumbering(repair, wanted)), 0
    with Source(repair.path, stdin=False) as source:
        spare: list[bytearray] = []
        for piece in pieces(source, spare):
            carriage_returns += piece.release().count(b"\r\n", PAD, piece.stop)
            ranks.add(piece)
            spare.append(piece.release())
    ranks.finish()
    if ranks.renumbering is None:
        repair = repair._replace(run_format=None)
    counts = {
        BYTE_ORDER_MARK.code: int(repair.mark is True),
        CRLF.code: carriage_returns if repair.crlf else 0,
        NO_FINAL_NEWLINE.code: int(bool(repair.ending)),
        **dict(sorted(ranks.counts.items())),
    }
    return repair._replace(counts={code: number for code, number in counts.items() if number}, left=ranks.left)


def _renumbering(repair: Repair, codes: Collection[str]) -> Renumbering | None:
    wanted = _RANK_RULES & set(codes)
    return Renumbering(repair.run_format, wanted) if repair.run_format is not None and wanted else None


def _format_with_ranks(path: str, name: str) -> RunFormat | None:
    """The format of a run, if its lines are fields separated by blanks and have both rank and score."""
    with Source(path, stdin=False) as source:
        found = run_format_of(source, name)
    has_ranks = isinstance(found, BlankRun) and found.shape.rank is not None and not found.shape.smaller_first
    return found if has_ranks else None


def changes_of(repair: Repair) -> Iterator[Change]:
    """The lines of the file, before and after, all of them and in order.

    Raises:
        InputProblem: the file cannot be read any more.
    """
    renumbering = _renumbering(repair, repair.counts)
    mark = b"" if repair.mark is None else UTF8_MARK
    kept_mark = b"" if repair.mark else mark
    with Source(repair.path, stdin=False) as source:
        held: Change | None = None
        spare: list[bytearray] = []
        for piece in pieces(source, spare):
            if held is not None:
                yield held
            before = piece.data[PAD : piece.stop].tobytes()
            after = before if renumbering is None else renumbering.renumber(piece).text
            if repair.crlf:
                after = _LINE_END.sub(b"\n", after)
            held = Change(mark + before, kept_mark + after)
            mark = kept_mark = b""
            spare.append(piece.release())
        if held is not None:
            yield _ended(held, repair) if repair.unended else held


def _ended(last: Change, repair: Repair) -> Change:
    """The last lines of a file whose last line has no end, which reading has supplied."""
    return Change(last.before[:-1], last.after[:-1] + repair.ending)
