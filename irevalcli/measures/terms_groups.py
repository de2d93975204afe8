"""Means over sub-topics or judgment groups, as sums over ranks: what a document adds to all of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.index.subtopics import POSITIVE
from irevalcli.measures import diversity, groups
from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.binary import average_precision, precision_at, r_precision_at_multiple
from irevalcli.measures.terms import Amount, Quantity, Terms, decomposition, places, sum_over_ranks

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Measure
    from irevalcli.measures.terms import Decomposition

_UNJUDGED = -1.0


def _mean(ranking: Ranking, compute: Callable[..., object], parameters: dict[str, Any], *, all_groups: bool) -> Terms:
    """What each document adds to a measure of every group, all of them together.

    Args:
        ranking: the ranking.
        compute: the measure, which is a sum over ranks.
        parameters: its parameters.
        all_groups: whether groups without a relevant document count.
    """
    decompose = decomposition(compute)
    if decompose is None:
        raise TypeError(f"{compute} has no terms")
    grouped = ranking.by_group()
    every = grouped.ranking.every_rank(_UNJUDGED)
    terms: Terms = decompose(every, **parameters)
    level = parameters.get("rel")
    relevant = every.judgments.num_relevant(POSITIVE if level is None else level) > 0
    counted = np.ones_like(relevant) if all_groups else relevant
    adding = counted[every.query] & (terms.terms != 0)
    hit, known = places(ranking, grouped.query[every.query[adding]], every.rank[adding])
    added = terms.each(every.query)[adding]
    size = ranking.rank.size
    contributions = np.bincount(hit[known], added[known], size).astype(np.float64, copy=False)
    number = np.bincount(hit[known], minlength=size)
    name = "groups" if all_groups else "sub-topics"
    whole = "judgment groups" if all_groups else "M, the sub-topics with a relevant document"
    groups_of = np.bincount(grouped.query[counted], minlength=ranking.num_queries)
    addend = None
    if terms.addend is not None:
        rests = np.broadcast_to(terms.addend.values, counted.shape)[counted]
        rest = ratio(sums(grouped.query[counted], rests, ranking.num_queries), groups_of)
        addend = Amount(f"mean over {name} of {terms.addend.name}", rest)
    quantities = (Quantity(f"{name} that gain", number),)
    return Terms(quantities, contributions, f"sum over {name}", divisor=Amount(whole, groups_of), addend=addend)


def averaged(base: Measure) -> Decomposition | None:
    """The function that takes the intent-aware mean of a measure apart; None if the measure is no sum over ranks."""
    compute = base.compute
    if base.terms is None:
        return None

    def decompose(ranking: Ranking, **parameters: Any) -> Terms:  # noqa: ANN401
        return _mean(ranking, compute, parameters, all_groups=False)

    return decompose


@sum_over_ranks(diversity.average_precision_intent_aware)
def average_precision_intent_aware(ranking: Ranking, **parameters: Any) -> Terms:  # noqa: ANN401
    """What each document adds to the average precision of all sub-topics."""
    return _mean(ranking, average_precision, parameters, all_groups=False)


@sum_over_ranks(groups.average_precision_of_groups)
def average_precision_of_groups(ranking: Ranking, *, rel: float) -> Terms:
    """What each document adds to the average precision of all groups."""
    parameters = {"cutoff": None, "rel": rel, "denom": "R"}
    return _mean(ranking, average_precision, parameters, all_groups=True)


@sum_over_ranks(groups.precision_of_groups)
def precision_of_groups(ranking: Ranking, **parameters: Any) -> Terms:  # noqa: ANN401
    """What each document adds to the precision of all groups."""
    return _mean(ranking, precision_at, parameters, all_groups=True)


@sum_over_ranks(groups.r_precision_of_groups)
def r_precision_of_groups(ranking: Ranking, **parameters: Any) -> Terms:  # noqa: ANN401
    """What each document adds to the precision of all groups at a multiple of their relevant documents."""
    return _mean(ranking, r_precision_at_multiple, parameters, all_groups=True)
