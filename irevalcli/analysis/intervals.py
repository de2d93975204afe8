"""Intervals of the means of an evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.analysis.scores import Column, Evaluation, Spread
from irevalcli.stats.bootstrap import bootstrap
from irevalcli.stats.paired import t_interval
from irevalcli.stats.sample import deviation

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats


def with_intervals(evaluation: Evaluation, confidence: float) -> Evaluation:
    """The evaluation with the spread of every column whose aggregate is a mean of finite values.

    Args:
        evaluation: left as it is.
        confidence: of the intervals, in (0, 1).
    """
    runs = tuple(
        run._replace(columns=tuple(_with_spread(column, confidence) for column in run.columns))
        for run in evaluation.runs
    )
    return evaluation._replace(runs=runs)


def _with_spread(column: Column, confidence: float) -> Column:
    record = column.spec.measure
    if record.kind != "per_query" or record.aggregation != "mean" or isinstance(column.values, list):
        return column
    return column._replace(spread=_spread(column.values, confidence)) if np.isfinite(column.values).all() else column


def _spread(values: Floats, confidence: float) -> Spread:
    student, drawn = t_interval(values, confidence), bootstrap(values, confidence=confidence).interval
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    return Spread(
        student.estimate,
        student.low,
        student.high,
        confidence,
        deviation(values) if values.size > 1 else None,
        float(values.min()),
        (low, middle, high),
        float(values.max()),
        (drawn.low, drawn.high),
        drawn.resamples or 0,
        drawn.seed or 0,
    )
