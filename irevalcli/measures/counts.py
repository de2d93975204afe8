"""Counts of queries and documents, and how many of the documents shown were judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import ratio
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import CUTOFF, REL, Equivalent, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions


@measure(
    "NumQ",
    needs="any",
    title="number of queries",
    summary="The number of queries that count.",
    formula="number of queries",
    high=None,
    higher_is_better=None,
    kind="summary",
    integer=True,
    aggregation="sum",
    no_relevant=1.0,
    reference="trec_eval (num_q)",
    examples=(query_101("NumQ", "1", "by definition"),),
    equivalents=(Equivalent("trec_eval", "num_q"),),
    aliases=("num_q",),
    note="Means are divided by it. ir_measures leaves missing queries out of NumQ, though not out of its means.",
)
def number_of_queries(ranking: Ranking) -> Floats:
    """Per query, 1."""
    return np.ones(ranking.num_queries)


@measure(
    "NumRet",
    title="number of documents retrieved",
    summary="How many documents were retrieved.",
    formula="n = number of documents retrieved",
    high=None,
    higher_is_better=None,
    integer=True,
    aggregation="sum",
    no_relevant=None,
    reference="trec_eval (num_ret)",
    examples=(query_101("NumRet", "10", "trec_eval 10, ir_measures"),),
    equivalents=(Equivalent("trec_eval", "num_ret"), Equivalent("ir_measures", "NumRet")),
    aliases=("num_ret",),
)
def number_retrieved(ranking: Ranking) -> Floats:
    """Per query, the number of documents retrieved."""
    return ranking.retrieved.astype(np.float64)


@measure(
    "NumRel",
    title="number of relevant documents",
    summary="How many relevant documents the qrels have.",
    formula="R = number of relevant documents in the qrels",
    parameters=(REL,),
    high=None,
    higher_is_better=None,
    integer=True,
    aggregation="sum",
    reference="trec_eval (num_rel)",
    examples=(
        query_101("NumRel", "6", "trec_eval 10, ir_measures"),
        query_101("NumRel(rel=2)", "3", "trec_eval 10 -l 2"),
    ),
    equivalents=(Equivalent("trec_eval", "num_rel"), Equivalent("ir_measures", "NumRel")),
    aliases=("num_rel",),
    note="trec_eval's summary line ignores the level of relevance with -c; this measure never does.",
)
def number_relevant(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents."""
    return ranking.judgments.num_relevant(rel).astype(np.float64)


@measure(
    "NumRelRet",
    title="number of relevant documents retrieved",
    summary="How many relevant documents were retrieved.",
    formula="r = number of relevant documents retrieved",
    parameters=(REL,),
    high=None,
    integer=True,
    aggregation="sum",
    reference="trec_eval (num_rel_ret)",
    examples=(
        query_101("NumRelRet", "4", "trec_eval 10, ir_measures"),
        query_101("NumRelRet(rel=2)", "3", "trec_eval 10 -l 2"),
    ),
    equivalents=(
        Equivalent("trec_eval", "num_rel_ret"),
        Equivalent("ir_measures", "NumRelRet"),
        Equivalent("ir_measures", "NumRet(rel=1)"),
        Equivalent("ranx", "hits"),
    ),
    aliases=("num_rel_ret",),
)
def number_relevant_retrieved(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents retrieved."""
    return ranking.relevant(rel).judged_total.astype(np.float64)


@measure(
    "NumJudgedNonRelRet",
    title="number of judged non-relevant documents retrieved",
    summary="How many documents that are judged non-relevant were retrieved.",
    formula="number of retrieved documents with 0 ≤ grade < rel",
    parameters=(REL,),
    high=None,
    higher_is_better=None,
    integer=True,
    aggregation="sum",
    no_relevant=None,
    reference="trec_eval (num_nonrel_judged_ret)",
    examples=(
        query_101("NumJudgedNonRelRet", "2", "trec_eval 10"),
        query_101("NumJudgedNonRelRet(rel=2)", "3", "trec_eval 10 -l 2"),
    ),
    equivalents=(Equivalent("trec_eval", "num_nonrel_judged_ret"),),
    aliases=("num_nonrel_judged_ret",),
    note="Documents absent from the qrels and those with a negative grade are unjudged, and not counted.",
)
def number_judged_nonrelevant_retrieved(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the number of judged non-relevant documents retrieved."""
    chosen = (ranking.grade >= 0) & (ranking.grade < rel)
    return np.bincount(ranking.query[chosen], minlength=ranking.num_queries).astype(np.float64)


def _judged_at(ranking: Ranking, cutoff: int) -> Positions:
    """Per query, how many judged documents stand at the cutoff or above."""
    chosen = (ranking.grade >= 0) & (ranking.rank <= cutoff)
    return np.bincount(ranking.query[chosen], minlength=ranking.num_queries)


@measure(
    "Judged",
    title="share of judged documents at a cutoff",
    summary="The share of the documents in the first k ranks that is judged: how far the other numbers can be trusted.",
    formula="judged documents down to rank k, divided by min(k, n); n = documents retrieved; 0 if n = 0",
    parameters=(CUTOFF,),
    at="cutoff",
    higher_is_better=None,
    no_relevant=None,
    reference="macavaney2022",
    examples=(
        query_101("Judged@5", ".8", "ir_measures"),
        query_101("Judged@10", ".6", "by definition; ir_measures counts the negative grade and prints .7"),
    ),
    equivalents=(Equivalent("ir_measures", "Judged@k, if no grade is negative"),),
    note="Negative grades mean unjudged, here as everywhere: Judged@k + Unjudged@k = 1 if k documents were retrieved.",
)
def judged_at(ranking: Ranking, *, cutoff: int) -> Floats:
    """Per query, the share of judged documents among those at the cutoff or above."""
    return ratio(_judged_at(ranking, cutoff), np.minimum(ranking.retrieved, cutoff))


@measure(
    "Unjudged",
    title="share of unjudged documents at a cutoff",
    summary="The share of the first k ranks that holds unjudged documents.",
    formula="documents down to rank k that are absent from the qrels or have a negative grade, divided by k",
    parameters=(CUTOFF,),
    at="cutoff",
    higher_is_better=None,
    no_relevant=None,
    monotone=False,
    reference="trec_eval (release 10, unj)",
    examples=(
        query_101("Unjudged@5", ".2", "trec_eval 10"),
        query_101("Unjudged@10", ".4", "trec_eval 10, trectools"),
        query_101("Unjudged@20", ".2", "trec_eval 10"),
    ),
    equivalents=(Equivalent("trec_eval", "unj.k"), Equivalent("trectools", "get_unjudged")),
    note="Always divided by k, also if fewer documents were retrieved.",
)
def unjudged_at(ranking: Ranking, *, cutoff: int) -> Floats:
    """Per query, the number of unjudged documents at the cutoff or above, divided by the cutoff."""
    return (np.minimum(ranking.retrieved, cutoff) - _judged_at(ranking, cutoff)) / cutoff
