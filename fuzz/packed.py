"""Packed files and archives, whole or spoiled: what went in comes out, or a problem says why not.

The first byte chooses how a small text is packed, the second what becomes of the packed bytes; without a way of packing
the rest is read as it is.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import tempfile
import zipfile
from typing import TYPE_CHECKING

from campaign import fuzz
from findings import PROBLEMS, check_problem

from irevalcli.reading.opening import UTF8_MARK, UTF16_MARKS, Source
from irevalcli.reading.parts import files_in
from irevalcli.reading.unpacking import DENSEST, FREELY

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCKS = (1, 7, 1 << 10, 1 << 16)


def _tar(text: bytes) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, part in (("b.run", text[1::2]), ("folder/" + "a" * 120, text[::2])):
            member = tarfile.TarInfo(name)
            member.size = len(part)
            archive.addfile(member, io.BytesIO(part))
    return held.getvalue()


def _zip(method: int) -> Callable[[bytes], bytes]:
    def packed(text: bytes) -> bytes:
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", method) as archive:
            for name, part in (("b.run", text[1::2]), ("folder/a.run", text[::2])):
                archive.writestr(zipfile.ZipInfo(name), part, method)
        return held.getvalue()

    return packed


def _members(text: bytes) -> bytes:
    return gzip.compress(text[: len(text) // 2], mtime=0) + gzip.compress(text[len(text) // 2 :], mtime=0)


SINGLE: tuple[Callable[[bytes], bytes], ...] = (
    lambda text: gzip.compress(text, mtime=0),
    _members,
    bz2.compress,
    lzma.compress,
)
SEVERAL: tuple[Callable[[bytes], bytes], ...] = (
    _tar,
    lambda text: gzip.compress(_tar(text), mtime=0),
    _zip(zipfile.ZIP_STORED),
    _zip(zipfile.ZIP_DEFLATED),
    _zip(zipfile.ZIP_BZIP2),
)
PACKERS = (*SINGLE, *SEVERAL)


def check(data: bytes) -> None:
    """Read what the bytes stand for."""
    way, spoiling, *_ = data[:2] + b"\0\0"
    rest = data[2:]
    pack = (*PACKERS, None)[way % (len(PACKERS) + 1)]
    if pack is None:
        read(rest, spoiling)
        return
    text = rest[: len(rest) // 2] if spoiling % 4 else rest
    packed = pack(text)
    spoiled = spoilt(packed, rest[len(text) :], spoiling)
    found = read(spoiled, spoiling)
    if spoiled != packed:
        return
    if b"ustar" not in text and not any(
        part.startswith((b"PK", *UTF16_MARKS)) for part in (text, text[::2], text[1::2])
    ):
        parts = [text] if pack in SINGLE else [text[1::2], text[::2]]
        expected = joined([part.removeprefix(UTF8_MARK) for part in parts])
        if found != expected:
            raise AssertionError(f"{found!r} came out, {expected!r} went in")


def joined(parts: list[bytes]) -> bytes:
    """Texts one after the other, as they stand in an archive, each on lines of its own."""
    *first, last = parts
    return b"".join(part + b"\n" if part and not part.endswith(b"\n") else part for part in first) + last


def read(packed: bytes, option: int) -> bytes | None:
    """What comes out of a file, in blocks of some size and again after it was rewound; None if it is refused."""
    with tempfile.NamedTemporaryFile() as held:
        held.write(packed)
        held.flush()
        try:
            files_in(held.name)
            with Source(held.name) as source:
                first = drained(source, BLOCKS[option >> 4 & 3])
                source.rewind()
                second = drained(source, 1 << 16)
        except PROBLEMS as problem:
            check_problem(problem, packed)
            return None
    if first != second:
        raise AssertionError(f"{first!r}, then {second!r}")
    if len(first) > 2 * (FREELY + DENSEST * len(packed)):
        raise AssertionError(f"{len(packed)} bytes became {len(first)}")
    return first


def drained(source: Source, block: int) -> bytes:
    """All bytes of a source."""
    held = bytearray(block)
    found = bytearray()
    while size := source.readinto(memoryview(held)):
        found += held[:size]
    return bytes(found)


def spoilt(packed: bytes, how: bytes, spoiling: int) -> bytes:
    """The packed bytes cut off, with bytes put in, or exchanged."""
    kind, held = spoiling % 4, bytearray(packed)
    place = int.from_bytes(how[:2], "big") % len(packed) if packed else 0
    if kind == 1:
        return packed[:place]
    if kind == 2:
        held[place:place] = how[2:]
    if kind == 3:
        held[place : place + len(how[2:])] = how[2:]
        if held[257:262] == b"ustar":
            sum_up(held, place // 512 * 512)
    return bytes(held)


def sum_up(archive: bytearray, header: int) -> None:
    """Give a header of a tar archive the checksum that it should have, so that it is not refused for that."""
    block = archive[header : header + 512]
    block[148:156] = b" " * 8
    archive[header + 148 : header + 156] = b"%06o\0 " % sum(block)


if __name__ == "__main__":
    fuzz(check)
