"""Evaluation: measures of runs against judgments, every query of the qrels counted unless told otherwise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.analysis.inputs import EXAMPLES, load_qrels, load_run, mask_of, refuse_swapped, unknown_qids
from irevalcli.analysis.scores import Column, Coverage, Evaluation, Note, Scores
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.scan import RunRules
from irevalcli.measures.registry import MeasureSpec, sequential_sum
from irevalcli.reading.faults import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.inputs import LoadedQrels, LoadedRun
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


class NamedRun(NamedTuple):
    """A run file and what it is called in the output."""

    label: str
    path: str


class Asked(NamedTuple):
    """A measure and how the user spelt it."""

    spec: MeasureSpec
    given: str


def evaluate(
    qrels: str, runs: Sequence[NamedRun], measures: Sequence[Asked], policy: Policy = Policy(), *, digests: bool = False
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
        refuse_swapped(qrels, [run.path for run in runs])
        raise
    if policy.negative == "nonrelevant":
        loaded.judgments.set_grades(np.maximum(loaded.judgments.grade, 0))
    strangers = unknown_qids(policy.queries, loaded.judgments) if policy.queries is not None else []
    if strangers:
        named = ", ".join(quoted(qid) for qid in strangers[:EXAMPLES])
        raise UsageProblem(f"--queries names {len(strangers)} that the qrels lack: {named}")
    scored = tuple(_score(run, loaded, measures, policy, digests=digests) for run in runs)
    return Evaluation(qrels, loaded.sha256, _shown(policy), scored, loaded.notes)


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


def _score(
    run: NamedRun, qrels: LoadedQrels, measures: Sequence[Asked], policy: Policy, *, digests: bool
) -> Scores:
    judgments = qrels.judgments
    loaded = load_run(run.path, judgments, RunRules(exclude_self=policy.exclude_self), digest=digests)
    ranking = _prepared(loaded.ranking, policy)
    wanted = mask_of(policy.queries, judgments)
    has_relevant = judgments.num_relevant(policy.level) > 0
    counted = wanted.copy()
    if policy.missing == "skip":
        counted &= ranking.answered
    if policy.no_relevant == "skip":
        counted &= has_relevant
    missing = tuple(judgments.qids[index] for index in np.flatnonzero(wanted & ~ranking.answered).tolist())
    if missing and policy.missing == "error":
        raise InputProblem(
            f"{run.path}: {len(missing)} of {int(wanted.sum())} judged queries are missing ({_some(missing)})",
            hints=("--missing zero counts each as 0, --missing skip leaves them out",),
        )
    if not counted.any():
        raise InputProblem(f"{run.path}: no query is left to evaluate", hints=("check --queries and --missing",))
    coverage = Coverage(
        int(np.count_nonzero(wanted)),
        missing,
        loaded.report.unknown,
        int(np.count_nonzero(wanted & ~has_relevant)),
    )
    indices = np.flatnonzero(counted)
    return Scores(
        run.label,
        run.path,
        loaded.report.tags[-1],
        loaded.sha256,
        tuple(judgments.qids[index] for index in indices.tolist()),
        tuple(_column(asked, ranking, counted, policy) for asked in measures),
        coverage,
        (*_coverage_notes(run.label, coverage, policy), *loaded.notes),
    )


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
    return Column(spec, asked.given, values[counted], _aggregate(spec, values[counted]))


def _aggregate(spec: MeasureSpec, values: Floats) -> float | None:
    total = sequential_sum(values)
    match spec.measure.aggregation:
        case "mean":
            return total / values.size
        case "sum":
            return total
        case "geometric":
            return math.exp(total / values.size)
        case "none":
            return None


def _some(qids: Sequence[bytes]) -> str:
    return ", ".join(qid.decode("utf-8", "backslashreplace") for qid in qids[:EXAMPLES]) + (
        ", …" if len(qids) > EXAMPLES else ""
    )


def _coverage_notes(label: str, coverage: Coverage, policy: Policy) -> list[Note]:
    notes = []
    missing = len(coverage.missing)
    if missing:
        number = f"{missing} judged query is" if missing == 1 else f"{missing} judged queries are"
        text = f"{label}: {number} missing from the run ({_some(coverage.missing)})"
        if missing * 2 > coverage.judged:
            text = f"{label}: {missing} of {coverage.judged} judged queries are missing from the run ({_some(coverage.missing)})"
            text += "; are these the right qrels?"
        if policy.missing == "zero":
            notes.append(Note("warning", f"{text}; each counts as 0", "--missing skip to leave them out"))
        else:
            notes.append(Note("warning", f"{text}; left out of every mean", "--missing zero to count them as 0"))
    if coverage.unknown:
        number = "1 query has" if coverage.unknown == 1 else f"{coverage.unknown} queries have"
        ignored = "was" if coverage.unknown == 1 else "were"
        notes.append(Note("warning", f"{label}: {number} no judgments and {ignored} ignored"))
    if coverage.without_relevant:
        number = "1 query has" if coverage.without_relevant == 1 else f"{coverage.without_relevant} queries have"
        if policy.no_relevant == "zero":
            each = "it counts" if coverage.without_relevant == 1 else "each counts"
            notes.append(
                Note("note", f"{number} no relevant document; {each} as 0", "--no-relevant skip to leave out")
            )
        else:
            left = "was" if coverage.without_relevant == 1 else "were"
            notes.append(Note("note", f"{number} no relevant document and {left} left out"))
    return notes
