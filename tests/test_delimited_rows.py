"""CSV and TSV are read as Python's csv module reads them, however they are cut into pieces."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest
from format_rows import read_qrels, read_run
from hypothesis import assume, given
from hypothesis import strategies as st
from plain import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("qid", "docid", "score", "rank", "tag")
QUOTING = {"few": csv.QUOTE_MINIMAL, "all": csv.QUOTE_ALL, "words": csv.QUOTE_NONNUMERIC}

ids = st.text(st.sampled_from("ab7\"'#,;|\t é€𝛼"), min_size=1, max_size=12)
tab_ids = st.text(st.sampled_from("ab7\"'#,;| é€𝛼"), min_size=1, max_size=12)
scores = st.floats(allow_nan=False, allow_infinity=False).map(repr)
ranks = st.integers(-3, 10**9).map(str)


def rows_with(texts: st.SearchStrategy[str]) -> st.SearchStrategy[list[tuple[str, ...]]]:
    """Rows of a run."""
    return st.lists(st.tuples(texts, texts, scores, ranks, texts), max_size=20)


def written(rows: Sequence[Sequence[str]], separator: str, quoting: int = csv.QUOTE_MINIMAL, end: str = "\n") -> bytes:
    """The rows as the csv module writes them."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue().encode()


def encoded(rows: Sequence[Sequence[str]]) -> list[tuple[bytes, ...]]:
    """The rows as bytes."""
    return [tuple(field.encode() for field in row) for row in rows]


@pytest.mark.parametrize("quoting", list(QUOTING))
@given(
    rows=rows_with(ids), separator=st.sampled_from(",;|"), end=st.sampled_from(["\n", "\r\n"]), size=st.integers(1, 400)
)
def test_what_the_csv_module_writes_is_read_back(
    quoting: str, rows: list[tuple[str, ...]], separator: str, end: str, size: int
) -> None:
    text = written([NAMES, *rows], separator, QUOTING[quoting], end)
    with cut(size):
        found = read_run(text)
    assert found.rows == encoded(rows)
    assert found.lines == list(range(2, len(rows) + 2))
    assert (found.malformed, found.faults) == (False, [])


@given(rows=rows_with(tab_ids), size=st.integers(1, 400))
def test_what_the_csv_module_writes_with_tabs_is_read_back(rows: list[tuple[str, ...]], size: int) -> None:
    with cut(size):
        found = read_run(written([NAMES, *rows], "\t"))
    assert found.rows == encoded(rows)
    assert (found.malformed, found.faults) == (False, [])


@given(st.lists(st.tuples(ids, ids, st.sampled_from(["0", "1", "-2", ".5"]), ids), max_size=20))
def test_qrels_with_a_header_are_read_back(rows: list[tuple[str, ...]]) -> None:
    expected = [(qid.encode(), group.encode(), docid.encode(), grade.encode()) for docid, qid, grade, group in rows]
    assert read_qrels(written([("doc_id", "query_id", "relevance", "iteration"), *rows], ",")) == expected


@given(order=st.permutations(NAMES), size=st.integers(1, 200))
def test_columns_may_stand_in_any_order_among_others(order: Sequence[str], size: int) -> None:
    rows = [
        {"qid": f"q{i // 5}", "docid": f"d,{i}", "score": f"{9 - i}.5", "rank": str(i), "tag": "x"} for i in range(15)
    ]
    text = written([("title", *order), *(("any, thing", *(row[name] for name in order)) for row in rows)], ",")
    with cut(size):
        assert read_run(text).rows == encoded([tuple(row.values()) for row in rows])


@given(text=st.lists(st.sampled_from([b"q1", b"d", b"1", b'"', b",", b"\n", b"\r\n", b"#", b" ", b"\0", b"x", b"7"])))
@pytest.mark.parametrize("header", [b"qid,docid,score\n", b"qid\tdocid\tscore\n"], ids=["csv", "tsv"])
def test_the_fast_and_the_exact_reader_find_the_same_lines_malformed(header: bytes, text: list[bytes]) -> None:
    body = b"".join(text) if b"," in header else b"".join(text).replace(b",", b"\t")
    assume(not re.search(rb"(?m)^#.*\0", body))  # nobody looks into comments
    found = read_run(header + body)
    faults = [fault for fault in found.faults if fault.rule != "RUN002"]
    assert found.malformed == bool(faults)
    if found.malformed and faults[0].rule == "RUN001":
        assert all(line < faults[0].line for line in found.lines)
        assert read_run(header + body, skip=True).lines[: len(found.lines)] == found.lines


def test_a_header_that_comes_again_is_passed_over() -> None:
    text = b"qid,docid,score\nq1,a,2\nqid,docid,score\nq1,b,1\r\nqid,docid,score\r\nq2,c,1\nqid,docid,score\n"
    found = read_run(text)
    assert [row[:3] for row in found.rows] == [(b"q1", b"a", b"2"), (b"q1", b"b", b"1"), (b"q2", b"c", b"1")]
    assert found.lines == [2, 4, 6]


def test_comments_and_blank_lines_are_passed_over() -> None:
    text = b'# made by x, y\n\nqid,docid,score\n#q,#d,2\n  \n# the "rest\nq1,b,1\n\n'
    found = read_run(text)
    assert [row[:3] for row in found.rows] == [(b"#q", b"#d", b"2"), (b"q1", b"b", b"1")]
    assert found.faults == []


def test_in_tsv_only_whole_fields_are_unquoted() -> None:
    text = b'qid\tdocid\tscore\nq1\t"a ""b"""\t2\nq1\t"Heroes"_(album)\t1\nq1\t"\t1\nq1\t"x"y"\t1\nq1\t"z"\t"1"\n'
    assert [row[1:3] for row in read_run(text).rows] == [
        (b'a "b"', b"2"), (b'"Heroes"_(album)', b"1"), (b'"', b"1"), (b'"x"y"', b"1"), (b"z", b"1"),
    ]  # fmt: skip


@pytest.mark.parametrize("size", [1, 60, 10_000])
def test_queries_stay_whole_in_a_piece_wherever_their_column_stands(size: int) -> None:
    rows = [(f"d{i}", f"{100 - i}", f"q{i // 25}") for i in range(100)]
    with cut(size, 10_000):
        found = read_run(written([("docid", "score", "qid"), *rows], ","))
    assert len(found.rows) == 100
    assert found.pieces == (1 if size == 10_000 else 5)


def test_without_a_header_the_order_is_that_of_trec() -> None:
    assert read_run(b"testa 0\tQ0\t12 0\t1\t100\trun\n", "tsv").rows == [(b"testa 0", b"12 0", b"100", b"1", b"run")]
    assert read_run(b'q1;Q0;"a;b";1;2.5;run\n', "csv").rows == [(b"q1", b"a;b", b"2.5", b"1", b"run")]
    assert read_run(b"q1,a b,2.5\n", "csv").rows == [(b"q1", b"a b", b"2.5", b"", b"")]
    assert read_qrels(b"q 1\t0\ta b\t2\n", "tsv") == [(b"q 1", b"0", b"a b", b"2")]
    assert read_qrels(b'"q 1"|"a|b"|2\n', "csv") == [(b"q 1", b"", b"a|b", b"2")]
