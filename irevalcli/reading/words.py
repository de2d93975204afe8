"""Byte strings as 64-bit words: hashing, comparing and sorting tokens without making Python objects.

A *buffer* ``data`` is a contiguous one-dimensional uint8 array with at least ``PAD`` bytes of slack before
its first token and after its last one, so that eight-byte loads around a token stay inside it. What the slack
holds does not matter. Its *tokens* are two int64 arrays, ``start`` and ``end`` (exclusive), with
``start < end`` in every row. A token holds no NUL byte: a word that is padded with zeros is then a faithful
image of the bytes, and comparing words compares strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from irevalcli.reading.arrays import Bools, Bytes, Positions, Words

PAD = 32
"""Bytes of slack that a buffer has on either side of its tokens."""

LOW_BYTES: Words = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
"""``LOW_BYTES[k]`` keeps the first k characters of a word."""

HIGH_BYTES: Words = ~LOW_BYTES[::-1]
"""``HIGH_BYTES[k]`` keeps the last k characters of a word."""

# Odd constants with well spread bits; multiplying by one is a bijection of the 64-bit words.
_FIRST = 0x9E3779B97F4A7C15
_NEXT = 0xD6E8FEB86659FD93
_LAST = 0xC2B2AE3D27D4EB4F

# Tokens beyond this many words are rare and may be huge; a round of numpy calls for each of their words would
# cost more than treating them one by one.
_LAST_WORD = 32

# Up to here, comparing every row's word beats picking the rows that are long enough.
_WHOLE_WORDS = 4


def load_words(data: Bytes, offset: Positions) -> Words:
    """The eight bytes at each ``offset``, first byte lowest.

    Args:
        data: the buffer.
        offset: byte positions from 0 to ``data.size - 16``, of any alignment.

    Returns:
        A new array of the shape of ``offset``.
    """
    # numpy gathers unaligned items five times slower than aligned ones, so two aligned words make one.
    aligned: Words = data[: data.size & ~7].view("<u8")
    place = offset >> 3
    words: Words = aligned[place]
    place += 1
    beyond = aligned[place]
    np.bitwise_and(offset, 7, out=place)
    place <<= 3
    shift = place.view(np.uint64)
    words >>= shift
    np.subtract(64, shift, out=shift)
    beyond <<= shift  # by 64 where the offset is aligned, which numpy defines as 0
    words |= beyond
    return words


def word(data: Bytes, start: Positions, end: Positions, index: int) -> Words:
    """The ``index``-th eight bytes of every token, zero beyond its end.

    Args:
        data: the buffer.
        start: first byte of each token.
        end: one past the last byte of each token.
        index: which word, from 0; a token that does not reach it gives 0.

    Returns:
        A new array, one word a token, first byte lowest.
    """
    if not start.size:
        return np.empty(0, np.uint64)
    left = end - start
    if index:
        left -= 8 * index
        offset = start + 8 * index
        np.minimum(offset, data.size - 16, out=offset)
        words = load_words(data, offset)
    else:
        words = load_words(data, start)
    shortest, longest = int(left.min()), int(left.max())
    if shortest >= 8:
        return words
    if shortest == longest:
        words &= LOW_BYTES[max(shortest, 0)]
        return words
    if longest > 8:
        np.minimum(left, 8, out=left)
    if shortest < 0:
        np.maximum(left, 0, out=left)
    words &= LOW_BYTES[left]
    return words


def _absorb(hashes: Words, words: Words) -> None:
    """Mix the next word of every token into its hash, in place."""
    hashes ^= hashes >> 29
    hashes ^= words
    hashes *= _NEXT


def hash_tokens(data: Bytes, start: Positions, end: Positions) -> Words:
    """A well mixed 64-bit hash of every token's bytes.

    Two tokens of at most eight bytes never share a hash; longer ones may, so equal hashes have to be
    confirmed with `equal_tokens`. The hash depends on the bytes alone, not on the buffer or its other tokens.

    Args:
        data: the buffer.
        start: first byte of each token.
        end: one past the last byte of each token.

    Returns:
        One hash a token.
    """
    hashes = word(data, start, end, 0)
    hashes *= _FIRST
    length = end - start
    shortest = int(length.min(initial=8 * _LAST_WORD))
    index = 1
    while 8 * index < shortest and index < _LAST_WORD:
        _absorb(hashes, word(data, start, end, index))
        index += 1
    # Few tokens may be long: each round touches only those that have bytes left.
    rows = np.flatnonzero(length > 8 * index)
    while rows.size and index < _LAST_WORD:
        part = hashes[rows]
        _absorb(part, word(data, start[rows], end[rows], index))
        hashes[rows] = part
        index += 1
        rows = rows[length[rows] > 8 * index]
    if rows.size:
        hashes[rows] = _digests(token_list(data, start[rows], end[rows]))
    hashes ^= hashes >> 32
    hashes *= _LAST
    hashes ^= hashes >> 29
    return hashes


def _digests(tokens: Sequence[bytes]) -> list[int]:
    """A 64-bit digest of each token."""
    from hashlib import blake2b  # noqa: PLC0415  (ids of more than 256 bytes hardly ever occur)

    return [int.from_bytes(blake2b(token, digest_size=8).digest(), "little") for token in tokens]


def equal_tokens(  # noqa: PLR0917  (two token lists, three arrays each)
    data_a: Bytes,
    start_a: Positions,
    end_a: Positions,
    data_b: Bytes,
    start_b: Positions,
    end_b: Positions,
) -> Bools:
    """Whether token i of one list and token i of the other have the same bytes.

    Args:
        data_a: the buffer of the first tokens.
        start_a: first byte of each of them.
        end_a: one past the last byte of each of them.
        data_b: the buffer of the second tokens, perhaps the same one.
        start_b: first byte of each of them, in an array as long as ``start_a``.
        end_b: one past the last byte of each of them.

    Returns:
        One truth value a pair.
    """
    length = end_a - start_a
    same: Bools = length == end_b - start_b
    same &= word(data_a, start_a, end_a, 0) == word(data_b, start_b, end_b, 0)
    rows = np.flatnonzero(same & (length > 8))
    index = 1
    while rows.size and index < _LAST_WORD:
        agree = word(data_a, start_a[rows], end_a[rows], index) == word(data_b, start_b[rows], end_b[rows], index)
        same[rows] = agree
        index += 1
        rows = rows[agree & (length[rows] > 8 * index)]
    if rows.size:
        tokens_a = token_list(data_a, start_a[rows], end_a[rows])
        tokens_b = token_list(data_b, start_b[rows], end_b[rows])
        same[rows] = [a == b for a, b in zip(tokens_a, tokens_b, strict=True)]
    return same


def changes(data: Bytes, start: Positions, end: Positions) -> Positions:
    """Rows whose token differs from the token of the row before.

    Args:
        data: the buffer.
        start: first byte of each token.
        end: one past the last byte of each token.

    Returns:
        Row numbers above 0, ascending.
    """
    length = end - start
    longest = int(length.max(initial=0))
    differs = np.zeros(max(start.size - 1, 0), np.bool_)
    # Neighbours are usually equal: there is nothing to gain from leaving out those already told apart.
    for index in range(min(-(-longest // 8), _WHOLE_WORDS)):
        words = word(data, start, end, index)
        differs |= words[1:] != words[:-1]
    if longest > 8 * _WHOLE_WORDS:
        longer = length > 8 * _WHOLE_WORDS
        below = np.flatnonzero((longer[1:] | longer[:-1]) & ~differs) + 1
        above = below - 1
        same = equal_tokens(data, start[above], end[above], data, start[below], end[below])
        differs[above] = ~same
    return np.flatnonzero(differs) + 1


def num_distinct(hashes: Words) -> int:
    """How many different values there are."""
    # numpy's own `unique` imports its masked arrays, which takes longer than a small evaluation.
    ordered = np.sort(hashes)
    return int(np.count_nonzero(ordered[1:] != ordered[:-1])) + min(ordered.size, 1)


def sort_order(
    data: Bytes,
    start: Positions,
    end: Positions,
    group: NDArray[np.integer] | None = None,
) -> Positions:
    """The stable order that sorts the tokens by their unsigned bytes, a prefix before what it begins.

    Args:
        data: the buffer.
        start: first byte of each token.
        end: one past the last byte of each token.
        group: an integer a token; the tokens are sorted within ascending groups. One group if left out.

    Returns:
        Row numbers, in sorted order.
    """
    if group is None:
        order = np.arange(start.size)
        tied = np.zeros(start.size, np.int64)
    else:
        order = np.argsort(group, kind="stable")
        tied = group[order].astype(np.int64)
    places = np.arange(start.size)
    index = 0
    # Each round sorts by one more word what the words before it left tied; `tied` numbers those runs upwards.
    while places.size and index < _LAST_WORD:
        rows = order[places]
        words = word(data, start[rows], end[rows], index).byteswap()
        inner = np.lexsort((words, tied))
        words = words[inner]
        rows = rows[inner]
        order[places] = rows
        index += 1
        new = np.ones(rows.size, np.bool_)
        np.not_equal(words[1:], words[:-1], out=new[1:])
        new[1:] |= tied[1:] != tied[:-1]
        tied = np.cumsum(new) - 1
        # A run whose tokens all end within this word is a run of equal tokens.
        more = end[rows] - start[rows] > 8 * index
        unfinished = (np.bincount(tied) > 1) & (np.bincount(tied[more], minlength=int(tied[-1]) + 1) > 0)
        left = unfinished[tied]
        places = places[left]
        tied = tied[left]
    if places.size:
        rows = order[places]
        tokens = token_list(data, start[rows], end[rows])
        keys = list(zip(tied.tolist(), tokens, strict=True))
        order[places] = rows[sorted(range(rows.size), key=keys.__getitem__)]
    return order


def token_list(data: Bytes, start: Positions, end: Positions) -> list[bytes]:
    """The tokens as byte strings, in order."""
    if not start.size:
        return []
    origin, stop = int(start.min()), int(end.max())
    rows = zip((start - origin).tolist(), (end - origin).tolist(), strict=True)
    # Slicing bytes is twice as fast as slicing an array, but a few tokens are not worth a copy of the buffer.
    if stop - origin <= 256 * start.size:
        raw = data[origin:stop].tobytes()
        return [raw[first:last] for first, last in rows]
    return [data[origin + first : origin + last].tobytes() for first, last in rows]
