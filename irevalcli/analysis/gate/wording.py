"""Numbers in the words of a verdict: with as many digits as it takes to agree with the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

DIGITS = 4
"""Decimals of a number, unless rounding would hide why a rule holds or does not."""

_MOST_DIGITS = 17


def plain(value: float, digits: int = DIGITS) -> str:
    """The number with so many decimals; never a negative zero."""
    return f"{value:z.{digits}f}"


def signed(value: float, digits: int = DIGITS) -> str:
    """The same with its sign; none on what rounds to zero."""
    text = plain(abs(value), digits)
    if not text.strip("0."):
        return text
    return f"{'−' if value < 0 else '+'}{text}"


def in_brief(value: float) -> str:
    """The number in three digits, or in as few as it needs."""
    return f"{value:.3g}"


def telling(value: float, holds: Callable[[float], bool]) -> int:
    """The fewest decimals, `DIGITS` at least, with which the rounded value answers `holds` as the value does."""
    wanted = holds(value)
    for digits in range(DIGITS, _MOST_DIGITS):
        if holds(float(f"{value:.{digits}f}")) == wanted:
            return digits
    return _MOST_DIGITS


def id_text(qid: bytes) -> str:
    """An id as text; the renderers spell out what is not for eyes."""
    return qid.decode("utf-8", "surrogateescape")
