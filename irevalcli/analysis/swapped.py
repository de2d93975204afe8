"""Qrels and a run in each other's place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.reading.faults import first_fields, looks_like_qrels, looks_like_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.evaluate import NamedRun


class SwappedArguments(UsageProblem):
    """The qrels look like a run, and one run looks like qrels.

    Attributes:
        order: the arguments in the order that was probably meant, qrels first.
    """

    def __init__(self, hints: tuple[str, ...], order: tuple[str, ...]) -> None:
        super().__init__("the arguments look swapped", hints=hints)
        self.order = order


def refuse_swapped(qrels: str, runs: Sequence[NamedRun]) -> None:
    """Nothing, or the complaint that qrels and a run stand in each other's place; both must look it.

    Raises:
        SwappedArguments: they do.
    """
    if not looks_like_run(_first_fields(qrels)):
        return
    judged = [run for run in runs if looks_like_qrels(_first_fields(run.path))]
    if len(judged) != 1:
        return
    found = judged[0]
    width = max(len(qrels), len(found.path))
    raise SwappedArguments(
        (
            f"{qrels:<{width}}   {len(_first_fields(qrels))} columns: a run",
            f"{found.path:<{width}}   {len(_first_fields(found.path))} columns: relevance judgments",
        ),
        (found.path, qrels, *(run.argument for run in runs if run is not found)),
    )


def is_qrels(path: str) -> bool:
    """Whether a file that can be read again looks like qrels."""
    return looks_like_qrels(_first_fields(path))


def is_run(path: str) -> bool:
    """Whether a file that can be read again looks like a run."""
    return looks_like_run(_first_fields(path))


def _first_fields(path: str) -> list[bytes]:
    """The fields of the first data line of a file; none if it cannot be read, or only once as a pipe can."""
    if not os.path.isfile(path):  # noqa: PTH113  (any text will do, as in a path)
        return []
    try:
        return first_fields(path)
    except InputProblem:
        return []
