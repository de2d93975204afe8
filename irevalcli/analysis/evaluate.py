"""Evaluation: measures of runs against judgments, every query of the qrels counted unless told otherwise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.analysis.inputs import load_qrels, load_run, mask_of, unknown_qids
from irevalcli.analysis.notes import counted, coverage_notes, difference, no_relevant_note, some
from irevalcli.analysis.scores import Column, Coverage, Evaluation, Note, Scores
from irevalcli.analysis.swapped import refuse_swapped
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.scan import RunRules
from irevalcli.measures.registry import MeasureSpec, sequential_sum

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.inputs import LoadedQrels
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools, Floats


class Policy(NamedTuple):
    """The options that decide numbers, for all runs of a call.

    Attributes:
        level: lowest grade that counts as relevant, for measures that are not given `rel` themselves.
        judged_only: leave unjudged documents out of the rankings.
        depth: ranks kept of every ranking, or None.
        missing: what becomes of a judged query that the run lacks.
        no_relevant: what becomes of a query without relevant documents.
        negative: what a negative grade means.
        exclude_self: leave out documents with the id of their query.
        collection_size: number of documents in the collection, for measures that need it.
        queries: the only queries that count, or None for all.
        qrels_format: name of the format of the judgments.
    """

    level: float = 1
    judged_only: bool = False
    depth: int | None = None
    missing: Literal["zero", "skip", "error"] = "zero"
    no_relevant: Literal["zero", "skip"] = "zero"
    negative: Literal["unjudged", "nonrelevant"] = "unjudged"
    exclude_self: bool = False
    collection_size: int = 0
    queries: tuple[bytes, ...] | None = None
    qrels_format: str = "qrels"


DEFAULTS = Policy()


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
    """

    qrels: LoadedQrels
    measures: tuple[Asked, ...]
    policy: Policy
    wanted: Bools
    has_relevant: Bools


class Asked(NamedTuple):
    """A measure and how the user spelt it."""

    spec: MeasureSpec
    given: str


def evaluate(
    qrels: str, runs: Sequence[NamedRun], measures: Sequence[Asked], policy: Policy = DEFAULTS, *, digests: bool = False
) -> Evaluation:
    """All measures of all runs. The qrels are read once.

    Args:
        qrels: the judgments, a path or ``-``.
        runs: the runs, in the order of the output.
        measures: the measures, in the order of the output.
        policy: the options that decide numbers.
        digests: also compute the SHA-256 of every input.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: the request does not fit the files.
    """
    _check_needs(measures, policy.qrels_format)
    try:
        loaded = load_qrels(qrels, layout=policy.qrels_format, digest=digests)
    except InputProblem:
        refuse_swapped(qrels, runs)
        raise
    judgments = loaded.judgments
    if policy.negative == "nonrelevant":
        judgments.set_grades(np.maximum(judgments.grade, 0))
    strangers = unknown_qids(policy.queries, judgments) if policy.queries is not None else []
    if strangers:
        number = counted(len(strangers), "query is", "queries are")
        raise UsageProblem(f"--queries: {number} not in {loaded.name}: {some(strangers)}")
    wanted = mask_of(policy.queries, judgments)
    has_relevant = judgments.num_relevant(policy.level) > 0
    notes = list(loaded.notes)
    without_relevant = int(np.count_nonzero(wanted & ~has_relevant))
    if without_relevant:
        skipped = policy.no_relevant == "skip"
        notes.append(no_relevant_note(loaded.name, without_relevant, policy.level, skipped=skipped))
    question = _Question(loaded, tuple(measures), policy, wanted, has_relevant)
    scored = tuple(_score(run, question, digests=digests) for run in runs)
    return Evaluation(qrels, loaded.sha256, _shown(policy), scored, tuple(notes))


def _check_needs(measures: Sequence[Asked], qrels_format: str) -> None:
    offers = {"qrels": "hits", "qrels_jg": "groups", "prefs": "preferences", "qrels_prefs": "preferences"}[qrels_format]
    formats = {"hits": "qrels", "groups": "qrels_jg", "preferences": "prefs"}
    for spec, _ in measures:
        needs = spec.measure.needs
        if needs != offers and not (needs == "hits" and offers == "groups"):
            raise UsageProblem(
                f"{spec.name} needs judgments of the format {formats[needs]}, not {qrels_format}",
                hints=(f"if the file has that format, add --qrels-format {formats[needs]}",),
            )


def _shown(policy: Policy) -> dict[str, str | int | float | bool | None]:
    queries = None if policy.queries is None else len(policy.queries)
    return {name: value for name, value in policy._asdict().items() if name != "queries"} | {"queries": queries}


def _score(run: NamedRun, question: _Question, *, digests: bool) -> Scores:
    qrels, measures, policy, wanted, has_relevant = question
    judgments = qrels.judgments
    rules = RunRules(exclude_self=policy.exclude_self)
    loaded = load_run(run.path, judgments, rules, label=run.label, qrels_name=qrels.name, digest=digests)
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
        raise InputProblem(f"{run.path}: no query is left to evaluate", hints=_what_left_them_out(policy))
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
    ranking = _prepared(loaded.ranking, policy)
    indices = np.flatnonzero(counted_queries)
    return Scores(
        run.label,
        run.path,
        loaded.report.tags[-1],
        loaded.sha256,
        tuple(judgments.qids[index] for index in indices.tolist()),
        tuple(_column(asked, ranking, counted_queries, policy) for asked in measures),
        coverage,
        (*notes, *loaded.notes),
    )


def _what_left_them_out(policy: Policy) -> tuple[str, ...]:
    options = {
        "--queries": policy.queries is not None,
        "--missing skip": policy.missing == "skip",
        "--no-relevant skip": policy.no_relevant == "skip",
    }
    return (f"see {', '.join(name for name, used in options.items() if used)}",)


def _prepared(ranking: Ranking, policy: Policy) -> Ranking:
    if policy.depth is not None:
        ranking = ranking.truncated(policy.depth)
    return ranking.judged_only() if policy.judged_only else ranking


def _column(asked: Asked, ranking: Ranking, counted: Bools, policy: Policy) -> Column:
    spec = asked.spec
    if policy.collection_size and spec.measure.parameter("collection_size") is not None:
        spec = MeasureSpec.of(spec.measure, **{**spec.parameters, "collection_size": policy.collection_size})
    values = spec.compute(ranking)
    if isinstance(values, list):
        chosen = [value for value, counts in zip(values, counted.tolist(), strict=True) if counts]
        return Column(spec, asked.given, chosen, None)
    pool = spec.measure.pool
    pooled = pool(ranking, counted, **spec.parameters) if pool else _aggregate(spec, values[counted])
    return Column(spec, asked.given, values[counted], pooled)


def _aggregate(spec: MeasureSpec, values: Floats) -> float | None:
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
