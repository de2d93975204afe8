"""User models (C/W/L) that go down a ranking in the same way whatever its documents are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import log2_table, powers
from irevalcli.measures.cwl import (
    BEYOND_THE_END,
    CWL,
    MOFFAT_BAILEY_SCHOLER_THOMAS,
    SHARED,
    by_rank,
    require_positive,
    squared_decline,
)
from irevalcli.measures.examples import query_101
from irevalcli.measures.rbp import MOFFAT_ZOBEL, PERSISTENCE
from irevalcli.measures.registry import CUTOFF, Equivalent, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats


@measure(
    "CWL_P",
    title="graded precision as a user model",
    summary="What users gain per document who read the first k and then stop.",
    formula="Σ over ranks i ≤ k of g_i/max_rel, divided by k; C(i) = 1 for i < k",
    parameters=(CUTOFF, *SHARED),
    at="cutoff",
    reference=MOFFAT_BAILEY_SCHOLER_THOMAS,
    examples=(query_101("CWL_P@5", ".4", CWL), query_101("CWL_P(max_rel=4)@5", ".3", "by the formula: 6/4/5")),
    equivalents=(Equivalent("cwl-eval", "PrecisionCWLMetric(k)"),),
    note="With grades 0 and 1 it is P@k. A cutoff below depth decides; its ETU is the sum of the gains, 2.0 for P@5 of "
    "the example.",
)
def graded_precision(
    ranking: Ranking, *, cutoff: int, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect who reads all documents down to the cutoff."""
    return by_rank(ranking, "CWL_P", np.ones(min(cutoff, depth)), max_rel).report(report)


@measure(
    "CWL_RBP",
    title="rank-biased precision as a user model",
    summary="What users gain per document who go on from each rank with a fixed probability.",
    formula="Σ W(i) · g_i/max_rel, W(i) = p^(i − 1) / Σ over ranks j ≤ depth of p^(j − 1); C(i) = p",
    parameters=(PERSISTENCE, *SHARED),
    reference=MOFFAT_ZOBEL,
    examples=(query_101("CWL_RBP", ".3166", CWL), query_101("CWL_RBP(p=0.9)", ".2014", CWL)),
    equivalents=(Equivalent("cwl-eval", "RBPCWLMetric(p), whose own p is 0.9"),),
    note=f"RBP(gain=scaled) is its limit for an endless ranking; they differ by a factor of 1 − p^depth. "
    f"{BEYOND_THE_END}",
)
def persistent_user(
    ranking: Ranking, *, p: float = 0.8, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user of fixed persistence can expect."""
    return by_rank(ranking, "CWL_RBP", powers(p, depth), max_rel).report(report)


@measure(
    "CWL_SDCG",
    title="scaled discounted cumulative gain",
    summary="Discounted gain as a share of what only documents of the highest grade would give.",
    formula="Σ over ranks i ≤ k of (g_i/max_rel)/log2(i + 1) ÷ Σ over ranks i ≤ k of 1/log2(i + 1)"
    "; C(i) = log2(i + 1)/log2(i + 2) for i < k",
    parameters=(CUTOFF, *SHARED),
    at="cutoff",
    reference=("jarvelin2002", "moffat2017 (as a user model)"),
    examples=(
        query_101("CWL_SDCG@5", ".4394", "ir_measures SDCG(max_rel=3)@5"),
        query_101("CWL_SDCG@10", ".3314", "ir_measures SDCG(max_rel=3)@10"),
    ),
    equivalents=(Equivalent("cwl-eval", "NDCGCWLMetric(k)"),),
    note="Its EU is SDCG. Not nDCG, although cwl-eval calls it so: it is not compared with what the qrels allow.",
)
def scaled_dcg(
    ranking: Ranking, *, cutoff: int, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect whose attention declines with the logarithm of the rank."""
    last = min(cutoff, depth)
    return by_rank(ranking, "CWL_SDCG", 1.0 / log2_table(last + 1)[2 : last + 2], max_rel).report(report)


@measure(
    "INSQ",
    title="INSQ, for users with a number of documents in mind",
    summary="What users gain per document who are the more patient the more they want, whatever they find.",
    formula="Σ W(i) · g_i/max_rel, W(i) ∝ 1/(i + 2T − 1)²; C(i) = ((i + 2T − 1)/(i + 2T))²",
    parameters=(Param("T", "float", 1.0, "documents of full gain that the user wants", low=0), *SHARED),
    reference="moffat2012",
    examples=(query_101("INSQ", ".383045", CWL), query_101("INSQ(T=2)", ".283433", CWL)),
    equivalents=(Equivalent("ir_measures", "INSQ"), Equivalent("cwl-eval", "INSQCWLMetric(T)")),
    note=f"INST is the form that takes notice of what was found. {BEYOND_THE_END}",
)
def insq(
    ranking: Ranking,
    *,
    T: float = 1.0,  # noqa: N803  (the literature's name)
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user can expect who set out for some number of documents."""
    return by_rank(ranking, "INSQ", squared_decline(T, depth), max_rel).report(report)


@measure(
    "NPV",
    title="net present value",
    summary="What a ranking is worth if every further document is discounted as by an interest rate.",
    formula="Σ W(i) · g_i/max_rel, W(i) ∝ (1 + r)^(1 − i); C(i) = 1/(1 + r)",
    parameters=(Param("r", "float", 0.1, "rate by which the future is discounted", low=0), *SHARED),
    reference="azzopardi2019",
    examples=(query_101("NPV", ".187535", CWL),),
    equivalents=(Equivalent("cwl-eval", "NPVCWLMetric(r)"),),
    note=f"It is CWL_RBP with p = 1/(1 + r). {BEYOND_THE_END}",
)
def net_present_value(
    ranking: Ranking, *, r: float = 0.1, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect who discounts what comes later."""
    return by_rank(ranking, "NPV", powers(1.0 / (1.0 + r), depth), max_rel).report(report)


@measure(
    "SET",
    title="search economic metric",
    summary="What users gain per document if each further one adds less, as a power law says, down to rank k.",
    formula="Σ W(i) · g_i/max_rel, W(i) ∝ (i + 1)^b − i^b for i ≤ k",
    parameters=(
        CUTOFF._replace(default=10),
        Param("b", "float", 0.5, "exponent of the total gain; 1 for no decline", low=0, high=1),
        *SHARED,
    ),
    at="cutoff",
    reference="azzopardi2014",
    examples=(query_101("SET@10", ".314947", CWL),),
    equivalents=(Equivalent("cwl-eval", "SETCWLMetric(b, k)"),),
    note="With b=1 it is CWL_P@k; b must be above 0. The total gain of k fully relevant documents grows as k^b.",
)
def search_economic_metric(
    ranking: Ranking,
    *,
    cutoff: int = 10,
    b: float = 0.5,
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user with diminishing returns can expect.

    Raises:
        UsageProblem: b is 0.
    """
    require_positive("SET", b=b)
    grown = np.array([rank**b for rank in range(1, min(cutoff, depth) + 2)])
    return by_rank(ranking, "SET", np.diff(grown) / (grown[1] - grown[0]), max_rel).report(report)


@measure(
    "U",
    title="U-measure",
    summary="What users gain per document whose attention declines evenly, to nothing after L documents.",
    formula="Σ W(i) · g_i/max_rel, W(i) ∝ max(0, 1 − (i − 1)/L)",
    parameters=(Param("L", "float", 1000.0, "documents after which nothing is read, each of length 1", low=0), *SHARED),
    reference="sakai2013",
    examples=(query_101("U(L=10)", ".339394", CWL),),
    equivalents=(Equivalent("cwl-eval", "UMeasureCWLMetric(L)"),),
    note="Every document counts as one unit of text; L must be above 0. The decline starts before the first document, "
    "at 0. cwl-eval leaves out the last rank of depth, which only matters if L is not below it.",
)
def u_measure(
    ranking: Ranking,
    *,
    L: float = 1000.0,  # noqa: N803  (the literature's name)
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user can expect who reads evenly less from document to document.

    Raises:
        UsageProblem: L is 0.
    """
    require_positive("U", L=L)
    return by_rank(ranking, "U", np.maximum(0.0, 1.0 - np.arange(depth) / L), max_rel).report(report)


@measure(
    "TBG",
    title="time-biased gain",
    summary="What users gain per document if half of them have given up after every h documents.",
    formula="Σ W(i) · g_i/max_rel, W(i) ∝ 2^(−(i − 1)/h)",
    parameters=(
        Param("h", "float", 224.0, "documents after which half of the users have stopped, each of cost 1", low=0),
        *SHARED,
    ),
    reference="smucker2012",
    examples=(query_101("TBG(h=22)", ".075497", CWL),),
    equivalents=(Equivalent("cwl-eval", "TBGCWLMetric(h)"),),
    note="Every document costs one unit of time, so that it is CWL_RBP with p = 2^(−1/h); h must be above 0. The "
    "paper's half-life of 224 is in seconds, and its TBG is the total, report=ETU.",
)
def time_biased_gain(
    ranking: Ranking, *, h: float = 224.0, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect who gives up with a constant half-life.

    Raises:
        UsageProblem: h is 0.
    """
    require_positive("TBG", h=h)
    return by_rank(ranking, "TBG", powers(2.0 ** (-1.0 / h), depth), max_rel).report(report)
