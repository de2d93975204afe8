"""C/W/L: what a user can expect of a ranking, given how likely it is that the user goes on after each rank.

A model of the user is its continuation C(i): the chance that a user who examines rank i goes on to rank i + 1. Nobody
goes on after the last rank, `depth`. Then V(i) = C(1)···C(i − 1) is the chance that rank i is examined at all, ΣV the
number of documents that a user examines on average, and W(i) = V(i)/ΣV the share of the attention that rank i gets.

Unjudged documents and the ranks below the end of a list gain 0; `measures.bounds` says what else they might.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures.arithmetic import ratio, running_sums, sums
from irevalcli.measures.gains import gained, highest_grade
from irevalcli.measures.registry import Param, sequential_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

    Continuation = Callable[[Positions, Floats, Floats], Floats]

# What a matrix of queries and ranks may hold at a time: 256 KiB of doubles, so that several of them stay in the cache.
_BLOCK = 1 << 15

DEPTH = Param("depth", "int", 1000, "last rank that a user can get to", low=1, high=1_000_000)
MAX_REL = Param("max_rel", "float", None, "grade that gains 1; the highest of the qrels if not given", low=0)
REPORT = Param(
    "report",
    "str",
    "EU",
    "expected utility per document examined (EU) or in total (ETU), cost per document (EC) or in total (ETC), "
    "or number of documents examined (ED); totals and ED may be above 1",
    choices=("EU", "ETU", "EC", "ETC", "ED"),
)
SHARED = (MAX_REL, REPORT, DEPTH)
"""The parameters of every model."""

CWL = "cwl-eval 1.0.12, grades divided by 3"
"""What printed the values of examples."""

MOFFAT_BAILEY_SCHOLER_THOMAS = "moffat2017"
BEYOND_THE_END = (
    "cwl-eval lets users go on after the last rank when it counts totals, though not in EU: its ETU and ETC lack the "
    "share of those who would."
)
"""What sets the totals of cwl-eval apart, for every model with C > 0 at the last rank."""


class Expected(NamedTuple):
    """What a user can expect of each query.

    Attributes:
        utility: the sum of the gains that the user sees. float64[queries]
        depth: the number of documents that the user examines; each costs 1. float64[queries]
    """

    utility: Floats
    depth: Floats

    def report(self, which: str) -> Floats:
        """One value per query: one of the choices of `REPORT`."""
        if which == "EU":
            return ratio(self.utility, self.depth)
        if which == "ETU":
            return self.utility
        return np.ones(self.depth.size) if which == "EC" else self.depth


class ScaledGains:
    """The hits with a gain above 0 down to some depth, in order of query, then rank.

    Attributes:
        num_queries: number of queries.
        depth: the last rank looked at.
        query: per hit, the index of its query.
        rank: per hit, from 1.
        gain: per hit, above 0 and up to 1.
    """

    def __init__(self, num_queries: int, depth: int, hits: tuple[Positions, Positions, Floats]) -> None:
        query, rank, gain = hits
        seen = (rank <= depth) & (gain > 0)
        self.num_queries = num_queries
        self.depth = depth
        self.query, self.rank, self.gain = query[seen], rank[seen], gain[seen]

    @cached_property
    def offsets(self) -> Positions:
        """The first hit of each query, and their number. int64[queries + 1]."""
        return np.searchsorted(self.query, np.arange(self.num_queries + 1))

    @cached_property
    def total(self) -> Floats:
        """Per hit, the sum of the gains down to its rank."""
        return running_sums(self.gain, self.offsets)

    @cached_property
    def leads(self) -> Bools:
        """Per hit, whether it is the first of its query."""
        leads = np.zeros(self.query.size, np.bool_)
        leads[self.offsets[:-1][np.diff(self.offsets) > 0]] = True
        return leads

    @cached_property
    def first(self) -> Positions:
        """Per query, the rank of the first hit, or depth + 1 if there is none."""
        first = np.full(self.num_queries, self.depth + 1)
        first[self.query[self.leads]] = self.rank[self.leads]
        return first

    @cached_property
    def following(self) -> Positions:
        """Per hit, the rank of the next one of its query, or depth + 1 if it is the last."""
        return np.where(np.roll(self.leads, -1), self.depth + 1, np.roll(self.rank, -1))


def scaled_gains(ranking: Ranking, measure: str, max_rel: float | None, depth: int) -> ScaledGains:
    """The gains of a ranking, each grade divided by `max_rel`, or by the highest grade of the qrels if that is None.

    Raises:
        InputProblem: a grade is higher than `max_rel`; the message begins with the name of the measure.
    """
    key = ("scaled gains", max_rel, depth)
    if key not in ranking.views:
        highest = highest_grade(ranking, measure, max_rel)
        gains = gained(ranking)
        share = ratio(gains.gain, np.full(gains.gain.size, highest))
        ranking.views[key] = ScaledGains(ranking.num_queries, depth, (gains.query, gains.rank, share))
    view: ScaledGains = ranking.views[key]
    return view


def by_rank(ranking: Ranking, measure: str, chance: Floats, max_rel: float | None) -> Expected:
    """What a user can expect whom the documents do not influence.

    Args:
        ranking: the ranking.
        measure: name of the measure, for messages.
        chance: V, the chance that a rank is examined, for every rank from 1.
        max_rel: the grade that gains 1, or None for the highest of the qrels.
    """
    gains = scaled_gains(ranking, measure, max_rel, chance.size)
    utility = sums(gains.query, gains.gain * chance[gains.rank - 1], gains.num_queries)
    return Expected(utility, np.full(gains.num_queries, sequential_sum(chance)))


def walk(gains: ScaledGains, continuation: Continuation) -> Expected:
    """What a user can expect who decides at every rank anew, in view of the gains so far.

    Args:
        gains: the gains; their depth is the last rank.
        continuation: from ranks, gains at them and sums of gains down to them, the chance to go on after each. The
            ranks have the shape [ranks], the others and the result [queries, ranks].
    """
    utility, depth = np.zeros(gains.num_queries), np.zeros(gains.num_queries)
    for begin, chance, spare in walked(gains, continuation):
        end = begin + chance.shape[0]
        hits = slice(gains.offsets[begin], gains.offsets[end])
        row, column = gains.query[hits] - begin, gains.rank[hits] - 1
        utility[begin:end] = sums(row, gains.gain[hits] * chance[row, column], end - begin)
        depth[begin:end] = np.add.accumulate(chance, axis=1, out=spare)[:, -1]
    return Expected(utility, depth)


def walked(gains: ScaledGains, continuation: Continuation) -> Iterator[tuple[int, Floats, Floats]]:
    """The chance to examine each rank, block by block: the first query, V[queries, ranks], and as much room again.

    Args:
        gains: the gains; their depth is the last rank.
        continuation: as for `walk`.
    """
    rank = np.arange(1, gains.depth + 1)
    rows = max(_BLOCK // gains.depth, 1)
    for begin in range(0, gains.num_queries, rows):
        end = min(begin + rows, gains.num_queries)
        hits = slice(gains.offsets[begin], gains.offsets[end])
        gain = np.zeros((end - begin, gains.depth))
        gain[gains.query[hits] - begin, gains.rank[hits] - 1] = gains.gain[hits]
        going_on = continuation(rank, gain, np.add.accumulate(gain, axis=1))
        chance = np.ones_like(gain)
        np.multiply.accumulate(going_on[:, :-1], axis=1, out=chance[:, 1:])
        yield begin, chance, going_on


def squared_decline(wanted: float, count: int) -> Floats:
    """V of INSQ by rank: (2T/(i + 2T − 1))², the product of C(i) = ((i + 2T − 1)/(i + 2T))²; T = `wanted`."""
    share: Floats = np.append(1.0, 2.0 * wanted / (np.arange(1, count) + 2.0 * wanted))
    return share * share


def require_positive(measure: str, **values: float) -> None:
    """Refuse a parameter that is 0 where the model of the measure needs more.

    Raises:
        UsageProblem: one of the values is not above 0.
    """
    for name, value in values.items():
        if value <= 0:
            raise UsageProblem(f"{measure}: {name} must be above 0, not {value:g}")
