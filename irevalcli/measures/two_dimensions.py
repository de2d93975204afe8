"""Relevance and something else, such as understandability, from two qrels files: uRBP, alpha_uRBP, uBpref."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.further_grades import name_of_grades
from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.examples import query_101
from irevalcli.measures.judged import judged_relevant, preferences_kept
from irevalcli.measures.rbp import PERSISTENCE, rbp
from irevalcli.measures.registry import OPTIONAL_CUTOFF, REL, Equivalent, Example, Param, measure

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

GRADES = Param("grades", "word", None, "name of the further grades, of --qrels NAME=FILE; the only ones if not given")
FULL_GAIN = 100.0
"""What alpha_uRBP gives a document whose further grade is the goal, as in trectools."""

_PALOTTI = "palotti2019"
_NOTE = (
    "The further grades come from another qrels file: --qrels NAME=FILE. They are joined by query and document. A "
    "relevant document that the other file lacks, or has with a negative grade, gains nothing; a document that only "
    "the other file lists is unjudged."
)


def further_of(ranking: Ranking, owner: str, grades: str | None) -> Floats:
    """Per listed document, its further grade.

    Args:
        ranking: the ranking.
        owner: name of the measure, for messages.
        grades: the name of the grades, or None for the only ones.

    Raises:
        UsageProblem: there are no such grades.
    """
    known = ranking.judgments.further_grades
    return known[name_of_grades(owner, grades, known)]


def _discounted(ranking: Ranking, gain_of_listed: Floats, *, cutoff: int | None, p: float, rel: float) -> Floats:
    """RBP in which each relevant document has a gain of its own."""
    relevant = ranking.relevant(rel)
    gain = gain_of_listed[relevant.listed]
    hits = relevant.query, relevant.rank, gain
    if cutoff is not None:
        top = relevant.rank <= cutoff
        hits = relevant.query[top], relevant.rank[top], gain[top]
    return rbp(ranking.num_queries, hits, p)


def _with_itself(name: str, value: str) -> Example:
    example = query_101(name, value, "trectools 0.0.50, with the qrels as their own further grades")
    return example._replace(further=example.ranking)


@measure(
    "uRBP",
    title="understandability-biased rank-biased precision",
    summary="RBP in which a relevant document gains as much as its further grade says.",
    formula="(1 − p) · Σ over relevant ranks i (≤ cutoff) of u_i · p^(i − 1); u = further grade, 0 if negative or none",
    parameters=(OPTIONAL_CUTOFF, PERSISTENCE, REL, GRADES),
    at="cutoff",
    high=None,
    needs="further_grades",
    reference=("zuccon2016", _PALOTTI),
    examples=(_with_itself("uRBP", ".949806"),),
    equivalents=(Equivalent("trectools", "get_urbp"),),
    note=f"{_NOTE} With further grades from 0 to 1 it lies between 0 and 1.",
)
def understandable_rank_biased_precision(
    ranking: Ranking, *, cutoff: int | None = None, p: float = 0.8, rel: float = 1, grades: str | None = None
) -> Floats:
    """Per query, the further grades of its relevant documents, weighted by the chance that the user gets there.

    Raises:
        UsageProblem: there are no such grades.
    """
    gain = np.maximum(further_of(ranking, "uRBP", grades), 0.0)
    return _discounted(ranking, gain, cutoff=cutoff, p=p, rel=rel)


@measure(
    "alpha_uRBP",
    title="understandability-biased rank-biased precision for a user's own level",
    summary="RBP in which a relevant document gains the more, the nearer its further grade is to the user's goal.",
    formula=(
        "(1 − p) · Σ over relevant ranks i (≤ cutoff) of 100 · e^(−(u_i − goal)²/(2 · var)) · p^(i − 1); u = further "
        "grade; no gain if negative or none"
    ),
    parameters=(
        OPTIONAL_CUTOFF,
        PERSISTENCE,
        REL,
        GRADES,
        Param("goal", "float", 2, "the further grade that suits the user best"),
        Param("var", "float", 1, "variance: how slowly the gain falls beside the goal", low=1e-9),
    ),
    at="cutoff",
    high=FULL_GAIN,
    needs="further_grades",
    reference=_PALOTTI,
    examples=(_with_itself("alpha_uRBP", "36.9266"),),
    equivalents=(Equivalent("trectools", "get_alpha_urbp"),),
    aliases=("alpha-uRBP",),
    note=f"{_NOTE} trectools takes goal and variance by query; here they are those of the whole call.",
)
def alpha_understandable_rank_biased_precision(
    ranking: Ranking,
    *,
    cutoff: int | None = None,
    p: float = 0.8,
    rel: float = 1,
    grades: str | None = None,
    goal: float = 2,
    var: float = 1,
) -> Floats:
    """Per query, how well its relevant documents suit the user, weighted by the chance that the user gets there.

    Raises:
        UsageProblem: there are no such grades.
    """
    further = further_of(ranking, "alpha_uRBP", grades)
    return _discounted(ranking, suited(further, goal, var), cutoff=cutoff, p=p, rel=rel)


def suited(further: Floats, goal: float, var: float) -> Floats:
    """How well documents suit the user: a bell curve around the goal, `FULL_GAIN` high; 0 for negative grades."""
    gain = np.zeros(further.size)
    judged = np.flatnonzero(further >= 0)
    different, place = np.unique(further[judged], return_inverse=True)
    distance = ((grade - goal) ** 2 for grade in different.tolist())
    curve = np.array([FULL_GAIN * math.exp(-square / (2.0 * var)) for square in distance])
    gain[judged] = curve[place]
    return gain


@measure(
    "uBpref",
    title="understandability-biased binary preference",
    summary="Bpref in which a relevant document counts as much as its further grade says.",
    formula=(
        "(1/R) · Σ over retrieved relevant documents of u · (1 − min(a, R)/min(N, R)), u if a = 0; u = further grade, "
        "0 if negative or none; a, R, N as for Bpref"
    ),
    parameters=(REL, GRADES),
    high=None,
    needs="further_grades",
    reference=_PALOTTI,
    examples=(_with_itself("uBpref", ".888889"),),
    equivalents=(Equivalent("trectools", "get_ubpref"),),
    note=f"{_NOTE} R and N count the documents of the first qrels file alone.",
)
def understandable_binary_preference(ranking: Ranking, *, rel: float = 1, grades: str | None = None) -> Floats:
    """Per query, the mean over its relevant documents of further grade times share of non-relevant ones below.

    Raises:
        UsageProblem: there are no such grades.
    """
    hits = judged_relevant(ranking, rel)
    weight = np.maximum(further_of(ranking, "uBpref", grades), 0.0)[hits.listed]
    terms = preferences_kept(ranking, hits, rel) * weight
    return ratio(sums(hits.query, terms, ranking.num_queries), ranking.judgments.num_relevant(rel))
