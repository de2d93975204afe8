"""Measures of ranked lists in which a document is relevant or not: AP, RR, P, R, Success, Rprec, binG, yaap, GMAP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures.arithmetic import log2_table, log_each, quotient, ratio, sums, whole_numbers
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import CUTOFF, OPTIONAL_CUTOFF, REL, REQUIRED, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

LOWEST_FOR_LOG = 0.00001
"""The value that geometric means take for anything lower, as trec_eval does."""

BUCKLEY_VOORHEES = "buckley2005"


@measure(
    "AP",
    title="average precision",
    summary="How early the relevant documents come, all of them counted.",
    formula=(
        "(1/R) · Σ over relevant ranks i (≤ cutoff) of C(i)/i"
        "; C(i) = relevant documents down to rank i, R = relevant documents in the qrels"
    ),
    parameters=(
        OPTIONAL_CUTOFF,
        REL,
        Param("denom", "str", "R", "divide by R, or by the smaller of cutoff and R", choices=("R", "min")),
    ),
    at="cutoff",
    reference=BUCKLEY_VOORHEES,
    examples=(
        query_101("AP", ".4611", "trec_eval 10, ir_measures, ranx, trectools, NTCIREVAL"),
        query_101("AP(rel=2)", ".6806", "ir_measures"),
        query_101("AP@5", ".3778", "trec_eval 10, ranx, trectools"),
        query_101("AP(denom=min)@5", ".4533", "NTCIREVAL"),
        Example("AP", "1 0 0 1 1" + " 0" * 34 + " 1", "", "0.55", "textbook: (1 + 2/4 + 3/5 + 4/40)/4"),
        Example("AP", "1 0 1 0 1", "", "0.7556", "textbook: (1 + 2/3 + 3/5)/3"),
        Example("AP(denom=min)@3", "1 0 1", "", "0.8333", "textbook: (1 + 2/3)/2"),
        Example("AP(denom=min)@3", "1 0 1 0 1", "", "0.5556", "textbook: (1 + 2/3)/3"),
        Example("AP", "0 1 1 0 0 1 1 1", "", "0.57262", "textbook: (1/2 + 2/3 + 3/6 + 4/7 + 5/8)/5"),
    ),
    equivalents=(
        Equivalent("trec_eval", "map"),
        Equivalent("trec_eval", "map_cut.k"),
        Equivalent("ir_measures", "AP"),
        Equivalent("ir_measures", "AP@k"),
        Equivalent("ranx", "map"),
        Equivalent("ranx", "map@k"),
        Equivalent("trectools", "get_map"),
        Equivalent("NTCIREVAL", "AP"),
        Equivalent("NTCIREVAL", "AP@k, for denom=min"),
    ),
    aliases=("MAP", "map"),
    note=(
        "With a cutoff there are two denominators in use: R (trec_eval's map_cut), which keeps AP@k below 1 if R > k, "
        "and min(k, R) (NTCIREVAL, recommender libraries). C/W/L's measure of the same name is another one: CWL_AP."
    ),
)
def average_precision(
    ranking: Ranking, *, cutoff: int | None = None, rel: float = 1, denom: Literal["R", "min"] = "R"
) -> Floats:
    """Per query, the mean over its relevant documents of the precision at their ranks.

    Raises:
        UsageProblem: ``denom=min`` without a cutoff.
    """
    relevant = ranking.relevant(rel)
    if cutoff is None:
        if denom == "min":
            raise UsageProblem("AP(denom=min) needs a cutoff, such as AP(denom=min)@10")
        return quotient(sums(relevant.query, relevant.precision, ranking.num_queries), relevant.num_relevant)
    top = relevant.rank <= cutoff
    found = sums(relevant.query[top], relevant.precision[top], ranking.num_queries)
    return ratio(found, relevant.num_relevant if denom == "R" else np.minimum(relevant.num_relevant, cutoff))


@measure(
    "GMAP",
    title="geometric mean of average precision",
    summary="Average precision averaged so that the poorest queries weigh most.",
    formula="exp((1/Q) · Σ over queries of ln max(AP, 0.00001))",
    parameters=(REL,),
    kind="summary",
    aggregation="geometric",
    no_relevant=LOWEST_FOR_LOG,
    reference="robertson2006",
    examples=(
        query_101("GMAP", ".4611", "of one query it is the query's AP"),
        Example("GMAP", "0 0", "1", "0.00001", "trec_eval's lowest value"),
    ),
    equivalents=(Equivalent("trec_eval", "gm_map"),),
    aliases=("gm_map",),
    note="An AP below 0.00001 counts as 0.00001; trectools has no such floor and gives no number then.",
)
def geometric_map(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the natural logarithm of its average precision, that of `LOWEST_FOR_LOG` at least."""
    return log_each(np.maximum(average_precision(ranking, rel=rel), LOWEST_FOR_LOG))


@measure(
    "RR",
    title="reciprocal rank",
    summary="How early the first relevant document comes.",
    formula="1/i, i = rank of the first relevant document; 0 if there is none (or none down to the cutoff)",
    parameters=(OPTIONAL_CUTOFF, REL),
    at="cutoff",
    reference="voorhees1999",
    examples=(
        query_101("RR", "1.0", "trec_eval 10"),
        query_101("RR(rel=3)", ".3333", "trec_eval 10 -l 3"),
        query_101("RR(rel=3)@2", "0", "by the formula: the first document of grade 3 is at rank 3"),
        Example("RR", "0 1", "", "0.5", "textbook: 1/2"),
    ),
    equivalents=(
        Equivalent("trec_eval", "recip_rank"),
        Equivalent("ir_measures", "RR"),
        Equivalent("ranx", "mrr"),
        Equivalent("ranx", "mrr@k"),
        Equivalent("NTCIREVAL", "RR"),
    ),
    aliases=("MRR", "recip_rank"),
    note=(
        "The mean over queries is called MRR. Most sensitive of all to how tied scores are ordered: ir_measures uses "
        "another order for RR@k than for RR. C/W/L's measure of the same name is graded: CWL_RR."
    ),
)
def reciprocal_rank(ranking: Ranking, *, cutoff: int | None = None, rel: float = 1) -> Floats:
    """Per query, one over the rank of its first relevant document, 0 if there is none."""
    relevant = ranking.relevant(rel)
    first = relevant.count == 1
    if cutoff is not None:
        first &= relevant.rank <= cutoff
    return sums(relevant.query[first], 1.0 / relevant.rank[first], ranking.num_queries)


@measure(
    "P",
    title="precision at a cutoff",
    summary="The share of the first k ranks that holds relevant documents.",
    formula="C(k)/k; C(k) = relevant documents down to rank k",
    parameters=(CUTOFF, REL),
    at="cutoff",
    reference="rijsbergen1979 (chapter 7)",
    examples=(
        query_101("P@5", ".6", "all tools"),
        query_101("P@10", ".4", "all tools"),
        query_101("P(rel=2)@5", ".4", "all tools"),
        Example("P@1", "1 0 0 1 1", "", "1", "textbook"),
        Example("P@2", "1 0 0 1 1", "", "0.5", "textbook: 1/2"),
        Example("P@5", "1 0 0 1 1", "", "0.6", "textbook: 3/5"),
    ),
    equivalents=(
        Equivalent("trec_eval", "P.k"),
        Equivalent("ir_measures", "P@k"),
        Equivalent("ranx", "precision@k"),
        Equivalent("trectools", "get_precision"),
    ),
    aliases=("Precision",),
    note="Always divided by k, also if fewer documents were retrieved; SetP divides by their number.",
)
def precision_at(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents down to the cutoff, divided by the cutoff."""
    return ranking.relevant(rel).total_at(cutoff) / cutoff


@measure(
    "R",
    title="recall at a cutoff",
    summary="The share of the relevant documents that the first k ranks hold.",
    formula=(
        "C(k)/R, or with capped=True C(k)/min(k, R)"
        "; C(k) = relevant documents down to rank k, R = relevant documents in the qrels"
    ),
    parameters=(
        CUTOFF,
        REL,
        Param("capped", "bool", default=False, meaning="divide by the smaller of cutoff and R, so that 1 is possible"),
    ),
    at="cutoff",
    reference="rijsbergen1979 (chapter 7)",
    examples=(
        query_101("R@5", ".5", "all tools"),
        query_101("R@10", ".6667", "all tools"),
        query_101("R(rel=2)@5", ".6667", "all tools"),
        query_101("R(capped=True)@5", ".6", "trec_eval 10 relative_P"),
        query_101("R(capped=True)@10", ".6667", "trec_eval 10 relative_P"),
    ),
    equivalents=(
        Equivalent("trec_eval", "recall.k"),
        Equivalent("trec_eval", "relative_P.k, for capped=True"),
        Equivalent("ir_measures", "R@k"),
        Equivalent("ranx", "recall@k"),
        Equivalent("trectools", "get_recall"),
    ),
    aliases=("Recall",),
    note="Plain recall cannot reach 1 at a cutoff below R; capped=True can, and equals P@k as long as k ≤ R.",
)
def recall_at(ranking: Ranking, *, cutoff: int, rel: float = 1, capped: bool = False) -> Floats:
    """Per query, the number of relevant documents down to the cutoff, divided by how many there are (or could be)."""
    relevant = ranking.relevant(rel)
    wanted = np.minimum(relevant.num_relevant, cutoff) if capped else relevant.num_relevant
    return ratio(relevant.total_at(cutoff), wanted)


@measure(
    "Success",
    title="success at a cutoff",
    summary="Whether the first k ranks hold a relevant document.",
    formula="1 if C(k) > 0, else 0; C(k) = relevant documents down to rank k",
    parameters=(CUTOFF, REL),
    at="cutoff",
    reference="trec_eval (success)",
    examples=(
        query_101("Success@1", "1", "trec_eval 10"),
        query_101("Success(rel=3)@1", "0", "by the formula: the first document of grade 3 is at rank 3"),
    ),
    equivalents=(
        Equivalent("trec_eval", "success.k"),
        Equivalent("ir_measures", "Success@k"),
        Equivalent("ranx", "hit_rate@k"),
        Equivalent("NTCIREVAL", "Hit@k"),
    ),
)
def success_at(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    """Per query, 1 if a relevant document stands at the cutoff or above, else 0."""
    return (ranking.relevant(rel).total_at(cutoff) > 0).astype(np.float64)


@measure(
    "Rprec",
    title="R-precision",
    summary="Precision at the rank at which a perfect ranking would have shown every relevant document.",
    formula="C(R)/R; C(i) = relevant documents down to rank i, R = relevant documents in the qrels",
    parameters=(REL,),
    reference=BUCKLEY_VOORHEES,
    examples=(
        query_101("Rprec", ".5", "trec_eval 10"),
        query_101("Rprec(rel=2)", ".6667", "trec_eval 10 -l 2"),
    ),
    equivalents=(
        Equivalent("trec_eval", "Rprec"),
        Equivalent("ir_measures", "Rprec"),
        Equivalent("ranx", "r-precision"),
        Equivalent("trectools", "get_rprec"),
    ),
    aliases=("RPrec",),
    note="Precision and recall are equal at this rank.",
)
def r_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, precision after as many ranks as it has relevant documents."""
    relevant = ranking.relevant(rel)
    top = relevant.query[relevant.rank <= relevant.num_relevant[relevant.query]]
    return ratio(np.bincount(top, minlength=ranking.num_queries), relevant.num_relevant)


@measure(
    "Rprec_mult",
    title="precision at a multiple of R",
    summary="R-precision at another milestone: below 1 it looks at early precision, above 1 at recall.",
    formula=(
        "C(m)/m, m = ⌊x·R + 0.9⌋"
        "; C(i) = relevant documents down to rank i, R = relevant documents in the qrels; 0 if m = 0"
    ),
    parameters=(Param("multiple", "float", REQUIRED, "the multiple x of R", low=0), REL),
    at="multiple",
    reference="trec_eval (Rprec_mult)",
    examples=tuple(
        query_101(f"Rprec_mult@{multiple}", value, "trec_eval 10")
        for multiple, value in (
            ("0.2", ".5"), ("0.4", ".6667"), ("0.6", ".5"), ("0.8", ".6"), ("1", ".5"),
            ("1.2", ".5"), ("1.4", ".4444"), ("1.6", ".4"), ("1.8", ".3636"), ("2", ".3333"),
        )
    ),
    equivalents=(Equivalent("trec_eval", "Rprec_mult.x"),),
    note="Adds 0.9 and cuts, where IPrec of trec_eval 10 rounds to the nearest whole number.",
)  # fmt: skip
def r_precision_at_multiple(ranking: Ranking, *, multiple: float, rel: float = 1) -> Floats:
    """Per query, precision after `multiple` times as many ranks as it has relevant documents."""
    relevant = ranking.relevant(rel)
    depth = whole_numbers(multiple * relevant.num_relevant + 0.9)
    below = np.bincount(relevant.query[relevant.rank > depth[relevant.query]], minlength=ranking.num_queries)
    # judged_total is the total, unless the level is negative: then trec_eval starts from the judged documents only.
    return ratio(np.maximum(relevant.judged_total - below, 0), np.maximum(depth, 0))


@measure(
    "binG",
    title="binary G",
    summary="Like average precision, but discounted by the logarithm of the non-relevant documents above.",
    formula=(
        "(1/R) · Σ over relevant ranks i of 1/log2(2 + i − C(i))"
        "; C(i) = relevant documents down to rank i, R = relevant documents in the qrels"
    ),
    parameters=(REL,),
    reference="trec_eval (binG, experimental, 2008)",
    examples=(query_101("binG", ".4196", "trec_eval 10"),),
    equivalents=(Equivalent("trec_eval", "binG"),),
    note="Documents absent from the qrels count as non-relevant.",
)
def binary_g(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the mean over its relevant documents of the discount at their ranks."""
    relevant = ranking.relevant(rel)
    discounter = 2 + relevant.rank - relevant.count
    terms = 1.0 / log2_table(int(discounter.max(initial=0)))[discounter]
    return quotient(sums(relevant.query, terms, ranking.num_queries), relevant.num_relevant)


@measure(
    "yaap",
    title="yet another average precision",
    summary="Average precision on a logarithmic scale that is fairer to average.",
    formula=(
        "ln((1 + S)/(1 + R − S)), S = Σ over relevant ranks i of C(i)/i"
        "; C(i) = relevant documents down to rank i, R = relevant documents in the qrels"
    ),
    parameters=(REL,),
    low=None,
    high=None,
    reference="robertson2012",
    examples=(query_101("yaap", "-.1168", "trec_eval 10"),),
    equivalents=(Equivalent("trec_eval", "yaap"),),
    note=(
        "Negative for AP below one half, and for a query with relevant documents of which none is found: −ln(1 + R), "
        "which is not the lowest value that another query can get."
    ),
)
def logarithmic_average_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the log odds of its smoothed average precision."""
    relevant = ranking.relevant(rel)
    total = sums(relevant.query, relevant.precision, ranking.num_queries)
    return log_each(quotient(1.0 + total, 1.0 + relevant.num_relevant - total))
