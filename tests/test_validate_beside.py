"""`validate` on a run beside its qrels: queries, ids, judged documents, ties across a cutoff, columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from findings import codes, number_of, report, reports, the
from plain import judgments_in, run_in

from irevalcli.measures.graded import normalized_discounted_gain

if TYPE_CHECKING:
    from pathlib import Path

QRELS = b"q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 1\n"


def test_judged_queries_that_are_missing_are_counted_and_named(tmp_path: Path) -> None:
    found = report(tmp_path, b"q1 Q0 a 1 3 t\nq2 Q0 c 1 3 t\n", QRELS)
    message = "1 of 3 judged queries is missing from the run (q3)"
    assert (codes(found), the(found, "RUN021").message, the(found, "RUN021").severity) == (
        ["RUN021"],
        message,
        "warning",
    )
    assert the(report(tmp_path, b"q1 Q0 a 1 3 t\n", QRELS), "RUN021").message == (
        "2 of 3 judged queries are missing from the run (q2, q3);"
        " is the query column right, and are these the right qrels?"
    )
    strict = report(tmp_path, b"q1 Q0 a 1 3 t\nq2 Q0 c 1 3 t\n", QRELS, preset="trec")
    assert the(strict, "RUN021").severity == "error"


def test_queries_without_judgments_are_counted_and_named(tmp_path: Path) -> None:
    run = b"q1 Q0 a 1 3 t\nx Q0 c 1 3 t\nq2 Q0 c 1 3 t\nq3 Q0 d 1 3 t\ny Q0 c 1 3 t\n"
    found = report(tmp_path, run, QRELS)
    assert codes(found) == ["RUN022"]
    assert the(found, "RUN022").message.startswith("2 queries have no judgments in ")
    assert the(found, "RUN022").message.endswith(" (x, y)")


def test_no_common_query_is_one_error_that_shows_a_pair(tmp_path: Path) -> None:
    found = report(tmp_path, b"1 Q0 a 1 3 t\n2 Q0 c 1 3 t\n", QRELS)
    assert codes(found) == ["RUN020", "RUN023"]
    assert the(found, "RUN020").message.endswith("('1' here, 'q1' there)")
    assert codes(report(tmp_path, b"zz Q0 a 1 3 t\n", QRELS)) == ["RUN020"]


@pytest.mark.parametrize(
    ("run", "qrels", "words"),
    [
        ("7", "007", "leading zeros"),
        ("Q7", "q7", "upper and lower case"),
        ("7.0", "7", "how a number is written"),
        ('"7"', "7", "quotes"),
        ("e\u0301", "\u00e9", "the form of Unicode (NFC or NFD)"),
        ("trec7", "7", "what stands in front"),
        ("7_de", "7", "what stands behind"),
        ("7", "7.en", "what stands behind"),
    ],
)
def test_ids_that_look_alike_are_told_apart_in_words(tmp_path: Path, run: str, qrels: str, words: str) -> None:
    judged = f"k 0 a 1\n{qrels} 0 a 1\n".encode()
    found = report(tmp_path, f"k Q0 a 1 1 t\n{run} Q0 a 1 1 t\n".encode(), judged)
    message = the(found, "RUN023").message
    assert message.startswith(f"query '{run}' and '{qrels}' of ")
    assert message.endswith(f" differ only by {words}")


def test_ids_with_different_endings_do_not_look_alike(tmp_path: Path) -> None:
    found = report(tmp_path, b"k Q0 a 1 1 t\n2024-1 Q0 a 1 1 t\n", b"k 0 a 1\n2024-2 0 a 1\n")
    assert codes(found) == ["RUN021", "RUN022"]


def test_docids_of_another_collection_are_found_and_the_likely_difference(tmp_path: Path) -> None:
    found = report(tmp_path, b"q1 Q0 A 1 3 t\nq1 Q0 B 2 2 t\nq2 Q0 C 1 3 t\nq3 Q0 D 1 3 t\n", QRELS)
    assert codes(found) == ["RUN023", "RUN025"]
    assert the(found, "RUN025").message.endswith("(A, B, … here, a, b, … there)")
    assert the(found, "RUN023").message.endswith("differ only by upper and lower case")
    other = report(tmp_path, b"q1 Q0 81 1 3 t\nq1 Q0 93 2 2 t\nq2 Q0 22 1 3 t\nq3 Q0 7 1 3 t\n", QRELS)
    assert codes(other) == ["RUN025"]


def test_one_pair_of_docids_that_look_alike_is_chance(tmp_path: Path) -> None:
    run = b"".join(b"q1 Q0 d%d %d %d t\n" % (n, n, -n) for n in range(1, 6))
    assert codes(report(tmp_path, run, b"q1 0 D1 1\nq1 0 x 1\n")) == ["RUN025"]


def judged_qrels(count: int) -> bytes:
    return b"".join(b"q1 0 d%d %d\n" % (number, number % 2) for number in range(1, count + 1))


def retrieved(numbers: list[int]) -> bytes:
    return b"".join(b"q1 Q0 d%d %d %d t\n" % (number, rank, -rank) for rank, number in enumerate(numbers, 1))


def test_few_judged_documents_are_a_warning(tmp_path: Path) -> None:
    run = retrieved([*range(1, 5), *range(101, 107)])
    found = the(report(tmp_path, run, judged_qrels(50)), "RUN024")
    assert found.message == "40% of the first 10 documents are judged (mean over 1 query)"
    assert codes(report(tmp_path, retrieved([*range(1, 6), *range(101, 106)]), judged_qrels(50))) == []
    assert codes(report(tmp_path, run, judged_qrels(50), judged_at=5)) == []


def test_qrels_that_judge_fewer_documents_than_are_looked_at_prove_nothing(tmp_path: Path) -> None:
    assert codes(report(tmp_path, retrieved([1, *range(101, 110)]), judged_qrels(2))) == []


def test_ties_across_a_cutoff_say_how_far_the_measure_moves(tmp_path: Path) -> None:
    qrels = b"q1 0 a 3\nq1 0 b 0\nq1 0 c 1\nq2 0 a 1\n"
    run = b"q1 Q0 x 1 9 t\nq1 Q0 a 2 8 t\nq1 Q0 b 3 8 t\nq1 Q0 c 4 8 t\nq2 Q0 a 1 1 t\n"
    found = the(report(tmp_path, run, qrels, cutoffs=(2,)), "RUN016")
    judgments = judgments_in(qrels)
    ranking, _ = run_in(run, judgments)
    worst, best = (
        normalized_discounted_gain(ranking.extreme_ties(best=which), cutoff=2).mean() for which in (False, True)
    )
    assert 0 < worst < best < 1
    assert found.message == (
        f"equal scores on both sides of rank 2 in 1 query: nDCG@2 lies between {worst:.4f} and {best:.4f}"
        " depending on the order of ties"
    )


@pytest.mark.parametrize(
    ("scores", "cutoff"),
    [((9, 8, 8, 7), 3), ((9, 8, 7, 7), 2), ((9, 8, 7, 6), 2)],
    ids=["tie-above", "tie-below", "no-tie"],
)
def test_ties_on_one_side_of_the_cutoff_are_no_matter(tmp_path: Path, scores: tuple[int, ...], cutoff: int) -> None:
    run = b"".join(b"q1 Q0 %c %d %d t\n" % (97 + rank, rank + 1, score) for rank, score in enumerate(scores))
    assert "RUN016" not in codes(report(tmp_path, run, b"q1 0 b 1\nq1 0 c 0\nq1 0 d 2\n", cutoffs=(cutoff,)))


def test_ties_of_documents_with_one_grade_are_no_matter(tmp_path: Path) -> None:
    run = b"q1 Q0 a 1 8 t\nq1 Q0 b 2 8 t\n"
    assert "RUN016" not in codes(report(tmp_path, run, b"q1 0 a 1\nq1 0 b 1\n", cutoffs=(1,)))
    assert "RUN016" not in codes(report(tmp_path, run, b"q1 0 a 0\nq1 0 b 0\nq1 0 z 1\n", cutoffs=(1,)))


def test_each_cutoff_has_its_finding(tmp_path: Path) -> None:
    run = b"".join(b"q1 Q0 d%d %d 1 t\n" % (n, n) for n in range(1, 9))
    assert number_of(report(tmp_path, run, b"q1 0 d3 1\n", cutoffs=(1, 5, 9)), "RUN016") == 2


def test_query_ids_in_another_column_are_found(tmp_path: Path) -> None:
    run = b"a Q0 q1 1 3 t\nb Q0 q1 2 2 t\nc Q0 q2 1 3 t\n"
    found = the(report(tmp_path, run, QRELS), "RUN027")
    assert found.message.startswith("field 3 holds query ids of ")
    assert found.message.endswith(", and field 1 should")


def test_document_ids_in_another_column_are_found(tmp_path: Path) -> None:
    run = b"q1 a x 1 3 t\nq1 b y 2 2 t\nq2 c z 1 3 t\nq3 d w 1 3 t\n"
    found = the(report(tmp_path, run, QRELS), "RUN027")
    assert found.message.startswith("field 2 holds document ids of ")


def test_ranks_are_not_taken_for_query_ids(tmp_path: Path) -> None:
    qrels = b"1 0 a 1\n2 0 a 1\n3 0 a 1\n"
    found = report(tmp_path, b"x Q0 a 1 9 t\nx Q0 b 2 8 t\nx Q0 c 3 7 t\n", qrels)
    assert "RUN027" not in codes(found)


def test_a_constant_in_the_place_of_documents_is_found_without_qrels(tmp_path: Path) -> None:
    found = report(tmp_path, b"q1 a Q0 1 3 t\nq1 b Q0 2 2 t\nq2 c Q0 1 3 t\n")
    assert the(found, "RUN027").message == "field 3 is 'Q0' in every line; the documents seem to be in field 2"


def test_qrels_that_cannot_be_read_leave_the_runs_to_be_looked_at_alone(tmp_path: Path) -> None:
    found = reports(tmp_path, b"\n", b"q1 Q0 a 0 3 t\n")
    assert [codes(each) for each in found] == [["INP004"], ["RUN018"]]


def test_faulty_lines_of_qrels_do_not_keep_the_others_from_being_used(tmp_path: Path) -> None:
    found = reports(tmp_path, b"q1 0 a 1\nq2 0 b x\nq3 0 c\n", b"q1 Q0 a 1 3 t\n")
    assert [codes(each) for each in found] == [["QRL001", "QRL002"], []]
