"""How the scores of a run's queries go down the file: what shows that a system wrote constants, or distances."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from irevalcli.index.scan import Columns
    from irevalcli.reading.arrays import Bools, Positions


class ScoreShape(NamedTuple):
    """Numbers of queries.

    Attributes:
        even: with two documents or more, all of one score.
        varied: with different scores.
        rising: of the varied ones, those whose scores never fall from a line to the next.
        rising_rows: their documents.
        examples: some of the even queries, by their index in the judgments.
    """

    even: int = 0
    varied: int = 0
    rising: int = 0
    rising_rows: int = 0
    examples: tuple[int, ...] = ()


SHOWN = 5


def shape_of(columns: Columns) -> ScoreShape:
    """The shape of rows in which those of a query stand together, in the order of the file."""
    scores, starts = columns.scores, columns.starts
    sizes = np.diff(np.append(starts, scores.size))
    rises = _anywhere(scores[1:] > scores[:-1], starts)
    falls = _anywhere(scores[1:] < scores[:-1], starts)
    even = ~rises & ~falls & (sizes > 1)
    rising = rises & ~falls
    known = columns.query[even & (columns.query >= 0)][:SHOWN]
    return ScoreShape(
        int(np.count_nonzero(even)),
        int(np.count_nonzero(rises | falls)),
        int(np.count_nonzero(rising)),
        int(sizes[rising].sum()),
        tuple(known.tolist()),
    )


def _anywhere(steps: Bools, starts: Positions) -> Bools:
    """Per query, whether one of the steps from each of its rows to the next is such."""
    inside = np.append(steps, np.False_)
    inside[starts[1:] - 1] = False
    return np.logical_or.reduceat(inside, starts)


def together(shapes: Iterable[ScoreShape]) -> ScoreShape:
    """The shape of all queries."""
    found = list(shapes)
    return ScoreShape(
        sum(shape.even for shape in found),
        sum(shape.varied for shape in found),
        sum(shape.rising for shape in found),
        sum(shape.rising_rows for shape in found),
        tuple(index for shape in found for index in shape.examples)[:SHOWN],
    )
