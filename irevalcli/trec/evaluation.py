"""What trec_eval does with its files: which queries are evaluated, on which ranking, with which values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from irevalcli.index.grouping import Grouped
from irevalcli.index.ranking import Ranking
from irevalcli.trec.failures import Failure, Obstacles, first_failure, preference_message
from irevalcli.trec.printer import Values
from irevalcli.trec.table import Column, Marked

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.stream import RunReport
    from irevalcli.reading.arrays import Bools, Floats, Positions
    from irevalcli.trec.argv import TrecOptions

# Values that trec_eval resets for a query without results, by printed name: with parameters the name differs and it does not.
_RESET_NAMES = {"num_ret", "utility", "relstring", "rbp_resid"}
_RESET_PREFIX = "unj"
ABSENT = -1.0

Judged = TypeVar("Judged", Ranking, Grouped)


class Evaluation(NamedTuple):
    """The values of all evaluated queries.

    Attributes:
        qids: the evaluated queries, up to a failure.
        columns: a value per query for every printed name.
        denominator: number of queries that means divide by.
        failure: why it ended early, or None.
    """

    qids: list[bytes]
    columns: list[Values]
    denominator: int
    failure: Failure | None


def evaluate(
    options: TrecOptions,
    asked: list[Marked],
    columns: list[Column],
    judgments: Judgments,
    ranking: Ranking,
    obstacles: Obstacles,
) -> Evaluation:
    """The values of all columns for the queries that count."""
    release_10 = options.compat != "9.0.8"
    chosen = np.ones(judgments.num_queries, np.bool_)
    if options.only_query is not None:
        chosen = np.array([qid == options.only_query for qid in judgments.qids])
    if not release_10:
        chosen &= ranking.answered
    failure = first_failure(asked, obstacles, judgments, chosen)
    if failure is not None:
        chosen[failure.query :] = False
    indices = np.flatnonzero(chosen)
    prepared = _prepared(ranking, options)
    values = [
        Values(column.name, column.row, _chosen(column, prepared, ranking.answered, indices))
        for column in (columns if indices.size else [])
    ]
    denominator = judgments.num_queries if options.complete else indices.size
    return Evaluation([judgments.qids[index] for index in indices.tolist()], values, denominator, failure)


def _prepared(ranking: Ranking, options: TrecOptions) -> Ranking:
    """The ranking that measures see: stand-ins for missing queries, then -M, then -J; no -J for preferences."""
    prepared = ranking.with_retrieved(np.where(ranking.answered, ranking.retrieved, 1))
    if options.depth < np.iinfo(np.int32).max:
        prepared = prepared.truncated(max(options.depth, 0))
    if options.rel_format == "qrels":
        return _by_level(prepared, options)
    if options.rel_format == "qrels_jg":
        return prepared.with_groups(_by_level(prepared.by_group(), options))
    return prepared


def _by_level(ranking: Judged, options: TrecOptions) -> Judged:
    if options.judged_only:
        ranking = ranking.judged_only()
    return ranking.every_rank(ABSENT) if options.level < 0 else ranking


def _chosen(column: Column, ranking: Ranking, answered: Bools, indices: Positions) -> Floats | list[bytes]:
    # Parameters may be infinite or no numbers; what comes of it is printed as it is.
    with np.errstate(all="ignore"):
        values = column.compute(ranking)
    reset = column.name in _RESET_NAMES or column.name.startswith(_RESET_PREFIX)
    if isinstance(values, list):
        return [b"" if reset and not answered[index] else values[index].encode() for index in indices.tolist()]
    chosen: Floats = values[indices]
    return np.where(answered[indices], chosen, 0.0) if reset else chosen


def find_obstacles(
    options: TrecOptions,
    judgments: Judgments,
    ranking: Ranking,
    report: RunReport,
    qrels_duplicates: list[tuple[int, bytes]],
) -> Obstacles:
    """What may stand in the way of measures."""
    problems = []
    if options.rel_format in ("prefs", "qrels_prefs"):
        problems = _prepared(ranking, options).preferences.problems
    within: dict[int, bytes] = {}
    for duplicate in report.duplicates:
        if duplicate.ranks[1] <= options.depth:
            within.setdefault(duplicate.query, duplicate.docid)
    twice: dict[int, bytes] = {}
    for query, docid in qrels_duplicates:
        twice.setdefault(query, docid)
    may_be_missing = options.complete or options.compat == "9.0.8"
    missing = np.zeros_like(ranking.answered) if may_be_missing else ~ranking.answered
    preferences = {problem.query: preference_message(problem) for problem in problems}
    return Obstacles(missing, within, twice, preferences, options.rel_format)
