"""The order of runs, measures and queries in the output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.errors import UsageProblem
from irevalcli.measures.trec_names import trec_name

if TYPE_CHECKING:
    from irevalcli.analysis.scores import Column, Evaluation, Scores

KEYS = ("run", "measure", "value", "query")
"""What can be sorted by."""


def ordered(evaluation: Evaluation, sort: tuple[str, str] | None) -> Evaluation:
    """The same evaluation with its runs, measures or queries in another order.

    Args:
        evaluation: left as it is.
        sort: a key and, for ``value``, a measure in any of its names ("" is the first one). ``run`` orders by label,
            ``measure`` by canonical name, ``query`` by qid in byte order, ``value`` orders runs by aggregate and the
            queries of each run by value, best first. None changes nothing.

    Raises:
        UsageProblem: unknown key, or a measure that was not asked for.
    """
    if sort is None:
        return evaluation
    key, measure = sort
    runs = evaluation.runs
    if key == "run":
        runs = tuple(sorted(runs, key=lambda scores: scores.label))
    elif key == "measure":
        runs = tuple(scores._replace(columns=tuple(sorted(scores.columns, key=_folded_name))) for scores in runs)
    elif key == "query":
        runs = tuple(_queries_by_qid(scores) for scores in runs)
    elif key == "value":
        runs = _by_value(runs, measure)
    else:
        raise UsageProblem(f"cannot sort by '{key}'", hints=(f"choose one of {', '.join(KEYS)}",))
    return evaluation._replace(runs=runs)


def _folded_name(column: Column) -> tuple[str, str]:
    return column.spec.name.casefold(), column.spec.name


def _by_value(runs: tuple[Scores, ...], measure: str) -> tuple[Scores, ...]:
    if not runs or not runs[0].columns:
        return runs
    place = _place(runs[0].columns, measure)
    direction = 1 if runs[0].columns[place].spec.higher_is_better is False else -1

    def rank(scores: Scores) -> tuple[bool, float]:
        aggregate = scores.columns[place].aggregate
        return aggregate is None, 0.0 if aggregate is None else direction * aggregate

    return tuple(_queries_by_value(scores, place, direction) for scores in sorted(runs, key=rank))


def _place(columns: tuple[Column, ...], measure: str) -> int:
    if not measure:
        return 0
    for place, column in enumerate(columns):
        if measure in (column.spec.name, column.given, trec_name(column.spec)):
            return place
    names = ", ".join(column.spec.name for column in columns)
    raise UsageProblem(f"cannot sort by {measure}, which was not evaluated", hints=(f"evaluated: {names}",))


def _queries_by_value(scores: Scores, place: int, direction: int) -> Scores:
    values = scores.columns[place].values
    if isinstance(values, list):
        return _taken(scores, sorted(range(len(values)), key=values.__getitem__))
    return _taken(scores, np.argsort(direction * values, kind="stable").tolist())


def _queries_by_qid(scores: Scores) -> Scores:
    return _taken(scores, sorted(range(len(scores.qids)), key=scores.qids.__getitem__))


def _taken(scores: Scores, places: list[int]) -> Scores:
    columns = tuple(
        column._replace(
            values=[column.values[place] for place in places]
            if isinstance(column.values, list)
            else column.values[places]
        )
        for column in scores.columns
    )
    return scores._replace(qids=tuple(scores.qids[place] for place in places), columns=columns)
