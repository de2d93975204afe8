"""User models (C/W/L) in which it depends on what has been found how far a user goes down a ranking."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.cwl import (
    BEYOND_THE_END,
    CWL,
    MOFFAT_BAILEY_SCHOLER_THOMAS,
    SHARED,
    Expected,
    scaled_gains,
    walk,
)
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import gained
from irevalcli.measures.registry import CUTOFF, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.cwl import Continuation
    from irevalcli.reading.arrays import Floats, Positions


# Sums of gains such as 2/3 + 1 + 1/3 may miss the whole number that they are meant to be.
_ROUNDING = 1e-9


@measure(
    "CWL_RR",
    title="graded reciprocal rank as a user model",
    summary="What users gain per document who stop at the first one that is worth anything.",
    formula="(g_r/max_rel)/r, r = first rank with g > 0; 0 if there is none; C(i) = 1 for i < r, 0 at r",
    parameters=SHARED,
    reference=("kantor1996", "moffat2017 (as a user model)"),
    examples=(query_101("CWL_RR", ".6667", CWL), Example("CWL_RR", "0 1 2", "", ".25", "by the formula: (1/2)/2")),
    equivalents=(Equivalent("cwl-eval", "RRCWLMetric()"),),
    note="With grades 0 and 1 it is RR. A user who finds nothing examines all documents down to depth; there cwl-eval "
    "has an ETC of 0 beside an ED of 1000.",
)
def graded_reciprocal_rank(
    ranking: Ranking, *, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect whom the first gain satisfies."""
    gains = scaled_gains(ranking, "CWL_RR", max_rel, depth)
    utility = sums(gains.query[gains.leads], gains.gain[gains.leads], gains.num_queries)
    return Expected(utility, np.minimum(gains.first, depth).astype(np.float64)).report(report)


@measure(
    "CWL_AP",
    title="average precision as a user model",
    summary="What users gain per document who stop at a document with a chance in proportion to its gain.",
    formula="Σ (g_i/i) · Σ_{j ≤ i} g_j ÷ Σ g_i, over ranks i ≤ depth, gains divided by max_rel"
    "; C(i) = Σ_{j > i} g_j/j ÷ Σ_{j ≥ i} g_j/j",
    parameters=SHARED,
    reference=MOFFAT_BAILEY_SCHOLER_THOMAS,
    examples=(query_101("CWL_AP", ".5083", CWL),),
    equivalents=(Equivalent("cwl-eval", "APCWLMetric()"),),
    note="Not AP, even with grades 0 and 1: it divides by the gains that were retrieved, so that to find a further "
    "document far down can lower it. A user for whom there is nothing to find stops at rank 1.",
)
def graded_average_precision(
    ranking: Ranking, *, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect who knows what is still to come."""
    gains = scaled_gains(ranking, "CWL_AP", max_rel, depth)
    share = gains.gain / gains.rank
    ahead = sums(gains.query, share, gains.num_queries)
    found = sums(gains.query, gains.gain, gains.num_queries)
    utility = ratio(sums(gains.query, share * gains.total, gains.num_queries), ahead)
    return Expected(utility, np.where(ahead > 0, ratio(found, ahead), 1.0)).report(report)


@measure(
    "TrAP",
    title="truncated average precision",
    summary="Average precision of graded documents, over those that are relevant in the qrels.",
    formula="Σ w(i) · g_i, w(i) = Σ_{j ≤ i} g_j / (i · R), gains divided by max_rel; R = documents with g > 0 in the "
    "qrels, at least 1; before the first gain the sum counts as 1",
    parameters=SHARED,
    reference="azzopardi2019",
    examples=(query_101("TrAP", ".225926", CWL),),
    equivalents=(Equivalent("cwl-eval", "TrAPCWLMetric()"),),
    note="With grades 0 and 1 it is AP@depth. Its weights do not sum to 1, so that its EC is no cost per document: "
    "2.673 in the example. ETU and ETC are EU and EC times ED, and ED is 1/w(1). Where nothing gains, cwl-eval gives "
    "the last rank no weight.",
)
def truncated_average_precision(
    ranking: Ranking, *, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, the mean gains down to the documents that gain, weighted by their own gains and divided by R."""
    gains = scaled_gains(ranking, "TrAP", max_rel, depth)
    num_relevant = np.maximum(gained(ranking).ideal_total, 1)
    utility = sums(gains.query, gains.total / gains.rank * gains.gain, gains.num_queries) / num_relevant
    if report == "EU":
        return utility
    harmonic = np.append(0.0, np.add.accumulate(1.0 / np.arange(1, depth + 1)))
    weights = gains.total * (harmonic[gains.following - 1] - harmonic[gains.rank - 1])
    cost = (harmonic[gains.first - 1] + sums(gains.query, weights, gains.num_queries)) / num_relevant
    at_top = gains.leads & (gains.rank == 1)
    first_weight = np.ones(gains.num_queries)
    first_weight[gains.query[at_top]] = gains.gain[at_top]
    examined = num_relevant / first_weight
    return {"ETU": utility * examined, "EC": cost, "ETC": cost * examined, "ED": examined}[report]


@measure(
    "INST",
    title="INST, for users with a goal",
    summary="What users gain per document whose patience depends on how much they still want.",
    formula="Σ W(i) · g_i/max_rel; C(i) = ((i + T + T_i − 1)/(i + T + T_i))², T_i = T − Σ_{j ≤ i} g_j/max_rel",
    parameters=(Param("T", "float", 1.0, "documents of full gain that the user wants", low=0.5), *SHARED),
    reference=MOFFAT_BAILEY_SCHOLER_THOMAS,
    examples=(query_101("INST", ".482869", CWL), query_101("INST(T=2)", ".347468", CWL)),
    equivalents=(Equivalent("ir_measures", "INST"), Equivalent("cwl-eval", "INSTCWLMetric(T)")),
    note=f"Below T = 0.5 the formula would take users for the more patient the more they found. {BEYOND_THE_END}",
)
def inst(
    ranking: Ranking,
    *,
    T: float = 1.0,  # noqa: N803  (the literature's name)
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user can expect whose goal comes nearer with every gain."""
    return walk(scaled_gains(ranking, "INST", max_rel, depth), nearing_goal(T)).report(report)


def nearing_goal(goal: float) -> Continuation:
    """C of INST, for the parameter T."""

    def continuation(rank: Positions, gain: Floats, total: Floats) -> Floats:
        del gain
        outlook = (rank + 2.0 * goal) - total
        root = (outlook - 1.0) / outlook
        return root * root

    return continuation


@measure(
    "BPM",
    title="Bejeweled player model",
    summary="What users gain per document who stop when they have found enough, or when their patience ends.",
    formula="Σ_{i ≤ s} g_i/max_rel, divided by s, the first rank with Σ_{j ≤ s} g_j/max_rel ≥ T or s ≥ K; with "
    "dynamic=True, T and K grow after each rank i by hb · (g_i/max_rel − 1/2) and hc · (g_i/max_rel − 1/2)",
    parameters=(
        CUTOFF._replace(default=10, meaning="K, the documents that the user is ready to read"),
        Param("T", "float", 1.0, "the gain that the user wants", low=0),
        Param("dynamic", "bool", default=False, meaning="whether what is found changes T and K"),
        Param("hb", "float", 1.0, "how much it changes T, with dynamic=True"),
        Param("hc", "float", 1.0, "how much it changes K, with dynamic=True"),
        *SHARED,
    ),
    at="cutoff",
    monotone=False,
    reference="zhang2017",
    examples=(
        query_101("BPM@10", ".555556", CWL),
        query_101("BPM(T=2)@10", ".4", "the definition; cwl-eval 1.0.12 prints .333333"),
        query_101("BPM(dynamic=True)@10", ".5556", CWL),
        Example("BPM(T=3,dynamic=True)@4", "0 - 1 1", "", ".3333", "the definition; cwl-eval 1.0.12 prints .5"),
    ),
    equivalents=(
        Equivalent("ir_measures", "BPM@k"),
        Equivalent("cwl-eval", "BPMCWLMetric(T, K)"),
        Equivalent("cwl-eval", "BPMDCWLMetric(T, K, hb, hc), with hc=0"),
    ),
    note="cwl-eval adds up gains such as 2/3 + 1 + 1/3 to just below 2, and then goes on to the next gain. It never "
    "changes K either: dynamic=True,hc=0 is its number. hb and hc are refused without dynamic=True.",
)
def bejeweled_player_model(
    ranking: Ranking,
    *,
    cutoff: int = 10,
    T: float = 1.0,  # noqa: N803  (the literature's name)
    dynamic: bool = False,
    hb: float = 1.0,
    hc: float = 1.0,
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user can expect who sets limits to both benefit and cost.

    Raises:
        UsageProblem: hb or hc was set without dynamic=True.
    """
    if not dynamic and (hb, hc) != (1.0, 1.0):
        raise UsageProblem("BPM: hb and hc mean nothing without dynamic=True")
    last = depth if dynamic else min(cutoff, depth)
    player = playing(T, cutoff, (hb, hc) if dynamic else None)
    return walk(scaled_gains(ranking, "BPM", max_rel, last), player).report(report)


def playing(wanted: float, patience: int, growth: tuple[float, float] | None) -> Continuation:
    """C of BPM, 0 or 1, for the parameters T and K, and with dynamic=True for hb and hc."""

    def continuation(rank: Positions, gain: Floats, total: Floats) -> Floats:
        hb, hc = growth or (0.0, 0.0)
        feedback = total - gain - 0.5 * (rank - 1) if growth else 0.0
        unsatisfied = wanted + hb * feedback - total > _ROUNDING
        patient = patience + hc * feedback - rank > _ROUNDING
        return (unsatisfied & patient).astype(np.float64)

    return continuation


def _logistic(exponent: Floats) -> Floats:
    """1 + e^exponent."""
    # Every rank needs one, for which libm's would be ten times too slow.
    with np.errstate(over="ignore"):
        return np.exp(exponent) + 1.0


@measure(
    "IFT",
    title="information foraging measure",
    summary="What users gain per document who go on as long as their goal is open and the rate of gain is good.",
    formula="Σ W(i) · g_i/max_rel; C(i) = C1, C2 or their product, C1 = 1 − 1/(1 + b1 · e^((T − G_i) · R1)), "
    "C2 = 1/(1 + b2 · e^((A − G_i/i) · R2)), G_i = Σ_{j ≤ i} g_j/max_rel",
    parameters=(
        Param("kind", "str", "C1C2", "users with a goal, a rate of gain that they expect, or both",
              choices=("C1", "C2", "C1C2")),
        Param("T", "float", 2.0, "the gain that the user wants", low=0),
        Param("b1", "float", 0.9, "how ready users are to go on towards the goal", low=0),
        Param("R1", "float", 10.0, "how strictly they stop at it", low=0),
        Param("A", "float", 0.2, "the gain per document that the user expects", low=0),
        Param("b2", "float", 0.9, "how ready users are to leave at a poor rate", low=0),
        Param("R2", "float", 10.0, "how strictly they do", low=0),
        *SHARED,
    ),
    monotone=False,
    reference="azzopardi2018",
    examples=(
        query_101("IFT", ".370379", CWL),
        query_101("IFT(kind=C1)", ".362367", CWL),
        query_101("IFT(kind=C2)", ".292197", CWL),
    ),
    equivalents=(
        Equivalent("cwl-eval", "IFTGoalRateCWLMetric(T, b1, R1, A, b2, R2)"),
        Equivalent("cwl-eval", "IFTGoalCWLMetric(T, b1, R1), with kind=C1"),
        Equivalent("cwl-eval", "IFTRateCWLMetric(A, b2, R2), with kind=C2"),
    ),
    note=f"The defaults are those of the example; the paper fits them to the users. The parameters of C1 are refused "
    f"with kind=C2, those of C2 with kind=C1. {BEYOND_THE_END}",
)  # fmt: skip
def information_foraging(
    ranking: Ranking,
    *,
    kind: str = "C1C2",
    T: float = 2.0,  # noqa: N803  (the literature's names)
    b1: float = 0.9,
    R1: float = 10.0,  # noqa: N803
    A: float = 0.2,  # noqa: N803
    b2: float = 0.9,
    R2: float = 10.0,  # noqa: N803
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user can expect who leaves when the goal is reached or the rate of gain is too low.

    Raises:
        UsageProblem: a parameter was set that does nothing with this `kind`.
    """
    if kind == "C1" and (A, b2, R2) != (0.2, 0.9, 10.0):
        raise UsageProblem("IFT: A, b2 and R2 mean nothing with kind=C1")
    if kind == "C2" and (T, b1, R1) != (2.0, 0.9, 10.0):
        raise UsageProblem("IFT: T, b1 and R1 mean nothing with kind=C2")
    forager = foraging(kind, (T, b1, R1), (A, b2, R2))
    return walk(scaled_gains(ranking, "IFT", max_rel, depth), forager).report(report)


def foraging(kind: str, goal: tuple[float, float, float], rate: tuple[float, float, float]) -> Continuation:
    """C of IFT, for the parameters kind, (T, b1, R1) and (A, b2, R2)."""
    wanted, b1, strict = goal
    expected, b2, choosy = rate
    # b as a power of e, so that no zero meets an infinity.
    ready, leaving = (math.log(b) if b > 0 else -math.inf for b in (b1, b2))

    def continuation(rank: Positions, gain: Floats, total: Floats) -> Floats:
        del gain
        if kind == "C1":
            return 1.0 / _logistic((total - wanted) * strict - ready)
        stopping = _logistic((expected - total / rank) * choosy + leaving)
        if kind == "C1C2":
            stopping *= _logistic((total - wanted) * strict - ready)
        return 1.0 / stopping

    return continuation
