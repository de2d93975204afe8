"""What trec_eval does with its files: which queries are evaluated, on which ranking, with which values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from irevalcli.index.grouping import Grouped
from irevalcli.index.ranking import Ranking
from irevalcli.trec.failures import Failure, Obstacles, first_failure, preference_message

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.qrels import QrelsReport
    from irevalcli.index.stream import RunReport
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.trec.argv import TrecOptions
    from irevalcli.trec.table import Column, Marked, Row
    from irevalcli.trec.zscores import Zscores

# Values that trec_eval resets for a query without results, by printed name: with parameters the name differs, and it
# does not.
_RESET_NAMES = {"num_ret", "utility", "relstring", "rbp_resid"}
_RESET_PREFIX = "unj"
ABSENT = -1.0

Judged = TypeVar("Judged", Ranking, Grouped)


class Values(NamedTuple):
    """A printed name with its value for every evaluated query."""

    name: str
    row: Row
    values: Floats | list[bytes]


class Evaluation(NamedTuple):
    """The values of all evaluated queries.

    Attributes:
        qids: the evaluated queries, up to a failure.
        columns: a value per query for every printed name.
        denominator: number of queries that means divide by.
        positive_judgments: in a complete evaluation, the number of judgments above 0 in the whole file, which stands
            in the summary for the number of relevant documents; else None.
        failure: why it ended early, or None.
    """

    qids: list[bytes]
    columns: list[Values]
    denominator: int
    positive_judgments: int | None
    failure: Failure | None


def evaluate(
    options: TrecOptions, asked: list[Marked], columns: list[Column], ranking: Ranking, obstacles: Obstacles
) -> Evaluation:
    """The values of all columns for the queries that count.

    Args:
        options: the command line.
        asked: the measures, in the order of the table.
        columns: their printed names.
        ranking: as `prepared`.
        obstacles: what may go wrong.
    """
    judgments = obstacles.judgments
    chosen = np.ones(judgments.num_queries, np.bool_)
    if options.only_query is not None:
        chosen = np.array([qid == options.only_query for qid in judgments.qids])
    if not options.release_10:
        chosen &= ranking.answered
    failure = first_failure(asked, obstacles, chosen)
    if failure is not None:
        chosen[failure.query :] = False
    indices = np.flatnonzero(chosen)
    values = [
        Values(column.name, column.row, _chosen(column, ranking, indices))
        for column in (columns if indices.size else [])
    ]
    return Evaluation(
        [judgments.qids[index] for index in indices.tolist()],
        values,
        judgments.num_queries if options.complete else indices.size,
        int(np.count_nonzero(judgments.row_grade > 0)) if options.complete else None,
        failure,
    )


def standardised(evaluation: Evaluation, zscores: Zscores) -> Evaluation:
    """The same evaluation with z-scores for values; text stays as it is."""
    columns = [
        column
        if isinstance(column.values, list)
        else column._replace(values=zscores.convert(os.fsencode(column.name), evaluation.qids, column.values))
        for column in evaluation.columns
    ]
    return evaluation._replace(columns=columns)


def prepared(ranking: Ranking, options: TrecOptions) -> Ranking:
    """The ranking that measures see: stand-ins for missing queries, then -M, then -J; no -J for preferences."""
    ranking = ranking.with_retrieved(np.where(ranking.answered, ranking.retrieved, 1))
    if options.depth < np.iinfo(np.int32).max:
        ranking = ranking.truncated(max(options.depth, 0))
    if options.rel_format == "qrels":
        return _by_level(ranking, options)
    if options.rel_format == "qrels_jg":
        return ranking.with_groups(_by_level(ranking.by_group(), options))
    return ranking


def _by_level(ranking: Judged, options: TrecOptions) -> Judged:
    if options.judged_only:
        ranking = ranking.judged_only()
    return ranking.every_rank(ABSENT) if options.level < 0 else ranking


def _chosen(column: Column, ranking: Ranking, indices: Positions) -> Floats | list[bytes]:
    # Parameters may be infinite or no numbers; what comes of it is printed as it is.
    with np.errstate(all="ignore"):
        values = column.compute(ranking)
    answered = ranking.answered
    reset = column.name in _RESET_NAMES or column.name.startswith(_RESET_PREFIX)
    if isinstance(values, list):
        return [b"" if reset and not answered[index] else values[index].encode() for index in indices.tolist()]
    chosen: Floats = values[indices]
    return np.where(answered[indices], chosen, 0.0) if reset else chosen


def find_obstacles(
    options: TrecOptions, judgments: Judgments, ranking: Ranking, run: RunReport, qrels: QrelsReport
) -> Obstacles:
    """What may stand in the way of measures of a `prepared` ranking."""
    run_duplicates: dict[int, bytes] = {}
    for duplicate in run.duplicates:
        if duplicate.ranks[1] <= options.depth:
            run_duplicates.setdefault(duplicate.query, duplicate.docid)
    qrels_duplicates: dict[int, bytes] = {}
    for query, docid in qrels.duplicates:
        qrels_duplicates.setdefault(query, docid)
    problems = []
    if options.rel_format in ("prefs", "qrels_prefs"):
        problems = ranking.preferences.problems
    may_be_missing = options.complete or not options.release_10
    return Obstacles(
        judgments,
        np.zeros_like(ranking.answered) if may_be_missing else ~ranking.answered,
        run_duplicates,
        qrels_duplicates,
        {problem.query: preference_message(problem) for problem in problems},
        options.rel_format,
    )
