"""Relevance and a second grade: how the files are joined, and the measures of both."""

from __future__ import annotations

import json
from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders import EXAMPLE_101, query_of, ranking_of
from calls import Call, call, put
from hypothesis import given
from hypothesis import strategies as st
from plain import few_hashes, judgments_in

from irevalcli.index.further_grades import further_grades
from irevalcli.measures.families import all_measures
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from pathlib import Path

Document = tuple[float | None, float | None]
"""Grade and further grade; None where a file does not list the document."""


def uses(document: Document, rel: float) -> float | None:
    """The further grade of a relevant document; None if it is not relevant, or not judged for the other thing."""
    grade, further = document
    if grade is None or grade < rel or further is None or further < 0:
        return None
    return further


def rbp_of(gains: list[float], p: float) -> float:
    return (1 - p) * sum(gain * p**place for place, gain in enumerate(gains))


def bpref_of(ranked: list[Document], missed: list[float], rel: float) -> float:
    judged = [grade for grade, _ in ranked if grade is not None and grade >= 0] + [
        grade for grade in missed if grade >= 0
    ]
    relevant = sum(grade >= rel for grade in judged)
    bound = min(relevant, len(judged) - relevant)
    total, above = 0.0, 0
    for document in ranked:
        grade = document[0]
        if grade is not None and 0 <= grade < rel:
            above += 1
        if grade is not None and grade >= rel:
            kept = 1 - min(above, relevant) / bound if above else 1.0
            total += kept * (uses(document, rel) or 0.0)
    return total / relevant if relevant else 0.0


grades = st.none() | st.sampled_from((-1.0, 0.0, 0.5, 1.0, 2.0, 3.0))
rankings = st.tuples(
    st.lists(st.tuples(grades, grades), max_size=12), st.lists(st.sampled_from((0.0, 1.0, 2.0)), min_size=1)
)


def value_of(measure: str, ranked: list[Document], missed: list[float]) -> float:
    """The measure of one query of which `missed` documents were not retrieved and have no further grade."""
    ranking = ranking_of([([grade for grade, _ in ranked], missed)])  # type: ignore[arg-type, list-item]
    further = [-1.0 if other is None else other for grade, other in ranked if grade is not None]
    ranking.judgments.further_grades["other"] = np.array(further + [-1.0] * len(missed))
    (spec,) = parse_measures(measure)
    (value,) = spec.compute(ranking)
    return float(value)


@given(rankings, st.sampled_from((0.5, 0.8)), st.sampled_from((1, 2)))
def test_the_measures_are_those_of_relevance_times_the_further_grade(
    query: tuple[list[Document], list[float]], p: float, rel: float
) -> None:
    ranked, missed = query
    gains = [uses(document, rel) for document in ranked]
    found = value_of(f"uRBP(p={p},rel={rel})", ranked, missed)
    assert found == pytest.approx(rbp_of([gain or 0.0 for gain in gains], p), abs=1e-12)
    found = value_of(f"uRBP(p={p},rel={rel})@3", ranked, missed)
    assert found == pytest.approx(rbp_of([gain or 0.0 for gain in gains[:3]], p), abs=1e-12)
    suited = [0.0 if gain is None else 100 * exp(-((gain - 1.5) ** 2) / (2 * 0.25)) for gain in gains]
    found = value_of(f"alpha_uRBP(p={p},rel={rel},goal=1.5,var=0.25)", ranked, missed)
    assert found == pytest.approx(rbp_of(suited, p), abs=1e-9)
    assert value_of(f"uBpref(rel={rel})", ranked, missed) == pytest.approx(bpref_of(ranked, missed, rel), abs=1e-12)


def test_with_further_grades_of_one_they_are_the_measures_of_relevance_alone() -> None:
    ranking = ranking_of([query_of(*EXAMPLE_101)])
    ranking.judgments.further_grades["other"] = np.ones(ranking.judgments.grade.size)
    for name, plain in (("uRBP", "RBP"), ("uRBP(rel=2)@5", "RBP(rel=2)@5"), ("uBpref", "Bpref")):
        both = [parse_measures(measure)[0].compute(ranking)[0] for measure in (name, plain)]
        assert both[0] == both[1]
    assert parse_measures("alpha_uRBP(goal=1)")[0].compute(ranking)[0] == pytest.approx(
        100 * parse_measures("RBP")[0].compute(ranking)[0], rel=1e-15
    )


# The example query: its grades by docid, and its ranking.
QRELS = "101 0 a 2\n101 0 b 0\n101 0 c 3\n101 0 e 1\n101 0 f 0\n101 0 g -1\n101 0 h 2\n101 0 x 1\n101 0 y 0\n101 0 z 1"
RUN = "\n".join(f"101 Q0 {docid} 1 {-place} t" for place, docid in enumerate("abcdefghij"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path, qrels=QRELS, run=RUN, clear="101 0 a 1\n101 0 c 0.5\n101 0 h -1\n101 0 q 3\n102 0 a 1")
    return tmp_path


def measured(folder: Path, measures: str, *options: str) -> Call:
    return call(folder, "evaluate", "-m", measures, *options, "qrels", "run")


def values(found: Call) -> dict[str, str]:
    return {measure: value for _, _, measure, value in found.rows}


def test_with_the_qrels_themselves_the_numbers_of_the_tool_come_out(folder: Path) -> None:
    found = measured(folder, "uRBP,uBpref,alpha-uRBP", "--qrels", "same=qrels", "--digits", "6")
    assert values(found) == {
        "uRBP(grades=same)": "0.949806",
        "uBpref(grades=same)": "0.888889",
        "alpha_uRBP(grades=same)": "36.926596",
    }


def test_files_are_joined_by_query_and_document_and_what_does_not_meet_is_noted(folder: Path) -> None:
    found = measured(folder, "uRBP,alpha_uRBP(goal=0,var=1)", "--qrels", "clear=clear", "--digits", "6")
    gains = {1: 1.0, 3: 0.5}
    expected = 0.2 * sum(gain * 0.8 ** (rank - 1) for rank, gain in gains.items())
    assert values(found)["uRBP(grades=clear)"] == f"{expected:.6f}"
    expected = 0.2 * sum(100 * exp(-gain * gain / 2) * 0.8 ** (rank - 1) for rank, gain in gains.items())
    assert values(found)["alpha_uRBP(grades=clear,goal=0)"] == f"{expected:.6f}"
    assert "note:    clear: 7 documents of qrels without a grade called clear; no gain in it" in found.err
    assert "note:    clear: 2 documents that qrels does not list; ignored" in found.err


def test_several_files_give_several_grades(folder: Path) -> None:
    both = ["--qrels", "same=qrels", "--qrels", "clear=clear"]
    found = measured(folder, "uRBP(grades=same)@1,uRBP(grades=clear)@1", *both)
    assert values(found) == {"uRBP(grades=same)@1": "0.4000", "uRBP(grades=clear)@1": "0.2000"}
    document = json.loads(measured(folder, "uRBP(grades=same)", *both, "-f", "json").out)
    assert document["options"]["grades"] == {"same": "qrels", "clear": "clear"}
    assert [(file["option"], file["name"]) for file in document["further_inputs"]] == [
        ("--qrels", "same"),
        ("--qrels", "clear"),
    ]
    assert document["further_inputs"][0]["sha256"] == document["qrels"]["sha256"]


def test_options_on_rankings_and_levels_act_as_elsewhere(folder: Path) -> None:
    itself = ["--qrels", "same=qrels"]
    assert values(measured(folder, "uRBP", "-l", "2", *itself)) == {
        "uRBP(rel=2,grades=same)": f"{0.2 * (2 + 3 * 0.8**2 + 2 * 0.8**7):.4f}"
    }
    assert values(measured(folder, "uRBP", "-M", "3", *itself)) == {
        "uRBP(grades=same)": f"{0.2 * (2 + 3 * 0.8**2):.4f}"
    }
    condensed = f"{0.2 * (2 + 3 * 0.8**2 + 0.8**3 + 2 * 0.8**5):.4f}"
    assert values(measured(folder, "uRBP", "-J", *itself)) == {"uRBP(grades=same)": condensed}
    found = measured(folder, "uRBP(judged_only=True)", *itself)
    assert values(found) == {"uRBP(grades=same,judged_only=True)": condensed}


def test_of_several_further_grades_for_a_document_the_highest_counts(folder: Path) -> None:
    put(folder, clear="101 s1 a 1\n101 s2 a 3")
    found = measured(folder, "uRBP@1", "--qrels", "clear=clear")
    assert values(found) == {"uRBP(grades=clear)@1": "0.6000"}
    assert "clear: 1 document judged for several sub-topics (column 2); the highest grade counts" in found.err


@pytest.mark.parametrize(
    ("measures", "options", "code", "said"),
    [
        ("uRBP", "", 2, "uRBP needs further grades of the documents\n  give them by --qrels NAME=FILE"),
        ("uBpref(grades=clear)", "", 2, "uBpref needs further grades of the documents"),
        ("uRBP(grades=cleer)", "--qrels clear=clear", 2, "uRBP: there are no grades called 'cleer', only clear"),
        ("uRBP", "--qrels clear=clear --qrels same=qrels", 2, "uRBP: which grades? (clear, same)"),
        ("uRBP(grades=1st)", "--qrels clear=clear", 2, "uRBP: grades must be a name of letters, digits"),
        ("uRBP", "--qrels clear", 2, "--qrels clear: not of the form NAME=FILE"),
        ("uRBP", "--qrels =clear", 2, "--qrels =clear: not of the form NAME=FILE"),
        ("uRBP", "--qrels clear=", 2, "--qrels clear=: not of the form NAME=FILE"),
        ("uRBP", "--qrels 1=clear", 2, "--qrels 1=clear: not of the form NAME=FILE"),
        ("uRBP", "--qrels a=clear --qrels a=qrels", 2, "--qrels: two files are called a: clear, qrels"),
        ("AP", "--qrels clear=clear", 2, "--qrels clear=…: no measure looks at further grades, as uRBP does"),
        ("uRBP", "--qrels clear=nowhere", 3, "nowhere: No such file or directory"),
        ("uRBP", "--qrels clear=run", 3, "6 fields, 4 expected"),
        ("uRBP", "--qrels clear=-", 3, "no judgments in the file"),
        ("uRBP", "--qrels clear=other", 3, "other: no query and document in common with qrels"),
        ("uRBP", "--qrels clear=clear --qrels-format prefs", 3, "4 fields, 5 expected"),
        ("alpha_uRBP(var=0)", "--qrels clear=clear", 2, "alpha_uRBP: var must be at least"),
        ("uRBP_IA", "--qrels clear=clear", 2, "unknown measure 'uRBP_IA'"),
    ],
)
def test_what_does_not_fit_is_refused(folder: Path, measures: str, options: str, code: int, said: str) -> None:
    put(folder, other="101 0 nothing 1")
    found = measured(folder, measures, *options.split())
    assert found.code == code
    assert said in found.err
    assert found.out == ""


def test_standard_input_is_read_once_only(folder: Path) -> None:
    found = call(folder, "evaluate", "-m", "uRBP", "--qrels", "clear=-", "qrels", "-")
    assert found.code == 2
    assert "standard input (-) can be read once only" in found.err
    piped = call(folder, "evaluate", "-m", "uRBP@1", "--qrels", "clear=-", "qrels", "run", stdin=b"101 0 a 1\n")
    assert values(piped) == {"uRBP(grades=clear)@1": "0.2000"}


@pytest.mark.parametrize("bits", [1, 3, 60])
def test_the_join_is_exact_even_if_hashes_collide(bits: int) -> None:
    rows: list[tuple[Any, ...]] = [(f"q{n % 5}", f"document-with-a-long-name-{n}", n) for n in range(60)]
    first = "".join(f"{qid} 0 {docid} 1\n" for qid, docid, n in rows if n % 3)
    second = "".join(f"{qid} 0 {docid} {n}\n" for qid, docid, n in reversed(rows) if n % 4)
    with few_hashes(bits):
        judgments = judgments_in(first.encode())
        joined = further_grades(judgments, judgments_in(second.encode()))
    docids = judgments.docids(np.arange(judgments.num_listed))
    numbers = [int(docid.rpartition(b"-")[2]) for docid in docids]
    assert joined.grade.tolist() == [n if n % 4 else -1 for n in numbers]
    assert (joined.lacking, joined.unknown) == (10, 15)


def test_no_measure_of_further_grades_is_there_without_saying_so_in_its_record() -> None:
    known = {record.name for record in all_measures().values() if record.parameter("grades")}
    assert known == {"uRBP", "alpha_uRBP", "uBpref"}
    assert {all_measures()[name].needs for name in known} == {"further_grades"}
