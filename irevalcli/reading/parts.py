"""Parts: what the name of an input stands for, one file, a file in an archive, or several joined by ``+``."""

from __future__ import annotations

import os

from irevalcli.reading.archives import BETWEEN

JOIN = "+"


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
