"""Every row that lists a document again for its query, with the row that listed it first."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.words import equal_tokens, token_list

if TYPE_CHECKING:
    from irevalcli.index.order import Rows
    from irevalcli.reading.arrays import Positions, Words


_SLOTS_PER_HASH = 4
_MOST_ROUNDS = 8


class Repetitions(NamedTuple):
    """Rows that list a document again, ascending, and for each the row that listed it first."""

    row: Positions
    first: Positions


def repetitions(rows: Rows, hashes: Words) -> Repetitions:
    """All of them, in any number, without a loop over rows.

    Args:
        rows: the rows.
        hashes: per row, the salted hash of query and docid. Equal hashes are compared byte for byte.
    """
    if not has_repeated(hashes):
        none = np.empty(0, np.int64)
        return Repetitions(none, none)
    order = np.argsort(hashes, kind="stable")
    new = np.ones(order.size, np.bool_)
    np.not_equal(hashes[order[1:]], hashes[order[:-1]], out=new[1:])
    place = np.arange(order.size)
    head = np.maximum.accumulate(np.where(new, place, 0))
    again = np.flatnonzero(~new)
    row, first = order[again], order[head[again]]
    start, end = rows.docids
    same = equal_tokens(rows.data, start[row], end[row], rows.data, start[first], end[first])
    query = np.searchsorted(rows.starts, row, "right")
    same &= query == np.searchsorted(rows.starts, first, "right")
    if not same.all():
        row, first = _one_by_one(rows, np.sort(np.unique(np.concatenate((row, first)))))
    by_row = np.argsort(row)
    return Repetitions(row[by_row], first[by_row])


def has_repeated(hashes: Words) -> bool:
    """Whether two hashes are equal.

    Every hash writes its place into a table; the last one in a slot stays, and the others are compared with it. Those
    that differ from it go through the same once more. That is several times faster than sorting them.
    """
    for _ in range(_MOST_ROUNDS):
        if hashes.size <= 1:
            return False
        bits = (_SLOTS_PER_HASH * hashes.size).bit_length()
        slot = (hashes >> np.uint64(64 - bits)).astype(np.int64)
        place = np.arange(hashes.size, dtype=np.int32)
        # Not cleared: no slot is read that was not written just now.
        table = np.empty(1 << bits, np.int32)
        table[slot] = place
        stayed = table[slot]
        others = np.flatnonzero(stayed != place)
        if (hashes[others] == hashes[stayed[others]]).any():
            return True
        hashes = hashes[others]
    ordered = np.sort(hashes)
    return bool((ordered[1:] == ordered[:-1]).any())


def _one_by_one(rows: Rows, suspects: Positions) -> tuple[Positions, Positions]:
    """The same, where some rows share a hash and no more."""
    query = np.searchsorted(rows.starts, suspects, "right").tolist()
    docids = token_list(rows.data, *rows.docids.at(suspects))
    known: dict[tuple[int, bytes], int] = {}
    first = [known.setdefault(key, row) for key, row in zip(zip(query, docids, strict=True), suspects, strict=True)]
    listed = np.array(first, np.int64)
    again = listed != suspects
    return suspects[again], listed[again]
