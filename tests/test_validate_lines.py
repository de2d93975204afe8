"""`validate` on the lines of a run: faults, text, tags, repetitions, interleaved queries."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from findings import codes, number_of, places, report, reports, the

if TYPE_CHECKING:
    from pathlib import Path

CLEAN = b"q1 Q0 a 1 3 t\nq1 Q0 b 2 2.5 t\nq2 Q0 c 1 5 t\n"


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def test_a_clean_run_has_its_numbers_and_no_finding(tmp_path: Path) -> None:
    found = report(tmp_path, CLEAN)
    assert (found.kind, found.rows, found.queries, found.findings, found.counts) == ("run", 3, 2, (), ())


def test_checking_goes_on_behind_faulty_lines(tmp_path: Path) -> None:
    run = lines("q1 Q0 a 1 3", "q1 Q0 b 2 x t", "q1 Q0 c 3 1 t", "q1 Q0 c 4 0 t", "q1 d")
    found = report(tmp_path, run)
    assert codes(found) == ["RUN001", "RUN002", "RUN010"]
    assert places(found, "RUN001") == [(1, 1), (5, 1)]
    assert places(found, "RUN002") == [(2, 11)]
    assert places(found, "RUN010") == [(4, 7)]
    assert found.rows == 2


def test_of_many_faults_some_are_located_and_all_are_counted(tmp_path: Path) -> None:
    run = b"".join(b"q1 Q0 d%d %d x t\n" % (number, number) for number in range(50)) + b"q1 Q0 e\n" * 40
    found = report(tmp_path, run, most=3)
    assert number_of(found, "RUN002") == 50
    assert number_of(found, "RUN001") == 40
    assert places(found, "RUN001") == [(51, 1), (52, 1), (53, 1)]
    assert len(places(found, "RUN002")) == 3


def test_faults_beyond_those_that_are_looked_for_one_by_one_are_counted(tmp_path: Path) -> None:
    run = b"".join(b"q1 Q0 d%d %d x t\n" % (number, number) for number in range(5000)) + CLEAN
    assert number_of(report(tmp_path, run), "RUN002") == 5000


def test_a_header_line_is_a_finding_of_its_own_and_its_last_field_no_tag(tmp_path: Path) -> None:
    found = report(tmp_path, b"qid iter docid rank score tag\n" + CLEAN)
    assert codes(found) == ["RUN006"]
    assert places(found, "RUN006") == [(1, 21)]


def test_a_rank_that_is_no_number_is_a_warning(tmp_path: Path) -> None:
    found = report(tmp_path, lines("q1 Q0 a first 3 t", "q1 Q0 b 2 2 t", "q1 Q0 c third 1 t"))
    assert the(found, "RUN005").message == "2 ranks are no numbers; evaluators do not read them"
    assert (the(found, "RUN005").severity, places(found, "RUN005")) == ("warning", [(1, 9)])


def test_a_document_listed_again_is_located_with_its_first_line(tmp_path: Path) -> None:
    run = lines("q1 Q0 a 1 9 t", "q1 Q0 b 2 8 t", "q1 Q0 a 3 7 t", "q2 Q0 a 1 6 t", "q1 Q0 a 4 5 t")
    found = report(tmp_path, run)
    messages = [finding.message for finding in found.findings if finding.rule == "RUN010"]
    assert messages == [f"duplicate document 'a' for query 'q1' (first at line {line})" for line in (1, 1)]
    assert places(found, "RUN010") == [(3, 7), (5, 7)]


def test_all_repetitions_are_counted_and_the_first_are_shown(tmp_path: Path) -> None:
    run = b"".join(b"q%d Q0 d%d 1 %d t\n" % (n // 40, n % 10, -n) for n in range(400))
    found = report(tmp_path, run, most=2)
    assert number_of(found, "RUN010") == 300
    assert places(found, "RUN010") == [(11, 7), (12, 7)]


def test_repetitions_in_queries_without_judgments_are_found_too(tmp_path: Path) -> None:
    run = lines("q1 Q0 a 1 9 t", "q9 Q0 b 1 8 t", "q9 Q0 b 2 7 t")
    assert places(report(tmp_path, run, b"q1 0 a 1\n"), "RUN010") == [(3, 7)]


def test_a_query_that_comes_back_is_named_where_it_does(tmp_path: Path) -> None:
    run = lines("q1 Q0 a 1 9 t", "# comment", "q2 Q0 b 1 8 t", "q1 Q0 c 2 7 t", "q2 Q0 d 2 6 t", "q3 Q0 e 1 1 t")
    found = the(report(tmp_path, run), "RUN013")
    assert found.message == "2 queries come back after another one, here first (5 blocks for 3 queries)"
    assert (found.line, found.column, found.excerpt) == (4, 1, b"q1 Q0 c 2 7 t")


def test_a_second_tag_is_located(tmp_path: Path) -> None:
    found = the(report(tmp_path, lines("q Q0 a 1 9 t", "q Q0 b 2 8 t", "q Q0 c 3 7 u", "q Q0 d 4 6 t")), "RUN012")
    assert found.message == "2 run tags in one file (t, u), the second from here; is it one run?"
    assert (found.line, found.column) == (3, 12)


def test_more_fields_than_six_are_counted_from_the_first_such_line(tmp_path: Path) -> None:
    found = the(report(tmp_path, lines("q Q0 a 1 9 t", "q Q0 b 2 8 t x", "", "q Q0 c 3 7 t x y")), "RUN003")
    assert found.message == "2 lines have more fields than a run has, here first; the rest is ignored"
    assert found.line == 2


def test_infinite_scores_are_counted(tmp_path: Path) -> None:
    found = the(report(tmp_path, lines("q Q0 a 1 inf t", "q Q0 b 2 8 t", "q Q0 c 3 -Infinity t")), "RUN004")
    assert (found.message, found.line, found.column) == ("2 infinite scores, ranked first (inf) or last (-inf)", 1, 10)


def test_line_ends_and_a_missing_one_are_notes(tmp_path: Path) -> None:
    found = report(tmp_path, b"q Q0 a 1 9 t\nq Q0 b 2 8 t\r\nq Q0 c 3 7 t\r\nq Q0 d 4 6 t")
    assert codes(found) == ["INP007", "INP008"]
    assert (the(found, "INP007").line, the(found, "INP007").message[:11]) == (2, "2 lines end")
    assert (the(found, "INP008").line, the(found, "INP008").excerpt) == (4, b"q Q0 d 4 6 t")


def test_a_byte_order_mark_and_utf_16_are_notes(tmp_path: Path) -> None:
    assert codes(report(tmp_path, b"\xef\xbb\xbf" + CLEAN)) == ["INP006"]
    assert codes(report(tmp_path, CLEAN.decode().encode("utf-16"))) == ["INP006"]


def test_characters_beyond_ascii_are_told_from_bytes_that_are_none(tmp_path: Path) -> None:
    run = lines("q Q0 a 1 9 t", "q Q0 é 2 8 t", "q Q0 ö 3 7 t")
    assert codes(report(tmp_path, run)) == ["INP010"]
    assert (the(report(tmp_path, run), "INP010").line, the(report(tmp_path, run), "INP010").message[:7]) == (
        2,
        "2 lines",
    )
    latin = report(tmp_path, run.decode().encode("latin-1"))
    assert (codes(latin), the(latin, "INP009").line) == (["INP009"], 2)


def test_a_file_without_data_says_so(tmp_path: Path) -> None:
    for text in (b"", b"\n \n", b"# comment\n"):
        assert codes(report(tmp_path, text, b"q 0 a 1\n")) == ["INP004"]


def test_a_file_with_nul_bytes_is_no_text(tmp_path: Path) -> None:
    assert codes(report(tmp_path, b"q Q0 a\x00 1 9 t\nq Q0 b 2 8 t\n")) == ["INP005"]


def test_a_damaged_or_missing_file_does_not_keep_others_from_being_looked_at(tmp_path: Path) -> None:
    damaged = gzip.compress(CLEAN * 100)[:-30]
    found = reports(tmp_path, b"q1 0 a 1\n", damaged, CLEAN)
    assert [codes(each) for each in found] == [[], ["INP003"], ["RUN022"]]
    assert found[1].rows == 0


def test_lines_of_packed_files_and_pipes_are_those_of_the_text(tmp_path: Path) -> None:
    run = CLEAN + b"q2 Q0 c 2 4 t\n"
    found = report(tmp_path, gzip.compress(run))
    assert (places(found, "RUN010"), the(found, "RUN010").excerpt) == ([(4, 7)], b"q2 Q0 c 2 4 t")


def test_only_selected_rules_are_reported_and_ignored_ones_are_not(tmp_path: Path) -> None:
    run = lines("q Q0 a 0 9 t", "q Q0 a 1 9 u")
    assert codes(report(tmp_path, run, select=("RUN010", "RUN018"))) == ["RUN010", "RUN018"]
    assert codes(report(tmp_path, run, select=("RUN010", "RUN018"), ignore=("RUN010",))) == ["RUN018"]


def test_findings_stand_in_file_order_and_those_on_the_whole_file_last(tmp_path: Path) -> None:
    run = lines("q Q0 a 0 9 t", "q Q0 a 1 9 u", "q Q0 b 2 nan u")
    found = report(tmp_path, run, b"q 0 z 1\nr 0 z 1\ns 0 z 1\n")
    assert [finding.line for finding in found.findings] == [1, 2, 2, 3, 0, 0]
    assert [finding.rule for finding in found.findings[-2:]] == ["RUN021", "RUN025"]


def test_formats_without_lines_give_findings_without_lines(tmp_path: Path) -> None:
    found = report(tmp_path, b'{"q1": {"a": 2, "b": 2, "c": 1, "c": 1}, "q2": {"d": 1}}')
    assert codes(found) == ["RUN010", "RUN019"]
    assert places(found, "RUN010") == [(0, 0)]
    assert the(found, "RUN019").message == "2 documents have the score of another one (1 query)"
