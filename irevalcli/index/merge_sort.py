"""The merge sort of the C library that trec_eval uses, and the order that it gives to scores that are no numbers.

trec_eval's comparison of rows calls NaN equal to everything and then compares docids, which is not transitive, so the
result shows the algorithm: a stable top-down merge sort over the rows in ascending docid order. Only the drop-in meets
NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.reading.arrays import Bytes, Floats, Positions
    from irevalcli.reading.tokens import Fields

T = TypeVar("T")
Row = tuple[float, bytes, int]


def nan_order(
    data: Bytes, docids: Fields, scores: Floats, begin: int, end: int, *, docid_descending: bool = True
) -> Positions:
    """Positions (from 0) of the rows `begin:end` in ranking order."""
    names = token_list(data, docids.start[begin:end], docids.end[begin:end])
    rows = sorted(zip(scores[begin:end].tolist(), names, range(end - begin), strict=True), key=lambda row: row[1])
    goes_first = _docids_descend if docid_descending else _docids_ascend
    return np.array([index for _, _, index in merge_sorted(rows, goes_first)], np.int64)


def _docids_descend(one: Row, other: Row) -> bool:
    return one[0] > other[0] or (not one[0] < other[0] and one[1] >= other[1])


def _docids_ascend(one: Row, other: Row) -> bool:
    return one[0] > other[0] or (not one[0] < other[0] and one[1] <= other[1])


def merge_sorted(rows: list[T], goes_first: Callable[[T, T], bool]) -> list[T]:
    """The rows in the order that a top-down merge sort leaves them in, also by a comparison that is not transitive.

    Args:
        rows: in the order that they are sorted from.
        goes_first: whether its first argument, from the left half, is taken before the second one, from the right.
    """
    if len(rows) <= 1:
        return rows
    half = len(rows) // 2
    left, right = merge_sorted(rows[:half], goes_first), merge_sorted(rows[half:], goes_first)
    merged: list[T] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if goes_first(left[i], right[j]):
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]
