"""Measures of all that was retrieved, judged or not, as sums over ranks. Each rank has to be a hit of the ranking."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures import counts, rbp, recommender, sets
from irevalcli.measures.arithmetic import powers
from irevalcli.measures.terms import Amount, Quantity, Terms, down_to, sum_over_ranks

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking


@sum_over_ranks(counts.number_retrieved)
def number_retrieved(ranking: Ranking) -> Terms:
    """1 for each document."""
    return Terms((), np.ones(ranking.rank.size), "documents retrieved")


@sum_over_ranks(counts.unjudged_at)
def unjudged_at(ranking: Ranking, *, cutoff: int) -> Terms:
    """1 for each unjudged document."""
    terms = down_to(cutoff, ranking, (ranking.grade < 0).astype(np.float64))
    return Terms((), terms, "unjudged documents found", divisor=Amount("k, the cutoff", cutoff))


@sum_over_ranks(counts.number_judged_nonrelevant_retrieved)
def number_judged_nonrelevant_retrieved(ranking: Ranking, *, rel: float) -> Terms:
    """1 for each document that is judged and not relevant."""
    found = (ranking.grade >= 0) & (ranking.grade < rel)
    return Terms((), found.astype(np.float64), "judged non-relevant documents found")


@sum_over_ranks(rbp.rank_biased_residual)
def rank_biased_residual(ranking: Ranking, *, p: float) -> Terms:
    """The chance that the user gets to each unjudged document."""
    weights = powers(p, int(ranking.retrieved.max(initial=0)) + 1)
    here = weights[ranking.rank - 1]
    terms = np.where(ranking.grade < 0, here, 0.0)
    addend = Amount("p^n, for the ranks below the end", weights[ranking.retrieved])
    quantities = (Quantity("p^(rank - 1)", here),)
    return Terms(quantities, terms, "sum over unjudged ranks", factor=Amount("1 - p", 1.0 - p), addend=addend)


@sum_over_ranks(sets.utility)
def utility(ranking: Ranking, *, a: float, b: float, c: float, d: float, collection_size: int, rel: float) -> Terms:
    """The worth of each document."""
    relevant = ranking.grade >= max(rel, 0.0)
    found = np.bincount(ranking.query[relevant], minlength=ranking.num_queries)
    wanted = ranking.judgments.num_relevant(rel)
    others = collection_size + found - ranking.retrieved - wanted
    addend = Amount("worth of what was not retrieved", float(c) * (wanted - found) + float(d) * others)
    return Terms((), np.where(relevant, float(a), float(b)), "worth of what was retrieved", addend=addend)


@sum_over_ranks(recommender.mean_absolute_error)
def mean_absolute_error(ranking: Ranking) -> Terms:
    """How far the score of each judged document is from its grade."""
    judged = ranking.grade >= 0
    error = np.where(judged, ranking.score - ranking.grade, 0.0)
    number = np.bincount(ranking.query[judged], minlength=ranking.num_queries)
    quantities = (Quantity("score - grade", error),)
    return Terms(quantities, np.abs(error), "sum of errors", divisor=Amount("judged documents retrieved", number))
