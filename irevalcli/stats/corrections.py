"""Corrections of p-values for the number of tests."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

CorrectionName = Literal["holm", "bonferroni", "bh", "none"]

CORRECTIONS: dict[CorrectionName, str] = {
    "holm": "family-wise error rate",
    "bonferroni": "family-wise error rate",
    "bh": "false discovery rate",
    "none": "error rate of each test alone",
}


class Correction(NamedTuple):
    """Corrected p-values.

    Attributes:
        name: of the correction.
        controls: the error rate that is kept if corrected values are held against alpha.
        family: number of tests in the family: the p-values that are there.
        adjusted: in the order given; None where there was none.
    """

    name: CorrectionName
    controls: str
    family: int
    adjusted: tuple[float | None, ...]


def correct(p_values: Sequence[float | None], name: CorrectionName = "holm") -> Correction:
    """The p-values corrected for there being many.

    None stands for a test that was not made, such as the baseline against itself; it is no member of the family. So a
    missing number never spoils the others. Sources: Holm, Scandinavian Journal of Statistics 1979; Bonferroni 1936;
    Benjamini & Hochberg, JRSS B 1995 (valid for independent or positively dependent tests).

    Raises:
        ValueError: for a p-value that is NaN or outside [0, 1], or an unknown correction.
    """
    if name not in CORRECTIONS:
        raise ValueError(f"unknown correction {name}")
    family = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    size = len(family)
    if any(math.isnan(p) or not 0.0 <= p <= 1.0 for p, _ in family):
        raise ValueError("a p-value must lie between 0 and 1")
    adjusted: list[float | None] = [None] * len(p_values)
    if name == "bh":
        least = 1.0
        for rank in range(size, 0, -1):
            p, place = family[rank - 1]
            # Divided first, so that the factor of the last is exactly 1.
            least = min(least, p * (size / rank))
            adjusted[place] = least
    else:
        most = 0.0
        for rank, (p, place) in enumerate(family):
            factor = {"holm": size - rank, "bonferroni": size, "none": 1}[name]
            most = max(most, min(p * factor, 1.0))
            adjusted[place] = most
    return Correction(name, CORRECTIONS[name], size, tuple(adjusted))
