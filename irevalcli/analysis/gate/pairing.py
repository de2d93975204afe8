"""A measure in two systems: values paired by query."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.gate.verdicts import QueryDrop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.analysis.scores import Column, Scores
    from irevalcli.reading.arrays import Floats

SLACK = 1e-12
"""Numbers no farther apart are equal: what a user writes as 0.6 may be a mean of 0.6000000000000001."""


class Values(NamedTuple):
    """A measure in one system.

    Attributes:
        aggregate: over all its queries, or None.
        by_query: the value of each query, or None where only the aggregate is known.
    """

    aggregate: float | None
    by_query: Mapping[bytes, float] | None

    @classmethod
    def of(cls, scores: Scores, column: Column) -> Values:
        """What an evaluation found."""
        if isinstance(column.values, list):
            return cls(column.aggregate, None)
        return cls(column.aggregate, dict(zip(scores.qids, column.values.tolist(), strict=True)))


class Pairing(NamedTuple):
    """A measure in a run and in its baseline. All arrays have one value per query, in byte order of the qids.

    Attributes:
        qids: queries that have a finite number in both systems.
        now: of the run.
        before: of the baseline.
        rising: whether higher values are better.
    """

    qids: tuple[bytes, ...]
    now: Floats
    before: Floats
    rising: bool

    @classmethod
    def of(cls, now: Values, before: Values, *, rising: bool) -> Pairing | None:
        """The pairs; None if a system has no values of queries."""
        if now.by_query is None or before.by_query is None:
            return None
        qids = tuple(
            qid
            for qid, value in sorted(now.by_query.items())
            if math.isfinite(value) and math.isfinite(before.by_query.get(qid, math.nan))
        )
        return cls(
            qids,
            np.array([now.by_query[qid] for qid in qids], np.float64),
            np.array([before.by_query[qid] for qid in qids], np.float64),
            rising,
        )

    @property
    def gains(self) -> Floats:
        """By how much each query is better in the run than in the baseline; negative where it is worse."""
        return self.now - self.before if self.rising else self.before - self.now

    def losses(self) -> list[QueryDrop]:
        """The queries that lost, worst first; of equal losses the lower qid first."""
        gains = self.gains
        order = np.argsort(gains, kind="stable")
        return [
            QueryDrop(self.qids[place], float(self.before[place]), float(self.now[place]), float(-gains[place]))
            for place in order[gains[order] < -SLACK].tolist()
        ]
