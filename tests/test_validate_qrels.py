"""`validate` on qrels: faults, repetitions, grades, order, sub-topics, preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from findings import codes, judged, number_of, places, the

if TYPE_CHECKING:
    from pathlib import Path


def graded(*grades: float, times: int = 1) -> bytes:
    """Qrels of one query with these grades, the whole so many times over other documents."""
    lines = [f"q 0 d{turn}-{place} {grade:g}\n" for turn in range(times) for place, grade in enumerate(grades)]
    return "".join(lines).encode()


def test_clean_qrels_have_their_numbers_and_no_finding(tmp_path: Path) -> None:
    found = judged(tmp_path, b"q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n")
    assert (found.kind, found.rows, found.queries, found.counts) == ("qrels", 3, 2, ())


def test_all_faults_are_counted_and_checking_goes_on(tmp_path: Path) -> None:
    qrels = b"q 0 a\n" * 30 + b"q 0 b high\n" * 30 + b"q 0 c -1\nq 0 d 1\n"
    found = judged(tmp_path, qrels, most=2)
    assert [(count.rule, count.number) for count in found.counts] == [("QRL001", 30), ("QRL002", 30), ("QRL007", 1)]
    assert places(found, "QRL001") == [(1, 1), (2, 1)]
    assert places(found, "QRL002") == [(31, 7), (32, 7)]
    assert places(found, "QRL007") == [(61, 7)]


def test_a_judgment_with_the_same_grade_is_told_from_one_with_another(tmp_path: Path) -> None:
    found = judged(tmp_path, b"q 0 a 1\nq 0 b 1\nq 0 a 1\nq 0 a 2\nq 0 b 1\n")
    assert places(found, "QRL010") == [(3, 5), (5, 5)]
    assert places(found, "QRL011") == [(4, 7)]
    assert the(found, "QRL011").message == "document 'a' of query 'q' has grade 2 here and 1 at line 1"


@pytest.mark.parametrize(
    ("grades", "times"),
    [((0, 1, 2, 3), 50), ((0, 1, 2, 3, 4), 50), ((-2, -1, 0, 1, 2), 50), ((0, 3), 50), ((250, 37, 2), 1)],
    ids=["0-3", "0-4", "negative", "0-and-3", "clicks"],
)
def test_ordinary_scales_have_no_odd_grade(tmp_path: Path, grades: tuple[int, ...], times: int) -> None:
    assert "QRL003" not in codes(judged(tmp_path, graded(*grades, times=times)))


@pytest.mark.parametrize("last", [4, 5])
def test_a_rare_grade_next_to_the_others_is_not_odd(tmp_path: Path, last: int) -> None:
    assert codes(judged(tmp_path, graded(0, 1, 2, 3, times=100) + b"q 0 z %d\n" % last)) == []


def test_a_rare_grade_far_above_the_others_is_odd(tmp_path: Path) -> None:
    found = judged(tmp_path, graded(0, 1, 2, 3, times=20) + b"q 0 z 7\n")
    assert the(found, "QRL003").message == "grade 7 occurs once; other grades are 0–3"
    assert places(found, "QRL003") == [(81, 7)]


def test_each_odd_grade_is_named_at_its_first_line(tmp_path: Path) -> None:
    found = judged(tmp_path, graded(0, 1, times=300) + b"q 0 x 30\nq 0 y 20\nq 0 z 30\n")
    messages = [finding.message for finding in found.findings]
    assert messages == ["grade 30 occurs 2 times; other grades are 0–1", "grade 20 occurs once; other grades are 0–1"]
    assert places(found, "QRL003") == [(601, 7), (602, 7)]


def test_a_grade_far_above_that_is_frequent_is_part_of_the_scale(tmp_path: Path) -> None:
    assert codes(judged(tmp_path, graded(0, 1, 2, times=20) + b"".join(b"q 0 z%d 9\n" % n for n in range(3)))) == []


def test_queries_without_a_relevant_document_are_named_at_their_first_line(tmp_path: Path) -> None:
    found = judged(tmp_path, b"b 0 x 0\na 0 x 0\na 0 y 1\nc 0 x -1\nb 0 y 0\n")
    assert [finding.message for finding in found.findings if finding.rule == "QRL004"] == [
        "query 'b' has no relevant document",
        "query 'c' has no relevant document",
    ]
    assert places(found, "QRL004") == [(1, 1), (4, 1)]


def test_a_grade_between_0_and_1_is_relevant_enough(tmp_path: Path) -> None:
    assert codes(judged(tmp_path, b"q 0 a 0.5\n")) == ["QRL005"]


def test_grades_with_decimals_are_counted(tmp_path: Path) -> None:
    found = judged(tmp_path, b"q 0 a 1.0\nq 0 b 0.8\nq 0 c 2.5\n")
    assert the(found, "QRL005").message == "2 grades are no whole numbers; trec_eval cuts them"
    assert places(found, "QRL005") == [(2, 7)]


def test_queries_that_come_back_are_a_note(tmp_path: Path) -> None:
    found = judged(tmp_path, b"a 0 x 1\nb 0 x 1\na 0 y 1\nb 0 y 1\nb 0 z 1\n")
    assert the(found, "QRL006").message == "2 queries come back after another one, here first"
    assert (places(found, "QRL006"), the(found, "QRL006").severity) == ([(3, 1)], "note")


def test_subtopics_are_no_repetitions(tmp_path: Path) -> None:
    found = judged(tmp_path, b"q 1 a 1\nq 1 b 0\nq 2 a 1\nq 2 c 1\nq 2 b 1\n")
    assert codes(found) == ["QRL012"]
    assert the(found, "QRL012").message.startswith("2 documents are judged for several sub-topics")
    assert places(found, "QRL012") == [(3, 3)]
    assert codes(judged(tmp_path, b"q 1 a 1\nq 2 a 1\n", qrels_format="qrels_jg")) == []


def test_a_repetition_within_a_subtopic_is_one(tmp_path: Path) -> None:
    assert codes(judged(tmp_path, b"q 1 a 1\nq 2 a 1\nq 2 a 1\n")) == ["QRL010", "QRL012"]


def test_preferences_have_rules_of_their_own(tmp_path: Path) -> None:
    cycle = b"q j p A 2\nq j p B 1\nq j s B 2\nq j s A 1\n"
    assert codes(judged(tmp_path, cycle, qrels_format="prefs")) == ["PRF003"]
    assert codes(judged(tmp_path, b"q j p A 20\nq j p B 1.5\nq j s C 0\n", qrels_format="prefs")) == []


def test_a_format_that_cannot_be_told_is_a_finding_with_hints(tmp_path: Path) -> None:
    found = judged(tmp_path, b"q 0 p a 2\n")
    assert codes(found) == ["INP011"]
    assert "--qrels-format prefs" in the(found, "INP011").help


def test_the_text_of_qrels_is_looked_at_like_that_of_runs(tmp_path: Path) -> None:
    found = judged(tmp_path, "\ufeffq 0 a 1\r\nq 0 é 1".encode())
    assert codes(found) == ["INP006", "INP007", "INP008", "INP010"]
    assert [the(found, code).line for code in codes(found)] == [0, 1, 2, 2]


def test_delimited_and_json_qrels_are_grades_too(tmp_path: Path) -> None:
    found = judged(tmp_path, b"query-id\tcorpus-id\tscore\nq1\ta\t0\nq1\ta\t1\nq1\tb\t-1\n")
    assert codes(found) == ["QRL007", "QRL011"]
    assert [line for line, _ in places(found, "QRL011")] == [3]
    found = judged(tmp_path, b'{"q1": {"a": 1, "b": -1}, "q2": {"a": 0}}')
    assert codes(found) == ["QRL004", "QRL007"]
    assert places(found, "QRL004") == [(0, 0)]
    assert number_of(found, "QRL004") == 1
