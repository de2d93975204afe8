"""Looking up byte strings: as a dictionary would, also if hashes collide."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import buffer_of, described, few_hashes, grades_of, joined, judgments_in, run_in

from irevalcli.index import lookup
from irevalcli.index.lookup import Lookup
from irevalcli.reading import words

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Positions

TOKENS = st.builds(
    bytes.__add__,
    st.sampled_from([b"", b"a" * 7, b"a" * 8, b"a" * 15, b"a" * 16, b"a" * 300]),
    st.sampled_from([b"a", b"b", b"\x01", b"\xff", b"ab"]),
)
KEYS = st.tuples(st.integers(0, 3), TOKENS)
BITS = st.sampled_from([0, 1, 2, 8, 64])


def found_in(known: list[tuple[int, bytes]], asked: list[tuple[int, bytes]]) -> tuple[list[int], list[int]]:
    data, tokens = buffer_of([token for _, token in known])
    table = Lookup(data, tokens, groups_of(known))
    data, tokens = buffer_of([token for _, token in asked])
    hashes = lookup.salted(words.hash_tokens(data, tokens.start, tokens.end), groups_of(asked))
    rows, keys = table.find(data, tokens, groups_of(asked), hashes)
    return rows.tolist(), keys.tolist()


def groups_of(keys: list[tuple[int, bytes]]) -> Positions:
    return np.array([group for group, _ in keys], np.int64)


@settings(max_examples=300, deadline=None)
@given(known=st.lists(KEYS, max_size=30, unique=True), asked=st.lists(KEYS, max_size=30), bits=BITS)
def test_keys_are_found_as_in_a_dictionary(
    known: list[tuple[int, bytes]], asked: list[tuple[int, bytes]], bits: int
) -> None:
    place = {key: index for index, key in enumerate(known)}
    rows = [row for row, key in enumerate(asked) if key in place]
    with few_hashes(bits):
        assert found_in(known, asked) == (rows, [place[asked[row]] for row in rows])


def test_a_prefix_a_longer_token_and_another_group_are_other_keys() -> None:
    known = [(0, b"abcdefgh"), (1, b"abcdefghi")]
    asked = [(0, b"abcdefg"), (0, b"abcdefghi"), (1, b"abcdefgh"), (1, b"abcdefghi"), (0, b"abcdefgh")]
    assert found_in(known, asked) == ([3, 4], [1, 0])


@pytest.mark.parametrize("bits", [0, 2, 64])
@pytest.mark.parametrize("seed", range(3))
def test_a_run_is_joined_with_the_right_judgments_whatever_hashes_collide(seed: int, bits: int) -> None:
    choose = random.Random(seed)
    names = [b"doc-%04d" % number for number in range(40)] + [b"a-rather-long-docid-%04d" % n for n in range(40)]
    qids = [b"q%d" % number for number in range(6)] + [b"query-with-a-long-name-%d" % number for number in range(6)]
    qrels = b"".join(
        b"%s 0 %s %d\n" % (qid, docid, choose.randrange(3)) for qid in qids[::2] for docid in choose.sample(names, 20)
    )
    run = b"".join(
        b"%s Q0 %s 1 %d t\n" % (qid, docid, choose.randrange(8)) for qid in qids for docid in choose.sample(names, 30)
    )
    with few_hashes(bits):
        judgments = judgments_in(qrels)
        ranking, report = run_in(run, judgments)
        assert described(ranking, judgments) == joined(run, grades_of(qrels))
    assert report.duplicates == []
    assert set(report.unknown_examples) <= set(qids[1::2])
