"""The TREC formats: runs of six columns, qrels of four (or five, for preferences)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.numbers import parse_decimals
from irevalcli.reading.pieces import Piece, pieces
from irevalcli.reading.qrels_rows import STRICT, Strictness
from irevalcli.reading.run_rows import TREC_SHAPE, RunShape, Wanted
from irevalcli.reading.tokens import HASH, TAB, Lines, Rows, lines, plain_columns
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Bools, Positions
    from irevalcli.reading.opening import Source
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows

_ANY_WIDTH = np.iinfo(np.int64).max


class BlankRun(NamedTuple):
    """Runs whose columns are separated by blanks, such as TREC's.

    Attributes:
        name: as ``--run-format`` has it.
        shape: which column holds what.
        comments: skip lines whose first field begins with #. Blank lines are always skipped.
        whole_ids: a line that has too many fields because of a blank inside an id is malformed.
        note: as `RunFormat.note`.
        otherwise: as `RunFormat.otherwise`.
    """

    name: str
    shape: RunShape
    comments: bool = True
    whole_ids: bool = True
    note: str = ""
    otherwise: RunFormat | None = None

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`."""
        return pieces(source, spare)

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        shape = self.shape
        rows = run_rows(
            piece,
            shape.columns(wanted),
            width=shape.width,
            more=shape.more,
            comments=self.comments,
            skip=wanted.skip,
            numbers=(shape.rank, shape.score) if self.whole_ids and shape.more and shape.rank is not None else None,
        )
        return shape.rows(piece.data, rows, wanted)

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        from irevalcli.reading.faults import run_faults  # noqa: PLC0415  (start-up: faults are rare)

        return run_faults(piece, path, self.shape, wanted)


TREC = BlankRun("trec", TREC_SHAPE)
AS_RELEASE_10 = TREC._replace(whole_ids=False)
"""As trec_eval 10 reads runs."""
AS_RELEASE_9 = AS_RELEASE_10._replace(comments=False)
"""As trec_eval 9 reads runs."""


def run_rows(
    piece: Piece,
    wanted: tuple[int, ...],
    *,
    width: int = TREC_SHAPE.width,
    more: bool = True,
    comments: bool = True,
    skip: bool = False,
    numbers: tuple[int, int] | None = None,
) -> Rows:
    """The data lines of a run.

    Args:
        piece: lines of the run.
        wanted: which columns.
        width: number of columns.
        more: further columns are counted as extra; otherwise they make a line malformed.
        comments: skip lines whose first field begins with #. Blank lines are always skipped.
        skip: pass over malformed lines instead of stopping at the first.
        numbers: the columns of rank and score, if lines with a blank inside an id are malformed.
    """
    columns = plain_columns(piece, width, wanted)
    if columns is not None:
        return Rows(columns, None, columns[0].start.size)
    every = _without_nul(piece, lines(piece))
    if numbers is not None and (every.widths > width).any():
        every.widths[_with_split_ids(piece, every, width, *numbers)] = -1
    kept = np.flatnonzero(every.widths)
    if comments:
        kept = kept[piece.data[every.fields.start[every.first[kept]]] != HASH]
    rows = well_formed(every, kept, (width, _ANY_WIDTH if more else width), wanted, skip=skip)
    return rows._replace(extra=int(np.count_nonzero(every.widths[rows.lines] > width)))


def qrels_rows(piece: Piece, width: int, strictness: Strictness = STRICT) -> Rows:
    """The data lines of a qrels file, all columns: exactly `width` fields.

    Args:
        piece: the whole file.
        width: number of columns.
        strictness: which lines are comments, and what becomes of malformed ones.
    """
    wanted = tuple(range(width))
    columns = plain_columns(piece, width, wanted)
    if columns is not None:
        return Rows(columns, None, columns[0].start.size)
    every = _without_nul(piece, lines(piece))
    if strictness.strict:
        keep = every.widths != 0
        held = np.flatnonzero(keep)
        keep[held] = piece.data[every.fields.start[every.first[held]]] != HASH
    elif strictness.comments:
        keep = ~_lonely_comments(piece.data[every.start] == HASH)
    else:
        keep = np.ones(every.widths.size, np.bool_)
    return well_formed(every, np.flatnonzero(keep), (width, width), wanted, skip=strictness.skip)


def well_formed(every: Lines, kept: Positions, widths: tuple[int, int], wanted: tuple[int, ...], *, skip: bool) -> Rows:
    """The wanted columns of the kept lines that have between `widths` fields.

    Of the other lines, the first ends the rows, or `skip` leaves them out.
    """
    fewest, most = widths
    right = (every.widths[kept] >= fewest) & (every.widths[kept] <= most)
    malformed, dropped = None, 0
    if not right.all():
        first = int(np.flatnonzero(~right)[0])
        if skip:
            dropped = int(np.count_nonzero(~right))
            kept = kept[right]
        else:
            malformed = first
            kept = kept[:first]
    columns = [every.column(kept, column) for column in wanted]
    return Rows(columns, kept, every.widths.size, malformed, dropped=dropped)


def _without_nul(piece: Piece, every: Lines) -> Lines:
    """The same lines; those that hold a NUL byte have no valid number of fields."""
    nul = np.flatnonzero(piece.data[PAD : piece.stop] == 0)
    if nul.size:
        every.widths[np.searchsorted(every.start, nul + PAD, "right") - 1] = -1
    return every


def _with_split_ids(piece: Piece, every: Lines, width: int, rank: int, score: int) -> Positions:
    """Lines that have more than `width` fields because a blank parts an id, as `faults.has_split_id` tells them."""
    more = np.flatnonzero(every.widths > width)
    tabs = np.concatenate([[0], np.cumsum(piece.data[PAD : piece.stop] == TAB)])
    begin, last = (every.column(more, place).start - PAD for place in (0, width - 1))
    end = np.append(every.start[1:] - PAD, tabs.size - 1)[more]
    tabbed = tabs[end] - tabs[every.start[more] - PAD] == width - 1
    ranks, scores, tags = (
        ~parse_decimals(piece.data, *every.column(more, place))[1] for place in (rank, score, width - 1)
    )
    split = np.where(tabbed, tabs[last] - tabs[begin] < width - 1, ~ranks & tags)
    found: Positions = more[split & scores]
    return found


def _lonely_comments(marked: Bools) -> Bools:
    """Every other line of each stretch of marked lines, beginning with its first."""
    index = np.arange(marked.size)
    before = np.maximum.accumulate(np.where(marked, -1, index)) if marked.size else index
    lonely: Bools = marked & ((index - before) % 2 == 1)
    return lonely
