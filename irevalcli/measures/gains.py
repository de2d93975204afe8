"""Gains: what each hit of a ranking is worth, beside the list that an ideal ranking would give."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.arithmetic import log2_table, running_sums, sums

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

HIGHEST_EXPONENT = 1023
"""The highest grade whose exponential gain is a finite double."""


class GainRule(NamedTuple):
    """How grades become gains.

    Attributes:
        gain: ``linear``, the grade itself, or ``exp``, 2^grade - 1.
        gains: gains of single grades, for which `gain` then does not count.
        rel: grades below it gain nothing; None to set no such limit. Negative grades never gain anything.
    """

    gain: str = "linear"
    gains: Mapping[float, float] | None = None
    rel: float | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """A hashable value that equal rules share."""
        return self.gain, tuple(sorted(self.gains.items())) if self.gains else (), self.rel

    def of(self, grade: Floats) -> Floats:
        """The gain of each grade.

        Raises:
            InputProblem: a grade is too high for an exponential gain.
        """
        value = exponential(grade) if self.gain == "exp" else grade.copy()
        for level, gain in (self.gains or {}).items():
            value[grade == level] = gain
        value[grade < max(self.rel or 0.0, 0.0)] = 0.0
        return value


class Gained:
    """The gains of a ranking and those of the ideal ranking, in order of query, then rank.

    Attributes:
        num_queries: number of queries.
        retrieved: per query, the number of ranked documents. int64[queries]
        query: per hit with a gain other than 0, the index of its query.
        rank: per such hit, from 1.
        gain: per such hit, float64.
        ideal_query: per place of an ideal ranking that has a positive gain, the index of its query.
        ideal_gain: per such place, float64.
    """

    def __init__(
        self,
        retrieved: Positions,
        hits: tuple[Positions, Positions, Floats],
        ideal: tuple[Positions, Floats],
    ) -> None:
        query, rank, gain = hits
        gaining = gain != 0
        self.num_queries = retrieved.size
        self.retrieved = retrieved
        self.query, self.rank, self.gain = query[gaining], rank[gaining], gain[gaining]
        self.ideal_query, self.ideal_gain = ideal

    @cached_property
    def offsets(self) -> Positions:
        """The first gaining hit of each query, and their number. int64[queries + 1]."""
        return np.searchsorted(self.query, np.arange(self.num_queries + 1))

    @cached_property
    def ideal_offsets(self) -> Positions:
        """The first ideal place of each query, and their number. int64[queries + 1]."""
        return np.searchsorted(self.ideal_query, np.arange(self.num_queries + 1))

    @cached_property
    def ideal_total(self) -> Positions:
        """Per query, how many places of an ideal ranking have a positive gain."""
        return np.diff(self.ideal_offsets)

    @cached_property
    def ideal_position(self) -> Positions:
        """Per ideal place, its rank in the ideal ranking, from 1."""
        return np.arange(self.ideal_query.size) - self.ideal_offsets[self.ideal_query] + 1

    @cached_property
    def discounted(self) -> Floats:
        """Per gaining hit, gain / log2(rank + 1)."""
        terms: Floats = self.gain / divisors(self.rank)
        return terms

    @cached_property
    def ideal_discounted(self) -> Floats:
        """Per ideal place, gain / log2(position + 1)."""
        terms: Floats = self.ideal_gain / divisors(self.ideal_position)
        return terms

    @cached_property
    def running(self) -> Floats:
        """Per gaining hit, the sum of the discounted gains down to its rank."""
        return running_sums(self.discounted, self.offsets)

    @cached_property
    def ideal_running(self) -> Floats:
        """Per ideal place, the sum of the discounted ideal gains down to its position."""
        return running_sums(self.ideal_discounted, self.ideal_offsets)

    def total(self, values: Floats) -> Floats:
        """Per query, the sum in rank order of `values`, one for each gaining hit."""
        return sums(self.query, values, self.num_queries)

    def ideal_sum(self, values: Floats) -> Floats:
        """Per query, the sum in order of position of `values`, one for each ideal place."""
        return sums(self.ideal_query, values, self.num_queries)

    def running_at(self, query: Positions, rank: Positions) -> Floats:
        """The sum of the discounted gains of `query` down to `rank`, for each pair of the two."""
        stride = int(max(self.rank.max(initial=0), rank.max(initial=0))) + 1
        last = np.searchsorted(self.query * stride + self.rank, query * stride + rank, side="right")
        return _at_or_zero(self.running, last - 1, last > self.offsets[query])

    def ideal_at(self, sums: Floats, query: Positions, rank: Positions) -> Floats:
        """What `sums`, a running sum over the ideal places, has reached at `rank` of `query`, for each pair."""
        reached = np.minimum(rank, self.ideal_total[query])
        return _at_or_zero(sums, self.ideal_offsets[query] + reached - 1, reached > 0)


def divisors(rank: Positions, base: float | None = None) -> Floats:
    """What the gain at each rank is divided by.

    Without a base log2(rank + 1); with one 1 above rank `base` and log_base(rank) from there on (Järvelin and
    Kekäläinen, TOIS 2002).
    """
    table = log2_table(int(rank.max(initial=0)) + 1)
    if base is None:
        return table[rank + 1]
    return np.maximum(1.0, table[rank] / math.log2(base))


def exponential(grade: Floats) -> Floats:
    """2^grade - 1 for each grade; negative grades are the caller's concern.

    Raises:
        InputProblem: the gain would be infinite.
    """
    highest = float(grade.max(initial=0.0))
    if highest > HIGHEST_EXPONENT:
        raise InputProblem(
            f"the grade {highest:g} is too high for gain=exp: 2^grade - 1 is finite up to grade {HIGHEST_EXPONENT}",
            hints=("use gain=linear, or name the gains one by one: gains={1:1,2:3}",),
        )
    whole = grade == np.floor(grade)
    power = np.ldexp(1.0, np.where(whole, np.maximum(grade, 0.0), 0.0).astype(np.int64))
    # numpy's own powers of fractions may differ from libm's in the last bit.
    power[~whole] = [2.0**part for part in grade[~whole].tolist()]
    return power - 1.0


def gained(ranking: Ranking, rule: GainRule | None = None) -> Gained:
    """The gains of a ranking; the ideal ranking lists all judged documents with a positive gain, highest first.

    Raises:
        UsageProblem: a gain is not finite, or is set for a negative grade.
        InputProblem: the gains of a query are too high to be added.
    """
    rule = rule or GainRule()
    key = ("gained", *rule.key)
    if key not in ranking.views:
        ranking.views[key] = _gained(ranking, rule)
    view: Gained = ranking.views[key]
    return view


def _gained(ranking: Ranking, rule: GainRule) -> Gained:
    for level, gain in (rule.gains or {}).items():
        if level < 0:
            raise UsageProblem(
                f"gains={{{level:g}:{gain:g}}}: documents with a negative grade are unjudged, they gain 0"
            )
        if not np.isfinite(gain):
            raise UsageProblem(f"gains={{{level:g}:{gain:g}}}: a gain must be a finite number")
    ideal_query, grade = ranking.judgments.grades_descending
    if rule.gains:
        ideal_query, grade = ranking.judgments.query, ranking.judgments.grade
    ideal_gain = rule.of(grade)
    positive = ideal_gain > 0
    ideal_query, ideal_gain = ideal_query[positive], ideal_gain[positive]
    if rule.gains:
        order = np.lexsort((-ideal_gain, ideal_query))
        ideal_query, ideal_gain = ideal_query[order], ideal_gain[order]
    view = Gained(ranking.retrieved, (ranking.query, ranking.rank, rule.of(ranking.grade)), (ideal_query, ideal_gain))
    if not np.isfinite(view.ideal_sum(ideal_gain)).all():
        raise InputProblem("the gains of a query add up to more than the largest double, 1.8e308")
    return view


def highest_grade(ranking: Ranking, measure: str, max_rel: float | None) -> float:
    """The grade that a measure takes for the highest possible one: `max_rel`, or if that is None that of the qrels.

    Raises:
        InputProblem: the qrels have a grade above `max_rel`.
    """
    highest = float(ranking.judgments.grade.max(initial=0.0))
    if max_rel is not None and highest > max_rel:
        raise InputProblem(
            f"{measure}: max_rel={max_rel:g}, but the qrels have the grade {highest:g}",
            hints=(f"set max_rel={highest:g}",),
        )
    return highest if max_rel is None else max_rel


def _at_or_zero(values: Floats, place: Positions, present: Bools) -> Floats:
    found = np.zeros(place.size)
    found[present] = values[place[present]]
    return found
