"""Scores made comparable between queries: what is usual for the query is taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.stats import distributions
from irevalcli.stats.results import Caveat
from irevalcli.stats.sample import TOLERANCE, checked_matrix, deviation, mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.reading.arrays import Bools, Floats
    from irevalcli.stats.sample import Values

Scale = Literal["z", "cdf", "ab"]


class Standardised(NamedTuple):
    """Standardised scores.

    Attributes:
        scores: float64[systems, kept queries].
        kept: which queries have a standardised score; bool[queries].
        references: number of systems that say what is usual.
        scale: ``z``, ``cdf`` (Φ(z)) or ``ab`` (0.15 z + 0.5, clipped to [0, 1]).
        caveats: a note if queries were left out.
    """

    scores: Floats
    kept: Bools
    references: int
    scale: Scale
    caveats: tuple[Caveat, ...]


def standardise(
    scores: Sequence[Values] | Floats,
    references: Sequence[Values] | Floats | None = None,
    scale: Scale = "cdf",
    tolerance: float = TOLERANCE,
) -> Standardised:
    """Scores by mean and sample deviation of the reference systems on the query.

    On a query where the references don't differ, a system with their score has z = 0; if any system has another one,
    the query is left out. Sources: Webber, Moffat & Zobel, SIGIR 2008 (``z``, ``cdf``); Sakai, ICTIR 2016 (``ab``).

    Args:
        scores: systems × queries.
        references: systems × the same queries, at least two systems; by default `scores` themselves.
        scale: what becomes of z.
        tolerance: reference scores that differ by no more don't differ.

    Raises:
        ValueError: for fewer than two references, scores that are not finite, or other queries.
    """
    reference = checked_matrix(scores if references is None else references)
    table = np.atleast_2d(np.asarray(scores, dtype=np.float64))
    if table.ndim != 2 or table.shape[1] != reference.shape[1]:
        raise ValueError("scores and references must have the same queries")
    if not np.isfinite(table).all():
        raise ValueError("every score must be finite")
    centre = np.array([mean(column) for column in reference.T])
    flat = np.ptp(reference, axis=0) <= tolerance
    spread = np.array([1.0 if same else deviation(column) for same, column in zip(flat, reference.T, strict=True)])
    z = np.where(flat, 0.0, (table - centre) / spread)
    kept = ~(flat & (np.abs(table - centre) > tolerance).any(axis=0))
    z = z[:, kept]
    if scale == "cdf":
        z = distributions.normal_below_each(z)
    elif scale == "ab":
        z = np.clip(0.15 * z + 0.5, 0.0, 1.0)
    left_out = int((~kept).sum())
    caveats = (
        (Caveat("left-out", f"{left_out} of {kept.size} queries left out: the references do not differ there"),)
        if left_out
        else ()
    )
    return Standardised(z, kept, len(reference), scale, caveats)
