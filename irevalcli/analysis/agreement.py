"""How much two rankings of the same things agree, by every statistic at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.stats import rank_correlation as correlation
from irevalcli.stats.rank_counts import ascending_ranks
from irevalcli.stats.rbo import RBO, TiedList, rbo, untied

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Literal

    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.rank_correlation import Correlation

    RboTies = Literal["none", "w", "a", "b"]
    Agreement = dict[str, float | None]

_ORDERS: Mapping[str, Callable[[Floats, Floats], Correlation]] = {
    "tau": correlation.kendall_tau,
    "tau_b": correlation.kendall_tau_b,
    "tau_ap": correlation.tau_ap,
    "tau_ap_b": correlation.tau_ap_b,
    "spearman": correlation.spearman,
    "tau_weighted": correlation.weighted_tau,
}
_OVERLAPS: Mapping[str, Callable[[RBO], float]] = {
    "rbo": lambda found: found.ext,
    "rbo_min": lambda found: found.low,
    "rbo_res": lambda found: found.residual,
}
STATISTICS = ("tau", "tau_b", "tau_ap", "tau_ap_b", "spearman", "pearson", "tau_weighted", *_OVERLAPS)
"""All statistics. `rbo` is the extrapolated one; `rbo_min` and `rbo_res` bound it."""


class Wanted(NamedTuple):
    """What is computed.

    Attributes:
        statistics: names out of `STATISTICS`, in the order of the output.
        p: persistence of RBO.
        ties: how RBO treats ties; ``none`` breaks them as the ranking does.
    """

    statistics: tuple[str, ...]
    p: float = 0.9
    ties: RboTies = "a"

    @property
    def overlaps(self) -> bool:
        """Whether a kind of RBO is among them."""
        return any(name in _OVERLAPS for name in self.statistics)


def agreement(
    scores: tuple[Floats, Floats],
    lists: tuple[TiedList, TiedList],
    wanted: Wanted,
    tolerance: float = 0.0,
) -> Agreement:
    """The statistics by name; None where one is not defined, as for fewer than two things or equal scores.

    Args:
        scores: of the things that both rankings hold, by each; the higher ranks first.
        lists: both whole rankings, for RBO.
        wanted: what is computed.
        tolerance: scores no farther apart are tied.
    """
    found: Agreement = {}
    first, second = (ascending_ranks(values, tolerance).astype(np.float64) for values in scores)
    overlap = None
    if wanted.overlaps:
        left, right = (untied(each.items) for each in lists) if wanted.ties == "none" else lists
        overlap = rbo(left, right, wanted.p, "a" if wanted.ties == "none" else wanted.ties)
    for name in wanted.statistics:
        if name in _OVERLAPS:
            found[name] = None if overlap is None else _OVERLAPS[name](overlap)
        elif first.size < 2:
            found[name] = None
        elif name == "pearson":
            finite = all(np.isfinite(values).all() for values in scores)
            found[name] = correlation.pearson(*scores).value if finite else None
        else:
            found[name] = _ORDERS[name](first, second).value
    return found


def tied_list(scores: Floats, tolerance: float = 0.0) -> TiedList:
    """The ranking of things by their scores, the things numbered from 0; what ties stays in order."""
    groups = ascending_ranks(-scores, tolerance)
    return TiedList(np.argsort(groups, kind="stable"), np.bincount(groups))


def mean_agreement(parts: list[Agreement], wanted: Wanted) -> tuple[Agreement, dict[str, int]]:
    """The mean of each statistic over those parts where it is defined, and how many these are."""
    means: Agreement = {}
    counts: dict[str, int] = {}
    for name in wanted.statistics:
        values = [value for part in parts if (value := part[name]) is not None]
        counts[name] = len(values)
        means[name] = math.fsum(values) / len(values) if values else None
    return means, counts
