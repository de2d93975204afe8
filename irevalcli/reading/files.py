"""Files: their bytes as they lie on disk, come through a pipe, or stand in an archive, as often as they are wanted."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Union

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.parts import BETWEEN, JOIN, archive_and_member, part_names
from irevalcli.reading.rules import ARCHIVE, CANNOT_OPEN, IS_DIRECTORY
from irevalcli.reading.streams import BLOCK, Spool
from irevalcli.reading.unpacking import DamagedMember

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

    from irevalcli.reading.archives import Archive
    from irevalcli.reading.collections import Collection
    from irevalcli.reading.rules import Rule
    from irevalcli.reading.unpacking import Stream


AnyFile = Union["File", "ArchivedFile", "Collection"]

COLLECTION = "irds:"
"""What the name of a collection begins with. Nothing else does, so that no typing error starts a download."""


def problem_of(rule: Rule, message: str, name: str) -> InputProblem:
    """The problem of the file `name`."""
    return InputProblem.of(Finding(rule.code, message, name, help=rule.help))


class File:
    """A file or a pipe.

    Args:
        path: where it is.
        stdin: take standard input instead.

    Attributes:
        name: what messages call it.

    Raises:
        InputProblem: it is missing, a directory, or not readable.
    """

    def __init__(self, path: str, *, stdin: bool) -> None:
        self.path = path
        self.name = "<stdin>" if stdin else path
        self._is_stdin = stdin
        self._raw = self._open(stdin=stdin)
        try:
            self._start = self._raw.tell()
            self._spool = None
        except OSError:
            self._spool = Spool(self._raw)

    def _open(self, *, stdin: bool) -> io.FileIO:
        try:
            if stdin:
                if sys.stdin is None:
                    raise problem_of(CANNOT_OPEN, "standard input is closed", self.name)
                return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
            return open(self.path, "rb", buffering=0)  # noqa: PTH123
        except IsADirectoryError:
            raise problem_of(IS_DIRECTORY, "is a directory, not a file", self.name) from None
        except (OSError, ValueError) as error:
            reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise problem_of(CANNOT_OPEN, reason, self.name) from None

    def start(self) -> Stream:
        """The stream of the bytes, from the first on."""
        if self._spool is not None:
            self._spool.rewind()
            return self._spool
        self._raw.seek(self._start)
        return self._raw

    @property
    def size(self) -> int | None:
        """Bytes on disk; None for a pipe."""
        status = os.fstat(self._raw.fileno())
        return status.st_size if os.path.isfile(self._raw.fileno()) else None  # noqa: PTH113

    def packed_size(self) -> int:
        """Bytes on disk, or that came so far."""
        return os.fstat(self._raw.fileno()).st_size if self._spool is None else self._spool.copied

    @property
    def share_read(self) -> float | None:
        """How much of it has been read, from 0 to 1; None for a pipe."""
        return self._raw.tell() / self.size if self.size else None

    def blocks(self) -> Iterator[bytes]:
        """Its bytes; of a pipe, those that came so far."""
        if self._spool is not None:
            yield from self._spool.blocks()
            return
        self._raw.seek(self._start)
        while block := self._raw.read(BLOCK):
            yield block

    def archive(self) -> Archive:
        """The archive that it holds, as its first bytes say.

        Raises:
            InputProblem: the archive cannot be used, or holds several files and came through a pipe.
            MissingExtra: an optional package is needed to unpack it.
        """
        from irevalcli.reading.archives import archive_at, archive_in  # noqa: PLC0415  (start-up: archives are rare)

        if self._spool is None and not self._is_stdin:
            found = archive_at(self.path)
        else:
            if self._spool is None:
                self._raw.seek(self._start)
                self._spool = Spool(self._raw)
            found = archive_in(self.name, self._spool.drained())
            if found is not None and len(found.files) > 1:
                message = f"the archive holds {len(found.files)} files, and a pipe is one input"
                raise found.problem(message, advice="save it to a file; then each file in it can be a run of its own")
        if found is None:
            raise problem_of(ARCHIVE, "the archive cannot be read again", self.name)
        return found

    def close(self) -> None:
        """Release the file. Standard input stays open."""
        if self._spool is not None:
            self._spool.close()
        self._raw.close()


class ArchivedFile:
    """A file in an archive.

    Args:
        archive: where it is.
        name: what it is called there.

    Attributes:
        name: what messages call it.
        size: bytes that it takes in the archive.

    Raises:
        InputProblem: there is no such file, or it cannot be read.
    """

    share_read = None

    def __init__(self, archive: Archive, name: str) -> None:
        self.name = archive.name_of(name)
        self._archive = archive
        self._member = archive.member(name)
        self.size = self._member.size

    def start(self) -> Stream:
        """The stream of the bytes, from the first on.

        Raises:
            DamagedMember: they are not where the archive says.
        """
        return self._member.start()

    def packed_size(self) -> int:
        """Bytes on disk of the whole archive."""
        return self._archive.size

    def blocks(self) -> Iterator[bytes]:
        """Its bytes, as unpacking the archive would give them.

        Raises:
            InputProblem: they are damaged.
        """
        try:
            stream = self.start()
            while block := stream.read(BLOCK):
                yield block
        except DamagedMember as error:
            raise problem_of(ARCHIVE, f"the file in the archive is damaged: {error}", self.name) from None

    def archive(self) -> Archive:
        """No archive: those in archives are not unpacked.

        Raises:
            InputProblem: always.
        """
        raise problem_of(ARCHIVE, "this is an archive inside an archive", self.name)

    def close(self) -> None:
        """Nothing: other files of the archive may still be read."""


def files_of(path: str, *, stdin: bool) -> list[AnyFile]:
    """What a path names: a file, a file in an archive, or several joined by ``+``, in order; or a collection.

    Args:
        path: as the user wrote it.
        stdin: whether that means standard input.

    Raises:
        InputProblem: one of them cannot be opened.
        MissingExtra: an optional package is needed to unpack an archive, or to get a collection.
    """
    if not stdin and path.startswith(COLLECTION):
        from irevalcli.reading.collections import Collection  # noqa: PLC0415  (an extra)

        return [Collection(path)]
    if stdin or not any(separator in path for separator in (JOIN, BETWEEN)):
        return [File(path, stdin=stdin)]
    found: list[AnyFile] = []
    try:
        for name in part_names(path):
            found.append(_file_of(name))  # noqa: PERF401  (what was opened is closed if another cannot be)
    except BaseException:
        for file in found:
            file.close()
        raise
    return found


def _file_of(name: str) -> AnyFile:
    from irevalcli.reading.archives import archive_at  # noqa: PLC0415  (start-up: archives are rare)

    sides = None if os.path.exists(name) else archive_and_member(name)  # noqa: PTH110
    if sides is None:
        return File(name, stdin=False)
    archive = archive_at(sides[0])
    if archive is None:
        message = f"{sides[0]} is no zip or tar file"
        raise InputProblem.of(Finding(ARCHIVE.code, message, name, help=f"what stands before {BETWEEN} is an archive"))
    return ArchivedFile(archive, sides[1])
