"""Arithmetic that comes out to the last bit as in a C loop: libm logarithms, running sums in order, guarded division."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats, Positions

_LOG2: list[Floats] = [np.array([0.0, 0.0])]


def log2_table(largest: int) -> Floats:
    """log2 of 0…`largest` by index (0 for 0 and 1); numpy's own differs from libm in the last bit."""
    table = _LOG2[0]
    if table.size <= largest:
        grown = max(largest + 1, 2 * table.size)
        table = np.concatenate([table, [math.log2(i) for i in range(table.size, grown)]])
        _LOG2[0] = table
    return table


def ratio(numerator: Floats | Positions, denominator: Floats | Positions) -> Floats:
    """Elementwise quotient, 0 where the denominator is 0."""
    safe = np.where(denominator == 0, 1, denominator)
    quotient: Floats = np.where(denominator == 0, 0.0, numerator / safe)
    return quotient


def running_sums(values: Floats, offsets: Positions) -> Floats:
    """Running sums of `values` inside each stretch ``offsets[i]:offsets[i+1]``, added one after the other.

    Differences of one running sum over everything would round otherwise; so stretches are laid out as rows of a matrix, those of
    similar length together.
    """
    sums = np.empty(values.size)
    lengths = np.diff(offsets)
    chosen = np.flatnonzero(lengths > 0)
    chosen = chosen[np.argsort(lengths[chosen], kind="stable")]
    first = 0
    while first < chosen.size:
        shortest = int(lengths[chosen[first]])
        last = int(np.searchsorted(lengths[chosen], 2 * shortest, "right"))
        rows = chosen[first:last]
        width = int(lengths[rows[-1]])
        place = offsets[rows][:, np.newaxis] + np.arange(width)
        inside = np.arange(width) < lengths[rows][:, np.newaxis]
        matrix = np.zeros(inside.shape)
        matrix[inside] = values[place[inside]]
        sums[place[inside]] = np.add.accumulate(matrix, axis=1)[inside]
        first = last
    return sums
