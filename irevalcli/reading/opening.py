"""Opening: a file, a pipe, a file in an archive, or several of them become one stream of plain bytes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from irevalcli.reading.files import ArchivedFile, File, files_of, problem_of
from irevalcli.reading.parts import HEAD_SIZE, may_be_archive
from irevalcli.reading.rules import ARCHIVE, CANNOT_OPEN, DAMAGED, IS_DIRECTORY
from irevalcli.reading.streams import Peekable, Transcoded
from irevalcli.reading.unpacking import DamagedMember, Unpacked, packing_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from irevalcli.reading.files import AnyFile
    from irevalcli.reading.unpacking import Stream

STDIN = "-"
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")

_NEWLINE = b"\n"


class Source:
    """One input: a stream of plain bytes with the name the user gave it.

    Compression and archives are recognised by their first bytes, never by the name. `rewind` starts again from the
    first byte, also of a pipe. Several files are read one after the other, with a newline between them where one does
    not end with it: those of an archive in the order of their names, and those that are joined by ``+`` as they stand.
    ``archive::name`` is one file of an archive.

    Args:
        path: what to read, or `-` for standard input.
        marks: read a byte order mark as an encoding (UTF-8: dropped, UTF-16: transcoded) instead of as data.
        stdin: whether `-` means standard input.
        parts: whether there can be several files; without it, a path is that of a file, and archives are data.

    Attributes:
        name: what messages call it as a whole.
        encoding_note: what was done about a byte order mark, or "".
        watch: called after each reading, to show how far it is; or None.

    Raises:
        InputProblem: a file is missing, a directory, not readable, or damaged at its beginning.
        MissingExtra: an optional package is needed to unpack it.
    """

    def __init__(self, path: str, *, marks: bool = True, stdin: bool = True, parts: bool = True) -> None:
        is_stdin = stdin and path == STDIN
        self.path = path
        self.marks = marks
        self.encoding_note = ""
        self.watch: Callable[[Source], None] | None = None
        self._divisible = parts
        self._files: list[AnyFile]
        self._files = files_of(path, stdin=is_stdin) if parts else [File(path, stdin=is_stdin)]
        self.name = self._files[0].name if is_stdin else path
        self._opened = list(self._files)
        self._ended_lines: list[int] = []
        try:
            self.rewind()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def parts(self) -> list[str]:
        """The names of the files that it is made of, in order; each can be opened as a source of its own.

        Those of an archive that other parts stand in front of are known once these were read.
        """
        return [file.name for file in self._files]

    def rewind(self) -> None:
        """Start again from the first byte.

        Raises:
            InputProblem: it cannot be read any more.
        """
        self._ahead = memoryview(b"")
        self.encoding_note = ""
        self._lines = 0
        self._in_line = False
        self._enter(0)

    def _enter(self, index: int) -> None:
        """Let the stream be that of the file with this index."""
        self._index = index
        try:
            self._stream = self._plain(self._files[index])
        except Exception as error:  # noqa: BLE001  (sorted out there)
            raise self._unreadable(error) from None

    def _plain(self, file: AnyFile) -> Stream:
        """The plain bytes of a file, or of the first one if it is an archive."""
        stream = Peekable(file.start())
        head = stream.peek(HEAD_SIZE)
        packing = packing_of(head)
        if packing is not None:
            stream = Peekable(Unpacked(stream, packing.decompressor, packing.magics, file.packed_size))
            head = stream.peek(HEAD_SIZE)
        if self._divisible and may_be_archive(head):
            from irevalcli.reading.archives import is_archive  # noqa: PLC0415  (start-up: archives are rare)

            if is_archive(head):
                archive = file.archive()
                found: list[AnyFile] = [ArchivedFile(archive, name) for name in archive.files]
                self._files[self._index : self._index + 1] = found
                return self._plain(found[0])
        return self._decoded(stream, head)

    def _decoded(self, stream: Stream, head: bytes) -> Stream:
        note = ""
        if self.marks and head.startswith(UTF8_MARK):
            stream.read(len(UTF8_MARK))
            note = "starts with a UTF-8 byte order mark, which was left out"
        elif self.marks and head.startswith(UTF16_MARKS):
            stream = Transcoded(stream)
            note = "is UTF-16; its ids were converted to UTF-8"
        if note and not self.encoding_note:
            part = "" if len(self._files) == 1 else f"has a part, {self._files[self._index].name}, that "
            self.encoding_note = part + note
        return stream

    def _unreadable(self, error: Exception) -> Exception:
        """The problem that an error in reading or unpacking means; other errors as they are."""
        if not isinstance(error, (OSError, EOFError, ValueError)):
            return error
        name = self._files[self._index].name
        if isinstance(error, IsADirectoryError):
            return problem_of(IS_DIRECTORY, "is a directory, not a file", name)
        if isinstance(error, OSError) and error.errno:
            return problem_of(CANNOT_OPEN, os.strerror(error.errno), name)
        if isinstance(error, DamagedMember):
            return problem_of(ARCHIVE, f"the file in the archive is damaged: {error}", name)
        return problem_of(DAMAGED, f"cannot be read to its end: {error}", name)

    def readinto(self, target: memoryview) -> int:
        """The number of bytes read into `target`; 0 at the end.

        Raises:
            InputProblem: the compressed data is damaged or cut off, or the device failed.
        """
        if self._ahead:
            size = min(len(target), len(self._ahead))
            target[:size] = self._ahead[:size]
            self._ahead = self._ahead[size:]
        else:
            size = self._read(target)
        if self.watch is not None:
            self.watch(self)
        return size

    def _read(self, target: memoryview) -> int:
        while True:
            try:
                size = self._stream.readinto(target) or 0
            except Exception as error:  # noqa: BLE001  (sorted out there)
                raise self._unreadable(error) from None
            if len(self._files) == 1:
                return size
            last = self._index + 1 == len(self._files)
            if not size and self._in_line and not last:
                target[:1] = _NEWLINE
                size = 1
            if size:
                self._lines += bytes(target[:size]).count(_NEWLINE)
                self._in_line = target[size - 1] != _NEWLINE[0]
                return size
            if last:
                return 0
            self._ended_lines[self._index :] = [self._lines]
            self._lines = 0
            self._enter(self._index + 1)

    def head(self, size: int) -> bytes:
        """The first bytes, up to `size`, which are still there to be read; to be called before others are.

        Raises:
            InputProblem: they cannot be read.
        """
        held = bytearray(size)
        filled = len(self._ahead)
        held[:filled] = self._ahead[:size]
        with memoryview(held) as view:
            while filled < size:
                read = self._read(view[filled:])
                if not read:
                    break
                filled += read
        if filled > len(self._ahead):
            self._ahead = memoryview(bytes(held[:filled]))
        return bytes(self._ahead[:size])

    def place(self, line: int) -> tuple[str, int]:
        """The file in which a line stands, and its number there; both counted from 1.

        Args:
            line: number of a line that was read, or 0 for the whole.
        """
        if not line or len(self._files) == 1:
            return self.name if len(self._files) > 1 else self._files[0].name, line
        for index, lines in enumerate(self._ended_lines):
            if line <= lines:
                return self._files[index].name, line
            line -= lines
        return self._files[min(len(self._ended_lines), len(self._files) - 1)].name, line

    @property
    def share_read(self) -> float | None:
        """How much has been read, from 0 to 1; None if that is not known, as for a pipe."""
        share = self._files[self._index].share_read
        if len(self._files) == 1:
            return share
        return (self._index + (share or 0)) / len(self._files)

    def read_all(self) -> bytearray:
        """All bytes from the present position on.

        Raises:
            InputProblem: they cannot be read.
        """
        held = bytearray(max(self.size or 0, 1 << 12) + 1)
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

    @property
    def size(self) -> int | None:
        """Bytes on disk, or in their archive; None for a pipe."""
        sizes = [file.size for file in self._files]
        return None if None in sizes else sum(size or 0 for size in sizes)

    def sha256(self) -> str:
        """The SHA-256, in hexadecimal, of the bytes as they lie on disk, came through the pipe, or stand in an archive.

        Of several files, that of all of them, one after the other.

        Raises:
            InputProblem: a file in an archive is damaged.
        """
        import hashlib  # noqa: PLC0415

        digest = hashlib.sha256()
        for file in self._files:
            for block in file.blocks():
                digest.update(block)
        return digest.hexdigest()

    def close(self) -> None:
        """Release the files. Standard input stays open."""
        for file in self._opened:
            file.close()
