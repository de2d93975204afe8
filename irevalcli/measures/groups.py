"""Measures averaged over the judgment groups of a query (several assessors, or users): AP, P and Rprec_mult."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.measures.binary import average_precision, precision_at, r_precision_at_multiple
from irevalcli.measures.registry import CUTOFF, REL, REQUIRED, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

# One list for each group, all over the same documents; "-" for one that the group does not judge.
RANKING = "1 0 1 - - - - - - - | 0 1 1 - - - - - - -"
UNRETRIEVED = "1 | -"
SOURCE = "trec_eval 10 -R qrels_jg"
GROUPS = "mean over all groups of the query, those without relevant documents (which have 0) included"
REFERENCE = "trec_eval (-R qrels_jg)"
NOTE = (
    "Each group is judged by itself: a document that only another group judges is unjudged. The mean is over every "
    "group of the query, also those without relevant documents. Without groups it is the plain measure."
)


def _worked(measure: str, value: str) -> Example:
    return Example(measure, RANKING, UNRETRIEVED, value, SOURCE)


@measure(
    "AP_avgjg",
    title="average precision, mean over judgment groups",
    summary="How early the relevant documents come, for each group of judgments by itself, then averaged.",
    formula=f"{GROUPS}: (1/R) · Σ over relevant ranks i of C(i)/i; C, R as for AP, by the group's judgments",
    parameters=(REL,),
    needs="groups",
    reference=REFERENCE,
    examples=(_worked("AP_avgjg", ".5694"),),
    equivalents=(Equivalent("trec_eval", "map_avgjg"),),
    aliases=("map_avgjg",),
    note=NOTE,
)
def average_precision_of_groups(ranking: Ranking, *, rel: float = 1) -> Floats:
    """Per query, the mean over its groups of their average precision."""
    grouped = ranking.by_group()
    return grouped.mean(average_precision(grouped.ranking, rel=rel))


@measure(
    "P_avgjg",
    title="precision at a cutoff, mean over judgment groups",
    summary="The share of the first k ranks that holds relevant documents, for each group of judgments, then averaged.",
    formula=f"{GROUPS}: C(k)/k; C(k) = documents relevant to the group down to rank k",
    parameters=(CUTOFF, REL),
    at="cutoff",
    needs="groups",
    reference=REFERENCE,
    examples=(_worked("P_avgjg@5", ".4"),),
    equivalents=(Equivalent("trec_eval", "P_avgjg.k"),),
    note=NOTE,
)
def precision_of_groups(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    """Per query, the mean over its groups of their precision at a cutoff."""
    grouped = ranking.by_group()
    return grouped.mean(precision_at(grouped.ranking, cutoff=cutoff, rel=rel))


@measure(
    "Rprec_mult_avgjg",
    title="precision at a multiple of R, mean over judgment groups",
    summary="Precision at a multiple of the number of relevant documents, for each group of judgments, then averaged.",
    formula=f"{GROUPS}: C(m)/m, m = ⌊x·R + 0.9⌋; C, R as for Rprec_mult, by the group's judgments; 0 if m = 0",
    parameters=(Param("multiple", "float", REQUIRED, "the multiple x of the group's R", low=0), REL),
    at="multiple",
    needs="groups",
    reference=REFERENCE,
    examples=(_worked("Rprec_mult_avgjg@1", ".5833"),),
    equivalents=(Equivalent("trec_eval", "Rprec_mult_avgjg.x"),),
    note=NOTE,
)
def r_precision_of_groups(ranking: Ranking, *, multiple: float, rel: float = 1) -> Floats:
    """Per query, the mean over its groups of their precision after `multiple` times R ranks."""
    grouped = ranking.by_group()
    return grouped.mean(r_precision_at_multiple(grouped.ranking, multiple=multiple, rel=rel))
