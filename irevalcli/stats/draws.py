"""Seeded random signs, permutations and resamples.

They are made from the raw words of PCG64, whose stream numpy promises never to change: the same seed gives the same
p-value with every version and on every machine, which the methods of `Generator` do not promise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from irevalcli.reading.arrays import Bytes, Positions

    HalfWords = NDArray[np.uint32]

# Elements that one block of arrangements may have: a few arrays of 8 MB.
BLOCK = 1 << 20


def blocks(count: int, width: int) -> Iterator[int]:
    """Sizes that add up to `count`, each of at most `BLOCK` elements if a row has `width` of them."""
    rows = max(1, BLOCK // max(width, 1))
    while count > 0:
        yield min(rows, count)
        count -= rows


class Draws:
    """A stream of random arrangements; one seed, one stream."""

    __slots__ = ("_bits",)

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def _words(self, count: int) -> HalfWords:
        """uint32[count]."""
        words = self._bits.random_raw((count + 1) // 2).astype("<u8", copy=False)
        return words.view("<u4")[:count].astype(np.uint32, copy=False)

    def coins(self, rows: int, columns: int) -> Bytes:
        """Zeros and ones, each as likely; uint8[rows, columns]."""
        words = -(-columns // 32)
        raw = self._words(rows * words).astype("<u4", copy=False).view(np.uint8)
        return np.unpackbits(raw.reshape(rows, words * 4), axis=1, count=columns)

    def picks(self, rows: int, size: int) -> Positions:
        """Positions drawn with replacement from 0…size − 1; int64[rows, size]."""
        # Multiply and shift: each position is off by at most size / 2^32 from being equally likely.
        scaled = self._words(rows * size).astype(np.uint64) * np.uint64(size)
        return (scaled >> np.uint64(32)).astype(np.int64).reshape(rows, size)

    def orders(self, rows: int, columns: int, size: int) -> Positions:
        """An order of 0…size − 1 for each row and column; int64[rows, columns, size]."""
        # A random key with its position in the low bits is sorted faster than by argsort, and without chance ties.
        low = max(size - 1, 1).bit_length()
        if low <= 8:
            keys = self._words(rows * columns * size).reshape(rows, columns, size)
            mask = np.uint32((1 << low) - 1)
            keys = (keys & ~mask) | np.arange(size, dtype=np.uint32)
            keys.sort(axis=-1)
            return (keys & mask).astype(np.int64)
        long = self._bits.random_raw(rows * columns * size).reshape(rows, columns, size)
        return np.argsort(long, axis=-1, kind="stable").astype(np.int64, copy=False)
