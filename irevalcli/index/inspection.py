"""What the text of a piece of a run is like: line ends, characters, tags, stretches of lines with one query.

Ranking has no use for it; ``irevalcli validate`` has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.scan import FIRST_NON_ASCII, NOWHERE
from irevalcli.reading.tokens import NEWLINE, lines
from irevalcli.reading.trec import BlankRun
from irevalcli.reading.words import PAD, changes, token_list

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Positions
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows
    from irevalcli.reading.tokens import Fields

CARRIAGE_RETURN = 13


class Spots(NamedTuple):
    """On how many lines something stands, and the first of them, from 0; `NOWHERE` if there is none."""

    number: int = 0
    first: int = NOWHERE


class TextFacts(NamedTuple):
    """What a text is like, in lines from 0.

    Attributes:
        carriage_returns: lines that end in CR LF.
        non_ascii: lines with bytes beyond ASCII.
        not_utf8: the line with the first byte that is no UTF-8, or `NOWHERE`.
        unended: the last line, if it has no line end; or `NOWHERE`.
    """

    carriage_returns: Spots
    non_ascii: Spots
    not_utf8: int
    unended: int


class Inspection(NamedTuple):
    """What a piece of a run is like.

    Attributes:
        text: its bytes.
        extra: the first line with more fields than the format has, or `NOWHERE`.
        tags: the first line of every run tag.
        stretch_query: per stretch of rows with one query, the index of the query.
        stretch_line: per stretch, its first line.
        smaller_first: the scores are ranks.
    """

    text: TextFacts
    extra: int
    tags: dict[bytes, int]
    stretch_query: Positions
    stretch_line: Positions
    smaller_first: bool


def text_facts(piece: Piece, *, lined: bool) -> TextFacts:
    """What the bytes of a piece are like; of a format without lines, only whether ids are beyond ASCII."""
    body = piece.data[PAD : piece.stop]
    plain = not body.size or int(body.max()) < FIRST_NON_ASCII
    if not lined:
        return TextFacts(Spots(), Spots() if plain else Spots(1), NOWHERE, NOWHERE)
    ends = np.flatnonzero(body == CARRIAGE_RETURN)
    ends = ends[body[ends + 1] == NEWLINE] if ends.size else ends  # a piece ends in a newline
    return TextFacts(
        _spots(body, ends),
        Spots() if plain else _spots(body, np.flatnonzero(body >= FIRST_NON_ASCII)),
        NOWHERE if plain else _line_that_is_no_utf8(body),
        _line_at(body, body.size) - 1 if piece.unended else NOWHERE,
    )


def inspection(
    piece: Piece,
    rows: RunRows,
    run_format: RunFormat,
    tags: tuple[Fields | None, Positions],
    stretches: tuple[Positions, Positions],
) -> Inspection:
    """What a piece of a run is like.

    Args:
        piece: the text.
        rows: its rows.
        run_format: in which it is written.
        tags: the tags of the rows without a fault, if the format has tags, and the lines of these rows.
        stretches: per stretch of rows with one query, the index of the query, and the first line.
    """
    extra = _first_extra(piece, rows, run_format)
    text = text_facts(piece, lined=rows.line_count > 0)
    return Inspection(text, extra, _tag_lines(rows.data, *tags), *stretches, rows.smaller_first)


def returning(query: Positions, lines: Positions) -> Spots:
    """Queries that come back after another one, and the first line that does.

    Args:
        query: per row, or per stretch of rows with one query, the index of the query, in the order of the file.
        lines: per row or stretch, its line.
    """
    new = np.ones(query.size, np.bool_)
    np.not_equal(query[1:], query[:-1], out=new[1:])
    heads = np.flatnonzero(new)
    first = np.unique(query[heads], return_index=True)[1]
    if first.size == heads.size:
        return Spots()
    again = np.delete(heads, first)
    return Spots(np.unique(query[again]).size, int(lines[again].min()))


def _line_at(body: Bytes, position: int) -> int:
    return int(np.count_nonzero(body[:position] == NEWLINE))


def _spots(body: Bytes, positions: Positions) -> Spots:
    """The lines of some bytes."""
    if not positions.size:
        return Spots()
    line = np.searchsorted(np.flatnonzero(body == NEWLINE), positions)
    return Spots(1 + int(np.count_nonzero(line[1:] != line[:-1])), int(line[0]))


def _line_that_is_no_utf8(body: Bytes) -> int:
    try:
        body.tobytes().decode("utf-8")
    except UnicodeDecodeError as error:
        return _line_at(body, error.start)
    return NOWHERE


def _first_extra(piece: Piece, rows: RunRows, run_format: RunFormat) -> int:
    """The first line with more fields than the format has, in formats whose columns are separated by blanks."""
    if not rows.extra or rows.lines is None or not isinstance(run_format, BlankRun):
        return NOWHERE
    wider = lines(piece).widths[rows.lines] > run_format.shape.width
    return int(rows.lines[np.argmax(wider)])


def _tag_lines(data: Bytes, tags: Fields | None, lines: Positions) -> dict[bytes, int]:
    if tags is None or not lines.size:
        return {}
    heads = np.concatenate(([0], changes(data, *tags)))
    found: dict[bytes, int] = {}
    for tag, line in zip(token_list(data, *tags.at(heads)), lines[heads].tolist(), strict=True):
        found.setdefault(tag, line)
    return found
