"""Strict JSON: numbers in full, and null for what is no finite number."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from irevalcli.output.shown import is_whole

if TYPE_CHECKING:
    from irevalcli.analysis.scores import Column

    Scalar = int | float | str | None


written = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
"""Writes a value on one line; a ValueError if it holds a NaN or an infinity."""


def query_values(column: Column) -> list[Scalar]:
    """The value of every query: int, float or str, or None for what is no finite number."""
    if isinstance(column.values, list):
        return list(column.values)
    whole = column.spec.measure.integer
    return [number(value, whole=whole) for value in column.values.tolist()]


def aggregate_value(column: Column) -> Scalar:
    """The aggregate, or None if the measure has none."""
    return None if column.aggregate is None else number(column.aggregate, whole=is_whole(column))


def number(value: float, *, whole: bool = False) -> int | float | None:
    """The number as JSON can hold it, or None if it is not finite; never a negative zero."""
    if not math.isfinite(value):
        return None
    # Adding zero turns a negative zero into a positive one and changes nothing else.
    return int(value) if whole else value + 0.0
