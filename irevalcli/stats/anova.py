"""Two-way analysis of variance, systems × queries without replication, and the paired Tukey test on it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.results import AllPairs, Caveat, Pair
from irevalcli.stats.sample import TOLERANCE, check_share, checked_matrix, few_queries, mean, spread_of, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Floats
    from irevalcli.stats.sample import Values


class Effect(NamedTuple):
    """One source of variance.

    Attributes:
        sum_of_squares: its part of the total.
        df: degrees of freedom.
        mean_square: sum of squares / df, 0 where df is 0.
        f: mean square over the residual's, or None without residual spread.
        p: P(F > f), or None.
    """

    sum_of_squares: float
    df: int
    mean_square: float
    f: float | None
    p: float | None


class Residual(NamedTuple):
    """What neither system nor query explains: sum of squares, degrees of freedom, mean square (0 where df is 0)."""

    sum_of_squares: float
    df: int
    mean_square: float


class TwoWay(NamedTuple):
    """The analysis of a table systems × queries: both effects, the residual, and what to bear in mind."""

    systems: Effect
    queries: Effect
    residual: Residual
    caveats: tuple[Caveat, ...]


def residuals_of(table: Floats) -> Residual:
    """The residual of float64[systems, queries] with at least two systems."""
    systems, queries = table.shape
    system_means = np.array([mean(row) for row in table])
    query_means = np.array([mean(column) for column in table.T])
    left = table - system_means[:, np.newaxis] - query_means + mean(query_means)
    squares, df = total((left * left).ravel()), (systems - 1) * (queries - 1)
    return Residual(squares, df, squares / df if df else 0.0)


def two_way(scores: Sequence[Values] | Floats, tolerance: float = TOLERANCE) -> TwoWay:
    """The analysis of variance of `scores`, systems × queries.

    Source: Fisher, Statistical Methods for Research Workers, 1925; in retrieval, Tague-Sutcliffe & Blustein, TREC-3.

    Raises:
        ValueError: for fewer than two systems, no query, or scores that are not finite.
    """
    table = checked_matrix(scores)
    systems, queries = table.shape
    residual = residuals_of(table)
    return TwoWay(
        _effect([mean(row) for row in table], queries, residual, tolerance),
        _effect([mean(column) for column in table.T], systems, residual, tolerance),
        residual,
        table_caveats(table, residual, tolerance),
    )


def _effect(means: list[float], repeats: int, residual: Residual, tolerance: float) -> Effect:
    """The effect that shows in `means`, each of `repeats` scores."""
    row = np.array(means)
    centred = row - mean(row)
    squares, df = repeats * total(centred * centred), row.size - 1
    mean_square = squares / df if df else 0.0
    if not df or residual.mean_square <= tolerance * tolerance:
        return Effect(squares, df, mean_square, None, None)
    f = mean_square / residual.mean_square
    return Effect(squares, df, mean_square, f, distributions.f_above(f, df, residual.df))


def tukey(scores: Sequence[Values] | Floats, confidence: float = 0.95, tolerance: float = TOLERANCE) -> AllPairs:
    """Tukey's honestly significant differences of systems over the same queries.

    q = |difference of means| / √(MS_res / n) with the residual of the two-way analysis, p from the studentised range of
    m means with (m − 1)(n − 1) degrees of freedom, and simultaneous intervals. The unpaired form that libraries offer
    drowns the differences in the spread of the queries. Source: Carterette, TOIS 2012, §4.2.

    Args:
        scores: systems × queries.
        confidence: of all intervals together.
        tolerance: differences up to it are none.

    Raises:
        ValueError: for fewer than two systems, no query, or scores that are not finite.
    """
    check_share(confidence, "confidence")
    table = checked_matrix(scores)
    systems, queries = table.shape
    residual = residuals_of(table)
    means = [mean(row) for row in table]
    chosen = [(i, j) for i in range(systems) for j in range(i + 1, systems)]
    same = [spread_of(table[i] - table[j], tolerance) == "identical" for i, j in chosen]
    differences = np.array([0.0 if equal else means[i] - means[j] for (i, j), equal in zip(chosen, same, strict=True)])
    if residual.mean_square > tolerance * tolerance:
        found = _tested(differences, residual, queries, systems, confidence)
    else:
        found = [(None,) * 5] * len(chosen)
    pairs = tuple(
        Pair(i, j, difference, q, 1.0 if equal else p, low, high, effect, equal)
        for (i, j), equal, difference, (q, p, low, high, effect) in zip(
            chosen, same, differences.tolist(), found, strict=True
        )
    )
    return AllPairs(
        test="tukey",
        systems=systems,
        queries=queries,
        df=residual.df,
        confidence=confidence,
        method="formula",
        resamples=None,
        seed=None,
        pairs=pairs,
        caveats=table_caveats(table, residual, tolerance),
    )


def _tested(
    differences: Floats, residual: Residual, queries: int, systems: int, confidence: float
) -> list[tuple[float | None, float | None, float | None, float | None, float | None]]:
    """Per difference q, p, the ends of its interval and its effect."""
    error = math.sqrt(residual.mean_square / queries)
    q = np.abs(differences) / error
    p = np.clip(distributions.studentized_range_above(q, systems, residual.df), 0.0, 1.0)
    half = distributions.studentized_range_quantile(confidence, systems, residual.df) * error
    effects = differences / math.sqrt(residual.mean_square)
    columns = (q, p, differences - half, differences + half, effects)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def table_caveats(table: Floats, residual: Residual, tolerance: float) -> tuple[Caveat, ...]:
    """What is worth knowing about the table."""
    if all(spread_of(row - table[0], tolerance) == "identical" for row in table):
        return (Caveat("identical", f"all {len(table)} systems are identical on every query"),)
    if residual.df == 0:
        return (Caveat("one-query", "a single query has no spread to judge by"),)
    if residual.mean_square <= tolerance * tolerance:
        return (Caveat("no-spread", "the systems differ by the same amount on every query"),)
    return few_queries(table.shape[1])
