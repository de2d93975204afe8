"""Qrels and a run in each other's place."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from irevalcli.errors import InputProblem, MissingExtra, UsageProblem
from irevalcli.reading.faults import looks_like_qrels, looks_like_run
from irevalcli.reading.files import COLLECTION
from irevalcli.reading.heads import Head
from irevalcli.reading.opening import STDIN, Source
from irevalcli.reading.sniffing import holds_judgments

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
    if not is_run(qrels):
        return
    judged = [run for run in runs if is_qrels(run.path)]
    if len(judged) != 1:
        return
    found = judged[0]
    width = max(len(qrels), len(found.path))
    raise SwappedArguments(
        (
            f"{qrels:<{width}}   {_columns(qrels)}a run",
            f"{found.path:<{width}}   {_columns(found.path)}relevance judgments",
        ),
        (found.path, qrels, *(run.argument for run in runs if run is not found)),
    )


def is_qrels(path: str) -> bool:
    """Whether a file that can be read again looks like qrels."""
    head = _head(path)
    return head is not None and holds_judgments(head) is True


def is_run(path: str) -> bool:
    """Whether a file that can be read again looks like a run."""
    head = _head(path)
    return head is not None and holds_judgments(head) is False


def _columns(path: str) -> str:
    """The number of columns of a file, as far as it shows what the file is."""
    head = _head(path)
    known = head is not None and (looks_like_run(head.first) or looks_like_qrels(head.first))
    return f"{len(head.first)} columns: " if head is not None and known else ""


def _head(path: str) -> Head | None:
    """The beginning of a file; None if it cannot be read, or only once as a pipe can."""
    if path == STDIN or path.startswith(COLLECTION) or (os.path.exists(path) and not os.path.isfile(path)):  # noqa: PTH110, PTH113  (any text will do)
        return None
    try:
        with Source(path) as source:
            return Head.of(source)
    except (InputProblem, MissingExtra):
        return None
