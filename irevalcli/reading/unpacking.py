"""Unpacking: a compressed stream, recognised by its first bytes, becomes a stream of plain ones."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Protocol

    class Decompressor(Protocol):
        """The face that the decompressors of bz2, lzma and zstd have in common: they unpack one member of a stream."""

        @property
        def eof(self) -> bool:
            """Whether the member has ended."""

        @property
        def needs_input(self) -> bool:
            """Whether nothing more comes out before something is put in."""

        @property
        def unused_data(self) -> bytes:
            """What was put in beyond the end of the member."""

        def decompress(self, data: bytes, max_length: int, /) -> bytes:
            """The next plain bytes."""


Stream = io.RawIOBase | io.BufferedIOBase

CHUNK = 128 << 10
"""Packed bytes read at a time: with fewer, calls cost; with more, nothing is gained."""

LARGEST_WINDOW = 128 << 20
"""Bytes of memory that unpacking may take. xz -9 and zstd --ultra -22 need it; more is claimed by hardly any file."""

FREELY, DENSEST = 8 << 20, 1000
"""How many bytes a file may unpack to: some, and some for each byte on disk. gzip's own limit is about 1000.

The shortest lines and objects take 80 times their bytes of memory, and a file of a kilobyte is not to claim a gigabyte.
"""

LONGEST_MAGIC = 6


class DamagedData(ValueError):
    """Packed data is not what its format says, or stops too early."""


class DamagedMember(DamagedData):
    """A file in an archive is not what the archive says."""


class _Inflater:
    """The decompressor of zlib, with the face of the others."""

    def __init__(self, window_bits: int) -> None:
        import zlib  # noqa: PLC0415  (start-up: only when something is compressed)

        self._zlib = zlib.decompressobj(window_bits)
        self._full = False

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._full and not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        block = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self._full = len(block) == max_length
        return block


def _gzip() -> Decompressor:
    return _Inflater(31)


def deflate() -> Decompressor:
    """Of deflated data without header and trailer, as in zip archives."""
    return _Inflater(-15)


def bzip2() -> Decompressor:
    """Of bzip2."""
    import bz2  # noqa: PLC0415

    return bz2.BZ2Decompressor()


def _xz() -> Decompressor:
    import lzma  # noqa: PLC0415

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=LARGEST_WINDOW)


def zstd() -> Decompressor:
    """Of Zstandard.

    Raises:
        MissingExtra: Python is older than 3.14 and the package that stands in is not installed.
    """
    module = _zstd_module()
    options = {module.DecompressionParameter.window_log_max: LARGEST_WINDOW.bit_length() - 1}
    found: Decompressor = module.ZstdDecompressor(options=options)
    return found


def _zstd_module() -> ModuleType:
    from importlib import import_module  # noqa: PLC0415

    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ModuleNotFoundError:
            continue
    raise MissingExtra("unpacking zstd", "zstd")


class Packing(NamedTuple):
    """A format of compressed streams: the ways in which a member can begin, and what unpacks one."""

    name: str
    magics: tuple[bytes, ...]
    decompressor: Callable[[], Decompressor]


# Three letters may begin an id. The level follows, and the mark of a block or of an empty stream.
_BZIP2 = tuple(b"BZh%d%b" % (level, mark) for level in range(1, 10) for mark in (b"1A", b"\x17r"))
# A zstd stream may begin with a frame of other data, as that of pzstd does.
_SKIPPABLE = tuple(bytes((number, 0x2A, 0x4D, 0x18)) for number in range(0x50, 0x60))
PACKINGS = (
    Packing("gzip", (b"\x1f\x8b",), _gzip),
    Packing("bzip2", _BZIP2, bzip2),
    Packing("xz", (b"\xfd7zXZ\x00",), _xz),
    Packing("zstd", (b"\x28\xb5\x2f\xfd", *_SKIPPABLE), zstd),
)


def packing_of(head: bytes) -> Packing | None:
    """The format of a stream that begins with `head`, or None if it is not compressed."""
    return next((packing for packing in PACKINGS if head.startswith(packing.magics)), None)


class Unpacked(io.RawIOBase):
    """The plain bytes of a compressed stream, all its members one after the other.

    Zero bytes may follow a member, as tapes and block devices leave them. Other data may not.

    Args:
        packed: the compressed stream, at its first byte.
        decompressor: makes what unpacks one member.
        magics: the ways in which a further member can begin; with none, the stream is one member.
        size: bytes on disk that it comes from, or of a pipe those that came so far.
    """

    def __init__(
        self,
        packed: Stream,
        decompressor: Callable[[], Decompressor],
        magics: tuple[bytes, ...],
        size: Callable[[], int],
    ) -> None:
        self._packed = packed
        self._decompressor = decompressor
        self._magics = magics
        self._size = size
        self._member = decompressor()
        self._waiting = b""
        self._ended = False
        self._given = 0

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, target: memoryview) -> int:  # type: ignore[override]
        """The number of bytes put into `target`, which may be less than it takes; 0 at the end.

        Raises:
            DamagedData: the data is damaged, cut off, followed by other data, or unpacks to more than any text would.
        """
        room = len(target)
        while room and not self._ended:
            block = self._next_block(room)
            if block:
                target[: len(block)] = block
                self._count(len(block))
                return len(block)
            if self._member.eof:
                self._next_member()
        return 0

    def _count(self, size: int) -> None:
        self._given += size
        if self._given > FREELY and self._given > FREELY + DENSEST * self._size():
            raise DamagedData(f"it unpacks to more than {DENSEST} times its size, as no run or qrels would")

    def _next_block(self, room: int) -> bytes:
        """The next plain bytes of the member; none if it has ended, or has to be asked again."""
        if self._member.eof:
            return b""
        data = b""
        if self._member.needs_input:
            data = self._waiting or self._packed.read(CHUNK) or b""
            self._waiting = b""
            if not data:
                raise DamagedData("the compressed data ends too early")
        try:
            return self._member.decompress(data, room)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001
            # zlib.error, OSError, EOFError, LZMAError, ZstdError: each of the modules has its own.
            raise DamagedData(str(error)) from None

    def _next_member(self) -> None:
        waiting = self._member.unused_data.lstrip(b"\0")
        while len(waiting) < LONGEST_MAGIC:
            more = self._packed.read(CHUNK)
            if not more:
                break
            waiting = (waiting + more).lstrip(b"\0")
        if not waiting:
            self._ended = True
        elif waiting.startswith(self._magics):
            self._member = self._decompressor()
            self._waiting = waiting
        elif any(magic.startswith(waiting) for magic in self._magics):
            raise DamagedData("the compressed data ends too early")
        else:
            raise DamagedData("other data follows the compressed data")
