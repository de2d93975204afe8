"""Two systems on the same queries: t, Wilcoxon and sign test, interval, effect size, win / tie / loss.

Everything here takes the differences system − baseline, one per query (`sample.paired` makes them).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.results import Caveat, Interval, Outcome
from irevalcli.stats.sample import (
    TOLERANCE,
    caveats_of,
    check_share,
    checked,
    deviation,
    few_queries,
    interval_caveats,
    mean,
    spread_of,
)

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.results import Alternative, Method
    from irevalcli.stats.sample import Values

# Wilcoxon's distribution is counted out up to here, as in scipy and R, and taken as normal beyond.
EXACT_RANKS = 50


class WinTieLoss(NamedTuple):
    """Numbers of queries on which the system is better, equal within the tolerance, and worse."""

    win: int
    tie: int
    loss: int


def win_tie_loss(differences: Values, tolerance: float = TOLERANCE) -> WinTieLoss:
    """How many differences are above, within and below ± `tolerance`."""
    row = checked(differences)
    win, loss = int((row > tolerance).sum()), int((row < -tolerance).sum())
    return WinTieLoss(win, row.size - win - loss, loss)


def effect_size(differences: Values, tolerance: float = TOLERANCE) -> float | None:
    """d_z, the mean difference in standard deviations of the differences; 0 for identical systems.

    None where the differences don't vary. Source: Cohen, Statistical Power Analysis, 1988, §2.3.5.
    """
    row = checked(differences)
    spread = spread_of(row, tolerance)
    if spread == "identical":
        return 0.0
    return mean(row) / deviation(row) if spread == "varied" else None


def t_interval(values: Values, confidence: float = 0.95, tolerance: float = TOLERANCE) -> Interval:
    """Student's interval of the mean: of differences, or of one system's values.

    Without spread it is the mean alone (a caveat says so); a single value has no ends.
    """
    check_share(confidence, "confidence")
    row = checked(values)
    centre = mean(row)
    low: float | None = None
    high: float | None = None
    if row.size > 1 and float(np.ptp(row)) > tolerance:
        half = distributions.t_quantile((1 + confidence) / 2, row.size - 1) * deviation(row) / math.sqrt(row.size)
        low, high = centre - half, centre + half
    elif row.size > 1:
        low = high = centre
    caveats = interval_caveats(row, tolerance, normal=True)
    return Interval(centre, low, high, confidence, "t", row.size, None, None, caveats)


def t_test(differences: Values, alternative: Alternative = "two-sided", tolerance: float = TOLERANCE) -> Outcome:
    """The paired t-test (Student, Biometrika 1908).

    Identical systems give p = 1. One query, or differences without spread, give no p: scipy's 0 or NaN would be read
    as certainty.
    """
    row = checked(differences)
    spread = spread_of(row, tolerance)
    statistic: float | None = None
    p: float | None = None
    if spread == "varied":
        statistic = mean(row) / (deviation(row) / math.sqrt(row.size))
        p = _p_of_t(statistic, row.size - 1, alternative)
    elif spread == "identical":
        statistic, p = 0.0, 1.0
    return Outcome(
        test="t",
        alternative=alternative,
        queries=row.size,
        used=row.size,
        estimate=mean(row) if spread != "identical" else 0.0,
        statistic=statistic,
        statistic_name="t",
        df=row.size - 1,
        p=p,
        method="formula",
        resamples=None,
        seed=None,
        identical=spread == "identical",
        caveats=caveats_of(row, spread, normal=True),
    )


def _p_of_t(t: float, df: int, alternative: Alternative) -> float:
    """The p-value of a t."""
    if alternative == "two-sided":
        return min(2 * distributions.t_above(abs(t), df), 1.0)
    return distributions.t_above(t if alternative == "greater" else -t, df)


def sign_test(differences: Values, alternative: Alternative = "two-sided", tolerance: float = TOLERANCE) -> Outcome:
    """The sign test: wins against losses as tosses of a fair coin; ties within the tolerance are left out."""
    row = checked(differences)
    win, tie, loss = win_tie_loss(row, tolerance)
    used = win + loss
    at_most, at_least = distributions.coin_at_most(win, used), distributions.coin_at_most(loss, used)
    return Outcome(
        test="sign",
        alternative=alternative,
        queries=row.size,
        used=used,
        estimate=mean(row) if used else 0.0,
        statistic=float(win),
        statistic_name="wins",
        df=None,
        p=_p_of_tails(at_most, at_least, alternative) if used else 1.0,
        method="exact",
        resamples=None,
        seed=None,
        identical=used == 0,
        caveats=_caveats_of_signs(row, used, tie, exact=True),
    )


def wilcoxon_test(differences: Values, alternative: Alternative = "two-sided", tolerance: float = TOLERANCE) -> Outcome:
    """Wilcoxon's signed-rank test (Biometrics 1945); the statistic is W⁺, the sum of the ranks of the wins.

    Differences within the tolerance are left out, sizes within it share their mean rank. Up to 50 used queries the
    distribution given the ties is counted out; beyond it is taken as normal, its variance corrected for ties.
    """
    row = checked(differences)
    varied = row[np.abs(row) > tolerance]
    method: Method = "exact" if varied.size <= EXACT_RANKS else "normal-approximation"
    doubled, tie_term = _doubled_midranks(np.abs(varied), tolerance)
    observed = int(doubled[varied > 0].sum())
    if varied.size == 0:
        p = 1.0
    elif method == "exact":
        at_most, at_least = _exact_tails(doubled, observed)
        p = _p_of_tails(at_most, at_least, alternative)
    else:
        p = _normal_p(observed / 2, varied.size, tie_term, alternative)
    return Outcome(
        test="wilcoxon",
        alternative=alternative,
        queries=row.size,
        used=varied.size,
        estimate=mean(row) if varied.size else 0.0,
        statistic=observed / 2,
        statistic_name="W+",
        df=None,
        p=p,
        method=method,
        resamples=None,
        seed=None,
        identical=varied.size == 0,
        caveats=_caveats_of_signs(row, varied.size, row.size - varied.size, exact=method == "exact"),
    )


def _doubled_midranks(sizes: Floats, tolerance: float) -> tuple[Floats, float]:
    """Twice the mean rank of every size, a whole number; and Σ (t³ − t) over the groups of t equal sizes."""
    order = np.argsort(sizes, kind="stable")
    starts = np.flatnonzero(np.diff(sizes[order], prepend=-np.inf) > tolerance)
    lengths = np.diff(starts, append=sizes.size)
    doubled = np.empty(sizes.size)
    doubled[order] = np.repeat(2 * starts + lengths + 1, lengths)
    return doubled, float((lengths**3 - lengths).sum())


def _exact_tails(doubled: Floats, observed: int) -> tuple[float, float]:
    """P(sum ≤ observed) and P(sum ≥ observed) if each doubled rank counts with probability ½."""
    ranks = doubled.astype(np.int64).tolist()
    # Multiples of 2^-50 at most, so no sum of them is rounded.
    chance = np.zeros(sum(ranks) + 1)
    chance[0] = 1.0
    for rank in ranks:
        shifted = np.zeros_like(chance)
        shifted[rank:] = chance[: chance.size - rank]
        chance = (chance + shifted) / 2
    return float(chance[: observed + 1].sum()), float(chance[observed:].sum())


def _normal_p(statistic: float, n: int, tie_term: float, alternative: Alternative) -> float:
    """The p-value of W⁺ by its mean and variance, without continuity correction as in scipy."""
    variance = n * (n + 1) * (2 * n + 1) / 24 - tie_term / 48
    z = (statistic - n * (n + 1) / 4) / math.sqrt(variance)
    if alternative == "two-sided":
        return 2 * distributions.normal_below(-abs(z))
    return distributions.normal_below(-z if alternative == "greater" else z)


def _p_of_tails(at_most: float, at_least: float, alternative: Alternative) -> float:
    """The p-value from both tails: twice the smaller for a two-sided alternative."""
    if alternative == "two-sided":
        return min(2 * min(at_most, at_least), 1.0)
    return at_least if alternative == "greater" else at_most


def _caveats_of_signs(row: Floats, used: int, ties: int, *, exact: bool) -> tuple[Caveat, ...]:
    """What is worth knowing about a test that leaves zeros out."""
    if used == 0:
        return caveats_of(row, "identical")
    found = list(few_queries(row.size))
    if ties:
        found.append(Caveat("zeros-left-out", f"{ties} of {row.size} queries are ties and left out"))
    if 2.0 ** (1 - used) > 0.05:
        found.append(Caveat("smallest-p", f"with {used} unequal queries no two-sided p is below {2.0 ** (1 - used):g}"))
    if not exact:
        found.append(
            Caveat("approximate", f"p by a normal approximation, {used} queries being more than {EXACT_RANKS}")
        )
    return tuple(found)
