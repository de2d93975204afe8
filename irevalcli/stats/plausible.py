"""The worst and the best plausible mean of paired differences, one-sided, also where they are far from normal.

Student's t keeps its error rate while the differences are about normal. Where a few queries lose much and the others
little or nothing, it does not: the sample that lacks the great losses has a high mean and a small deviation. With 50
queries and exponential losses t accepts a true loss of the margin in 9 % of samples instead of 5 %, with half of the
queries unchanged in 11 %. So the bound is t's unless the differences are clearly skewed or many queries are unchanged;
then it is lowered by three means:

* Hall's cubic transformation of t takes the skewness out (Journal of the Royal Statistical Society B 1992). The
  skewness of a sample falls short of the true one, so it is taken 1.2 + 15 / n times as large.
* Unchanged queries tell nothing about the spread of the others: degrees of freedom count the changed ones.
* The largest change seen, times the share of unchanged queries, times `UNSEEN` / n, is taken off: as if that share of
  1.5 further queries had lost as much.

The constants come from simulation; ``benchmarks/gate_simulation.py`` repeats it. What no bound can see is a loss that
strikes so few queries that the sample has none of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.power import DEFAULT_ALPHA, DEFAULT_POWER, queries_that_decide
from irevalcli.stats.sample import TOLERANCE, check_share, checked, deviation, mean, skewness, spread_of, total

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.sample import Spread, Values

UNCHANGED_SHARE = 0.2
"""From this share of unchanged queries on they count as many."""

UNSEEN = 1.5
"""How many further queries may have changed, were all of the seen ones unchanged."""

_SKEW_FACTOR, _SKEW_GROWTH = 1.2, 15.0
# What the number of queries needs more for skewness and for the uncertainty of the deviation, found by simulation.
_SKEW_COST, _SPREAD_COST = 2.2, 2.0


class Shape(NamedTuple):
    """How paired differences lie.

    Attributes:
        queries: their number n.
        centre: their mean.
        deviation: sample standard deviation; None for one query.
        spread: what they allow.
        skewness: g₁ √(n (n − 1)) / (n − 2), of little bias for normal samples; 0 for fewer than three.
        unchanged: share of queries that differ by no more than the tolerance.
        largest: the largest difference, without its sign.
        kurtosis: m₄ / m₂²; 3 for normal ones.
        ordinary: about normal: not clearly skewed, and not many are unchanged.
    """

    queries: int
    centre: float
    deviation: float | None
    spread: Spread
    skewness: float
    unchanged: float
    largest: float
    kurtosis: float
    ordinary: bool


def shape_of(differences: Values, tolerance: float = TOLERANCE) -> Shape:
    """How paired differences lie.

    Raises:
        ValueError: there are none, or one is not finite.
    """
    row = checked(differences)
    n = row.size
    unchanged = float(np.count_nonzero(np.abs(row) <= tolerance)) / n
    spread = spread_of(row, tolerance)
    if spread != "varied":
        identical = spread == "identical"
        centre = 0.0 if identical else mean(row)
        sd = None if spread == "one-query" else 0.0
        return Shape(n, centre, sd, spread, 0.0, unchanged, float(np.abs(row).max()), 3.0, ordinary=True)
    skew = skewness(row)
    clear = n > 2 and abs(skew) > 2 * math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    return Shape(
        n,
        mean(row),
        deviation(row),
        spread,
        skew * math.sqrt(n * (n - 1)) / (n - 2) if n > 2 else 0.0,
        unchanged,
        float(np.abs(row).max()),
        _kurtosis(row),
        ordinary=unchanged < UNCHANGED_SHARE and not clear,
    )


def _kurtosis(row: Floats) -> float:
    squares = (row - mean(row)) ** 2
    return total(squares * squares) * row.size / total(squares) ** 2


def worst_plausible(shape: Shape, alpha: float = DEFAULT_ALPHA) -> float | None:
    """The one-sided lower bound of the true mean at 1 − `alpha`; None for one query, the mean itself without spread.

    Raises:
        ValueError: `alpha` is not between 0 and 1.
    """
    return _bound(shape, _enlarged(shape.skewness, shape.queries), alpha, -1)


def best_plausible(shape: Shape, alpha: float = DEFAULT_ALPHA) -> float | None:
    """The upper bound, likewise, by the skewness of the sample as it is: it lets nothing pass."""
    return _bound(shape, -shape.skewness, alpha, 1)


def _bound(shape: Shape, skew: float, alpha: float, side: int) -> float | None:
    check_share(alpha, "alpha")
    if shape.deviation is None:
        return None
    if shape.spread != "varied":
        return shape.centre
    error = shape.deviation / math.sqrt(shape.queries)
    if shape.ordinary:
        return shape.centre + side * distributions.t_quantile(1 - alpha, shape.queries - 1) * error
    changed = round(shape.queries * (1 - shape.unchanged))
    t = distributions.t_quantile(1 - alpha, max(changed - 1, 1))
    reach = max(t, _without_skewness(t, skew, shape.queries)) * error
    return shape.centre + side * (reach + UNSEEN * shape.unchanged * shape.largest / shape.queries)


def _enlarged(skew: float, queries: int) -> float:
    """The skewness that a sample with this one may well come from."""
    return skew * (_SKEW_FACTOR + _SKEW_GROWTH / queries)


def _without_skewness(t: float, skew: float, queries: int) -> float:
    """The quantile of the studentised mean that Hall's transformation takes to `t`; at most 3 / |k|.

    Beyond that lies the bend of the cubic, where few queries are so skewed that it says no more.
    """
    k = skew / math.sqrt(queries)
    return 3 / k * (math.cbrt(max(1 + k * (t - k / 6), 0.0)) - 1) if abs(k) > 1e-9 else t


def queries_needed(
    shape: Shape, margin: float, alpha: float = DEFAULT_ALPHA, power: float = DEFAULT_POWER
) -> int | None:
    """About how many queries would rule out a loss of `margin` if there were none; None if no number would.

    For ordinary differences the number of `queries_that_decide`. For others the bound lies lower, by terms that fall
    with 1 / n, and the deviation is less well known: n solves margin · n = A √n + B.

    Raises:
        ValueError: for a negative deviation, or an alpha or power as in `queries_that_decide`.
    """
    if not shape.deviation:
        return None
    plain = queries_that_decide(margin, shape.deviation, alpha, power)
    if plain is None or shape.ordinary:
        return plain
    n = shape.queries
    tail = distributions.normal_quantile(1 - alpha)
    uncertainty = max(math.sqrt((shape.kurtosis - 1) / n) - math.sqrt(2 / n), 0.0) / 2
    a = (tail + distributions.normal_quantile(power)) * shape.deviation * (1 + _SPREAD_COST * uncertainty)
    skew = max(-_enlarged(shape.skewness, n), 0.0)
    b = _SKEW_COST * skew * shape.deviation + UNSEEN * shape.unchanged * shape.largest
    root = (a + math.sqrt(a * a + 4 * margin * b)) / (2 * margin)
    return max(plain, round(root * root + tail * tail / 2))
