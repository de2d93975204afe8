"""Rank-biased precision, and how much unjudged documents leave it open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import gained
from irevalcli.measures.registry import OPTIONAL_CUTOFF, REL, Equivalent, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.gains import Gained
    from irevalcli.reading.arrays import Floats, Positions

    Hits = tuple[Positions, Positions, Floats]

# What a matrix of ranks may hold at a time: 2 MiB of doubles.
_BLOCK = 1 << 18

# A summand that is at most this share of the first is less than half of the last bit of every sum that holds the first.
_LOST = 2.0**-54


def rbp(num_queries: int, hits: Hits, p: float) -> Floats:
    """Per query, (1 - p) · Σ gain · p^(rank - 1), added in rank order.

    Args:
        num_queries: number of queries.
        hits: query, rank and gain of the documents that gain, in order of query, then rank.
        p: persistence.
    """
    query, rank, gain = hits
    weights = _powers(p, int(rank.max(initial=1)))[rank - 1]
    return (1.0 - p) * sums(query, gain * weights, num_queries)


def rbp_residual(ranking: Ranking, p: float) -> Floats:
    """Per query, p^n + (1 - p) · Σ over unjudged ranks of p^(rank - 1); n = documents retrieved."""
    powers = _powers(p, int(ranking.retrieved.max(initial=0)) + 1)
    return powers[ranking.retrieved] + (1.0 - p) * _unjudged_weights(ranking, powers)


def num_unjudged(ranking: Ranking) -> Positions:
    """Per query, how many retrieved documents are absent from the qrels or have a negative grade."""
    judged = ranking.query[ranking.grade >= 0]
    return ranking.retrieved - np.bincount(judged, minlength=ranking.num_queries)


def _powers(p: float, count: int) -> Floats:
    """p^0, p^1, … by repeated multiplication."""
    factors = np.full(count, p)
    factors[0] = 1.0
    return np.multiply.accumulate(factors)


def _unjudged_weights(ranking: Ranking, powers: Floats) -> Floats:
    """Per query, the sum of the powers at its unjudged ranks, added in rank order.

    Only the judged ranks are known, so every query is laid out from its first unjudged rank to the last that can still
    change a bit of the sum.
    """
    judged = ranking.grade >= 0
    query, rank = ranking.query[judged], ranking.rank[judged]
    offsets = np.searchsorted(query, np.arange(ranking.num_queries + 1))
    # Judged documents stand at the ranks 1, 2, 3 … until the first that is not.
    leading = rank == np.arange(rank.size) - offsets[query] + 1
    first = np.bincount(query[leading], minlength=ranking.num_queries)
    end = np.minimum(ranking.retrieved, _effective_end(powers, np.minimum(first, powers.size - 1)))
    width = int((end - first).max(initial=0))
    rows = max(_BLOCK // max(width, 1), 1)
    windows = sliding_window_view(np.concatenate((powers, np.zeros(width))), max(width, 1))
    total = np.zeros(ranking.num_queries)
    for begin in range(0, ranking.num_queries if width > 0 else 0, rows):
        block = slice(begin, begin + rows)
        length = np.maximum(end[block] - first[block], 0)
        matrix = windows[np.where(length > 0, first[block], 0)]
        if (length < width).any():
            matrix[np.arange(width) >= length[:, np.newaxis]] = 0.0
        hits = slice(offsets[begin], offsets[min(begin + rows, ranking.num_queries)])
        row, column = query[hits] - begin, rank[hits] - 1 - first[query[hits]]
        inside = (column >= 0) & (column < width)
        matrix[row[inside], column[inside]] = 0.0
        total[block] = np.add.accumulate(matrix, axis=1, out=matrix)[:, -1]
    return total


def _effective_end(powers: Floats, first: Positions) -> Positions:
    """Per query, how many ranks hold a power that still matters in a sum that begins with that at index `first`."""
    if not 0 <= powers[min(1, powers.size - 1)] <= 1:
        return np.full(first.size, powers.size)
    return np.searchsorted(-powers, -(powers[first] * _LOST), side="left")


PERSISTENCE = Param("p", "float", 0.8, "persistence: chance to go on to the next rank", low=0, high=1)
MOFFAT_ZOBEL = "moffat2008"


@measure(
    "RBP",
    title="rank-biased precision",
    summary="The rate at which a user gains who goes on from each rank to the next with a fixed probability.",
    formula="(1 − p) · Σ over ranks i (≤ cutoff) of v(g_i) · p^(i − 1); v = [g_i ≥ rel], or g_i/max_rel, or g_i",
    parameters=(
        OPTIONAL_CUTOFF,
        PERSISTENCE,
        Param(
            "gain",
            "str",
            "binary",
            "relevant or not; the grade divided by the highest; the grade itself",
            choices=("binary", "scaled", "raw"),
        ),
        REL._replace(meaning="lowest grade that counts as relevant, with gain=binary"),
        Param("max_rel", "float", None, "highest grade, with gain=scaled; that of the qrels if not given", low=0),
        Param(
            "scale",
            "str",
            "qrels",
            "gain=scaled divides by max_rel, or by the query's own highest grade",
            choices=("qrels", "query"),
        ),
    ),
    at="cutoff",
    reference=MOFFAT_ZOBEL,
    examples=(
        query_101("RBP", ".451863", "ir_measures, trectools"),
        query_101("RBP(p=0.9)", ".29444", "ir_measures"),
        query_101("RBP(gain=raw)", ".949806", "trectools, ranx"),
        query_101("RBP(p=0.5,gain=raw)", "1.414", "ranx"),
        query_101("RBP(p=0.95,gain=scaled,max_rel=3)", ".115311", "NTCIREVAL"),
        query_101("RBP(gain=scaled)", ".316602", "NTCIREVAL"),
        query_101("RBP(p=0.9,gain=scaled,scale=query)", ".2014", "trec_eval 10"),
    ),
    equivalents=(
        Equivalent("trec_eval", "rbp with p=0.9,gain=scaled,scale=query"),
        Equivalent("ir_measures", "RBP"),
        Equivalent("ranx", "rbp.80 with gain=raw"),
        Equivalent("trectools", "get_rbp"),
        Equivalent("NTCIREVAL", "RBP with p=0.95,gain=scaled"),
    ),
    note="Tools disagree on p (0.8, 0.9, 0.95) and on the gain of graded documents; gain=raw gives values above 1. "
    "What is not judged counts as 0: bound=width, or RBPResid, says how much that may hide. rel is refused with "
    "gain=scaled and gain=raw, which take every grade for what it is; "
    "max_rel and scale are refused without gain=scaled.",
)
def rank_biased_precision(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    p: float = 0.8,
    gain: str = "binary",
    rel: float = 1,
    max_rel: float | None = None,
    scale: str = "qrels",
) -> Floats:
    """Per query, the gains weighted by the chance that the user gets to their rank.

    Raises:
        UsageProblem: a parameter was set that does nothing with this `gain`.
        InputProblem: a grade is higher than `max_rel`.
    """
    _refuse_idle(gain, rel, max_rel, scale)
    if gain == "binary":
        relevant = ranking.relevant(rel)
        hits = relevant.query, relevant.rank, np.ones(relevant.rank.size)
    else:
        gains = gained(ranking)
        hits = gains.query, gains.rank, gains.gain
        if gain == "scaled":
            hits = gains.query, gains.rank, _scaled(ranking, gains, max_rel, scale)
    if cutoff is not None:
        top = hits[1] <= cutoff
        hits = hits[0][top], hits[1][top], hits[2][top]
    return rbp(ranking.num_queries, hits, p)


def _refuse_idle(gain: str, rel: float, max_rel: float | None, scale: str) -> None:
    if gain != "binary" and rel != REL.default:
        raise UsageProblem(f"RBP: rel means nothing with gain={gain}")
    if gain != "scaled" and (max_rel is not None or scale != "qrels"):
        raise UsageProblem(f"RBP: max_rel and scale mean nothing with gain={gain}, they belong to gain=scaled")
    if scale == "query" and max_rel is not None:
        raise UsageProblem("RBP: max_rel means nothing with scale=query, which divides by the query's highest grade")


def _scaled(ranking: Ranking, gains: Gained, max_rel: float | None, scale: str) -> Floats:
    if scale == "query":
        return ratio(gains.gain, highest_grades(ranking)[gains.query])
    highest = float(ranking.judgments.grade.max(initial=0.0))
    if max_rel is not None and highest > max_rel:
        raise InputProblem(
            f"RBP: max_rel={max_rel:g}, but the qrels have the grade {highest:g}",
            hints=(f"set max_rel={highest:g}, or leave it out",),
        )
    return ratio(gains.gain, np.full(gains.gain.size, highest if max_rel is None else max_rel))


def highest_grades(ranking: Ranking) -> Floats:
    """Per query, the highest grade that its qrels have, 0 at least."""
    highest = np.zeros(ranking.num_queries)
    np.maximum.at(highest, ranking.judgments.query, ranking.judgments.grade)
    return highest


@measure(
    "RBPResid",
    title="residual of rank-biased precision",
    summary="How much RBP could rise if all that is not known turned out to be fully relevant.",
    formula="p^n + (1 − p) · Σ over unjudged ranks i ≤ n of p^(i − 1); n = documents retrieved",
    parameters=(PERSISTENCE,),
    higher_is_better=False,
    no_relevant=None,
    monotone=False,
    reference=MOFFAT_ZOBEL,
    examples=(
        query_101("RBPResid", ".3226", "trec_eval 10 rbp_resid.p=0.8"),
        query_101("RBPResid(p=0.9)", ".5565", "trec_eval 10 rbp_resid"),
    ),
    equivalents=(Equivalent("trec_eval", "rbp_resid with p=0.9, where a document is unjudged"),),
    note="The tail p^n stands for the ranks below the end of the list. trec_eval drops it, and prints 0, when all "
    "retrieved documents are judged; trectools always drops it. cwl-eval has .5034 for p=0.9, because its gain files "
    "cannot hold the negative grade. A query missing from the run has 1: nothing is known. It is RBP(bound=width).",
)
def rank_biased_residual(ranking: Ranking, *, p: float = 0.8) -> Floats:
    """Per query, the width of the interval in which RBP must lie."""
    return rbp_residual(ranking, p)
