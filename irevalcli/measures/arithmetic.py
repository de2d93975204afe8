"""Arithmetic that comes out to the last bit as in a C loop: libm logarithms, sums in order, guarded division."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from irevalcli.reading.arrays import Floats, Positions

    Numbers = NDArray[np.number[Any]]

_LOG2: list[Floats] = [np.array([0.0, 0.0])]


def log2_table(largest: int) -> Floats:
    """log2 of 0…`largest` by index (0 for 0 and 1); numpy's own differs from libm in the last bit."""
    table = _LOG2[0]
    if table.size <= largest:
        grown = max(largest + 1, 2 * table.size)
        table = np.concatenate([table, [math.log2(i) for i in range(table.size, grown)]])
        _LOG2[0] = table
    return table


def sums(query: Positions, terms: Numbers, num_queries: int) -> Floats:
    """Per query, the sum of its terms, added one after the other in the order of the arrays."""
    # Of no terms at all bincount makes integers, whatever their type.
    return np.bincount(query, terms, num_queries).astype(np.float64, copy=False)


def ratio(numerator: Numbers, denominator: Numbers) -> Floats:
    """Elementwise quotient, 0 where the denominator is 0."""
    safe = np.where(denominator == 0, 1, denominator)
    divided: Floats = np.where(denominator == 0, 0.0, np.divide(numerator, safe))
    return divided


def quotient(numerator: Numbers, denominator: Numbers) -> Floats:
    """Elementwise quotient, 0 where the numerator is 0; infinite where only the denominator is, as in C."""
    with np.errstate(divide="ignore"):
        divided: Floats = np.divide(numerator, np.where(numerator == 0, 1, denominator))
    return divided


def log_each(values: Floats) -> Floats:
    """The natural logarithm of every value by libm, NaN for values that are not positive."""
    return np.array([math.log(value) if value > 0 else math.nan for value in values.tolist()])


def whole_numbers(values: Numbers) -> Positions:
    """The values without their fractions; -2^63 where that is beyond int64, which is what a C cast gives on x86-64."""
    lowest = -(2.0**63)
    whole: Positions = np.where(np.abs(values) < -lowest, values, lowest).astype(np.int64)
    return whole


def powers(base: float, count: int) -> Floats:
    """base^0, base^1, … by repeated multiplication; float64[count], at least one."""
    factors = np.full(max(count, 1), base)
    factors[0] = 1.0
    return np.multiply.accumulate(factors)


def running_sums(values: Floats, offsets: Positions) -> Floats:
    """Running sums of `values` inside each stretch ``offsets[i]:offsets[i+1]``, added one after the other."""
    return _running(np.add, values, offsets)


def running_products(values: Floats, offsets: Positions) -> Floats:
    """Running products of `values` inside each stretch ``offsets[i]:offsets[i+1]``."""
    return _running(np.multiply, values, offsets)


def _running(operation: np.ufunc, values: Floats, offsets: Positions) -> Floats:
    """What `operation` has made of the values of each stretch so far.

    Differences of one running sum over everything would round otherwise; so stretches are laid out as rows of a matrix,
    those of similar length together.
    """
    results = np.empty(values.size)
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
        results[place[inside]] = operation.accumulate(matrix, axis=1)[inside]
        first = last
    return results
