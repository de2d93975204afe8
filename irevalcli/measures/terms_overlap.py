"""Overlap with an ideal ranking, as a sum over ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures import overlap
from irevalcli.measures.terms import Amount, Ideal, Quantity, Terms, sum_over_ranks

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking


@sum_over_ranks(overlap.compatibility)
def compatibility(ranking: Ranking, *, p: float, normalize: bool) -> Terms:
    """The weight of the depths at which both rankings have reached each document."""
    position, size = overlap.ideal_positions(ranking)
    weights = overlap.DepthWeights(ranking.retrieved, size, p)
    hits = np.flatnonzero(position)
    both_from = np.zeros(ranking.rank.size, np.int64)
    both_from[hits] = np.maximum(ranking.rank[hits], position[hits])
    terms = np.zeros(ranking.rank.size)
    terms[hits] = weights.below(ranking.query[hits], both_from[hits])
    quantities = Quantity("ideal rank", position), Quantity("in both from", both_from)
    if not normalize:
        divisor = Amount("sum of the weights of all depths", weights.total)
        return Terms(quantities, terms, "overlap", divisor=divisor)
    query, gain = ranking.judgments.grades_descending
    place = np.arange(query.size) - (np.cumsum(size) - size)[query] + 1
    best = weights.below(query, place)
    divisor = Amount("overlap of the ideal ranking with itself", np.bincount(query, best, ranking.num_queries))
    return Terms(quantities, terms, "overlap", divisor=divisor, ideal=Ideal(query, gain, best))
