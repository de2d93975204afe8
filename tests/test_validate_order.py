"""`validate` on ranks and scores: disagreement, ties, directions, precision, depth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from findings import codes, number_of, places, report, the

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.analysis.validation import FileReport


def run_of(**queries: str) -> bytes:
    """A run; a query's documents are ``rank:score`` each, named by letters."""
    lines = [
        f"{qid} Q0 {chr(97 + place)} {each.replace(':', ' ')} t"
        for qid, documents in queries.items()
        for place, each in enumerate(documents.split())
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def of(folder: Path, **queries: str) -> FileReport:
    return report(folder, run_of(**queries))


def test_ranks_that_contradict_scores_are_located_where_they_do(tmp_path: Path) -> None:
    found = the(of(tmp_path, p="1:9 2:8", q="1:5 2:3 3:4", r="1:5 2:6"), "RUN011")
    assert found.message == "rank order disagrees with scores from here (2 queries); evaluators use the score"
    assert (found.line, found.column, found.excerpt) == (5, 8, b"q Q0 c 3 4 t")


@pytest.mark.parametrize(
    "documents",
    ["1:9 2:8 3:7", "3:7 1:9 2:8", "1:9 3:8 2:8 4:7", "0:9 1:8", "1:9 10:8 11:7", "2:1", "1:inf 2:9 3:-inf"],
)
def test_ranks_that_rise_as_scores_fall_agree(tmp_path: Path, documents: str) -> None:
    assert "RUN011" not in codes(of(tmp_path, q=documents))


@pytest.mark.parametrize("documents", ["1:8 2:9", "2:9 1:8", "1:9 2:8 1:7", "1:9 4:8 2:8 3:7", "0:9 0:8"])
def test_ranks_that_do_not_are_found(tmp_path: Path, documents: str) -> None:
    assert "RUN011" in codes(of(tmp_path, q=documents))


def test_a_rank_that_is_no_number_disagrees_with_nothing(tmp_path: Path) -> None:
    assert codes(of(tmp_path, q="1:9 x:8 3:7")) == ["RUN005"]


def test_the_smallest_rank_should_be_1(tmp_path: Path) -> None:
    found = the(of(tmp_path, p="1:9 2:8", q="2:7 1:8 0:9", r="5:2 6:1"), "RUN018")
    assert (found.message, found.line) == ("the smallest rank is 0 here, not 1 (2 queries)", 5)


def test_behind_a_faulty_line_rank_2_may_be_the_smallest(tmp_path: Path) -> None:
    assert codes(of(tmp_path, q="1:x 2:8 3:7")) == ["RUN002"]
    assert codes(of(tmp_path, q="0:8 1:x")) == ["RUN002", "RUN018"]


def test_documents_with_equal_scores_are_counted_by_documents_and_queries(tmp_path: Path) -> None:
    found = the(of(tmp_path, p="1:9 2:8", q="1:7 2:5 3:5 4:5 5:2 6:2", r="1:1 2:0 3:0"), "RUN019")
    assert found.message == "7 documents have the score of another one, here first (2 queries)"
    assert (found.line, found.column) == (4, 10)


def test_scores_that_are_all_one_are_named_query_by_query(tmp_path: Path) -> None:
    found = of(tmp_path, p="1:1 2:1", q="1:1", r="1:2 2:2 3:2", s="1:2 2:1")
    assert [finding.message for finding in found.findings if finding.rule == "RUN014"] == [
        "all 2 scores of query 'p' are equal",
        "all 3 scores of query 'r' are equal",
    ]
    assert places(found, "RUN014") == [(1, 10), (4, 10)]
    assert number_of(found, "RUN014") == 2


def test_scores_that_rise_down_the_file_look_like_distances(tmp_path: Path) -> None:
    assert "RUN015" in codes(of(tmp_path, p="1:0.1 2:0.2 3:0.2", q="1:0.5", r="1:0.3 2:0.7"))
    assert "RUN015" in codes(of(tmp_path, p="0:1 0:2 0:3"))


@pytest.mark.parametrize(
    "queries",
    [
        {"p": "1:0.1 2:0.2 3:0.3", "q": "1:2 2:1"},
        {"p": "1:0.1 2:0.3 3:0.2"},
        {"p": "3:0.1 2:0.2 1:0.3"},
        {"p": "1:0.1 2:0.2"},
        {"p": "1:2 2:2 3:2"},
    ],
    ids=["one-falls", "once-down", "with-the-ranks", "too-few", "level"],
)
def test_other_orders_are_no_distances(tmp_path: Path, queries: dict[str, str]) -> None:
    assert "RUN015" not in codes(of(tmp_path, **queries))


def test_a_score_above_that_of_the_line_before_is_located(tmp_path: Path) -> None:
    found = the(of(tmp_path, p="1:3 2:2", q="1:9 2:7 3:8 4:9", r="1:1 2:2"), "RUN028")
    assert (found.message, found.line) == ("the score is higher than on the line above (2 queries)", 5)


def test_scores_that_single_precision_cannot_tell_apart_are_found(tmp_path: Path) -> None:
    found = of(tmp_path, p="1:16777218 2:16777217 3:16777216", q="1:2 2:1 3:1")
    assert the(found, "RUN029").line == 2
    assert the(found, "RUN029").message.endswith("(1 query)")
    assert "RUN029" not in codes(of(tmp_path, q="1:2 2:1 3:1"))


def test_scores_beyond_single_precision_are_found_without_a_warning_of_numpy(tmp_path: Path) -> None:
    assert "RUN029" in codes(of(tmp_path, q="1:2e300 2:1e300 3:1e-300 4:1e-310"))


def test_a_query_with_more_documents_than_allowed_is_located_at_the_first_too_many(tmp_path: Path) -> None:
    run = run_of(p="1:9 2:8 3:7", q="1:9 2:8", r="1:9 2:8 3:7 4:6")
    found = report(tmp_path, run, limit=2)
    messages = [finding.message for finding in found.findings if finding.rule == "RUN017"]
    assert messages == ["query 'p' has 3 documents, of 2 allowed", "query 'r' has 4 documents, of 2 allowed"]
    assert [line for line, _ in places(found, "RUN017")] == [3, 8]
    assert "RUN017" not in codes(report(tmp_path, run))


def test_rank_and_score_in_each_others_place_are_found(tmp_path: Path) -> None:
    found = of(tmp_path, p="9.5:1 8.5:2 3.5:3", q="2:1 1:2")
    assert the(found, "RUN027").message.endswith("are rank and score exchanged?")
    assert "RUN015" not in codes(found)
    assert "RUN027" not in codes(of(tmp_path, p="9.5:1 8.5:2 3.5:4"))


def test_the_preset_for_trec_has_a_limit_and_rules_for_tags(tmp_path: Path) -> None:
    deep = b"".join(b"q Q0 d%d %d %d my-tag_1.0\n" % (rank, rank, -rank) for rank in range(1, 1002))
    found = report(tmp_path, deep, preset="trec")
    assert (codes(found), the(found, "RUN017").severity) == (["RUN017"], "error")
    for tag, message in (("a" * 21, "run tag of 21 characters, 20 allowed"), ("my/run", "run tag 'my/run' has other")):
        found = report(tmp_path, f"q Q0 a 1 9 {tag}\n".encode(), preset="trec")
        assert the(found, "RUN026").message.startswith(message)
        assert places(found, "RUN026") == [(1, 12)]
        assert codes(report(tmp_path, f"q Q0 a 1 9 {tag}\n".encode())) == []


def test_ms_marco_ranks_are_not_taken_for_distances(tmp_path: Path) -> None:
    assert codes(report(tmp_path, b"q a 1\nq b 2\nq c 3\n")) == []
    found = report(tmp_path, b"q a 3\nq b 2\nq c 1\n")
    assert the(found, "RUN028").message == "the rank is smaller than on the line above (1 query)"
    assert "are they scores?" in the(found, "RUN015").message
