"""Whether a difference between two systems differs between classes of queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.sample import TOLERANCE, checked, mean, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.stats.sample import Values


class Interaction(NamedTuple):
    """The interaction of system and class for two systems.

    Attributes:
        classes: number of classes.
        queries: number of queries that have a class.
        f: mean square between classes over the one within, or None without spread within or fewer than two classes.
        df_between: classes − 1.
        df_within: queries − classes.
        p: P(F > f), or None.
    """

    classes: int
    queries: int
    f: float | None
    df_between: int
    df_within: int
    p: float | None


def interaction(differences: Values, classes: Sequence[str], tolerance: float = TOLERANCE) -> Interaction:
    """The analysis of variance of paired differences by the class of their query.

    For two systems this is the interaction of the mixed design, queries nested in classes and crossed with systems.
    Source: Winer, Statistical Principles in Experimental Design, 1971, §7.

    Raises:
        ValueError: for values that are not finite, or another number of classes than of values.
    """
    row = checked(differences)
    if len(classes) != row.size:
        raise ValueError(f"{row.size} differences and {len(classes)} classes")
    names = np.array(classes)
    members = [row[names == name] for name in dict.fromkeys(classes)]
    df_between, df_within = len(members) - 1, row.size - len(members)
    centre = mean(row)
    between = sum(part.size * (mean(part) - centre) ** 2 for part in members)
    within = sum(total((part - mean(part)) ** 2) for part in members)
    if df_between < 1 or df_within < 1 or within <= tolerance * tolerance * df_within:
        return Interaction(len(members), row.size, None, df_between, df_within, None)
    f = (between / df_between) / (within / df_within)
    return Interaction(
        len(members), row.size, f, df_between, df_within, distributions.f_above(f, df_between, df_within)
    )
