"""Scaled discounted cumulated gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import log2_table, ratio
from irevalcli.measures.examples import query_101
from irevalcli.measures.gains import divisors, gained, highest_grade
from irevalcli.measures.registry import CUTOFF, Equivalent, Param, measure, sequential_sum

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats


@measure(
    "SDCG",
    title="scaled discounted cumulated gain",
    summary="DCG as a share of what documents of the highest grade at every rank would have.",
    formula="Σ over ranks i ≤ k of (g_i/max_rel)/log2(i + 1) ÷ Σ over ranks i ≤ k of 1/log2(i + 1)",
    parameters=(
        CUTOFF._replace(high=1_000_000),
        Param("max_rel", "float", None, "highest grade possible; that of the qrels if not given", low=0),
    ),
    at="cutoff",
    reference="moffat2013",
    examples=(
        query_101("SDCG@5", ".4394", "cwl-eval, ir_measures"),
        query_101("SDCG@10", ".3314", "cwl-eval, ir_measures"),
        query_101("SDCG(max_rel=4)@5", ".3296", "by the formula: ¾ of SDCG(max_rel=3)@5"),
    ),
    equivalents=(
        Equivalent("ir_measures", "SDCG@k, for max_rel=n"),
        Equivalent("cwl-eval", "NDCG-k"),
    ),
    note=(
        "Not nDCG: the divisor is the same for every query, whatever its judgments, so a query with few relevant "
        "documents cannot reach 1."
    ),
)
def scaled_discounted_gain(ranking: Ranking, *, cutoff: int, max_rel: float | None = None) -> Floats:
    """Per query, the discounted gains down to the cutoff, divided by the discounts there.

    Raises:
        InputProblem: a grade is above `max_rel`.
    """
    highest = highest_grade(ranking, "SDCG", max_rel)
    gains = gained(ranking)
    scaled = ratio(gains.gain, np.full(gains.gain.size, highest)) / divisors(gains.rank)
    total = gains.total(np.where(gains.rank <= cutoff, scaled, 0.0))
    possible = sequential_sum(1.0 / log2_table(cutoff + 1)[2 : cutoff + 2])
    return total / possible
