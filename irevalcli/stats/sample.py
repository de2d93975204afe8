"""One value per query: checked, summed in order, and what can be said about it before any test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from irevalcli.stats.results import ENOUGH_QUERIES, Caveat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Floats

    Values = Sequence[float] | Floats

# Two systems that a person would call equal differ by 1e-17 if their terms were summed in another order.
TOLERANCE = 1e-9

Spread = Literal["identical", "one-query", "no-spread", "varied"]


def checked(values: Values) -> Floats:
    """The values as float64[n].

    Raises:
        ValueError: if there are none, if they are not one row, or if one of them is not finite.
    """
    row = np.asarray(values, dtype=np.float64)
    if row.ndim != 1 or row.size == 0:
        raise ValueError("one row of at least one value is needed")
    if not np.isfinite(row).all():
        raise ValueError("every value must be finite")
    return row


def checked_matrix(scores: Sequence[Values] | Floats) -> Floats:
    """Scores as float64[systems, queries].

    Raises:
        ValueError: if there are fewer than two systems or no query, or if a score is not finite.
    """
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] < 2 or matrix.shape[1] == 0:
        raise ValueError("a table of at least two systems and one query is needed")
    if not np.isfinite(matrix).all():
        raise ValueError("every score must be finite")
    return matrix


def check_share(value: float, name: str) -> None:
    """Nothing, if the value lies strictly between 0 and 1.

    Raises:
        ValueError: otherwise, with the name.
    """
    if not 0.0 < value < 1.0:
        raise ValueError(f"{name} must lie between 0 and 1, not {value:g}")


def check_resamples(resamples: int) -> None:
    """Nothing, if that many samples can be drawn.

    Raises:
        ValueError: for fewer than one.
    """
    if resamples < 1:
        raise ValueError(f"at least one resample is needed, not {resamples}")


def paired(system: Values, baseline: Values) -> Floats:
    """System − baseline for every query; the caller has put both in the same order of queries.

    Raises:
        ValueError: if the lengths differ, or for values as in `checked`.
    """
    left, right = checked(system), checked(baseline)
    if left.size != right.size:
        raise ValueError(f"{left.size} and {right.size} values cannot be paired")
    return left - right


def total(values: Floats) -> float:
    """The sum, one value after the other as in trec_eval, so that means print alike everywhere."""
    return float(np.add.accumulate(values)[-1])


def mean(values: Floats) -> float:
    """The mean of at least one value, summed in order."""
    return total(values) / values.size


def deviation(values: Floats) -> float:
    """The sample standard deviation (divisor n − 1) of at least two values."""
    centred = values - mean(values)
    return math.sqrt(total(centred * centred) / (values.size - 1))


def spread_of(differences: Floats, tolerance: float = TOLERANCE) -> Spread:
    """What the differences allow: nothing but equality, no spread to judge by, or a test."""
    if float(np.abs(differences).max()) <= tolerance:
        return "identical"
    if differences.size == 1:
        return "one-query"
    return "no-spread" if float(np.ptp(differences)) <= tolerance else "varied"


def skewness(values: Floats) -> float:
    """g₁ = m₃ / m₂^{3/2} of the values, 0 where they are all equal."""
    centred = values - mean(values)
    variance = total(centred * centred) / values.size
    return total(centred * centred * centred) / values.size / (variance * math.sqrt(variance)) if variance else 0.0


def skewed(values: Floats) -> Caveat | None:
    """A caveat if the values are so skewed that the t distribution misleads for their number.

    Cochran's rule (Sampling Techniques, 1977, §2.15) wants n > 25 g₁². Few values show a large g₁ by chance, so it must
    also be more than two standard errors away from 0.
    """
    n = values.size
    if n < 3:
        return None
    skew = skewness(values)
    error = math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    if n > 25 * skew * skew or abs(skew) <= 2 * error:
        return None
    return Caveat(
        "skewed",
        f"the values are skewed (g₁ {skew:+.1f}), and {n} queries are few for that: "
        "the randomisation and bootstrap tests don't mind",
    )


def few_queries(n: int) -> tuple[Caveat, ...]:
    """A caveat if there are fewer queries than conclusions usually need."""
    if n >= ENOUGH_QUERIES:
        return ()
    word = "query" if n == 1 else "queries"
    return (Caveat("few-queries", f"only {n} {word}: with fewer than {ENOUGH_QUERIES} results often do not repeat"),)


def interval_caveats(values: Floats, tolerance: float = TOLERANCE, *, normal: bool = False) -> tuple[Caveat, ...]:
    """What is worth knowing about an interval of the mean; with `normal`, also whether the values are skewed."""
    return _caveats(values, flat=float(np.ptp(values)) <= tolerance, normal=normal)


def caveats_of(differences: Floats, spread: Spread, *, normal: bool = False) -> tuple[Caveat, ...]:
    """What is worth knowing about a test of differences; with `normal`, also whether they are skewed."""
    if spread == "identical":
        word = "the only query" if differences.size == 1 else f"all {differences.size} queries"
        return (Caveat("identical", f"identical on {word}"),)
    return _caveats(differences, flat=spread == "no-spread", normal=normal)


def _caveats(values: Floats, *, flat: bool, normal: bool) -> tuple[Caveat, ...]:
    """The caveats of values that are not all known to be 0; `flat` if they are equal."""
    if values.size == 1:
        return (Caveat("one-query", "a single query has no spread to judge by"),)
    if flat:
        return (Caveat("no-spread", f"the value is {values[0]:.4g} on every query"), *few_queries(values.size))
    skew = skewed(values) if normal else None
    return (*few_queries(values.size), *([skew] if skew else []))
