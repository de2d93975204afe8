"""Measures of graded gains, as sums over ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures import gap, graded, ntcir
from irevalcli.measures.arithmetic import powers, running_sums
from irevalcli.measures.gains import Gained, GainRule, divisors, gained
from irevalcli.measures.terms import Amount, Ideal, Quantity, Terms, down_to, sum_over_ranks

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions


def _total(name: str, gains: Gained, values: Floats) -> Amount:
    return Amount(name, gains.ideal_sum(values))


def _ideal_down_to(cutoff: int | None, gains: Gained, terms: Floats) -> Ideal:
    """The ideal places at `cutoff` or above, with what each adds."""
    inside = np.ones(terms.size, np.bool_) if cutoff is None else gains.ideal_position <= cutoff
    return Ideal(gains.ideal_query[inside], gains.ideal_gain[inside], terms[inside])


@sum_over_ranks(graded.cumulated_gain)
def cumulated_gain(ranking: Ranking, *, cutoff: int | None, **rule: Any) -> Terms:  # noqa: ANN401
    """The gain of each document."""
    gain = GainRule(**rule).of(ranking.grade)
    return Terms((Quantity("gain", gain),), down_to(cutoff, ranking, gain), "cumulated gain")


def _base(discount: str, base: float) -> float | None:
    if discount == "jk":
        return base
    if base != graded.BASE.default:
        raise UsageProblem("base= belongs to discount=jk")
    return None


def _discounted(
    ranking: Ranking, cutoff: int | None, base: float | None, rule: GainRule
) -> tuple[tuple[Quantity, ...], Floats]:
    gain, divisor = rule.of(ranking.grade), divisors(ranking.rank, base)
    name = "log2(rank + 1)" if base is None else f"max(1, log{base:g}(rank))"
    return (Quantity("gain", gain), Quantity(name, divisor)), down_to(cutoff, ranking, gain / divisor)


@sum_over_ranks(graded.discounted_gain)
def discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None,
    discount: str,
    base: float,
    **rule: Any,  # noqa: ANN401
) -> Terms:
    """The discounted gain of each document."""
    return Terms(*_discounted(ranking, cutoff, _base(discount, base), GainRule(**rule)), "DCG")


@sum_over_ranks(graded.normalized_discounted_gain)
def normalized_discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None,
    discount: str,
    base: float,
    ideal: str,
    **rule: Any,  # noqa: ANN401
) -> Terms:
    """The discounted gain of each document, beside those of an ideal ranking."""
    gains, base_used = gained(ranking, GainRule(**rule)), _base(discount, base)
    last = cutoff if ideal == "cut" else None
    best = _ideal_down_to(last, gains, gains.ideal_gain / divisors(gains.ideal_position, base_used))
    quantities, terms = _discounted(ranking, cutoff, base_used, GainRule(**rule))
    divisor = Amount("ideal DCG", graded.ideal_dcg(gains, last, base_used))
    return Terms(quantities, terms, "DCG", divisor=divisor, ideal=best)


@sum_over_ranks(graded.normalized_gain)
def normalized_gain(ranking: Ranking, **rule: Any) -> Terms:  # noqa: ANN401
    """The gain of each document, discounted by the gain missed so far."""
    gains = gained(ranking, GainRule(**rule))
    gain = GainRule(**rule).of(ranking.grade)
    discount, terms = np.ones(gain.size), np.zeros(gain.size)
    gaining = gain != 0
    discount[gaining] = graded.missed_gain_divisors(gains)
    terms[gaining] = gains.gain / discount[gaining]
    quantities = Quantity("gain", gain), Quantity("log2(2 + gain missed)", discount)
    ideal = _ideal_down_to(None, gains, gains.ideal_gain)
    divisor = _total("sum of ideal gains", gains, gains.ideal_gain)
    return Terms(quantities, terms, "sum of discounted gains", divisor=divisor, ideal=ideal)


@sum_over_ranks(gap.graded_average_precision)
def graded_average_precision(ranking: Ranking, **rule: Any) -> Terms:  # noqa: ANN401
    """The precision that a user is expected to see at each document."""
    gains = gained(ranking, GainRule(**rule))
    gain = GainRule(**rule).of(ranking.grade)
    shared = np.zeros(gain.size)
    positive = gain > 0
    shared[positive] = gap.shared_gains(ranking.query[positive], gain[positive])
    quantities = Quantity("gain", gain), Quantity("gain shared with those so far", shared)
    ideal = _ideal_down_to(None, gains, gains.ideal_gain)
    divisor = _total("sum of ideal gains", gains, gains.ideal_gain)
    return Terms(quantities, shared / ranking.rank, "sum of expected precision", divisor=divisor, ideal=ideal)


class _Blended:
    """The blended ratio at every hit, and what it is made of."""

    def __init__(self, ranking: Ranking, beta: float, rule: dict[str, Any]) -> None:
        self.rule = GainRule(**rule)
        self.gains = gained(ranking, self.rule)
        self.gain = self.rule.of(ranking.grade)
        self.relevant: Bools = self.gain > 0
        running = np.append(0, np.cumsum(self.relevant))
        self.count: Positions = running[1:] - running[ranking.offsets[ranking.query]]
        found = running_sums(self.gain, ranking.offsets)
        sums = running_sums(self.gains.ideal_gain, self.gains.ideal_offsets)
        best = self.gains.ideal_at(sums, ranking.query, ranking.rank)
        self.ratio: Floats = (self.count + beta * found) / (ranking.rank + beta * best)
        self.quantities = (
            Quantity("gain", self.gain),
            Quantity("relevant so far", self.count),
            Quantity("gains so far", found),
            Quantity("ideal gains so far", best),
        )

    def terms(self, chosen: Bools) -> Floats:
        """The blended ratio at the chosen relevant hits, 0 at the others."""
        return np.where(chosen & self.relevant, self.ratio, 0.0)

    def down_to_preferred(self, ranking: Ranking) -> tuple[Bools, Bools]:
        """Whether a hit stands at the preferred rank of its query; whether it stands there or above."""
        highest = np.zeros(ranking.num_queries)
        np.maximum.at(highest, ranking.query, self.gain)
        best = self.relevant & (self.gain == highest[ranking.query])
        preferred = np.zeros(ranking.num_queries, np.int64)
        chosen = np.flatnonzero(best)[::-1]
        # Of several assignments the last one stays, and that is of the highest rank.
        preferred[ranking.query[chosen]] = ranking.rank[chosen]
        rank = preferred[ranking.query]
        return ranking.rank == rank, ranking.rank <= rank

    @property
    def ideal(self) -> Ideal:
        """The ideal ranking, which adds its gains."""
        return _ideal_down_to(None, self.gains, self.gains.ideal_gain)


@sum_over_ranks(ntcir.q_measure)
def q_measure(ranking: Ranking, *, cutoff: int | None, beta: float, **rule: Any) -> Terms:  # noqa: ANN401
    """The blended ratio at each relevant document."""
    blended = _Blended(ranking, beta, rule)
    terms = down_to(cutoff, ranking, blended.terms(blended.relevant))
    wanted, name = blended.gains.ideal_total, "R, the relevant documents in the qrels"
    if cutoff is not None:
        wanted, name = np.minimum(wanted, cutoff), "the smaller of cutoff and R"
    total = "sum of blended ratios"
    return Terms(blended.quantities, terms, total, divisor=Amount(name, wanted), ideal=blended.ideal)


@sum_over_ranks(ntcir.o_measure)
def o_measure(ranking: Ranking, *, beta: float, **rule: Any) -> Terms:  # noqa: ANN401
    """The blended ratio at the first relevant document."""
    blended = _Blended(ranking, beta, rule)
    terms = blended.terms(blended.count == 1)
    return Terms(blended.quantities, terms, "blended ratio at the first relevant rank", ideal=blended.ideal)


@sum_over_ranks(ntcir.p_measure)
def p_measure(ranking: Ranking, *, beta: float, **rule: Any) -> Terms:  # noqa: ANN401
    """The blended ratio at the preferred rank."""
    blended = _Blended(ranking, beta, rule)
    terms = blended.terms(blended.down_to_preferred(ranking)[0])
    return Terms(blended.quantities, terms, "blended ratio at the preferred rank", ideal=blended.ideal)


@sum_over_ranks(ntcir.p_plus)
def p_plus(ranking: Ranking, *, beta: float, **rule: Any) -> Terms:  # noqa: ANN401
    """The blended ratio at the relevant documents down to the preferred rank."""
    blended = _Blended(ranking, beta, rule)
    read = blended.down_to_preferred(ranking)[1] & blended.relevant
    number = np.bincount(ranking.query[read], minlength=ranking.num_queries)
    divisor = Amount("relevant documents down to the preferred rank", number)
    return Terms(blended.quantities, blended.terms(read), "sum of blended ratios", divisor=divisor, ideal=blended.ideal)


@sum_over_ranks(ntcir.normalized_cumulative_utility)
def normalized_cumulative_utility(
    ranking: Ranking,
    *,
    stop: str,
    utility: str,
    beta: float,
    gamma: float,
    **rule: Any,  # noqa: ANN401
) -> Terms:
    """The utility at each relevant document, weighted by the users who stop there."""
    blended = _Blended(ranking, beta, rule)
    precision = Quantity("precision", blended.count / ranking.rank)
    worth = Quantity("blended ratio", blended.ratio) if utility == "BR" else precision
    if stop == "gu":
        weights = blended.gain
        divisor = _total("sum of ideal gains", blended.gains, blended.gains.ideal_gain)
    else:
        wanted = blended.gains.ideal_total
        declining = powers(gamma, int(max(wanted.max(initial=0), blended.count.max(initial=0))))
        weights = declining[np.maximum(blended.count - 1, 0)]
        possible = np.append(0.0, np.add.accumulate(declining))[wanted]
        divisor = Amount("sum of the weights of R documents", possible)
    terms = np.where(blended.relevant, weights * worth.values, 0.0)
    return Terms((Quantity("weight", weights), worth), terms, "sum of weighted utilities", divisor=divisor)
