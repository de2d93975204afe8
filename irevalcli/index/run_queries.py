"""The queries of a run, for those who read it without qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.pieces import pieces
from irevalcli.reading.trec import QID_COLUMN, run_rows
from irevalcli.reading.words import changes, token_list

if TYPE_CHECKING:
    from irevalcli.reading.opening import Source


def queries_of(source: Source) -> set[bytes]:
    """The qids of a run, up to its first malformed line.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    found: set[bytes] = set()
    spare: list[bytearray] = []
    for piece in pieces(source, spare):
        lines = run_rows(piece, (QID_COLUMN,))
        (qids,) = lines.columns
        heads = qids.at(np.concatenate(([0], changes(piece.data, qids.start, qids.end)))[: lines.size])
        found.update(token_list(piece.data, heads.start, heads.end))
        if lines.malformed is not None:
            break
        spare.append(piece.release())
    return found
