"""Integer times power of ten, correctly rounded to float64, for whole columns.

M·10^k is one division or multiplication where M and 10^|k| are exact doubles (Clinger, PLDI 1990). Else they
are multiplied in twice the precision of a double (Dekker, Numerische Mathematik 1971), and a check shows
whether the rounding can have gone wrong (Ziv, ACM TOMS 1991).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Floats, Positions, Words

EXACT_MANTISSA = 1 << 53
"""All integers up to this one are exact as float64."""

_EXACT_POWER = 22

EXACT_POWERS: Floats = np.array([float(10**k) for k in range(_EXACT_POWER + 1)])
"""The powers of ten, from 10^0, that are exact as float64."""

# Beyond these the error terms of the doubled precision would leave the range of normal float64 numbers.
_LOWEST_POWER, _HIGHEST_POWER = -250, 280


def scaled(mantissa: Words, power: Positions) -> tuple[Floats, Bools]:
    """``mantissa · 10^power`` correctly rounded, and where that could not be told.

    Args:
        mantissa: integers below 10^19.
        power: exponents of ten, of any size.

    Returns:
        ``(values, hard)``; the value of a hard row means nothing. Rows are hard if a factor is not exact, and
        the power is outside -250 to 280 or the product within 2^-98 of the middle between two doubles.
    """
    hard = np.zeros(mantissa.size, np.bool_)
    values = mantissa.astype(np.float64)
    distance = np.abs(power)
    inexact = mantissa > EXACT_MANTISSA
    inexact |= distance > _EXACT_POWER
    np.minimum(distance, _EXACT_POWER, out=distance)
    scale = EXACT_POWERS[distance]
    down = power < 0
    if down.all():
        values /= scale
    else:
        values = np.where(down, values / scale, values * scale)
    rows = np.flatnonzero(inexact)
    if rows.size:
        values[rows], hard[rows] = _scaled_in_doubled_precision(mantissa[rows], power[rows])
    return values, hard


def _scaled_in_doubled_precision(mantissa: Words, power: Positions) -> tuple[Floats, Bools]:
    """``mantissa · 10^power`` through unevaluated sums of two doubles, and where its rounding is in doubt.

    Mantissa and power are each a double plus a correction. ``product + rest`` differs from the exact result
    by less than 2^-101 of it: where 2^-98 more and 2^-98 less round to the same double, that is the result.
    """
    hard = (power < _LOWEST_POWER) | (power > _HIGHEST_POWER)
    place = np.clip(power, _LOWEST_POWER, _HIGHEST_POWER)
    place -= _LOWEST_POWER
    scales, scale_rests = _doubled_powers()
    scale = scales[place]
    value = mantissa.astype(np.float64)
    value_rest = (mantissa - value.astype(np.uint64)).view(np.int64).astype(np.float64)
    product = value * scale
    # The rounding error of the product, exactly (Dekker): both factors split into halves of 26 bits.
    value_high = _upper_half(value)
    scale_high = _upper_half(scale)
    value_low = value - value_high
    scale_low = scale - scale_high
    rest = value_high * scale_high
    rest -= product
    rest += value_high * scale_low
    rest += value_low * scale_high
    value_low *= scale_low
    rest += value_low
    value *= scale_rests[place]
    value_rest *= scale
    value += value_rest
    rest += value
    doubt = product * 2.0**-98
    value = product + (rest - doubt)
    rest += doubt
    product += rest
    hard |= value != product
    return value, hard


def _upper_half(values: Floats) -> Floats:
    """The upper 26 bits of each double (Veltkamp)."""
    upper = values * 134217729.0  # 2^27 + 1
    difference = upper - values
    upper -= difference
    return upper


@cache
def _doubled_powers() -> tuple[Floats, Floats]:
    """The powers of ten from ``_LOWEST_POWER`` on: the nearest doubles, and what these lack."""
    powers, rests = [], []
    for exponent in range(_LOWEST_POWER, _HIGHEST_POWER + 1):
        power = float(f"1e{exponent}")
        above, below = power.as_integer_ratio()
        # Divisions of integers are correctly rounded, however long they are.
        tens = 10 ** abs(exponent)
        rest = tens - above if exponent >= 0 else (below - above * tens) / (below * tens)
        powers.append(power)
        rests.append(float(rest))
    return np.array(powers), np.array(rests)
