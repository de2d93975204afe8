"""``irevalcli diff --query``: which documents changed the value of a query."""

from __future__ import annotations

import csv
import json
import math
from typing import TYPE_CHECKING, Any

import pytest
from calls import Call, call, put
from worlds import world

from irevalcli.analysis.diff_documents import DocumentDifference, diff_documents
from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from pathlib import Path

QRELS = """
    q 0 good 3
    q 0 fair 1
    q 0 bad 0
    q 0 deep 2
    q 0 pooled -1
    other 0 x 1
"""
A = """
    q Q0 good 1 9 a
    q Q0 bad 2 8 a
    q Q0 fair 3 7 a
    q Q0 deep 4 6 a
    other Q0 x 1 1 a
"""
B = """
    q Q0 strange 1 9 b
    q Q0 good 2 8 b
    q Q0 pooled 3 7 b
    q Q0 deep 4 6 b
    q Q0 bad 5 5 b
"""
TWO = 1 / math.log2(3)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with ``qrels``, ``a.run`` and ``b.run``."""
    put(tmp_path, qrels=QRELS, a_run=A, b_run=B)
    return tmp_path


def asked(folder: Path, *arguments: str, name: str = "csv", query: str = "q") -> Call:
    """What the command writes."""
    result = call(folder, "diff", "-f", name, "--query", query, *arguments)
    assert result.code == 0, result.err
    return result


def rows(folder: Path, *arguments: str) -> list[dict[str, str]]:
    """The rows of a csv."""
    return list(csv.DictReader(asked(folder, *arguments).out.splitlines()))


def whole(folder: Path, *arguments: str) -> Any:  # noqa: ANN401
    """The JSON."""
    return json.loads(asked(folder, *arguments, name="json").out)


def test_the_top_of_the_second_run_is_shown_and_what_left_that_of_the_first(files: Path) -> None:
    found = rows(files, "--depth", "3", "-m", "nDCG@3", "qrels", "a.run", "b.run")
    assert [tuple(row.values())[1:6] for row in found] == [
        ("strange", "", "", "1", "new"),
        ("good", "3", "1", "2", "kept"),
        ("pooled", "-1", "", "3", "new"),
        ("fair", "1", "3", "", "left"),
        ("bad", "0", "2", "5", "left"),
    ]


def test_each_document_is_told_its_part_in_the_change(files: Path) -> None:
    ideal = 3 + 2 * TWO + 0.5
    found = whole(files, "-m", "nDCG@3", "--depth", "3", "qrels", "a.run", "b.run")
    (measured,) = found["measures"]
    assert measured["first"] == pytest.approx((3 + 0.5) / ideal)
    assert measured["second"] == pytest.approx(3 * TWO / ideal)
    changes = {row["document"]: row["changes"]["nDCG@3"] for row in found["documents"]}
    assert changes == {
        "strange": 0,
        "good": pytest.approx((3 * TWO - 3) / ideal),
        "pooled": 0,
        "fair": pytest.approx(-0.5 / ideal),
        "bad": 0,
    }
    assert measured["documents_below"] == 0
    assert sum(changes.values()) == pytest.approx(measured["change"])
    assert {row["document"]: row["judged"] for row in found["documents"]}["pooled"] is False


@pytest.mark.parametrize("seed", range(3))
def test_the_parts_of_all_documents_add_up_to_the_change_of_evaluate(tmp_path: Path, seed: int) -> None:
    measures = ["AP", "nDCG@5", "RR", "P@5", "ERR@10", "RBP", "nDCG(judged_only=True)"]
    here, there = world("hits", seed), world("hits", seed + 100)
    for name, lines in (("qrels", here.qrels_lines()), ("a.run", here.run_lines()), ("b.run", there.run_lines())):
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
    specs = [Asked(spec, spec.name) for text in measures for spec in parse_measures(text)]
    runs = [NamedRun(name, str(tmp_path / name), name) for name in ("a.run", "b.run")]
    first, second = evaluate(str(tmp_path / "qrels"), runs, specs).runs
    answered = {qid for qid in here.run.keys() | there.run.keys() if qid.encode() in first.qids}
    assert len(answered) > 2
    for qid in answered:
        found = difference(tmp_path, qid.encode(), *measures, policy=Policy())
        place = first.qids.index(qid.encode())
        for number, measured in enumerate(found.measures):
            assert measured.first == first.columns[number].values[place]
            assert measured.second == second.columns[number].values[place]
            parts = sum(document.changes[number] or 0.0 for document in (*found.top, *found.left))
            assert parts + (measured.rest or 0.0) == pytest.approx(measured.second - measured.first, abs=1e-12)


def test_a_person_sees_grades_moves_and_what_is_unjudged(files: Path) -> None:
    result = asked(files, "-m", "nDCG@3", "--depth", "3", "qrels", "a.run", "b.run", name="table")
    assert [" ".join(line.split()) for line in result.out.splitlines()] == [
        "query q · a → b · 1 of 3 shared",
        "nDCG@3 0.7350 → 0.3975 (−0.3375)",
        "",
        "top 3 of b",
        "in b document grade in a moved Δ nDCG@3",
        "1 strange – unjudged – new 0.0000",
        "2 good 3 1 ▼ 1 −0.2325",
        "3 pooled pooled, unjudged – new 0.0000",
        "",
        "left the top 3 of a",
        "in b document grade in a moved Δ nDCG@3",
        "– fair 1 3 gone −0.1050",
        "5 bad 0 2 ▼ 3 0.0000",
    ]
    assert (
        "note:    2 of 2 new documents in the top 3 are unjudged; the drop may be partly missing judgments"
        in result.err
    )


def test_documents_below_both_tops_are_summed_up(files: Path) -> None:
    text = asked(files, "-m", "AP", "--depth", "1", "qrels", "a.run", "b.run", name="table").out
    found = whole(files, "-m", "AP", "--depth", "1", "qrels", "a.run", "b.run")
    (measured,) = found["measures"]
    shown = sum(row["changes"]["AP"] for row in found["documents"])
    assert shown + measured["documents_below"] == pytest.approx(measured["change"])
    assert f"documents below both tops: AP −{-measured['documents_below']:.4f}" in text


def test_a_measure_that_is_no_sum_has_values_but_no_parts(files: Path) -> None:
    found = whole(files, "-m", "Bpref,AP", "qrels", "a.run", "b.run")
    assert [measured["measure"]["name"] for measured in found["measures"]] == ["Bpref", "AP"]
    for measured in found["measures"]:
        parts = [row["changes"][measured["measure"]["name"]] for row in found["documents"]]
        assert (measured["documents_below"] is None) == (None in parts)


def test_the_values_are_those_of_evaluate_under_every_option(files: Path) -> None:
    for options in (
        [],
        ["-J"],
        ["-l", "2"],
        ["--ties", "best"],
        ["--ties", "docid-asc"],
        ["--negative", "nonrelevant"],
    ):
        found = whole(files, *options, "-m", "AP,nDCG@3,P@2", "qrels", "a.run", "b.run")
        scores = json.loads(
            call(files, "evaluate", "-q", "-f", "json", *options, "-m", "AP,nDCG@3,P@2", "qrels", "a.run", "b.run").out
        )
        for measured in found["measures"]:
            name = measured["measure"]["name"]
            values = [run["per_query"]["q"][name] for run in scores["runs"]]
            assert [measured["first"], measured["second"]] == values
    assert call(files, "diff", "--ties", "average", "--query", "q", "qrels", "a.run", "b.run").code == 2


def test_without_qrels_documents_move_and_have_no_grades(files: Path) -> None:
    assert [tuple(row.values()) for row in rows(files, "--depth", "2", "a.run", "b.run")] == [
        ("q", "strange", "", "", "1", "new"),
        ("q", "good", "", "1", "2", "kept"),
        ("q", "bad", "", "2", "5", "left"),
    ]
    text = asked(files, "--depth", "2", "a.run", "b.run", name="table").out
    assert "grade" not in text
    assert "unjudged" not in text


def test_a_query_that_one_run_lacks_loses_all_its_documents(files: Path) -> None:
    found = rows(files, "-m", "RR", "qrels", "a.run", "b.run", "--query", "other")
    assert [(row["document"], row["place"], row["change of RR"]) for row in found] == [("x", "left", "-1.0000")]
    assert [row["place"] for row in rows(files, "a.run", "b.run", "--query", "other")] == ["left"]
    for arguments in (["qrels", "a.run", "b.run"], ["a.run", "b.run"]):
        assert call(files, "diff", "--query", "nosuch", *arguments).code == 2


def test_texts_of_query_and_documents_are_shown(files: Path) -> None:
    (files / "queries.tsv").write_text("q\twhat it asks\n", encoding="utf-8")
    (files / "docs.tsv").write_text("good\ta [b]good[/b] text\nbad\tanother\n", encoding="utf-8")
    texts = ["--query-text", "queries.tsv", "--doc-text", "docs.tsv", "qrels", "a.run", "b.run"]
    for name in ("table", "markdown"):
        assert "what it asks" in asked(files, *texts, name=name).out
    assert "a [b]good[/b] text" in asked(files, *texts, name="table").out
    assert {row["document"]: row["text"] for row in rows(files, *texts)}["bad"] == "another"
    assert whole(files, *texts)["query_text"] == "what it asks"
    assert call(files, "diff", *texts).code == 2
    assert call(files, "diff", "--query", "q", "--doc-text", "queries.tsv", "qrels", "a.run", "b.run").code == 2


def test_a_document_is_looked_up_in_the_whole_of_the_other_ranking(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="q 0 d0 1",
        a_run="\n".join(f"q Q0 d{place} 1 {500 - place} a" for place in range(500)),
        b_run="\n".join(f"q Q0 d{place} 1 {place} b" for place in range(500)),
    )
    found = rows(tmp_path, "--depth", "1", "qrels", "a.run", "b.run")
    assert [(row["document"], row["first_rank"], row["second_rank"]) for row in found] == [
        ("d499", "500", "1"),
        ("d0", "1", "500"),
    ]


def difference(folder: Path, qid: bytes, *measures: str, policy: Policy) -> DocumentDifference:
    """The difference of two files, by the function."""
    specs = [Asked(spec, spec.name) for text in measures for spec in parse_measures(text)]
    runs = [NamedRun(name, str(folder / name), name) for name in ("a.run", "b.run")]
    return diff_documents(str(folder / "qrels"), (runs[0], runs[1]), qid, specs, policy)


def test_the_function_has_the_numbers_of_the_evaluation(files: Path) -> None:
    found = difference(files, b"q", "ERR@3", policy=Policy())
    runs = [NamedRun(name, str(files / name), name) for name in ("a.run", "b.run")]
    specs = [Asked(spec, spec.name) for spec in parse_measures("ERR@3")]
    scores = evaluate(str(files / "qrels"), runs, specs)
    values = [float(run.columns[0].values[run.qids.index(b"q")]) for run in scores.runs]
    assert [found.measures[0].first, found.measures[0].second] == values
    assert found.found
    assert found.shared == 3
