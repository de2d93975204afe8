"""Measures of documents that are relevant or not, as sums over ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures import binary, counts, judged, recommender, sets
from irevalcli.measures.accuracy import pairwise_accuracy
from irevalcli.measures.arithmetic import log2_table, ratio, whole_numbers
from irevalcli.measures.terms import Amount, Quantity, Terms, down_to, sum_over_ranks

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

_R = "R, the relevant documents in the qrels"


def _relevant(ranking: Ranking, rel: float) -> Bools:
    relevant: Bools = ranking.grade >= rel
    return relevant


def _up_to_here(ranking: Ranking, counted: Bools) -> Positions:
    """Per hit, how many of the counted ones stand at its rank or above."""
    running = np.append(0, np.cumsum(counted))
    count: Positions = running[1:] - running[ranking.offsets[ranking.query]]
    return count


def _found(ranking: Ranking, rel: float, depth: Positions | int | None) -> Floats:
    """1 for each relevant hit at `depth` or above, which may be different for every query."""
    found = _relevant(ranking, rel)
    if depth is not None:
        found &= ranking.rank <= np.broadcast_to(depth, ranking.num_queries)[ranking.query]
    return found.astype(np.float64)


def _counting(ranking: Ranking, rel: float, depth: Positions | int | None, divisor: Amount | None = None) -> Terms:
    return Terms((), _found(ranking, rel, depth), "relevant documents found", divisor=divisor)


def _first(ranking: Ranking, rel: float) -> Bools:
    relevant = _relevant(ranking, rel)
    first: Bools = relevant & (_up_to_here(ranking, relevant) == 1)
    return first


@sum_over_ranks(binary.average_precision)
def average_precision(ranking: Ranking, *, cutoff: int | None, rel: float, denom: str) -> Terms:
    """The precision at each relevant document."""
    relevant = _relevant(ranking, rel)
    count = _up_to_here(ranking, relevant)
    precision = count / ranking.rank
    terms = down_to(cutoff, ranking, np.where(relevant, precision, 0.0))
    wanted, name = ranking.judgments.num_relevant(rel), _R
    if denom == "min":
        if cutoff is None:
            raise UsageProblem("AP(denom=min) needs a cutoff, such as AP(denom=min)@10")
        wanted, name = np.minimum(wanted, cutoff), "the smaller of cutoff and R"
    quantities = Quantity("relevant so far", count), Quantity("precision", precision)
    return Terms(quantities, terms, "sum of precision", divisor=Amount(name, wanted))


@sum_over_ranks(binary.reciprocal_rank)
def reciprocal_rank(ranking: Ranking, *, cutoff: int | None, rel: float) -> Terms:
    """The reciprocal rank of the first relevant document."""
    reciprocal = 1.0 / ranking.rank
    terms = down_to(cutoff, ranking, np.where(_first(ranking, rel), reciprocal, 0.0))
    return Terms((Quantity("1/rank", reciprocal),), terms, "reciprocal of the first relevant rank")


@sum_over_ranks(binary.precision_at)
def precision_at(ranking: Ranking, *, cutoff: int, rel: float) -> Terms:
    """1 for each relevant document."""
    return _counting(ranking, rel, cutoff, Amount("k, the cutoff", cutoff))


@sum_over_ranks(binary.recall_at)
def recall_at(ranking: Ranking, *, cutoff: int, rel: float, capped: bool) -> Terms:
    """1 for each relevant document."""
    wanted = ranking.judgments.num_relevant(rel)
    divisor = Amount("the smaller of cutoff and R", np.minimum(wanted, cutoff)) if capped else Amount(_R, wanted)
    return _counting(ranking, rel, cutoff, divisor)


@sum_over_ranks(binary.success_at)
def success_at(ranking: Ranking, *, cutoff: int, rel: float) -> Terms:
    """1 for the first relevant document."""
    terms = down_to(cutoff, ranking, _first(ranking, rel).astype(np.float64))
    return Terms((), terms, "first relevant document found")


@sum_over_ranks(binary.r_precision)
def r_precision(ranking: Ranking, *, rel: float) -> Terms:
    """1 for each relevant document among the first R."""
    wanted = ranking.judgments.num_relevant(rel)
    return _counting(ranking, rel, wanted, Amount(_R, wanted))


@sum_over_ranks(binary.r_precision_at_multiple)
def r_precision_at_multiple(ranking: Ranking, *, multiple: float, rel: float) -> Terms:
    """1 for each relevant document among the first m."""
    depth = whole_numbers(multiple * ranking.judgments.num_relevant(rel) + 0.9)
    return _counting(ranking, rel, depth, Amount("m = ⌊x·R + 0.9⌋", depth))


@sum_over_ranks(binary.binary_g)
def binary_g(ranking: Ranking, *, rel: float) -> Terms:
    """The discount of each relevant document by the non-relevant ones above it."""
    relevant = _relevant(ranking, rel)
    above = ranking.rank - _up_to_here(ranking, relevant)
    discount = 1.0 / log2_table(int(above.max(initial=0)) + 2)[above + 2]
    terms = np.where(relevant, discount, 0.0)
    quantities = Quantity("non-relevant so far", above), Quantity("1/log2(2 + those)", discount)
    return Terms(quantities, terms, "sum of discounts", divisor=Amount(_R, ranking.judgments.num_relevant(rel)))


@sum_over_ranks(recommender.hits_at)
def hits_at(ranking: Ranking, *, cutoff: int, rel: float) -> Terms:
    """1 for each relevant document."""
    return _counting(ranking, rel, cutoff)


@sum_over_ranks(counts.number_relevant_retrieved)
def number_relevant_retrieved(ranking: Ranking, *, rel: float) -> Terms:
    """1 for each relevant document."""
    return _counting(ranking, rel, None)


@sum_over_ranks(sets.set_precision)
def set_precision(ranking: Ranking, *, rel: float) -> Terms:
    """1 for each relevant document."""
    return _counting(ranking, rel, None, Amount("n, the documents retrieved", ranking.retrieved))


@sum_over_ranks(sets.set_recall)
def set_recall(ranking: Ranking, *, rel: float) -> Terms:
    """1 for each relevant document."""
    return _counting(ranking, rel, None, Amount(_R, ranking.judgments.num_relevant(rel)))


@sum_over_ranks(sets.set_relative_precision)
def set_relative_precision(ranking: Ranking, *, rel: float) -> Terms:
    """1 for each relevant document."""
    possible = np.minimum(ranking.retrieved, ranking.judgments.num_relevant(rel))
    return _counting(ranking, rel, None, Amount("the smaller of n, the documents retrieved, and R", possible))


@sum_over_ranks(counts.judged_at)
def judged_at(ranking: Ranking, *, cutoff: int) -> Terms:
    """1 for each judged document."""
    looked_at = np.minimum(ranking.retrieved, cutoff)
    divisor = Amount("the smaller of cutoff and documents retrieved", looked_at)
    return Terms((), _found(ranking, 0, cutoff), "judged documents found", divisor=divisor)


@sum_over_ranks(judged.binary_preference)
def binary_preference(ranking: Ranking, *, rel: float) -> Terms:
    """For each relevant document, the share of judged non-relevant ones that are not above it."""
    relevant, judged_ = _relevant(ranking, max(rel, 0.0)), ranking.grade >= 0
    wanted = ranking.judgments.num_relevant(rel)
    limit = np.minimum(ranking.judgments.num_judged_nonrelevant(rel), wanted)
    above = _up_to_here(ranking, judged_ & ~relevant)
    share = 1.0 - ratio(np.minimum(above, wanted[ranking.query]), limit[ranking.query])
    terms = np.where(relevant, share, 0.0)
    quantities = Quantity("judged non-relevant so far", above), Quantity("min(R, N)", limit[ranking.query])
    return Terms(quantities, terms, "sum over relevant documents", divisor=Amount(_R, wanted))


@sum_over_ranks(judged.inferred_average_precision)
def inferred_average_precision(ranking: Ranking, *, rel: float) -> Terms:
    """The expected precision at each relevant document."""
    relevant, sampled = _relevant(ranking, max(rel, 0.0)), ranking.grade >= 0
    found = _up_to_here(ranking, relevant) - relevant
    others = _up_to_here(ranking, sampled & ~relevant)
    pooled = _up_to_here(ranking, ~sampled & (ranking.listed >= 0))
    rank = ranking.rank.astype(np.float64)
    judged_above = found + others
    pooled_share = ratio(judged_above + pooled, rank - 1.0)
    relevant_share = (found + judged.SMOOTHING) / (judged_above + 2 * judged.SMOOTHING)
    expected = 1.0 / rank + (rank - 1.0) / rank * pooled_share * relevant_share
    quantities = (
        Quantity("relevant above", found),
        Quantity("pooled above", judged_above + pooled),
        Quantity("share of relevant above", relevant_share),
    )
    divisor = Amount(_R, ranking.judgments.num_relevant(rel))
    return Terms(quantities, np.where(relevant, expected, 0.0), "sum of expected precision", divisor=divisor)


@sum_over_ranks(pairwise_accuracy)
def accuracy(ranking: Ranking, *, cutoff: int | None, rel: float) -> Terms:
    """For each relevant document, the share of the other retrieved ones that are below it."""
    relevant = _found(ranking, rel, cutoff) > 0
    count = _up_to_here(ranking, relevant)
    found = np.bincount(ranking.query[relevant], minlength=ranking.num_queries)
    retrieved = ranking.retrieved if cutoff is None else np.minimum(ranking.retrieved, cutoff)
    above = ranking.rank - count
    below = 1.0 - ratio(above, (retrieved - found)[ranking.query])
    quantities = Quantity("not relevant so far", above), Quantity("share of those below", below)
    divisor = Amount("r, the relevant documents found", found)
    return Terms(quantities, np.where(relevant, below, 0.0), "sum over relevant documents", divisor=divisor)
