"""Tokens as words agree with what Python's bytes objects say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irevalcli.reading.words import (
    PAD,
    changes,
    equal_tokens,
    hash_tokens,
    load_words,
    sort_order,
    token_list,
    word,
)

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Positions

# Few letters make common prefixes and equal tokens likely; 0xff and 0x01 tell unsigned order from signed.
LETTERS = st.sampled_from([b"a", b"b", b"\xff", b"\x01", b"aaaaaaaa", b"aaaaaaab"])
TOKEN = st.lists(LETTERS, min_size=1, max_size=9).map(b"".join)
TOKENS = st.lists(TOKEN, max_size=30)


def buffer_of(tokens: list[bytes], *, between: bytes = b" ") -> tuple[Bytes, Positions, Positions]:
    """The tokens one after the other, in slack that is not zero."""
    raw = b"z" * PAD + b"".join(token + between for token in tokens) + b"z" * PAD
    size = np.array([len(token) for token in tokens], dtype=np.int64)
    end = np.cumsum(size + len(between)) - len(between) + PAD
    return np.frombuffer(raw, np.uint8), end - size, end


def test_words_are_loaded_from_any_offset_of_any_buffer() -> None:
    raw = bytes(range(256))
    for skipped in range(9):
        data = np.frombuffer(raw, np.uint8)[skipped:]
        offset = np.arange(data.size - 15)
        expected = [int.from_bytes(raw[skipped + at : skipped + at + 8], "little") for at in offset.tolist()]
        assert load_words(data, offset).tolist() == expected


@given(TOKENS, st.integers(0, 10))
def test_a_word_holds_eight_bytes_of_the_token_and_zeros_beyond_it(tokens: list[bytes], index: int) -> None:
    expected = [int.from_bytes(token[8 * index : 8 * index + 8], "little") for token in tokens]
    assert word(*buffer_of(tokens), index).tolist() == expected


@given(TOKENS)
def test_a_hash_depends_on_the_bytes_of_its_token_alone(tokens: list[bytes]) -> None:
    hashes = hash_tokens(*buffer_of(tokens)).tolist()
    for token, value in zip(tokens, hashes, strict=True):
        assert hash_tokens(*buffer_of([token], between=b"/--/")).tolist() == [value]
    assert len(set(hashes)) == len(set(tokens))


def test_short_ids_never_share_a_hash() -> None:
    tokens = [b"%d" % number for number in range(200_000)] + [b"%08d" % number for number in range(200_000)]
    assert np.unique(hash_tokens(*buffer_of(tokens))).size == len(set(tokens))


@pytest.mark.parametrize("pattern", [b"%d", b"%07d", b"D%09d", b"clueweb12-0000wb-00-%05d", b"%03000d"])
@pytest.mark.parametrize("shift", [0, 12, 24, 36, 48])
def test_any_sixteen_bits_of_the_hashes_of_numbered_ids_look_random(pattern: bytes, shift: int) -> None:
    count = 2_000 if pattern == b"%03000d" else 65_536
    hashes = hash_tokens(*buffer_of([pattern % number for number in range(count)]))
    seen = np.unique(hashes >> shift & 0xFFFF).size
    expected = 65_536 * (1 - (1 - 1 / 65_536) ** count)
    assert abs(seen - expected) < 0.02 * expected


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 255, 256, 257, 5_000])
def test_a_hash_changes_with_every_byte(length: int) -> None:
    token = b"a" * length
    others = [token[:at] + b"b" + token[at + 1 :] for at in range(length)]
    hashes = hash_tokens(*buffer_of([token, token + b"a", *others]))
    assert np.unique(hashes).size == length + 2


@given(st.lists(st.tuples(TOKEN, TOKEN, st.booleans()), max_size=30))
def test_equal_tokens_are_those_with_equal_bytes(pairs: list[tuple[bytes, bytes, bool]]) -> None:
    left = [a for a, _, _ in pairs]
    right = [a if copied else b for a, b, copied in pairs]
    equal = equal_tokens(*buffer_of(left), *buffer_of(right, between=b"\t\t\t"))
    assert equal.tolist() == [a == b for a, b in zip(left, right, strict=True)]


@pytest.mark.parametrize("length", [8, 16, 255, 256, 257, 100_000])
def test_one_byte_anywhere_makes_tokens_unequal(length: int) -> None:
    token = b"a" * length
    others = [token[:-1] + b"b", b"b" + token[1:], token + b"a", token]
    assert equal_tokens(*buffer_of([token] * 4), *buffer_of(others)).tolist() == [False, False, False, True]


@given(st.lists(st.tuples(TOKEN, st.integers(1, 3)), max_size=20))
def test_changes_are_the_rows_that_differ_from_the_row_before(runs: list[tuple[bytes, int]]) -> None:
    tokens = [token for token, count in runs for _ in range(count)]
    expected = [row for row in range(1, len(tokens)) if tokens[row] != tokens[row - 1]]
    assert changes(*buffer_of(tokens)).tolist() == expected


@pytest.mark.parametrize("length", [8, 32, 40, 300])
def test_a_prefix_is_another_token_on_either_side(length: int) -> None:
    token = b"a" * length
    assert changes(*buffer_of([token, token + b"a", token, token])).tolist() == [1, 2]


@given(TOKENS)
def test_tokens_sort_by_unsigned_bytes_and_equal_ones_keep_their_order(tokens: list[bytes]) -> None:
    expected = sorted(range(len(tokens)), key=tokens.__getitem__)
    assert sort_order(*buffer_of(tokens)).tolist() == expected


@given(st.lists(st.tuples(st.integers(-2, 2), TOKEN), max_size=40))
def test_tokens_sort_within_ascending_groups(rows: list[tuple[int, bytes]]) -> None:
    group = np.array([number for number, _ in rows], dtype=np.int64)
    expected = sorted(range(len(rows)), key=rows.__getitem__)
    assert sort_order(*buffer_of([token for _, token in rows]), group).tolist() == expected


def test_groups_may_be_of_any_integer_type() -> None:
    group = np.array([255, 0, 255, 7], dtype=np.uint8)
    assert sort_order(*buffer_of([b"b", b"c", b"a", b"d"]), group).tolist() == [1, 3, 2, 0]


@pytest.mark.parametrize("pattern", [b"%d", b"%08d", b"clueweb09-en%08d-00", b"http://example.org/a/long/path/%d"])
def test_many_ids_sort_as_python_sorts_them(pattern: bytes) -> None:
    numbers = np.random.default_rng(5).integers(0, 60_000, 60_000).tolist()
    tokens = [pattern % number for number in numbers]
    assert sort_order(*buffer_of(tokens)).tolist() == sorted(range(len(tokens)), key=tokens.__getitem__)


def test_huge_tokens_among_short_ones_are_hashed_compared_and_sorted() -> None:
    huge = b"a" * 100_000
    tokens = [b"%05d" % number for number in range(20_000)]
    tokens[7_000:7_003] = [huge + b"b", huge, huge + b"a"]
    data, start, end = buffer_of(tokens)
    assert sort_order(data, start, end).tolist() == sorted(range(len(tokens)), key=tokens.__getitem__)
    assert np.unique(hash_tokens(data, start, end)).size == len(tokens)
    assert changes(data, start, end).size == len(tokens) - 1
    assert equal_tokens(data, start, end, data, start, end).all()
    assert token_list(data, start, end) == tokens


@given(TOKENS)
def test_token_list_gives_the_bytes_back(tokens: list[bytes]) -> None:
    assert token_list(*buffer_of(tokens)) == tokens


def test_token_list_finds_few_tokens_far_apart_in_any_order() -> None:
    data, start, end = buffer_of([b"first", b"-" * 10_000, b"last"])
    rows = np.array([2, 0])
    assert token_list(data, start[rows], end[rows]) == [b"last", b"first"]
