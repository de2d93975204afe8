"""Measures averaged over all orders of documents with equal scores, in closed form (McSherry and Najork, ECIR 2008).

Only ``--ties average`` needs this, so it stands beside the records: a function that averages a measure is registered
for the function that computes it, and found through `Measure.tie_average`. Within a tie every order is as likely as any
other, so that each of its ranks holds the mean of what the documents of the tie are worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from irevalcli.index.ties import Ties
from irevalcli.measures import binary, counts, graded, rbp, recommender, sdcg
from irevalcli.measures.arithmetic import powers, ratio, running_products, sums
from irevalcli.measures.gains import GainRule, divisors, gained, highest_grade

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

    Average = Callable[..., Floats]

Function = TypeVar("Function", bound="Average")

# Ranks laid out at a time where every rank of a tie counts on its own.
_BLOCK = 1 << 18

_AVERAGES: dict[Callable[..., object], Average] = {}


def average_of(compute: Callable[..., object]) -> Average | None:
    """The function that averages what `compute` computes over the orders of ties, or None if there is none."""
    return _AVERAGES.get(compute)


def _averages(compute: Callable[..., Any]) -> Callable[[Function], Function]:
    """A decorator that registers a function as the average over ties of what `compute` computes.

    Queries in which no hit is tied keep the very value that `compute` gives.
    """

    def register(average: Function) -> Function:
        def over_orders(ranking: Ranking, **parameters: Any) -> Floats:  # noqa: ANN401
            plain: Floats = compute(ranking, **parameters)
            matter = Ties.of(ranking).matter
            return np.where(matter, average(ranking, **parameters), plain) if matter.any() else plain

        _AVERAGES[compute] = over_orders
        return average

    return register


class _Stretches:
    """Sums over neighbouring ranks, as exact as if each were added up by itself."""

    def __init__(self, terms: Floats) -> None:
        running = np.add.accumulate(np.append(0.0, terms))
        before, after = running[:-1], running[1:]
        added = after - before
        lost = (before - (after - added)) + (terms - added)
        self._running, self._lost = running, np.add.accumulate(np.append(0.0, lost))

    def sums(self, above: Positions, count: Positions) -> Floats:
        """The sum of `count` terms, beginning after the first `above`."""
        below = above + count
        total: Floats = (self._running[below] - self._running[above]) + (self._lost[below] - self._lost[above])
        return total


def _ranks(ties: Ties) -> Positions:
    """All ranks from 1 to the last one of a tie."""
    return np.arange(1, int((ties.above + ties.size).max(initial=0)) + 1)


def _expected(
    ranking: Ranking, values: Floats | Bools, weights: Floats | None, cutoff: int | Positions | None
) -> Floats:
    """Per query, the expected sum of weight times value over the ranks down to the cutoff.

    Args:
        ranking: the ranking.
        values: one for each hit; all other documents have 0.
        weights: one for each rank, or None if all weigh 1.
        cutoff: one for all queries or one each; None for the end of the ranking.
    """
    ties = Ties.of(ranking)
    seen = ties.seen(cutoff)
    attention = seen if weights is None else _Stretches(weights).sums(ties.above, seen)
    return sums(ties.query, ties.total(values) * attention / ties.size, ties.num_queries)


# Relevant or not.


@_averages(binary.precision_at)
def _precision(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    return _expected(ranking, ranking.grade >= rel, None, cutoff) / cutoff


@_averages(recommender.hits_at)
def _hits(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    return _expected(ranking, ranking.grade >= rel, None, cutoff)


@_averages(binary.recall_at)
def _recall(ranking: Ranking, *, cutoff: int, rel: float = 1, capped: bool = False) -> Floats:
    wanted = ranking.judgments.num_relevant(rel)
    found = _expected(ranking, ranking.grade >= rel, None, cutoff)
    return ratio(found, np.minimum(wanted, cutoff) if capped else wanted)


@_averages(binary.r_precision)
def _r_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    wanted = ranking.judgments.num_relevant(rel)
    return ratio(_expected(ranking, ranking.grade >= rel, None, wanted), wanted)


@_averages(recommender.f_measure)
def _f(
    ranking: Ranking, *, cutoff: int | None = None, beta: float = 1, alpha: float | None = None, rel: float = 1
) -> Floats:
    # F is c/(α·k + (1 − α)·R): in proportion to c, the relevant documents that were found.
    weight = 1.0 / (1.0 + beta * beta) if alpha is None else alpha
    found = _expected(ranking, ranking.grade >= rel, None, cutoff)
    shown = ranking.retrieved if cutoff is None else cutoff
    return ratio(found, weight * shown + (1.0 - weight) * ranking.judgments.num_relevant(rel))


@_averages(binary.average_precision)
def _average_precision(ranking: Ranking, *, cutoff: int | None = None, rel: float = 1, denom: str = "R") -> Floats:
    ties = Ties.of(ranking)
    relevant, seen = ties.total(ranking.grade >= rel), ties.seen(cutoff)
    running = np.cumsum(relevant) - relevant
    first = np.searchsorted(ties.query, np.arange(ties.num_queries))
    found = running - np.append(running, 0.0)[first][ties.query]
    # A relevant document at the j-th rank of its tie has found + 1 + (j − 1)·share relevant ones down to its rank.
    share = ratio(relevant - 1.0, ties.size - 1)
    reciprocals = _Stretches(1.0 / _ranks(ties)).sums(ties.above, seen)
    precisions = share * seen + (found + 1.0 - share * (ties.above + 1)) * reciprocals
    total = sums(ties.query, relevant / ties.size * precisions, ties.num_queries)
    wanted = ranking.judgments.num_relevant(rel)
    return ratio(total, wanted if denom == "R" or cutoff is None else np.minimum(wanted, cutoff))


@_averages(binary.reciprocal_rank)
def _reciprocal_rank(ranking: Ranking, *, cutoff: int | None = None, rel: float = 1) -> Floats:
    total = np.zeros(ranking.num_queries)
    for query, rank, chance in _first_relevant(ranking, rel, cutoff):
        total += sums(query, chance / rank, ranking.num_queries)
    return total


@_averages(binary.success_at)
def _success(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    total = np.zeros(ranking.num_queries)
    for query, _, chance in _first_relevant(ranking, rel, cutoff):
        total += sums(query, chance, ranking.num_queries)
    return np.minimum(total, 1.0)


def _first_relevant(ranking: Ranking, rel: float, cutoff: int | None) -> Iterator[tuple[Positions, Positions, Floats]]:
    """Query, rank and chance of every rank that may hold the first relevant document, some queries at a time."""
    ties = Ties.of(ranking)
    relevant = ties.total(ranking.grade >= rel)
    holding = np.flatnonzero(relevant > 0)
    holding = holding[np.unique(ties.query[holding], return_index=True)[1]]
    query, above, size = ties.query[holding], ties.above[holding], ties.size[holding]
    wanted = relevant[holding].astype(np.int64)
    places = np.minimum(size - wanted + 1, ties.seen(cutoff)[holding])
    ends = np.cumsum(places)
    begin = 0
    while begin < holding.size:
        done = int(ends[begin] - places[begin])
        end = max(int(np.searchsorted(ends, done + _BLOCK, "right")), begin + 1)
        row = np.repeat(np.arange(begin, end), places[begin:end])
        offsets = np.append(0, ends[begin:end] - done)
        place = np.arange(row.size) - offsets[row - begin]
        # After `place` ranks without one, the next holds one of `wanted` relevant among size − place documents.
        left = size[row] - place
        passed = np.where(place == 0, 1.0, (left + 1 - wanted[row]) / (left + 1))
        yield query[row], above[row] + place + 1, running_products(passed, offsets) * wanted[row] / left
        begin = end


# Judged or not.


@_averages(counts.judged_at)
def _judged(ranking: Ranking, *, cutoff: int) -> Floats:
    return ratio(_expected(ranking, ranking.grade >= 0, None, cutoff), np.minimum(ranking.retrieved, cutoff))


@_averages(counts.unjudged_at)
def _unjudged(ranking: Ranking, *, cutoff: int) -> Floats:
    judged = _expected(ranking, ranking.grade >= 0, None, cutoff)
    return (np.minimum(ranking.retrieved, cutoff) - judged) / cutoff


# Graded.


@_averages(graded.cumulated_gain)
def _cumulated_gain(ranking: Ranking, *, cutoff: int | None = None, **rule: Any) -> Floats:  # noqa: ANN401
    return _expected(ranking, GainRule(**rule).of(ranking.grade), None, cutoff)


@_averages(graded.discounted_gain)
def _discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    discount: str = "log2",
    base: float = 2.0,
    **rule: Any,  # noqa: ANN401
) -> Floats:
    weights = 1.0 / divisors(_ranks(Ties.of(ranking)), base if discount == "jk" else None)
    return _expected(ranking, GainRule(**rule).of(ranking.grade), weights, cutoff)


@_averages(graded.normalized_discounted_gain)
def _normalized_discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    discount: str = "log2",
    base: float = 2.0,
    ideal: str = "cut",
    **rule: Any,  # noqa: ANN401
) -> Floats:
    found = _discounted_gain(ranking, cutoff=cutoff, discount=discount, base=base, **rule)
    gains = gained(ranking, GainRule(**rule))
    last = cutoff if ideal == "cut" else None
    return ratio(found, graded.ideal_dcg(gains, last, base if discount == "jk" else None))


@_averages(sdcg.scaled_discounted_gain)
def _scaled_discounted_gain(ranking: Ranking, *, cutoff: int, max_rel: float | None = None) -> Floats:
    highest = highest_grade(ranking, "SDCG", max_rel)
    discounted = _discounted_gain(ranking, cutoff=cutoff)
    possible = float(np.add.accumulate(1.0 / divisors(np.arange(1, cutoff + 1)))[-1])
    return ratio(discounted, np.full(discounted.size, highest)) / possible


@_averages(rbp.rank_biased_precision)
def _rank_biased_precision(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    p: float = 0.8,
    gain: str = "binary",
    rel: float = 1,
    max_rel: float | None = None,
    scale: str = "qrels",
) -> Floats:
    values: Floats = (ranking.grade >= rel).astype(np.float64) if gain == "binary" else GainRule().of(ranking.grade)
    if gain == "scaled":
        highest = highest_grade(ranking, "RBP", max_rel)
        by_query = rbp.highest_grades(ranking) if scale == "query" else np.full(ranking.num_queries, highest)
        values = ratio(values, by_query[ranking.query])
    weights = powers(p, _ranks(Ties.of(ranking)).size)
    return (1.0 - p) * _expected(ranking, values, weights, cutoff)
