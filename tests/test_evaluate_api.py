"""Evaluation of files: what each option does to the numbers, on queries that can be worked out by hand."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, Any

import pytest

from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.analysis.scores import Column, Scores

# q1 has two relevant documents, ranked 2nd and 5th; q2 two, ranked first; q3 none; q4 is missing from the run.
QRELS = """
q4 0 a 1
q1 0 a 2
q1 0 b 0
q1 0 c 1
q1 0 d -1
q2 0 a 1
q2 0 b 1
q3 0 a 0
q3 0 b -1
"""
RUN = """
q9 Q0 z 1 1 t
q3 Q0 a 1 1 t
q2 Q0 b 1 3 t
q2 Q0 a 2 2 t
q1 Q0 x 1 9 t
q1 Q0 a 2 8 t
q1 Q0 d 3 7 t
q1 Q0 b 4 6 t
q1 Q0 c 5 5 t
"""
AP_1 = (1 / 2 + 2 / 5) / 2
AP_2 = 1.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    return tmp_path


def scores_of(folder: Path, measures: str, **policy: Any) -> Scores:  # noqa: ANN401
    asked = [Asked(spec, spec.name) for spec in parse_measures(measures, level=policy.get("level"))]
    path = str(folder / "run")
    (scores,) = evaluate(str(folder / "qrels"), [NamedRun("run", path, path)], asked, Policy(**policy)).runs
    return scores


def column_of(folder: Path, measure: str, **policy: Any) -> Column:  # noqa: ANN401
    (column,) = scores_of(folder, measure, **policy).columns
    return column


@pytest.mark.parametrize(
    ("policy", "qids", "values"),
    [
        ({}, [b"q1", b"q2", b"q3", b"q4"], [AP_1, AP_2, 0, 0]),
        ({"missing": "skip"}, [b"q1", b"q2", b"q3"], [AP_1, AP_2, 0]),
        ({"no_relevant": "skip"}, [b"q1", b"q2", b"q4"], [AP_1, AP_2, 0]),
        ({"missing": "skip", "no_relevant": "skip"}, [b"q1", b"q2"], [AP_1, AP_2]),
        ({"queries": (b"q2", b"q1")}, [b"q1", b"q2"], [AP_1, AP_2]),
        ({"queries": (b"q1",), "missing": "error"}, [b"q1"], [AP_1]),
        ({"level": 2}, [b"q1", b"q2", b"q3", b"q4"], [1 / 2, 0, 0, 0]),
        ({"level": 2, "no_relevant": "skip"}, [b"q1"], [1 / 2]),
        ({"depth": 2}, [b"q1", b"q2", b"q3", b"q4"], [1 / 2 / 2, AP_2, 0, 0]),
        ({"judged_only": True}, [b"q1", b"q2", b"q3", b"q4"], [(1 + 2 / 3) / 2, AP_2, 0, 0]),
        ({"judged_only": True, "depth": 2}, [b"q1", b"q2", b"q3", b"q4"], [1 / 2, AP_2, 0, 0]),
        ({"judged_only": True, "negative": "nonrelevant"}, [b"q1", b"q2", b"q3", b"q4"], [(1 + 2 / 4) / 2, AP_2, 0, 0]),
        ({"negative": "nonrelevant"}, [b"q1", b"q2", b"q3", b"q4"], [AP_1, AP_2, 0, 0]),
    ],
)
def test_options_decide_which_queries_count_and_what_is_ranked(
    folder: Path, policy: dict[str, Any], qids: list[bytes], values: list[float]
) -> None:
    scores = scores_of(folder, "AP", **policy)
    assert list(scores.qids) == qids
    assert list(scores.columns[0].values) == pytest.approx(values)
    assert scores.columns[0].aggregate == pytest.approx(sum(values) / len(values))


def test_negative_grades_are_unjudged_or_not_relevant(folder: Path) -> None:
    assert list(column_of(folder, "Judged@5").values) == [3 / 5, 1, 1, 0]
    assert list(column_of(folder, "Judged@5", negative="nonrelevant").values) == [4 / 5, 1, 1, 0]
    assert list(column_of(folder, "nDCG", negative="nonrelevant").values) == list(column_of(folder, "nDCG").values)


@pytest.mark.parametrize(
    ("measure", "values", "aggregate"),
    [
        ("NumQ", [1, 1, 1, 1], 4),
        ("NumRet", [5, 2, 1, 0], 8),
        ("NumRel", [2, 2, 0, 1], 5),
        ("P@5", [2 / 5, 2 / 5, 0, 0], 1 / 5),
        ("GMAP", [log(AP_1), log(AP_2), log(1e-5), log(1e-5)], exp((log(AP_1) + 2 * log(1e-5)) / 4)),
        ("relstring", ["-2.01", "11", "0", ""], None),
    ],
)
def test_values_become_one_number_as_the_record_says(
    folder: Path, measure: str, values: list[float] | list[str], aggregate: float | None
) -> None:
    column = column_of(folder, measure)
    assert list(column.values) == (values if aggregate is None else pytest.approx(values))
    assert column.aggregate == (None if aggregate is None else pytest.approx(aggregate))


def test_the_coverage_says_which_queries_met(folder: Path) -> None:
    for policy in ({}, {"missing": "skip", "no_relevant": "skip"}):
        coverage = scores_of(folder, "AP", **policy).coverage
        assert coverage == (4, (b"q4",), 1, 1)
    assert scores_of(folder, "AP", queries=(b"q1", b"q4")).coverage == (2, (b"q4",), 1, 0)


def test_the_collection_size_reaches_the_measure_that_needs_it(folder: Path) -> None:
    assert column_of(folder, "Utility(d=1)", collection_size=100).values[0] == 2 - 3 + (100 + 2 - 5 - 2)
    assert column_of(folder, "AP", collection_size=100).values[0] == pytest.approx(AP_1)


def test_a_document_that_is_the_query_itself_can_be_left_out(folder: Path) -> None:
    with (folder / "run").open("a") as run:
        run.write("q2 Q0 q2 1 99 t\n")
    assert column_of(folder, "AP").values[1] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert column_of(folder, "AP", exclude_self=True).values[1] == AP_2


def test_missing_queries_can_be_an_error(folder: Path) -> None:
    with pytest.raises(InputProblem, match=r"1 of 4 judged queries are missing \(q4\)"):
        scores_of(folder, "AP", missing="error")


def test_options_that_leave_no_query_are_an_error(folder: Path) -> None:
    with pytest.raises(InputProblem, match="no query is left to evaluate"):
        scores_of(folder, "AP", missing="skip", queries=(b"q4",))


def test_asking_for_queries_that_the_qrels_lack_is_an_error(folder: Path) -> None:
    with pytest.raises(UsageProblem, match="q7"):
        scores_of(folder, "AP", queries=(b"q1", b"q7"))


def test_measures_get_the_judgments_that_they_need_or_are_refused(folder: Path) -> None:
    with pytest.raises(UsageProblem, match="prefs_simp needs judgments of the format prefs, not qrels"):
        scores_of(folder, "prefs_simp")
    with pytest.raises(UsageProblem, match="AP_avgjg needs judgments of the format qrels_jg, not qrels"):
        scores_of(folder, "AP_avgjg")
    by_group = scores_of(folder, "AP_avgjg,AP", qrels_format="qrels_jg")
    assert list(by_group.columns[0].values) == list(by_group.columns[1].values)


def test_several_runs_are_scored_against_the_same_judgments(folder: Path) -> None:
    (folder / "other").write_text("q4 Q0 a 1 1 t\n")
    runs = [NamedRun(name, str(folder / name), name) for name in ("run", "other")]
    (spec,) = parse_measures("AP")
    first, second = evaluate(str(folder / "qrels"), runs, [Asked(spec, "map")]).runs
    assert (first.label, second.label) == ("run", "other")
    assert first.columns[0].aggregate == pytest.approx((AP_1 + AP_2) / 4)
    assert list(second.columns[0].values) == [0, 0, 0, 1]
    assert second.columns[0].given == "map"
