"""Agreement of rankings: of the documents of two runs, or of runs as two measures or two qrels rank them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.agreement import agreement, mean_agreement, tied_list
from irevalcli.analysis.evaluate import evaluate
from irevalcli.analysis.fusion import load_inputs
from irevalcli.analysis.inputs import load_qrels
from irevalcli.analysis.notes import counted
from irevalcli.analysis.scores import Note
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.stats.rbo import TiedList
from irevalcli.stats.sample import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from irevalcli.analysis.agreement import Agreement, Wanted
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.fusion import Inputs
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.analysis.scores import Column, Evaluation
    from irevalcli.index.candidates import Listed
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.reading.opening import Source

FEW_SYSTEMS = 10


class Pair(NamedTuple):
    """Two rankings, compared.

    Attributes:
        first: what the one is called: a run, or a measure, perhaps with its qrels.
        second: likewise.
        items: how many things both rank: runs, or the documents of all queries.
        values: the statistics; for documents the means over queries.
        defined: over how many queries each mean is; of systems, 1 or 0.
        queries: the statistics of each query that both runs have, by qid; of systems, none.
    """

    first: str
    second: str
    items: int
    values: Agreement
    defined: dict[str, int]
    queries: tuple[tuple[bytes, Agreement], ...] = ()


class Correlated(NamedTuple):
    """Agreement of several rankings.

    Attributes:
        of: ``documents`` or ``systems``.
        wanted: what was computed.
        pairs: every two rankings.
        notes: what should be known about the files.
    """

    of: str
    wanted: Wanted
    pairs: tuple[Pair, ...]
    notes: tuple[Note, ...]


def correlate_documents(
    runs: Sequence[NamedRun],
    qrels: str | None,
    policy: Policy,
    wanted: Wanted,
    watch: Callable[[Source], None] | None = None,
) -> Correlated:
    """How much every two runs agree on the order of documents.

    RBO looks at both whole rankings, the correlations at the documents that both have.

    Args:
        runs: the files.
        qrels: only the queries of this file count; all if None.
        policy: how to break ties, to which depth, and which queries count.
        wanted: what is computed.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used, or two runs have no query in common.
    """
    notes: list[Note] = []
    judged: set[bytes] | None = None
    if qrels is not None:
        loaded = load_qrels(qrels)
        judged = set(loaded.judgments.qids)
        notes += loaded.notes
    inputs = load_inputs(runs, policy, depth=policy.depth, watch=watch)
    notes += inputs.notes
    places = list(combinations(range(len(inputs.names)), 2))
    found: list[list[tuple[bytes, int, Agreement]]] = [[] for _ in places]
    for qid, lists in _rankings(inputs, judged):
        for (first, second), queries in zip(places, found, strict=True):
            one, other = lists[first], lists[second]
            if one.query.size and other.query.size:
                queries.append((qid, *_agreement_of(one, other, wanted)))
    pairs = []
    for (first, second), queries in zip(places, found, strict=True):
        names = inputs.names[first], inputs.names[second]
        if not queries:
            which = "query" if judged is None else "query of the qrels"
            raise InputProblem(f"{names[0]} and {names[1]} have no {which} in common")
        means, defined = mean_agreement([values for _, _, values in queries], wanted)
        common = sum(items for _, items, _ in queries)
        pairs.append(Pair(*names, common, means, defined, tuple((qid, values) for qid, _, values in queries)))
    return Correlated("documents", wanted, tuple(pairs), tuple(notes))


def _rankings(inputs: Inputs, judged: set[bytes] | None) -> Iterator[tuple[bytes, list[Listed]]]:
    """Every query that counts, with what each run ranks for it."""
    for batch in inputs.runs.batches(inputs.queries):
        candidates = inputs.runs.candidates(batch)
        bounds = [np.searchsorted(listed.query, np.arange(batch.size + 1)) for listed in candidates.lists]
        for place, query in enumerate(batch.tolist()):
            qid = inputs.runs.qids[query]
            if judged is None or qid in judged:
                spans = (
                    (listed, ends[place : place + 2]) for listed, ends in zip(candidates.lists, bounds, strict=True)
                )
                yield qid, [listed.between(*span.tolist()) for listed, span in spans]


def _agreement_of(one: Listed, other: Listed, wanted: Wanted) -> tuple[int, Agreement]:
    """The number of common documents of a query, and the statistics."""
    common, first, second = np.intersect1d(one.candidate, other.candidate, assume_unique=True, return_indices=True)
    lists = _tied(one.candidate, one.score), _tied(other.candidate, other.score)
    return common.size, agreement((one.score[first], other.score[second]), lists, wanted)


def _tied(candidate: Positions, score: Floats) -> TiedList:
    """A ranking with its ties, which stand together."""
    starts = np.flatnonzero(np.concatenate(([True], score[1:] != score[:-1])))
    return TiedList(candidate, np.diff(np.append(starts, score.size)))


def correlate_systems(  # noqa: PLR0917  (the files, and how)
    qrels: Sequence[str],
    runs: Sequence[NamedRun],
    measures: Sequence[Asked],
    policy: Policy,
    wanted: Wanted,
    watch: Callable[[Source], None] | None = None,
) -> Correlated:
    """How much two qrels, or every two measures, agree on the order of runs.

    Args:
        qrels: one file, or two.
        runs: the runs.
        measures: at least one with two qrels, else at least two.
        policy: the options that decide numbers.
        wanted: what is computed.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: there are no two rankings, or fewer than two runs, or a measure has no mean.
    """
    if len(runs) < 2:
        raise UsageProblem("to correlate rankings of runs takes two runs or more")
    if len(qrels) == 1 and len(measures) < 2:
        raise UsageProblem(
            "one measure under one qrels file makes a single ranking of the runs",
            hints=("name a second measure with -m, or second qrels with --qrels2; or --of documents",),
        )
    evaluations = [evaluate(path, runs, measures, policy, watch=watch) for path in qrels]
    rankings = [_system_scores(evaluation) for evaluation in evaluations]
    pairs = []
    if len(qrels) == 2:
        for name in rankings[0]:
            named = [f"{name} ({path})" for path in qrels]
            pairs.append(system_pair((named[0], named[1]), (rankings[0][name], rankings[1][name]), wanted))
    else:
        for one, other in combinations(rankings[0], 2):
            pairs.append(system_pair((one, other), (rankings[0][one], rankings[0][other]), wanted))
    notes = [
        note
        for evaluation in evaluations
        for note in (*evaluation.notes, *(note for run in evaluation.runs for note in run.notes))
    ]
    return Correlated("systems", wanted, tuple(pairs), (*dict.fromkeys(notes), *few_systems(len(runs))))


def few_systems(number: int) -> list[Note]:
    """The warning that a correlation of so few runs says little."""
    if number >= FEW_SYSTEMS:
        return []
    return [Note("note", f"{counted(number, 'run')} only: one swap of two runs changes these numbers a lot")]


def system_pair(names: tuple[str, str], scores: tuple[Floats, Floats], wanted: Wanted) -> Pair:
    """Two rankings of the same runs, by scores of which the higher is better."""
    lists = tied_list(scores[0], TOLERANCE), tied_list(scores[1], TOLERANCE)
    values = agreement(scores, lists, wanted, TOLERANCE)
    defined = {name: int(value is not None) for name, value in values.items()}
    return Pair(*names, scores[0].size, values, defined)


def _system_scores(evaluation: Evaluation) -> dict[str, Floats]:
    """By measure, the aggregate of each run, turned so that the higher is better."""
    columns: list[tuple[Column, ...]] = list(zip(*(run.columns for run in evaluation.runs), strict=True))
    return {column[0].spec.name: _oriented(column) for column in columns}


def _oriented(columns: tuple[Column, ...]) -> Floats:
    spec = columns[0].spec
    values = [column.aggregate for column in columns]
    if any(value is None for value in values):
        raise UsageProblem(f"{spec.name} has no mean to rank runs by")
    scores = np.array(values, np.float64)
    return -scores if spec.higher_is_better is False else scores
