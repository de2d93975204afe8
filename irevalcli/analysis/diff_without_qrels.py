"""What changed from one system to another where there are no qrels: by documents alone, or by values alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.analysis.diff import DEFAULT_SETTINGS, Difference, Settings, Values, change_of
from irevalcli.analysis.inputs import load_run
from irevalcli.analysis.likeness import PERSISTENCE, likeness, shown_by
from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.outputs import check_same_origin, missing_measure
from irevalcli.analysis.policy import DEFAULTS, Policy
from irevalcli.analysis.scores import Note
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.judgments import Judgments
from irevalcli.index.run_queries import queries_of
from irevalcli.reading.sniffing import run_format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.inputs import LoadedRun
    from irevalcli.analysis.outputs import Measured, Output
    from irevalcli.analysis.policy import Asked
    from irevalcli.reading.opening import Source

_NAMELESS = b"-"


def diff_rankings(
    sources: tuple[Source, Source],
    runs: tuple[NamedRun, NamedRun],
    policy: Policy = DEFAULTS,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    watch: Callable[[Source], None] | None = None,
) -> Difference:
    """How the rankings of two runs differ, without judgments. Either is read twice: for its queries, for its documents.

    Args:
        sources: the first and the second run, from their first bytes.
        runs: what they are called.
        policy: ties, missing queries, and which queries count.
        settings: how closely to compare.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: a query that was asked for is in neither run.
    """
    pair, judgments = joined(sources, runs, policy, max(settings.depth, settings.ranks), watch=watch)
    answered = [
        [judgments.qids[index] for index in np.flatnonzero(loaded.ranking.answered).tolist()] for loaded in pair
    ]
    wanted = _wanted(answered, policy)
    missing, qids, notes = _paired(answered, wanted, runs, policy, "an empty ranking")
    seen = [shown_by(loaded.ranking, settings.depth, judged_only=False) for loaded in pair]
    return Difference(
        None,
        runs,
        (None, None, None),
        {"ties": policy.ties, "missing": policy.missing, **settings._asdict(), "persistence": PERSISTENCE},
        qids,
        missing,
        (),
        likeness(seen[0], seen[1], qids, settings.depth, settings.ranks),
        (*pair[0].notes, *pair[1].notes, *notes),
        settings.tolerance,
    )


def joined(
    sources: tuple[Source, Source],
    runs: tuple[NamedRun, NamedRun],
    policy: Policy,
    top: int,
    *,
    query: bytes | None = None,
    watch: Callable[[Source], None] | None = None,
) -> tuple[list[LoadedRun], Judgments]:
    """Both runs, joined with nothing but their queries, and what they were joined with.

    Args:
        sources: the runs, from their first bytes.
        runs: what they are called.
        policy: how to break ties.
        top: how many documents at the top of every ranking are kept.
        query: also read all documents of this query.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: the rule for ties looks at judgments.
    """
    if policy.ties in {"best", "worst", "average"}:
        raise UsageProblem(f"--ties {policy.ties} needs qrels")
    qids: set[bytes] = set()
    for source in sources:
        source.watch = watch
        qids |= queries_of(source, run_format_of(source, policy.run_format))
        source.rewind()
    # A run without any line is complained about when it is read.
    judgments = Judgments.of_queries(sorted(qids) or [_NAMELESS])
    index = judgments.qids.index(query) if query in qids else None
    loaded = [
        load_run(
            source, judgments, policy, label=run.label, qrels_name="the other run", watch=watch, top=top,
            documents_of=index, judged=False,
        )
        for source, run in zip(sources, runs, strict=True)
    ]  # fmt: skip
    return loaded, judgments


def _wanted(answered: Sequence[Sequence[bytes]], policy: Policy) -> set[bytes]:
    every = set().union(*answered)
    if policy.queries is None:
        return every
    strangers = [qid for qid in policy.queries if qid not in every]
    if strangers:
        number = counted(len(strangers), "query is", "queries are")
        raise UsageProblem(f"--queries: {number} in neither: {some(strangers)}")
    return set(policy.queries)


def _paired(
    answered: Sequence[Sequence[bytes]],
    wanted: set[bytes],
    runs: tuple[NamedRun, NamedRun],
    policy: Policy,
    nothing: str = "0",
) -> tuple[tuple[tuple[bytes, ...], tuple[bytes, ...]], tuple[bytes, ...], list[Note]]:
    """What either system lacks of the wanted queries, the queries that are compared, and what to say about it.

    Raises:
        InputProblem: a query is missing that must not, or none is left.
    """
    lacking = [tuple(sorted(wanted.difference(qids))) for qids in answered]
    notes = []
    for run, other, qids in zip(runs, reversed(runs), lacking, strict=True):
        if not qids:
            continue
        text = f"{run.label} lacks {counted(len(qids), 'query', 'queries')} of {other.label} ({some(qids)})"
        if policy.missing == "error":
            raise InputProblem(
                text, hints=(f"--missing zero counts each as {nothing}, --missing skip leaves them out",)
            )
        skipped = policy.missing == "skip"
        what = "left out" if skipped else f"each counts as {nothing}"
        hint = "--missing zero to count them" if skipped else "--missing skip to leave them out"
        notes.append(Note("warning", f"{text}; {what}", hint))
    left = wanted.difference(*lacking) if policy.missing == "skip" else wanted
    if not left or not wanted.difference(*lacking):
        raise InputProblem(
            f"{runs[0].path} and {runs[1].path} have no query in common",
            hints=tuple(
                f"queries of {run.label}: {some(sorted(qids))}" for run, qids in zip(runs, answered, strict=True)
            ),
        )
    return (lacking[0], lacking[1]), tuple(sorted(left)), notes


def diff_outputs(
    outputs: tuple[Output, Output],
    runs: tuple[NamedRun, NamedRun],
    measures: Sequence[Asked],
    policy: Policy = DEFAULTS,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    defaults: Sequence[str] = (),
) -> Difference:
    """What changed from one output of an evaluation to another, by measures alone.

    Args:
        outputs: the first and the second.
        runs: what they are called.
        measures: what to compare; none: those of `defaults` that both outputs have, or else all that both have.
        policy: missing queries, and which queries count.
        settings: how closely to compare.
        defaults: names of measures.

    Raises:
        InputProblem: the outputs have nothing in common.
        UsageProblem: an output lacks a measure that was asked for.
    """
    columns = [{measured.name: measured for measured in output.measures} for output in outputs]
    names = [asked.spec.name for asked in measures]
    for name in names:
        for output, known, run in zip(outputs, columns, runs, strict=True):
            if name not in known:
                raise missing_measure(name, output, run.path)
    common = [name for name in columns[0] if name in columns[1]]
    if not common:
        raise InputProblem(f"{runs[0].path} and {runs[1].path} have no measure in common")
    names = names or [name for name in defaults if name in common] or common
    answered = [sorted(set().union(*(known[name].values for name in names))) for known in columns]
    missing, qids, notes = _paired(answered, _wanted(answered, policy), runs, policy)
    changes = [
        change_of(
            columns[0][name],
            qids,
            (_of_output(columns[0][name], qids, answered[0]), _of_output(columns[1][name], qids, answered[1])),
            settings.tolerance,
        )
        for name in names
    ]
    doubts = [Note("warning", text) for text in check_same_origin(*outputs)]
    return Difference(
        None,
        runs,
        (outputs[0].qrels if outputs[0].qrels == outputs[1].qrels else None, None, None),
        {"missing": policy.missing, "tolerance": settings.tolerance},
        qids,
        missing,
        tuple(changes),
        None,
        (*doubts, *notes),
        settings.tolerance,
    )


def _of_output(measured: Measured, qids: Sequence[bytes], answered: Sequence[bytes]) -> Values:
    """The values of these queries: 0 where the system lacks the query, NaN where it has no number for it."""
    known = set(answered)
    return Values({qid: measured.values.get(qid, math.nan if qid in known else 0.0) for qid in qids}, None)
