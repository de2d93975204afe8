"""How alike two runs rank documents, query by query, from the documents at the top of each ranking."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.grouping import judgments_of
from irevalcli.index.top_documents import TopDocuments, numbered_alike
from irevalcli.stats.rank_correlation import tau_ap
from irevalcli.stats.rbo import rbo, untied

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

PERSISTENCE = 0.9
"""The p of RBO."""


class Shown(NamedTuple):
    """What a run shows.

    Attributes:
        qids: the queries of the judgments, in byte order.
        top: the first documents of every ranking.
        unjudged: per query of the judgments, how many of the documents down to some depth have no judgment.
    """

    qids: list[bytes]
    top: TopDocuments
    unjudged: Positions


class Likeness(NamedTuple):
    """How alike two rankings of each query are. All arrays have one value per query.

    Attributes:
        depth: down to which rank the overlap and unjudged documents are counted.
        ranks: down to which rank RBO and τ_AP look.
        overlap: how many documents both rankings have down to `depth`.
        size: how many the longer of them has there.
        rbo: rank-biased overlap, extrapolated; NaN if both rankings are empty.
        tau_ap: τ_AP of the order in which the second ranking has the documents of both, the first being the truth;
            NaN if they share fewer than two.
        unjudged: of the first and of the second ranking, how many documents down to `depth` have no judgment.
        same: whether both rankings are the same, down to `ranks`.
    """

    depth: int
    ranks: int
    overlap: Positions
    size: Positions
    rbo: Floats
    tau_ap: Floats
    unjudged: tuple[Positions, Positions]
    same: Bools


def shown_by(ranking: Ranking, depth: int, *, judged_only: bool) -> Shown:
    """What a ranking, read with its top documents, shows.

    Args:
        ranking: of a run.
        depth: down to which rank unjudged documents are counted.
        judged_only: leave unjudged documents out.
    """
    seen = ranking.judged_only() if judged_only else ranking
    top = seen.top_documents or TopDocuments.of(0, [])
    judged = np.bincount(seen.query[(seen.rank <= depth) & (seen.grade >= 0)], minlength=seen.num_queries)
    return Shown(judgments_of(seen).qids, top, np.minimum(seen.retrieved, depth) - judged)


def likeness(first: Shown, second: Shown, qids: Sequence[bytes], depth: int, ranks: int) -> Likeness:
    """How alike the rankings of some queries are.

    Args:
        first: what one run shows.
        second: what the other shows, joined with the same judgments.
        qids: the queries.
        depth: down to which rank the overlap is counted.
        ranks: down to which rank RBO and τ_AP look.
    """
    place = {qid: index for index, qid in enumerate(first.qids)}
    chosen = np.array([place[qid] for qid in qids], np.int64)
    numbers = numbered_alike(first.top, second.top)
    bounds = np.arange(len(first.qids) + 1)
    starts = [np.searchsorted(shown.top.query, bounds).tolist() for shown in (first, second)]
    overlap, size, biased, tau = [], [], [], []
    same = np.ones(chosen.size, np.bool_)
    for row, index in enumerate(chosen.tolist()):
        one, other = (of_run[begin[index] : begin[index + 1]] for of_run, begin in zip(numbers, starts, strict=True))
        overlap.append(np.intersect1d(one[:depth], other[:depth], assume_unique=True).size)
        size.append(min(max(one.size, other.size), depth))
        one, other = one[:ranks], other[:ranks]
        same[row] = np.array_equal(one, other)
        if same[row]:
            biased.append(1.0 if one.size else math.nan)
            tau.append(1.0 if one.size > 1 else math.nan)
            continue
        biased.append(rbo(untied(one), untied(other), PERSISTENCE).ext)
        tau.append(_order_of_common(one, other))
    return Likeness(
        depth,
        ranks,
        np.array(overlap, np.int64),
        np.array(size, np.int64),
        np.array(biased, np.float64),
        np.array(tau, np.float64),
        (first.unjudged[chosen], second.unjudged[chosen]),
        same,
    )


def _order_of_common(one: Positions, other: Positions) -> float:
    """τ_AP of the common documents in the order of `other`, that of `one` being the truth."""
    _, in_one, in_other = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    if in_one.size < 2:
        return math.nan
    value = tau_ap((-in_one).astype(np.float64), (-in_other).astype(np.float64)).value
    return math.nan if value is None else value
