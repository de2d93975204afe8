"""Cutting a stream into pieces of whole lines, and as far as can be seen of whole queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.rules import UNKNOWN_FORMAT
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.reading.arrays import Bytes
    from irevalcli.reading.opening import Source

PIECE_SIZE = 2 << 20
"""Bytes of a piece: large enough to spread numpy's cost per call, small enough for the processor's cache."""

LONGEST_PIECE = 16 << 20
"""Bytes up to which a piece grows to hold a query whole; a longer query is cut, and put together again later."""

LONGEST_LINE = 64 << 20
"""Bytes after which a line that does not end is refused: it is no text, and would be held in memory as a whole."""

NEWLINE = 10
_QID_PROBE = 256


class Piece:
    """Consecutive whole lines of a file, in a buffer with `PAD` bytes of slack on either side.

    Attributes:
        data: the buffer, uint8.
        stop: position after the last line's newline; the first line starts at `PAD`.
        opens_file: whether its first line is the file's.
        unended: whether its last line had no newline, so that one was supplied.
    """

    __slots__ = ("_held", "data", "opens_file", "stop", "unended")

    def __init__(self, held: bytearray, filled: int, *, opens_file: bool = True) -> None:
        self._held = held
        self.opens_file = opens_file
        self.data: Bytes = np.frombuffer(held, np.uint8)
        self.stop = _close_last_line(held, filled)
        self.unended = self.stop > filled

    @classmethod
    def of(cls, text: bytes | bytearray) -> Piece:
        """The piece that holds `text`; a missing last newline is supplied."""
        held = bytearray(len(text) + 2 * PAD + 1)
        held[PAD : PAD + len(text)] = text
        return cls(held, PAD + len(text))

    def lines(self) -> list[bytes]:
        """The lines without their newlines."""
        return bytes(self._held[PAD : self.stop]).split(b"\n")[:-1]

    def line_start(self, position: int) -> int:
        """Where the line that `position` belongs to starts."""
        return self._held.rfind(b"\n", PAD, position) + 1 or PAD

    def release(self) -> bytearray:
        """The buffer, for use by another piece."""
        return self._held


def _close_last_line(held: bytearray, stop: int) -> int:
    if stop > PAD and held[stop - 1] != NEWLINE:
        held[stop] = NEWLINE
        stop += 1
    held[stop : stop + PAD] = bytes(min(PAD, len(held) - stop))
    return stop


def first_field(line: bytes) -> bytes:
    """What stands before the first blank."""
    return b"".join(line.split(None, 1)[:1])


def _query_start(held: bytearray, stop: int, qid_of: Callable[[bytes], bytes]) -> int:
    """Start of the last query's lines in `held[PAD:stop]`, by galloping back from the end.

    Only a hint: it supposes that a query's lines stand together.
    """

    def qid_at(position: int) -> bytes:
        return qid_of(bytes(held[position : position + _QID_PROBE]))

    def line_before(position: int) -> int:
        return max(held.rfind(b"\n", PAD, position) + 1, PAD)

    inside = line_before(stop - 1)
    qid = qid_at(inside)
    step = 1 << 12
    while True:
        if inside == PAD:
            return PAD
        outside = line_before(max(inside - step, PAD))
        if qid_at(outside) != qid:
            break
        inside = outside
        step *= 2
    while True:
        middle = line_before((outside + inside) // 2)
        if middle <= outside:
            middle = held.find(b"\n", outside) + 1
            if middle >= inside:
                return inside
        if qid_at(middle) == qid:
            inside = middle
        else:
            outside = middle


def pieces(source: Source, spare: list[bytearray], qid_of: Callable[[bytes], bytes] = first_field) -> Iterator[Piece]:
    """The pieces of `source` in order.

    Args:
        source: what to read.
        spare: buffers that may be used again; a piece's owner puts its buffer back when done.
        qid_of: the qid of a line, of which it sees the first bytes; some bytes that are the same for all lines of a
            query will do.

    Raises:
        InputProblem: the source cannot be read to its end, or has a line longer than `LONGEST_LINE`.
    """
    carry = b""
    passed = 0
    opens_file, ended = True, False
    while not ended:
        held = _buffer(spare, len(carry))
        held[PAD : PAD + len(carry)] = carry
        filled = PAD + len(carry)
        while True:
            filled, ended = _fill(source, held, filled)
            stop = filled if ended else _cut(held, filled, qid_of)
            if ended or stop > PAD:
                break
            if filled - PAD >= LONGEST_LINE:
                raise _endless_line(source, passed)
            larger = bytearray(2 * len(held))
            larger[:filled] = held[:filled]
            held = larger
        carry = bytes(held[stop:filled])
        passed += stop - PAD
        if stop > PAD:
            yield Piece(held, stop, opens_file=opens_file)
            opens_file = False


def _endless_line(source: Source, start: int) -> InputProblem:
    """The problem of a line that starts after so many bytes; the source is read again, to count the lines before it."""
    source.rewind()
    line = 1
    held = bytearray(PIECE_SIZE)
    while start:
        with memoryview(held) as view:
            read = source.readinto(view[:start])
        line += held.count(b"\n", 0, read)
        start -= read
    path, number = source.place(line)
    message = f"the line is longer than {LONGEST_LINE >> 20} MB"
    return InputProblem.of(Finding(UNKNOWN_FORMAT.code, message, path, number, help="is this the right file?"))


def _buffer(spare: list[bytearray], carried: int) -> bytearray:
    """A buffer with room for an ordinary piece after what is carried over; one that had to grow is not used again."""
    size = PIECE_SIZE + 2 * PAD + 1
    if 2 * carried > PIECE_SIZE:
        return bytearray(2 * carried + size)
    while spare:
        held = spare.pop()
        if len(held) == size:
            return held
    return bytearray(size)


def _fill(source: Source, held: bytearray, filled: int) -> tuple[int, bool]:
    """How far the buffer is filled after reading as much as it takes, and whether the source has ended."""
    room = len(held) - PAD - 1
    with memoryview(held) as view:
        while filled < room:
            read = source.readinto(view[filled:room])
            if not read:
                return filled, True
            filled += read
    return filled, False


def _cut(held: bytearray, filled: int, qid_of: Callable[[bytes], bytes]) -> int:
    """Where the piece in a full buffer ends: before its last query, or after its last line if that is too long."""
    stop = held.rfind(b"\n", PAD, filled) + 1
    if not stop or filled >= LONGEST_PIECE:
        return stop
    return _query_start(held, stop, qid_of)
