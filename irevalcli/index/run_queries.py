"""The queries of a run, for those who read it without qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.words import changes, token_list

if TYPE_CHECKING:
    from irevalcli.reading.opening import Source
    from irevalcli.reading.run_format import RunFormat


def queries_of(source: Source, run_format: RunFormat) -> set[bytes]:
    """The qids of a run, up to its first malformed line.

    Args:
        source: the run.
        run_format: in which it is written.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    found: set[bytes] = set()
    spare: list[bytearray] = []
    for piece in run_format.pieces(source, spare):
        rows = run_format.rows(piece, Wanted())
        heads = rows.qids.at(np.concatenate(([0], changes(rows.data, *rows.qids)))[: rows.size])
        found.update(token_list(rows.data, *heads))
        if rows.malformed is not None:
            break
        spare.append(piece.release())
    return found
