"""What queries and documents say: files of an id, a tab and a text on each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.reading.opening import Source
from irevalcli.reading.pieces import pieces

if TYPE_CHECKING:
    from collections.abc import Collection


def read_texts(path: str, wanted: Collection[bytes]) -> dict[bytes, str]:
    """The texts of some ids; the first one if a file has several. What is no UTF-8 is replaced.

    Args:
        path: the file, or ``-``.
        wanted: the ids.

    Raises:
        InputProblem: the file cannot be read to its end.
    """
    chosen = set(wanted)
    texts: dict[bytes, str] = {}
    with Source(path) as source:
        for piece in pieces(source, []):
            for line in piece.lines():
                identifier, tab, text = line.partition(b"\t")
                if tab and identifier in chosen and identifier not in texts:
                    texts[identifier] = text.decode("utf-8", "replace").strip()
    return texts
