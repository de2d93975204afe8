"""How small a difference so many queries show, and how many queries a difference needs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.stats import distributions
from irevalcli.stats.sample import check_share

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_ALPHA = 0.05
DEFAULT_POWER = 0.8


class Detectable(NamedTuple):
    """The smallest true difference that a two-sided paired t-test usually finds.

    Attributes:
        difference: in units of the measure.
        effect: the same in standard deviations of the differences.
        queries: number of queries.
        deviation: standard deviation of the differences.
        alpha: significance level.
        power: chance of finding it.
    """

    difference: float
    effect: float
    queries: int
    deviation: float
    alpha: float
    power: float


class Needed(NamedTuple):
    """The number of queries that a difference needs.

    Attributes:
        queries: the smallest number with at least the power asked for.
        attained: the power with that number.
        test: ``t`` (paired, two-sided) or ``anova`` (one-way, over systems).
        difference: between two systems, or between the best and the worst of several.
        deviation: of the differences (t), or of the scores within a system (anova).
        systems: number of systems.
        alpha: significance level.
        power: asked for.
    """

    queries: int
    attained: float
    test: str
    difference: float
    deviation: float
    systems: int
    alpha: float
    power: float


def power_of_t(queries: float, effect: float, alpha: float = DEFAULT_ALPHA) -> float:
    """The chance that a two-sided paired t-test at `alpha` finds a true mean of `effect` standard deviations."""
    df = queries - 1
    critical = distributions.t_quantile(1 - alpha / 2, df)
    return distributions.noncentral_t_beyond(critical, df, abs(effect) * math.sqrt(queries))


def power_of_anova(queries: float, systems: int, effect: float, alpha: float = DEFAULT_ALPHA) -> float:
    """The chance that one-way ANOVA at `alpha` finds that the best and the worst of `systems` differ.

    `effect` is that difference in standard deviations within a system. The least favourable case is taken, all other
    systems halfway between, where the non-centrality is λ = n · effect² / 2.
    """
    df_between, df_within = systems - 1, systems * (queries - 1)
    critical = distributions.f_quantile(1 - alpha, df_between, df_within)
    shift = queries * effect * effect / 2
    return distributions.noncentral_f_above(critical, df_between, df_within, shift)


def detectable(
    queries: int, deviation: float, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> Detectable:
    """The smallest true difference that `queries` queries show with probability `power`.

    Source: Cohen, Statistical Power Analysis, 1988, §2, by the non-central t distribution.

    Raises:
        ValueError: for fewer than two queries, a negative deviation, or an alpha or power outside (0, 1) or not
            alpha < power.
    """
    _check(deviation, alpha, power)
    if queries < 2:
        raise ValueError(f"at least two queries are needed, not {queries}")
    low, high = 0.0, 1.0
    while power_of_t(queries, high, alpha) < power:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if power_of_t(queries, middle, alpha) < power else (low, middle)
    return Detectable(high * deviation, high, queries, deviation, alpha, power)


def queries_for_t(
    difference: float, deviation: float, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> Needed:
    """The smallest number of queries with which a paired t-test finds a true difference with probability `power`.

    Source: Sakai, Topic set size design, Information Retrieval Journal 2016, after Nagata: from
    ((z_{1−α/2} + z_power) / Δ)² + z²_{1−α/2} / 2 with Δ = difference / deviation, then by the non-central t.

    Raises:
        ValueError: for a difference that is not positive, or settings as in `detectable`.
    """
    _check(deviation, alpha, power)
    _check_difference(difference)
    if deviation == 0.0:
        return Needed(2, 1.0, "t", difference, deviation, 2, alpha, power)
    effect = difference / deviation
    tail = distributions.normal_quantile(1 - alpha / 2)
    start = ((tail + distributions.normal_quantile(power)) / effect) ** 2 + tail * tail / 2
    queries = _smallest(lambda n: power_of_t(n, effect, alpha), power, start)
    return Needed(queries, power_of_t(queries, effect, alpha), "t", difference, deviation, 2, alpha, power)


def queries_for_anova(
    difference: float, deviation: float, systems: int, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> Needed:
    """The smallest number of queries with which ANOVA over `systems` finds a best-to-worst difference.

    Source: Sakai, Information Retrieval Journal 2016: one-way ANOVA, λ = n · difference² / (2σ²), non-central F with
    m − 1 and m(n − 1) degrees of freedom. σ is the deviation within a system, √MS_res of `anova.two_way` if the queries
    are shared.

    Raises:
        ValueError: for fewer than two systems, or as in `queries_for_t`.
    """
    _check(deviation, alpha, power)
    _check_difference(difference)
    if systems < 2:
        raise ValueError(f"at least two systems are needed, not {systems}")
    if deviation == 0.0:
        return Needed(2, 1.0, "anova", difference, deviation, systems, alpha, power)
    effect = difference / deviation
    tails = distributions.normal_quantile(1 - alpha / 2) + distributions.normal_quantile(power)
    queries = _smallest(lambda n: power_of_anova(n, systems, effect, alpha), power, 2 * (tails / effect) ** 2)
    attained = power_of_anova(queries, systems, effect, alpha)
    return Needed(queries, attained, "anova", difference, deviation, systems, alpha, power)


def queries_that_decide(
    margin: float,
    deviation: float,
    alpha: float = DEFAULT_ALPHA,
    power: float = DEFAULT_POWER,
    difference: float = 0.0,
) -> int | None:
    """About how many queries would show non-inferiority up to `margin` if the true difference were `difference`.

    n = ((z_{1−α} + z_power) s / (margin + difference))² + z²_{1−α} / 2, rounded, at least 2: an orientation, since the
    deviation is itself an estimate. None if no number would, the true loss being the margin or more.

    Raises:
        ValueError: for settings as in `detectable`.
    """
    _check(deviation, alpha, power)
    room = margin + difference
    if room <= 0.0:
        return None
    tail = distributions.normal_quantile(1 - alpha)
    needed = ((tail + distributions.normal_quantile(power)) * deviation / room) ** 2 + tail * tail / 2
    return max(round(needed), 2)


def _smallest(power_at: Callable[[int], float], power: float, start: float) -> int:
    """The smallest number of queries, at least 2, whose power suffices; power grows with the number."""
    enough = max(math.ceil(start), 2)
    while power_at(enough) < power:
        enough *= 2
    too_few = 1
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if power_at(middle) >= power else (middle, enough)
    return enough


def _check(deviation: float, alpha: float, power: float) -> None:
    """Nothing, if the settings make sense."""
    check_share(alpha, "alpha")
    check_share(power, "power")
    if alpha >= power:
        raise ValueError(f"power must be above alpha, {alpha:g}")
    if not 0.0 <= deviation < math.inf:
        raise ValueError(f"a deviation must not be negative: {deviation:g}")


def _check_difference(difference: float) -> None:
    """Nothing, if the difference to be found is one."""
    if not 0.0 < difference < math.inf:
        raise ValueError(f"a difference to be found must be positive, not {difference:g}")
