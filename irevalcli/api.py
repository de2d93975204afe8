"""The Python API: evaluate a run from Python with the numbers of the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.evaluate import evaluate as evaluate_files
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.measures.nicknames import DEFAULT_MEASURES
from irevalcli.measures.spec import parse_spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.scores import Coverage, Note


class Result(NamedTuple):
    """The scores of one run.

    Attributes:
        aggregate: over the counted queries, by canonical measure name; None for measures without an aggregate.
        per_query: by query, then measure name; ids as `os.fsdecode` reads them.
        coverage: which queries were scored.
        notes: what should be known about these scores.
    """

    aggregate: dict[str, float | None]
    per_query: dict[str, dict[str, float | str]]
    coverage: Coverage
    notes: tuple[Note, ...]


def evaluate(
    qrels: str | os.PathLike[str],
    run: str | os.PathLike[str],
    measures: str | Sequence[str] = DEFAULT_MEASURES,
    **policy: object,
) -> Result:
    """The scores of a run, as ``irevalcli evaluate`` computes them.

    Args:
        qrels: path of the judgments.
        run: path of the run.
        measures: measure names in any spelling that the command line takes.
        **policy: the options that decide numbers, by the names of `irevalcli.analysis.policy.Policy`: ``level=2``,
            ``missing="skip"``, ``queries=(b"1", b"2")``, …

    Raises:
        InputProblem: a file cannot be used; its `findings` say where and why.
        UsageProblem: a measure or an option is wrong.
    """
    options = Policy(**policy)  # type: ignore[arg-type]
    texts = [measures] if isinstance(measures, str) else measures
    asked = [Asked(*spelled) for text in texts for spelled in parse_spelled(text, level=options.level)]
    path = os.fspath(run)
    (scores,) = evaluate_files(os.fspath(qrels), [NamedRun(path, path, path)], asked, options).runs
    qids = [os.fsdecode(qid) for qid in scores.qids]
    per_query: dict[str, dict[str, float | str]] = {qid: {} for qid in qids}
    for column in scores.columns:
        values = column.values if isinstance(column.values, list) else column.values.tolist()
        for qid, value in zip(qids, values, strict=True):
            per_query[qid][column.spec.name] = value
    return Result(
        {column.spec.name: column.aggregate for column in scores.columns}, per_query, scores.coverage, scores.notes
    )
