"""Bootstrap over queries: intervals of a mean, and the p-value at which the interval just reaches 0.

The values may be one system's (an interval of its mean) or differences of two (an interval and a test).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.draws import Draws, blocks
from irevalcli.stats.results import DEFAULT_RESAMPLES, DEFAULT_SEED, ENOUGH_QUERIES, Caveat, Interval, Outcome
from irevalcli.stats.sample import (
    TOLERANCE,
    caveats_of,
    check_resamples,
    check_share,
    checked,
    deviation,
    interval_caveats,
    mean,
    spread_of,
)

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.sample import Values

Kind = Literal["bca", "studentised"]

# Means of resamples that differ by less than this share of the largest value are the same mean.
_ROUNDING = 1e-12


class Bootstrap(NamedTuple):
    """An interval of the mean, and the two-sided test of a mean of 0 that inverts it, from the same resamples."""

    interval: Interval
    outcome: Outcome


class _Found(NamedTuple):
    """Ends of the interval (infinite where there is none), p, the statistic and its name."""

    low: float
    high: float
    p: float
    statistic: float
    statistic_name: str


def bootstrap(
    values: Values,
    kind: Kind = "bca",
    *,
    confidence: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    tolerance: float = TOLERANCE,
) -> Bootstrap:
    """The bootstrap of the mean of one value per query; queries are drawn with replacement.

    ``bca`` corrects percentiles for bias and acceleration (Efron, JASA 1987) and stays within the range of the values;
    ``studentised`` takes quantiles of t* (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, §12.5; for
    retrieval Sakai, SIGIR 2006). p is 1 − the highest confidence whose interval leaves 0 out, and never below
    1 / (resamples + 1). Values that are all equal have no test unless they are 0, which is ``identical``.

    Args:
        values: one per query; differences if the test is wanted.
        kind: how the resamples are read.
        confidence: of the interval.
        resamples: number of resamples.
        seed: of the resamples.
        tolerance: values up to it are 0, and values as close as it are equal.

    Raises:
        ValueError: for values that are not finite, a confidence outside (0, 1), or no resamples.
    """
    check_share(confidence, "confidence")
    check_resamples(resamples)
    row = checked(values)
    spread = spread_of(row, tolerance)
    centre = 0.0 if spread == "identical" else mean(row)
    found: _Found | None = None
    if spread != "identical" and row.size > 1 and float(np.ptp(row)) > tolerance:
        draw = _bca if kind == "bca" else _studentised
        found = draw(row, confidence, resamples, seed)
    low: float | None
    high: float | None
    of_interval: tuple[Caveat, ...] = ()
    of_test: tuple[Caveat, ...] = ()
    if found is not None:
        low = found.low if math.isfinite(found.low) else None
        high = found.high if math.isfinite(found.high) else None
        if low is None or high is None:
            of_interval = (
                Caveat("unbounded", "too many resamples hold one value only for the interval to be bounded"),
            )
        if row.size < ENOUGH_QUERIES:
            of_test = (Caveat("small-bootstrap", "with so few queries the bootstrap's p is usually too small"),)
        if found.p <= 2.5 / (resamples + 1):
            of_test += (Caveat("resolution", f"hardly a resample reached 0: p is at most about {3 / resamples:.2g}"),)
    else:
        low = high = None if row.size == 1 else centre
    p = found.p if found else None
    identical = spread == "identical"
    outcome = Outcome(
        test=f"bootstrap-{kind}",
        alternative="two-sided",
        queries=row.size,
        used=row.size,
        estimate=centre,
        statistic=0.0 if identical else found.statistic if found else None,
        statistic_name=found.statistic_name if found else "mean difference" if kind == "bca" else "t",
        df=None,
        p=1.0 if identical else p,
        method="sampled",
        resamples=resamples,
        seed=seed,
        identical=identical,
        caveats=(*caveats_of(row, spread), *of_test),
    )
    caveats = (*interval_caveats(row, tolerance), *of_interval)
    return Bootstrap(Interval(centre, low, high, confidence, kind, row.size, resamples, seed, caveats), outcome)


def _resampled(row: Floats, resamples: int, seed: int, *, errors: bool) -> tuple[Floats, Floats]:
    """Means of resamples, and (with `errors`) their standard errors; float64[resamples] each."""
    draws = Draws(seed)
    means, deviations = [], []
    for size in blocks(resamples, row.size):
        picked = row[draws.picks(size, row.size)]
        means.append(picked.mean(axis=1))
        if errors:
            deviations.append(picked.std(axis=1, ddof=1) / math.sqrt(row.size))
    return np.concatenate(means), np.concatenate(deviations) if errors else np.empty(0)


def _share_below(sorted_means: Floats, value: float, slack: float) -> float:
    """Share of the means below `value`, equal ones counted half, kept away from 0 and 1 by one resample."""
    below = int(np.searchsorted(sorted_means, value - slack, "left"))
    up_to = int(np.searchsorted(sorted_means, value + slack, "right"))
    count = sorted_means.size
    return min(max((below + up_to) / (2 * count), 1 / (count + 1)), count / (count + 1))


def _bca(row: Floats, confidence: float, resamples: int, seed: int) -> _Found:
    """Bias-corrected and accelerated."""
    means, _ = _resampled(row, resamples, seed, errors=False)
    means.sort()
    centre, slack = mean(row), _ROUNDING * float(np.abs(row).max())
    bias = distributions.normal_quantile(_share_below(means, centre, slack))
    centred = row - centre
    # Leaving value i out moves the mean by −centred / (n − 1), so the jackknife's skewness is that of the values.
    acceleration = float((centred**3).sum()) / (6 * float((centred**2).sum()) ** 1.5)

    def corrected(z: float) -> float:
        shifted = bias + z
        stretch = 1 - acceleration * shifted
        # Beyond the pole of the correction there is nothing but the last resample.
        return distributions.normal_below(bias + shifted / stretch if stretch > 0 else math.copysign(math.inf, shifted))

    tail = distributions.normal_quantile((1 + confidence) / 2)
    low, high = np.quantile(means, [corrected(-tail), corrected(tail)]).tolist()
    reach = distributions.normal_quantile(_share_below(means, 0.0, slack)) - bias
    stretch = 1 + acceleration * reach
    z = reach / stretch - bias if stretch > 0 else math.copysign(math.inf, reach)
    p = max(2 * distributions.normal_below(-abs(z)), 1 / (resamples + 1))
    return _Found(low, high, min(p, 1.0), centre, "mean difference")


def _studentised(row: Floats, confidence: float, resamples: int, seed: int) -> _Found:
    """Quantiles of t* = (mean* − mean) / error*; a resample of one value alone lies infinitely far out."""
    means, errors = _resampled(row, resamples, seed, errors=True)
    centre, error = mean(row), deviation(row) / math.sqrt(row.size)
    slack = _ROUNDING * float(np.abs(row).max())
    flat = errors <= slack
    t = np.where(flat, np.copysign(np.inf, means - centre), (means - centre) / np.where(flat, 1.0, errors))
    t[flat & (np.abs(means - centre) <= slack)] = 0.0
    t.sort()
    cut = max(math.floor((resamples + 1) * (1 - confidence) / 2), 1)
    low, high = centre - float(t[-cut]) * error, centre - float(t[cut - 1]) * error
    observed = centre / error
    at_least = resamples - int(np.searchsorted(t, observed - _ROUNDING * abs(observed), "left"))
    at_most = int(np.searchsorted(t, observed + _ROUNDING * abs(observed), "right"))
    p = min(2 * (min(at_least, at_most) + 1) / (resamples + 1), 1.0)
    return _Found(low, high, p, observed, "t")
