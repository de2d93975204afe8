"""The tails and quantiles that the tests need: the only module that imports scipy, and it does so inside functions.

Everything but the studentised range and the weighted τ comes from `scipy.special`, which loads in half the time of
`scipy.stats` and holds the same numbers.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats


def _special() -> Any:  # noqa: ANN401  (scipy has no types)
    """`scipy.special`, loaded when a number is wanted."""
    from scipy import special  # type: ignore[import-untyped]  # noqa: PLC0415  (start-up: 0.2 s)

    return special


def normal_below(x: float) -> float:
    """P(Z < x) of a standard normal Z; `x` may be infinite."""
    return float(_special().ndtr(x))


def normal_below_each(x: Floats) -> Floats:
    """P(Z < x) for every element; of the shape of `x`."""
    return np.asarray(_special().ndtr(x), dtype=np.float64)


def normal_quantile(probability: float) -> float:
    """The z with P(Z < z) = `probability`; infinite for 0 and 1."""
    return float(_special().ndtri(probability))


def t_above(t: float, df: float) -> float:
    """P(T > t) of Student's t with `df` degrees of freedom, exact far out in the tail."""
    return float(_special().stdtr(df, -t))


def t_quantile(probability: float, df: float) -> float:
    """The t with P(T < t) = `probability`."""
    return float(_special().stdtrit(df, probability))


def noncentral_t_beyond(t: float, df: float, shift: float) -> float:
    """P(|T| > t) of the non-central t, whose numerator has the mean `shift`; neither is negative."""
    special = _special()
    upper = 1.0 - float(special.nctdtr(df, shift, t))
    # Far out scipy has NaN instead of the limit.
    if math.isnan(upper):
        upper = float(shift > t)
    # The other tail is at most P(Z > shift), and at 6 less than can be told from nothing.
    lower = 1.0 - float(special.nctdtr(df, -shift, t)) if shift < 6 else 0.0
    return min(upper + max(lower, 0.0), 1.0)


def f_above(f: float, df_between: float, df_within: float) -> float:
    """P(F > f) of Fisher's F."""
    return float(_special().fdtrc(df_between, df_within, f))


def f_quantile(probability: float, df_between: float, df_within: float) -> float:
    """The f with P(F < f) = `probability`."""
    return float(_special().fdtri(df_between, df_within, probability))


def noncentral_f_above(f: float, df_between: float, df_within: float, shift: float) -> float:
    """P(F > f) of the non-central F with the non-centrality λ = `shift`."""
    return 1.0 - float(_special().ncfdtr(df_between, df_within, shift, f))


def coin_at_most(heads: int, tosses: int) -> float:
    """P(at most `heads` heads in `tosses` tosses of a fair coin); 0 for a negative number."""
    return float(_special().bdtr(heads, tosses, 0.5)) if heads >= 0 else 0.0


def studentized_range_above(q: Floats, groups: int, df: int) -> Floats:
    """P(Q > q) of the studentised range of `groups` means; of the shape of `q`."""
    from scipy import stats  # noqa: PLC0415  (start-up: 0.8 s)

    return np.asarray(stats.studentized_range.sf(q, groups, df), dtype=np.float64)


@lru_cache(maxsize=64)
def studentized_range_quantile(probability: float, groups: int, df: int) -> float:
    """The q with P(Q < q) = `probability`; kept, because one costs 0.15 s and every measure asks for the same."""
    from scipy import stats  # noqa: PLC0415  (start-up: 0.8 s)

    return float(stats.studentized_range.ppf(probability, groups, df))


def weighted_tau(x: Floats, y: Floats) -> float:
    """Vigna's additive hyperbolic τ, the mean of ranking by `x` and by `y`; NaN where one is constant."""
    from scipy import stats  # noqa: PLC0415  (start-up: 0.8 s)

    return float(stats.weightedtau(x, y).statistic)
