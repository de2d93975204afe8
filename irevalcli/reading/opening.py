"""Opening: a path, `-`, a pipe or a compressed file becomes one stream of plain bytes that can be read again."""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.rules import CANNOT_OPEN, DAMAGED, IS_DIRECTORY

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from irevalcli.reading.rules import Rule

Stream = io.RawIOBase | io.BufferedIOBase

STDIN = "-"
MAGIC_LENGTH = 6
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
UNPACKING_ERRORS = {"error", "LZMAError"}


class _Borrowed(io.BufferedReader):
    """Reads ahead in a stream that stays open when this reader is dropped, so that it can be read again."""

    def close(self) -> None:
        """Do nothing: the stream belongs to someone else."""


def _gunzip(packed: io.BufferedReader) -> Stream:
    import gzip  # noqa: PLC0415  (start-up: only when a file is compressed)

    return gzip.GzipFile(fileobj=packed)


def _bunzip(packed: io.BufferedReader) -> Stream:
    import bz2  # noqa: PLC0415

    return bz2.BZ2File(packed)


def _unxz(packed: io.BufferedReader) -> Stream:
    import lzma  # noqa: PLC0415

    return lzma.LZMAFile(packed)


UNPACKERS: tuple[tuple[bytes, Callable[[io.BufferedReader], Stream]], ...] = (
    (b"\x1f\x8b", _gunzip),
    (b"BZh", _bunzip),
    (b"\xfd7zXZ\x00", _unxz),
)


class _Transcoded(io.RawIOBase):
    """A UTF-16 stream, read as UTF-8."""

    def __init__(self, raw: Stream) -> None:
        import codecs  # noqa: PLC0415

        self._raw = raw
        self._decode = codecs.getincrementaldecoder("utf-16")()
        self._pending = b""

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        while not self._pending:
            block = self._raw.read(1 << 16) or b""
            self._pending = self._decode.decode(block, final=not block).encode()
            if not block:
                break
        size = min(len(target), len(self._pending))
        target[:size] = self._pending[:size]
        self._pending = self._pending[size:]
        return size


class _Spool(io.RawIOBase):
    """A stream that cannot seek, copied to a temporary file as it is read so that it can be read again."""

    def __init__(self, raw: Stream) -> None:
        import tempfile  # noqa: PLC0415

        self._raw = raw
        self._copy = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the stream)
        self._replayed = 0
        self._copied = 0

    def readable(self) -> bool:
        return True

    def rewind(self) -> None:
        self._replayed = 0
        self._copy.seek(0)

    def close(self) -> None:
        """Delete the copy."""
        self._copy.close()
        super().close()

    def sha256(self) -> str:
        """Of everything read so far."""
        import hashlib  # noqa: PLC0415

        self._copy.seek(0)
        return hashlib.file_digest(self._copy, "sha256").hexdigest()

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        if self._replayed < self._copied:
            # A slice of a memoryview is a part of it; of a bytearray, which read() passes, it would be a copy.
            size = self._copy.readinto(memoryview(target)[: self._copied - self._replayed])
        else:
            size = self._raw.readinto(target) or 0
            self._copy.seek(self._copied)
            self._copy.write(target[:size])
            self._copied += size
        self._replayed += size
        return int(size)


class Source:
    """One input: a stream of plain bytes with the name the user gave it.

    Compression is recognised by the first bytes, never by the name. `rewind` starts again from the first byte, also
    of a pipe.

    Args:
        path: a file, a pipe, or `-` for standard input.
        marks: read a byte order mark as an encoding (UTF-8: dropped, UTF-16: transcoded) instead of as data.
        stdin: whether `-` means standard input.

    Attributes:
        watch: called after each reading, to show how far it is; or None.

    Raises:
        InputProblem: the file is missing, a directory, or not readable.
    """

    def __init__(self, path: str, *, marks: bool = True, stdin: bool = True) -> None:
        self.path = path
        self.marks = marks
        self.encoding_note = ""
        self.watch: Callable[[Source], None] | None = None
        self._is_stdin = stdin and path == STDIN
        self.name = "<stdin>" if self._is_stdin else path
        self._raw = self._open()
        try:
            self._start = self._raw.tell()
            self._spool = None
        except OSError:
            self._spool = _Spool(self._raw)
        try:
            self._stream = self._decoded()
        except InputProblem:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> io.FileIO:
        try:
            if self._is_stdin:
                if sys.stdin is None:
                    raise self._problem(CANNOT_OPEN, "standard input is closed")
                return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
            return open(self.path, "rb", buffering=0)  # noqa: PTH123
        except IsADirectoryError:
            raise self._problem(IS_DIRECTORY, "is a directory, not a file") from None
        except (OSError, ValueError) as error:
            reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise self._problem(CANNOT_OPEN, reason) from None

    def _problem(self, rule: Rule, message: str) -> InputProblem:
        return InputProblem.of(Finding(rule.code, message, self.name, help=rule.help))

    def _decoded(self) -> Stream:
        raw: Stream = self._raw if self._spool is None else self._spool
        raw, head = self._peek(raw)
        for magic, unpack in UNPACKERS:
            if head.startswith(magic):
                raw, head = self._peek(unpack(_Borrowed(raw)))
                break
        self.encoding_note = ""
        if self.marks and head.startswith(UTF8_MARK):
            raw.read(len(UTF8_MARK))
            self.encoding_note = "starts with a UTF-8 byte order mark, which was left out"
        elif self.marks and head.startswith(UTF16_MARKS):
            raw = _Transcoded(raw)
            self.encoding_note = "is UTF-16; its ids were converted to UTF-8"
        return raw

    def _peek(self, stream: Stream) -> tuple[Stream, bytes]:
        try:
            seekable = stream.seekable()
            head = b""
            while len(head) < MAGIC_LENGTH:
                block = stream.read(MAGIC_LENGTH - len(head))
                if not block:
                    break
                head += block
            if seekable:
                stream.seek(-len(head), os.SEEK_CUR)
                return stream, head
        except Exception as error:  # noqa: BLE001  (sorted out there)
            raise self._unreadable(error) from None
        return _Prefixed(head, stream), head

    def _unreadable(self, error: Exception) -> InputProblem:
        """The problem that an error in reading or unpacking means. Other errors are raised again."""
        # Those of zlib and lzma are known by name: importing the modules takes longer than reading a small file.
        if not isinstance(error, (OSError, EOFError, ValueError)) and type(error).__name__ not in UNPACKING_ERRORS:
            raise error
        if isinstance(error, IsADirectoryError):
            return self._problem(IS_DIRECTORY, "is a directory, not a file")
        if isinstance(error, OSError) and error.errno:
            return self._problem(CANNOT_OPEN, os.strerror(error.errno))
        return self._problem(DAMAGED, f"cannot be read to its end: {error}")

    def readinto(self, target: memoryview) -> int:
        """The number of bytes read into `target`; 0 at the end.

        Raises:
            InputProblem: the compressed data is damaged or cut off, or the device failed.
        """
        try:
            size = self._stream.readinto(target) or 0
        except Exception as error:  # noqa: BLE001  (sorted out there)
            raise self._unreadable(error) from None
        if self.watch is not None:
            self.watch(self)
        return size

    @property
    def share_read(self) -> float | None:
        """How much of a regular file has been read, from 0 to 1; None for a pipe."""
        return self._raw.tell() / self.size if self.size else None

    def read_all(self) -> bytearray:
        """All bytes from the present position on."""
        size = self._plain_size() + 1
        held = bytearray(size)
        filled = 0
        while True:
            with memoryview(held) as view:
                read = self.readinto(view[filled:])
            if not read:
                del held[filled:]
                return held
            filled += read
            if filled == len(held):
                held.extend(bytes(len(held)))

    def _plain_size(self) -> int:
        try:
            return max(os.fstat(self._raw.fileno()).st_size, 1 << 12)
        except OSError:
            return 1 << 16

    @property
    def size(self) -> int | None:
        """Bytes on disk of a regular file, else None."""
        status = os.fstat(self._raw.fileno())
        return status.st_size if os.path.isfile(self._raw.fileno()) else None  # noqa: PTH113

    def rewind(self) -> None:
        """Start again from the first byte."""
        if self._spool is None:
            self._raw.seek(self._start)
        else:
            self._spool.rewind()
        self._stream = self._decoded()

    def sha256(self) -> str:
        """The SHA-256, in hexadecimal, of the bytes as they lie on disk (or came through the pipe)."""
        import hashlib  # noqa: PLC0415

        if self._spool is not None:
            return self._spool.sha256()
        self._raw.seek(self._start)
        digest = hashlib.sha256()
        while block := self._raw.read(1 << 20):
            digest.update(block)
        return digest.hexdigest()

    def close(self) -> None:
        """Release the file. Standard input stays open."""
        if self._spool is not None:
            self._spool.close()
        self._raw.close()


class _Prefixed(io.RawIOBase):
    """Bytes already taken from a stream that cannot seek, then the rest of it."""

    def __init__(self, head: bytes, rest: Stream) -> None:
        self._head = head
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        if self._head:
            size = min(len(target), len(self._head))
            target[:size] = self._head[:size]
            self._head = self._head[size:]
            return size
        return self._rest.readinto(target) or 0
