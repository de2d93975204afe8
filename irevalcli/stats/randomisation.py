"""Randomisation tests: Fisher's sign flips for pairs, the randomised Tukey test for many systems.

They assume nothing but that, were there no difference, the systems' names could be exchanged on every query.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.stats.anova import residuals_of, table_caveats
from irevalcli.stats.draws import Draws, blocks
from irevalcli.stats.results import DEFAULT_RESAMPLES, DEFAULT_SEED, AllPairs, Caveat, Outcome, Pair
from irevalcli.stats.sample import (
    TOLERANCE,
    caveats_of,
    check_resamples,
    checked,
    checked_matrix,
    few_queries,
    mean,
    spread_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.stats.results import Alternative
    from irevalcli.stats.sample import Values

# 2^20 sums take 20 ms and 8 MB.
EXACT_QUERIES = 20

# Sums in another order differ in their last bits; what differs by less than this share of Σ|d| is the same sum.
_ROUNDING = 1e-12


def sign_flip_test(
    differences: Values,
    alternative: Alternative = "two-sided",
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    tolerance: float = TOLERANCE,
) -> Outcome:
    """Fisher's randomisation test of paired differences; the statistic is their mean.

    Up to 20 queries all 2ⁿ signs are enumerated, zeros kept, and p = b / 2ⁿ; beyond, `resamples` of them are drawn and
    p = (b + 1) / (resamples + 1), where b counts the signs that give a mean at least as far out as the observed one.
    Sources: Fisher, The Design of Experiments, 1935, §21; Phipson & Smyth, SAGMB 2010, for the + 1.

    Raises:
        ValueError: for values that are not finite, or no resamples.
    """
    (outcome,) = sign_flip_tests(
        [checked(differences)], alternative, resamples=resamples, seed=seed, tolerance=tolerance
    )
    return outcome


def sign_flip_tests(
    rows: Sequence[Values] | Floats,
    alternative: Alternative = "two-sided",
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    tolerance: float = TOLERANCE,
) -> tuple[Outcome, ...]:
    """`sign_flip_test` of several rows of differences over the same queries, all under the same random signs.

    Each outcome is what its row gives alone; together they cost a small part of that.
    """
    check_resamples(resamples)
    if len(rows) == 0:
        return ()
    table = np.array([checked(row) for row in rows])
    queries = table.shape[1]
    exact = queries <= EXACT_QUERIES
    counts = _exact_counts(table, alternative) if exact else _sampled_counts(table, alternative, resamples, seed)
    outcomes = []
    for row, count in zip(table, counts.tolist(), strict=True):
        identical = spread_of(row, tolerance) == "identical"
        p = count / 2**queries if exact else (count + 1) / (resamples + 1)
        outcomes.append(
            Outcome(
                test="randomization",
                alternative=alternative,
                queries=queries,
                used=queries,
                estimate=0.0 if identical else mean(row),
                statistic=0.0 if identical else mean(row),
                statistic_name="mean difference",
                df=None,
                p=1.0 if identical else p,
                method="exact" if exact else "sampled",
                resamples=2**queries if exact else resamples,
                seed=None if exact else seed,
                identical=identical,
                caveats=_caveats(row, tolerance, None if exact else (count, resamples)),
            )
        )
    return tuple(outcomes)


def _further_out(sums: Floats, observed: float, slack: float, alternative: Alternative) -> int:
    """How many of the sums are at least as far out as the observed one."""
    if alternative == "two-sided":
        return int(np.count_nonzero(np.abs(sums) >= abs(observed) - slack))
    if alternative == "greater":
        return int(np.count_nonzero(sums >= observed - slack))
    return int(np.count_nonzero(sums <= observed + slack))


def _exact_counts(table: Floats, alternative: Alternative) -> Positions:
    """Per row, the number of signs whose sum is at least as far out as the observed one."""
    counts = []
    for row in table:
        sums = np.zeros(1)
        for size in row.tolist():
            sums = np.concatenate([sums + size, sums - size])
        # All signs as observed come first.
        counts.append(_further_out(sums, float(sums[0]), _ROUNDING * float(np.abs(row).sum()), alternative))
    return np.array(counts)


def _sampled_counts(table: Floats, alternative: Alternative, resamples: int, seed: int) -> Positions:
    """The same among random signs."""
    draws = Draws(seed)
    # A flipped value counts −1 instead of 1, so the sum loses twice the flipped values.
    totals, slacks = table.sum(axis=1), _ROUNDING * np.abs(table).sum(axis=1)
    counts = np.zeros(len(table), dtype=np.int64)
    for size in blocks(resamples, table.shape[1] + len(table)):
        sums = totals - 2 * (draws.coins(size, table.shape[1]).astype(np.float64) @ table.T)
        for i in range(len(table)):
            counts[i] += _further_out(sums[:, i], float(totals[i]), float(slacks[i]), alternative)
    return counts


def _caveats(row: Floats, tolerance: float, sample: tuple[int, int] | None) -> tuple[Caveat, ...]:
    """What is worth knowing about a row; `sample` is what was counted in how many draws."""
    n = row.size
    if spread_of(row, tolerance) == "identical":
        return caveats_of(row, "identical")
    found = list(few_queries(n))
    used = int((np.abs(row) > tolerance).sum())
    if 2.0 ** (1 - used) > 0.05:
        found.append(Caveat("smallest-p", f"with {used} unequal queries no two-sided p is below {2.0 ** (1 - used):g}"))
    if sample is not None and sample[0] == 0:
        found.append(Caveat("resolution", f"no draw was as far out: p is at most about {3 / sample[1]:.2g}"))
    return tuple(found)


def randomized_tukey(
    scores: Sequence[Values] | Floats,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    tolerance: float = TOLERANCE,
) -> AllPairs:
    """All pairs of systems against the largest difference that chance makes.

    The systems' scores are permuted on each query; the statistic is the highest mean minus the lowest, and a pair's
    p = (b + 1) / (resamples + 1), b counting the permutations that reach its difference. Source: Carterette, TOIS 2012,
    §4.3.

    Args:
        scores: systems × queries.
        resamples: number of permutations.
        seed: of the permutations.
        tolerance: differences up to it are none.

    Raises:
        ValueError: for fewer than two systems, no query, scores that are not finite, or no resamples.
    """
    check_resamples(resamples)
    table = checked_matrix(scores)
    systems, queries = table.shape
    means = [mean(row) for row in table]
    ranges = np.sort(_ranges(table, resamples, seed))
    residual = residuals_of(table)
    spread = math.sqrt(residual.mean_square) if residual.mean_square > tolerance * tolerance else None
    slack = _ROUNDING * float(np.abs(table).sum(axis=1).max()) / queries
    pairs = []
    for i in range(systems):
        for j in range(i + 1, systems):
            identical = spread_of(table[i] - table[j], tolerance) == "identical"
            difference = 0.0 if identical else means[i] - means[j]
            reached = resamples - int(np.searchsorted(ranges, abs(difference) - slack, "left"))
            pairs.append(
                Pair(
                    first=i,
                    second=j,
                    difference=difference,
                    statistic=abs(difference) / (spread / math.sqrt(queries)) if spread else None,
                    p=1.0 if identical else (reached + 1) / (resamples + 1),
                    low=None,
                    high=None,
                    effect=difference / spread if spread else None,
                    identical=identical,
                )
            )
    return AllPairs(
        test="randomized-tukey",
        systems=systems,
        queries=queries,
        df=residual.df,
        confidence=None,
        method="sampled",
        resamples=resamples,
        seed=seed,
        pairs=tuple(pairs),
        caveats=table_caveats(table, residual, tolerance),
    )


def _ranges(table: Floats, resamples: int, seed: int) -> Floats:
    """Highest mean minus lowest under each permutation; float64[resamples]."""
    systems, queries = table.shape
    draws = Draws(seed)
    by_query = np.ascontiguousarray(table.T).ravel()
    first = (np.arange(queries) * systems)[:, np.newaxis]
    ranges = []
    for size in blocks(resamples, queries * systems):
        sums = by_query[draws.orders(size, queries, systems) + first].sum(axis=1)
        ranges.append(np.ptp(sums, axis=1) / queries)
    return np.concatenate(ranges)
