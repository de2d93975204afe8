"""Comparisons by risk: what they come to, which runs and measures they take, and where they are shown."""

from __future__ import annotations

import json
from math import isnan, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from calls import Call, call, put
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import norm, ttest_rel

from irevalcli.measures.families import all_measures
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from pathlib import Path

Table = list[list[float]]

# Relevant documents among ten, by query: values of P@10 whose risks are known.
RUNS = {"A": (5, 2, 8, 1), "B": (4, 3, 6, 3), "C": (6, 1, 9, 0)}
KNOWN = {
    "URisk": {"A": None, "B": -0.075, "C": -0.05},
    "TRisk": {"A": None, "B": -0.544705, "C": -0.577350},
    "ZRisk": {"A": -0.144505, "B": 0.016506, "C": -0.883812},
    "GeoRisk": {"A": 0.440723, "B": 0.447949, "C": 0.406234},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with qrels of four queries, ten documents each relevant, and the runs A, B and C."""
    qrels = "".join(f"q{query} 0 d{place} 1\n" for query in range(4) for place in range(10))
    put(tmp_path, qrels=qrels)
    for label, hits in RUNS.items():
        lines = [f"q{query} Q0 d{place} 1 1 t" for query, count in enumerate(hits) for place in range(count)]
        put(tmp_path, **{f"{label}_run": "\n".join([*lines, "q3 Q0 none 1 0 t"])})
    return tmp_path


def compared(folder: Path, measures: str, *options: str, runs: str = "A B C") -> Call:
    return call(folder, "evaluate", "-m", measures, *options, "qrels", *(f"{label}.run" for label in runs.split()))


@pytest.mark.parametrize("name", KNOWN)
def test_the_numbers_of_the_definitions_come_out_of_files(folder: Path, name: str) -> None:
    baseline = ["--baseline", "A"] if name in {"URisk", "TRisk"} else []
    found = compared(folder, f"{name}(measure=P@10)", "--digits", "6", *baseline).rows
    known = {label: f"{value:.6f}" for label, value in KNOWN[name].items() if value is not None}
    assert {run: value for run, _, _, value in found} == known
    assert {(query, measure) for _, query, measure, _ in found} == {("all", f"{name}(measure=P@10)")}


def function(name: str, table: Table, alpha: float) -> list[float]:
    return list(all_measures()[name].compute(np.array(table), alpha=alpha))


tables = st.integers(1, 6).flatmap(
    lambda queries: st.lists(
        st.lists(
            st.sampled_from((0.0, 0.1, 0.25, 1 / 3, 0.5, 1.0)) | st.floats(0, 1), min_size=queries, max_size=queries
        ),
        min_size=2,
        max_size=4,
    )
)
alphas = st.sampled_from((0.0, 1.0, 5.0))


@given(tables, alphas)
def test_risk_against_a_baseline_is_the_mean_of_weighted_differences(table: Table, alpha: float) -> None:
    baseline, *others = table
    weighted = [
        [d if d > 0 else (1 + alpha) * d for d in (x - y for x, y in zip(run, baseline, strict=True))] for run in others
    ]
    found = function("URisk", table, alpha)
    assert isnan(found[0])
    assert found[1:] == pytest.approx([sum(terms) / len(terms) for terms in weighted], abs=1e-15)
    for terms, value in zip(weighted, function("TRisk", table, alpha)[1:], strict=True):
        if len(terms) < 2 or len(set(terms)) == 1:
            assert isnan(value)
        else:
            error = np.std(terms, ddof=1) / sqrt(len(terms))
            assume(error > 1e-9)
            assert value == pytest.approx(np.mean(terms) / error, rel=1e-6, abs=1e-9)


@given(tables)
def test_without_extra_weight_on_losses_it_is_the_paired_t_statistic(table: Table) -> None:
    assume(len(table[0]) > 1 and np.std(np.subtract(table[1], table[0])) > 1e-6)
    assert function("TRisk", table, 0.0)[1] == pytest.approx(
        ttest_rel(table[1], table[0]).statistic, rel=1e-6, abs=1e-9
    )


@given(tables, alphas)
def test_risk_among_runs_weighs_deviations_from_what_totals_let_expect(table: Table, alpha: float) -> None:
    total = sum(map(sum, table))
    queries = len(table[0])
    expected = []
    for run in table:
        risk = 0.0
        for query, value in enumerate(run):
            share = sum(run) * sum(other[query] for other in table) / total if total else 0.0
            deviation = (value - share) / sqrt(share) if share else 0.0
            risk += deviation if deviation >= 0 else (1 + alpha) * deviation
        expected.append(risk)
    found = function("ZRisk", table, alpha)
    assert found == pytest.approx(expected, abs=1e-6)
    both = [sqrt(sum(run) / queries * norm.cdf(risk / queries)) for run, risk in zip(table, found, strict=True)]
    assert function("GeoRisk", table, alpha) == pytest.approx(both, abs=1e-9)


def test_runs_with_the_same_values_are_without_risk_among_each_other() -> None:
    assert function("ZRisk", [[0.5, 0.0, 1.0]] * 3, 1.0) == pytest.approx([0, 0, 0], abs=1e-15)
    assert function("GeoRisk", [[0.0, 0.0]] * 2, 1.0) == [0.0, 0.0]


def test_the_baseline_has_no_value_of_its_own(folder: Path) -> None:
    measures = "P@10,URisk(measure=P@10)"
    table = compared(folder, measures, "--baseline", "B", "-f", "table", "--quiet")
    assert [line.split() for line in table.out.splitlines()] == [
        ["run", "P@10", "URisk(measure=P@10)"],
        ["A", "0.4000", "-0.0750"],
        ["B", "0.4000", "–"],
        ["C", "0.4000", "-0.1250"],
    ]
    text = compared(folder, measures, "--baseline", "B", "-f", "json", "-q").out
    document = json.loads(text)
    values = {run["label"]: run["aggregate"]["URisk(measure=P@10)"] for run in document["runs"]}
    assert values == {"A": pytest.approx(-0.075), "B": None, "C": pytest.approx(-0.125)}
    assert document["options"]["baseline"] == "B"
    assert document["measures"][1]["parameters"] == {"measure": "P@10", "alpha": 1}
    assert document["runs"][0]["per_query"]["q0"] == {"P@10": 0.5}


def test_where_the_baseline_stands_on_the_command_line_does_not_matter(folder: Path) -> None:
    measures = "URisk(measure=P@10),TRisk(measure=P@10)"
    orders = ["A B C", "C B A", "B A C"]
    first, *others = [sorted(compared(folder, measures, "--baseline", "A", runs=runs).rows) for runs in orders]
    assert len(first) == 4
    assert others == [first, first]


def test_by_query_there_is_no_value_and_the_measure_compared_is_shown_only_if_asked_for(folder: Path) -> None:
    found = compared(folder, "ZRisk(measure=P@10)", "-q", runs="A B")
    assert {(query, measure) for _, query, measure, _ in found.rows} == {("all", "ZRisk(measure=P@10)")}
    found = compared(folder, "precision@10,ZRisk(measure=P@10)", "-q", "--names", "given", runs="A B")
    assert {measure for _, query, measure, _ in found.rows if query == "q0"} == {"precision@10"}


def test_runs_can_be_sorted_by_risk_those_without_a_value_last(folder: Path) -> None:
    found = compared(folder, "URisk(measure=P@10)", "--baseline", "A", "--sort", "value", "-f", "table", "--quiet")
    assert [line.split()[0] for line in found.out.splitlines()] == ["run", "C", "B", "A"]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("URisk", "URisk"),
        ("urisk(measure=map)", "URisk"),
        ("URisk(measure=ndcg_cut_10)", "URisk(measure=nDCG@10)"),
        ("ZRisk(alpha=5, measure='nDCG(dcg=exp-log2)@20')", "ZRisk(measure=nDCG(gain=exp)@20,alpha=5)"),
        ("GeoRisk(measure=P(rel=2)@5,alpha=1)", "GeoRisk(measure=P(rel=2)@5)"),
        ("URisk(measure=P(bound=low)@5)", "URisk(measure=P(bound=low)@5)"),
    ],
)
def test_the_measure_that_is_compared_is_written_in_any_spelling(written: str, name: str) -> None:
    (spec,) = parse_measures(written)
    assert spec.name == name
    assert parse_measures(name) == [spec]


def test_the_level_acts_on_the_measure_that_is_compared(folder: Path) -> None:
    found = compared(folder, "ZRisk,ZRisk(measure=P@10),ZRisk(measure=nDCG@10)", "-l", "2", runs="A B")
    names = {measure for _, _, measure, _ in found.rows}
    assert names == {"ZRisk(measure=AP(rel=2))", "ZRisk(measure=P(rel=2)@10)", "ZRisk(measure=nDCG@10)"}


def test_a_highest_grade_that_the_qrels_decide_is_part_of_the_name(folder: Path) -> None:
    found = compared(folder, "ZRisk(measure=RBP(gain=scaled))", runs="A B")
    assert {measure for _, _, measure, _ in found.rows} == {"ZRisk(measure=RBP(gain=scaled,max_rel=1))"}


@pytest.mark.parametrize(
    ("measures", "options", "runs", "said"),
    [
        ("URisk", "", "A B", "URisk needs a baseline"),
        ("TRisk(alpha=5)", "", "A B", "TRisk(alpha=5) needs a baseline"),
        ("URisk", "--baseline a", "A B", "--baseline a: no run has this label"),
        ("URisk", "--baseline A", "A", "URisk compares runs, of which there is one only"),
        ("GeoRisk", "", "A", "GeoRisk compares runs, of which there is one only"),
        ("AP", "--baseline A", "A B", "--baseline: no measure compares with a baseline"),
        ("ZRisk", "--baseline A", "A B", "--baseline: no measure compares with a baseline"),
        ("URisk(measure=GMAP)", "", "A B", "URisk needs a measure with values by query, which GMAP has not"),
        ("URisk(measure=relstring)", "", "A B", "URisk needs a measure with values by query, which relstring has not"),
        ("URisk(measure=URisk)", "", "A B", "URisk needs a measure with values by query, which URisk has not"),
        ("URisk(measure=RBPResid)", "", "A B", "URisk needs a measure with values of which higher ones are better"),
        ("URisk(measure=P(bound=width)@5)", "", "A B", "URisk needs a measure with values of which higher ones are"),
        ("ZRisk(measure=yaap)", "", "A B", "ZRisk needs a measure that is never negative, which yaap may be"),
        ("URisk(measure=P)", "", "A B", "P needs a cutoff, such as P@10"),
        ("URisk(measure=P.5,10)", "", "A B", "URisk: parameters are written as name=value, not '10'"),
        ("URisk(measure='P.5,10')", "", "A B", "URisk: 'P.5,10' stands for 2 measures; one is compared at a time"),
        ("URisk(measure=ndgc@10)", "", "A B", "unknown measure 'ndgc@10'"),
        ("URisk(alpha=-1)", "", "A B", "URisk: alpha must be at least 0, not -1"),
        ("URisk(measure=prefs_simp)", "--baseline A", "A B", "prefs_simp needs judgments of the format prefs"),
        ("URisk(measure=uRBP)", "--baseline A", "A B", "uRBP needs further grades of the documents"),
        ("ZRisk(measure=Rndcg)", "--ties average", "A B", "--ties average: no closed form is known for Rndcg"),
    ],
)
def test_what_cannot_be_compared_is_refused(folder: Path, measures: str, options: str, runs: str, said: str) -> None:
    found = compared(folder, measures, *options.split(), runs=runs)
    assert found.code in {2, 3}
    assert said in found.err
    assert found.out == ""


def test_runs_must_have_been_scored_on_the_same_queries(folder: Path) -> None:
    put(folder, D_run="q0 Q0 d0 1 1 t")
    found = compared(folder, "ZRisk(measure=P@10)", "--missing", "skip", runs="A D")
    assert found.code == 2
    assert "ZRisk(measure=P@10) compares runs by query, and the runs do not have the same queries" in found.err
    assert compared(folder, "ZRisk(measure=P@10)", runs="A D").code == 0


def test_a_run_that_differs_from_the_baseline_by_the_same_everywhere_has_no_t_statistic(folder: Path) -> None:
    put(folder, D_run=(folder / "A.run").read_bytes())
    found = compared(folder, "TRisk(measure=P@10),URisk(measure=P@10)", "--baseline", "A", runs="A D")
    assert found.rows == [("D", "all", "URisk(measure=P@10)", "0.0000")]
    assert "note:    D: TRisk(measure=P@10) has no value, for lack of variation between queries" in found.err
