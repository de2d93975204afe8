"""The signs of JSONL that tell where values stand: line ends, quotes, backslashes, control characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.tokens import NEWLINE, SPACE, Fields, line_starts
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Positions
    from irevalcli.reading.pieces import Piece

_QUOTE, _BACKSLASH, _POINT, _LOWER_E, _CASE = b'"\\.e '


class Marks(NamedTuple):
    """Where the signs of a piece stand.

    Attributes:
        data: the piece's buffer.
        lines: from its first byte to its newline, per line.
        quotes: the quotes that no backslash takes the meaning from.
        first_quote: per line, the index of its first quote.
        quote_counts: per line.
        control_counts: per line, how many bytes below the blank it has, its newline included.
        backslashes: all of them.
        bare_points: points right before an ``e``, as in 1.e5.
    """

    data: Bytes
    lines: Fields
    quotes: Positions
    first_quote: Positions
    quote_counts: Positions
    control_counts: Positions
    backslashes: Positions
    bare_points: Positions


def marks_of(piece: Piece) -> Marks:
    """The marks of a piece."""
    data = piece.data
    body = data[PAD : piece.stop]
    controls = np.flatnonzero(body < SPACE) + PAD
    newlines = controls[data[controls] == NEWLINE]
    backslashes = np.flatnonzero(body == _BACKSLASH) + PAD
    quotes = _meant(data, np.flatnonzero(body == _QUOTE) + PAD, backslashes)
    beyond = np.searchsorted(quotes, newlines)
    quote_counts = np.diff(beyond, prepend=0)
    control_counts = np.diff(np.searchsorted(controls, newlines, "right"), prepend=0)
    points = np.flatnonzero(body == _POINT) + PAD
    bare_points = points[(data[points + 1] | np.uint8(_CASE)) == _LOWER_E]
    lines = Fields(line_starts(newlines), newlines)
    return Marks(data, lines, quotes, beyond - quote_counts, quote_counts, control_counts, backslashes, bare_points)


def _meant(data: Bytes, quotes: Positions, backslashes: Positions) -> Positions:
    """The quotes without those behind an odd number of backslashes."""
    if not backslashes.size:
        return quotes
    opens = np.ones(backslashes.size, np.bool_)
    opens[1:] = backslashes[1:] != backslashes[:-1] + 1
    closes = np.roll(opens, -1)
    odd = (backslashes[closes] - backslashes[opens]) % 2 == 0
    behind = backslashes[closes][odd] + 1
    escaped = behind[data[behind] == _QUOTE]
    return np.delete(quotes, np.searchsorted(quotes, escaped))
