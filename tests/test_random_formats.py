"""Spoiled files in every format: a result, or an error with a place; never anything else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from hypothesis import given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path

QRELS = {
    "qrels": b"q1 0 d1 1\nq1 0 d2 0\n# a comment\nq2 0 d1 2.5\n",
    "csv": b'qid,docid,grade\nq1,"d,1",1\nq1,d2,0\n"q2",d1,2\n',
    "tsv": b"query-id\tcorpus-id\tscore\nq1\td 1\t1\nq2\td1\t0\n",
    "json": b'{"q1": {"d1": 1, "d2": 0},\n "q2": {"d\\u00e9": 2}}',
    "jsonl": b'{"qid": "q1", "docid": "d1", "grade": 1}\n{"qid": "q2", "docid": 7, "grade": 0.5}\n',
    "pairs": b"q1 d1\nq2\td2\n",
    "graded": b"q1 d1 1\nq2\td2 0\n",
}
RUNS = {
    "trec": b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1e0 t\nq2 Q0 d1 1 -.5 t\n",
    "csv": b'qid,docid,rank,score\nq1,"d,1",1,2.5\nq1,d2,2,1\n"q2","d""1",1,0\n',
    "tsv": b'qid\tdocid\tscore\nq1\td 1\t2.5\nq2\t"d2"\t-1\n',
    "json": b'{"q1": {"d1": 2.5, "d2": 1},\n "q2": {"d\\u00e9": -3e-5}}',
    "jsonl": b'{"qid": "q1", "docid": "d1", "score": 1.5}\n{"qid": "q1", "docid": 7, "score": 1}\n{"q2": {"d1": 1}}\n',
    "msmarco": b"q1\td1\t1\nq1\td2\t2\nq2\td1\t1\n",
    "scored": b"q1 d1 2.5\nq1 d2 1\nq2 d1 0\n",
}
ODD = [
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b",",
    b'"',
    b'""',
    b"{",
    b"}",
    b"[",
    b":",
    b"\0",
    b"#",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
]
ODD += [
    b"nan",
    b"inf",
    b"1e999",
    b"0x1",
    b"1,5",
    b"\\u00e9",
    b"\\ud800",
    b"null",
    b"Infinity",
    b"9" * 400,
    b"q1",
    b"d1",
    b"score",
]
CHANGES = st.lists(
    st.tuples(st.integers(0, 150), st.integers(0, 30), st.sampled_from(ODD) | st.binary(max_size=3)), max_size=4
)


def spoiled(text: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    """The text with some bytes taken out at some places, and others put in."""
    for place, size, put_in in changes:
        text = text[:place] + put_in + text[place + size :]
    return text


def no_bug(folder: Path, *arguments: str, codes: tuple[int, ...]) -> None:
    """The call ends with one of the codes, and with words if that is not 0."""
    result = call(folder, *arguments)
    assert result.code in codes, (arguments, result)
    assert "bug" not in result.err
    if result.code in (2, 3):
        assert re.search(r"^error", result.err, re.MULTILINE), result
        assert result.err.isprintable() or all(line.isprintable() for line in result.err.splitlines())


@pytest.mark.parametrize("named", [True, False], ids=["named", "recognised"])
@pytest.mark.parametrize("name", RUNS)
def test_spoiled_runs_give_values_or_an_error(name: str, named: bool, tmp_path: Path) -> None:
    options = ["--run-format", name] if named else []

    @settings(max_examples=15)
    @given(changes=CHANGES, skip=st.booleans())
    def check(changes: list[tuple[int, int, bytes]], skip: bool) -> None:
        put(tmp_path, qrels=QRELS["qrels"], run=spoiled(RUNS[name], changes))
        more = [*options, *(["--on-error", "skip"] if skip else [])]
        no_bug(tmp_path, "evaluate", "-m", "AP,nDCG@10", *more, "qrels", "run", codes=(0, 3))
        no_bug(tmp_path, "validate", *options, "qrels", "run", codes=(0, 1))

    check()


@pytest.mark.parametrize("named", [True, False], ids=["named", "recognised"])
@pytest.mark.parametrize("name", QRELS)
def test_spoiled_qrels_give_values_or_an_error(name: str, named: bool, tmp_path: Path) -> None:
    options = ["--qrels-format", name] if named else []

    @settings(max_examples=15)
    @given(changes=CHANGES)
    def check(changes: list[tuple[int, int, bytes]]) -> None:
        put(tmp_path, qrels=spoiled(QRELS[name], changes), run=RUNS["trec"])
        no_bug(tmp_path, "evaluate", "-m", "AP,nDCG@10", *options, "qrels", "run", codes=(0, 2, 3))
        no_bug(tmp_path, "validate", *options, "qrels", "run", codes=(0, 1))

    check()
