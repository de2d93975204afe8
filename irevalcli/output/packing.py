"""Compressed output, by the ending of the file's name; the same input gives the same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Compressor(Protocol):
    """What the modules of the standard library offer."""

    def compress(self, data: bytes, /) -> bytes:
        """Some compressed bytes, or none yet."""

    def flush(self) -> bytes:
        """The last ones."""


def _gzip() -> Compressor:
    import zlib  # noqa: PLC0415  (only for what is compressed)

    return zlib.compressobj(6, zlib.DEFLATED, 31)


def _bzip2() -> Compressor:
    import bz2  # noqa: PLC0415

    return bz2.BZ2Compressor()


def _xz() -> Compressor:
    import lzma  # noqa: PLC0415

    return lzma.LZMACompressor()


PACKINGS: dict[str, Callable[[], Compressor]] = {".gz": _gzip, ".bz2": _bzip2, ".xz": _xz}
"""How a file is compressed whose name has this ending."""


def packed(chunks: Iterable[bytes], ending: str) -> Iterator[bytes]:
    """The chunks, compressed if `ending` is one of `PACKINGS`."""
    if ending not in PACKINGS:
        yield from chunks
        return
    compressor = PACKINGS[ending]()
    for chunk in chunks:
        yield compressor.compress(chunk)
    yield compressor.flush()
