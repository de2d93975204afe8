"""Correlation between two vectors of scores of the same items; the higher score ranks first.

The items may be systems under two measures, or documents under two systems. Where a correlation is not defined, most
often because one vector is constant, its value is None.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.rank_counts import (
    ascending_ranks,
    crossed,
    equal_before,
    mid_ranks,
    smaller_before,
    tied_pairs,
)
from irevalcli.stats.results import Caveat
from irevalcli.stats.sample import checked

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.stats.sample import Values


class Correlation(NamedTuple):
    """A correlation.

    Attributes:
        name: ``tau``, ``tau_b``, ``tau_ap``, ``tau_ap_b``, ``spearman``, ``pearson``, ``tau_weighted``.
        value: in [−1, 1], or None where it is not defined.
        items: number of items.
        tied_first: pairs of items with equal scores in the first vector.
        tied_second: likewise in the second.
        caveats: what to bear in mind.
    """

    name: str
    value: float | None
    items: int
    tied_first: int
    tied_second: int
    caveats: tuple[Caveat, ...]


class _Vectors(NamedTuple):
    """Both vectors, and the tie groups of each from the lowest score up."""

    first: Floats
    second: Floats
    first_ranks: Positions
    second_ranks: Positions


def _checked(first: Values, second: Values, tolerance: float) -> _Vectors:
    """The vectors and their ranks.

    Raises:
        ValueError: if the lengths differ, or for values as in `sample.checked`.
    """
    left, right = checked(first), checked(second)
    if left.size != right.size:
        raise ValueError(f"{left.size} and {right.size} scores cannot be correlated")
    return _Vectors(left, right, ascending_ranks(left, tolerance), ascending_ranks(right, tolerance))


def _correlation(name: str, value: float | None, vectors: _Vectors, caveats: tuple[Caveat, ...] = ()) -> Correlation:
    """The result put together."""
    if value is not None:
        value = min(max(value, -1.0), 1.0)
    elif vectors.first.size == 1:
        caveats = (*caveats, Caveat("one-item", "one item has no order"))
    else:
        caveats = (*caveats, Caveat("constant", "all items have the same score"))
    ties = tied_pairs(vectors.first_ranks), tied_pairs(vectors.second_ranks)
    return Correlation(name, value, vectors.first.size, *ties, caveats)


def _concordance(vectors: _Vectors) -> tuple[int, int, int, int]:
    """Concordant − discordant pairs, all pairs, pairs tied in the first and pairs tied in the second."""
    x, y = vectors.first_ranks, vectors.second_ranks
    n = x.size
    pairs, tied_x, tied_y = n * (n - 1) // 2, tied_pairs(x), tied_pairs(y)
    tied_both = tied_pairs(crossed(x, y))
    # Among items tied in x the later ones come first in y, so that they don't count as concordant.
    order = np.lexsort((-y, x))
    concordant = int(smaller_before(y[order]).sum())
    return 2 * concordant - (pairs - tied_x - tied_y + tied_both), pairs, tied_x, tied_y


def kendall_tau(first: Values, second: Values, tolerance: float = 0.0) -> Correlation:
    """Kendall's τ (τ_a): concordant minus discordant pairs over all pairs; a tied pair is neither.

    Source: Kendall, Biometrika 1938. `tolerance`: scores no farther apart are tied.
    """
    vectors = _checked(first, second, tolerance)
    balance, pairs, tied_x, tied_y = _concordance(vectors)
    caveats = (Caveat("tied", "with ties τ cannot reach 1: see τ_b"),) if tied_x or tied_y else ()
    return _correlation("tau", balance / pairs if pairs else None, vectors, caveats)


def kendall_tau_b(first: Values, second: Values, tolerance: float = 0.0) -> Correlation:
    """Kendall's τ_b: pairs that are tied in one vector are taken out of its part of the denominator.

    Source: Kendall, Biometrika 1945. `tolerance`: scores no farther apart are tied.
    """
    vectors = _checked(first, second, tolerance)
    balance, pairs, tied_x, tied_y = _concordance(vectors)
    size = math.sqrt(pairs - tied_x) * math.sqrt(pairs - tied_y)
    return _correlation("tau_b", balance / size if size else None, vectors)


def tau_ap(truth: Values, estimate: Values, tolerance: float = 0.0) -> Correlation:
    """τ_AP: like τ, but errors at the top of the estimate's order weigh more; not symmetric.

    2/(n − 1) Σ_{i ≥ 2} C(i)/(i − 1) − 1, C(i) being the items above the i-th that the truth also puts above. With ties
    it is the mean over all ways to break them in either vector. Sources: Yilmaz, Aslam & Robertson, SIGIR 2008; for the
    mean, Urbano & Marrero, ICTIR 2017. `tolerance`: scores no farther apart are tied.
    """
    vectors = _checked(truth, estimate, tolerance)
    ties = tied_pairs(vectors.first_ranks) + tied_pairs(vectors.second_ranks)
    caveats = (Caveat("tied", "the mean over all ways to break the ties: see τ_AP,b"),) if ties else ()
    n = vectors.first.size
    if n < 2:
        return _correlation("tau_ap", None, vectors, caveats)
    group, concordant, truth_ties, starts, sizes = _above(vectors.first_ranks, vectors.second_ranks)
    # Mean over a tie group of the items above the group that the truth puts above, a tie in the truth being half one.
    outside = np.bincount(group, concordant + truth_ties / 2) / sizes
    place = np.arange(n)
    inside = (place - starts[group]) / 2
    terms = (outside[group] + inside)[1:] / place[1:]
    return _correlation("tau_ap", 2 / (n - 1) * float(terms.sum()) - 1, vectors, caveats)


def tau_ap_b(first: Values, second: Values, tolerance: float = 0.0) -> Correlation:
    """τ_AP,b: the symmetric τ_AP that allows for ties.

    The mean of both directions of 2/(n − t₁) Σ c/(p − 1) − 1 over the items outside the first tie group, which has t₁
    items: p is the first rank of an item's group, c the items above the group that the other vector also puts above.
    Source: Urbano & Marrero, ICTIR 2017. `tolerance`: scores no farther apart are tied.
    """
    vectors = _checked(first, second, tolerance)
    one = _one_direction(vectors.first_ranks, vectors.second_ranks)
    other = _one_direction(vectors.second_ranks, vectors.first_ranks)
    return _correlation("tau_ap_b", None if one is None or other is None else (one + other) / 2, vectors)


def _above(truth: Positions, estimate: Positions) -> tuple[Positions, Positions, Positions, Positions, Positions]:
    """What lies above each item, the items in the estimate's order from the top.

    Returns:
        Per item the number of its tie group in the estimate, the number of items above that group which the truth puts
        above too, and of those it ties; per group its first place (from 0) and its size.
    """
    down, right = int(estimate.max()) - estimate, int(truth.max()) - truth
    # Inside a tie group the truth's order is turned round, so that no item of the group counts as above another.
    order = np.lexsort((-right, down))
    group, keys = down[order], right[order]
    sizes = np.bincount(group)
    starts = np.cumsum(sizes) - sizes
    smaller = smaller_before(keys)
    tied_above = equal_before(keys) - equal_before(crossed(group, keys))
    return group, smaller, tied_above, starts, sizes


def _one_direction(truth: Positions, estimate: Positions) -> float | None:
    """τ_AP with ties of the estimate against the truth; None if the estimate ties everything."""
    group, concordant, _, starts, sizes = _above(truth, estimate)
    outside = group > 0
    if not outside.any():
        return None
    terms = concordant[outside] / starts[group[outside]]
    return 2 / (group.size - int(sizes[0])) * float(terms.sum()) - 1


def pearson(first: Values, second: Values) -> Correlation:
    """Pearson's product-moment correlation of the scores themselves."""
    vectors = _checked(first, second, 0.0)
    return _correlation("pearson", _product_moment(vectors.first, vectors.second), vectors)


def spearman(first: Values, second: Values, tolerance: float = 0.0) -> Correlation:
    """Spearman's ρ: Pearson's correlation of the mean ranks. `tolerance`: scores no farther apart are tied."""
    vectors = _checked(first, second, tolerance)
    value = _product_moment(mid_ranks(vectors.first, tolerance), mid_ranks(vectors.second, tolerance))
    return _correlation("spearman", value, vectors)


def _product_moment(x: Floats, y: Floats) -> float | None:
    """Pearson's r, or None if one of the vectors does not vary."""
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return None
    left, right = x - x.mean(), y - y.mean()
    # Scaled first, so that squares of tiny or huge scores stay within the range of doubles.
    left, right = left / np.abs(left).max(), right / np.abs(right).max()
    return float((left * right).sum()) / math.sqrt(float((left * left).sum()) * float((right * right).sum()))


def weighted_tau(first: Values, second: Values) -> Correlation:
    """Vigna's τ with additive hyperbolic weights (WWW 2015): a swap at rank r weighs 1/r; the mean of both rankings."""
    vectors = _checked(first, second, 0.0)
    constant = np.ptp(vectors.first) == 0.0 or np.ptp(vectors.second) == 0.0
    value = None if constant else distributions.weighted_tau(vectors.first, vectors.second)
    return _correlation("tau_weighted", value, vectors)
