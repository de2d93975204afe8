"""The words, signs, numbers and bars that every form of a difference shares."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from irevalcli.analysis.diff import Change
    from irevalcli.output.registry import Layout

# Blue and orange can be told apart by people who cannot tell red from green.
BETTER, WORSE = "\x1b[38;5;33m", "\x1b[38;5;208m"

LONGEST_HALF, SHORTEST_HALF = 16, 8
"""How many columns a bar has at either side of the middle, at most and at least."""


class Signs(NamedTuple):
    """What stands for what, as far as the terminal can show it."""

    minus: str
    delta: str
    arrow: str
    dot: str
    none: str
    dots: str
    up: str
    down: str
    equal: str
    full: str
    half_left: str
    half_right: str
    middle: str
    line: str
    cross: str
    ends: tuple[str, str]
    tau: str

    @classmethod
    def of(cls, *, unicode: bool) -> Signs:
        """The signs of a terminal that shows more than ASCII, or of one that does not."""
        if unicode:
            return cls(
                "−", "Δ", "→", "·", "–", "…", "▲", "▼", "=", "█", "▐", "▌", "│", "─", "┼", ("◂", "▸"), "τ_AP"
            )  # fmt: skip
        return cls(
            "-", "diff", "->", "-", "-", "...", "^", "v", "=", "#", "#", "#", "|", "-", "+", ("<", ">"), "tau_AP"
        )


def words_of(change: Change) -> tuple[str, str]:
    """What a verdict of 1 and one of -1 are called."""
    return ("higher", "lower") if change.higher_is_better is None else ("better", "worse")


def verdict_word(change: Change, verdict: int) -> str:
    """``better``, ``same``, ``worse``, or ``higher`` and ``lower`` if neither direction is better."""
    up, down = words_of(change)
    return up if verdict > 0 else down if verdict < 0 else "same"


def value_text(value: float, layout: Layout, *, whole: bool) -> str:
    """A value of a measure; one of a count without decimals."""
    return f"{value + 0.0:.0f}" if whole and value.is_integer() else real_form(layout.digits)(value)


def signed(value: float, layout: Layout, signs: Signs, *, whole: bool = False) -> str:
    """A change with its sign. One that rounding would hide is shown by its size; 0 has no sign."""
    if not math.isfinite(value):
        return signs.none
    text = value_text(abs(value), layout, whole=whole)
    if value and not any(digit in text for digit in "123456789"):
        text = f"{abs(value):.0e}"
    sign = "+" if value > 0 else signs.minus if value < 0 else ""
    return sign + text


def bar(improvement: float, largest: float, half: int, signs: Signs) -> str:
    """A bar from the middle to the right if `improvement` is positive, else to the left; in steps of half a column."""
    steps = 0
    if improvement and largest:
        steps = max(round(2 * half * abs(improvement) / largest), 1)
    whole, rest = divmod(steps, 2)
    if improvement < 0:
        return (signs.half_left * rest + signs.full * whole).rjust(half) + signs.middle + " " * half
    return " " * half + signs.middle + (signs.full * whole + signs.half_right * rest).ljust(half)


def bar_heading(words: tuple[str, str], half: int, signs: Signs) -> str:
    """What the directions of bars mean; as wide as they are."""
    up, down = words
    left, right = f"{down} {signs.ends[0]}", f"{signs.ends[1]} {up}"
    return left.ljust(half, signs.line) + signs.cross + right.rjust(half, signs.line)
