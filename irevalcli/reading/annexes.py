"""Texts that stand in a file in another way than they are meant, such as with escapes, beside the file's own bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.json_objects import encoded
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Bytes
    from irevalcli.reading.pieces import Piece


class Annex:
    """A buffer that begins as a piece's and has further texts behind that."""

    def __init__(self, piece: Piece) -> None:
        self._piece = piece
        self._stop = piece.stop
        self._parts: list[bytes] = []

    def hold(self, texts: Sequence[str]) -> Fields:
        """Where the texts will stand in `data`, which takes them from now on."""
        text, lengths = encoded(texts)
        ends = np.cumsum(lengths, dtype=np.int64) + self._stop
        starts = np.concatenate(([self._stop], ends))[:-1]
        self._parts.append(text)
        self._stop += len(text)
        return Fields(starts, ends)

    def data(self) -> Bytes:
        """The buffer, with slack on either side: the piece's own if nothing was added."""
        if not self._parts:
            return self._piece.data
        body = self._piece.data[: self._piece.stop].data
        return np.frombuffer(b"".join((body, *self._parts, bytes(PAD))), np.uint8)
