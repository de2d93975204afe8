"""Files that are no run, or almost one: said for what they are, with the same code by `evaluate` and `validate`."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from hypothesis import given
from hypothesis import strategies as st

from irevalcli.reading.pieces import Piece
from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.trec import TREC

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
RUN = b"q1 Q0 b 1 2.5 t\nq1 Q0 a 2 1.5 t\nq2 Q0 a 1 9 t\n"


def both(folder: Path, *files: str) -> tuple[str, str]:
    """What evaluate says of files that it refuses, and what validate finds in them."""
    refused, found = (call(folder, *command, *files) for command in (("evaluate", "-m", "AP"), ("validate",)))
    assert (refused.code, refused.out, found.code) == (3, "", 1)
    return refused.err, found.out


@pytest.mark.parametrize(
    ("raw", "message", "advice"),
    [
        pytest.param(b"7z\xbc\xaf\x27\x1c\0\4", "a 7z archive", "unpack it first", id="7z"),
        pytest.param(b"\x1f\x9d\x90ab\0", "compressed by compress", "uncompress it", id="Z"),
        pytest.param(gzip.compress(gzip.compress(RUN)), "compressed twice", "unpack it once", id="twice"),
        pytest.param(b"%PDF-1.4\n1 0 obj\n", "a PDF document", "name the run", id="pdf"),
        pytest.param(
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 5\n", "Git LFS", "git lfs pull", id="lfs"
        ),
        pytest.param(b"\n<!DOCTYPE html>\n<html>\n", "a web page", "a download refused", id="html"),
        pytest.param(b'[{"qid": "q1"}]', "a JSON array", "{qid: {docid: score}}", id="array"),
        pytest.param(b"sep=;\nqid;docid;score\nq1;a;1\n", "for Excel", "delete that line", id="excel"),
        pytest.param(RUN.replace(b"\n", b"\r"), "a carriage return alone", "tr '\\r' '\\n'", id="cr"),
    ],
)
def test_a_file_of_another_kind_is_named(raw: bytes, message: str, advice: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=raw)
    said, found = both(tmp_path, "qrels", "run")
    assert "error[INP011]: run: " in said
    assert message in said
    assert advice in said
    assert "run: INP011 error" in found
    assert message in found


@pytest.mark.parametrize(
    ("text", "message", "expected"),
    [
        pytest.param("q1,a,2\n", "commas part the fields", "--run-format csv", id="commas"),
        pytest.param("q1;a;2\n", "semicolons part the fields", "--run-format csv", id="semicolons"),
        pytest.param("qid docid rank\nq1 a 1\n", "blanks part the names of a header", "tabs or commas", id="header"),
        pytest.param("q1\ta b\t1\n", "a blank inside an id", "--run-format tsv", id="blank-in-three"),
        pytest.param("q1\tQ0\ta b\t1\t9\tt\n", "a blank inside an id", "--run-format tsv", id="blank-in-six"),
    ],
)
def test_a_run_that_is_almost_of_a_format_is_told_which(text: str, message: str, expected: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=text)
    said, found = both(tmp_path, "qrels", "run")
    assert message in said
    assert expected in said
    assert "--> run:1:1\n" in said
    assert "run:1:1: INP011 error" in found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("query-id corpus-id score\nq1 a 1\n", "blanks part the names of a header"),
        ("q1\ta 1\t1\n", "a blank inside an id"),
        ("q 1\t0\ta\t1\n", "a blank inside an id"),
        ("q1,a,1\n", "commas part the fields"),
    ],
)
def test_qrels_that_are_almost_of_a_format_are_told_which(text: str, message: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=text, run=RUN)
    said, found = both(tmp_path, "qrels", "run")
    assert message in said
    assert "--qrels-format" in said
    assert "qrels:1:1: INP011 error" in found


@pytest.mark.parametrize(
    "line",
    ["q1 Q0 New York 1 2.5 t", "q1\tQ0\tRoute 66\t1\t2.5\tt", "q 1\tQ0\ta\t1\t2.5\tt"],
)
def test_a_blank_inside_an_id_is_no_further_field(line: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=RUN + f"{line}\n".encode())
    said, found = both(tmp_path, "qrels", "run")
    assert "error[RUN001]: 7 fields, 6 expected\n     --> run:4:1\n" in said
    assert "is there a blank inside an id?" in said
    assert "run:4:1: RUN001 error" in found
    skipped = call(tmp_path, "evaluate", "-m", "NumRet", "--on-error", "skip", "qrels", "run")
    assert (skipped.code, skipped.out.split()[-1]) == (0, "3")


@pytest.mark.parametrize("line", ["q2 Q0 b 2 8 t k1=0.9", "q2\tQ0\tb\t2\t8\tmy run", "q2 Q0 b 2 8 t 4"])
def test_further_fields_behind_the_tag_are_left_out(line: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=RUN + f"{line}\n".encode())
    done = call(tmp_path, "evaluate", "-m", "NumRet", "qrels", "run")
    assert (done.code, done.out.split()[-1]) == (0, "4")
    assert "1 line with more fields than a run has" in done.err


@pytest.mark.parametrize(
    ("text", "line", "column", "code"),
    [
        ("q1 b 1\nq1 a 2\nq2 a\nq2 c 2\n", 3, 1, "RUN001"),
        ("q1 b 2.5\nq1 a 1,5\nq2 a 3\n", 2, 6, "RUN002"),
        ("q1 b 2,5\nq1 a 1,5\nq2 a 3\n", 1, 6, "RUN002"),
        ("q1 b 1 2.5\nq1 a 2 1.5\nq2 a 1\n", 3, 1, "RUN001"),
    ],
)
def test_one_broken_line_does_not_make_a_short_run_another_format(
    text: str, line: int, column: int, code: str, tmp_path: Path
) -> None:
    put(tmp_path, qrels=QRELS, run=text)
    said, found = both(tmp_path, "qrels", "run")
    assert f"error[{code}]" in said
    assert f"--> run:{line}:{column}\n" in said
    assert f"run:{line}:{column}: {code} error" in found
    assert "Q0" not in said


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("q1 Q0 A 1 2 t\n", "the run has 'A', the qrels 'a'; they differ only by upper and lower case"),
        ("q1 Q0 a.gz 1 2 t\n", "the run has 'a.gz', the qrels 'a'; they differ only by what stands behind"),
        ("q1 Q0 other-7 1 2 t\n", "the run has other-7; the qrels a, b; another collection?"),
    ],
)
def test_a_run_without_any_judged_document_is_warned_of(run: str, said: str, tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=run)
    done = call(tmp_path, "evaluate", "-m", "AP", "qrels", "run")
    assert done.code == 0
    assert (
        f"warning: run: no retrieved document is judged, e.g. {said}  [irevalcli validate --explain RUN025]" in done.err
    )


def test_what_a_faulty_line_may_hold_is_not_said_to_be_missing(tmp_path: Path) -> None:
    put(tmp_path, qrels="q1 0 a 1\nq2 0 a x\nq2 0 b 0\n", run=RUN.replace(b"9 t", b"x t"), sound=QRELS)
    assert "QRL004" not in call(tmp_path, "validate", "qrels").out
    assert "RUN021" not in call(tmp_path, "validate", "sound", "run").out


def test_a_duplicate_in_another_part_is_named_with_its_file(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, one=RUN, two="q1 Q0 a 3 1 t\n")
    said, found = both(tmp_path, "qrels", "one+two")
    assert "first at one:2" in said
    assert "(first at one:2)" in found


def test_ranks_that_fall_down_the_file_may_be_scores(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="q1 b 20\nq1 a 10\nq2 a 9\nq2 b 8\n")
    done = call(tmp_path, "evaluate", "-m", "AP", "qrels", "run")
    assert "in every query the ranks fall down the file; are they scores?" in done.err
    assert "RUN015 warning" in call(tmp_path, "validate", "qrels", "run").out


def test_without_qrels_no_one_wonders_that_no_document_is_judged(tmp_path: Path) -> None:
    put(tmp_path, one=RUN, two=RUN)
    assert "judged" not in call(tmp_path, "diff", "one", "two").err


TOKENS = st.sampled_from(["q", "Q0", "a", "7", "1", "2.5", "1e400", "inf", "nan", "1,5", ".5", "#", "t"])
BETWEEN = st.sampled_from([" ", "\t", "\t\t", " \t", "  "])
LINE = st.lists(st.tuples(TOKENS, BETWEEN), min_size=5, max_size=9).map(lambda parts: "".join(map("".join, parts)))


@given(st.lists(LINE, min_size=1, max_size=5))
def test_lines_that_are_passed_over_are_those_that_are_located(written: list[str]) -> None:
    text = "".join(f"{line}\n" for line in written).encode()
    wanted = Wanted(skip=True, of_each=99)
    located = [fault for fault in TREC.faults(Piece.of(text), "run", wanted) if fault.rule == "RUN001"]
    assert TREC.rows(Piece.of(text), wanted).dropped == len(located)
