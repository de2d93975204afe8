"""Measures of graded relevance: what the documents are worth, discounted by how far down they stand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures.arithmetic import log2_table, ratio, running_sums, sums
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import Gained, GainRule, divisors, gained
from irevalcli.measures.registry import OPTIONAL_CUTOFF, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions

# From here on a double's neighbours are 2 apart.
_TWICE_SPACED = 2.0**53


def dcg(gains: Gained, cutoff: int | None = None, base: float | None = None) -> Floats:
    """Per query, the discounted gains of the documents down to the cutoff, added in rank order.

    Args:
        gains: gains of hits and of the ideal ranking.
        cutoff: ranks looked at, or None for all.
        base: of Järvelin and Kekäläinen's logarithm, or None to divide by log2(rank + 1).
    """
    terms = gains.discounted if base is None else gains.gain / divisors(gains.rank, base)
    return gains.total(terms if cutoff is None else np.where(gains.rank <= cutoff, terms, 0.0))


def ideal_dcg(gains: Gained, cutoff: int | None = None, base: float | None = None) -> Floats:
    """Per query, what `dcg` would be for an ideal ranking, however short the run's ranking is."""
    terms = gains.ideal_discounted if base is None else gains.ideal_gain / divisors(gains.ideal_position, base)
    return gains.ideal_sum(terms if cutoff is None else np.where(gains.ideal_position <= cutoff, terms, 0.0))


def ndcg(gains: Gained) -> Floats:
    """Per query, the discounted gain of the whole ranking as a share of the ideal one; 0 if that is 0."""
    return ratio(dcg(gains), ideal_dcg(gains))


def ndcg_rel(gains: Gained) -> Floats:
    """Per query, nDCG at the rank of each relevant document, averaged; those not retrieved have the final nDCG.

    Relevant is what has a positive gain. The source's sums, in its order (trec_eval's m_ndcg_rel.c).
    """
    relevant = gains.gain > 0
    query = gains.query[relevant]
    reached = gains.ideal_at(gains.ideal_running, query, gains.rank[relevant])
    # Only the drop-in's gain tables can give gains to hits and none to the ideal ranking; they want infinity then.
    with np.errstate(divide="ignore", invalid="ignore"):
        share = gains.running[relevant] / reached
        found = np.bincount(query, minlength=gains.num_queries)
        total = sums(query, share, gains.num_queries)
        total += (gains.ideal_total - found) * dcg(gains) / ideal_dcg(gains)
        return np.where(total > 0, total / gains.ideal_total, 0.0)


def rndcg(gains: Gained) -> Floats:
    """Per query, nDCG at the ranks at which the ideal gain changes, averaged; 0 for a query without ideal gains.

    The points are the last places of equal gains in the ideal ranking, and the end of the ranking if it has more than
    one document beyond the last of them.
    """
    query, position = gains.ideal_query, gains.ideal_position
    last = np.ones(query.size, np.bool_)
    last[:-1] = (query[1:] != query[:-1]) | (gains.ideal_gain[1:] != gains.ideal_gain[:-1])
    query = query[last]
    shares = gains.running_at(query, position[last]) / gains.ideal_running[last]
    longer = np.flatnonzero((gains.ideal_total > 0) & (gains.retrieved > gains.ideal_total + 1))
    final = dcg(gains)[longer] / ideal_dcg(gains)[longer]
    points = np.concatenate((query, longer))
    total = sums(points, np.concatenate((shares, final)), gains.num_queries)
    return ratio(total, np.bincount(points, minlength=gains.num_queries))


def graded_g(gains: Gained) -> Floats:
    """Per query, gains discounted by the gain missed so far, as a share of the ideal gain; 0 if that is 0.

    At rank i the divisor is log2(2 + C − S): S the gains found down to i, C what an ideal ranking has there, each
    place counting at least 1.
    """
    return ratio(gains.total(gains.gain / missed_gain_divisors(gains)), gains.ideal_sum(gains.ideal_gain))


def missed_gain_divisors(gains: Gained) -> Floats:
    """Per gaining hit, what `graded_g` divides its gain by."""
    costs = running_sums(np.maximum(gains.ideal_gain, 1.0), gains.ideal_offsets)
    beyond = np.maximum(gains.rank - gains.ideal_total[gains.query], 0)
    cost = _ones_added(gains.ideal_at(costs, gains.query, gains.rank), beyond)
    return _log2_each(2.0 + cost - running_sums(gains.gain, gains.offsets))


def _ones_added(start: Floats, times: Positions) -> Floats:
    """`start` after adding 1.0 so many times one by one, rounding each time; 0 or at least 1 to begin with.

    Up to the next power of two every sum is exact; the one that reaches it rounds once, just as adding all of them at
    once does. So there are as many steps as powers of two on the way.
    """
    value, left = start.copy(), times.copy()
    while (open_ := np.flatnonzero((left > 0) & (value < _TWICE_SPACED))).size:
        room = np.ceil(np.ldexp(1.0, np.frexp(value[open_])[1]) - value[open_])
        step = np.minimum(left[open_], room.astype(np.int64))
        value[open_] += step
        left[open_] -= step
    return value + (left > 0)


def _log2_each(values: Floats) -> Floats:
    """log2 of each value as libm has it, -inf for 0, NaN for what is negative."""
    whole = (values >= 1) & (values <= _TABLED) & (values == np.floor(values))
    place = np.where(whole, values, 1.0).astype(np.int64)
    logarithm = log2_table(int(place.max(initial=1)))[place]
    logarithm[~whole] = [
        math.log2(value) if value > 0 else -math.inf if value == 0 else math.nan for value in values[~whole].tolist()
    ]
    return logarithm


# Whole numbers up to here come from a table; larger ones are rare, and would make it large.
_TABLED = 1 << 20

GAIN = Param("gain", "str", "linear", "gain of a grade: the grade itself, or 2^grade - 1", choices=("linear", "exp"))
GAINS = Param("gains", "gains", None, "gains of single grades; the others keep what gain= says")
LOWEST = Param("rel", "float", None, "grades below it gain nothing")
DISCOUNT = Param(
    "discount",
    "str",
    "log2",
    "divide by log2(rank + 1), or by log_base(rank) from rank base on and not at all above it",
    choices=("log2", "jk"),
)
BASE = Param("base", "float", 2.0, "base of the logarithm with discount=jk", low=1.001)
_GAIN_PARAMETERS = (GAIN, GAINS, LOWEST)
_DCG_PARAMETERS = (OPTIONAL_CUTOFF, *_GAIN_PARAMETERS, DISCOUNT, BASE)

JARVELIN_KEKALAINEN = "jarvelin2002"
BURGES = "burges2005 (exponential gain and log2(i + 1))"
_NEGATIVE = "Negative grades gain nothing."
_LEVEL = "The level of relevance of the binary measures plays no part; rel= leaves out lower grades."


def _jk_base(discount: str, base: float) -> float | None:
    if discount == "jk":
        return base
    if base != BASE.default:
        raise UsageProblem("base= belongs to discount=jk; log2(rank + 1) has no other base")
    return None


@measure(
    "CG",
    title="cumulated gain",
    summary="What the documents down to the cutoff are worth together.",
    formula="Σ over ranks i (≤ cutoff) of v(g_i); v = gain, g_i = grade at rank i",
    parameters=(OPTIONAL_CUTOFF, *_GAIN_PARAMETERS),
    at="cutoff",
    high=None,
    reference=JARVELIN_KEKALAINEN,
    examples=(
        Example("CG@5", "5 3 2 1 2", "4 0", "13", "textbook"),
        query_101("CG@5", "6", "by the formula: 2 + 3 + 1"),
    ),
    note=f"Order counts only at the cutoff. {_NEGATIVE}",
)
def cumulated_gain(ranking: Ranking, *, cutoff: int | None = None, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the gains of the documents down to the cutoff."""
    gains = gained(ranking, GainRule(**rule))
    return gains.total(gains.gain if cutoff is None else np.where(gains.rank <= cutoff, gains.gain, 0.0))


@measure(
    "DCG",
    title="discounted cumulated gain",
    summary="What the documents down to the cutoff are worth together, the less the further down they stand.",
    formula="Σ over ranks i (≤ cutoff) of v(g_i)/log2(i + 1); v = gain, g_i = grade at rank i; with discount=jk "
    "divided by max(1, log_base(i)) instead",
    parameters=_DCG_PARAMETERS,
    at="cutoff",
    high=None,
    reference=(JARVELIN_KEKALAINEN, BURGES),
    examples=(
        query_101("DCG", "4.5178", "trec_eval 10"),
        query_101("DCG@5", "3.8869", "ranx"),
        query_101("DCG(gain=exp)", "7.8332", "ranx dcg_burges"),
        query_101("DCG(gain=exp)@5", "6.8869", "ranx dcg_burges@5"),
        query_101("DCG(rel=2)@5", "3.5", "ranx dcg@5-l2"),
        Example("DCG@5", "2 1 0 0 0", "", "2.6309", "textbook: 2 + 1/log2 3"),
        Example(
            "DCG(gain=exp)@5", "5 3 2 1 2", "4 0", "38.5077", "textbook: 31 + 7/log2 3 + 3/2 + 1/log2 5 + 3/log2 6"
        ),
        Example("DCG(gain=exp)@3", "3 2 1", "", "9.3928", "textbook: 7 + 3/log2 3 + 1/2"),
        Example("DCG(gain=exp)@3", "2 3 1", "", "7.9165", "textbook: 3 + 7/log2 3 + 1/2"),
        Example("DCG(gain=exp)@3", "2 1 3", "", "7.1309", "textbook: 3 + 1/log2 3 + 7/2"),
    ),
    equivalents=(
        Equivalent("trec_eval", "dcg"),
        Equivalent("ranx", "dcg@k"),
        Equivalent("ranx", "dcg_burges@k with gain=exp"),
    ),
    note="Not comparable between queries: without a cutoff it grows with the number of relevant documents. "
    f"{_NEGATIVE} {_LEVEL}",
)
def discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    discount: str = "log2",
    base: float = 2.0,
    **rule: Any,  # noqa: ANN401
) -> Floats:
    """Per query, the discounted gains of the documents down to the cutoff.

    Raises:
        UsageProblem: a base without ``discount=jk``.
    """
    return dcg(gained(ranking, GainRule(**rule)), cutoff, _jk_base(discount, base))


@measure(
    "IDCG",
    title="ideal discounted cumulated gain",
    summary="The highest DCG that any ranking can reach: all judged documents, best first.",
    formula="Σ over positions i (≤ cutoff) of v*(i)/log2(i + 1); v*(1) ≥ v*(2) ≥ … the positive gains of the judged "
    "documents; with discount=jk divided by max(1, log_base(i)) instead",
    parameters=_DCG_PARAMETERS,
    at="cutoff",
    high=None,
    higher_is_better=None,
    reference=JARVELIN_KEKALAINEN,
    examples=(
        query_101("IDCG", "6.4356", "trec_eval 10"),
        Example(
            "IDCG(gain=exp)@5", "5 3 2 1 2", "4 0", "46.4165", "textbook: 31 + 15/log2 3 + 7/2 + 3/log2 5 + 3/log2 6"
        ),
    ),
    equivalents=(Equivalent("trec_eval", "ideal_dcg"),),
    note="A property of the qrels: the same for every run.",
)
def ideal_discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    discount: str = "log2",
    base: float = 2.0,
    **rule: Any,  # noqa: ANN401
) -> Floats:
    """Per query, the discounted gains of an ideal ranking down to the cutoff.

    Raises:
        UsageProblem: a base without ``discount=jk``.
    """
    return ideal_dcg(gained(ranking, GainRule(**rule)), cutoff, _jk_base(discount, base))


@measure(
    "nDCG",
    title="normalized discounted cumulated gain",
    summary="DCG as a share of the DCG of an ideal ranking.",
    formula="DCG(run)/DCG(ideal), both down to the cutoff; ideal = judged documents with a positive gain, best first",
    parameters=(
        *_DCG_PARAMETERS,
        Param(
            "ideal",
            "str",
            "cut",
            "the ideal ranking is cut at the cutoff like the run, or stays whole",
            choices=("cut", "whole"),
        ),
    ),
    at="cutoff",
    reference=(JARVELIN_KEKALAINEN, BURGES),
    examples=(
        query_101("nDCG", ".7020", "trec_eval 10, ir_measures, ranx, NTCIREVAL"),
        query_101("nDCG@5", ".6393", "trec_eval 10, ir_measures, ranx, trectools, NTCIREVAL"),
        query_101("nDCG(gain=exp)", ".6772", "ranx ndcg_burges, trec_eval 10 ndcg.1=1,2=3,3=7"),
        query_101("nDCG(gain=exp)@5", ".6143", "gdeval, ir_measures, ranx, trectools"),
        query_101("nDCG(gains={1:1,2:3,3:7})@5", ".6143", "ir_measures"),
        query_101("nDCG(discount=jk)@5", ".6011", "NTCIREVAL nDCG@0005"),
        query_101("nDCG(discount=jk)@10", ".6584", "NTCIREVAL nDCG@0010"),
        query_101("nDCG(rel=2)@5", ".6652", "ranx ndcg@5-l2"),
        query_101("nDCG(ideal=whole)@5", ".6040", "by the formula: 3.8869/6.4356"),
        Example("nDCG@5", "2 1 0 0 0", "", "1.0", "textbook"),
        Example("nDCG(gain=exp)@5", "5 3 2 1 2", "4 0", "0.8296", "textbook: 38.5077/46.4165"),
        Example("nDCG(gain=exp)@3", "2 3 1", "", "0.8428", "textbook: 7.9165/9.3928"),
        Example("nDCG(gain=exp)@3", "2 1 3", "", "0.7592", "textbook: 7.1309/9.3928"),
    ),
    equivalents=(
        Equivalent("trec_eval", "ndcg"),
        Equivalent("trec_eval", "ndcg_cut.k"),
        Equivalent("ir_measures", "nDCG@k"),
        Equivalent("ir_measures", "nDCG(dcg='exp-log2')@k with gain=exp"),
        Equivalent("gdeval", "ndcg@k with gain=exp"),
        Equivalent("ranx", "ndcg@k"),
        Equivalent("ranx", "ndcg_burges@k with gain=exp"),
        Equivalent("trectools", "get_ndcg"),
        Equivalent("NTCIREVAL", "MSnDCG@k"),
        Equivalent("NTCIREVAL", "nDCG@k with discount=jk"),
    ),
    note="nDCG@k divides by an ideal ranking of k documents; a run cut to k documents and measured without a cutoff is "
    "divided by the whole ideal, as with ideal=whole: they differ when there are more than k relevant documents. The "
    f"ideal is built from the qrels, never from the retrieved documents. {_LEVEL} Gains below 0, which only gains= can "
    "give, may make it negative.",
)
def normalized_discounted_gain(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    discount: str = "log2",
    base: float = 2.0,
    ideal: str = "cut",
    **rule: Any,  # noqa: ANN401
) -> Floats:
    """Per query, its DCG divided by the DCG of an ideal ranking.

    Raises:
        UsageProblem: a base without ``discount=jk``.
    """
    gains = gained(ranking, GainRule(**rule))
    base_used = _jk_base(discount, base)
    return ratio(dcg(gains, cutoff, base_used), ideal_dcg(gains, cutoff if ideal == "cut" else None, base_used))


@measure(
    "ndcg_rel",
    title="nDCG averaged over the relevant documents",
    summary="nDCG at the rank of every relevant document, averaged, as average precision averages precision.",
    formula="(1/T) · Σ over relevant documents of nDCG down to their rank, the final nDCG for those not retrieved; "
    "T = judged documents with a positive gain",
    parameters=_GAIN_PARAMETERS,
    reference="trec_eval (ndcg_rel, experimental)",
    examples=(query_101("ndcg_rel", ".6795", "trec_eval 10"),),
    equivalents=(Equivalent("trec_eval", "ndcg_rel"),),
    note="The ideal at a rank is an ideal ranking cut there.",
)
def ndcg_at_relevant(ranking: Ranking, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the mean over its relevant documents of nDCG at their ranks."""
    return ndcg_rel(gained(ranking, GainRule(**rule)))


@measure(
    "Rndcg",
    title="nDCG averaged over R-levels",
    summary="nDCG at each rank at which an ideal ranking passes on to lower gains, averaged.",
    formula="mean of nDCG@m over the ranks m at which the documents of each positive gain end in an ideal ranking, and "
    "of nDCG at the end if the ranking has at least two documents more",
    parameters=_GAIN_PARAMETERS,
    reference="trec_eval (Rndcg, experimental)",
    examples=(query_101("Rndcg", ".6594", "trec_eval 10: the ranks 1, 3, 6 and 10"),),
    equivalents=(Equivalent("trec_eval", "Rndcg"),),
    note="A single document after the last such rank adds no point: trec_eval steps over it. With -l trec_eval also "
    f"gives 0 to queries that have no document of that level. {_LEVEL}",
)
def ndcg_at_levels(ranking: Ranking, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the mean of nDCG over the ranks at which the ideal gain changes."""
    return rndcg(gained(ranking, GainRule(**rule)))


@measure(
    "G",
    title="normalized gain",
    summary="Gains discounted by how much better the ranking above could have been.",
    formula="Σ_i g_i/log2(2 + C(i) − S(i)) ÷ Σ_j g*_j; S(i) = Σ_{j≤i} g_j, C(i) = Σ_{j≤i} max(g*_j, 1); g, g* = gains "
    "in the ranking and in an ideal one",
    parameters=_GAIN_PARAMETERS,
    reference="trec_eval (G, experimental, 2008)",
    examples=(query_101("G", ".3966", "trec_eval 10"),),
    equivalents=(Equivalent("trec_eval", "G"),),
    note="With gains of 1 and more a perfect ranking has 1, because nothing is missed above any of its documents.",
)
def normalized_gain(ranking: Ranking, **rule: Any) -> Floats:  # noqa: ANN401
    """Per query, the gains, discounted by what an ideal ranking would have gained more, as a share of all gains."""
    return graded_g(gained(ranking, GainRule(**rule)))
