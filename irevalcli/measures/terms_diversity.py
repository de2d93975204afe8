"""Measures of novelty over sub-topics, as sums over ranks: what a document adds to those above it, discounted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.subtopics import covered, ideal, num_subtopics
from irevalcli.measures import diversity
from irevalcli.measures.arithmetic import powers
from irevalcli.measures.diversity import discounted, logarithmic, most_of_subtopic, reciprocal
from irevalcli.measures.terms import Amount, Ideal, Quantity, Terms, down_to, places, sum_over_ranks

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.diversity import Discount
    from irevalcli.reading.arrays import Floats, Positions

_M = "M, the sub-topics with a relevant document"
_LOGARITHMIC, _RECIPROCAL, _GEOMETRIC = "1/log2(rank + 1)", "1/rank", "beta^(rank - 1)"


class _Novelty:
    """What every hit of a ranking covers, how much of it is new, and what that adds to a sum over ranks."""

    def __init__(self, ranking: Ranking, alpha: float, rel: float) -> None:
        rows = covered(ranking, rel)
        self.ranking = ranking
        self.rank = rows.rank
        self.hit = places(ranking, rows.query, rows.rank)[0]
        self.gain = powers(1.0 - alpha, int(rows.seen.max(initial=0)) + 1)[rows.seen]
        self.subtopics = self._count(np.ones(rows.rank.size))
        self.new = self._count(rows.seen == 0)

    def _count(self, chosen: Floats) -> Positions:
        return self._by_hit(chosen).astype(np.int64)

    def _by_hit(self, values: Floats) -> Floats:
        return np.bincount(self.hit, values, self.ranking.rank.size).astype(np.float64, copy=False)

    def discounted(self, discount: Discount, name: str, cutoff: int | None) -> tuple[tuple[Quantity, ...], Floats]:
        """The quantities, and the discounted novelty gain of every hit."""
        each = discount(int(self.ranking.rank.max(initial=1)))
        quantities = (
            Quantity("sub-topics", self.subtopics),
            Quantity("new ones", self.new),
            Quantity("novelty gain", self._by_hit(self.gain)),
            Quantity(name, each[self.ranking.rank - 1]),
        )
        return quantities, down_to(cutoff, self.ranking, self._by_hit(self.gain * each[self.rank - 1]))


def _of_subtopics(
    ranking: Ranking, name: str, discount: Discount, *, cutoff: int | None, alpha: float, rel: float
) -> Terms:
    quantities, terms = _Novelty(ranking, alpha, rel).discounted(discount, name, cutoff)
    return Terms(quantities, terms, "discounted novelty gains")


def _of_ideal(
    ranking: Ranking, name: str, discount: Discount, *, cutoff: int | None, alpha: float, rel: float
) -> Terms:
    """The discounted novelty gains, beside those of the greedy ideal ranking."""
    best = ideal(ranking, rel, alpha)
    order = np.argsort(best.query, kind="stable")
    if cutoff is not None:
        order = order[best.rank[order] <= cutoff]
    query, rank, gain = best.query[order], best.rank[order], best.gain[order]
    most = discounted((query, rank, gain), discount, None, ranking.num_queries)
    terms = _of_subtopics(ranking, name, discount, cutoff=cutoff, alpha=alpha, rel=rel)
    return terms._replace(
        divisor=Amount("that of the ideal ranking", most),
        ideal=Ideal(query, gain, gain * discount(int(rank.max(initial=1)))[rank - 1]),
    )


def _of_everything(
    ranking: Ranking,
    measure: str,
    name: str,
    discount: Discount,
    *,
    cutoff: int | None,
    alpha: float,
    rel: float,
) -> Terms:
    """The discounted novelty gains, as a share of those if every document were relevant to every sub-topic."""
    terms = _of_subtopics(ranking, name, discount, cutoff=cutoff, alpha=alpha, rel=rel)
    most = most_of_subtopic(discount, measure, cutoff=cutoff, alpha=alpha)
    possible = num_subtopics(ranking, rel).astype(np.float64) * most
    return terms._replace(divisor=Amount("the same if all documents were relevant to all sub-topics", possible))


@sum_over_ranks(diversity.err_intent_aware)
def err_intent_aware(ranking: Ranking, *, cutoff: int | None, alpha: float, rel: float) -> Terms:
    """The novelty gain of each document by reciprocal rank."""
    return _of_everything(ranking, "ERR_IA", _RECIPROCAL, reciprocal, cutoff=cutoff, alpha=alpha, rel=rel)


@sum_over_ranks(diversity.alpha_dcg)
def alpha_dcg(ranking: Ranking, *, cutoff: int | None, alpha: float, rel: float) -> Terms:
    """The novelty gain of each document by logarithmic discount."""
    return _of_everything(ranking, "alpha_DCG", _LOGARITHMIC, logarithmic, cutoff=cutoff, alpha=alpha, rel=rel)


@sum_over_ranks(diversity.normalised_err_intent_aware)
def normalised_err_intent_aware(ranking: Ranking, *, cutoff: int | None, alpha: float, rel: float) -> Terms:
    """The novelty gain of each document by reciprocal rank, beside an ideal ranking."""
    return _of_ideal(ranking, _RECIPROCAL, reciprocal, cutoff=cutoff, alpha=alpha, rel=rel)


@sum_over_ranks(diversity.alpha_ndcg)
def alpha_ndcg(ranking: Ranking, *, cutoff: int | None, alpha: float, rel: float) -> Terms:
    """The novelty gain of each document by logarithmic discount, beside an ideal ranking."""
    return _of_ideal(ranking, _LOGARITHMIC, logarithmic, cutoff=cutoff, alpha=alpha, rel=rel)


@sum_over_ranks(diversity.normalised_nrbp)
def normalised_nrbp(ranking: Ranking, *, alpha: float, beta: float, rel: float) -> Terms:
    """The novelty gain of each document by geometric discount, beside an ideal ranking."""
    return _of_ideal(ranking, _GEOMETRIC, lambda depth: powers(beta, depth), cutoff=None, alpha=alpha, rel=rel)


@sum_over_ranks(diversity.nrbp)
def nrbp(ranking: Ranking, *, alpha: float, beta: float, rel: float) -> Terms:
    """The novelty gain of each document by geometric discount."""
    terms = _of_subtopics(ranking, _GEOMETRIC, lambda depth: powers(beta, depth), cutoff=None, alpha=alpha, rel=rel)
    factor = Amount("1 - (1 - alpha)·beta", 1.0 - (1.0 - alpha) * beta)
    return terms._replace(factor=factor, divisor=Amount(_M, num_subtopics(ranking, rel)))


@sum_over_ranks(diversity.subtopic_recall)
def subtopic_recall(ranking: Ranking, *, cutoff: int | None, rel: float) -> Terms:
    """The number of sub-topics that each document is the first to cover."""
    novelty = _Novelty(ranking, 0.0, rel)
    terms = down_to(cutoff, ranking, novelty.new.astype(np.float64))
    quantities = (Quantity("sub-topics", novelty.subtopics),)
    return Terms(quantities, terms, "sub-topics found", divisor=Amount(_M, num_subtopics(ranking, rel)))


@sum_over_ranks(diversity.precision_intent_aware)
def precision_intent_aware(ranking: Ranking, *, cutoff: int, rel: float) -> Terms:
    """The number of sub-topics that each document is relevant to."""
    terms = down_to(cutoff, ranking, _Novelty(ranking, 0.0, rel).subtopics.astype(np.float64))
    divisor = Amount("k·M, M = sub-topics with a relevant document", cutoff * num_subtopics(ranking, rel))
    return Terms((), terms, "sub-topics of all documents", divisor=divisor)
