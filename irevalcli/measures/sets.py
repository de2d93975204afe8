"""Measures of what was retrieved as a set, whatever the order: SetP, SetR, SetRelP, SetAP, SetF, Utility."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import ratio
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import REL, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

VAN_RIJSBERGEN = "rijsbergen1979 (chapter 7)"
LETTERS = "r = relevant documents retrieved, n = documents retrieved, R = relevant documents in the qrels"


@measure(
    "SetP",
    title="precision of the whole result",
    summary="The share of the retrieved documents that is relevant.",
    formula=f"r/n, 0 if n = 0; {LETTERS}",
    parameters=(REL,),
    reference=VAN_RIJSBERGEN,
    examples=(
        query_101("SetP", ".4", "trec_eval 10, ir_measures"),
        Example("SetP", "1 1 0 0 0", "1 1", "0.4", "textbook: 2/5"),
    ),
    equivalents=(
        Equivalent("trec_eval", "set_P"),
        Equivalent("ir_measures", "SetP"),
        Equivalent("ranx", "precision"),
    ),
    aliases=("set_P",),
    note="P@k divides by k instead, even if fewer documents were retrieved.",
)
def set_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents retrieved, divided by that of documents retrieved."""
    return ratio(ranking.relevant(rel).judged_total, ranking.retrieved)


@measure(
    "SetR",
    title="recall of the whole result",
    summary="The share of the relevant documents that was retrieved.",
    formula=f"r/R, 0 if R = 0; {LETTERS}",
    parameters=(REL,),
    reference=VAN_RIJSBERGEN,
    examples=(query_101("SetR", ".6667", "trec_eval 10, ir_measures"),),
    equivalents=(
        Equivalent("trec_eval", "set_recall"),
        Equivalent("ir_measures", "SetR"),
        Equivalent("ranx", "recall"),
    ),
    aliases=("set_recall",),
)
def set_recall(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents retrieved, divided by that of relevant documents."""
    relevant = ranking.relevant(rel)
    return ratio(relevant.judged_total, relevant.num_relevant)


@measure(
    "SetRelP",
    title="relative precision of the whole result",
    summary="Precision of the whole result, relative to the best that so many documents can have.",
    formula=f"r/min(n, R), 0 if n = 0 or R = 0; {LETTERS}",
    parameters=(REL,),
    reference="trec_eval (set_relative_P)",
    examples=(query_101("SetRelP", ".6667", "trec_eval 10, ir_measures SetP(relative=True)"),),
    equivalents=(
        Equivalent("trec_eval", "set_relative_P"),
        Equivalent("ir_measures", "SetRelP"),
        Equivalent("ir_measures", "SetP(relative=True)"),
    ),
    aliases=("set_relative_P",),
)
def set_relative_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents retrieved, divided by how many it could be."""
    relevant = ranking.relevant(rel)
    return ratio(relevant.judged_total, np.minimum(ranking.retrieved, relevant.num_relevant))


@measure(
    "SetAP",
    title="product of precision and recall of the whole result",
    summary="Precision times recall: what average precision is for a set without an order.",
    formula=f"r²/(n · R), 0 if n = 0 or R = 0; {LETTERS}",
    parameters=(REL,),
    reference="trec_eval (set_map)",
    examples=(query_101("SetAP", ".2667", "trec_eval 10, ir_measures"),),
    equivalents=(Equivalent("trec_eval", "set_map"), Equivalent("ir_measures", "SetAP")),
    aliases=("set_map",),
)
def set_average_precision(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, precision times recall of all that was retrieved."""
    relevant = ranking.relevant(rel)
    found = relevant.judged_total.astype(np.float64)
    return ratio(found * found, ranking.retrieved.astype(np.float64) * relevant.num_relevant)


@measure(
    "SetF",
    title="F measure of the whole result",
    summary="Precision and recall of the whole result in one number, weighted.",
    formula=f"(x + 1) · P · Q/(x · P + Q), P = r/n, Q = r/R, 0 if r = 0; {LETTERS}",
    parameters=(Param("x", "float", 1, "weight of recall against precision, not squared", low=0), REL),
    reference=VAN_RIJSBERGEN,
    examples=(
        query_101("SetF", ".5", "trec_eval 10, ir_measures"),
        query_101("SetF(x=2)", ".5455", "trec_eval 10, ir_measures SetF(beta=2.0)"),
        query_101("SetF(x=0.5)", ".4615", "trec_eval 10, ir_measures SetF(beta=0.5)"),
    ),
    equivalents=(
        Equivalent("trec_eval", "set_F.x"),
        Equivalent("ir_measures", "SetF(beta=x)"),
        Equivalent("ranx", "f1, for x=1"),
    ),
    note=(
        "x stands where the textbook's F has β², though ir_measures calls it beta: F₂ of the textbook is SetF(x=4). "
        "For x = 0 it is precision, and the larger x is, the closer it comes to recall."
    ),
)
def set_f(ranking: Ranking, *, x: float = 1, rel: float = 1) -> Floats:
    """Per query, the weighted harmonic mean of precision and recall of all that was retrieved."""
    precision, recall = set_precision(ranking, rel=rel), set_recall(ranking, rel=rel)
    found = precision > 0
    values: Floats = (x + 1.0) * precision * recall / np.where(found, x * precision + recall, 1.0)
    return np.where(found, values, 0.0)


@measure(
    "Utility",
    title="linear utility",
    summary="What the whole result is worth if each kind of document has its price.",
    formula=f"a · r + b · (n − r) + c · (R − r) + d · (N + r − n − R); {LETTERS}, N = collection size",
    parameters=(
        Param("a", "float", 1, "worth of a relevant document that is retrieved"),
        Param("b", "float", -1, "worth of a non-relevant or unjudged document that is retrieved"),
        Param("c", "float", 0, "worth of a relevant document that is not retrieved"),
        Param("d", "float", 0, "worth of any other document that is not retrieved"),
        Param("collection_size", "int", 0, "number of documents in the collection; matters only if d is not 0", low=0),
        REL,
    ),
    low=None,
    high=None,
    no_relevant=None,
    reference="hull1999",
    examples=(
        query_101("Utility", "-2", "trec_eval 10"),
        query_101("Utility(a=2,c=-1)", "0", "by the formula: 2 · 4 − 6 − 2"),
    ),
    equivalents=(Equivalent("trec_eval", "utility.a,b,c,d"),),
    aliases=("utility",),
    note="With the default collection size of 0 a value of d other than 0 gives a number without meaning.",
)
def utility(
    ranking: Ranking,
    *,
    a: float = 1,
    b: float = -1,
    c: float = 0,
    d: float = 0,
    collection_size: int = 0,
    rel: float = 1,
) -> Floats:
    """Per query, the sum of the worths of all documents."""
    relevant = ranking.relevant(rel)
    found, wanted, retrieved = relevant.judged_total, relevant.num_relevant, ranking.retrieved
    others = collection_size + found - retrieved - wanted
    values: Floats = float(a) * found + float(b) * (retrieved - found) + float(c) * (wanted - found) + float(d) * others
    return values
