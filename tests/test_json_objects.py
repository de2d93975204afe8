"""Runs and qrels as one JSON object: the numbers of the TREC files, and faults with their places."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from hypothesis import given
from hypothesis import strategies as st
from plain import opened

from irevalcli.errors import InputProblem
from irevalcli.index.ranked_lists import read_lists
from irevalcli.index.scan import RunRules
from irevalcli.reading.json_runs import JSON

if TYPE_CHECKING:
    from pathlib import Path

QRELS = '{"1": {"a": 1, "b": 0}, "2": {"c": 2}}'
RUN = '{"1": {"b": 2.5, "a": 1.5},\n "2": {"d": 9, "c": 8}}'
IDS = st.text(st.characters(exclude_characters="\0\n\r", exclude_categories=["Cs"]), min_size=1, max_size=6)
SCORES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53)
OBJECTS = st.dictionaries(IDS, st.dictionaries(IDS, SCORES, min_size=1, max_size=5), min_size=1, max_size=4)


def refusal(folder: Path, run: str, *options: str) -> str:
    """What is said when a run is refused."""
    put(folder, qrels=QRELS)
    (folder / "run").write_text(run, encoding="utf-8")
    result = call(folder, "evaluate", *options, "qrels", "run")
    assert (result.code, result.out) == (3, ""), result.err
    return result.err


def test_an_object_gives_the_values_of_the_trec_files(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run=RUN)
    found = call(tmp_path, "evaluate", "-q", "-m", "RR,nDCG@10,NumRet", "qrels", "run")
    put(
        tmp_path,
        qrels="1 0 a 1\n1 0 b 0\n2 0 c 2",
        run="1 Q0 b 1 2.5 t\n1 Q0 a 2 1.5 t\n2 Q0 d 1 9 t\n2 Q0 c 2 8 t",
    )
    assert (found.code, found.out) == (
        0,
        call(tmp_path, "evaluate", "-q", "-m", "RR,nDCG@10,NumRet", "qrels", "run").out,
    )


@given(entries=OBJECTS, indent=st.sampled_from([None, 1]), ascii_only=st.booleans())
def test_what_json_writes_is_read_as_it_was(
    entries: dict[str, dict[str, float]], indent: int, ascii_only: bool
) -> None:
    text = json.dumps(entries, indent=indent, ensure_ascii=ascii_only).encode()
    with opened(text) as source:
        lists, report, _ = read_lists(source, RunRules(format=JSON))
    assert (report.faults, report.duplicates) == ([], [])
    assert lists.qids == sorted(qid.encode() for qid in entries)
    found = {
        (lists.qids[query], lists.data[start:end].tobytes(), score)
        for query, (first, size) in enumerate(zip(lists.first.tolist(), lists.size.tolist(), strict=True))
        for start, end, score in zip(
            lists.bounds[first : first + size].tolist(),
            lists.bounds[first + 1 : first + size + 1].tolist(),
            lists.scores[first : first + size].tolist(),
            strict=True,
        )
    }
    assert found == {
        (qid.encode(), docid.encode(), float(score))
        for qid, scores in entries.items()
        for docid, score in scores.items()
    }


def test_a_query_that_comes_twice_is_one_query(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run='{"1": {"b": 2.5}, "2": {"c": 1}, "1": {"a": 3}}')
    assert call(tmp_path, "evaluate", "-q", "-m", "RR,NumRet", "qrels", "run").values["1 NumRet"] == "2"


@pytest.mark.parametrize("run", ['{"1": {"a": 1, "a": 2}}', '{"1": {"a": 1}, "1": {"a": 1}}'])
def test_a_document_that_comes_twice_is_a_duplicate(tmp_path: Path, run: str) -> None:
    assert "error[RUN010]: run: duplicate document 'a' for query '1'" in refusal(tmp_path, run)


@pytest.mark.parametrize(
    ("value", "place"),
    [("NaN", "run:1:13"), ('"1.5"', "run:1:13"), ("true", "run:1:13"), ("1e999", "run:1:13"), ("null", "run:1:13")],
)
def test_a_value_that_is_no_finite_number_is_named_with_its_place(tmp_path: Path, value: str, place: str) -> None:
    said = refusal(tmp_path, f'{{"1": {{"b": {value}, "a": 1}}}}')
    assert "error[RUN002]: score is not a number" in said
    assert place in said


def test_an_infinity_that_python_writes_is_a_score_and_said(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run='{"1": {"b": 1, "a": Infinity}, "2": {"c": -Infinity, "x": 0}}')
    found = call(tmp_path, "evaluate", "-q", "-m", "RR", "qrels", "run")
    assert (found.values["1 RR"], found.values["2 RR"]) == ("1.0000", "0.5000")
    assert "2 infinite scores" in found.err


def test_faulty_entries_are_skipped_on_request(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run='{"1": {"b": NaN, "a": 1, "": 3}, "2": {"c": "x"}}')
    found = call(tmp_path, "evaluate", "--on-error", "skip", "-q", "-m", "RR,NumRet", "qrels", "run")
    assert (found.values["1 RR"], found.values["1 NumRet"], found.values["2 NumRet"]) == ("1.0000", "1", "0")
    assert "run: 3 faulty lines were left out" in found.err


@pytest.mark.parametrize(
    ("run", "place"),
    [
        ('{"1": {"a": 1}', "run:1:15"),
        ('{"1": {"a": }}', "run:1:13"),
        ('{"1": ["a"]}', "run:1:7"),
        ('{"1": 3}', "run:1:7"),
        ('{"1": {"a": 1},}', "run:1:16"),
        ('{"1": {"a": 1}} x', "run:1:17"),
        ('{1: {"a": 1}}', "run:1:2"),
        ('{"1":\n{"a": 1,\n"b": 2 "c": 3}}', "run:3:8"),
        ("{" + '"1": {"a": ' + "[" * 100_000, "run:1:7"),
    ],
    ids=range(9),
)
def test_what_is_no_json_of_this_shape_is_refused_with_its_place(tmp_path: Path, run: str, place: str) -> None:
    said = refusal(tmp_path, run)
    assert "error[INP013]" in said
    assert place in said


@pytest.mark.parametrize("run", ["{}", '{"1": {}}'])
def test_an_object_without_entries_is_no_data(tmp_path: Path, run: str) -> None:
    assert "INP004" in refusal(tmp_path, run)


def test_a_grade_that_is_no_number_is_named(tmp_path: Path) -> None:
    put(tmp_path, qrels='{"1": {"a": "1"}}', run=RUN)
    said = call(tmp_path, "evaluate", "qrels", "run").err
    assert "error[QRL002]: grade is not a number" in said
    assert "qrels:1:13" in said


def test_two_grades_for_one_document_are_refused(tmp_path: Path) -> None:
    put(tmp_path, qrels='{"1": {"a": 1, "a": 2}}', run=RUN)
    assert "error[QRL011]" in call(tmp_path, "evaluate", "qrels", "run").err


def test_bytes_that_are_no_utf8_come_back_as_they_were_written(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(b"1 0 caf\xe9 1\n")
    (tmp_path / "run").write_text('{"1": {"caf\\udce9": 1.0}}', encoding="ascii")
    assert call(tmp_path, "evaluate", "-m", "RR", "qrels", "run").values["all RR"] == "1.0000"


def test_json_is_told_by_name_too(tmp_path: Path) -> None:
    put(tmp_path, qrels=QRELS, run="1 Q0 a 1 1 t")
    with pytest.raises(InputProblem, match="should stand"), opened(b"1 Q0 a 1 1 t\n") as source:
        read_lists(source, RunRules(format=JSON))
    assert call(tmp_path, "evaluate", "--run-format", "json", "qrels", "run").code == 3
