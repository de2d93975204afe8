"""Documents that a run lists twice for one query."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.lookup import salted
from irevalcli.index.merge_sort import nan_order
from irevalcli.reading.words import equal_tokens, hash_tokens, token_list

if TYPE_CHECKING:
    from irevalcli.index.order import Rows, TieRule
    from irevalcli.index.scan import Columns, RunRules
    from irevalcli.reading.arrays import Positions, Words


_SLOTS_PER_HASH = 4
_MOST_ROUNDS = 8


class Duplicate(NamedTuple):
    """A document that occurs more than once in a query.

    Attributes:
        query: the judgments' index of the query.
        docid: the document.
        ranks: its ranks, ascending.
        rows: the rows it stands on, ascending.
    """

    query: int
    docid: bytes
    ranks: tuple[int, ...]
    rows: tuple[int, ...]


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


def repeated_rows(rows: Rows, hashes: Words) -> Positions:
    """One row or more of every query that lists a document twice; empty in an ordinary run.

    Args:
        rows: the rows.
        hashes: per row, the salted hash of query and docid. Equal hashes are compared byte for byte.
    """
    if not has_repeated(hashes):
        return np.empty(0, np.int64)
    order = np.argsort(hashes, kind="stable")
    start, end = rows.docids
    suspects = np.zeros(order.size, np.bool_)
    gap = 1
    while True:
        near, far = order[:-gap], order[gap:]
        same = np.flatnonzero(hashes[near] == hashes[far])
        if not same.size:
            return np.flatnonzero(suspects)
        near, far = near[same], far[same]
        equal = equal_tokens(rows.data, start[near], end[near], rows.data, start[far], end[far])
        equal &= np.searchsorted(rows.starts, near, "right") == np.searchsorted(rows.starts, far, "right")
        suspects[near[equal]] = True
        suspects[far[equal]] = True
        # Two of three rows with one hash may differ, so rows further apart are compared while any pair was unequal.
        if equal.all():
            return np.flatnonzero(suspects)
        gap += 1


def find_duplicates(rows: Rows, suspects: Positions, queries: Positions, rule: TieRule) -> list[Duplicate]:
    """Every duplicate document in the queries of the `suspects`, by query and docid.

    Args:
        rows: the rows.
        suspects: rows from `repeated_rows`.
        queries: per query of `rows`, the judgments' index; negative ones are passed over.
        rule: how rows are put in order.
    """
    found: list[Duplicate] = []
    scores = rule.compared(rows.scores)
    for segment in np.unique(np.searchsorted(rows.starts, suspects, "right") - 1).tolist():
        query = int(queries[segment])
        if query < 0:
            continue
        begin, end = int(rows.starts[segment]), int(rows.ends[segment])
        docids = token_list(rows.data, rows.docids.start[begin:end], rows.docids.end[begin:end])
        position = np.empty(end - begin, np.int64)
        ordered = nan_order(rows.data, rows.docids, scores, begin, end, docid_descending=rule.docid_descending)
        position[ordered] = np.arange(1, end - begin + 1)
        places: dict[bytes, list[int]] = {}
        for index, docid in enumerate(docids):
            places.setdefault(docid, []).append(index)
        found.extend(
            Duplicate(
                query,
                docid,
                tuple(sorted(int(position[index]) for index in where)),
                tuple(begin + index for index in where),
            )
            for docid, where in sorted(places.items())
            if len(where) > 1
        )
    return found


class Distinct(NamedTuple):
    """Rows whose documents were looked through for duplicates.

    Attributes:
        columns: the rows, without those to be left out.
        hashes: per row, the salted hash of its query and docid.
        duplicates: documents that occur twice in a query and were not left out.
        dropped: rows left out because their document was listed before.
    """

    columns: Columns
    hashes: Words
    duplicates: list[Duplicate]
    dropped: int


def without_duplicates(columns: Columns, rules: RunRules) -> Distinct:
    """The rows in which every query's rows stand together, with the duplicates named; or left out, if so the rules."""
    rows = columns.rows(rules.ties)
    docids = columns.docids
    hashes = salted(hash_tokens(columns.data, *docids), np.repeat(columns.query, rows.ends - rows.starts))
    suspects = repeated_rows(rows, hashes)
    if not suspects.size:
        return Distinct(columns, hashes, [], 0)
    duplicates = find_duplicates(rows, suspects, columns.query, rules.ties)
    if not rules.skip:
        return Distinct(columns, hashes, duplicates, 0)
    repeated = [row for duplicate in duplicates for row in duplicate.rows[1:]]
    kept = np.delete(np.arange(hashes.size), repeated)
    return Distinct(columns.at(kept), hashes[kept], [], len(repeated))
