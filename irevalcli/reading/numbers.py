"""Tokens as numbers: whole columns at once, and single tokens as native mode and as C read them.

Every decimal is *correctly rounded*: the float64 nearest to what is written, ties to even, as Python's
``float`` and C's ``strtod`` return it. Columns are read eight digits at a time, which gives integers and powers
of ten for `irevalcli.reading.scaling` to multiply. The few tokens that this cannot settle are read one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.scaling import EXACT_MANTISSA, EXACT_POWERS, scaled
from irevalcli.reading.words import HIGH_BYTES, LOW_BYTES, load_words, token_list

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Bytes, Floats, Positions, Words

_PLUS, _MINUS, _POINT = b"+-."

_ZEROS = 0x3030303030303030
_POINTS = 0x2E2E2E2E2E2E2E2E
_LOWER_ES = 0x6565656565656565
_CASE_BITS = 0x2020202020202020
_LOWEST_BITS = 0x0101010101010101
_HIGHEST_BITS = 0x8080808080808080

_INTEGER_POWERS: Words = np.array([10**k for k in range(20)], dtype=np.uint64)

_LONG_MIN, _LONG_MAX = -(1 << 63), (1 << 63) - 1

_DECIMAL = rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_INFINITY = rb"[+-]?[iI][nN][fF](?:[iI][nN][iI][tT][yY])?"
_NOT_A_NUMBER = rb"[+-]?[nN][aA][nN]"
_HEXADECIMAL = rb"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?"


def parse_decimals(data: Bytes, start: Positions, end: Positions) -> tuple[Floats, Bools]:
    """The value of every token that is a decimal number, ``[+-]?(d+(.d*)?|.d+)([eE][+-]?d+)?``.

    Values are bit-equal to Python's ``float``: overflow gives ±inf, underflow ±0 or a subnormal number.

    Args:
        data: the buffer (see `irevalcli.reading.words`).
        start: first byte of each token.
        end: one past the last byte of each token.

    Returns:
        ``(values, odd)``: a float64 a token, and whether the token is no decimal number (infinities, NaNs,
        hexadecimal numbers, underscores, words); the value of an odd token means nothing.
    """
    if not start.size:
        return np.empty(0), np.empty(0, np.bool_)
    values, odd = _alike(data, start, end)
    rows = np.flatnonzero(odd)
    if rows.size == odd.size:
        values, odd = _mixed(data, start, end)
    elif rows.size:
        values[rows], odd[rows] = _mixed(data, start[rows], end[rows])
    rows = np.flatnonzero(odd)
    if rows.size:
        values[rows], odd[rows] = _one_by_one(token_list(data, start[rows], end[rows]))
    return values, odd


def parse_integers(data: Bytes, start: Positions, end: Positions) -> tuple[Positions, Bools]:
    """The value of every token that is an integer of at most 18 digits, ``[+-]?d{1,18}``.

    Args:
        data: the buffer (see `irevalcli.reading.words`).
        start: first byte of each token.
        end: one past the last byte of each token.

    Returns:
        ``(values, odd)``: an int64 a token, and whether it is anything else; the value of an odd token means
        nothing.
    """
    if not start.size:
        return np.empty(0, np.int64), np.empty(0, np.bool_)
    first = data[start]
    if int((end - start).max()) == 1:
        first -= ord("0")
        return first.astype(np.int64), first > 9
    negative = first == _MINUS
    count = end - start
    count -= negative | (first == _PLUS)
    magnitude, odd = _digits(data, end, count)
    odd |= count < 1
    odd |= count > 18
    values = magnitude.view(np.int64)
    return np.where(negative, -values, values), odd


def strict_score(token: bytes) -> float | None:
    """The score that native mode reads: a finite decimal number, or an infinity spelled out; else None."""
    import re  # noqa: PLC0415  (single tokens are read after a fault only)

    if re.fullmatch(_INFINITY, token):
        return float(token)
    return strict_grade(token)


def strict_grade(token: bytes) -> float | None:
    """The grade that native mode reads: a decimal number that does not overflow; else None."""
    import re  # noqa: PLC0415

    if not re.fullmatch(_DECIMAL, token):
        return None
    value = float(token)
    return None if value in (float("inf"), float("-inf")) else value


def strtod_prefix(token: bytes) -> float:
    """What C's ``strtod`` makes of a token without blanks, in the C locale.

    The longest beginning that is a number counts: a decimal or hexadecimal one, ``inf``, ``infinity`` or
    ``nan`` in any case. Without one the value is 0. Overflow gives ±inf; the sign of a NaN means nothing.
    """
    import re  # noqa: PLC0415

    if found := re.match(_HEXADECIMAL, token):
        number = found.group().decode()
        try:
            return float.fromhex(number)
        except OverflowError:
            return float("-inf" if number.startswith("-") else "inf")
    found = re.match(_DECIMAL, token) or re.match(_INFINITY, token) or re.match(_NOT_A_NUMBER, token)
    return float(found.group()) if found else 0.0


def strtol_prefix(token: bytes) -> int:
    """What C's ``strtol`` with base 10 and a 64-bit ``long`` makes of a token without blanks.

    The longest beginning that is an integer counts, else the value is 0; values beyond ±2^63 saturate.
    """
    import re  # noqa: PLC0415

    found = re.match(rb"([+-]?)0*([0-9]*)", token)
    if found is None or not found[2]:
        return 0
    # Python refuses to convert thousands of digits; twenty are enough to saturate.
    value = int(found[1] + found[2][:20])
    return max(_LONG_MIN, min(value, _LONG_MAX))


def _alike(data: Bytes, start: Positions, end: Positions) -> tuple[Floats, Bools]:
    """The values of the tokens that are written like the first one, all others odd.

    Alike are tokens with the same number of decimals, at most 7, no exponent, no plus sign and a mantissa of
    at most 2^53. All are odd if the first one cannot be written like that.
    """
    decimals = data[start[0] : end[0]].tobytes()[::-1].find(b".")
    if decimals >= 8:
        return np.empty(start.size), np.ones(start.size, np.bool_)
    count = end - start
    negative = data[start] == _MINUS
    signed = bool(negative.any())
    if signed:
        count -= negative
    low = load_words(data, end - 8)
    if decimals < 0:
        odd = count < 1
        before = end - 8
    else:
        count -= 1
        odd = (low >> 8 * (7 - decimals)) & 0xFF != _POINT
        odd |= count < max(decimals, 1)
        # The digits on either side of the point are joined to one word without it.
        before = end - 9
        whole = low << 8
        if int(count.max()) >= 8:
            whole |= data[before]
        whole &= LOW_BYTES[8 - decimals]
        low &= HIGH_BYTES[decimals]
        low |= whole
    if int(count.min()) < 0:
        np.maximum(count, 0, out=count)
    mantissa, bad = _joined(data, low, before, count)
    odd |= bad
    odd |= mantissa > EXACT_MANTISSA
    values = mantissa.astype(np.float64)
    if decimals > 0:
        values /= EXACT_POWERS[decimals]
    return np.where(negative, -values, values) if signed else values, odd


def _mixed(data: Bytes, start: Positions, end: Positions) -> tuple[Floats, Bools]:
    """The values of decimals of any kind that have at most 19 digits; some with more, and the others, odd."""
    first = data[start]
    negative = first == _MINUS
    start = start + (negative | (first == _PLUS))
    end, power, odd = _exponents(data, start, end)
    point = _points(data, start, end)
    whole = point - start
    decimals = end - point
    decimals -= 1
    np.maximum(decimals, 0, out=decimals)
    digits = whole + decimals
    odd |= digits == 0
    mantissa, bad = _digits(data, point, whole)
    odd |= bad
    odd |= (mantissa != 0) & (digits > 19)
    fraction, bad = _digits(data, end, decimals)
    odd |= bad
    mantissa *= _INTEGER_POWERS[np.minimum(decimals, 19)]
    mantissa += fraction
    # What is no number must not overflow on the way.
    np.copyto(mantissa, 0, where=odd)
    power -= decimals
    values, bad = scaled(mantissa, power)
    odd |= bad
    return np.where(negative, -values, values), odd


def _one_by_one(tokens: list[bytes]) -> tuple[list[float], list[bool]]:
    """``(values, odd)`` of the tokens, through Python's ``float``."""
    import re  # noqa: PLC0415  (columns without odd tokens do without)

    decimal = re.compile(_DECIMAL).fullmatch
    odd = [not decimal(token) for token in tokens]
    return [0.0 if bad else float(token) for token, bad in zip(tokens, odd, strict=True)], odd


def _exponents(data: Bytes, start: Positions, end: Positions) -> tuple[Positions, Positions, Bools]:
    """Where each mantissa ends, the exponent after it (0 without one), and whether that is no integer.

    An ``e`` further than 8 bytes from the end is not found, and then is a byte of the mantissa but no digit.
    """
    odd = np.zeros(start.size, np.bool_)
    exponent = np.zeros(start.size, np.int64)
    words = load_words(data, end - 8)
    words |= _CASE_BITS
    words ^= _LOWER_ES
    words |= LOW_BYTES[8 - np.minimum(end - start, 8)]
    found = _zero_bytes(words)
    rows = np.flatnonzero(found)
    if rows.size:
        stop = end[rows]
        mark = stop - 8
        mark += _place_of_lowest(found[rows])
        sign = data[mark + 1]
        below = sign == _MINUS
        count = stop - mark
        count -= 1
        count -= below | (sign == _PLUS)
        magnitude, bad = _digits(data, stop, count)
        bad |= count == 0
        odd[rows] = bad
        value = magnitude.view(np.int64)
        exponent[rows] = np.where(below, -value, value)
        end = end.copy()
        end[rows] = mark
    return end, exponent, odd


def _points(data: Bytes, start: Positions, end: Positions) -> Positions:
    """The place of the first decimal point in each token, ``end`` without one in the first 24 bytes."""
    words = load_words(data, start)
    words ^= _POINTS
    point = start + _place_of_lowest(_zero_bytes(words))
    for offset in (8, 16):
        rows = np.flatnonzero((point == start + offset) & (point < end))
        if not rows.size:
            break
        words = load_words(data, point[rows])
        words ^= _POINTS
        point[rows] += _place_of_lowest(_zero_bytes(words))
    late = point == start + 24
    np.copyto(point, end, where=late)
    np.minimum(point, end, out=point)
    return point


def _zero_bytes(words: Words) -> Words:
    """Words whose lowest bit set is the highest bit of the first zero byte, 0 where no byte is zero."""
    found = words - _LOWEST_BITS
    found &= ~words
    found &= _HIGHEST_BITS
    return found


def _place_of_lowest(found: Words) -> Positions:
    """The byte, from 0, that holds the lowest bit set; 8 where none is."""
    below = ~found
    below &= found - 1
    return (np.bitwise_count(below) >> 3).astype(np.int64)


def _digits(data: Bytes, end: Positions, count: Positions) -> tuple[Words, Bools]:
    """The integer that the ``count`` ≥ 0 bytes before ``end`` spell.

    Returns:
        ``(values, bad)``; bad are other bytes than digits, more than 24 of them, and values from 10^19 on.
    """
    before = end - 8
    return _joined(data, load_words(data, before), before, count)


def _joined(data: Bytes, low: Words, before: Positions, count: Positions) -> tuple[Words, Bools]:
    """`_digits`, with the last eight bytes in ``low`` and all earlier ones in front of ``before``."""
    values, bad = _eight_digits(low, np.minimum(count, 8))
    longest = int(count.max(initial=0))
    for done in (8, 16):
        if longest <= done:
            break
        longer = count > done
        rows: slice | Positions = slice(None) if longer.all() else np.flatnonzero(longer)
        part, wrong = _eight_digits(load_words(data, before[rows] - done), np.minimum(count[rows] - done, 8))
        if done == 16:
            wrong |= part > 999
        part *= _INTEGER_POWERS[done]
        values[rows] += part
        bad[rows] |= wrong
    if longest > 24:
        bad |= count > 24
    return values, bad


def _eight_digits(words: Words, count: Positions) -> tuple[Words, Bools]:
    """The integers that the last ``count`` (0 to 8) characters of each word spell, and which are no digits.

    Spoils ``words``. Neighbouring digits are joined to pairs, the pairs to fours, the fours to one number.
    """
    words ^= _ZEROS
    words &= HIGH_BYTES[count]
    spill = words + 0x0606060606060606
    spill |= words
    spill &= 0xF0F0F0F0F0F0F0F0
    bad = spill != 0
    pairs = words * 10
    words >>= 8
    pairs += words
    np.right_shift(pairs, 16, out=words)
    words &= 0x000000FF000000FF
    words *= 0x0000271000000001
    pairs &= 0x000000FF000000FF
    pairs *= 0x000F424000000064
    pairs += words
    pairs >>= 32
    return pairs, bad
