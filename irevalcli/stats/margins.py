"""Is a system no worse than the baseline, or equal to it, up to a margin? Differences are system − baseline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.stats import distributions
from irevalcli.stats.sample import TOLERANCE, caveats_of, check_share, checked, deviation, mean, spread_of

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.results import Caveat
    from irevalcli.stats.sample import Spread, Values

Decision = Literal["holds", "fails", "undecided"]


class MarginOutcome(NamedTuple):
    """A claim up to a margin, and whether the queries decide it.

    Attributes:
        test: ``non-inferiority`` (true difference > −margin) or ``equivalence`` (|true difference| < margin).
        margin: in units of the measure.
        alpha: error allowed when the claim is accepted.
        queries: number of paired queries.
        estimate: the mean difference.
        deviation: sample standard deviation of the differences; None for one query.
        low: the worst plausible difference, a one-sided bound at 1 − alpha; None for one query.
        high: the best plausible one, likewise.
        statistic: t against the margin (equivalence: the smaller of the two); None without spread.
        df: degrees of freedom.
        p: of the claim's opposite; None without spread.
        decision: ``fails`` if the opposite is as well established as the claim would have to be.
        identical: no query differs by more than the tolerance; every claim then holds.
        caveats: what to bear in mind.
    """

    test: Literal["non-inferiority", "equivalence"]
    margin: float
    alpha: float
    queries: int
    estimate: float
    deviation: float | None
    low: float | None
    high: float | None
    statistic: float | None
    df: int
    p: float | None
    decision: Decision
    identical: bool
    caveats: tuple[Caveat, ...]


class _Claim(NamedTuple):
    """What both claims are decided by: the spread, and the mean difference with its error and one-sided bounds."""

    row: Floats
    margin: float
    alpha: float
    spread: Spread
    centre: float
    deviation: float | None
    error: float | None
    low: float | None
    high: float | None


def non_inferiority(
    differences: Values, margin: float, alpha: float = 0.05, tolerance: float = TOLERANCE
) -> MarginOutcome:
    """Whether a loss of `margin` or more can be ruled out, by a one-sided paired t-test against −margin.

    Source: Wellek, Testing Statistical Hypotheses of Equivalence and Noninferiority, 2010, §2.

    Raises:
        ValueError: for a negative margin, or an `alpha` not between 0 and 1.
    """
    claim = _prepared(differences, margin, alpha, tolerance)
    holds = claim.low is not None and claim.low > -margin
    fails = claim.high is not None and claim.high < -margin
    return _outcome("non-inferiority", claim, claim.centre + margin, _decision(claim, holds=holds, fails=fails))


def equivalence(differences: Values, margin: float, alpha: float = 0.05, tolerance: float = TOLERANCE) -> MarginOutcome:
    """Whether the true difference lies within ± `margin`: two one-sided paired t-tests.

    Accepted at `alpha` just if the interval of confidence 1 − 2 alpha lies inside ± margin. Source: Schuirmann, Journal
    of Pharmacokinetics and Biopharmaceutics 1987.

    Raises:
        ValueError: for a negative margin, or an `alpha` not between 0 and 1.
    """
    claim = _prepared(differences, margin, alpha, tolerance)
    holds = fails = False
    if claim.low is not None and claim.high is not None:
        holds = -margin < claim.low and claim.high < margin
        fails = claim.low > margin or claim.high < -margin
    return _outcome("equivalence", claim, margin - abs(claim.centre), _decision(claim, holds=holds, fails=fails))


def _prepared(differences: Values, margin: float, alpha: float, tolerance: float) -> _Claim:
    """The checked differences and their bounds; without spread the bounds are the mean itself."""
    check_share(alpha, "alpha")
    if not 0.0 <= margin < math.inf:
        raise ValueError(f"a margin must not be negative: {margin:g}")
    row = checked(differences)
    spread = spread_of(row, tolerance)
    if spread == "identical":
        return _Claim(row, margin, alpha, spread, 0.0, 0.0, None, 0.0, 0.0)
    centre = mean(row)
    if spread == "one-query":
        return _Claim(row, margin, alpha, spread, centre, None, None, None, None)
    if spread == "no-spread":
        return _Claim(row, margin, alpha, spread, centre, 0.0, None, centre, centre)
    sd = deviation(row)
    error = sd / math.sqrt(row.size)
    half = distributions.t_quantile(1 - alpha, row.size - 1) * error
    return _Claim(row, margin, alpha, spread, centre, sd, error, centre - half, centre + half)


def _decision(claim: _Claim, *, holds: bool, fails: bool) -> Decision:
    """The verdict; a system that is identical to its baseline loses nothing, whatever the margin."""
    if holds or claim.spread == "identical":
        return "holds"
    return "fails" if fails else "undecided"


def _outcome(
    test: Literal["non-inferiority", "equivalence"], claim: _Claim, room: float, decision: Decision
) -> MarginOutcome:
    """The result put together; `room` is how far the mean keeps away from the margin."""
    df = claim.row.size - 1
    statistic = room / claim.error if claim.error else None
    return MarginOutcome(
        test=test,
        margin=claim.margin,
        alpha=claim.alpha,
        queries=claim.row.size,
        estimate=claim.centre,
        deviation=claim.deviation,
        low=claim.low,
        high=claim.high,
        statistic=statistic,
        df=df,
        p=None if statistic is None else distributions.t_above(statistic, df),
        decision=decision,
        identical=claim.spread == "identical",
        caveats=caveats_of(claim.row, claim.spread, normal=True),
    )
