"""Archives: a zip or tar file is so many runs, and none of them is ever written to disk under its name."""

from __future__ import annotations

import os
import weakref
from functools import lru_cache, partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from irevalcli.errors import Finding, InputProblem
from irevalcli.reading.parts import BETWEEN, HEAD_SIZE
from irevalcli.reading.rules import ARCHIVE
from irevalcli.reading.streams import BLOCK, Peekable, Slice
from irevalcli.reading.tar_archives import is_tar, tar_members
from irevalcli.reading.unpacking import DamagedData, Unpacked, packing_of
from irevalcli.reading.zip_archives import MAGICS, zip_members, zip_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.reading.unpacking import Packing, Stream

MOST_MEMBERS = 10_000
_OPEN_ARCHIVES = 4
_NAMES_SHOWN = 3
_PASSED_OVER = ("__MACOSX", "Thumbs.db", "desktop.ini")


class Member(NamedTuple):
    """A file in an archive.

    Attributes:
        name: in the archive, without ``./`` in front.
        size: bytes that it takes there.
        start: the stream of its bytes, from the first on; raises DamagedMember if it is not there.
        obstacle: why it cannot be read, or "".
    """

    name: str
    size: int
    start: Callable[[], Stream]
    obstacle: str

    @property
    def hidden(self) -> bool:
        """Whether it is none of those that people put into archives on purpose."""
        return any((part.startswith(".") and part != "..") or part in _PASSED_OVER for part in self.name.split("/"))


class Archive:
    """The files in an archive.

    Attributes:
        name: what messages call it.
        size: its bytes on disk.

    Args:
        file: the archive, not compressed as a whole; can seek.
        plain_size: its bytes.
    """

    def __init__(self, name: str, size: int, file: BinaryIO, plain_size: int) -> None:
        self.name = name
        self.size = size
        members = self._listed(_read_head(file), file, plain_size)
        # As in tar: of several members of one name the last one counts.
        self._members = {member.name: member for member in sorted(members, key=lambda member: member.name)}

    def _listed(self, head: bytes, file: BinaryIO, plain_size: int) -> list[Member]:
        found = []
        try:
            for member in _zipped(file, plain_size) if head.startswith(MAGICS) else _tarred(file, plain_size):
                found.append(member)
                if len(found) > MOST_MEMBERS:
                    break
        except DamagedData as error:
            raise self.problem(f"the archive cannot be used: {error}") from None
        if len(found) > MOST_MEMBERS:
            raise self.problem(f"the archive has more than {MOST_MEMBERS} members")
        return found

    def problem(self, message: str, member: str = "", *, advice: str = ARCHIVE.help) -> InputProblem:
        """The problem of the archive, or of a member."""
        name = self.name_of(member) if member else self.name
        return InputProblem.of(Finding(ARCHIVE.code, message, name, help=advice))

    def name_of(self, member: str) -> str:
        """What a file in it is called, in messages and in arguments."""
        return f"{self.name}{BETWEEN}{member}"

    @property
    def files(self) -> list[str]:
        """The names of its files, sorted; without hidden ones, and what systems leave behind.

        Raises:
            InputProblem: there are none.
        """
        names = [member.name for member in self._members.values() if not member.hidden]
        if not names:
            raise self.problem("the archive holds no file")
        return names

    def member(self, name: str) -> Member:
        """The file of this name, hidden or not.

        Raises:
            InputProblem: there is none, or it is encrypted or compressed in a way that is not supported.
        """
        member = self._members.get(name.removeprefix("./"))
        if member is None:
            from difflib import get_close_matches  # noqa: PLC0415

            problem = self.problem("no file of this name is in the archive", name, advice="name one that is")
            names = get_close_matches(name, self._members, _NAMES_SHOWN) or list(self._members)[:_NAMES_SHOWN]
            problem.hints = tuple(f"the archive has {found}" for found in names)
            raise problem
        if member.obstacle:
            raise self.problem(member.obstacle, name)
        return member


def is_archive(head: bytes) -> bool:
    """Whether a file with these first bytes is an archive that is not compressed as a whole."""
    return head.startswith(MAGICS) or is_tar(head)


def archive_at(path: str) -> Archive | None:
    """The archive at a path, or None if what lies there is no archive, cannot be read, or only once as a pipe can.

    Raises:
        InputProblem: it is an archive and cannot be used.
        MissingExtra: an optional package is needed to unpack it.
    """
    try:
        status = os.stat(path)  # noqa: PTH116  (any text will do, as in a path)
    except (OSError, ValueError):
        return None
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    return _archive_at(path, (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns))


@lru_cache(_OPEN_ARCHIVES)
def _archive_at(path: str, _identity: tuple[int, ...]) -> Archive | None:
    """See `archive_at`. The list of members serves for all of them, and so does the unpacked copy of a tar file."""
    try:
        file = open(path, "rb")  # noqa: PTH123, SIM115  (lives as long as the archive)
    except OSError:
        return None
    archive = None
    try:
        archive = archive_in(path, file)
    finally:
        if archive is None:
            file.close()
        else:
            weakref.finalize(archive, file.close)
    return archive


def archive_in(name: str, file: BinaryIO) -> Archive | None:
    """The archive that a file holds, or None.

    Args:
        name: what messages call it.
        file: can seek; to be closed by its owner, not before the archive is done with.

    Raises:
        InputProblem: it is an archive and cannot be used.
        MissingExtra: an optional package is needed to unpack it.
    """
    size = file.seek(0, os.SEEK_END)
    head = _read_head(file)
    packing = packing_of(head)
    if packing is None:
        return Archive(name, size, file, size) if is_archive(head) else None
    file.seek(0)
    return _unpacked_archive(name, size, file, packing)


def _unpacked_archive(name: str, size: int, file: BinaryIO, packing: Packing) -> Archive | None:
    """The archive in a compressed file.

    Its members can be had in any order only from an unpacked copy: a temporary file without a name.
    """
    import tempfile  # noqa: PLC0415  (start-up: only for archives)

    plain = Peekable(Unpacked(Slice(file, 0, size), packing.decompressor, packing.magics, lambda: size))
    try:
        if not is_archive(plain.peek(HEAD_SIZE)):
            return None
    except DamagedData:
        return None
    copy = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the archive)
    try:
        while block := plain.read(BLOCK):
            copy.write(block)
        archive = Archive(name, size, copy, copy.tell())
    except DamagedData as error:
        copy.close()
        message = f"the archive cannot be unpacked to its end: {error}"
        raise InputProblem.of(Finding(ARCHIVE.code, message, name, help=ARCHIVE.help)) from None
    except BaseException:
        copy.close()
        raise
    weakref.finalize(archive, copy.close)
    return archive


def _read_head(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read(HEAD_SIZE)


def _zipped(file: BinaryIO, size: int) -> Iterator[Member]:
    for member in zip_members(file):
        beyond = "" if member.header + member.packed <= size else "it does not fit into the archive"
        start = partial(zip_stream, file, member, size)
        yield Member(member.name.removeprefix("./"), member.packed, start, beyond or member.obstacle)


def _tarred(file: BinaryIO, size: int) -> Iterator[Member]:
    for member in tar_members(file, size):
        obstacle = "holes were left out of it (a sparse file)" if member.sparse else ""
        yield Member(
            member.name.removeprefix("./"), member.size, partial(Slice, file, member.start, member.size), obstacle
        )
