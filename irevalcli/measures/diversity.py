"""Measures of rankings whose documents are judged for sub-topics: novelty of what is added, coverage, means."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.index.subtopics import covered, ideal, num_subtopics
from irevalcli.measures.arithmetic import log2_table, powers, ratio, sums
from irevalcli.measures.binary import average_precision, precision_at
from irevalcli.measures.intent_aware import AGRAWAL, BY_SUBTOPIC, MEAN, intent_aware_mean
from irevalcli.measures.registry import CUTOFF, OPTIONAL_CUTOFF, REL, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions

    Discount = Callable[[int], Floats]

# One list for each sub-topic, all over the same documents; "-" for one that is not judged for it.
RANKING = "1 0 1 - - - - - - - | - - 1 - 1 - - 1 - - | - - - - - 0 - 1 - -"
UNRETRIEVED = "- | - | 1"
SOURCE = "ndeval 4.5, pyndeval 0.0.8"

ALPHA = Param("alpha", "float", 0.5, "what a sub-topic loses in worth by each document that covers it", low=0, high=1)
BETA = Param("beta", "float", 0.5, "probability of going on to the next rank", low=0, high=1)

GAIN = (
    "N_i = Σ over the sub-topics that the document at rank i is relevant to, of (1 - alpha)^(how many documents above "
    "it are relevant to the sub-topic, too)"
)
SUBTOPICS = "M = sub-topics with a relevant document"
GREEDY = (
    "The ideal ranking takes the document with the highest gain each time, of equal ones that with the highest docid. "
    "Nothing surer is feasible, but now and then a ranking is better than the ideal and gets more than 1."
)
ANY_DEPTH = "ndeval and pyndeval stop at rank 20; here any cutoff will do, or none."
FIRST_CUT = (
    "ndeval forgets the denominator at cutoff 1: it prints N_1 itself (1.0 in the example, where .3333 is right)."
)
NO_CUTOFF = "Without a cutoff the denominator is the sum over infinitely many ranks, so that alpha must not be near 0."
TIES = "ndeval and pyndeval order documents of equal score in other ways."

CHAPELLE = "chapelle2009"
CLARKE_2008 = "clarke2008"
CLARKE_2009 = "clarke2009"
CLARKE_2011 = "clarke2011"

# So many ranks are summed at most to normalise; a table of them takes some tens of milliseconds.
_MOST_RANKS = 1_000_000

# Terms below this share of the first change no bit of the sum.
_LOST_BITS = 54


def _worked(measure: str, value: str) -> Example:
    return Example(measure, RANKING, UNRETRIEVED, value, SOURCE)


def reciprocal(depth: int) -> Floats:
    """1/i for the ranks i from 1 to `depth`."""
    return 1.0 / np.arange(1, depth + 1)


def logarithmic(depth: int) -> Floats:
    """1/log2(i + 1) for the ranks i from 1 to `depth`."""
    return 1.0 / log2_table(depth + 1)[2 : depth + 2]


def discounted(
    rows: tuple[Positions, Positions, Floats], discount: Discount, cutoff: int | None, num_queries: int
) -> Floats:
    """Per query, Σ gain × discount at the gain's rank; rows are query, rank and gain."""
    query, rank, gain = rows
    if cutoff is not None:
        top = rank <= cutoff
        query, rank, gain = query[top], rank[top], gain[top]
    return sums(query, gain * discount(int(rank.max(initial=0)))[rank - 1], num_queries)


def _found(ranking: Ranking, discount: Discount, *, cutoff: int | None, alpha: float, rel: float) -> Floats:
    """Per query, the discounted novelty gains of its ranking."""
    hits = covered(ranking, rel)
    gain = powers(1.0 - alpha, int(hits.seen.max(initial=0)) + 1)[hits.seen]
    return discounted((hits.query, hits.rank, gain), discount, cutoff, ranking.num_queries)


def _share_of_ideal(ranking: Ranking, discount: Discount, *, cutoff: int | None, alpha: float, rel: float) -> Floats:
    """Per query, its discounted novelty gains as a share of those of the ideal ranking."""
    found = _found(ranking, discount, cutoff=cutoff, alpha=alpha, rel=rel)
    best = ideal(ranking, rel, alpha)
    return ratio(found, discounted((best.query, best.rank, best.gain), discount, cutoff, ranking.num_queries))


def _share_of_everything(
    ranking: Ranking,
    discount: Discount,
    name: Literal["ERR_IA", "alpha_DCG"],
    *,
    cutoff: int | None,
    alpha: float,
    rel: float,
) -> Floats:
    """Per query, its discounted novelty gains as a share of those if every document were relevant to every sub-topic.

    Raises:
        UsageProblem: the denominator is a sum over too many ranks.
    """
    most = most_of_subtopic(discount, name, cutoff=cutoff, alpha=alpha)
    return ratio(_found(ranking, discount, cutoff=cutoff, alpha=alpha, rel=rel), num_subtopics(ranking, rel) * most)


def most_of_subtopic(discount: Discount, name: str, *, cutoff: int | None, alpha: float) -> float:
    """The discounted novelty gains of one sub-topic if every document were relevant to it.

    Raises:
        UsageProblem: they are a sum over too many ranks.
    """
    lasting = math.inf if alpha == 0 else 1 if alpha == 1 else -_LOST_BITS * math.log(2) / math.log1p(-alpha) + 1
    depth = min(lasting, math.inf if cutoff is None else cutoff)
    if depth > _MOST_RANKS:
        raise UsageProblem(
            f"{name} needs a cutoff of at most {_MOST_RANKS} if alpha is {alpha:g}",
            hints=(f"such as {name}(alpha={alpha:g})@10",),
        )
    ranks = math.ceil(depth)
    return float(np.add.accumulate(powers(1.0 - alpha, ranks) * discount(ranks))[-1])


@measure(
    "ERR_IA",
    title="intent-aware expected reciprocal rank, normalised",
    summary="How early the ranking brings something new about each sub-topic, by the reciprocal rank.",
    formula=f"Σ_i N_i/i ÷ Σ_i M·(1 - alpha)^(i-1)/i, over ranks i (≤ cutoff); {GAIN}; {SUBTOPICS}",
    parameters=(OPTIONAL_CUTOFF, ALPHA, REL),
    at="cutoff",
    needs="subtopics",
    reference=(CHAPELLE, f"{CLARKE_2011} (as normalised here)"),
    examples=(
        _worked("ERR_IA@5", ".387292"),
        _worked("ERR_IA@10", ".422339"),
        Example("ERR_IA@1", RANKING, UNRETRIEVED, ".3333", "by the definition; ndeval prints 1.0"),
    ),
    equivalents=(
        Equivalent("ndeval", "ERR-IA@k, k > 1"),
        Equivalent("pyndeval", "ERR-IA@k, k > 1"),
        Equivalent("ir_measures", "ERR_IA@k, for k > 1"),
    ),
    note=f"{FIRST_CUT} {ANY_DEPTH} {NO_CUTOFF} {TIES}",
)
def err_intent_aware(ranking: Ranking, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1) -> Floats:
    """Per query, the novelty gains by reciprocal rank, as a share of what an imaginary perfect ranking has.

    Raises:
        UsageProblem: `alpha` is too small for the cutoff.
    """
    return _share_of_everything(ranking, reciprocal, "ERR_IA", cutoff=cutoff, alpha=alpha, rel=rel)


@measure(
    "nERR_IA",
    title="intent-aware expected reciprocal rank, relative to the ideal ranking",
    summary="ERR_IA as a share of what the judged documents allow.",
    formula=f"Σ_i N_i/i ÷ the same of the ideal ranking, over ranks i (≤ cutoff); {GAIN}",
    parameters=(OPTIONAL_CUTOFF, ALPHA, REL),
    at="cutoff",
    high=None,
    needs="subtopics",
    reference=(CLARKE_2011, CHAPELLE),
    examples=(_worked("nERR_IA@5", ".51752"), _worked("nERR_IA@10", ".568059")),
    equivalents=(
        Equivalent("ndeval", "nERR-IA@k"),
        Equivalent("pyndeval", "nERR-IA@k"),
        Equivalent("ir_measures", "nERR_IA@k"),
    ),
    note=f"{GREEDY} {ANY_DEPTH} {TIES}",
)
def normalised_err_intent_aware(
    ranking: Ranking, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1
) -> Floats:
    """Per query, the novelty gains by reciprocal rank, as a share of the ideal ranking's."""
    return _share_of_ideal(ranking, reciprocal, cutoff=cutoff, alpha=alpha, rel=rel)


@measure(
    "alpha_DCG",
    title="alpha-discounted cumulative gain, normalised",
    summary="How early the ranking brings something new about each sub-topic, by the logarithm of the rank.",
    formula=(f"Σ_i N_i/log2(i+1) ÷ Σ_i M·(1 - alpha)^(i-1)/log2(i+1), over ranks i (≤ cutoff); {GAIN}; {SUBTOPICS}"),
    parameters=(OPTIONAL_CUTOFF, ALPHA, REL),
    at="cutoff",
    needs="subtopics",
    reference=(CLARKE_2008, f"{CLARKE_2011} (as normalised here)"),
    examples=(
        _worked("alpha_DCG@5", ".426617"),
        _worked("alpha_DCG@10", ".506329"),
        Example("alpha_DCG@1", RANKING, UNRETRIEVED, ".3333", "by the definition; ndeval prints 1.0"),
    ),
    equivalents=(
        Equivalent("ndeval", "alpha-DCG@k, k > 1"),
        Equivalent("pyndeval", "alpha-DCG@k, k > 1"),
        Equivalent("ir_measures", "alpha_DCG@k, for k > 1"),
    ),
    aliases=("α_DCG",),
    note=f"{FIRST_CUT} {ANY_DEPTH} {NO_CUTOFF} {TIES}",
)
def alpha_dcg(ranking: Ranking, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1) -> Floats:
    """Per query, the novelty gains by logarithmic discount, as a share of what an imaginary perfect ranking has.

    Raises:
        UsageProblem: `alpha` is too small for the cutoff.
    """
    return _share_of_everything(ranking, logarithmic, "alpha_DCG", cutoff=cutoff, alpha=alpha, rel=rel)


@measure(
    "alpha_nDCG",
    title="alpha-normalised discounted cumulative gain",
    summary="How early the ranking brings something new about each sub-topic, as a share of what is possible.",
    formula=f"Σ_i N_i/log2(i+1) ÷ the same of the ideal ranking, over ranks i (≤ cutoff); {GAIN}",
    parameters=(OPTIONAL_CUTOFF, ALPHA, REL),
    at="cutoff",
    high=None,
    needs="subtopics",
    reference=CLARKE_2008,
    examples=(
        _worked("alpha_nDCG@5", ".553928"),
        _worked("alpha_nDCG@10", ".666323"),
        _worked("alpha_nDCG(alpha=0.8)@5", ".566923"),
    ),
    equivalents=(
        Equivalent("ndeval", "alpha-nDCG@k"),
        Equivalent("pyndeval", "alpha-nDCG@k"),
        Equivalent("ir_measures", "alpha_nDCG@k"),
    ),
    aliases=("α_nDCG",),
    note=f"{GREEDY} {ANY_DEPTH} {TIES}",
)
def alpha_ndcg(ranking: Ranking, *, cutoff: int | None = None, alpha: float = 0.5, rel: float = 1) -> Floats:
    """Per query, the novelty gains by logarithmic discount, as a share of the ideal ranking's."""
    return _share_of_ideal(ranking, logarithmic, cutoff=cutoff, alpha=alpha, rel=rel)


@measure(
    "NRBP",
    title="novelty- and rank-biased precision",
    summary="How much that is new a user meets who goes on to the next rank with a fixed probability.",
    formula=f"(1 - (1 - alpha)·beta)/M · Σ over ranks i of N_i·beta^(i-1); {GAIN}; {SUBTOPICS}",
    parameters=(ALPHA, BETA, REL),
    needs="subtopics",
    reference=CLARKE_2009,
    examples=(_worked("NRBP", ".354004"), _worked("NRBP(beta=0.8)", ".485389")),
    equivalents=(Equivalent("ndeval", "NRBP"), Equivalent("pyndeval", "NRBP"), Equivalent("ir_measures", "NRBP")),
    note=f"It has no cutoff: the whole ranking counts. {TIES}",
)
def nrbp(ranking: Ranking, *, alpha: float = 0.5, beta: float = 0.5, rel: float = 1) -> Floats:
    """Per query, the novelty gains by a geometric discount, as a share of what an imaginary perfect ranking has."""
    found = _found(ranking, lambda depth: powers(beta, depth), cutoff=None, alpha=alpha, rel=rel)
    return (1.0 - (1.0 - alpha) * beta) * ratio(found, num_subtopics(ranking, rel))


@measure(
    "nNRBP",
    title="novelty- and rank-biased precision, relative to the ideal ranking",
    summary="NRBP as a share of what the judged documents allow.",
    formula=f"Σ over ranks i of N_i·beta^(i-1) ÷ the same of the ideal ranking; {GAIN}",
    parameters=(ALPHA, BETA, REL),
    high=None,
    needs="subtopics",
    reference=(CLARKE_2011, CLARKE_2009),
    examples=(_worked("nNRBP", ".479497"),),
    equivalents=(Equivalent("ndeval", "nNRBP"), Equivalent("pyndeval", "nNRBP"), Equivalent("ir_measures", "nNRBP")),
    note=(
        f"It has no cutoff: the whole ranking counts. {GREEDY} {TIES} "
        "For a query without relevant documents pyndeval gives NaN; here it is 0."
    ),
)
def normalised_nrbp(ranking: Ranking, *, alpha: float = 0.5, beta: float = 0.5, rel: float = 1) -> Floats:
    """Per query, the novelty gains by a geometric discount, as a share of the ideal ranking's."""
    return _share_of_ideal(ranking, lambda depth: powers(beta, depth), cutoff=None, alpha=alpha, rel=rel)


@measure(
    "StRecall",
    title="sub-topic recall",
    summary="The share of the sub-topics that are covered by the first k documents.",
    formula=f"sub-topics with a relevant document at a rank (≤ cutoff) / M; {SUBTOPICS}",
    parameters=(OPTIONAL_CUTOFF, REL),
    at="cutoff",
    needs="subtopics",
    reference="zhai2003",
    examples=(_worked("StRecall@5", ".6667"), _worked("StRecall@10", "1.0"), _worked("StRecall@1", ".3333")),
    equivalents=(
        Equivalent("ndeval", "strec@k"),
        Equivalent("pyndeval", "strec@k"),
        Equivalent("ir_measures", "StRecall@k"),
    ),
    aliases=("strec",),
    note=f"Sub-topics for which nothing is judged relevant are not counted. {ANY_DEPTH}",
)
def subtopic_recall(ranking: Ranking, *, cutoff: int | None = None, rel: float = 1) -> Floats:
    """Per query, the share of its sub-topics that have a relevant document at the cutoff or above."""
    hits = covered(ranking, rel)
    new = (hits.seen == 0) & (True if cutoff is None else hits.rank <= cutoff)
    return ratio(np.bincount(hits.query[new], minlength=ranking.num_queries), num_subtopics(ranking, rel))


@measure(
    "AP_IA",
    title="intent-aware average precision",
    summary="How early the relevant documents come, for each sub-topic by itself, then averaged.",
    formula=f"{MEAN} of AP, by the sub-topic's judgments",
    parameters=(
        OPTIONAL_CUTOFF,
        REL,
        Param("denom", "str", "R", "divide by R, or by the smaller of cutoff and R", choices=("R", "min")),
    ),
    at="cutoff",
    needs="subtopics",
    reference=AGRAWAL,
    examples=(_worked("AP_IA", ".421759"),),
    equivalents=(
        Equivalent("ndeval", "MAP-IA"),
        Equivalent("pyndeval", "MAP-IA"),
        Equivalent("ir_measures", "AP_IA"),
    ),
    aliases=("MAP_IA",),
    note=BY_SUBTOPIC,
)
def average_precision_intent_aware(
    ranking: Ranking, *, cutoff: int | None = None, rel: float = 1, denom: Literal["R", "min"] = "R"
) -> Floats:
    """Per query, the mean over its sub-topics of their average precision.

    Raises:
        UsageProblem: ``denom=min`` without a cutoff.
    """
    return intent_aware_mean(ranking, average_precision, {"cutoff": cutoff, "rel": rel, "denom": denom})


@measure(
    "P_IA",
    title="intent-aware precision at a cutoff",
    summary="The share of the first k ranks with relevant documents, for each sub-topic by itself, then averaged.",
    formula=f"{MEAN} of P@k, by the sub-topic's judgments; = Σ over ranks i ≤ k of the document's sub-topics, ÷ k·M",
    parameters=(CUTOFF, REL),
    at="cutoff",
    needs="subtopics",
    reference=AGRAWAL,
    examples=(_worked("P_IA@5", ".266667"), _worked("P_IA@10", ".2")),
    equivalents=(
        Equivalent("ndeval", "P-IA@k"),
        Equivalent("pyndeval", "P-IA@k"),
        Equivalent("ir_measures", "P_IA@k"),
    ),
    note=f"{BY_SUBTOPIC} {ANY_DEPTH}",
)
def precision_intent_aware(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    """Per query, the mean over its sub-topics of their precision at a cutoff."""
    return intent_aware_mean(ranking, precision_at, {"cutoff": cutoff, "rel": rel})
