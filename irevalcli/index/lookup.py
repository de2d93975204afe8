"""Exact look-up of byte strings, by 64-bit hash and then byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from irevalcli.reading.words import equal_tokens, hash_tokens

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Positions, Words
    from irevalcli.reading.tokens import Fields


class Finder(Protocol):
    """Finds the positions of keys (group, token)."""

    def find(self, data: Bytes, tokens: Fields, group: Positions, hashes: Words) -> tuple[Positions, Positions]:
        """As `Lookup.find`."""


class KnowsQueries(Protocol):
    """What gives every qid an index: judgments, or a census of the qids that occur."""

    @property
    def query_lookup(self) -> Finder:
        """Finds a query's index by its qid; the group is 0."""


_SALT = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(20)

# The fewer slots are taken, the fewer absent keys have to be searched for; but a small table stays in the cache.
_SLOTS_PER_KEY, _ROOMY = 16, 64
_FEWEST_BITS, _ROOMY_BITS = 16, 19


def salted(hashes: Words, group: Positions) -> Words:
    """Hashes of (group, token), from hashes of tokens."""
    salt = group.astype(np.uint64)
    salt += np.uint64(1)
    salt *= _SALT
    salt ^= salt >> np.uint64(31)
    salt *= _SALT
    salt += hashes
    return salt


class Lookup:
    """A set of distinct keys (group, token), each known by its position.

    A bit table answers for nearly all absent keys at once; what passes is searched by hash and compared byte for byte,
    so that a collision of hashes costs time, never correctness.

    Args:
        data: buffer that holds the tokens.
        tokens: the tokens.
        group: per token an integer that belongs to the key (the query of a docid).
    """

    def __init__(self, data: Bytes, tokens: Fields, group: Positions) -> None:
        self._data = data
        self._tokens = tokens
        self._group = group
        hashes = salted(hash_tokens(data, tokens.start, tokens.end), group)
        self._order = np.argsort(hashes)
        self._hashes = hashes[self._order]
        wanted, needed = ((hashes.size * slots).bit_length() for slots in (_ROOMY, _SLOTS_PER_KEY))
        slots = 1 << max(_FEWEST_BITS, min(wanted, _ROOMY_BITS), needed)
        self._mask = np.uint64(slots - 1)
        self._table = np.zeros(slots, np.bool_)
        self._table[(hashes >> _SHIFT) & self._mask] = True

    def find(self, data: Bytes, tokens: Fields, group: Positions, hashes: Words) -> tuple[Positions, Positions]:
        """The rows whose key is known, ascending, and the position of each one's key.

        Args:
            data: buffer of the tokens asked for.
            tokens: the tokens asked for.
            group: their groups.
            hashes: `salted` hashes of both.
        """
        rows = np.flatnonzero(self._table[(hashes >> _SHIFT) & self._mask])
        sought = hashes[rows]
        slot = np.searchsorted(self._hashes, sought)
        found_rows: list[Positions] = []
        found_keys: list[Positions] = []
        while rows.size:
            inside = slot < self._hashes.size
            inside[inside] = self._hashes[slot[inside]] == sought[inside]
            rows, slot, sought = rows[inside], slot[inside], sought[inside]
            key = self._order[slot]
            same = self._group[key] == group[rows]
            same &= equal_tokens(
                data,
                tokens.start[rows],
                tokens.end[rows],
                self._data,
                self._tokens.start[key],
                self._tokens.end[key],
            )
            found_rows.append(rows[same])
            found_keys.append(key[same])
            rows, slot, sought = rows[~same], slot[~same] + 1, sought[~same]
        if len(found_rows) == 1:
            return found_rows[0], found_keys[0]
        if not found_rows:
            none = np.empty(0, np.int64)
            return none, none
        merged = np.concatenate(found_rows)
        order = np.argsort(merged, kind="stable")
        return merged[order], np.concatenate(found_keys)[order]
