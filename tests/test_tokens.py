"""Lines to fields: what ``bytes.split`` makes of every line, in any layout."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irevalcli.reading.pieces import Piece
from irevalcli.reading.qrels_rows import Strictness
from irevalcli.reading.tokens import Fields, Rows, lines, plain_columns
from irevalcli.reading.trec import qrels_rows, run_rows
from irevalcli.reading.words import token_list

# All ASCII blanks, other control characters, bytes that str.split would split on, comment marks.
BYTES = [
    b" ",
    b"\t",
    b"\n",
    b"\v",
    b"\f",
    b"\r",
    b"\x00",
    b"\x1c",
    b"\x1f",
    b"\x85",
    b"\xa0",
    b"\xc2\xa0",
    b"#",
    b"a",
    b"bc",
]
ANYTHING = st.lists(st.sampled_from(BYTES), max_size=120).map(b"".join)
# Mostly fields and blanks, so that lines of the right number of fields are common.
FIELD = st.sampled_from([b"a", b"bcd", b"#x", b"\xc2\xa0", b"1.5"])
BLANK = st.sampled_from([b" ", b"\t", b"  ", b"\r", b" \v"])
LINE = st.one_of(
    st.lists(FIELD, min_size=3, max_size=7).map(b" ".join),
    st.builds(lambda blank, fields: blank.join(fields), BLANK, st.lists(FIELD, min_size=4, max_size=6)),
    st.builds(lambda fields, end: b" " + b"\t".join(fields) + end, st.lists(FIELD, max_size=7), BLANK),
    st.sampled_from([b"", b" ", b"\r", b"# a comment", b"#", b" # indented", b"a \x00 b c d e f"]),
)
FILES = st.one_of(ANYTHING, st.lists(LINE, max_size=12).map(b"\n".join))


def columns_of(piece: Piece, columns: list[Fields]) -> list[tuple[bytes, ...]]:
    return list(zip(*(token_list(piece.data, column.start, column.end) for column in columns), strict=True))


def physical(text: bytes) -> list[bytes]:
    """The lines of a text; a last one without newline counts, nothing after the last newline does not."""
    return text.removesuffix(b"\n").split(b"\n") if text else []


@settings(max_examples=400, deadline=None)
@given(text=FILES)
def test_every_line_has_the_fields_that_split_gives(text: bytes) -> None:
    piece = Piece.of(text)
    found = lines(piece)
    tokens = token_list(piece.data, found.fields.start, found.fields.end)
    by_line = [
        tokens[first : first + count] for first, count in zip(found.first.tolist(), found.widths.tolist(), strict=True)
    ]
    assert by_line == [line.split() for line in physical(text)]


@settings(max_examples=400, deadline=None)
@given(text=FILES, width=st.integers(1, 6))
def test_the_short_way_gives_the_same_columns_or_gives_up(text: bytes, width: int) -> None:
    piece = Piece.of(text)
    columns = plain_columns(piece, width, tuple(range(width)))
    if columns is not None:
        assert columns_of(piece, columns) == [tuple(line.split()) for line in physical(text)]


@pytest.mark.parametrize("blank", [b" ", b"\t"])
@pytest.mark.parametrize("newline", [b"", b"\n"])
def test_ordinary_files_go_the_short_way(blank: bytes, newline: bytes) -> None:
    piece = Piece.of(b"\n".join([blank.join([b"q", b"0", b"d#", b"\xff"])] * 3) + newline)
    columns = plain_columns(piece, 4, (0, 2))
    assert columns is not None
    assert columns_of(piece, columns) == [(b"q", b"d#")] * 3


@pytest.mark.parametrize(
    "text",
    [
        b"#q 0 d 1\n",
        b"q  0 d 1\n",
        b"q 0 d 1\r\n",
        b" q 0 d 1\n",
        b"q 0 d 1\n\n",
        b"q 0 d\nr 0 d 1 2\n",
        b"q 0 d \x00\n",
    ],
)
def test_other_files_go_the_long_way(text: bytes) -> None:
    assert plain_columns(Piece.of(text), 4, (0, 1, 2, 3)) is None


class Expected:
    """Rows of a file by the rules of a format, and where they stop."""

    def __init__(self, text: bytes, kept: list[int], *, least: int, most: int) -> None:
        every = physical(text)
        self.rows: list[tuple[bytes, ...]] = []
        self.lines: list[int] = []
        self.malformed: int | None = None
        self.extra = 0
        for number in kept:
            fields = every[number].split()
            if b"\x00" in every[number] or not least <= len(fields) <= most:
                self.malformed = len(self.rows)
                return
            self.rows.append(tuple(fields[:least]))
            self.lines.append(number)
            self.extra += len(fields) > least

    def check(self, piece: Piece, found: Rows) -> None:
        assert columns_of(piece, found.columns) == self.rows
        assert (list(range(found.size)) if found.lines is None else found.lines.tolist()) == self.lines
        assert (found.malformed, found.extra, found.line_count) == (self.malformed, self.extra, len(piece.lines()))


def is_comment(line: bytes) -> bool:
    return line.split()[:1] != [] and line.split()[0].startswith(b"#")


@settings(max_examples=400, deadline=None)
@given(text=FILES, comments=st.booleans())
def test_a_run_has_six_fields_or_more_and_may_have_blank_lines_and_comments(text: bytes, comments: bool) -> None:
    kept = [
        number
        for number, line in enumerate(physical(text))
        if (line.split() or b"\x00" in line) and not (comments and is_comment(line))
    ]
    piece = Piece.of(text)
    Expected(text, kept, least=6, most=10**9).check(piece, run_rows(piece, tuple(range(6)), comments=comments))


@settings(max_examples=400, deadline=None)
@given(text=FILES, width=st.sampled_from([4, 5]))
def test_strict_qrels_have_exactly_their_columns_and_may_have_blank_lines_and_comments(text: bytes, width: int) -> None:
    kept = [number for number, line in enumerate(physical(text)) if line.split() and not is_comment(line)]
    piece = Piece.of(text)
    Expected(text, kept, least=width, most=width).check(piece, qrels_rows(piece, width))


@settings(max_examples=400, deadline=None)
@given(text=FILES, width=st.sampled_from([4, 5]), comments=st.booleans())
def test_lenient_qrels_take_every_line_but_a_comment_after_a_line_that_was_taken(
    text: bytes, width: int, comments: bool
) -> None:
    kept: list[int] = []
    for number, line in enumerate(physical(text)):
        skipped_before = number > 0 and (number - 1) not in kept
        if not (comments and line.startswith(b"#") and not skipped_before):
            kept.append(number)
    piece = Piece.of(text)
    found = qrels_rows(piece, width, Strictness(strict=False, comments=comments))
    Expected(text, kept, least=width, most=width).check(piece, found)
