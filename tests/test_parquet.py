"""Parquet files: columns by name, ids of any kind, faults by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from calls import call, put
from pyarrow import parquet

from irevalcli.reading import parquet as reader

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2"
RUN = "1 Q0 b 1 2.5 t\n1 Q0 a 2 1.5 t\n2 Q0 d 1 9 t\n2 Q0 c 2 8 t"
QID, DOCID, SCORE, RANK = ["1", "1", "2", "2"], ["b", "a", "d", "c"], [2.5, 1.5, 9.0, 8.0], [1, 2, 1, 2]
TABLES: dict[str, dict[str, Any]] = {
    "ranx": {"q_id": QID, "doc_id": DOCID, "score": SCORE},
    "integers": {"qid": [1, 1, 2, 2], "docno": DOCID, "rank": RANK, "score": pa.array(SCORE, pa.float32())},
    "dictionaries": {"query": pa.array(QID).dictionary_encode(), "doc": DOCID, "score": SCORE, "text": ["x"] * 4},
    "ranks": {"query_id": QID, "corpus-id": DOCID, "rank": RANK},
    "texts": {"qid": QID, "docid": pa.array([each.encode() for each in DOCID]), "score": [str(each) for each in SCORE]},
}


def write(path: Path, columns: dict[str, Any], **options: Any) -> None:  # noqa: ANN401
    """A parquet file."""
    parquet.write_table(pa.table(columns), path, **options)


@pytest.mark.parametrize("name", TABLES)
def test_columns_by_name_give_the_values_of_the_trec_run(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    expected = call(tmp_path, "evaluate", "-q", "-m", "RR,nDCG@10,NumRet", "qrels", "run")
    write(tmp_path / "run", TABLES[name])
    found = call(tmp_path, "evaluate", "-q", "-m", "RR,nDCG@10,NumRet", "qrels", "run")
    assert (found.code, found.out) == (0, expected.out), found.err


def test_qrels_are_read_with_whole_and_real_grades_and_subtopics(tmp_path: Path) -> None:
    put(tmp_path, run=RUN)
    write(tmp_path / "qrels", {"query-id": QID, "corpus-id": DOCID, "score": [0, 1, 0, 2]})
    assert call(tmp_path, "evaluate", "-q", "-m", "RR", "qrels", "run").values["2 RR"] == "0.5000"
    columns = {"qid": ["1", "1", "1"], "subtopic": ["1", "2", "3"], "docid": ["a", "a", "z"], "grade": [1.5, 1, 1]}
    write(tmp_path / "qrels", columns)
    found = call(tmp_path, "evaluate", "-m", "StRecall@10,nDCG@10", "qrels", "run")
    assert found.values["all StRecall@10"] == "0.6667"


@pytest.mark.parametrize("rows", [1, 3])
def test_queries_stay_together_whatever_the_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    expected = call(tmp_path, "evaluate", "-q", "-m", "RR,NumRet", "qrels", "run").out
    write(tmp_path / "run", TABLES["ranx"], row_group_size=rows)
    monkeypatch.setattr(reader, "BATCH_ROWS", rows)
    monkeypatch.setattr(reader, "LARGEST_BATCH", 2)
    assert call(tmp_path, "evaluate", "-q", "-m", "RR,NumRet", "qrels", "run").out == expected


def test_faults_are_named_by_row_and_skipped_on_request(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS)
    write(tmp_path / "run", {"qid": ["1", None, "1", "2"], "docid": ["a", "b", "", "c"], "score": [1.0, 2, 3, None]})
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert all(f"row {row}:" in refused.err for row in (2, 3, 4))
    found = call(tmp_path, "evaluate", "--on-error", "skip", "-m", "NumRet", "qrels", "run")
    assert found.values["all NumRet"] == "1"


@pytest.mark.parametrize("grade", [float("inf"), float("-inf"), float("nan"), "inf", "1e999"])
def test_a_grade_that_is_not_finite_is_refused_however_it_is_stored(tmp_path: Path, grade: float | str) -> None:
    put(tmp_path, run=RUN)
    write(tmp_path / "qrels", {"qid": ["1", "1"], "docid": ["a", "b"], "grade": [type(grade)(1), grade]})
    refused = call(tmp_path, "evaluate", "-m", "AP", "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert "error[QRL002]: qrels: row 2: no number in the column of the grade" in refused.err


def test_ranks_that_fall_down_the_file_are_questioned_as_in_other_files(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 a 1", run="1 a 9\n1 b 7\n1 c 5\n1 d 3")
    columns = {"qid": ["1"] * 4, "docid": ["a", "b", "c", "d"], "rank": [9, 7, 5, 3]}
    write(tmp_path / "table", columns)
    found = [call(tmp_path, "evaluate", "qrels", f"run={name}") for name in ("run", "table")]
    assert found[0].out == found[1].out
    assert all("the ranks fall" in each.err for each in found)


@pytest.mark.parametrize("score", [b"\xff", b"1,5", b"nan", b"", b"0x1"])
def test_scores_written_as_texts_are_read_as_strictly_as_in_other_files(tmp_path: Path, score: bytes) -> None:
    put(tmp_path, qrels=QRELS)
    write(tmp_path / "run", {"qid": ["1", "1"], "docid": ["a", "b"], "score": pa.array([b"1.5", score])})
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert "row 2: no number in the column of the score" in refused.err
    found = call(tmp_path, "evaluate", "--on-error", "skip", "-m", "NumRet", "qrels", "run")
    assert found.values["all NumRet"] == "1"


@pytest.mark.parametrize(
    "columns",
    [
        {"qid": QID, "docid": DOCID},
        {"qid": QID, "score": SCORE},
        {"qid": SCORE, "docid": DOCID, "score": SCORE},
        {"qid": [[1], [2]], "docid": ["a", "b"], "score": [1, 2]},
    ],
    ids=["no-score", "no-docid", "real-qids", "lists"],
)
def test_columns_that_cannot_be_a_run_are_refused(tmp_path: Path, columns: dict[str, Any]) -> None:
    put(tmp_path, qrels=QRELS)
    write(tmp_path / "run", columns)
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert "INP011" in refused.err


@pytest.mark.parametrize("length", [4, 50, 200, -1])
def test_a_file_cut_off_is_damaged(tmp_path: Path, length: int) -> None:
    put(tmp_path, qrels=QRELS)
    write(tmp_path / "run", TABLES["ranx"])
    (tmp_path / "run").write_bytes((tmp_path / "run").read_bytes()[:length])
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert "INP003" in refused.err


def test_a_file_without_rows_is_no_data(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS)
    nothing = {
        "qid": pa.array([], pa.string()),
        "docid": pa.array([], pa.string()),
        "score": pa.array([], pa.float64()),
    }
    write(tmp_path / "run", nothing)
    assert "INP004" in call(tmp_path, "evaluate", "qrels", "run").err
    write(tmp_path / "qrels", nothing)
    assert "INP004" in call(tmp_path, "evaluate", "qrels", "run").err
