"""What the rows of a run show that is odd: ranks against scores, ties, directions, repetitions.

A part of a run comes to numbers and first lines, never to something for each row, so that a long run costs no more
memory than a short one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from irevalcli.index.inspection import NOWHERE, Spots
from irevalcli.index.lookup import salted
from irevalcli.index.order import rank_hits, score_order
from irevalcli.index.repetitions import repetitions
from irevalcli.index.scan import Block
from irevalcli.reading.words import hash_tokens, token_list

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from irevalcli.index.duplicates import Duplicate
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.scan import Columns, RunRules
    from irevalcli.reading.arrays import Bools, Floats, Positions, Words

T = TypeVar("T", bound=np.generic)

EXAMPLE_DOCIDS = 20
"""How many docids of a part are kept if none of its documents is judged."""


class Looked(NamedTuple):
    """What is looked for beyond what every run is checked for.

    Attributes:
        judgments: None if there are none.
        limit: most documents for a query, or None.
        most: how many places of a finding are kept.
    """

    judgments: Judgments | None
    limit: int | None
    most: int


class Repeated(NamedTuple):
    """A document that is listed again.

    Attributes:
        line: where.
        first_line: where it was listed first.
        query: the index of the query.
        docid: the document.
    """

    line: int
    first_line: int
    query: int
    docid: bytes


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


class RunPart(NamedTuple):
    """What some rows of a run show. Lines count from the first line of the rows' piece.

    Attributes:
        query: per query, its index.
        size: per query, its documents.
        tied_rows: rows that share their score with the row ranked above.
        duplicates: none, since they are in `repeated`.
        dropped: rows that list a document again.
        repeated: the first of these.
        odd_ranks: lines whose rank is no number.
        infinite: lines with an infinite score.
        unordered: queries whose ranks do not rise as scores fall, and the first line that shows it.
        not_from_one: queries whose smallest rank is not 1, and the first line with such a rank.
        smallest_rank: what stands there.
        unsorted: queries with a score above that of the line before, and the first such line.
        tied: queries with equal scores, and the first line of a tie.
        tied_documents: documents whose score another one of the query has.
        single: queries whose scores differ, but not in single precision, and the first line of such a pair.
        equal: queries in which all scores are equal; their sizes go with them.
        too_long: queries with more documents than allowed; their sizes go with them.
        direction: which way scores run.
        block: the hits, if there are judgments.
        unjudged: docids of judged queries, if none is a hit.
    """

    query: Positions
    size: Positions
    tied_rows: int
    duplicates: list[Duplicate]
    dropped: int
    repeated: list[Repeated]
    odd_ranks: Spots
    infinite: Spots
    unordered: Spots
    not_from_one: Spots
    smallest_rank: float
    unsorted: Spots
    tied: Spots
    tied_documents: int
    single: Spots
    equal: OfQueries
    too_long: OfQueries
    direction: Direction
    block: Block | None
    unjudged: list[bytes]


class _Checked(NamedTuple):
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


def checking(looked: Looked, rules: RunRules) -> Callable[[Columns], RunPart]:
    """What turns rows, in which those of a query stand together, into what they show."""

    def arrange(columns: Columns) -> RunPart:
        rows = columns.rows(rules.ties)
        row_query = np.repeat(columns.query, rows.ends - rows.starts)
        hashes = salted(hash_tokens(columns.data, *columns.docids), row_query)
        again = repetitions(rows, hashes)
        repeated = []
        if again.row.size:
            repeated = _repeated(columns, row_query, again.row, again.first, looked.most)
            kept = np.delete(np.arange(hashes.size), again.row)
            columns, hashes = columns.at(kept), hashes[kept]
        checked = _checked(columns)
        block = None if looked.judgments is None else _block(checked, hashes, looked.judgments, rules)
        return _part(checked, looked, repeated, again.row.size, block)

    return arrange


def _repeated(columns: Columns, row_query: Positions, row: Positions, first: Positions, most: int) -> list[Repeated]:
    """The first of the rows that list a document again, by line."""
    lines = _lines(columns)
    shown = np.argsort(lines[row], kind="stable")[:most]
    row, first = row[shown], first[shown]
    docids = token_list(columns.data, *columns.docids.at(row))
    numbers = (lines[row].tolist(), lines[first].tolist(), row_query[row].tolist())
    return [Repeated(*found) for found in zip(*numbers, docids, strict=True)]


def _lines(columns: Columns) -> Positions:
    return np.full(columns.scores.size, NOWHERE) if columns.lines is None else columns.lines


def _checked(columns: Columns) -> _Checked:
    starts, size = columns.starts, columns.scores.size
    order = score_order(columns.scores, starts)
    scores = columns.scores if order is None else columns.scores[order]
    falls = scores[1:] != scores[:-1]
    falls[starts[1:] - 1] = True
    inside = np.ones(max(size - 1, 0), np.bool_)
    inside[starts[1:] - 1] = False
    return _Checked(columns, _lines(columns), np.append(starts[1:], size), order, scores, falls, inside)


def _block(checked: _Checked, hashes: Words, judgments: Judgments, rules: RunRules) -> Block:
    """The hits, as `scan.rank_block` has them."""
    columns = checked.columns
    if checked.order is not None:
        # Sorted here already: ranking finds nothing left to sort.
        columns = columns._replace(docids=columns.docids.at(checked.order), scores=checked.scores)
        hashes = hashes[checked.order]
    rows = columns.rows(rules.ties)
    row_query = np.repeat(columns.query, rows.ends - rows.starts)
    hits, listed = judgments.listed_lookup.find(columns.data, columns.docids, row_query, hashes)
    standing = rank_hits(rows, hits, rules.ties)
    return Block(
        np.where(columns.query < judgments.num_queries, columns.query, -1),
        rows.ends - rows.starts,
        row_query[hits],
        listed,
        standing.rank,
        standing.tie_first,
        standing.tie_size,
        columns.scores[hits],
        standing.tied_rows,
        [],
        0,
        None,
    )


def _part(checked: _Checked, looked: Looked, repeated: list[Repeated], dropped: int, block: Block | None) -> RunPart:
    columns, lines = checked.columns, checked.lines
    size = checked.ends - columns.starts
    rises, falls = _steps(checked)
    varied = checked.queries(rises) | checked.queries(falls)
    shared = _shared(~checked.falls)
    placed_lines = checked.placed(lines)
    not_from_one, smallest_rank = _not_from_one(checked)
    return RunPart(
        columns.query,
        size,
        int(np.count_nonzero(~checked.falls)),
        [],
        dropped,
        repeated,
        _rows_spots(np.isnan(columns.ranks), lines) if columns.ranks is not None else Spots(),
        _rows_spots(np.isinf(columns.scores), lines),
        _unordered(checked),
        not_from_one,
        smallest_rank,
        checked.spots(rises, lines),
        checked.spots(shared, placed_lines),
        int(np.count_nonzero(shared)),
        _single(checked, placed_lines),
        checked.examples(~varied & (size > 1), lines[columns.starts], looked.most),
        _too_long(checked, looked),
        _direction(checked, rises, falls, varied),
        block,
        _unjudged(columns, block),
    )


def _steps(checked: _Checked) -> tuple[Bools, Bools]:
    """Which rows have a higher score than the row above, and which a lower one."""
    scores = checked.columns.scores
    rises, falls = np.zeros(scores.size, np.bool_), np.zeros(scores.size, np.bool_)
    np.logical_and(scores[1:] > scores[:-1], checked.inside, out=rises[1:])
    np.logical_and(scores[1:] < scores[:-1], checked.inside, out=falls[1:])
    return rises, falls


def _shared(with_above: Bools) -> Bools:
    """Which places share something with the one above or below, if some share it with the one above."""
    shared = np.zeros(with_above.size + 1, np.bool_)
    shared[1:] = with_above
    shared[:-1] |= with_above
    return shared


def _rows_spots(rows: Bools, lines: Positions) -> Spots:
    """How many rows there are, and the first line of these."""
    return Spots(int(np.count_nonzero(rows)), int(lines[rows].min())) if rows.any() else Spots()


def _unordered(checked: _Checked) -> Spots:
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


def _not_from_one(checked: _Checked) -> tuple[Spots, float]:
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


def _single(checked: _Checked, placed_lines: Positions) -> Spots:
    """Queries with different scores that are one in single precision, and the first line of these."""
    with np.errstate(over="ignore", under="ignore"):
        rounded = checked.scores.astype(np.float32)
    joined = rounded[1:] == rounded[:-1]
    joined &= checked.falls
    joined &= checked.inside
    return checked.spots(_shared(joined), placed_lines) if joined.any() else Spots()


def _too_long(checked: _Checked, looked: Looked) -> OfQueries:
    size = checked.ends - checked.columns.starts
    if looked.limit is None or not (size > looked.limit).any():
        return OfQueries()
    # The line of the first document too many.
    beyond = np.minimum(checked.columns.starts + looked.limit, checked.ends - 1)
    return checked.examples(size > looked.limit, checked.lines[beyond], looked.most)


def _direction(checked: _Checked, rises: Bools, falls: Bools, varied: Bools) -> Direction:
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


def _unjudged(columns: Columns, block: Block | None) -> list[bytes]:
    """Some docids of judged queries, if none is a hit."""
    if block is None or block.hit_query.size:
        return []
    rows = np.flatnonzero(np.repeat(block.query >= 0, np.diff(columns.starts, append=columns.scores.size)))
    return token_list(columns.data, *columns.docids.at(rows[:EXAMPLE_DOCIDS]))
