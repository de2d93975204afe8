"""What tests and intervals return: the numbers, all that was done to get them, and caveats as data.

No number in a result is ever NaN or infinite: what cannot be computed is None, and a caveat says why.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Alternative = Literal["two-sided", "greater", "less"]
Method = Literal["formula", "exact", "sampled", "normal-approximation"]

DEFAULT_RESAMPLES = 10_000
DEFAULT_SEED = 1

# Buckley & Voorhees, "Evaluating evaluation measure stability", SIGIR 2000: at least 25 queries, 50 are better.
ENOUGH_QUERIES = 25


class Caveat(NamedTuple):
    """Something a reader of the number should know.

    Attributes:
        code: a fixed word for programs, such as ``few-queries``.
        message: one clause for people, without capital and full stop.
    """

    code: str
    message: str


class Outcome(NamedTuple):
    """A test of the hypothesis that a mean difference is 0.

    Attributes:
        test: ``t``, ``wilcoxon``, ``sign``, ``randomization``, ``bootstrap-bca``, ``bootstrap-studentised``, …
        alternative: what speaks against the hypothesis: ``greater`` says that the differences are above 0.
        queries: number of paired queries given.
        used: number of them that the test looks at (sign and Wilcoxon leave zeros out).
        estimate: the mean difference.
        statistic: the test's own number, or None where it is not defined.
        statistic_name: its letter in the literature.
        df: degrees of freedom, or None.
        p: in [0, 1]; None where the test has no answer, 1 for identical systems.
        method: by a formula, by all arrangements, by a sample of them, or by a normal approximation.
        resamples: number of arrangements looked at, or None.
        seed: of the sample, or None.
        identical: no query differs by more than the tolerance.
        caveats: what to bear in mind.
    """

    test: str
    alternative: Alternative
    queries: int
    used: int
    estimate: float
    statistic: float | None
    statistic_name: str
    df: float | None
    p: float | None
    method: Method
    resamples: int | None
    seed: int | None
    identical: bool
    caveats: tuple[Caveat, ...]


class Interval(NamedTuple):
    """A confidence interval of a mean, or of a mean difference.

    Attributes:
        estimate: the mean.
        low: lower end, or None where there is none.
        high: upper end, or None where there is none.
        confidence: in (0, 1), of the whole interval.
        kind: ``t``, ``bca``, ``studentised``.
        queries: number of values.
        resamples: number of bootstrap samples, or None.
        seed: of the samples, or None.
        caveats: what to bear in mind.
    """

    estimate: float
    low: float | None
    high: float | None
    confidence: float
    kind: str
    queries: int
    resamples: int | None
    seed: int | None
    caveats: tuple[Caveat, ...]


class Pair(NamedTuple):
    """Two of several systems compared with each other.

    Attributes:
        first: row of the one system.
        second: row of the other.
        difference: mean of `first` − mean of `second`.
        statistic: q = |difference| / √(MS_res / n), or None without spread.
        p: already corrected for all pairs; None where there is no answer, 1 for identical systems.
        low: lower end of the simultaneous interval of the difference, or None.
        high: its upper end, or None.
        effect: difference / √MS_res, or None without spread.
        identical: no query differs by more than the tolerance.
    """

    first: int
    second: int
    difference: float
    statistic: float | None
    p: float | None
    low: float | None
    high: float | None
    effect: float | None
    identical: bool


class AllPairs(NamedTuple):
    """All pairs of several systems under one test that keeps the family-wise error.

    Attributes:
        test: ``tukey`` or ``randomized-tukey``.
        systems: number of systems m.
        queries: number of queries n.
        df: degrees of freedom of the residuals of systems × queries, (m − 1)(n − 1).
        confidence: of the simultaneous intervals, or None if there are none.
        method: by a formula or from a sample of arrangements.
        resamples: number of arrangements, or None.
        seed: of the sample, or None.
        pairs: every pair once, by rows.
        caveats: what to bear in mind.
    """

    test: str
    systems: int
    queries: int
    df: int
    confidence: float | None
    method: Method
    resamples: int | None
    seed: int | None
    pairs: tuple[Pair, ...]
    caveats: tuple[Caveat, ...]
