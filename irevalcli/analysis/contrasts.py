"""Two systems under one measure: what they are compared by, and what came out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from irevalcli.stats.anova import tukey
from irevalcli.stats.bootstrap import bootstrap
from irevalcli.stats.margins import equivalence, non_inferiority
from irevalcli.stats.paired import effect_size, sign_test, t_interval, t_test, wilcoxon_test, win_tie_loss
from irevalcli.stats.power import DEFAULT_POWER, detectable, queries_that_decide
from irevalcli.stats.randomisation import randomized_tukey, sign_flip_tests
from irevalcli.stats.results import DEFAULT_RESAMPLES, DEFAULT_SEED, Caveat
from irevalcli.stats.sample import TOLERANCE, deviation, spread_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.corrections import CorrectionName
    from irevalcli.stats.interaction import Interaction
    from irevalcli.stats.margins import MarginOutcome
    from irevalcli.stats.results import AllPairs, Interval, Method, Outcome, Pair

TestName = Literal[
    "t", "randomization", "bootstrap", "bootstrap-t", "wilcoxon", "sign", "tukey", "randomized-tukey", "anova"
]
Verdict = Literal["better", "worse", "different", "not-shown", "identical", "untested"]
TESTS: tuple[TestName, ...] = get_args(TestName)
TABLE_TESTS = frozenset({"tukey", "randomized-tukey", "anova"})
"""Tests of all systems at once, whose p-values are corrected for the pairs of a measure."""


class Settings(NamedTuple):
    """How systems are compared.

    Attributes:
        baselines: labels of the runs that the others are compared with; none is the first run.
        all_pairs: compare every run with every other one.
        test: by which p-values are computed.
        correction: of the p-values for their number.
        alpha: error rate at which a difference counts as shown; intervals have the confidence 1 − alpha.
        seed: of random arrangements.
        resamples: number of them.
        margin: a loss that would not matter, in units of the measure, or None.
        tolerance: differences up to it are none.
    """

    baselines: tuple[str, ...] = ()
    all_pairs: bool = False
    test: TestName = "t"
    correction: CorrectionName = "holm"
    alpha: float = 0.05
    seed: int = DEFAULT_SEED
    resamples: int = DEFAULT_RESAMPLES
    margin: float | None = None
    tolerance: float = TOLERANCE


class Claims(NamedTuple):
    """What is decided about a margin; `queries` is how many would about decide it, None where no number would."""

    non_inferiority: MarginOutcome
    equivalence: MarginOutcome
    queries: int | None


class ClassDifference(NamedTuple):
    """A contrast on the queries of one class: the interval of the difference, wins, ties and losses."""

    name: str
    interval: Interval
    win: int
    tie: int
    loss: int


class Contrast(NamedTuple):
    """A run against another one.

    Attributes:
        run: place of the one run in the call.
        baseline: place of the other.
        difference: mean of run − baseline over the queries.
        low: lower end of its interval, or None.
        high: upper end, or None.
        interval: kind of the interval: ``t``, ``bca``, ``studentised``, ``tukey``, or "" if there is none.
        statistic: the test's own number, or None.
        statistic_name: its letter in the literature.
        df: its degrees of freedom, or None.
        method: by a formula, by all arrangements, by a sample of them, or by a normal approximation.
        resamples: number of arrangements looked at, or None.
        seed: of the sample, or None.
        p: two-sided, before the correction; None without a test.
        adjusted: after it.
        effect: d_z, or for Tukey's tests the difference in residual deviations; None without spread.
        win: queries on which the run is better.
        tie: queries on which they are equal within the tolerance.
        loss: queries on which the run is worse.
        verdict: what has been shown.
        identical: no query differs by more than the tolerance.
        detectable: the smallest true difference that the test usually finds with so many queries, or None.
        claims: on the margin, or None.
        classes: the same by class of query.
        interaction: whether the difference depends on the class, or None.
        interaction_p: its p-value, corrected for all interactions.
        caveats: what to bear in mind.
    """

    run: int
    baseline: int
    difference: float
    low: float | None
    high: float | None
    interval: str
    statistic: float | None
    statistic_name: str
    df: float | None
    method: Method
    resamples: int | None
    seed: int | None
    p: float | None
    adjusted: float | None
    effect: float | None
    win: int
    tie: int
    loss: int
    verdict: Verdict
    identical: bool
    detectable: float | None
    claims: Claims | None
    classes: tuple[ClassDifference, ...]
    interaction: Interaction | None
    interaction_p: float | None
    caveats: tuple[Caveat, ...]


def contrasts_of(
    table: Floats, pairs: Sequence[tuple[int, int]], higher_is_better: bool | None, settings: Settings
) -> list[Contrast]:
    """Every pair compared, before any correction.

    Args:
        table: scores, runs × queries.
        pairs: places of a run and of the one that it is compared with.
        higher_is_better: the direction of the measure; None if it has none.
        settings: how to compare.
    """
    rows = [table[run] - table[other] for run, other in pairs]
    sign = -1.0 if higher_is_better is False else 1.0
    if settings.test in TABLE_TESTS:
        found = [_from_table(pair, row) for pair, row in zip(_table_pairs(table, pairs, settings), rows, strict=True)]
    else:
        found = [_from_test(*tested) for tested in _tested(rows, settings)]
    return [
        _completed(contrast._replace(run=run, baseline=other), row, sign, settings)
        for contrast, (run, other), row in zip(found, pairs, rows, strict=True)
    ]


def _tested(rows: list[Floats], settings: Settings) -> list[tuple[Outcome, Interval]]:
    """A test and an interval of every row of differences."""
    confidence, tolerance = 1 - settings.alpha, settings.tolerance
    if settings.test in ("bootstrap", "bootstrap-t"):
        kind: Literal["bca", "studentised"] = "bca" if settings.test == "bootstrap" else "studentised"
        drawn = [
            bootstrap(
                row, kind, confidence=confidence, resamples=settings.resamples, seed=settings.seed, tolerance=tolerance
            )
            for row in rows
        ]
        return [(one.outcome, one.interval) for one in drawn]
    intervals = [t_interval(row, confidence, tolerance) for row in rows]
    if settings.test == "randomization":
        flipped = sign_flip_tests(rows, resamples=settings.resamples, seed=settings.seed, tolerance=tolerance)
        return list(zip(flipped, intervals, strict=True))
    test = {"t": t_test, "wilcoxon": wilcoxon_test, "sign": sign_test}[settings.test]
    return [(test(row, tolerance=tolerance), interval) for row, interval in zip(rows, intervals, strict=True)]


def _from_test(outcome: Outcome, interval: Interval) -> Contrast:
    caveats = outcome.caveats
    if not outcome.identical:
        caveats = tuple(dict.fromkeys((*caveats, *interval.caveats)))
    return Contrast(
        0, 0, outcome.estimate, interval.low, interval.high, interval.kind, outcome.statistic, outcome.statistic_name,
        outcome.df, outcome.method, outcome.resamples, outcome.seed, outcome.p, outcome.p, None, 0, 0, 0, "untested",
        outcome.identical, None, None, (), None, None, caveats,
    )  # fmt: skip


def _table_pairs(table: Floats, pairs: Sequence[tuple[int, int]], settings: Settings) -> list[tuple[AllPairs, Pair]]:
    """The pairs as a test of all systems sees them, in the direction asked for."""
    if settings.test == "randomized-tukey":
        found = randomized_tukey(table, resamples=settings.resamples, seed=settings.seed, tolerance=settings.tolerance)
    else:
        found = tukey(table, 1 - settings.alpha, settings.tolerance)
    known = {(pair.first, pair.second): pair for pair in found.pairs}
    return [(found, known.get((run, other)) or _turned(known[other, run])) for run, other in pairs]


def _turned(pair: Pair) -> Pair:
    return pair._replace(
        first=pair.second,
        second=pair.first,
        difference=-pair.difference,
        low=None if pair.high is None else -pair.high,
        high=None if pair.low is None else -pair.low,
        effect=None if pair.effect is None else -pair.effect,
    )


def _from_table(tested: tuple[AllPairs, Pair], row: Floats) -> Contrast:
    found, pair = tested
    caveats = found.caveats
    if pair.identical:
        caveats = (Caveat("identical", f"identical on all {row.size} queries"),)
    bounded = found.confidence is not None and pair.low is not None
    return Contrast(
        0, 0, pair.difference, pair.low, pair.high, "tukey" if bounded else "", pair.statistic, "q", found.df,
        found.method, found.resamples, found.seed, pair.p, pair.p, pair.effect, 0, 0, 0, "untested", pair.identical,
        None, None, (), None, None, caveats,
    )  # fmt: skip


def _completed(contrast: Contrast, row: Floats, sign: float, settings: Settings) -> Contrast:
    """The contrast with what does not depend on the test."""
    counts = win_tie_loss(row * sign, settings.tolerance)
    varied = spread_of(row, settings.tolerance) == "varied"
    effect = contrast.effect
    if settings.test not in TABLE_TESTS:
        effect = effect_size(row, settings.tolerance)
    return contrast._replace(
        effect=effect,
        win=counts.win,
        tie=counts.tie,
        loss=counts.loss,
        detectable=_smallest_effect(row.size, settings.alpha) * deviation(row) if varied else None,
        claims=None if settings.margin is None else _claims(row * sign, settings.margin, settings),
    )


@lru_cache(maxsize=16)
def _smallest_effect(queries: int, alpha: float) -> float:
    """In standard deviations; kept, because every pair of a call asks for the same."""
    return detectable(queries, 1.0, alpha, max(DEFAULT_POWER, (1 + alpha) / 2)).effect


def _claims(gains: Floats, margin: float, settings: Settings) -> Claims:
    no_worse = non_inferiority(gains, margin, settings.alpha, settings.tolerance)
    same = equivalence(gains, margin, settings.alpha, settings.tolerance)
    queries = None
    if no_worse.decision == "undecided" and no_worse.deviation and margin > 0:
        queries = queries_that_decide(
            margin, no_worse.deviation, settings.alpha, max(DEFAULT_POWER, (1 + settings.alpha) / 2)
        )
    return Claims(no_worse, same, queries)


def judged_by(contrast: Contrast, higher_is_better: bool | None, settings: Settings) -> Contrast:
    """The contrast with its verdict, and if no difference has been shown with a caveat that this is not equality."""
    if contrast.identical:
        return contrast._replace(verdict="identical")
    if contrast.adjusted is None:
        return contrast._replace(verdict="untested")
    if contrast.adjusted > settings.alpha:
        return contrast._replace(verdict="not-shown")
    if higher_is_better is None:
        return contrast._replace(verdict="different")
    upwards = _direction(contrast) > 0
    return contrast._replace(verdict="better" if upwards == higher_is_better else "worse")


def _direction(contrast: Contrast) -> float:
    """Above 0 if the run's values are the higher ones, by what the test looks at."""
    if contrast.statistic is not None and contrast.statistic_name == "wins":
        # `win` counts improvements; the statistic counts higher values.
        return 2 * contrast.statistic - (contrast.win + contrast.loss)
    if contrast.statistic is not None and contrast.statistic_name == "W+":
        used = contrast.win + contrast.loss
        return 4 * contrast.statistic - used * (used + 1)
    return contrast.difference
