"""Risk: comparisons of runs by what they win and lose on single queries: URisk, TRisk, ZRisk, GeoRisk."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.registry import Equivalent, Example, Param, measure, sequential_sum

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats

COMPARED = Param("measure", "measure", "AP", "the measure whose values are compared, query by query")
ALPHA = Param("alpha", "float", 1, "how much more a loss weighs than a gain: 1 + alpha times as much", low=0)

_A, _B, _C = ".5 .2 .8 .1", ".4 .3 .6 .3", ".6 .1 .9 .0"
_WANG, _TRISK, _ZRISK = "wang2012", "dincer2014", "dincer2016"
_DELTA = "δ_q = value of the run − value of the baseline"
_BASELINE = (
    "Of a measure by query of which higher values are better, such as URisk(measure=nDCG@10). The baseline is a run of "
    "the same call, named by --baseline; it has no value itself."
)
_EXPECTED = (
    "x = values of the measure by run i and query q, S = their sums by run, T = by query, N = over all; "
    "z = (x − e)/√e, e = S_i · T_q/N, z = 0 if e = 0"
)
_ALL_RUNS = (
    "Of a measure by query that is never negative. It depends on all the runs of the call: values of different calls "
    "must not be compared. There is no baseline; that every run gets the share of a query's total that it gets of all "
    "queries is what is expected."
)


def _example(name: str, value: str, *runs: str) -> Example:
    return Example(name, " | ".join(runs), "", value, "by the formula")


def weighted_differences(values: Floats, baseline: Floats, alpha: float) -> Floats:
    """Per query, by how much a run is better than the baseline; where it is worse, 1 + alpha times that."""
    difference = values - baseline
    return np.where(difference > 0, difference, (1.0 + alpha) * difference)


@measure(
    "URisk",
    title="risk-sensitive utility",
    summary="How much better a run is than the baseline on average, where losses weigh more than gains.",
    formula=f"(1/c) · Σ over the c queries of δ_q if δ_q > 0, else (1 + α) · δ_q; {_DELTA}",
    parameters=(COMPARED, ALPHA),
    low=None,
    high=None,
    kind="comparison",
    aggregation="none",
    needs="baseline",
    no_relevant=None,
    monotone=False,
    reference=_WANG,
    examples=(
        _example("URisk", "-.075", _B, _A),
        _example("URisk", "-.05", _C, _A),
    ),
    equivalents=(Equivalent("TREC Web Track 2013", "risk-sensitive, of ERR@20 with α=5"),),
    note=_BASELINE,
)
def risk_sensitive_utility(values: Floats, *, measure: str = "AP", alpha: float = 1) -> Floats:
    """Per run, the mean of its differences to the baseline, the negative ones weighted; NaN for the baseline."""
    del measure
    baseline, *others = values
    return np.array([math.nan, *(_mean(weighted_differences(run, baseline, alpha)) for run in others)])


def _mean(values: Floats) -> float:
    return sequential_sum(values) / values.size


@measure(
    "TRisk",
    title="risk-sensitive utility as a t statistic",
    summary="URisk in standard errors: whether what a run wins or loses against the baseline is more than chance.",
    formula=f"URisk/(s/√c); s = sample standard deviation of the c weighted differences of URisk; {_DELTA}",
    parameters=(COMPARED, ALPHA),
    low=None,
    high=None,
    kind="comparison",
    aggregation="none",
    needs="baseline",
    no_relevant=None,
    monotone=False,
    reference=_TRISK,
    examples=(
        _example("TRisk", "-.544705", _B, _A),
        _example("TRisk", "-.577350", _C, _A),
    ),
    note=(
        f"{_BASELINE} Below −2 a run is a risk, above 2 it is an improvement. With α = 0 it is the paired t statistic. "
        "There is no value for a single query, nor where all weighted differences are the same."
    ),
)
def standardized_utility(values: Floats, *, measure: str = "AP", alpha: float = 1) -> Floats:
    """Per run, URisk over its standard error; NaN for the baseline, and where there is no variation."""
    del measure
    baseline, *others = values
    return np.array([math.nan, *(_t_statistic(weighted_differences(run, baseline, alpha)) for run in others)])


def _t_statistic(values: Floats) -> float:
    if values.size < 2 or (values == values[0]).all():
        return math.nan
    mean = _mean(values)
    # Squares of the smallest differences are 0, and then there is no variation to speak of either.
    deviation = math.sqrt(sequential_sum((values - mean) ** 2) / (values.size - 1))
    return mean / (deviation / math.sqrt(values.size)) if deviation else math.nan


def deviations(values: Floats) -> Floats:
    """Per run and query, how far the value is from what the run's and the query's totals let expect, over its root."""
    by_run = np.array([sequential_sum(run) for run in values])
    by_query = np.add.accumulate(values, axis=0)[-1]
    total = sequential_sum(by_run)
    expected = by_run[:, np.newaxis] * by_query / (total or 1.0)
    found: Floats = (values - expected) / np.sqrt(np.where(expected > 0, expected, 1.0))
    return np.where(expected > 0, found, 0.0)


@measure(
    "ZRisk",
    title="risk against the other runs",
    summary="How far a run rises above and falls below what all the runs let expect of it, where falls weigh more.",
    formula=f"Σ over queries of z if z ≥ 0, else (1 + α) · z; {_EXPECTED}",
    parameters=(COMPARED, ALPHA),
    low=None,
    high=None,
    kind="comparison",
    aggregation="none",
    needs="runs",
    no_relevant=None,
    monotone=False,
    reference=_ZRISK,
    examples=(
        _example("ZRisk", "-.144505", _A, _B, _C),
        _example("ZRisk", ".016506", _B, _A, _C),
        _example("ZRisk", "-.883812", _C, _A, _B),
    ),
    note=_ALL_RUNS,
)
def risk_among_runs(values: Floats, *, measure: str = "AP", alpha: float = 1) -> Floats:
    """Per run, the sum of its deviations from what is expected, the negative ones weighted."""
    del measure
    found = deviations(values)
    return np.array([sequential_sum(run) for run in np.where(found >= 0, found, (1.0 + alpha) * found)])


@measure(
    "GeoRisk",
    title="geometric mean of effectiveness and risk",
    summary="Whether a run is both good on average and safe on single queries, as seen among all the runs.",
    formula=f"√((S_i/c) · Φ(ZRisk/c)); Φ = standard normal distribution, c = number of queries; {_EXPECTED}",
    parameters=(COMPARED, ALPHA),
    high=None,
    kind="comparison",
    aggregation="none",
    needs="runs",
    no_relevant=None,
    monotone=False,
    reference=_ZRISK,
    examples=(
        _example("GeoRisk", ".440723", _A, _B, _C),
        _example("GeoRisk", ".447949", _B, _A, _C),
        _example("GeoRisk", ".406234", _C, _A, _B),
    ),
    note=_ALL_RUNS,
)
def geometric_risk(values: Floats, *, measure: str = "AP", alpha: float = 1) -> Floats:
    """Per run, the geometric mean of its mean value and the probability of its mean deviation."""
    del measure
    risk = risk_among_runs(values, alpha=alpha).tolist()
    count = values.shape[1]
    return np.array(
        [math.sqrt(_mean(run) * _normal(risk_of_run / count)) for run, risk_of_run in zip(values, risk, strict=True)]
    )


def _normal(z: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))
