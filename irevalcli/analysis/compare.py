"""Runs compared with each other, query by query: an evaluation becomes a comparison. Nothing is read or printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.classes import classed
from irevalcli.analysis.contrasts import TABLE_TESTS, Contrast, Settings, contrasts_of, judged_by
from irevalcli.analysis.labels import check_label
from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.policy import Asked, has_grades
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.spec import parse_measures
from irevalcli.stats.anova import TwoWay, two_way
from irevalcli.stats.corrections import CORRECTIONS, correct
from irevalcli.stats.results import Caveat
from irevalcli.stats.sample import few_queries, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from irevalcli.analysis.policy import Policy
    from irevalcli.analysis.scores import Column, Evaluation
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Floats

JUDGED_DEPTH = 10
"""Ranks in which unjudged documents are counted for measures without a cutoff."""
JUDGED_DIFFERENCE = 0.01
"""What shares of judged documents must differ by to be worth a word: one document in a hundred."""


class Compared(NamedTuple):
    """All runs under one measure.

    Attributes:
        spec: the measure.
        given: the measure as the user spelt it.
        means: one per run, over the queries of the comparison.
        judged: Judged@k of every run at the measure's cutoff (10 if it has none), or () if it was not counted.
        judged_depth: that k.
        contrasts: the pairs compared.
        anova: systems × queries for the tests of all systems at once, else None.
        anova_p: p of the systems, corrected for the number of measures.
        caveats: what to bear in mind about the measure.
    """

    spec: MeasureSpec
    given: str
    means: tuple[float, ...]
    judged: tuple[float, ...]
    judged_depth: int
    contrasts: tuple[Contrast, ...]
    anova: TwoWay | None
    anova_p: float | None
    caveats: tuple[Caveat, ...]


class Family(NamedTuple):
    """The tests that p-values were corrected for.

    Attributes:
        tests: their number.
        scope: which they are, in words.
        correction: by what they were corrected.
        controls: the error rate that is kept.
    """

    tests: int
    scope: str
    correction: str
    controls: str


class Comparison(NamedTuple):
    """Everything that was done and that came out.

    Attributes:
        evaluation: where the scores come from.
        labels: of the runs.
        qids: the queries compared on, in byte order.
        left_out: queries that only some runs have scores for.
        settings: how the runs were compared.
        baselines: places of the runs that others are compared with; () if every pair is compared.
        family: of the tests of pairs.
        interactions: number of tests whether a difference depends on the class of query, a family of their own.
        unclassed: queries without a class, or 0.
        measures: in the order of the output.
        caveats: what holds for all of it.
    """

    evaluation: Evaluation
    labels: tuple[str, ...]
    qids: tuple[bytes, ...]
    left_out: int
    settings: Settings
    baselines: tuple[int, ...]
    family: Family
    interactions: int
    unclassed: int
    measures: tuple[Compared, ...]
    caveats: tuple[Caveat, ...]


def with_judged(measures: Sequence[Asked], policy: Policy) -> list[Asked]:
    """The measures, and Judged at the cutoff of each where unjudged documents can be counted."""
    found = {asked.spec.name: asked for asked in measures}
    if policy.judged_only or not has_grades(policy.qrels_format) or policy.ties == "average":
        return list(found.values())
    for asked in measures:
        (spec,) = parse_measures(f"Judged@{judged_depth(asked.spec)}")
        found.setdefault(spec.name, Asked(spec, spec.name))
    return list(found.values())


def judged_depth(spec: MeasureSpec) -> int:
    """The cutoff of the measure; 10 if it has none."""
    cutoff = spec.parameters.get("cutoff") if spec.measure.at == "cutoff" else None
    return int(cutoff) if cutoff else JUDGED_DEPTH


def check_comparison(measures: Sequence[Asked], labels: Sequence[str], settings: Settings) -> None:
    """Nothing, if the runs can be compared by the measures as the settings want it.

    Raises:
        UsageProblem: they cannot.
    """
    if len(labels) < 2:
        raise UsageProblem("there is one run only, and nothing to compare it with", hints=("name two runs or more",))
    for spec, _ in measures:
        if spec.measure.kind != "per_query":
            raise UsageProblem(f"{spec.name} has no number for every query, so that runs cannot be compared by it")
    if settings.all_pairs and settings.baselines:
        raise UsageProblem("--all-pairs compares every run with every other one: leave --baseline out")
    for baseline in settings.baselines:
        check_label("--baseline", baseline, labels)


def compare(
    evaluation: Evaluation,
    measures: Sequence[Asked],
    settings: Settings,
    classes: Mapping[bytes, str] | None = None,
) -> Comparison:
    """The runs of an evaluation compared by some of its measures, on the queries that all of them have scores for.

    Args:
        evaluation: of all runs; its further columns of Judged tell where unjudged documents differ.
        measures: what to compare by: the first columns of every run.
        settings: how.
        classes: the class of each query by qid, or None.

    Raises:
        UsageProblem: see `check_comparison`.
        InputProblem: no query has scores for all runs, or a score is not finite.
    """
    labels = tuple(run.label for run in evaluation.runs)
    check_comparison(measures, labels, settings)
    qids = _shared_qids(evaluation)
    everything = set().union(*(run.qids for run in evaluation.runs))
    baselines = () if settings.all_pairs else tuple(map(labels.index, settings.baselines)) or (0,)
    pairs = _pairs(len(labels), baselines)
    names = None if classes is None else [classes.get(qid) for qid in qids]
    compared = []
    for place, asked in enumerate(measures):
        spec = evaluation.runs[0].columns[place].spec
        table = _table(evaluation, place, qids)
        found = contrasts_of(table, pairs, spec.higher_is_better, settings)
        if names is not None:
            found = [
                classed(contrast, table[contrast.run] - table[contrast.baseline], names, spec, settings)
                for contrast in found
            ]
        anova = two_way(table, settings.tolerance) if settings.test in TABLE_TESTS else None
        means = tuple(mean(row) for row in table)
        depth = judged_depth(asked.spec)
        judged = _judged(evaluation, depth, qids)
        caveats = () if asked.spec.measure.name == "Judged" else _unjudged_caveats(labels, judged, depth)
        compared.append(Compared(spec, asked.given, means, judged, depth, tuple(found), anova, None, caveats))
    corrected, family = _corrected(compared, settings)
    interactions = sum(
        contrast.interaction is not None and contrast.interaction.p is not None
        for one in corrected
        for contrast in one.contrasts
    )
    left_out = len(everything) - len(qids)
    unclassed = 0 if names is None else names.count(None)
    caveats = (*_query_caveats(evaluation, left_out, unclassed), *few_queries(len(qids)))
    return Comparison(
        evaluation, labels, qids, left_out, settings, baselines, family, interactions,
        unclassed, tuple(corrected), caveats,
    )  # fmt: skip


def _query_caveats(evaluation: Evaluation, left_out: int, unclassed: int) -> Iterator[Caveat]:
    """What is worth knowing about the queries that the runs are compared on."""
    for run in evaluation.runs:
        missing = run.coverage.missing
        if missing and evaluation.options["missing"] == "zero":
            queries, each = (
                counted(len(missing), "query", "queries"),
                "it counts" if len(missing) == 1 else "each counts",
            )
            yield Caveat("missing-queries", f"{run.label} lacks {queries} ({some(missing)}); {each} as 0")
    if left_out:
        verb = counted(left_out, "query that not all runs have is", "queries that not all runs have are")
        yield Caveat("left-out", f"{verb} left out")
    if unclassed:
        yield Caveat("no-class", counted(unclassed, "query has no class", "queries have no class"))


def _pairs(runs: int, baselines: Sequence[int]) -> list[tuple[int, int]]:
    """Run and what it is compared with: each baseline, or every earlier run. Two baselines are compared once."""
    if not baselines:
        return [(run, other) for run in range(runs) for other in range(run)]
    return [
        (run, baseline)
        for place, baseline in enumerate(baselines)
        for run in range(runs)
        if run != baseline and run not in baselines[:place]
    ]


def _shared_qids(evaluation: Evaluation) -> tuple[bytes, ...]:
    """The queries that all runs have scores for, in byte order."""
    shared = set(evaluation.runs[0].qids).intersection(*(run.qids for run in evaluation.runs[1:]))
    if not shared:
        raise InputProblem(
            "no query has scores for all runs", hints=("--missing zero counts a query that a run lacks as 0",)
        )
    return tuple(sorted(shared))


def _table(evaluation: Evaluation, place: int, qids: tuple[bytes, ...]) -> Floats:
    """float64[runs, queries] of the column at this place.

    Raises:
        InputProblem: a score is not finite.
    """
    table = np.array([_values(run.qids, run.columns[place], qids) for run in evaluation.runs], np.float64)
    if not np.isfinite(table).all():
        run, query = np.argwhere(~np.isfinite(table))[0].tolist()
        where = f"{evaluation.runs[run].label}, query {qids[query].decode('utf-8', 'backslashreplace')}"
        name = evaluation.runs[run].columns[place].spec.name
        raise InputProblem(f"{name} has no number for {where}, so that runs cannot be compared by it")
    return table


def _values(own: tuple[bytes, ...], column: Column, qids: tuple[bytes, ...]) -> Floats:
    """The values of the queries, found by qid."""
    values = np.asarray(column.values, np.float64)
    if own == qids:
        return values
    places = {qid: place for place, qid in enumerate(own)}
    chosen: Floats = values[[places[qid] for qid in qids]]
    return chosen


def _judged(evaluation: Evaluation, depth: int, qids: tuple[bytes, ...]) -> tuple[float, ...]:
    """The mean share of judged documents of every run; () if it was not computed."""
    names = [column.spec.name for column in evaluation.runs[0].columns]
    if f"Judged@{depth}" not in names:
        return ()
    return tuple(mean(row) for row in _table(evaluation, names.index(f"Judged@{depth}"), qids))


def _unjudged_caveats(labels: Sequence[str], judged: Sequence[float], depth: int) -> tuple[Caveat, ...]:
    """A caveat if some runs have more unjudged documents than others."""
    if not judged or max(judged) - min(judged) <= JUDGED_DIFFERENCE:
        return ()
    low, high = (judged.index(end(judged)) for end in (min, max))
    return (
        Caveat(
            "unjudged-differ",
            f"unjudged documents differ: Judged@{depth} is {judged[low]:.4f} for {labels[low]} and {judged[high]:.4f} "
            f"for {labels[high]}; a run with fewer judged documents may be better than its score",
        ),
    )


def _corrected(compared: list[Compared], settings: Settings) -> tuple[list[Compared], Family]:
    """The measures with corrected p-values and verdicts, and the family of the tests."""
    flat = [contrast for one in compared for contrast in one.contrasts]
    interaction_p = iter(
        correct([c.interaction.p if c.interaction else None for c in flat], settings.correction).adjusted
    )
    if settings.test in TABLE_TESTS:
        adjusted = iter([contrast.p for contrast in flat])
        systems = len(compared[0].means)
        tests = systems * (systems - 1) // 2
        family = Family(tests, "all pairs of a measure", settings.test, CORRECTIONS["holm"])
    else:
        correction = correct([contrast.p for contrast in flat], settings.correction)
        adjusted = iter(list(correction.adjusted))
        scope = "all pairs and measures printed" if settings.all_pairs else "all runs and measures printed"
        family = Family(correction.family, scope, correction.name, correction.controls)
    overall = iter(
        correct([None if one.anova is None else one.anova.systems.p for one in compared], settings.correction).adjusted
    )
    result = []
    for one in compared:
        contrasts = tuple(
            judged_by(
                contrast._replace(adjusted=next(adjusted), interaction_p=next(interaction_p)),
                one.spec.higher_is_better,
                settings,
            )
            for contrast in one.contrasts
        )
        result.append(one._replace(contrasts=contrasts, anova_p=next(overall)))
    return result, family
