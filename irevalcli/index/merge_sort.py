"""The order that trec_eval gives to rows of which some have no number as score.

Its comparison calls NaN equal to everything and then compares docids, which is not transitive, so the result shows the
algorithm: a stable top-down merge sort over the rows in ascending docid order. Only the drop-in meets NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Floats, Positions
    from irevalcli.reading.tokens import Fields

Row = tuple[float, bytes, int]


def nan_order(
    data: Bytes, docids: Fields, scores: Floats, begin: int, end: int, *, docid_descending: bool = True
) -> Positions:
    """Positions (from 0) of the rows `begin:end` in ranking order."""
    names = token_list(data, docids.start[begin:end], docids.end[begin:end])
    rows = sorted(zip(scores[begin:end].tolist(), names, range(end - begin), strict=True), key=lambda row: row[1])
    return np.array([index for _, _, index in _merge_sorted(rows, docid_descending)], np.int64)


def _comes_first(one: Row, other: Row, docid_descending: bool) -> bool:
    if one[0] > other[0]:
        return True
    if one[0] < other[0]:
        return False
    return one[1] >= other[1] if docid_descending else one[1] <= other[1]


def _merge_sorted(rows: list[Row], docid_descending: bool) -> list[Row]:
    if len(rows) <= 1:
        return rows
    half = len(rows) // 2
    left = _merge_sorted(rows[:half], docid_descending)
    right = _merge_sorted(rows[half:], docid_descending)
    merged: list[Row] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if _comes_first(left[i], right[j], docid_descending):
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]
