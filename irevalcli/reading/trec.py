"""The TREC formats: runs of six columns, qrels of four (or five, for preferences)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.tokens import HASH, Fields, Lines, lines, plain_columns
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Positions
    from irevalcli.reading.pieces import Piece

RUN_WIDTH = 6
QID_COLUMN, DOCID_COLUMN, RANK_COLUMN, SCORE_COLUMN, TAG_COLUMN = 0, 2, 3, 4, 5


class Rows(NamedTuple):
    """The data lines of a piece, column by column.

    Attributes:
        columns: the wanted columns, up to the first malformed line.
        lines: physical lines of the piece, counted from 0, that the rows stand on; None if row i is line i.
        line_count: physical lines of the piece.
        malformed: how many data lines come before the first one with a wrong number of fields; None if all are right.
        extra: data lines with more fields than the format has.
    """

    columns: list[Fields]
    lines: Positions | None
    line_count: int
    malformed: int | None = None
    extra: int = 0

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.columns[0].start.size

    def line_of(self, row: int) -> int:
        """The physical line of a row, from 0."""
        return row if self.lines is None else int(self.lines[row])


def run_rows(piece: Piece, wanted: tuple[int, ...], *, comments: bool = True) -> Rows:
    """The data lines of a run: at least six fields.

    Args:
        piece: lines of the run.
        wanted: which columns.
        comments: skip lines whose first field begins with #. Blank lines are always skipped.
    """
    columns = plain_columns(piece, RUN_WIDTH, wanted)
    if columns is not None:
        return Rows(columns, None, columns[0].start.size)
    every = _without_nul(piece, lines(piece))
    kept = np.flatnonzero(every.widths)
    if comments:
        kept = kept[piece.data[every.fields.start[every.first[kept]]] != HASH]
    short = np.flatnonzero(every.widths[kept] < RUN_WIDTH)
    malformed = int(short[0]) if short.size else None
    kept = kept[:malformed]
    return Rows(
        [every.column(kept, column) for column in wanted],
        kept,
        every.widths.size,
        malformed,
        int(np.count_nonzero(every.widths[kept] > RUN_WIDTH)),
    )


def qrels_rows(piece: Piece, width: int, *, strict: bool = True, comments: bool = True) -> Rows:
    """The data lines of a qrels file, all columns: exactly `width` fields.

    Args:
        piece: the whole file.
        width: number of columns.
        strict: skip blank lines and every line whose first field begins with #. Otherwise as trec_eval 10.0: a blank
            line is malformed, and a comment begins with # at its first byte, after a line that was not skipped.
        comments: whether there are comments at all.
    """
    wanted = tuple(range(width))
    columns = plain_columns(piece, width, wanted)
    if columns is not None:
        return Rows(columns, None, columns[0].start.size)
    every = _without_nul(piece, lines(piece))
    if strict:
        keep = every.widths != 0
        held = np.flatnonzero(keep)
        keep[held] = piece.data[every.fields.start[every.first[held]]] != HASH
    elif comments:
        keep = ~_lonely_comments(piece.data[every.start] == HASH)
    else:
        keep = np.ones(every.widths.size, np.bool_)
    kept = np.flatnonzero(keep)
    wrong = np.flatnonzero(every.widths[kept] != width)
    malformed = int(wrong[0]) if wrong.size else None
    kept = kept[:malformed]
    return Rows([every.column(kept, column) for column in wanted], kept, every.widths.size, malformed)


def _without_nul(piece: Piece, every: Lines) -> Lines:
    """The same lines; those that hold a NUL byte have no valid number of fields."""
    nul = np.flatnonzero(piece.data[PAD : piece.stop] == 0)
    if nul.size:
        every.widths[np.searchsorted(every.start, nul + PAD, "right") - 1] = -1
    return every


def _lonely_comments(marked: Bools) -> Bools:
    """Every other line of each stretch of marked lines, beginning with its first."""
    index = np.arange(marked.size)
    before = np.maximum.accumulate(np.where(marked, -1, index)) if marked.size else index
    lonely: Bools = marked & ((index - before) % 2 == 1)
    return lonely
