"""Cutting a stream into pieces loses nothing, cuts between lines, and keeps queries whole where it can."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import cut, opened

from irevalcli.reading.pieces import Piece, pieces
from irevalcli.reading.words import PAD

# Blank lines at both ends of a piece, short and long lines, lines of one query and of several.
LINES = st.lists(
    st.sampled_from([b"", b" ", b"\t", b"q1", b"q1 a", b"q2 b", b"\nq2", b"q1 " + b"x" * 90, b"#", b"q" * 70, b"\r"]),
    max_size=60,
)


def text_of(piece: Piece) -> bytes:
    return piece.data[PAD : piece.stop].tobytes()


def cut_up(text: bytes, *, again: bool = False) -> list[bytes]:
    """The texts of all pieces; each buffer is given back, to be used again, before the next piece is asked for."""
    spare: list[bytearray] = []
    found = []
    with opened(text) as source:
        for piece in pieces(source, spare):
            found.append(text_of(piece))
            if again:
                spare.append(piece.release())
    return found


@settings(max_examples=400, deadline=None)
@given(
    lines=LINES,
    newline=st.booleans(),
    size=st.integers(1, 300),
    longest=st.sampled_from([1, 64, 200, 1 << 20]),
    again=st.booleans(),
)
def test_pieces_make_up_the_file_and_end_with_whole_lines(
    lines: list[bytes], newline: bool, size: int, longest: int, again: bool
) -> None:
    text = b"\n".join(lines) + b"\n" * newline
    with cut(size, longest):
        found = cut_up(text, again=again)
    ended = text if text.endswith(b"\n") or not text else text + b"\n"
    assert b"".join(found) == ended
    assert all(part.endswith(b"\n") for part in found)


@pytest.mark.parametrize("size", [40, 100, 300, 1000])
def test_a_query_whose_lines_stand_together_is_in_one_piece(size: int) -> None:
    choose = random.Random(size)
    text = b"".join(b"q%d Q0 d 1 1 t\n" % query * choose.choice([1, 2, 3, 8, 60]) for query in range(120))
    with cut(size):
        found = cut_up(text)
    assert len(found) > 10
    held = [{line.split()[0] for line in part.splitlines()} for part in found]
    assert sum(map(len, held)) == len(set().union(*held))


def test_a_query_longer_than_the_longest_piece_is_cut() -> None:
    text = b"q1 Q0 d 1 1 t\n" * 1000
    with cut(100, 500):
        assert len(cut_up(text)) > 10
    with cut(100):
        assert cut_up(text) == [text]


def test_a_piece_that_begins_with_a_blank_line_and_holds_one_query_is_cut_like_any_other() -> None:
    text = b"\n" + b"q1 Q0 d 1 1 t\n" * 100 + b"q2 Q0 d 1 1 t\n"
    with cut(64):
        assert b"".join(cut_up(text)) == text


def test_the_last_line_of_a_text_need_not_end() -> None:
    assert Piece.of(b"a\nb").lines() == [b"a", b"b"]
    assert Piece.of(b"a\nb\n").lines() == [b"a", b"b"]
    assert Piece.of(b"").lines() == []


def test_only_the_first_piece_opens_the_file() -> None:
    with cut(64), opened(b"".join(b"q%d Q0 d 1 1 t\n" % query for query in range(50))) as source:
        flags = [piece.opens_file for piece in pieces(source, [])]
    assert flags == [True] + [False] * (len(flags) - 1)
    assert len(flags) > 5


def test_slack_on_both_sides_of_a_piece_lies_inside_its_buffer() -> None:
    with cut(64), opened(b"q1 Q0 d 1 1 t\n" * 50) as source:
        for piece in pieces(source, []):
            assert PAD <= piece.stop <= piece.data.size - PAD
