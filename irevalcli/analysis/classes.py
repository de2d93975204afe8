"""Classes of queries: read from a file, and what a comparison comes to in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.analysis.contrasts import ClassDifference
from irevalcli.errors import InputProblem
from irevalcli.reading.opening import Source
from irevalcli.reading.pieces import pieces
from irevalcli.stats.interaction import interaction
from irevalcli.stats.paired import t_interval, win_tie_loss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.contrasts import Contrast, Settings
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Floats


def read_classes(path: str) -> dict[bytes, str]:
    """The class of each query, by qid: a line is a qid, blanks or a tab, and the class, which may hold blanks.

    Args:
        path: the file, or ``-``.

    Raises:
        InputProblem: a line has no class, a query has two, or the file has none at all.
    """
    classes: dict[bytes, str] = {}
    number = 0
    with Source(path) as source:
        for piece in pieces(source, []):
            for line in piece.lines():
                number += 1
                if not line.strip():
                    continue
                qid, *rest = line.split(None, 1)
                if not rest:
                    raise InputProblem(f"{source.name}:{number}: no class", hints=("a line is: qid, tab, class",))
                name = rest[0].decode("utf-8", "replace").strip()
                if classes.setdefault(qid, name) != name:
                    shown = qid.decode("utf-8", "backslashreplace")
                    raise InputProblem(f"{source.name}:{number}: query {shown} has two classes: {classes[qid]}, {name}")
        if not classes:
            raise InputProblem(f"{source.name}: no query has a class", hints=("a line is: qid, tab, class",))
    return classes


def classed(
    contrast: Contrast, row: Floats, names: Sequence[str | None], spec: MeasureSpec, settings: Settings
) -> Contrast:
    """The contrast with its differences by class, in alphabetical order, and the interaction.

    Args:
        contrast: over all queries.
        row: the differences, one per query.
        names: the class of each query, None for those without.
        spec: the measure.
        settings: how to compare.
    """
    sign = -1 if spec.higher_is_better is False else 1
    found = []
    for name in sorted({name for name in names if name is not None}):
        part = row[np.array([other == name for other in names])]
        counts = win_tie_loss(sign * part, settings.tolerance)
        interval = t_interval(part, 1 - settings.alpha, settings.tolerance)
        found.append(ClassDifference(name, interval, counts.win, counts.tie, counts.loss))
    known = np.array([name is not None for name in names])
    tested = None
    if known.any():
        tested = interaction(row[known], [name for name in names if name is not None], settings.tolerance)
    return contrast._replace(classes=tuple(found), interaction=tested)
