"""What changed from one system to another, query by query. Queries are paired by their ids, whatever their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.evaluate import aggregate, evaluate
from irevalcli.analysis.likeness import PERSISTENCE, Likeness, Shown, likeness, shown_by
from irevalcli.analysis.notes import counted
from irevalcli.analysis.outputs import Measured
from irevalcli.analysis.policy import DEFAULTS, Policy
from irevalcli.analysis.scores import Note
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.registry import sequential_sum
from irevalcli.stats.sample import TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.inputs import LoadedRun
    from irevalcli.analysis.policy import Asked
    from irevalcli.analysis.scores import Column, Evaluation
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.reading.opening import Source


class Settings(NamedTuple):
    """How closely two systems are compared.

    Attributes:
        depth: down to which rank the overlap is counted and documents are shown.
        ranks: down to which rank RBO and τ_AP look.
        tolerance: values no farther apart than this are the same.
    """

    depth: int = 10
    ranks: int = 100
    tolerance: float = TOLERANCE


DEFAULT_SETTINGS = Settings()


class Change(NamedTuple):
    """How a measure changed. All arrays have one value per query that has a number in both systems.

    Attributes:
        name: of the measure.
        given: as the user spelt it.
        spec: the measure, or None if only its name is known.
        higher_is_better: None if neither direction is better.
        row: which of the difference's queries it is.
        first: the value of the first system.
        second: the value of the second system.
        verdict: 1 if the second is better, 0 if both are the same within the tolerance, -1 if it is worse; without a
            better direction 1 if it is higher, -1 if it is lower.
        means: the aggregate of either system over these queries; None if the measure has none.
    """

    name: str
    given: str
    spec: MeasureSpec | None
    higher_is_better: bool | None
    row: Positions
    first: Floats
    second: Floats
    verdict: Positions
    means: tuple[float | None, float | None]

    @property
    def change(self) -> Floats:
        """Second minus first."""
        return self.second - self.first

    @property
    def improvement(self) -> Floats:
        """The change, positive where the second is better (or higher)."""
        return -self.change if self.higher_is_better is False else self.change

    def count(self, verdict: int) -> int:
        """On how many queries the second is better (1), the same (0) or worse (-1)."""
        return int(np.count_nonzero(self.verdict == verdict))


class Difference(NamedTuple):
    """What changed from the first system to the second.

    Attributes:
        qrels_path: the judgments, or None.
        runs: the two systems, first and second.
        digests: SHA-256 of the qrels and of the two files; None if not asked for or not known.
        options: the options that decided the numbers.
        qids: the paired queries, in byte order.
        missing: the queries that the first system lacks, and those that the second lacks.
        changes: one for each measure.
        likeness: how alike the rankings are, one value per query of `qids`; None if only values are known.
        notes: what should be known about the files.
        tolerance: values no farther apart than this are the same.
    """

    qrels_path: str | None
    runs: tuple[NamedRun, NamedRun]
    digests: tuple[str | None, str | None, str | None]
    options: dict[str, object]
    qids: tuple[bytes, ...]
    missing: tuple[tuple[bytes, ...], tuple[bytes, ...]]
    changes: tuple[Change, ...]
    likeness: Likeness | None
    notes: tuple[Note, ...]
    tolerance: float

    @property
    def found(self) -> bool:
        """Whether anything differs: a value beyond the tolerance, or without measures a ranking."""
        if self.changes:
            return any(change.verdict.any() for change in self.changes)
        return self.likeness is not None and not bool(self.likeness.same.all())


class Values(NamedTuple):
    """The values of a measure in one system.

    Attributes:
        values: by query.
        aggregate: over all of them, or None if that is not known.
    """

    values: dict[bytes, float]
    aggregate: float | None


def diff_runs(
    qrels: str,
    runs: tuple[NamedRun, NamedRun],
    measures: Sequence[Asked],
    policy: Policy = DEFAULTS,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    digests: bool = False,
    watch: Callable[[Source], None] | None = None,
) -> Difference:
    """What changed from one run to another, by measures and by documents.

    Args:
        qrels: the judgments, a path or ``-``.
        runs: the first and the second.
        measures: in the order of the output; each has a number for every query.
        policy: the options that decide numbers.
        settings: how closely to compare.
        digests: also compute the SHA-256 of every input.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: the request does not fit the files.
    """
    for asked in measures:
        require_numbers(asked.spec)
    seen: list[Shown] = []

    def see(loaded: LoadedRun) -> None:
        seen.append(shown_by(loaded.ranking, settings.depth, judged_only=policy.judged_only))

    top = max(settings.depth, settings.ranks)
    found = evaluate(qrels, runs, measures, policy, digests=digests, watch=watch, top=top, see=see)
    first, second = found.runs
    both = set(second.qids)
    qids = [qid for qid in first.qids if qid in both]
    if not qids:
        raise InputProblem(f"{runs[0].path} and {runs[1].path} have no query in common")
    changes = [
        change_of(asked, qids, (_of_column(first.qids, one), _of_column(second.qids, other)), settings.tolerance)
        for asked, one, other in zip(measures, first.columns, second.columns, strict=True)
    ]
    alike = likeness(seen[0], seen[1], qids, settings.depth, settings.ranks)
    notes = [*found.notes, *first.notes, *second.notes]
    if not len(first.qids) == len(qids) == len(second.qids):
        notes.append(Note("note", f"only {counted(len(qids), 'query', 'queries')} that both runs have are compared"))
    return Difference(
        qrels,
        runs,
        (found.qrels_sha256, first.sha256, second.sha256),
        _options(found, settings),
        tuple(qids),
        (first.coverage.missing, second.coverage.missing),
        tuple(changes),
        alike,
        tuple(notes),
        settings.tolerance,
    )


def require_numbers(spec: MeasureSpec) -> None:
    """Nothing, if the measure has a number for every query.

    Raises:
        UsageProblem: it has none.
    """
    if spec.measure.kind != "per_query":
        raise UsageProblem(f"{spec.name} has no number for a single query that could change")


def _options(found: Evaluation, settings: Settings) -> dict[str, object]:
    return {**found.options, **settings._asdict(), "persistence": PERSISTENCE}


def _of_column(qids: Sequence[bytes], column: Column) -> Values:
    values = column.values if isinstance(column.values, list) else column.values.tolist()
    return Values(dict(zip(qids, map(float, values), strict=True)), column.aggregate)


def change_of(
    asked: Asked | Measured, qids: Sequence[bytes], systems: tuple[Values, Values], tolerance: float
) -> Change:
    """The change of a measure on those of the queries that have a finite number in both systems."""
    spec = asked.spec
    direction = asked.higher_is_better if isinstance(asked, Measured) else asked.spec.higher_is_better
    first, second = (np.array([system.values[qid] for qid in qids], np.float64) for system in systems)
    row = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    first, second = first[row], second[row]
    improvement = first - second if direction is False else second - first
    verdict = (improvement > tolerance).astype(np.int64) - (improvement < -tolerance)
    whole = all(len(system.values) == row.size for system in systems)
    means = tuple(
        system.aggregate if whole and system.aggregate is not None else _mean(spec, values)
        for system, values in zip(systems, (first, second), strict=True)
    )
    name, given = (asked.name, asked.name) if isinstance(asked, Measured) else (asked.spec.name, asked.given)
    return Change(name, given, spec, direction, row, first, second, verdict, (means[0], means[1]))


def _mean(spec: MeasureSpec | None, values: Floats) -> float | None:
    if not values.size:
        return None
    return sequential_sum(values) / values.size if spec is None else aggregate(spec, values)
