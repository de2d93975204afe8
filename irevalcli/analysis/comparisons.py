"""Comparisons of the runs of a call by their values of another measure: what they need, and their columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.analysis.labels import check_label
from irevalcli.analysis.policy import Asked
from irevalcli.analysis.scores import Column, Note, Scores
from irevalcli.errors import UsageProblem
from irevalcli.measures.compared import compared_measure
from irevalcli.measures.registry import MeasureSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from irevalcli.reading.arrays import Floats


def is_comparison(asked: Asked) -> bool:
    """Whether the measure compares runs, so that it cannot be computed from one."""
    return asked.spec.measure.kind == "comparison"


def by_run(measures: Sequence[Asked]) -> list[Asked]:
    """What has to be computed for each run by itself: measures of runs, and those by which runs are compared."""
    found = {asked.spec.name: asked for asked in measures if not is_comparison(asked)}
    for asked in filter(is_comparison, measures):
        spec = compared_measure(asked.spec)
        found.setdefault(spec.name, Asked(spec, spec.name))
    return list(found.values())


def check_comparisons(measures: Sequence[Asked], labels: Sequence[str], baseline: str | None) -> None:
    """Nothing, if the runs and the baseline are such that the measures can compare them.

    Args:
        measures: all that were asked for.
        labels: of the runs.
        baseline: the label of the baseline, or None.

    Raises:
        UsageProblem: a run or the baseline is missing, or there is a baseline and nothing is compared with it.
    """
    for spec, _ in filter(is_comparison, measures):
        if spec.measure.needs == "baseline" and baseline is None:
            raise UsageProblem(
                f"{spec.name} needs a baseline", hints=(f"name one of the runs by --baseline {labels[0]}",)
            )
        if len(labels) < 2:
            raise UsageProblem(f"{spec.name} compares runs, of which there is one only")
    if baseline is None:
        return
    check_label("--baseline", baseline, labels)
    if not any(asked.spec.measure.needs == "baseline" for asked in measures):
        raise UsageProblem(
            "--baseline: no measure compares with a baseline", hints=("add one, such as -m URisk,TRisk",)
        )


def with_comparisons(
    runs: Sequence[Scores], measures: Sequence[Asked], filled: Mapping[str, Asked], baseline: str | None
) -> tuple[Scores, ...]:
    """The runs with the columns that were asked for, those of comparisons among them.

    Args:
        runs: all of the call, with the columns of `by_run`.
        measures: all that were asked for, in the order of the output.
        filled: the measures of `by_run`, by their names, as they are called in the columns.
        baseline: the label of the baseline, or None.

    Raises:
        UsageProblem: runs are to be compared, and not all have the same queries.
    """
    columns: list[list[Column]] = [[] for _ in runs]
    notes: list[list[Note]] = [[] for _ in runs]
    for asked in measures:
        if is_comparison(asked):
            found = _compared(runs, asked, filled, baseline)
            for place, (run, column) in enumerate(zip(runs, found, strict=True)):
                if column.aggregate is None and run.label != baseline:
                    text = f"{run.label}: {column.spec.name} has no value, for lack of variation between queries"
                    notes[place].append(Note("note", text))
        else:
            found = [_column(run, filled[asked.spec.name])._replace(given=asked.given) for run in runs]
        for held, column in zip(columns, found, strict=True):
            held.append(column)
    return tuple(
        run._replace(columns=tuple(held), notes=(*run.notes, *more))
        for run, held, more in zip(runs, columns, notes, strict=True)
    )


def _compared(runs: Sequence[Scores], asked: Asked, filled: Mapping[str, Asked], baseline: str | None) -> list[Column]:
    """The column of a comparison for each run. Its values by query are those of the measure that is compared."""
    name = asked.spec.name
    if len({run.qids for run in runs}) > 1:
        raise UsageProblem(
            f"{name} compares runs by query, and the runs do not have the same queries",
            hints=("--missing zero counts a query that a run lacks as 0",),
        )
    inner = filled[compared_measure(asked.spec).name]
    spec = MeasureSpec.of(asked.spec.measure, **asked.spec.parameters | {"measure": inner.spec.name})
    columns = [_column(run, inner) for run in runs]
    # A baseline goes first; the others keep their order.
    leading = baseline if spec.measure.needs == "baseline" else None
    order = sorted(range(len(runs)), key=lambda place: runs[place].label != leading)
    table: Floats = np.array([columns[place].values for place in order], np.float64)
    found = dict(zip(order, map(float, spec.measure.compute(table, **spec.parameters)), strict=True))
    return [
        Column(spec, asked.given, column.values, None if math.isnan(found[place]) else found[place])
        for place, column in enumerate(columns)
    ]


def _column(run: Scores, asked: Asked) -> Column:
    return next(column for column in run.columns if column.spec == asked.spec)
