"""Streams over other streams: looked at before they are read, read again, cut out of a file, or transcoded."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, BinaryIO

from irevalcli.reading.unpacking import DamagedMember, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 1 << 20
"""Bytes that are hashed or copied at a time."""


class _Readable(io.RawIOBase):
    def readable(self) -> bool:
        """Yes."""
        return True


class Peekable(_Readable):
    """A stream whose first bytes can be looked at before they are read."""

    def __init__(self, rest: Stream) -> None:
        self._rest = rest
        self._held = b""

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, or as many as there are."""
        while len(self._held) < size:
            block = self._rest.read(size - len(self._held))
            if not block:
                break
            self._held += block
        return self._held[:size]

    def read(self, size: int = -1) -> bytes:
        """The next bytes, up to `size`."""
        if not self._held:
            return self._rest.read(size) or b""
        return super().read(size) or b""

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """The number of bytes put into `target`; 0 at the end."""
        if not self._held:
            return self._rest.readinto(target) or 0
        size = min(len(target), len(self._held))
        target[:size] = self._held[:size]
        self._held = self._held[size:]
        return size


class Transcoded(_Readable):
    """A UTF-16 stream, read as UTF-8."""

    def __init__(self, raw: Stream) -> None:
        import codecs  # noqa: PLC0415  (start-up: UTF-16 is rare)

        self._raw = raw
        self._decode = codecs.getincrementaldecoder("utf-16")()
        self._pending = b""

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """The number of bytes put into `target`; 0 at the end.

        Raises:
            ValueError: it is no UTF-16, or ends within a character.
        """
        while not self._pending:
            block = self._raw.read(1 << 16) or b""
            self._pending = self._decode.decode(block, final=not block).encode()
            if not block:
                break
        size = min(len(target), len(self._pending))
        target[:size] = self._pending[:size]
        self._pending = self._pending[size:]
        return size


class Spool(_Readable):
    """A stream that cannot seek, copied to a temporary file as it is read so that it can be read again.

    Attributes:
        copied: bytes that came so far.
    """

    def __init__(self, raw: Stream) -> None:
        import tempfile  # noqa: PLC0415  (start-up: only for pipes)

        self._raw = raw
        self._copy = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the stream)
        self._replayed = 0
        self.copied = 0
        self._ended = False

    def rewind(self) -> None:
        """Start again from the first byte."""
        self._replayed = 0
        self._copy.seek(0)

    def close(self) -> None:
        """Delete the copy."""
        self._copy.close()
        super().close()

    def blocks(self) -> Iterator[bytes]:
        """Everything read so far."""
        self._copy.seek(0)
        while block := self._copy.read(BLOCK):
            yield block

    def drained(self) -> BinaryIO:
        """The copy, after everything was read into it."""
        self._replayed = self.copied
        while self.read(BLOCK):
            pass
        return self._copy

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """The number of bytes put into `target`; 0 at the end."""
        if self._replayed < self.copied:
            # A slice of a memoryview is a part of it; of a bytearray, which read() passes, it would be a copy.
            size = self._copy.readinto(memoryview(target)[: self.copied - self._replayed])
        elif self._ended:
            return 0
        else:
            size = self._raw.readinto(target) or 0
            # A terminal would ask for more after its end.
            self._ended = not size and len(target) > 0
            self._copy.seek(self.copied)
            self._copy.write(target[:size])
            self.copied += size
        self._replayed += size
        return int(size)


class Slice(_Readable):
    """Some bytes of a file that others read, too.

    Args:
        file: can seek.
        start: position of the first byte.
        size: how many they are.
    """

    def __init__(self, file: BinaryIO, start: int, size: int) -> None:
        self._file = file
        self._next = start
        self._stop = start + size

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """The number of bytes put into `target`; 0 at the end.

        Raises:
            DamagedMember: the file ends before the slice does.
        """
        room = min(len(target), self._stop - self._next)
        if not room:
            return 0
        self._file.seek(self._next)
        # See Spool.readinto.
        size = int(self._file.readinto(memoryview(target)[:room]))  # type: ignore[attr-defined]
        if not size:
            raise DamagedMember("the archive ends too early")
        self._next += size
        return size
