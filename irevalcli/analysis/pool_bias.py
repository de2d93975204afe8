"""Pool bias: what a run's score would be if it had not taken part in the pool that was judged.

The documents that this run alone put into the pool are taken for unjudged, as they would be for a new run; then it is
scored again. Source: Zobel, SIGIR 1998.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.correlate import Correlated, few_systems, system_pair
from irevalcli.analysis.inputs import load_qrels, load_run, mask_of, unknown_qids
from irevalcli.analysis.notes import some
from irevalcli.analysis.policy import check_needs, filled, prepared
from irevalcli.errors import UsageProblem
from irevalcli.index.ranking import Ranking
from irevalcli.measures.registry import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.agreement import Wanted
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.analysis.scores import Note
    from irevalcli.index.judgments import Judgments
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Bools, Floats, Positions
    from irevalcli.reading.opening import Source

UNJUDGED = -1.0


class LeftOut(NamedTuple):
    """A run, scored by all judgments and by those that it does not owe to itself.

    Attributes:
        run: its label.
        measure: the measure.
        own: judged documents that only this run has in the pool.
        own_relevant: those of them that are relevant.
        score: with all judgments.
        without: without its own documents.
        place: its place among the runs, from 1; every run scored with all judgments.
        place_without: its place if only it is scored without its own documents.
    """

    run: str
    measure: str
    own: int
    own_relevant: int
    score: float
    without: float
    place: int
    place_without: int


class PoolBias(NamedTuple):
    """What leaving runs out of the pool changes.

    Attributes:
        depth: of the pool.
        rows: for every measure, every run.
        correlated: how much the rankings of runs by both kinds of score agree, by measure.
    """

    depth: int
    rows: tuple[LeftOut, ...]
    correlated: Correlated


def pool_bias(  # noqa: PLR0917  (the files, and how)
    qrels: str,
    runs: Sequence[NamedRun],
    measures: Sequence[Asked],
    policy: Policy,
    depth: int,
    wanted: Wanted,
    watch: Callable[[Source], None] | None = None,
) -> PoolBias:
    """Every run with and without the judgments that it owes to itself. Every judged query counts.

    Args:
        qrels: the judgments, a path or ``-``.
        runs: the runs that made the pool.
        measures: means over queries.
        policy: the options that decide numbers.
        depth: to which the pool was judged.
        wanted: what is computed of the two rankings of runs.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: a measure is no mean, or there are fewer than two runs.
    """
    if len(runs) < 2:
        raise UsageProblem("--leave-one-out takes two runs or more")
    loaded = load_qrels(qrels)
    judgments = loaded.judgments
    check_needs(measures, "qrels", judgments)
    specs = [filled(asked, judgments, policy).spec for asked in measures]
    for spec in specs:
        if spec.measure.needs not in ("hits", "any") or spec.measure.aggregation != "mean":
            raise UsageProblem(f"--leave-one-out: {spec.name} is no mean over queries of what judged documents tell")
    strangers = unknown_qids(policy.queries or (), judgments)
    if strangers:
        raise UsageProblem(f"--queries: {len(strangers)} not in {loaded.name}: {some(strangers)}")
    counted = mask_of(policy.queries, judgments)
    rankings: list[Ranking] = []
    notes: list[Note] = list(loaded.notes)
    for run in runs:
        read = load_run(run.path, judgments, policy, label=run.label, qrels_name=loaded.name, watch=watch)
        rankings.append(read.ranking)
        notes += read.notes
    contributed = [ranking.listed[(ranking.rank <= depth) & (ranking.grade >= 0)] for ranking in rankings]
    times = np.bincount(np.concatenate(contributed), minlength=judgments.num_listed)
    own = [listed[times[listed] == 1] for listed in contributed]
    fewer = [_without(ranking, judgments, listed) for ranking, listed in zip(rankings, own, strict=True)]
    rows: list[LeftOut] = []
    pairs = []
    for spec in specs:
        scores = _scores(spec, rankings, counted, policy)
        without = _scores(spec, fewer, counted, policy)
        sign = -1.0 if spec.higher_is_better is False else 1.0
        pairs.append(system_pair((spec.name, f"{spec.name} left out"), (sign * scores, sign * without), wanted))
        rows += [
            LeftOut(
                run.label,
                spec.name,
                own[number].size,
                int(np.count_nonzero(judgments.grade[own[number]] >= policy.level)),
                float(scores[number]),
                float(without[number]),
                _place(sign * scores, number, sign * scores[number]),
                _place(sign * scores, number, sign * without[number]),
            )
            for number, run in enumerate(runs)
        ]
    notes += few_systems(len(runs))
    return PoolBias(depth, tuple(rows), Correlated("systems", wanted, tuple(pairs), tuple(notes)))


def _without(ranking: Ranking, judgments: Judgments, own: Positions) -> Ranking:
    """The ranking, joined with judgments that lack some documents."""
    grade = judgments.grade.copy()
    grade[own] = UNJUDGED
    return Ranking(
        judgments.regraded(grade),
        retrieved=ranking.retrieved,
        answered=ranking.answered,
        query=ranking.query,
        rank=ranking.rank,
        listed=ranking.listed,
        grade=grade[ranking.listed],
        score=ranking.score,
        tie_first=ranking.tie_first,
        tie_size=ranking.tie_size,
    )


def _scores(spec: MeasureSpec, rankings: list[Ranking], counted: Bools, policy: Policy) -> Floats:
    """The mean of each run."""
    means = []
    for ranking in rankings:
        values = spec.compute(prepared(ranking, policy))
        if isinstance(values, list):
            raise UsageProblem(f"{spec.name} is no number")
        chosen = values[counted]
        means.append(sequential_sum(chosen) / chosen.size)
    return np.array(means)


def _place(scores: Floats, number: int, score: float) -> int:
    """The place of a run that has this score among the others with theirs."""
    return 1 + int(np.count_nonzero(np.delete(scores, number) > score))
