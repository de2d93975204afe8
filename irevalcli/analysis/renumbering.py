"""Ranks that say what the scores say: which rank fields of a run are to hold other numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.errors import InputProblem
from irevalcli.index.order import score_order
from irevalcli.reading.numbers import parse_decimals, parse_integers, strict_score
from irevalcli.reading.rules import RUN_FIRST_RANK, RUN_RANK_ORDER
from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD, changes, sort_order, token_list

if TYPE_CHECKING:
    from collections.abc import Collection

    from irevalcli.reading.arrays import Bools, Bytes, Floats, Positions
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows


class CannotRenumber(InputProblem):
    """The ranks cannot be put right; the message says why."""


class Renumbered(NamedTuple):
    """What a piece of a run comes to.

    Attributes:
        text: its lines, with other numbers in some rank fields.
        queries: how many queries have new ranks, by the code of the rule that they broke.
        unreadable: how many keep their ranks because some are no integers.
        several: how many have several documents.
        opposite: of these, how many have ranks that say just the opposite of the scores.
    """

    text: bytes
    queries: dict[str, int]
    unreadable: int = 0
    several: int = 0
    opposite: int = 0


class Renumbering:
    """Renumbers a run piece by piece, in order; asked again with the same pieces, it does the same again.

    Args:
        run_format: in which the run is written; it has a rank column and a score column.
        codes: of the rules whose breach is put right, of `RUN_RANK_ORDER` and `RUN_FIRST_RANK`.
    """

    def __init__(self, run_format: RunFormat, codes: Collection[str]) -> None:
        self._format = run_format
        self._codes = codes
        self._seen: set[bytes] = set()

    def renumber(self, piece: Piece) -> Renumbered:
        """The piece with its ranks put right: 1, 2, … by score, ties by docid, descending.

        Queries that break none of the rules, and those with a rank that is no integer, stay as they are.

        Raises:
            CannotRenumber: a line or a score is malformed, or the lines of a query do not stand together.
        """
        rows = self._format.rows(piece, Wanted(ranks="seen"))
        text = piece.data[PAD : piece.stop]
        if rows.malformed is not None:
            raise CannotRenumber("some lines have a wrong number of fields")
        if rows.extra:
            raise CannotRenumber("some lines have more fields than a run has, so that the fourth may not be the rank")
        if not isinstance(rows.ranks, Fields) or not rows.size:
            return Renumbered(text.tobytes(), {})
        starts = np.concatenate(([0], changes(rows.data, *rows.qids)))
        self._meet(token_list(rows.data, *rows.qids.at(starts)))
        ranks, odd = parse_integers(rows.data, *rows.ranks)
        order, scores = _ranking(rows, starts)
        readable = ~np.logical_or.reduceat(odd, starts)
        wrong = self._wrong(ranks[order], scores[order], readable, starts)
        broken = np.logical_or.reduce(list(wrong.values()))
        size = np.diff(starts, append=rows.size)
        place = np.arange(rows.size) - np.repeat(starts, size) + 1
        chosen = np.repeat(broken, size)
        new = ranks.copy()
        new[order[chosen]] = place[chosen]
        changed = np.flatnonzero(new != ranks)
        fields = Fields(rows.ranks.start[changed] - PAD, rows.ranks.end[changed] - PAD)
        counts = {code: int(np.count_nonzero(queries)) for code, queries in wrong.items()}
        unreadable = int(np.count_nonzero(~readable))
        text = with_numbers(text, fields, new[changed])
        several = size > 1
        opposite = int(np.count_nonzero(several & _falling(ranks[order], starts)))
        return Renumbered(text.tobytes(), counts, unreadable, int(np.count_nonzero(several)), opposite)

    def _meet(self, qids: list[bytes]) -> None:
        known = len(self._seen)
        self._seen.update(qids)
        if len(self._seen) < known + len(qids):
            raise CannotRenumber("the lines of a query do not stand together")

    def _wrong(self, ranks: Positions, scores: Floats, readable: Bools, starts: Positions) -> dict[str, Bools]:
        """Per rule, which of the readable queries break it; ranks and scores stand in the order of the ranking."""
        found = {}
        if RUN_RANK_ORDER.code in self._codes:
            found[RUN_RANK_ORDER.code] = readable & _disagreeing(ranks, scores, starts)
        if RUN_FIRST_RANK.code in self._codes:
            found[RUN_FIRST_RANK.code] = readable & (np.minimum.reduceat(ranks, starts) != 1)
        return found


def _ranking(rows: RunRows, starts: Positions) -> tuple[Positions, Floats]:
    """The rows in the order of the ranking, query after query as they stand, and their scores.

    Raises:
        CannotRenumber: a score is no number.
    """
    scores = _scores(rows)
    order = score_order(scores, starts)
    order = np.arange(rows.size) if order is None else order
    rises = np.empty(rows.size, np.bool_)
    np.not_equal(scores[order[1:]], scores[order[:-1]], out=rises[1:])
    rises[starts] = True
    first = np.flatnonzero(rises)
    if first.size < rows.size:
        tie = np.cumsum(rises) - 1
        inner = sort_order(rows.data, *rows.docids.at(order), tie)
        # Backwards within each tie: the largest docid stands first.
        last = np.append(first[1:], rows.size)[tie] - 1
        order = order[inner[last + first[tie] - np.arange(rows.size)]]
    return order, scores


def _scores(rows: RunRows) -> Floats:
    if not isinstance(rows.scores, Fields):
        return rows.scores
    scores, odd = parse_decimals(rows.data, *rows.scores)
    doubtful = np.flatnonzero(odd)
    read = [strict_score(token) for token in token_list(rows.data, *rows.scores.at(doubtful))]
    if None in read:
        raise CannotRenumber("some scores are no numbers")
    scores[doubtful] = np.array(read, np.float64)
    return scores


def _disagreeing(ranks: Positions, scores: Floats, starts: Positions) -> Bools:
    """Which queries have a document whose rank is not above those of all documents with higher scores."""
    rises = np.empty(scores.size, np.bool_)
    np.not_equal(scores[1:], scores[:-1], out=rises[1:])
    rises[starts] = True
    first = np.flatnonzero(rises)
    low, high = np.minimum.reduceat(ranks, first), np.maximum.reduceat(ranks, first)
    wrong = np.zeros(first.size, np.bool_)
    wrong[1:] = high[:-1] >= low[1:]
    heads = np.searchsorted(first, starts)
    wrong[heads] = False
    disagree: Bools = np.logical_or.reduceat(wrong, heads)
    return disagree


def _falling(ranks: Positions, starts: Positions) -> Bools:
    """Which queries have ranks that fall from each document to the next."""
    rises = np.zeros(ranks.size, np.bool_)
    rises[1:] = ranks[1:] >= ranks[:-1]
    rises[starts] = False
    falling: Bools = ~np.logical_or.reduceat(rises, starts)
    return falling


def with_numbers(text: Bytes, fields: Fields, numbers: Positions) -> Bytes:
    """The text with decimal numbers in place of what some fields hold.

    Args:
        text: the bytes.
        fields: ascending positions in it, none empty, no two touching.
        numbers: per field, 0 or more.
    """
    if not numbers.size:
        return text
    width = np.ones(numbers.size, np.int64)
    for power in range(1, len(str(int(numbers.max())))):
        width += numbers >= 10**power
    shift = np.cumsum(width - (fields.end - fields.start))
    end = fields.end + shift
    written = np.empty(text.size + int(shift[-1]), np.uint8)
    written[~_inside(written.size, Fields(end - width, end))] = text[~_inside(text.size, fields)]
    for power in range(int(width.max())):
        here = width > power
        written[end[here] - 1 - power] = ord("0") + numbers[here] // 10**power % 10
    return written


def _inside(size: int, fields: Fields) -> Bools:
    """Which of so many positions lie inside a field."""
    edges = np.zeros(size + 1, np.int8)
    edges[fields.start] = 1
    edges[fields.end] -= 1
    return np.cumsum(edges[:-1], dtype=np.int8).astype(np.bool_)
