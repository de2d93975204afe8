"""An evaluation with standardised scores: each value against what the reference runs have on the same query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.labels import check_label
from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.scores import Column, Note
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.registry import MeasureSpec, Param, sequential_sum
from irevalcli.stats.standardise import standardise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.policy import Asked
    from irevalcli.analysis.scores import Evaluation, Scores
    from irevalcli.reading.arrays import Bools, Floats
    from irevalcli.stats.standardise import Scale

FEWEST = 2
"""Reference runs without which there is no deviation."""

_FORMULAS = {
    "z": "z = (x − μ_q)/σ_q; μ_q and σ_q: mean and sample standard deviation of the reference runs on the query",
    "cdf": "Φ((x − μ_q)/σ_q); μ_q and σ_q: mean and sample standard deviation of the reference runs on the query",
    "ab": "0.15 (x − μ_q)/σ_q + 0.5, clipped to [0, 1]; μ_q and σ_q: mean and sample standard deviation of the "
    "reference runs on the query",
}
_SOURCES = {
    "z": "Webber, Moffat & Zobel, SIGIR 2008",
    "cdf": "Webber, Moffat & Zobel, SIGIR 2008",
    "ab": "Sakai, ICTIR 2016",
}


class Standard(NamedTuple):
    """How scores are standardised.

    Attributes:
        scale: ``z``, ``cdf`` (Φ(z)) or ``ab`` (0.15 z + 0.5, clipped to [0, 1]).
        references: labels of the runs that say what is usual; () for all runs of the call.
    """

    scale: Scale
    references: tuple[str, ...] = ()


def check_standardised(measures: Sequence[Asked], labels: Sequence[str], standard: Standard) -> None:
    """Nothing, if scores of these measures can be standardised over these runs.

    Args:
        measures: whose scores.
        labels: of all runs of the call.
        standard: how.

    Raises:
        UsageProblem: a measure has no mean of values by query, a reference is no run, or there are too few.
    """
    for spec, _ in measures:
        if spec.measure.kind != "per_query" or spec.measure.aggregation != "mean":
            raise UsageProblem(
                f"--standardise: {spec.name} has no mean of values by query, so that it cannot be standardised"
            )
    for label in standard.references:
        check_label("--reference", label, labels)
    if len(standard.references or labels) < FEWEST:
        raise UsageProblem(
            "--standardise needs two reference runs or more, of which there is one",
            hints=("name further runs, or further ones of them by --reference",),
        )


def standardised(evaluation: Evaluation, standard: Standard, number: int | None = None) -> Evaluation:
    """The evaluation with standardised scores, on the queries that have them under every measure.

    Args:
        evaluation: left as it is.
        standard: how; see `check_standardised`.
        number: how many columns, from the first, are standardised, and then stand before all the columns that were
            there; None for all columns, and nothing else.

    Raises:
        UsageProblem: the runs do not have the same queries.
        InputProblem: a score is not finite, or no query is left.
    """
    runs = evaluation.runs
    qids = runs[0].qids
    if any(run.qids != qids for run in runs):
        raise UsageProblem(
            "--standardise looks at runs by query, and the runs do not have the same queries",
            hints=("--missing zero counts a query that a run lacks as 0",),
        )
    labels = [run.label for run in runs]
    references = standard.references or tuple(labels)
    rows = [labels.index(label) for label in references]
    places = range(len(runs[0].columns))[:number]
    notes = list(evaluation.notes)
    if len(references) == len(runs) == FEWEST:
        notes.append(Note("note", "standardised over two runs, a score only says which of them is better on a query"))
    tables, kept = [], np.ones(len(qids), np.bool_)
    for place in places:
        name = _spec(runs[0].columns[place].spec, standard.scale).name
        table = _table(runs, place)
        found = standardise(table, table[rows], standard.scale)
        if not found.kept.all():
            notes.append(_left_out_note(name, [qids[query] for query in np.flatnonzero(~found.kept).tolist()]))
        whole = np.full(table.shape, np.nan)
        whole[:, found.kept] = found.scores
        tables.append(whole)
        kept &= found.kept
    if not kept.any():
        raise InputProblem("the reference runs do not differ on any query on which other runs do: no query is left")
    results = []
    for row, run in enumerate(runs):
        columns = [
            _column(run.columns[place], table[row, kept], standard.scale)
            for place, table in zip(places, tables, strict=True)
        ]
        further = [] if number is None else [_restricted(column, kept) for column in run.columns]
        left = tuple(qid for qid, stays in zip(qids, kept.tolist(), strict=True) if not stays)
        results.append(
            run._replace(
                qids=tuple(qid for qid, stays in zip(qids, kept.tolist(), strict=True) if stays),
                columns=(*columns, *further),
                left_out=left,
            )
        )
    paths = {label: runs[row].path for label, row in zip(references, rows, strict=True)}
    options = evaluation.options | {"standardise": standard.scale, "references": paths}
    return evaluation._replace(options=options, runs=tuple(results), notes=tuple(notes))


def _table(runs: Sequence[Scores], place: int) -> Floats:
    """float64[runs, queries] of the column at this place.

    Raises:
        InputProblem: a score is not finite.
    """
    table = np.array([run.columns[place].values for run in runs], np.float64)
    if not np.isfinite(table).all():
        row, query = np.argwhere(~np.isfinite(table))[0].tolist()
        name, where = runs[row].columns[place].spec.name, some([runs[row].qids[query]])
        raise InputProblem(f"{name} has no number for {runs[row].label}, query {where}; it cannot be standardised")
    return table


def _left_out_note(name: str, qids: Sequence[bytes]) -> Note:
    queries = counted(len(qids), "query", "queries")
    they = "it was" if len(qids) == 1 else "they were"
    return Note(
        "warning",
        f"{name}: on {queries} ({some(qids)}) all reference runs have the same score and another run has not; "
        f"{they} left out of every mean",
    )


def _spec(spec: MeasureSpec, scale: Scale) -> MeasureSpec:
    """The measure whose values are the standardised ones of `spec`, such as ``z(nDCG@10)``."""
    bounded = scale != "z"
    record = spec.measure._replace(
        name=f"{scale}({spec.name})",
        title=f"standardised {spec.measure.title}",
        formula=f"{_FORMULAS[scale]}; x = {spec.name}: {spec.measure.formula}",
        # The name of the record says it already, and a default is not printed in the name of a measure.
        parameters=(Param("measure", "measure", spec.name, "whose scores are standardised"),),
        at="",
        low=0 if bounded else None,
        high=1 if bounded else None,
        higher_is_better=spec.higher_is_better,
        integer=False,
        no_relevant=None,
        references=(_SOURCES[scale],),
        equivalents=(),
        aliases=(),
    )
    return MeasureSpec.of(record)


def _column(column: Column, values: Floats, scale: Scale) -> Column:
    spec = _spec(column.spec, scale)
    return Column(spec, f"{scale}({column.given})", values, sequential_sum(values) / values.size)


def _restricted(column: Column, kept: Bools) -> Column:
    """The column on some of its queries; its aggregate is their mean if it was the mean of all."""
    if isinstance(column.values, list):
        chosen = [value for value, stays in zip(column.values, kept.tolist(), strict=True) if stays]
        return column._replace(values=chosen)
    values = column.values[kept]
    mean = column.spec.measure.aggregation == "mean"
    return column._replace(values=values, aggregate=sequential_sum(values) / values.size if mean else None)
