"""Zip archives: where the files in them lie, and how they are unpacked."""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from irevalcli.reading.streams import Slice
from irevalcli.reading.unpacking import DamagedData, DamagedMember, Stream, Unpacked, bzip2, deflate, zstd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
"""The beginnings of an archive; the second is that of an empty one."""

_STORED = 0
_METHODS = {8: deflate, 12: bzip2, 93: zstd}
_METHOD_NAMES = {1: "shrink", 6: "implode", 9: "deflate64", 14: "lzma", 95: "xz", 96: "jpeg", 98: "ppmd", 99: "aes"}
_ENCRYPTED = 1
_LOCAL_HEADER = struct.Struct("<4s22xHH")


class ZipMember(NamedTuple):
    """A file in an archive.

    Attributes:
        name: as it stands there.
        header: position of its header.
        packed: bytes that it takes.
        size: its bytes, unpacked.
        checksum: CRC-32 of these.
        method: number of the way in which it is compressed.
        encrypted: whether it is.
    """

    name: str
    header: int
    packed: int
    size: int
    checksum: int
    method: int
    encrypted: bool

    @property
    def obstacle(self) -> str:
        """Why it cannot be read, or ""."""
        if self.encrypted:
            return "it is encrypted"
        if self.method != _STORED and self.method not in _METHODS:
            name = _METHOD_NAMES.get(self.method, "unknown")
            return f"it is compressed by method {self.method} ({name}), which is not supported"
        return ""


def zip_members(file: BinaryIO) -> Iterator[ZipMember]:
    """The files of an archive, in its order.

    Raises:
        DamagedData: the list of its members cannot be read.
    """
    import zipfile  # noqa: PLC0415  (start-up: only for archives)

    try:
        listed = zipfile.ZipFile(file).infolist()
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001
        # zipfile lets errors of struct, of codecs and of seeking through.
        raise DamagedData(str(error)) from None
    for one in listed:
        # Their own is_dir() fails on an empty name.
        if not one.filename.endswith("/"):
            encrypted = bool(one.flag_bits & _ENCRYPTED)
            yield ZipMember(
                one.filename, one.header_offset, one.compress_size, one.file_size, one.CRC, one.compress_type, encrypted
            )


def zip_stream(file: BinaryIO, member: ZipMember, archive_size: int) -> Stream:
    """The plain bytes of a member without an obstacle.

    Raises:
        DamagedMember: there is no member where it should be; also while the stream is read, if the member is damaged.
        MissingExtra: an optional package is needed.
    """
    file.seek(member.header)
    header = file.read(_LOCAL_HEADER.size)
    if len(header) < _LOCAL_HEADER.size or not header.startswith(MAGICS[0]):
        raise DamagedMember("it is not where the archive's list says")
    _, name, extra = _LOCAL_HEADER.unpack(header)
    stored = Slice(file, member.header + _LOCAL_HEADER.size + name + extra, member.packed)
    if member.method == _STORED:
        return _Checked(stored, member)
    decompressor: Callable[[], object] = _METHODS[member.method]
    return _Checked(Unpacked(stored, decompressor, (), lambda: archive_size), member)  # type: ignore[arg-type]


class _Checked(io.RawIOBase):
    """A member's bytes, which must be as many as the archive says, and have its checksum."""

    def __init__(self, plain: Stream, member: ZipMember) -> None:
        import zlib  # noqa: PLC0415

        self._plain = plain
        self._member = member
        self._update = zlib.crc32
        self._given = 0
        self._checksum = 0

    def readable(self) -> bool:
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        try:
            size = self._plain.readinto(target) or 0
        except DamagedData as error:
            raise DamagedMember(str(error)) from None
        self._given += size
        self._checksum = self._update(memoryview(target)[:size], self._checksum)
        if self._given > self._member.size or (not size and self._given < self._member.size):
            raise DamagedMember("its size is not what the archive says")
        if not size and len(target) and self._checksum != self._member.checksum:
            raise DamagedMember("its checksum is not what the archive says")
        return size
