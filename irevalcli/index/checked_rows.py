"""Rows of a run, put in order, and what their order shows: ranks against scores, ties, the way that scores run."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from irevalcli.index.inspection import Spots
from irevalcli.index.order import score_order
from irevalcli.index.scan import NOWHERE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from irevalcli.index.scan import Columns
    from irevalcli.reading.arrays import Bools, Floats, Positions

T = TypeVar("T", bound=np.generic)


class OfQueries(NamedTuple):
    """Queries that something is true of.

    Attributes:
        number: how many.
        examples: the first of them: a line, the index of the query, and a number that goes with it.
    """

    number: int = 0
    examples: tuple[tuple[int, int, int], ...] = ()


class Direction(NamedTuple):
    """Which way scores run down the file, in numbers of queries.

    Attributes:
        told: queries with two different scores.
        rising: those of them in which no score falls, nor a rank.
        rises: lines with a higher score than the line above, in these.
        counting: queries in which each score is that of the line above plus one, and ranks fall.
    """

    told: int = 0
    rising: int = 0
    rises: int = 0
    counting: int = 0


class CheckedRows(NamedTuple):
    """Rows without repetitions, as they stand in the file, and their scores in the order of the ranking.

    Attributes:
        columns: the rows.
        lines: per row, its line.
        ends: one past the last row of each query.
        order: which row has each place of the ranking.
        scores: by place.
        falls: per place but the first, whether the score is another one than above, or the query.
        inside: per row but the first, whether it is of the query of the row above.
    """

    columns: Columns
    lines: Positions
    ends: Positions
    order: Positions | None
    scores: Floats
    falls: Bools
    inside: Bools

    def placed(self, values: NDArray[T]) -> NDArray[T]:
        """Values of rows, by place."""
        return values if self.order is None else values[self.order]

    def queries(self, rows: Bools) -> Bools:
        """Which queries have one of the rows."""
        found: Bools = np.logical_or.reduceat(rows, self.columns.starts)
        return found

    def spots(self, rows: Bools, lines: Positions) -> Spots:
        """How many queries have one of the rows (or places), and the first line of these."""
        if not rows.any():
            return Spots()
        return Spots(int(np.count_nonzero(self.queries(rows))), int(lines[rows].min()))

    def examples(self, queries: Bools, lines: Positions, most: int) -> OfQueries:
        """Some queries, with a line for each; the number is that of their rows."""
        chosen = np.flatnonzero(queries)
        first = chosen[np.argsort(lines[chosen], kind="stable")[:most]]
        size = self.ends - self.columns.starts
        found = np.stack((lines[first], self.columns.query[first], size[first]), axis=1)
        return OfQueries(chosen.size, tuple(map(tuple, found.tolist())))


def lines_of(columns: Columns) -> Positions:
    """Per row, its line; `NOWHERE` if nobody asked."""
    return np.full(columns.scores.size, NOWHERE) if columns.lines is None else columns.lines


def checked_rows(columns: Columns) -> CheckedRows:
    """The rows, put in order."""
    starts, size = columns.starts, columns.scores.size
    order = score_order(columns.scores, starts)
    scores = columns.scores if order is None else columns.scores[order]
    falls = scores[1:] != scores[:-1]
    falls[starts[1:] - 1] = True
    inside = np.ones(max(size - 1, 0), np.bool_)
    inside[starts[1:] - 1] = False
    return CheckedRows(columns, lines_of(columns), np.append(starts[1:], size), order, scores, falls, inside)


def steps(checked: CheckedRows) -> tuple[Bools, Bools]:
    """Which rows have a higher score than the row above, and which a lower one."""
    scores = checked.columns.scores
    rises, falls = np.zeros(scores.size, np.bool_), np.zeros(scores.size, np.bool_)
    np.logical_and(scores[1:] > scores[:-1], checked.inside, out=rises[1:])
    np.logical_and(scores[1:] < scores[:-1], checked.inside, out=falls[1:])
    return rises, falls


def shared_places(with_above: Bools) -> Bools:
    """Which places share something with the one above or below, if some share it with the one above."""
    shared = np.zeros(with_above.size + 1, np.bool_)
    shared[1:] = with_above
    shared[:-1] |= with_above
    return shared


def spots_of(rows: Bools, lines: Positions) -> Spots:
    """How many rows there are, and the first line of these."""
    return Spots(int(np.count_nonzero(rows)), int(lines[rows].min())) if rows.any() else Spots()


def unordered(checked: CheckedRows) -> Spots:
    """Queries in which a document with a lower score has no higher rank, and the first line that shows it."""
    columns = checked.columns
    if columns.ranks is None:
        return Spots()
    ranks = checked.placed(columns.ranks)
    if (ranks[1:] > ranks[:-1])[checked.inside].all():
        return Spots()
    first = np.concatenate(([0], np.flatnonzero(checked.falls) + 1))
    group = np.cumsum(np.concatenate(([False], checked.falls)))
    by_rank = np.lexsort((ranks, group))
    last = np.append(first[1:], ranks.size) - 1
    low, high = ranks[by_rank[first]], ranks[by_rank[last]]
    opens = np.searchsorted(first, columns.starts)
    wrong = np.zeros(first.size, np.bool_)
    wrong[1:] = high[:-1] >= low[1:]
    wrong[opens] = False
    if not wrong.any():
        return Spots()
    below = np.flatnonzero(wrong)
    lines = checked.placed(checked.lines)
    shown = np.maximum(lines[by_rank[first[below]]], lines[by_rank[last[below - 1]]])
    return Spots(int(np.count_nonzero(np.logical_or.reduceat(wrong, opens))), int(shown.min()))


def not_from_one(checked: CheckedRows) -> tuple[Spots, float]:
    """Queries whose smallest rank is not 1, the first line of these, and its rank."""
    columns = checked.columns
    if columns.ranks is None:
        return Spots(), 0.0
    smallest = np.fmin.reduceat(columns.ranks, columns.starts)
    wrong = (smallest != 1) & ~np.isnan(smallest)
    if not wrong.any():
        return Spots(), 0.0
    size = checked.ends - columns.starts
    rows = np.flatnonzero(columns.ranks == np.repeat(np.where(wrong, smallest, np.nan), size))
    first = rows[np.argmin(checked.lines[rows])]
    return Spots(int(np.count_nonzero(wrong)), int(checked.lines[first])), float(columns.ranks[first])


def single_precision(checked: CheckedRows, placed_lines: Positions) -> Spots:
    """Queries with different scores that are one in single precision, and the first line of these."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = checked.scores.astype(np.float32)
    same = (rounded[1:] == rounded[:-1]) & checked.inside
    joined = same & checked.falls
    if not joined.any():
        return Spots()
    group = np.cumsum(np.concatenate(([False], ~same)))
    return checked.spots(np.isin(group, group[1:][joined]), placed_lines)


def too_long(checked: CheckedRows, limit: int, most: int) -> OfQueries:
    """Queries with more documents than the limit, with the line of the first document too many."""
    longer = checked.ends - checked.columns.starts > limit
    if not longer.any():
        return OfQueries()
    beyond = np.minimum(checked.columns.starts + limit, checked.ends - 1)
    return checked.examples(longer, checked.lines[beyond], most)


def direction(checked: CheckedRows, rises: Bools, falls: Bools, varied: Bools) -> Direction:
    """Which way scores run down the file.

    Args:
        checked: the rows.
        rises: per row, whether its score is higher than that of the row above.
        falls: likewise, lower.
        varied: queries with two different scores.
    """
    told = int(np.count_nonzero(varied))
    upward = varied & ~checked.queries(falls)
    if not upward.any():
        return Direction(told)
    columns = checked.columns
    by_one = np.ones(rises.size, np.bool_)
    with np.errstate(invalid="ignore"):
        by_one[1:] = (columns.scores[1:] - columns.scores[:-1] == 1) | ~checked.inside
    ranks_fall = np.zeros(rises.size, np.bool_)
    if columns.ranks is not None:
        np.logical_and(columns.ranks[1:] < columns.ranks[:-1], checked.inside, out=ranks_fall[1:])
    against = checked.queries(ranks_fall)
    rising = upward & ~against
    size = checked.ends - columns.starts
    counting = upward & against & ~checked.queries(~by_one)
    return Direction(
        told,
        int(np.count_nonzero(rising)),
        int(np.count_nonzero(rises & np.repeat(rising, size))),
        int(np.count_nonzero(counting)),
    )
