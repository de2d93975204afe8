"""`validate` on the kinds of complaints that users of evaluation tools file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from findings import codes, judged, places, report, reports, the

if TYPE_CHECKING:
    from pathlib import Path

QRELS = b"1 0 d1 1\n1 0 d2 0\n2 0 d3 1\n"


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def test_a_writer_that_puts_0_into_every_rank(tmp_path: Path) -> None:
    run = lines("1 Q0 d1 0 3 t", "1 Q0 d2 0 2 t", "2 Q0 d3 0 1 t")
    assert codes(report(tmp_path, run, QRELS)) == ["RUN011", "RUN018"]


def test_a_column_is_missing_in_every_line(tmp_path: Path) -> None:
    found = report(tmp_path, lines("1 Q0 d1 3.5 t", "2 Q0 d3 2.5 t"), QRELS)
    assert codes(found) == ["RUN001"]
    assert found.findings[0].expected == "a column is missing: Q0 (field 2) or the rank (field 4)"


def test_a_blank_inside_an_id_moves_all_columns(tmp_path: Path) -> None:
    found = report(tmp_path, lines("1 Q0 d 1 1 3 t", "1 Q0 d 2 2 2 t"))
    assert {"RUN003", "RUN010"} <= set(codes(found))
    assert the(found, "RUN003").help.startswith("take the blanks out of ids")


def test_two_jobs_wrote_into_one_file(tmp_path: Path) -> None:
    run = lines("1 Q0 d1 1 9 bm25", "1 Q0 d1 1 8 rm3", "1 Q0 d2 2 7 bm25", "1 Q0 d3 1 Q0 d4 2 6 rm3", "2 Q0 d3 1 1 rm3")
    found = report(tmp_path, run, QRELS)
    assert codes(found) == ["RUN002", "RUN003", "RUN010", "RUN012"]
    assert (places(found, "RUN002")[0][0], places(found, "RUN010")[0][0]) == (4, 2)


def test_the_last_query_id_stands_on_every_line(tmp_path: Path) -> None:
    qrels = lines("A 0 a 1", "B 0 b 1", "C 0 a 1")
    found = report(tmp_path, lines("C Q0 a 1 9 t", "C Q0 b 2 8 t", "C Q0 b 1 9.5 t", "C Q0 a 2 8.5 t"), qrels)
    assert places(found, "RUN010") == [(3, 6), (4, 6)]
    assert the(found, "RUN021").message.startswith(
        "2 of 3 judged queries are missing from the run (A, B); is the query"
    )


def test_a_run_beside_the_qrels_of_a_larger_set(tmp_path: Path) -> None:
    qrels = b"".join(b"%d 0 d%d 1\n" % (number, number) for number in range(1, 11))
    found = the(report(tmp_path, lines("1 Q0 d1 1 9 t", "2 Q0 d2 1 9 t"), qrels), "RUN021")
    assert found.message.startswith("8 of 10 judged queries are missing from the run")
    assert found.message.endswith("are these the right qrels?")


def test_a_distance_in_the_place_of_a_score(tmp_path: Path) -> None:
    run = lines("1 Q0 d1 1 0.1 ann", "1 Q0 d2 2 0.2 ann", "2 Q0 d3 1 0.1 ann", "2 Q0 d4 2 0.7 ann")
    assert codes(report(tmp_path, run, QRELS)) == ["RUN011", "RUN015", "RUN028"]


def test_a_constant_in_the_place_of_a_score(tmp_path: Path) -> None:
    found = report(tmp_path, lines("sea Q0 oak 1 1.0 t", "sea Q0 fir 2 1.0 t"))
    assert the(found, "RUN014").message == "all 2 scores of query 'sea' are equal"


@pytest.mark.parametrize(
    ("score", "code"), [("nan", "RUN002"), ("None", "RUN002"), ("3,5", "RUN002"), ("inf", "RUN004")]
)
def test_scores_that_are_no_numbers_or_infinite(tmp_path: Path, score: str, code: str) -> None:
    found = report(tmp_path, lines(f"1 Q0 d1 1 {score} t", "1 Q0 d2 2 2 t", "2 Q0 d3 1 1 t"), QRELS)
    assert codes(found) == [code]
    assert places(found, code) == [(1, 11)]


def test_query_ids_that_were_read_as_integers(tmp_path: Path) -> None:
    found = report(tmp_path, lines("7 Q0 d1 1 9 t", "42 Q0 d2 1 9 t"), lines("007 0 d1 1", "42 0 d2 1"))
    assert codes(found) == ["RUN021", "RUN022", "RUN023"]
    assert the(found, "RUN023").message.endswith("differ only by leading zeros")


def test_ids_in_another_encoding_or_form(tmp_path: Path) -> None:
    qrels = "1 0 café 1\n".encode()
    latin, apart = "1 Q0 café 1 9 t\n".encode("latin-1"), "1 Q0 cafe\u0301 1 9 t\n".encode()
    found = reports(tmp_path, qrels, latin, apart)
    assert [codes(each) for each in found] == [["INP010"], ["INP009", "RUN025"], ["INP010", "RUN023", "RUN025"]]


def test_quotes_around_a_grade(tmp_path: Path) -> None:
    found = the(judged(tmp_path, b'1 0 d1 "1"\n'), "QRL002")
    assert (found.message, found.column) == ("grade is not a number: '\"1\"'", 8)


def test_a_grade_that_contradicts_an_earlier_one(tmp_path: Path) -> None:
    assert codes(judged(tmp_path, b"1 0 d1 2\n1 0 d1 0\n")) == ["QRL011"]


def test_what_is_unusual_and_right_is_not_reported(tmp_path: Path) -> None:
    usual = [
        lines("1\tQ0\td1\t1\t9\tt", "2 \tQ0   d3  1 9 t"),
        lines('1 Q0 "d1",(x) 1 9 t', "1 Q0 d1 2 8 t", "2 Q0 d3 1 9 t"),
        lines("1 Q0 d1 1 -0.01 t", "1 Q0 d2 2 -3.2 t", "1 Q0 d4 3 -1e+01 t", "2 Q0 d3 1 0 t"),
        lines("1 Q0 1 1 9 t", "1 Q0 d1 2 8 t", "2 Q0 d3 1 9 t"),
        lines("2 Q0 d3 1 9 t", "1 Q0 d1 1 9 t"),
    ]
    assert [codes(each) for each in reports(tmp_path, QRELS, *usual)] == [[]] * 6
