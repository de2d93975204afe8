"""Measures that come from recommendation: F, Hits, and the errors of predicted ratings, RMSE and MAE."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.arithmetic import ratio, sums
from irevalcli.measures.binary import precision_at, recall_at
from irevalcli.measures.examples import query_101
from irevalcli.measures.registry import (
    CUTOFF,
    OPTIONAL_CUTOFF,
    REL,
    Equivalent,
    Example,
    Param,
    measure,
    sequential_sum,
)
from irevalcli.measures.sets import VAN_RIJSBERGEN, set_precision, set_recall

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats, Positions

BETA = Param("beta", "float", 1, "how many times as much recall counts as precision", low=0)


@measure(
    "F",
    title="F measure",
    summary="The weighted harmonic mean of precision and recall.",
    formula=(
        "1/(α/P + (1 − α)/R), 0 if P = 0; α = 1/(1 + β²) unless alpha is given; P, R = precision and recall down to "
        "the cutoff, or of the whole result"
    ),
    parameters=(
        OPTIONAL_CUTOFF,
        BETA,
        Param("alpha", "float", None, "weight of precision, in the place of beta", low=0, high=1),
        REL,
    ),
    at="cutoff",
    reference=VAN_RIJSBERGEN,
    examples=(
        query_101("F@5", ".5455", "ranx"),
        query_101("F", ".5", "by the formula; trec_eval 10 set_F prints the same for equal weights"),
        query_101("F(beta=2)", ".5882", "by the formula: (1 + 4) · .4 · .6667/(4 · .4 + .6667)"),
        query_101("F(alpha=0.2)", ".5882", "by the formula: α = 1/(1 + 2²)"),
        Example("F", "1 1 0 0 0", "1 1", "0.4444", "textbook: 2/(5/2 + 4/2)"),
    ),
    equivalents=(Equivalent("ranx", "f1@k"),),
    note=(
        "The textbook's F. trec_eval's set_F and ir_measures' SetF do not square β: they are SetF(x=…), and F(beta=b) "
        "is SetF(x=b²). Precision at a cutoff is divided by the cutoff even if fewer documents were retrieved."
    ),
)
def f_measure(
    ranking: Ranking, *, cutoff: int | None = None, beta: float = 1, alpha: float | None = None, rel: float = 1
) -> Floats:
    """Per query, the weighted harmonic mean of its precision and recall.

    Raises:
        UsageProblem: both weights are given.
    """
    if alpha is not None and beta != BETA.default:
        raise UsageProblem("F: give alpha or beta, not both (alpha = 1/(1 + beta²))")
    if cutoff is None:
        precision, recall = set_precision(ranking, rel=rel), set_recall(ranking, rel=rel)
    else:
        precision, recall = precision_at(ranking, cutoff=cutoff, rel=rel), recall_at(ranking, cutoff=cutoff, rel=rel)
    weight = 1.0 / (1.0 + beta * beta) if alpha is None else alpha
    return ratio(precision * recall, weight * recall + (1.0 - weight) * precision)


@measure(
    "Hits",
    title="number of hits at a cutoff",
    summary="How many relevant documents the first k ranks hold.",
    formula="C(k) = relevant documents down to rank k",
    parameters=(CUTOFF, REL),
    at="cutoff",
    high=None,
    reference="bassani2022",
    examples=(
        query_101("Hits@5", "3", "ranx"),
        query_101("Hits@10", "4", "ranx"),
    ),
    equivalents=(Equivalent("ranx", "hits@k"),),
    note=(
        "A mean over queries, as ranx has it: precision at k times k. The sum over queries of all relevant documents "
        "retrieved is NumRelRet."
    ),
)
def hits_at(ranking: Ranking, *, cutoff: int, rel: float = 1) -> Floats:
    """Per query, the number of relevant documents at the cutoff or above."""
    return ranking.relevant(rel).total_at(cutoff).astype(np.float64)


def _squared_errors(ranking: Ranking, name: str) -> tuple[Positions, Floats]:
    query, error = _errors(ranking, name)
    with np.errstate(over="ignore"):
        return query, error * error


def _errors(ranking: Ranking, name: str) -> tuple[Positions, Floats]:
    """Query and error, score less grade, of the judged documents that were retrieved.

    Raises:
        InputProblem: a score is infinite.
    """
    judged = ranking.grade >= 0
    score = ranking.score[judged]
    if not np.isfinite(score).all():
        raise InputProblem(f"{name}: an infinite score is no predicted rating")
    return ranking.query[judged], score - ranking.grade[judged]


def _mean(errors: tuple[Positions, Floats], queries: Bools, name: str) -> float:
    """The mean error over all pairs of the queries.

    Raises:
        InputProblem: there are no pairs, or their errors add up to more than a double can hold.
    """
    query, error = errors
    chosen = error[queries[query]]
    if not chosen.size:
        raise InputProblem(f"{name}: no document that was retrieved is judged, so that no rating can be compared")
    with np.errstate(over="ignore"):
        total = sequential_sum(chosen)
    if not np.isfinite(total):
        raise InputProblem(f"{name}: the errors add up to more than the largest double, 1.8e308")
    return total / chosen.size


def _mean_by_query(errors: tuple[Positions, Floats], num_queries: int) -> Floats:
    query, error = errors
    return ratio(sums(query, error, num_queries), np.bincount(query, minlength=num_queries))


def _pooled_rmse(ranking: Ranking, queries: Bools) -> float:
    return sqrt(_mean(_squared_errors(ranking, "RMSE"), queries, "RMSE"))


def _pooled_mae(ranking: Ranking, queries: Bools) -> float:
    query, error = _errors(ranking, "MAE")
    return _mean((query, np.abs(error)), queries, "MAE")


_PAIRS = "over the judged documents retrieved, of all queries together; s = score, g = grade"
_RATINGS = (
    "Scores are taken for predicted ratings, so they must be on the scale of the grades. All pairs of a query and a "
    "document that is judged and retrieved count alike, whatever their query; what was not retrieved does not count."
)
_HERLOCKER = "herlocker2004"


@measure(
    "RMSE",
    title="root mean square error of predicted ratings",
    summary="How far the scores are from the grades, large errors weighing more.",
    formula=f"√(mean of (s − g)²) {_PAIRS}",
    high=None,
    higher_is_better=False,
    kind="summary",
    aggregation="pooled",
    no_relevant=None,
    monotone=False,
    reference=_HERLOCKER,
    examples=(query_101("RMSE", "6.0690", "by the formula, with the scores 10, 9, … 1: √(221/6)"),),
    note=_RATINGS,
    pool=_pooled_rmse,
)
def root_mean_square_error(ranking: Ranking) -> Floats:
    """Per query, the root of the mean squared error of its own pairs; 0 without pairs.

    Raises:
        InputProblem: a score is infinite.
    """
    return np.sqrt(_mean_by_query(_squared_errors(ranking, "RMSE"), ranking.num_queries))


@measure(
    "MAE",
    title="mean absolute error of predicted ratings",
    summary="How far the scores are from the grades.",
    formula=f"mean of |s − g| {_PAIRS}",
    high=None,
    higher_is_better=False,
    kind="summary",
    aggregation="pooled",
    no_relevant=None,
    monotone=False,
    reference=_HERLOCKER,
    examples=(query_101("MAE", "5.5", "by the formula, with the scores 10, 9, … 1: 33/6"),),
    note=_RATINGS,
    pool=_pooled_mae,
)
def mean_absolute_error(ranking: Ranking) -> Floats:
    """Per query, the mean absolute error of its own pairs; 0 without pairs.

    Raises:
        InputProblem: a score is infinite.
    """
    query, error = _errors(ranking, "MAE")
    return _mean_by_query((query, np.abs(error)), ranking.num_queries)
