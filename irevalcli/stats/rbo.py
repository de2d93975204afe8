"""Rank-biased overlap of two rankings, which may hold different items, differ in length and have ties.

Sources: Webber, Moffat & Zobel, TOIS 2010; with ties Corsi & Urbano, SIGIR 2024.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.stats.results import Caveat
from irevalcli.stats.sample import check_share

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from irevalcli.reading.arrays import Floats, Positions

Ties = Literal["w", "a", "b"]


class TiedList(NamedTuple):
    """A ranking.

    Attributes:
        items: distinct numbers of the items, best first; int64[n] or uint64[n].
        sizes: of the groups of tied items in that order, adding up to n; int64[groups].
    """

    items: NDArray[np.int64] | NDArray[np.uint64]
    sizes: Positions


class RBO(NamedTuple):
    """The overlap of two rankings.

    Attributes:
        ext: extrapolated: as if what was not seen agreed like what was; in [0, 1].
        low: if nothing beyond the lists agreed; in [0, 1].
        residual: what the unseen could add to `low` at most.
        p: persistence.
        ties: ``w`` tied items share the rank of the first; ``a`` the mean over all orders of tied items; ``b`` that,
            corrected for what the ties hide, so that a ranking equals itself.
        lengths: of both rankings.
        caveats: what to bear in mind.
    """

    ext: float
    low: float
    residual: float
    p: float
    ties: Ties
    lengths: tuple[int, int]
    caveats: tuple[Caveat, ...]


def tied_lists(first: Sequence[Sequence[Hashable]], second: Sequence[Sequence[Hashable]]) -> tuple[TiedList, TiedList]:
    """Both rankings, given as groups of tied items, with the items numbered alike."""
    numbers: dict[Hashable, int] = {}
    lists = []
    for groups in (first, second):
        items = [numbers.setdefault(item, len(numbers)) for group in groups for item in group]
        sizes = [len(group) for group in groups if group]
        lists.append(TiedList(np.array(items, dtype=np.int64), np.array(sizes, dtype=np.int64)))
    return lists[0], lists[1]


def untied(items: NDArray[np.int64] | NDArray[np.uint64]) -> TiedList:
    """A ranking without ties."""
    return TiedList(items, np.ones(items.size, dtype=np.int64))


def rbo(first: TiedList, second: TiedList, p: float = 0.9, ties: Ties = "a") -> RBO:
    """The rank-biased overlap; without ties all three treatments are Webber's, Moffat's and Zobel's.

    Takes time in proportion to the lengths, apart from finding the common items by sorting.

    Raises:
        ValueError: for a `p` outside (0, 1), an item that stands twice in a ranking, or sizes that don't fit the items.
    """
    check_share(p, "p")
    short, long = _spans(first), _spans(second)
    common = np.intersect1d(first.items, second.items, return_indices=True)
    places = common[1], common[2]
    if short.size > long.size:
        short, long, places = long, short, places[::-1]
    lengths = (first.items.size, second.items.size)
    if short.size == 0:
        empty = (Caveat("empty", "a ranking is empty"),)
        return RBO(0.0, 0.0, 1.0, p, ties, lengths, empty)
    seen = _Overlap(short, long, *places)
    low_agreement, high_agreement, ext_agreement = seen.agreements(ties)
    length = long.size
    weights = np.full(length, p)
    weights[0] = 1.0
    weights = np.multiply.accumulate(weights)
    depth = np.arange(1, length + 1)
    # From here on factors (1 − p) p^(d − 1) at depth d.
    beyond_low = seen.total * max(-math.log1p(-p) - p * float((weights / depth).sum()), 0.0) / p
    last = p ** (length - 1)
    at_last_rank = float(ext_agreement[-1])
    # Where both rankings would hold everything that either shows.
    full = length + short.size - seen.total
    rising = np.arange(length + 1, full + 1)
    growth = np.multiply.accumulate(np.full(rising.size, p)) * last
    beyond_high = float(((2 * rising - full) / rising * growth).sum()) + p**full / (1 - p)
    low = (1 - p) * (float((low_agreement * weights).sum()) + beyond_low)
    high = (1 - p) * (float((high_agreement * weights).sum()) + beyond_high)
    ext = (1 - p) * float((ext_agreement * weights).sum()) + at_last_rank * last * p
    low, high, ext = (min(max(value, 0.0), 1.0) for value in (low, high, ext))
    return RBO(ext, low, max(high - low, 0.0), p, ties, lengths, ())


class _Spans(NamedTuple):
    """First and last rank of every item's tie group; item i stands at rank i + 1, so these are also those of a rank."""

    size: int
    first: Positions
    last: Positions


def _spans(ranking: TiedList) -> _Spans:
    """The tie group of every item of a checked ranking."""
    size = ranking.items.size
    if (ranking.sizes < 1).any() or int(ranking.sizes.sum()) != size:
        raise ValueError("the sizes of the tie groups do not add up to the number of items")
    if np.unique(ranking.items).size != size:
        raise ValueError("an item stands twice in a ranking")
    ends = np.cumsum(ranking.sizes)
    return _Spans(size, np.repeat(ends - ranking.sizes + 1, ranking.sizes), np.repeat(ends, ranking.sizes))


class _Overlap:
    """What two rankings share down to each depth 1…l, as counts, so that nothing is rounded.

    At a depth at most one tie group of a ranking is cut through; above it all items count whole, below it not at all.
    """

    __slots__ = ("_cut_long", "_cut_short", "_long", "_places", "_short", "_unseen")

    def __init__(self, short: _Spans, long: _Spans, in_short: Positions, in_long: Positions) -> None:
        self._short, self._long = short, long
        self._places = in_short, in_long
        self._unseen = np.ones(long.size, dtype=np.bool_)
        self._unseen[in_long] = False
        depth = np.arange(1, long.size + 1)
        self._cut_long = (depth - long.first + 1) / (long.last - long.first + 1)
        self._cut_short = np.ones(long.size)
        self._cut_short[: short.size] = (depth[: short.size] - short.first + 1) / (short.last - short.first + 1)

    @property
    def total(self) -> int:
        """The number of common items."""
        return int(self._places[0].size)

    def _between(self, start: Positions, end: Positions) -> Positions:
        """Per depth d, how many items have start ≤ d < end; int64[l]."""
        some = start < end
        length = self._long.size + 2
        changes = np.bincount(start[some], minlength=length) - np.bincount(end[some], minlength=length)
        return np.cumsum(changes)[1 : self._long.size + 1]

    def _from(self, start: Positions) -> Positions:
        """Per depth d, how many items have start ≤ d; int64[l]."""
        return np.cumsum(np.bincount(start, minlength=self._long.size + 1))[1 : self._long.size + 1]

    def agreements(self, ties: Ties) -> tuple[Floats, Floats, Floats]:
        """Agreement at each depth, at least, at most and extrapolated where only the longer ranking is seen."""
        short, long = self._short, self._long
        depth = np.arange(1, long.size + 1)
        shared, sizes = self._shared_at_rank() if ties == "w" else self._shared_on_average(ties)
        low = shared / sizes
        beyond = np.maximum(depth - short.size, 0)
        if ties == "w":
            active = self._from(long.first[self._unseen])
            most, typical = np.minimum(beyond, active).astype(np.float64), np.ones(long.size)
        else:
            whole = self._from(long.last[self._unseen])
            cut = self._between(long.first[self._unseen], long.last[self._unseen])
            most = np.minimum(beyond, whole) + self._cut_long * np.clip(beyond - whole, 0, cut)
            typical = (whole + self._cut_long * cut) / np.maximum(whole + cut, 1)
        at_short = float(low[short.size - 1])
        return low, (shared + most) / sizes, (shared + beyond * at_short * typical) / sizes

    def _shared_at_rank(self) -> tuple[Floats, Floats]:
        """Tied items at the rank of the first: the common ones down to each depth, and the mean number of all."""
        short, long = self._short, self._long
        in_short, in_long = self._places
        shared = self._from(np.maximum(short.first[in_short], long.first[in_long]))
        depth = np.arange(1, long.size + 1)
        sizes = np.maximum(self._from(short.first), depth) + self._from(long.first)
        return shared.astype(np.float64), sizes / 2

    def _shared_on_average(self, ties: Ties) -> tuple[Floats, Floats]:
        """Tied items by their chance of being above: the expected common ones, and what they are divided by."""
        short, long = self._short, self._long
        first_s, last_s = short.first[self._places[0]], short.last[self._places[0]]
        first_l, last_l = long.first[self._places[1]], long.last[self._places[1]]
        shared = (
            self._from(np.maximum(last_s, last_l))
            + self._cut_short * self._between(np.maximum(first_s, last_l), last_s)
            + self._cut_long * self._between(np.maximum(first_l, last_s), last_l)
            + self._cut_short * self._cut_long * self._between(np.maximum(first_s, first_l), np.minimum(last_s, last_l))
        )
        depth = np.arange(1.0, long.size + 1)
        if ties == "a":
            return shared, depth
        squares_s, squares_l = depth.copy(), self._squares(long, self._cut_long)
        squares_s[: short.size] = self._squares(short, self._cut_short[: short.size])
        return shared, np.sqrt(squares_s * squares_l)

    @staticmethod
    def _squares(spans: _Spans, cut: Floats) -> Floats:
        """Per depth, the sum of the squared chances of all items."""
        return spans.first - 1 + (spans.last - spans.first + 1) * cut * cut
