"""Pairwise accuracy of what was retrieved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import OPTIONAL_CUTOFF, REL, Equivalent, Example, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats


@measure(
    "Accuracy",
    title="pairwise accuracy",
    summary="How often a retrieved relevant document stands above a retrieved one that is not relevant.",
    formula=(
        "(1/r) · Σ over relevant ranks i (≤ cutoff) of 1 − (i − C(i))/(m − r); C(i) = relevant documents down to rank "
        "i, m = documents retrieved (≤ cutoff), r = relevant ones among them; 0 if r = 0, 1 if m = r > 0"
    ),
    parameters=(OPTIONAL_CUTOFF, REL),
    at="cutoff",
    monotone=False,
    reference="macavaney2022",
    examples=(
        query_101("Accuracy", ".7083", "ir_measures"),
        query_101("Accuracy@5", ".5", "ir_measures"),
        Example("Accuracy", "1 1", "1", "1", "by definition: nothing else was retrieved"),
    ),
    equivalents=(
        Equivalent("ir_measures", "Accuracy, of a query with both kinds of documents"),
        Equivalent("ir_measures", "Accuracy@k, of a query with both kinds of documents"),
    ),
    note=(
        "Meant to watch a model in training: relevant documents that were not retrieved do not count, unjudged ones "
        "are not relevant. ir_measures leaves queries without a relevant document out of the mean, and divides by zero "
        "where all are relevant. A relevant document that comes in from below the cutoff may lower it."
    ),
)
def pairwise_accuracy(ranking: Ranking, *, cutoff: int | None = None, rel: float = 1) -> Floats:
    """Per query, the share of its pairs of a relevant and a non-relevant document that are in the right order."""
    relevant = ranking.relevant(rel)
    found, retrieved = relevant.total, ranking.retrieved
    query, rank, count = relevant.query, relevant.rank, relevant.count
    if cutoff is not None:
        found, retrieved = relevant.total_at(cutoff), np.minimum(retrieved, cutoff)
        top = rank <= cutoff
        query, rank, count = query[top], rank[top], count[top]
    terms = 1.0 - ratio(rank - count, (retrieved - found)[query])
    return ratio(sums(query, terms, ranking.num_queries), found)
