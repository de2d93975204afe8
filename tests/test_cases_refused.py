"""Files that cannot be used, as users of evaluation tools met them: refused with place and reason, no numbers."""

from __future__ import annotations

import gzip
import random
from typing import TYPE_CHECKING

import pytest
from calls import Call, call, put
from drop_in import command

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "1 0 d1 1\n1 0 d2 0"
RUN = "1 Q0 d1 1 2.0 s\n1 Q0 d2 2 1.0 s"


def refused(folder: Path, *arguments: str, code: int = 3) -> str:
    """What ``evaluate`` says when it refuses."""
    result = call(folder, "evaluate", *(arguments or ("qrels", "run")))
    assert (result.code, result.out) == (code, ""), result.err
    assert "Traceback" not in result.err
    return result.err


def trec(folder: Path, *arguments: str) -> Call:
    outcome = command(["trec", *arguments], program="irevalcli", cwd=folder)
    return Call(outcome.code, outcome.stdout.decode(), outcome.stderr.decode())


@pytest.mark.parametrize("content", [b"", b"\n\n", b" \t\n", b"# nothing\n"])
def test_a_run_or_qrels_without_a_data_line_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    put(tmp_path, qrels=QRELS, run=RUN, empty=content)
    assert "empty: no results" in refused(tmp_path, "qrels", "empty")
    assert "empty: no judgments" in refused(tmp_path, "empty", "run")
    assert "empty: no results" in refused(tmp_path, "--missing", "skip", "qrels", "empty")


def test_a_short_line_is_named_with_its_number_and_the_fields_expected(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="1 Q0 d1 1 2.0 s\n1 Q0 d2 2 1.5 s\n1 Q0 d3 1.2 s")
    said = refused(tmp_path)
    assert "error[RUN001]: 5 fields, 6 expected" in said
    assert "     --> run:3:1\n" in said
    assert "    3 | 1 Q0 d3 1.2 s\n" in said
    assert trec(tmp_path, "qrels", "run") == (
        2,
        "",
        "trec_eval.get_results: Malformed line 3\ntrec_eval: Quit in file 'run'\n",
    )


def test_a_missing_column_is_guessed(tmp_path: Path) -> None:
    put(tmp_path, qrels="2027 0 s1 1", run="2027 Q0 s1 0.99 cohere\n2027 Q0 s2 0.98 cohere")
    said = refused(tmp_path)
    assert "run:1:1" in said
    assert "a column is missing: Q0 (field 2) or the rank (field 4)" in said


def test_a_fault_on_every_line_is_not_shown_in_full_every_time(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="\n".join(f"1 Q0 d{place} 1 {place},5 s" for place in range(1000)))
    said = refused(tmp_path)
    assert said.count("\n") < 40
    assert said.count("= help:") == 2
    assert "run:1:11" in said
    assert "error[RUN002]: run:4:11: score is not a number: '3,5'\n" in said
    assert said.endswith("error: run cannot be used: 20 or more faults\n")


@pytest.mark.parametrize(
    ("score", "advice"),
    [
        ("nan", "a document without a score"),
        ("NaN", "a document without a score"),
        ("None", "a document without a score"),
        ("14,2", "14.2 (decimal point, not comma)"),
        ('"2"', "without quotes"),
        ("0x1p3", "expected a decimal number"),
        ("1_0", "10 (no underscores)"),
        ("1,234.5", "1234.5 (thousands not set apart)"),
        (",5", ".5 (decimal point, not comma)"),
        ("14%", "14 (no percent sign)"),
        ("2.5d0", "2.5e0 (e before the exponent, not d)"),
        ("np.float64(2.5)", "2.5 (the number alone)"),
        ("tensor(-2.5e-3,", "-2.5e-3 (the number alone)"),
        ("−2.5", "-2.5, in ASCII characters"),
        ("-nan", "a document without a score"),
        ("2.5.1", "expected a decimal number"),
        ("1e999", "expected a finite number"),
    ],
)
def test_a_score_that_is_no_number_is_shown_with_line_column_and_advice(
    tmp_path: Path, score: str, advice: str
) -> None:
    put(tmp_path, qrels=QRELS, run=f"1 Q0 d2 1 3 s\n1 Q0 d1 2 {score} s")
    said = refused(tmp_path)
    assert f"error[RUN002]: score is not a number: '{score}'" in said
    assert "--> run:2:11\n" in said
    assert f"      |           {'^' * len(score)} " in said
    assert advice in said


def test_a_quoted_grade_is_an_error_not_a_zero(tmp_path: Path) -> None:
    put(tmp_path, qrels='1 0 d1 "1"\n1 0 d2 "0"', run=RUN)
    said = refused(tmp_path)
    assert "error[QRL002]: grade is not a number: '\"1\"'" in said
    assert "--> qrels:1:8\n" in said
    assert "--> qrels:2:8\n" in said
    assert trec(tmp_path, "-m", "num_rel", "qrels", "run").out == "num_rel               \tall\t0\n"


def test_blanks_inside_ids_move_the_columns_and_are_refused(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels=b"testa 0\t0\t12 0\t1\n",
        run=b"testa 0\tQ0\t12 0\t1\t100\trun\n",
        plain="testa 0 12 1",
        blank="testa Q0 New York d 100 run",
    )
    assert "--> qrels:1:1\n" in refused(tmp_path)
    said = refused(tmp_path, "plain", "blank")
    assert "--> blank:1:19\n" in said
    assert "7 fields, and field 5 is 'd', not a number" in said
    assert "is there a blank inside an id?" in said
    assert "--> run:1:1\n" in refused(tmp_path, "plain", "run")


def test_a_header_line_is_no_query(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels=QRELS,
        run="TOPIC_ID INTERACTION PID RANK SCORE RUN_ID\n1 Q0 d2 1 2 s",
    )
    said = refused(tmp_path)
    assert "run:1:31" in said
    assert "a header line: field 5 is 'SCORE', not a number" in said


def test_a_file_that_does_not_exist_is_said_in_a_line(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    for arguments in (("qrels", "absent-run"), ("absent-run", "run"), ("qrels", "run", "label=absent-run")):
        assert "error[INP001]: absent-run: No such file or directory\n" in refused(tmp_path, *arguments)
    unreadable = "trec_eval.get_results: Cannot read results file 'absent-run'\ntrec_eval: Quit in file 'absent-run'\n"
    assert trec(tmp_path, "qrels", "absent-run") == (2, "", unreadable)


def test_lines_that_two_writers_mixed_are_refused_at_the_first_broken_one(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="701 0 d1 1",
        run="""701 Q0 d1 1 9.0 bm25
               701 Q0 d1 1 8.5 rm3
               701 Q0 d2 2 8.0 bm25
               701 Q0 d2 2701 Q0 d3 3 7.5 bm25
               701 Q0 d3 3 7.0 rm3""",
    )
    assert "run:4:16" in refused(tmp_path)


def test_two_grades_for_one_document_are_refused_naming_both_lines(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 d1 2\n1 0 d2 0\n1 0 d1 0", run=RUN)
    said = refused(tmp_path)
    assert "--> qrels:3:8\n" in said
    assert "grade 0 here and 2 in line 1" in said


def test_a_document_listed_twice_is_refused_naming_both_lines(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=f"{RUN}\n1 Q0 d1 3 0.5 s")
    said = refused(tmp_path)
    assert "error[RUN010]: duplicate document 'd1' for query '1'" in said
    assert "--> run:3:6\n" in said
    assert "first at line 1" in said


def test_one_query_id_on_every_line_is_recognised_behind_the_duplicates(tmp_path: Path) -> None:
    put(tmp_path, qrels="A 0 a 1\nB 0 b 1\nC 0 c 1", run="C Q0 a 0 1.0 s\nC Q0 b 1 .7 s\nC Q0 b 0 1.0 s\nC Q0 c 0 1 s")
    said = refused(tmp_path)
    assert "--> run:3:6\n" in said
    assert "the run has 1 query and qrels has 3: is the query column right?" in said


@pytest.mark.parametrize(
    ("theirs", "ours", "reason"),
    [
        ("q17", "17", "what stands in front"),
        ("017", "17", "leading zeros"),
        ("17.0", "17", "how a number is written"),
        ("MB17", "mb17", "upper and lower case"),
        ("'17'", "17", "quotes"),
    ],
)
def test_no_query_in_common_shows_ids_of_both_and_the_likely_reason(
    tmp_path: Path, theirs: str, ours: str, reason: str
) -> None:
    put(tmp_path, qrels=f"{ours} 0 d1 1", run=f"{theirs} Q0 d1 1 2 s")
    said = refused(tmp_path)
    assert "error[RUN020]: run: no query in common with qrels\n" in said
    assert f"queries of the run: {theirs}\n" in said
    assert f"queries of the qrels: {ours}\n" in said
    assert f"differ only by {reason}" in said
    assert "no query in common" in refused(tmp_path, "--missing", "skip", "qrels", "run")


def test_swapped_arguments_are_shown_with_the_call_that_was_meant(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=RUN, other=RUN)
    said = refused(tmp_path, "run", "qrels", code=2)
    assert said == (
        "error: the arguments look swapped\n"
        "  run     6 columns: a run\n"
        "  qrels   4 columns: relevance judgments\n"
        "  try: irevalcli evaluate qrels run\n"
    )
    assert "try: irevalcli evaluate qrels run two=other\n" in refused(tmp_path, "run", "two=other", "qrels", code=2)
    (tmp_path / "my run's").write_bytes((tmp_path / "run").read_bytes())
    said = refused(tmp_path, "my run's", "qrels", code=2)
    assert "try: irevalcli evaluate qrels 'my run'\"'\"'s'\n" in said
    assert "swapped" not in refused(tmp_path, "run", "other")
    assert "swapped" not in refused(tmp_path, "qrels", "qrels")


NOISE = {
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n\x00\x01\x02stream\n",
    "noise": random.Random(7).randbytes(5000),
    "nul": bytes(300),
    "directory": None,
    "cut-off.gz": gzip.compress(RUN.encode() * 500)[:60],
    "empty.gz": gzip.compress(b""),
    "long": b"x" * 200_000,
    "latin": "caf\xe9 d1\n".encode("latin-1"),
    "html": b"<html><body>404 Not Found</body></html>\n",
}


@pytest.mark.parametrize("name", NOISE)
def test_anything_else_is_refused_in_few_words(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    content = NOISE[name]
    if content is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(content)
    for arguments in (("qrels", name), (name, "run"), ("qrels", "run", f"x={name}")):
        said = refused(tmp_path, *arguments)
        assert name in said
        assert said.startswith("error")
        assert len(said) < 6000
        assert said.replace("\n", "").isprintable()


def test_utf_16_is_read_and_said(tmp_path: Path) -> None:
    put(tmp_path, qrels=f"{QRELS}\n".encode("utf-16"), run=f"{RUN}\n".encode("utf-16"))
    result = call(tmp_path, "evaluate", "-m", "AP", "qrels", "run")
    assert result.values == {"all AP": "1.0000"}
    assert "note:    qrels is UTF-16" in result.err
    assert "note:    run is UTF-16" in result.err


def test_four_columns_in_the_place_of_a_run_are_called_judgments(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS)
    assert "this looks like relevance judgments" in refused(tmp_path, "qrels", "qrels")
