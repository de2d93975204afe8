"""Measures of relevance and a further grade, as sums over ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures import two_dimensions
from irevalcli.measures.arithmetic import powers
from irevalcli.measures.terms import Amount, Quantity, Terms, down_to, sum_over_ranks
from irevalcli.measures.terms_binary import binary_preference

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats


def _of_hits(ranking: Ranking, of_listed: Floats, otherwise: float) -> Floats:
    """Values of listed documents by hit; `otherwise` for documents that the qrels lack."""
    known = ranking.listed >= 0
    values = np.full(ranking.rank.size, otherwise)
    values[known] = of_listed[ranking.listed[known]]
    return values


def _seen(ranking: Ranking, further: Floats, gain: Floats, *, cutoff: int | None, p: float, rel: float) -> Terms:
    """The gain of each relevant document, weighted by the chance that the user gets there."""
    gains = np.where(ranking.grade >= rel, _of_hits(ranking, gain, 0.0), 0.0)
    weights = powers(p, int(ranking.rank.max(initial=1)))[ranking.rank - 1]
    quantities = (
        Quantity("further grade", _of_hits(ranking, further, -1.0)),
        Quantity("gain", gains),
        Quantity("p^(rank - 1)", weights),
    )
    terms = down_to(cutoff, ranking, gains * weights)
    return Terms(quantities, terms, "sum of weighted gains", factor=Amount("1 - p", 1.0 - p))


@sum_over_ranks(two_dimensions.understandable_rank_biased_precision)
def understandable_rank_biased_precision(
    ranking: Ranking, *, cutoff: int | None, p: float, rel: float, grades: str | None
) -> Terms:
    """The further grade of each relevant document, weighted by the chance that the user gets there."""
    further = two_dimensions.further_of(ranking, "uRBP", grades)
    return _seen(ranking, further, np.maximum(further, 0.0), cutoff=cutoff, p=p, rel=rel)


@sum_over_ranks(two_dimensions.alpha_understandable_rank_biased_precision)
def alpha_understandable_rank_biased_precision(
    ranking: Ranking, *, cutoff: int | None, p: float, rel: float, grades: str | None, goal: float, var: float
) -> Terms:
    """How well each relevant document suits the user, weighted by the chance that the user gets there."""
    further = two_dimensions.further_of(ranking, "alpha_uRBP", grades)
    return _seen(ranking, further, two_dimensions.suited(further, goal, var), cutoff=cutoff, p=p, rel=rel)


@sum_over_ranks(two_dimensions.understandable_binary_preference)
def understandable_binary_preference(ranking: Ranking, *, rel: float, grades: str | None) -> Terms:
    """The further grade of each relevant document, times the share of judged non-relevant ones not above it."""
    further = two_dimensions.further_of(ranking, "uBpref", grades)
    plain = binary_preference(ranking, rel=rel)
    weight = _of_hits(ranking, np.maximum(further, 0.0), 0.0)
    quantities = (
        Quantity("further grade", _of_hits(ranking, further, -1.0)),
        *plain.quantities,
        Quantity("share not above", plain.terms),
    )
    return plain._replace(quantities=quantities, terms=plain.terms * weight)
