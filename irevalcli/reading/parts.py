"""Parts: what the name of an input stands for, one file, a file in an archive, or several joined by ``+``."""

from __future__ import annotations

import os

from irevalcli.reading.unpacking import packing_of

JOIN, BETWEEN = "+", "::"
"""What stands between files that are read as one, and between an archive and the name of a file in it."""

HEAD_SIZE = 512
"""Bytes by which archives, compression and byte order marks are told."""

_ZIP = b"PK"
_TAR, _TAR_PLACE = b"ustar", 257


def may_be_archive(head: bytes) -> bool:
    """Whether the first bytes of a file could be those of an archive; `archives` knows for certain."""
    return head.startswith(_ZIP) or head[_TAR_PLACE:].startswith(_TAR)


def archive_and_member(name: str) -> tuple[str, str] | None:
    """The two sides of ``archive::member``, if there is a file of the first name; else None."""
    at = name.rfind(BETWEEN)
    while at > 0:
        if os.path.exists(name[:at]):  # noqa: PTH110  (any text will do, NUL too)
            return name[:at], name[at + len(BETWEEN) :]
        at = name.rfind(BETWEEN, 0, at)
    return None


def _is_there(name: str) -> bool:
    return os.path.exists(name) or archive_and_member(name) is not None  # noqa: PTH110


def part_names(name: str) -> list[str]:
    """The names of the parts of an input, in order.

    Only the name itself if there is a file that it names as a whole, or if nothing that a ``+`` separates names one.
    Where a ``+`` may belong to a name, the longest name of a file that is there counts.
    """
    if JOIN not in name or _is_there(name):
        return [name]
    words = name.split(JOIN)
    found = []
    at = 0
    while at < len(words):
        stop = next((stop for stop in range(len(words), at, -1) if _is_there(JOIN.join(words[at:stop]))), at + 1)
        found.append(JOIN.join(words[at:stop]))
        at = stop
    return found if any(map(_is_there, found)) else [name]


def is_input(name: str) -> bool:
    """Whether there is a file for the name, or for each of its parts."""
    return all(map(_is_there, part_names(name)))


def files_in(path: str) -> list[str] | None:
    """The names of the files in an archive, as they can be opened: ``archive::member``.

    None if it is no archive, cannot be read, or only once as a pipe can.

    Raises:
        InputProblem: it is an archive and cannot be used.
        MissingExtra: an optional package is needed to unpack it.
    """
    if not os.path.isfile(path):  # noqa: PTH113
        return None
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123
            head = file.read(HEAD_SIZE)
    except OSError:
        return None
    if packing_of(head) is None and not may_be_archive(head):
        return None
    from irevalcli.reading.archives import archive_at  # noqa: PLC0415  (start-up: archives are rare)

    archive = archive_at(path)
    return None if archive is None else [archive.name_of(name) for name in archive.files]
