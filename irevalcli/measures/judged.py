"""Measures for incomplete judgments, which tell judged documents from others: Bpref, GMBpref, infAP."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.measures.arithmetic import log_each, ratio, sums
from irevalcli.measures.binary import LOWEST_FOR_LOG
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import REL, Equivalent, Example, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

SMOOTHING = 0.00001
"""The ε of infAP, as in trec_eval."""


class JudgedRelevant(NamedTuple):
    """The hits that are judged relevant, and what stands above each of them.

    Attributes:
        query: per hit, the index of its query.
        rank: per hit, from 1.
        relevant: per hit, the number of documents judged relevant above it.
        nonrelevant: per hit, the number of documents judged non-relevant above it.
        unjudged: per hit, the number of documents above it that were pooled but not judged.
        listed: per hit, the listed document it is.
    """

    query: Positions
    rank: Positions
    relevant: Positions
    nonrelevant: Positions
    unjudged: Positions
    listed: Positions


def judged_relevant(ranking: Ranking, rel: float) -> JudgedRelevant:
    """The hits of `ranking` with a grade of `rel` or more, never a negative one."""
    judged = ranking.grade >= 0
    relevant = judged & (ranking.grade >= rel)
    chosen = np.flatnonzero(relevant)
    start = ranking.offsets[ranking.query[chosen]]

    def above(counted: Bools) -> Positions:
        before: Positions = np.concatenate(([0], np.cumsum(counted)))
        above_start: Positions = before[chosen] - before[start]
        return above_start

    return JudgedRelevant(
        ranking.query[chosen],
        ranking.rank[chosen],
        above(relevant),
        above(judged & ~relevant),
        # Where every rank is a hit, those that the qrels do not list have no place in `listed`.
        above(~judged & (ranking.listed >= 0)),
        ranking.listed[chosen],
    )


def preferences_kept(ranking: Ranking, hits: JudgedRelevant, rel: float) -> Floats:
    """Per judged relevant hit, the share of the judged non-relevant documents that stand below it."""
    num_relevant = ranking.judgments.num_relevant(rel)
    bound = np.minimum(ranking.judgments.num_judged_nonrelevant(rel), num_relevant)[hits.query]
    return 1.0 - ratio(np.minimum(hits.nonrelevant, num_relevant[hits.query]), bound)


@measure(
    "Bpref",
    title="binary preference",
    summary="How seldom documents judged non-relevant stand above relevant ones; unjudged documents do not matter.",
    formula=(
        "(1/R) · Σ over retrieved relevant documents of 1 − min(a, R)/min(N, R), 1 if a = 0; a = judged non-relevant "
        "documents above; R, N = documents judged relevant, non-relevant in the qrels"
    ),
    parameters=(REL,),
    reference="buckley2004",
    examples=(
        query_101("Bpref", ".4444", "trec_eval 10, trectools"),
        query_101("Bpref(rel=2)", ".5556", "trec_eval 10 -l 2"),
        Example("Bpref", "1 - - 0 1", "1 0 0 0", "0.5556", "textbook: (1 + (1 − 1/3))/3"),
    ),
    equivalents=(
        Equivalent("trec_eval", "bpref"),
        Equivalent("ir_measures", "Bpref"),
        Equivalent("trectools", "get_bpref"),
    ),
    aliases=("BPref", "bpref"),
    note=(
        "Documents with a negative grade are unjudged here; ranx counts them as judged non-relevant (.4583 for query "
        "101). trec_eval before release 8 divided by the number of non-relevant documents retrieved."
    ),
)
def binary_preference(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the mean over its relevant documents of the share of judged non-relevant ones that stand below."""
    hits = judged_relevant(ranking, rel)
    terms = preferences_kept(ranking, hits, rel)
    return ratio(sums(hits.query, terms, ranking.num_queries), ranking.judgments.num_relevant(rel))


@measure(
    "GMBpref",
    title="geometric mean of binary preference",
    summary="Binary preference averaged so that the poorest queries weigh most.",
    formula="exp((1/Q) · Σ over queries of ln max(Bpref, 0.00001))",
    parameters=(REL,),
    kind="summary",
    aggregation="geometric",
    no_relevant=LOWEST_FOR_LOG,
    reference=("trec_eval (gm_bpref)", "robertson2006"),
    examples=(query_101("GMBpref", ".4444", "of one query it is the query's Bpref"),),
    equivalents=(Equivalent("trec_eval", "gm_bpref"),),
    aliases=("GMbpref", "gm_bpref"),
    note="A Bpref below 0.00001 counts as 0.00001.",
)
def geometric_binary_preference(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the natural logarithm of its binary preference, that of `LOWEST_FOR_LOG` at least."""
    return log_each(np.maximum(binary_preference(ranking, rel=rel), LOWEST_FOR_LOG))


@measure(
    "infAP",
    title="inferred average precision",
    summary="Average precision estimated from a pool of which only a random part was judged.",
    formula=(
        "(1/R) · Σ over relevant ranks i of 1/i + ((i − 1)/i) · ((r + n + p)/(i − 1)) · (r + ε)/(r + n + 2ε), "
        "1 at i = 1; r, n, p = documents above that are judged relevant, judged non-relevant, pooled but "
        "unjudged; R = relevant documents in the qrels; ε = 0.00001"
    ),
    parameters=(REL,),
    monotone=False,
    reference="yilmaz2006",
    examples=(
        query_101("infAP", ".4736", "trec_eval 10, ir_measures"),
        query_101("infAP(rel=2)", ".6972", "trec_eval 10 -l 2"),
    ),
    equivalents=(Equivalent("trec_eval", "infAP"), Equivalent("ir_measures", "infAP")),
    note=(
        "A negative grade marks a document that was pooled, but is not in the judged sample. Documents absent from the "
        "qrels were not pooled and count as non-relevant. A relevant document that moves above one that is pooled and "
        "unjudged may lower the value."
    ),
)
def inferred_average_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the mean over its relevant documents of the expected precision at their ranks."""
    hits = judged_relevant(ranking, rel)
    judged, rank = hits.relevant + hits.nonrelevant, hits.rank.astype(np.float64)
    pooled_share = ratio(judged + hits.unjudged, rank - 1.0)
    relevant_share = (hits.relevant + SMOOTHING) / (judged + 2 * SMOOTHING)
    terms = 1.0 / rank + (rank - 1.0) / rank * pooled_share * relevant_share
    return ratio(sums(hits.query, terms, ranking.num_queries), ranking.judgments.num_relevant(rel))
