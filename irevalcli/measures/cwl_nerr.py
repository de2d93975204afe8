"""User models (C/W/L) close to expected reciprocal rank: every document may satisfy the user, who then stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.arithmetic import powers, running_products, sums
from irevalcli.measures.cwl import BEYOND_THE_END, CWL, SHARED, Expected, scaled_gains, squared_decline
from irevalcli.measures.examples import query_101
from irevalcli.measures.rbp import PERSISTENCE
from irevalcli.measures.registry import CUTOFF, Equivalent, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

NEARLY_ERR = "azzopardi2021"


def until_satisfied(ranking: Ranking, measure: str, chance: Floats, max_rel: float | None) -> Expected:
    """What a user can expect whom a document satisfies with a probability equal to its gain.

    Args:
        ranking: the ranking.
        measure: name of the measure, for messages.
        chance: for every rank from 1, the chance that a user examines it whom nothing satisfies.
        max_rel: the grade that gains 1, or None for the highest of the qrels.
    """
    last = chance.size
    gains = scaled_gains(ranking, measure, max_rel, last)
    open_after = running_products(1.0 - gains.gain, gains.offsets)
    open_before = np.where(gains.leads, 1.0, np.roll(open_after, 1))
    utility = sums(gains.query, gains.gain * chance[gains.rank - 1] * open_before, gains.num_queries)
    # Nothing changes between two hits: the ranks after one, down to the next, are examined by those still unsatisfied.
    examined = np.append(0.0, np.add.accumulate(chance))
    stretch = examined[np.minimum(gains.following, last)] - examined[gains.rank]
    depth = examined[np.minimum(gains.first, last)] + sums(gains.query, open_after * stretch, gains.num_queries)
    return Expected(utility, depth)


@measure(
    "NERR8",
    title="nearly expected reciprocal rank, equation 8",
    summary="What users gain per document who read until one satisfies them, down to rank k.",
    formula="Σ W(i) · g_i/max_rel; C(i) = 1 − g_i/max_rel for i < k",
    parameters=(CUTOFF, *SHARED),
    at="cutoff",
    reference=NEARLY_ERR,
    examples=(query_101("NERR8@10", ".6", CWL),),
    equivalents=(Equivalent("ir_measures", "NERR8@k"), Equivalent("cwl-eval", "NERReq8CWLMetric(k)")),
    note="ERR itself fits no C/W/L model: it divides by the rank of the satisfying document, this one by the number of "
    "documents read.",
)
def nearly_err_cut(
    ranking: Ranking, *, cutoff: int, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect who only stops when satisfied, or at the cutoff."""
    return until_satisfied(ranking, "NERR8", np.ones(min(cutoff, depth)), max_rel).report(report)


@measure(
    "NERR9",
    title="nearly expected reciprocal rank, equation 9",
    summary="Users who read until a document satisfies them, and lose patience as 1/i down to rank k.",
    formula="Σ W(i) · g_i/max_rel; C(i) = i/(i + 1) · (1 − g_i/max_rel) for i < k",
    parameters=(CUTOFF, *SHARED),
    at="cutoff",
    reference=NEARLY_ERR,
    examples=(query_101("NERR9@10", ".608696", CWL),),
    equivalents=(Equivalent("ir_measures", "NERR9@k"), Equivalent("cwl-eval", "NERReq9CWLMetric(k)")),
    note="Its ETU is ERR@k with gains g/max_rel as the chances to stop.",
)
def nearly_err_reciprocal(
    ranking: Ranking, *, cutoff: int, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user can expect whose patience declines with the rank."""
    return until_satisfied(ranking, "NERR9", 1.0 / np.arange(1, min(cutoff, depth) + 1), max_rel).report(report)


@measure(
    "NERR10",
    title="nearly expected reciprocal rank, equation 10",
    summary="Users who read until a document satisfies them, and otherwise go on with a fixed probability.",
    formula="Σ W(i) · g_i/max_rel; C(i) = p · (1 − g_i/max_rel)",
    parameters=(PERSISTENCE._replace(default=0.9), *SHARED),
    reference=NEARLY_ERR,
    examples=(query_101("NERR10", ".596603", CWL), query_101("NERR10(p=0.8)", ".594595", CWL)),
    equivalents=(Equivalent("ir_measures", "NERR10"), Equivalent("cwl-eval", "NERReq10CWLMetric(p)")),
    note=f"CWL_RBP with users who can be satisfied. {BEYOND_THE_END}",
)
def nearly_err_persistent(
    ranking: Ranking, *, p: float = 0.9, max_rel: float | None = None, report: str = "EU", depth: int = 1000
) -> Floats:
    """Per query, what a user of fixed persistence can expect who can be satisfied."""
    return until_satisfied(ranking, "NERR10", powers(p, depth), max_rel).report(report)


@measure(
    "NERR11",
    title="nearly expected reciprocal rank, equation 11",
    summary="Users who read until a document satisfies them, and are the more patient the more they want.",
    formula="Σ W(i) · g_i/max_rel; C(i) = ((i + 2T − 1)/(i + 2T))² · (1 − g_i/max_rel)",
    parameters=(Param("T", "float", 1.0, "documents of full gain that the user wants", low=0), *SHARED),
    reference=NEARLY_ERR,
    examples=(query_101("NERR11", ".609023", CWL),),
    equivalents=(Equivalent("ir_measures", "NERR11"), Equivalent("cwl-eval", "NERReq11CWLMetric(T)")),
    note=f"INSQ with users who can be satisfied. {BEYOND_THE_END}",
)
def nearly_err_goal(
    ranking: Ranking,
    *,
    T: float = 1.0,  # noqa: N803  (the literature's name)
    max_rel: float | None = None,
    report: str = "EU",
    depth: int = 1000,
) -> Floats:
    """Per query, what a user can expect who set out for some number of documents and can be satisfied."""
    return until_satisfied(ranking, "NERR11", squared_decline(T, depth), max_rel).report(report)
