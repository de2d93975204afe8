"""Evaluation: measures of runs against judgments, every query of the qrels counted unless told otherwise."""

from __future__ import annotations

import math
import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.comparisons import by_run, check_comparisons, with_comparisons
from irevalcli.analysis.further_inputs import (
    check_further_inputs,
    deepest_list,
    load_further_inputs,
    with_popularity,
)
from irevalcli.analysis.inputs import load_qrels, load_run, mask_of, unknown_qids
from irevalcli.analysis.notes import counted, coverage_notes, difference, no_relevant_note, some
from irevalcli.analysis.policy import (
    DEFAULTS,
    Asked,
    Policy,
    check_needs,
    check_preferences,
    check_rules,
    filled,
    prepared,
    shown,
    what_left_queries_out,
)
from irevalcli.analysis.scores import Column, Coverage, Evaluation, Note, Scores
from irevalcli.analysis.swapped import refuse_swapped
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.registry import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.inputs import LoadedQrels, LoadedRun
    from irevalcli.index.popularity import Popularity
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Bools, Floats
    from irevalcli.reading.opening import Source


class NamedRun(NamedTuple):
    """A run file and what it is called in the output.

    Attributes:
        label: its name in the output.
        path: the file, or ``-``.
        argument: both as the user wrote them, for a call that is suggested.
    """

    label: str
    path: str
    argument: str


class _Question(NamedTuple):
    """What is asked about every run of a call.

    Attributes:
        qrels: the judgments.
        measures: in the order of the output.
        policy: the options that decide numbers.
        wanted: which queries of the judgments were asked for.
        has_relevant: which queries have a relevant document.
        popularity: how often documents were chosen, if that was asked for.
    """

    qrels: LoadedQrels
    measures: tuple[Asked, ...]
    policy: Policy
    wanted: Bools
    has_relevant: Bools
    popularity: Popularity | None


def evaluate(
    qrels: str,
    runs: Sequence[NamedRun],
    measures: Sequence[Asked],
    policy: Policy = DEFAULTS,
    *,
    digests: bool = False,
    watch: Callable[[Source], None] | None = None,
    top: int = 0,
    see: Callable[[LoadedRun], None] | None = None,
) -> Evaluation:
    """All measures of all runs. The qrels are read once.

    Args:
        qrels: the judgments, a path or ``-``.
        runs: the runs, in the order of the output.
        measures: the measures, in the order of the output.
        policy: the options that decide numbers.
        digests: also compute the SHA-256 of every input.
        watch: called whenever some of a run was read, or None.
        top: how many documents at the top of every ranking are kept for `see`.
        see: called with each run before it is scored and let go, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: the request does not fit the files.
    """
    check_comparisons(measures, [run.label for run in runs], policy.baseline)
    needed = by_run(measures)
    check_further_inputs(needed, policy)
    check_rules(needed, policy)
    try:
        needs = {asked.spec.measure.needs for asked in needed}
        merged = not needs.isdisjoint({"hits", "further_grades"})
        loaded = load_qrels(qrels, policy, subtopics="subtopics" in needs, merged=merged, digest=digests)
    except InputProblem:
        refuse_swapped(qrels, runs)
        raise
    judgments = loaded.judgments
    check_needs(needed, policy.qrels_format, judgments)
    further = load_further_inputs(judgments, policy, loaded.name, digest=digests)
    if policy.negative == "nonrelevant":
        judgments.set_grades(np.maximum(judgments.grade, 0))
    strangers = unknown_qids(policy.queries, judgments) if policy.queries is not None else []
    if strangers:
        number = counted(len(strangers), "query is", "queries are")
        raise UsageProblem(f"--queries: {number} not in {loaded.name}: {some(strangers)}")
    wanted = mask_of(policy.queries, judgments)
    has_relevant = judgments.num_relevant(policy.level) > 0
    notes = [*loaded.notes, *further.notes]
    without_relevant = int(np.count_nonzero(wanted & ~has_relevant))
    if without_relevant:
        skipped = policy.no_relevant == "skip"
        notes.append(no_relevant_note(loaded.name, without_relevant, policy.level, skipped=skipped))
    filled_in = {asked.spec.name: filled(asked, judgments, policy) for asked in needed}
    question = _Question(loaded, tuple(filled_in.values()), policy, wanted, has_relevant, further.popularity)
    read = partial(
        load_run, judgments=judgments, policy=policy, qrels_name=loaded.name, watch=watch, digest=digests,
        top=max(deepest_list(needed), top),
    )  # fmt: skip
    scored = []
    for run in runs:
        joined = read(run.path, label=run.label)
        if see is not None:
            see(joined)
        scored.append(_score(run, question, joined))
    compared = with_comparisons(scored, measures, filled_in, policy.baseline)
    return Evaluation(qrels, loaded.sha256, shown(policy), compared, tuple(notes), further.files)


def _score(run: NamedRun, question: _Question, loaded: LoadedRun) -> Scores:
    qrels, measures, policy, wanted, has_relevant, popularity = question
    judgments = qrels.judgments
    counted_queries = wanted.copy()
    if policy.missing == "skip":
        counted_queries &= loaded.ranking.answered
    if policy.no_relevant == "skip":
        counted_queries &= has_relevant
    lacking = wanted & ~loaded.ranking.answered
    missing = tuple(judgments.qids[index] for index in np.flatnonzero(lacking).tolist())
    if missing and policy.missing == "error":
        raise InputProblem(
            f"{run.path}: {len(missing)} of {int(wanted.sum())} judged queries are missing ({some(missing)})",
            hints=("--missing zero counts each as 0, --missing skip leaves them out",),
        )
    if not counted_queries.any():
        raise InputProblem(f"{run.path}: no query is left to evaluate", hints=what_left_queries_out(policy))
    coverage = Coverage(
        int(np.count_nonzero(wanted)),
        missing,
        loaded.report.unknown,
        int(np.count_nonzero(wanted & ~has_relevant)),
    )
    notes = coverage_notes(run.label, coverage, missing_skipped=policy.missing == "skip")
    likely = difference(loaded.report.unknown_examples, missing)
    if likely:
        notes.append(Note("note", f"{run.label}: {likely}"))
    ranking = prepared(loaded.ranking, policy)
    with_popularity(ranking, counted_queries, popularity)
    if any(asked.spec.measure.needs == "preferences" for asked in measures):
        check_preferences(ranking, qrels.name)
    indices = np.flatnonzero(counted_queries)
    return Scores(
        run.label,
        run.path,
        loaded.report.tags[-1] if loaded.report.tags else os.fsencode(run.label),
        loaded.sha256,
        tuple(judgments.qids[index] for index in indices.tolist()),
        tuple(_column(asked, ranking, counted_queries, policy) for asked in measures),
        coverage,
        (*notes, *loaded.notes),
    )


def _column(asked: Asked, ranking: Ranking, counted: Bools, policy: Policy) -> Column:
    spec, given = asked
    values = spec.average_over_ties(ranking) if policy.ties == "average" else spec.compute(ranking)
    if isinstance(values, list):
        chosen = [value for value, counts in zip(values, counted.tolist(), strict=True) if counts]
        return Column(spec, given, chosen, None)
    pool = spec.measure.pool
    pooled = pool(spec.seen(ranking), counted, **spec.parameters) if pool else aggregate(spec, values[counted])
    return Column(spec, given, values[counted], pooled)


def aggregate(spec: MeasureSpec, values: Floats) -> float | None:
    """The aggregate of a measure's values, at least one; None if it has none, or not from values of single queries."""
    total = sequential_sum(values)
    match spec.measure.aggregation:
        case "mean":
            return total / values.size
        case "sum":
            return total
        case "geometric":
            return math.exp(total / values.size)
        case "pooled" | "none":
            return None
