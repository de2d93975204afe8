"""Measures as sums over ranks: what each rank adds, and what the sum is multiplied with or divided by.

Only explanations need this, so it stands beside the records: a function that takes a measure apart is registered, by
`sum_over_ranks`, for the function that computes the measure, and found through `Measure.terms`. A test holds each to
the other.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.intent_aware import AVERAGED

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

    Decomposition = Callable[..., "Terms"]

Function = TypeVar("Function", bound="Decomposition")

MODULES = (
    "terms_binary",
    "terms_graded",
    "terms_users",
    "terms_adaptive",
    "terms_diversity",
    "terms_groups",
    "terms_unjudged",
    "terms_two_dimensions",
    "terms_overlap",
)
"""Module names below `irevalcli.measures` that take the built-in measures apart."""

_DECOMPOSITIONS: dict[Callable[..., object], Decomposition] = {}


class Quantity(NamedTuple):
    """A number that a measure looks at, by the name that people give it.

    Attributes:
        name: a word or two, or a short formula.
        values: one per hit or per ideal place; whole numbers as integers.
    """

    name: str
    values: Floats | Positions


class Amount(NamedTuple):
    """A number by which a sum is multiplied or divided, or which is added to it.

    Attributes:
        name: what it is, in words.
        values: one per query, or one for all.
    """

    name: str
    values: Floats | Positions | float


class Ideal(NamedTuple):
    """The ideal ranking that a value is compared with, in order of query, then place.

    Attributes:
        query: per place, the index of its query.
        gain: per place, what the document there is worth.
        terms: per place, what it adds to the ideal's sum.
    """

    query: Positions
    gain: Floats
    terms: Floats


class Terms(NamedTuple):
    """A measure of a ranking as a sum over ranks.

    Attributes:
        quantities: what the contribution of a hit is made of, one value per hit each.
        terms: per hit of the ranking, its contribution; 0 for hits that add nothing.
        total: what the sum of the contributions is called.
        factor: what the sum is multiplied with, or None.
        divisor: what it is divided by then, or None. The quotient is 0 where this is 0.
        addend: what is added at last, for what stands at no rank of the list, or None.
        ideal: the ideal ranking, if the measure knows one.
    """

    quantities: tuple[Quantity, ...]
    terms: Floats
    total: str
    factor: Amount | None = None
    divisor: Amount | None = None
    addend: Amount | None = None
    ideal: Ideal | None = None

    def scaled(self, total: Floats) -> Floats:
        """Sums of contributions, one per query, as values of the measure."""
        if self.factor is not None:
            total = self.factor.values * total
        if self.divisor is not None:
            total = ratio(total, np.broadcast_to(np.asarray(self.divisor.values), total.shape))
        return total if self.addend is None else self.addend.values + total

    def each(self, query: Positions) -> Floats:
        """What every contribution is of the value itself; `query` has the index of its query."""
        terms = self.terms
        if self.factor is not None:
            terms = _by_hit(self.factor, query) * terms
        if self.divisor is not None:
            terms = ratio(terms, np.broadcast_to(_by_hit(self.divisor, query), terms.shape))
        return terms

    def values(self, ranking: Ranking) -> Floats:
        """Per query, the measure, from contributions added in rank order."""
        return self.scaled(sums(ranking.query, self.terms, ranking.num_queries))


def _by_hit(amount: Amount, query: Positions) -> Floats:
    values = np.asarray(amount.values, np.float64)
    return values[query] if values.ndim else values


def sum_over_ranks(compute: Callable[..., object]) -> Callable[[Function], Function]:
    """A decorator that registers the decomposition of the measure computed by `compute`.

    The decorated function takes a ranking and the measure's parameters, and returns the `Terms`. An unjudged document
    may be among the hits, with the grade -1 and the place -1 in `listed`; where every rank is a hit, all of them are.
    """

    def register(decompose: Function) -> Function:
        _DECOMPOSITIONS[compute] = decompose
        return decompose

    return register


def decomposition(compute: Callable[..., object]) -> Decomposition | None:
    """The function that takes apart what `compute` computes, or None if that is no sum over ranks."""
    for name in MODULES:
        import_module(f"irevalcli.measures.{name}")
    if compute in AVERAGED:
        from irevalcli.measures.terms_groups import averaged  # noqa: PLC0415  (it imports this module)

        return averaged(AVERAGED[compute])
    # What a plugin computes is checked by a function around its own.
    return _DECOMPOSITIONS.get(getattr(compute, "__wrapped__", compute))


def places(ranking: Ranking, query: Positions, rank: Positions) -> tuple[Positions, Bools]:
    """The hit at each rank of a query, and whether there is one; the place of one that there is not means nothing."""
    stride = int(max(ranking.rank.max(initial=0), rank.max(initial=0))) + 1
    known, wanted = ranking.query * stride + ranking.rank, query * stride + rank
    place = np.searchsorted(known, wanted)
    found = np.append(known, -1)[place] == wanted
    return place, found


def down_to(cutoff: int | None, ranking: Ranking, terms: Floats) -> Floats:
    """The terms of the hits at `cutoff` or above, 0 for the others; all of them if it is None."""
    return terms if cutoff is None else np.where(ranking.rank <= cutoff, terms, 0.0)
