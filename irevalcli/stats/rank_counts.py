"""Ranks with ties, and how many earlier items are smaller: what rank correlations count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats, Positions


def ascending_ranks(values: Floats, tolerance: float = 0.0) -> Positions:
    """The number of the tie group of each value, 0 for the smallest; neighbours within `tolerance` are tied."""
    order = np.argsort(values, kind="stable")
    new = np.diff(values[order], prepend=values[order[:1]]) > tolerance
    ranks = np.empty(values.size, dtype=np.int64)
    ranks[order] = np.cumsum(new)
    return ranks


def mid_ranks(values: Floats, tolerance: float = 0.0) -> Floats:
    """The mean rank of each value, 1 for the smallest; tied values share theirs."""
    groups = ascending_ranks(values, tolerance)
    sizes = np.bincount(groups)
    middles = np.cumsum(sizes) - (sizes - 1) / 2
    return middles[groups]


def tied_pairs(groups: Positions) -> int:
    """The number of pairs with equal group numbers."""
    sizes = np.bincount(groups)
    return int((sizes * (sizes - 1) // 2).sum())


def smaller_before(keys: Positions) -> Positions:
    """For each position, how many earlier positions have a smaller key; keys are not negative.

    Bit by bit from the highest: of two keys that agree above a bit, the one with 0 there is smaller. That is n log² n
    steps, all in numpy, where a loop over pairs takes n².
    """
    counts = np.zeros(keys.size, dtype=np.int64)
    order = np.arange(keys.size)
    for bit in range(int(keys.max(initial=0)).bit_length() - 1, -1, -1):
        # Positions with the same higher bits lie together, in their first order.
        prefix = keys[order] >> (bit + 1)
        zero = (keys[order] >> bit) & 1 == 0
        seen = np.cumsum(zero)
        starts = np.flatnonzero(np.diff(prefix, prepend=-1))
        before_group = np.repeat(seen[starts] - zero[starts], np.diff(starts, append=keys.size))
        counts[order] += np.where(zero, 0, seen - before_group)
        order = order[np.argsort(keys[order] >> bit, kind="stable")]
    return counts


def crossed(first: Positions, second: Positions) -> Positions:
    """Group numbers by which two positions are in one group just if they are in both groupings."""
    numbers: Positions = np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)[1].ravel()
    return numbers


def equal_before(keys: Positions) -> Positions:
    """For each position, how many earlier positions have the same key; keys are not negative."""
    order = np.argsort(keys, kind="stable")
    sizes = np.bincount(keys)
    starts = np.cumsum(sizes) - sizes
    counts = np.empty(keys.size, dtype=np.int64)
    counts[order] = np.arange(keys.size) - starts[keys[order]]
    return counts
