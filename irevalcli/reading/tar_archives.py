"""Tar archives: where the files in them lie.

The standard library's tarfile reads whatever size a header claims into memory, and takes an archive that was cut off
for a short one. Only names and places are needed here, so that the headers are read directly.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from irevalcli.reading.unpacking import DamagedData

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK = 512
LONGEST_EXTENSION = 1 << 20
"""Bytes of an extended header; real ones hold a long name and some attributes."""

_MAGIC = slice(257, 263)
_CHECKSUM = slice(148, 156)
_POSIX = b"ustar\0"
_REGULAR = (b"0", b"\0", b"7")
_WITHOUT_DATA = (b"1", b"2", b"3", b"4", b"5", b"6")
_GNU_NAME, _GNU_SPARSE, _PAX = b"L", b"S", (b"x", b"X")
_SPARSE_KEYS = b"GNU.sparse."


class TarMember(NamedTuple):
    """A regular file in an archive.

    Attributes:
        name: as it stands there.
        start: position of its first byte.
        size: its bytes.
        sparse: whether holes were left out of it.
    """

    name: str
    start: int
    size: int
    sparse: bool


def is_tar(head: bytes) -> bool:
    """Whether a file with this first block is a tar archive."""
    return len(head) >= BLOCK and head[_MAGIC].startswith(b"ustar") and _is_header(head[:BLOCK])


def tar_members(file: BinaryIO, file_size: int) -> Iterator[TarMember]:
    """The regular files of an archive, in its order.

    Args:
        file: can seek.
        file_size: its bytes.

    Raises:
        DamagedData: a header is damaged, or the archive is cut off.
    """
    at = 0
    said: dict[bytes, bytes] = {}
    while any(header := _read(file, at, BLOCK)):
        if not _is_header(header):
            raise DamagedData(f"there is no member at byte {at}")
        kind = header[156:157]
        size = _size(header, said)
        start = at + BLOCK
        while kind == _GNU_SPARSE and (header[482] if start == at + BLOCK else _read(file, start - BLOCK, BLOCK)[504]):
            start += BLOCK
        if kind in _WITHOUT_DATA:
            size = 0
        at = start + -(-size // BLOCK) * BLOCK
        if start + size > file_size:
            raise DamagedData("the archive ends too early")
        if kind == _GNU_NAME:
            said[b"path"] = _extension(file, start, size).rstrip(b"\0")
        elif kind in _PAX:
            said.update(_records(_extension(file, start, size)))
        else:
            name = _name(header, said)
            if kind in (*_REGULAR, _GNU_SPARSE) and not name.endswith("/"):
                yield TarMember(name, start, size, kind == _GNU_SPARSE or _is_sparse(said))
            if kind not in (b"K", b"g"):
                said = {}


def _read(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    found = file.read(size)
    if len(found) < size:
        raise DamagedData("the archive ends too early")
    return found


def _is_header(block: bytes) -> bool:
    try:
        said = _number(block[_CHECKSUM])
    except ValueError:
        return False
    return said == sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def _number(field: bytes) -> int:
    """A number of a header: octal digits, or, where they do not suffice, binary behind a set bit."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    return int(field.split(b"\0")[0].strip() or b"0", 8)


def _size(header: bytes, said: dict[bytes, bytes]) -> int:
    try:
        size = int(said[b"size"]) if b"size" in said else _number(header[124:136])
    except ValueError:
        size = -1
    if size < 0:
        raise DamagedData("a member has no size")
    return size


def _extension(file: BinaryIO, start: int, size: int) -> bytes:
    if size > LONGEST_EXTENSION:
        raise DamagedData("a header is too long")
    return _read(file, start, size)


def _records(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The keys and values of a POSIX extended header: records of a length, a blank, ``key=value`` and a line end."""
    at = 0
    while at < len(text):
        blank = text.find(b" ", at, at + 20)
        length = text[at:blank] if blank > at else b""
        stop = at + int(length) if length.isdigit() else at
        if not at < blank < stop <= len(text):
            raise DamagedData("an extended header is damaged")
        key, _, value = text[blank + 1 : stop - 1].partition(b"=")
        yield key, value
        at = stop


def _is_sparse(said: dict[bytes, bytes]) -> bool:
    return any(key.startswith(_SPARSE_KEYS) for key in said)


def _name(header: bytes, said: dict[bytes, bytes]) -> str:
    name = said.get(b"GNU.sparse.name") or said.get(b"path")
    if name is None:
        name = header[:100].split(b"\0")[0]
        prefix = header[345:500].split(b"\0")[0]
        if prefix and header[_MAGIC] == _POSIX:
            name = prefix + b"/" + name
    return os.fsdecode(name.split(b"\0")[0])
