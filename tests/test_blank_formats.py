"""Runs and qrels in fewer columns than TREC's: recognised, or refused with what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calls import call, put

if TYPE_CHECKING:
    from pathlib import Path

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2"
TREC = "1 Q0 b 1 2.5 t\n1 Q0 a 2 1.5 t\n2 Q0 d 1 9 t\n2 Q0 c 2 8 t"
RUNS = {
    "msmarco": "1 b 1\n1 a 2\n2 d 1\n2 c 2",
    "msmarco-unordered": "1 a 10\n1 b 9\n2 c 2\n2 d 1",
    "scored": "1 b 2.5\n1 a 1.5\n2 d 9\n2 c 8",
    "ranked": "1 b 1 2.5\n1 a 2 1.5\n2 d 1 9\n2 c 2 8",
}
TOLD = {
    "trec-no-q0": "1 b 1 2.5 t\n1 a 2 1.5 t\n2 d 1 9 t\n2 c 2 8 t",
    "trec-no-rank": "1 Q0 b 2.5 t\n1 Q0 a 1.5 t\n2 Q0 d 9 t\n2 Q0 c 8 t",
}


def values(folder: Path, *arguments: str) -> dict[str, str]:
    """What ``evaluate`` prints for ``qrels`` and ``run``."""
    result = call(folder, "evaluate", "-q", "-m", "RR,nDCG@10", *arguments, "qrels", "run")
    assert result.code == 0, result.err
    return result.values


@pytest.mark.parametrize("name", RUNS)
def test_fewer_columns_are_recognised_and_give_the_values_of_the_trec_run(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=TREC)
    expected = values(tmp_path)
    put(tmp_path, run=RUNS[name])
    assert values(tmp_path) == expected
    assert "note:    run: read as" in call(tmp_path, "evaluate", "qrels", "run").err


@pytest.mark.parametrize("name", TOLD)
def test_five_columns_are_read_only_if_told(tmp_path: Path, name: str) -> None:
    put(tmp_path, qrels=QRELS, run=TREC)
    expected = values(tmp_path)
    put(tmp_path, run=TOLD[name])
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert "a column is missing" in refused.err
    assert values(tmp_path, "--run-format", name) == expected


def test_a_third_column_that_repeats_a_number_holds_scores(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 a 1", run="1 b 1\n1 a 1\n1 c 3")
    assert values(tmp_path)["1 RR"] == "0.3333"


def test_ranks_that_turn_out_to_be_scores_after_the_head_are_read_as_scores(tmp_path: Path) -> None:
    many = "\n".join(f"{query} doc{place:07} {place}" for query in range(1, 60) for place in range(1, 200))
    last = "last x 1\nlast y 2.5"
    put(tmp_path, qrels="1 0 doc0000001 1\nlast 0 y 1", run=f"{many}\n{last}")
    found = values(tmp_path)
    assert (found["1 RR"], found["last RR"]) == (f"{1 / 199:.4f}", "1.0000")


def test_a_third_column_of_words_asks_for_the_format(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="1 b x\n1 a y")
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert refused.code == 3
    assert "error[INP011]: 3 columns, and the third is no number\n     --> run:1:5\n" in refused.err
    assert "--run-format" in refused.err


def test_three_and_six_columns_in_one_file_are_an_error(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="1 b 1\n1 Q0 a 2 1.5 t")
    refused = call(tmp_path, "evaluate", "qrels", "run")
    assert refused.code == 3
    assert "run:1:1" in refused.err


@pytest.mark.parametrize(("text", "value"), [("1 a\n2 c", "0.5000"), ("1 a 1\n1 b 0\n2 c 2", "0.5000")])
def test_qrels_of_two_and_three_columns_are_read(tmp_path: Path, text: str, value: str) -> None:
    put(tmp_path, qrels=text, run=TREC)
    assert values(tmp_path)["2 RR"] == value
    assert "read as" in call(tmp_path, "evaluate", "qrels", "run").err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "--qrels-format prefs"),
        (("--qrels-format", "prels"), "statAP"),
        (("--qrels-format", "sampled"), "xinfAP"),
    ],
)
def test_five_columns_of_judgments_are_refused_by_name(tmp_path: Path, options: tuple[str, ...], said: str) -> None:
    put(tmp_path, qrels="1 0 a 2 1\n1 0 b 1 0", run=TREC)
    refused = call(tmp_path, "evaluate", *options, "qrels", "run")
    assert (refused.code, refused.out) == (3, "")
    assert said in refused.err


def test_faulty_lines_are_skipped_and_counted_on_request(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels=QRELS + "\n2 0 d x\n2 0 e\n2 0 c 1",
        run=TREC + "\n1 Q0 z 3\n1 Q0 y 4 nan t\n1 Q0 a 9 7.5 t\n2 Q0 c 9 9.5 t",
    )
    assert call(tmp_path, "evaluate", "qrels", "run").code == 3
    found = call(tmp_path, "evaluate", "--on-error", "skip", "-q", "-m", "RR,nDCG@10,NumRet,NumRel", "qrels", "run")
    put(tmp_path, qrels=QRELS, run=TREC)
    clean = call(tmp_path, "evaluate", "-q", "-m", "RR,nDCG@10,NumRet,NumRel", "qrels", "run")
    assert (found.code, found.out) == (0, clean.out)
    assert "qrels: 3 faulty lines were left out" in found.err
    assert "run: 4 faulty lines were left out (--on-error skip); the first: run:5" in found.err


def test_a_file_of_faulty_lines_alone_stays_an_error(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="1 Q0 z 3\n1 Q0 y 4 nan t")
    assert call(tmp_path, "evaluate", "--on-error", "skip", "qrels", "run").code == 3
