"""Converting: what is written is read again as the same, and what is lost is said."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest
from calls import call, put

from irevalcli.output.qrels_writers import QRELS_WRITERS
from irevalcli.output.run_writers import RUN_WRITERS
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.run_formats import RUN_FORMATS

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 3\nq2 0 d 0.5\nq2 0 e -1"
RUN = "q2 Q0 c 1 8.25 sys\nq2 Q0 e 2 -7 sys\nq1 Q0 b 1 1e-300 sys\nq1 Q0 a 2 0.1 sys\nq1 Q0 c 3 0.1 sys"
ODD = ['"q', "caf\u00e9", "a,b;c", "x|y", "{z}", "#d", "NA", "1e5", "\u2028", "a'b\"c", '""']
MEASURES = "RR,nDCG@10,NumRet,NumRel"


def values(folder: Path, qrels: str, run: str, *options: str) -> str:
    """What ``evaluate`` prints."""
    found = call(folder, "evaluate", *options, "-q", "-m", MEASURES, qrels, f"run={run}")
    assert found.code == 0, found.err
    return found.out


def test_whatever_is_written_can_be_read() -> None:
    assert RUN_WRITERS.keys() <= RUN_FORMATS.keys()
    assert QRELS_WRITERS.keys() <= QRELS_FORMATS.keys()


@pytest.mark.parametrize("name", RUN_WRITERS)
def test_a_run_in_another_format_has_the_same_values(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    made = call(tmp_path, "convert", "run", "out", "--to", name)
    assert (made.code, made.out) == (0, "")
    assert values(tmp_path, "qrels", "out") == values(tmp_path, "qrels", "run")


@pytest.mark.parametrize("name", [name for name in QRELS_WRITERS if name != "pairs"])
def test_qrels_in_another_format_have_the_same_values(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    made = call(tmp_path, "convert", "qrels", "out", "--qrels", "--to", name)
    assert (made.code, made.out) == (0, "")
    assert values(tmp_path, "out", "run") == values(tmp_path, "qrels", "run")


@pytest.mark.parametrize("name", ["tsv", "csv", "json", "jsonl", "parquet"])
def test_odd_ids_survive_in_formats_that_have_room_for_them(tmp_path: Path, name: str) -> None:
    put(tmp_path)
    lines = [f"{qid} Q0 {docid} 1 {place} t\n" for qid in ODD if qid != "#d" for place, docid in enumerate(ODD)]
    (tmp_path / "run").write_text("".join(lines), encoding="utf-8")
    assert call(tmp_path, "convert", "run", "there", "--to", name).code == 0
    assert call(tmp_path, "convert", "run", "plain", "--to", "trec").code == 0
    back = call(tmp_path, "convert", "there", "back", "--to", "trec", "--tag", "t")
    assert back.code == 0, back.err
    assert (tmp_path / "back").read_bytes() == (tmp_path / "plain").read_bytes()


def test_bytes_that_are_no_utf8_survive(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"q\xff Q0 d\xe9 1 2.0 t\n")
    for name in ("tsv", "csv", "json", "jsonl", "parquet"):
        assert call(tmp_path, "convert", "run", name, "--to", name).code == 0
        assert call(tmp_path, "convert", name, "back", "--to", "trec", "--tag", "t").code == 0
        assert (tmp_path / "back").read_bytes() == b"q\xff Q0 d\xe9 1 2.0 t\n"


def test_what_a_format_has_no_place_for_is_said(tmp_path: Path) -> None:
    put(tmp_path, qrels="q1 1 a 2\nq1 2 a 1\nq1 1 b 0", run=RUN)
    assert "the scores" in call(tmp_path, "convert", "run", "-", "--to", "msmarco").err
    assert "the run tag" in call(tmp_path, "convert", "run", "-", "--to", "json").err
    assert "sub-topics" in call(tmp_path, "convert", "qrels", "-", "--qrels", "--to", "json").err
    said = call(tmp_path, "convert", "qrels", "-", "--to", "pairs").err
    assert "1 judgment with a grade below 1" in said
    assert "grades above 1" in said
    assert "left out" not in call(tmp_path, "convert", "qrels", "-", "--qrels", "--to", "csv").err


def test_ids_with_blanks_are_refused_where_blanks_separate(tmp_path: Path) -> None:
    put(tmp_path, run='{"1": {"a b": 1.0}}')
    refused = call(tmp_path, "convert", "run", "out", "--to", "trec")
    assert (refused.code, refused.out) == (2, "")
    assert "has no room" in refused.err
    assert not (tmp_path / "out").exists()


def test_infinite_scores_are_refused_where_there_are_none(tmp_path: Path) -> None:
    put(tmp_path, run="1 Q0 a 1 inf t")
    assert call(tmp_path, "convert", "run", "out", "--to", "json").code == 2
    assert call(tmp_path, "convert", "run", "-", "--to", "trec").out == "1 Q0 a 1 inf t\n"


def test_endings_tell_format_and_compression(tmp_path: Path) -> None:
    put(tmp_path, run=RUN, qrels=QRELS)
    assert call(tmp_path, "convert", "run", "out.json.gz").code == 0
    assert gzip.decompress((tmp_path / "out.json.gz").read_bytes()).startswith(b"{")
    assert values(tmp_path, "qrels", "out.json.gz") == values(tmp_path, "qrels", "run")
    assert call(tmp_path, "convert", "run", "out.what").code == 2
    assert call(tmp_path, "convert", "run", "-").code == 2


def test_judgments_are_recognised_and_keep_the_order_of_the_file(tmp_path: Path) -> None:
    put(tmp_path, qrels="q2 0 z 1\nq1 5 b 0\nq1 5 a 2")
    made = call(tmp_path, "convert", "qrels", "-", "--to", "trec")
    assert made.out == "q1 5 b 0\nq1 5 a 2\nq2 0 z 1\n"


def test_an_unusable_file_leaves_nothing_behind(tmp_path: Path) -> None:
    put(tmp_path, run="1 Q0 a 1 x t", out="old")
    assert call(tmp_path, "convert", "run", "out", "--to", "json").code == 3
    assert (tmp_path / "out").read_text(encoding="utf-8") == "old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "run"]


@pytest.mark.parametrize("name", ["beir", "csv", "tsv", "jsonl"])
def test_judgments_are_recognised_by_the_names_of_their_columns(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS)
    assert call(tmp_path, "convert", "qrels", "there", "--to", name).code == 0
    assert call(tmp_path, "convert", "there", "back.qrels").code == 0
    assert sorted((tmp_path / "back.qrels").read_text().split("\n")) == sorted(
        (tmp_path / "qrels").read_text().split("\n")
    )


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl"])
def test_a_run_under_a_header_in_the_place_of_qrels_is_seen(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    assert call(tmp_path, "convert", "run", "there", "--to", name).code == 0
    refused = call(tmp_path, "evaluate", "there", "qrels")
    assert (refused.code, refused.out) == (2, "")
    assert "the arguments look swapped" in refused.err
