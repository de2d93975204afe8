"""``--standardise``: scores against what the reference runs have on the same query; and ``evaluate --describe``."""

from __future__ import annotations

import csv
import io
import json
from math import sqrt
from typing import TYPE_CHECKING, Any, get_args

import pytest
from calls import Call, call, put
from scipy.stats import norm

from irevalcli.cli import standard_options
from irevalcli.stats.standardise import Scale

if TYPE_CHECKING:
    from pathlib import Path

# Relevant documents among the first ten, by query. All runs have the same on q3, but for D.
RUNS = {"A": (5, 2, 8, 1), "B": (4, 3, 6, 1), "C": (6, 1, 9, 1), "D": (5, 2, 8, 4)}
# Of A, B and C: mean 0.5 and deviation 0.1 on q0, 0.2 and 0.1 on q1, 23/30 and sqrt(7/300) on q2, 0.1 and 0 on q3.
Z = {
    "A": (0.0, 0.0, (1 / 30) / sqrt(7 / 300), 0.0),
    "B": (-1.0, 1.0, (-5 / 30) / sqrt(7 / 300), 0.0),
    "C": (1.0, -1.0, (4 / 30) / sqrt(7 / 300), 0.0),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with qrels of four queries, ten documents each relevant, and the runs A to D."""
    put(tmp_path, qrels="".join(f"q{query} 0 d{place} 1\n" for query in range(4) for place in range(10)))
    for label, hits in RUNS.items():
        lines = [f"q{query} Q0 d{place} 1 {99 - place} t" for query, count in enumerate(hits) for place in range(count)]
        put(tmp_path, **{f"{label}_run": "\n".join(lines)})
    return tmp_path


def scored(folder: Path, *options: str, runs: str = "ABC", measures: str = "P@10", command: str = "evaluate") -> Call:
    return call(folder, command, "qrels", *(f"{label}.run" for label in runs), "-m", measures, *options)


def values(found: Call, measure: str) -> dict[str, tuple[float, ...]]:
    """The values of the queries by run."""
    table: dict[str, tuple[float, ...]] = {}
    for run, query, name, value in found.rows:
        if query != "all" and name == measure:
            table[run] = (*table.get(run, ()), float(value))
    return table


def whole(found: Call) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(found.out)
    return result


def test_z_is_the_distance_from_the_mean_in_sample_deviations(folder: Path) -> None:
    found = scored(folder, "--standardise", "z", "-q", "--digits", "full")
    assert values(found, "z(P@10)") == {run: pytest.approx(row, abs=1e-12) for run, row in Z.items()}


def test_cdf_is_the_normal_probability_of_z(folder: Path) -> None:
    found = scored(folder, "--standardise", "cdf", "-q", "--digits", "full")
    wanted = {run: pytest.approx([norm.cdf(z) for z in row], abs=1e-12) for run, row in Z.items()}
    assert values(found, "cdf(P@10)") == wanted


def test_ab_is_linear_in_z_and_never_leaves_0_to_1(folder: Path) -> None:
    found = scored(folder, "--standardise", "ab", "-q", "--digits", "full")
    wanted = {run: pytest.approx([0.15 * z + 0.5 for z in row], abs=1e-12) for run, row in Z.items()}
    assert values(found, "ab(P@10)") == wanted
    # A and B differ by one document on q1, C by far more than three and a third of their deviations.
    put(folder, C_run="\n".join(f"q1 Q0 d{place} 1 {99 - place} t" for place in range(10)))
    found = scored(folder, "--standardise", "ab", "-q", "--reference", "A", "--reference", "B", "--queries", "q1")
    assert values(found, "ab(P@10)")["C"] == (1.0,)


def test_the_mean_is_that_of_the_standardised_values(folder: Path) -> None:
    found = whole(scored(folder, "--standardise", "z", "-f", "json"))
    means = {run["label"]: run["aggregate"]["z(P@10)"] for run in found["runs"]}
    assert means == {run: pytest.approx(sum(row) / 4, abs=1e-12) for run, row in Z.items()}


def test_mean_and_deviation_can_come_from_some_of_the_runs(folder: Path) -> None:
    found = scored(
        folder, "--standardise", "z", "--reference", "A", "--reference", "B", "-q", "--digits", "6", "--queries", "q0"
    )
    assert values(found, "z(P@10)") == {"A": (0.707107,), "B": (-0.707107,), "C": (2.12132,)}


def test_a_query_on_which_only_references_agree_is_named_and_left_out_of_every_measure(folder: Path) -> None:
    found = scored(
        folder, "--standardise", "z", "--reference", "A", "--reference", "B", "-q", "-f", "json", runs="ABD",
        measures="P@10,Judged@10",
    )  # fmt: skip
    assert "z(P@10): on 1 query (q3) all reference runs have the same score and another run has not" in found.err
    for run in whole(found)["runs"]:
        assert run["coverage"]["left_out"] == ["q3"]
        assert run["coverage"]["scored"] == 3
        assert [*run["per_query"]] == ["q0", "q1", "q2"]
    assert "3 of 4 judged queries scored" in found.err


def test_nothing_is_left_out_where_no_run_differs(folder: Path) -> None:
    found = whole(scored(folder, "--standardise", "z", "-f", "json"))
    assert [run["coverage"]["scored"] for run in found["runs"]] == [4, 4, 4]
    assert "left_out" not in found["runs"][0]["coverage"]


def test_without_any_query_left_there_is_no_score(folder: Path) -> None:
    found = scored(folder, "--standardise", "z", "--reference", "A", "--reference", "B", "--queries", "q3", runs="ABD")
    assert (found.code, found.out) == (3, "")
    assert "no query is left" in found.err


def test_json_says_how_scores_were_standardised_and_what_they_mean(folder: Path) -> None:
    found = whole(scored(folder, "--standardise", "ab", "--reference", "A", "--reference", "C", "-f", "json"))
    assert found["options"]["standardise"] == "ab"
    assert found["options"]["references"] == {"A": "A.run", "C": "C.run"}
    (measure,) = found["measures"]
    assert (measure["name"], measure["canonical"], measure["trec_eval"]) == ("ab(P@10)", "ab(P@10)", None)
    assert (measure["range"], measure["higher_is_better"]) == ([0, 1], True)
    assert measure["parameters"] == {"measure": "P@10"}
    assert measure["definition"].startswith("0.15 (x − μ_q)/σ_q + 0.5, clipped to [0, 1]")


@pytest.mark.parametrize(("names", "wanted"), [("given", "z(P.10)"), ("trec", "z(P@10)"), ("canonical", "z(P@10)")])
def test_no_name_hides_that_a_score_is_standardised(folder: Path, names: str, wanted: str) -> None:
    found = scored(folder, "--standardise", "z", "--names", names, measures="P.10")
    assert {name for _, _, name, _ in found.rows} == {wanted}


def test_runs_can_be_sorted_by_standardised_scores(folder: Path) -> None:
    found = scored(folder, "--standardise", "z", "--sort", "value:z(P@10)")
    assert [run for run, *_ in found.rows] == ["C", "A", "B"]


def test_two_runs_alone_only_say_which_is_better(folder: Path) -> None:
    found = scored(folder, "--standardise", "z", "-q", runs="AB")
    assert set(values(found, "z(P@10)")["A"]) == {0.7071, -0.7071, 0.0}
    assert "a score only says which of them is better" in found.err
    assert "only says" not in scored(folder, "--standardise", "z").err


@pytest.mark.parametrize(
    ("options", "measures", "runs", "said"),
    [
        (["--standardise", "z"], "NumRet", "ABC", "NumRet has no mean of values by query"),
        (["--standardise", "z"], "GMAP", "ABC", "GMAP has no mean of values by query"),
        (["--standardise", "z"], "relstring", "ABC", "has no mean of values by query"),
        (["--standardise", "z"], "ZRisk", "ABC", "ZRisk has no mean of values by query"),
        (["--standardise", "z"], "P@10", "A", "two reference runs or more"),
        (["--standardise", "z", "--reference", "A"], "P@10", "ABC", "two reference runs or more"),
        (["--standardise", "z", "--reference", "X"], "P@10", "ABC", "--reference X: no run has this label"),
        (["--reference", "A"], "P@10", "ABC", "--reference names runs for --standardise"),
        (["--standardise", "q"], "P@10", "ABC", "none of z, cdf, ab"),
    ],
)
def test_what_cannot_be_standardised_is_refused(
    folder: Path, options: list[str], measures: str, runs: str, said: str
) -> None:
    found = scored(folder, *options, measures=measures, runs=runs)
    assert (found.code, found.out) == (2, "")
    assert said in found.err


def test_runs_without_the_same_queries_are_refused(folder: Path) -> None:
    put(folder, B_run="q0 Q0 d0 1 1 t")
    found = scored(folder, "--standardise", "z", "--missing", "skip")
    assert (found.code, found.out) == (2, "")
    assert "do not have the same queries" in found.err


def test_scales_of_the_command_line_are_those_of_the_statistics() -> None:
    assert get_args(Scale) == standard_options.SCALES


# Comparisons.


def test_runs_are_compared_by_standardised_scores(folder: Path) -> None:
    found = whole(scored(folder, "--standardise", "z", "-f", "json", command="compare"))
    (measure,) = found["measures"]
    assert measure["name"] == "z(P@10)"
    differences = {one["run"]: one["difference"] for one in measure["comparisons"]}
    assert differences == {run: pytest.approx(sum(Z[run]) / 4 - sum(Z["A"]) / 4, abs=1e-12) for run in "BC"}
    assert found["options"]["standardise"] == "z"


def test_shares_of_judged_documents_stay_what_they_are(folder: Path) -> None:
    plain = whole(scored(folder, "-f", "json", command="compare", measures="P@10,Judged@10"))
    found = whole(scored(folder, "--standardise", "z", "-f", "json", command="compare", measures="P@10,Judged@10"))
    for before, after in zip(plain["measures"], found["measures"], strict=True):
        assert before["judged"] is not None
        assert after["judged"] == before["judged"]


def test_a_comparison_says_in_its_first_line_that_scores_are_standardised(folder: Path) -> None:
    found = scored(folder, "--standardise", "cdf", "-f", "table", command="compare")
    assert "standardised (cdf) over 3 runs" in found.out.splitlines()[0]


def test_a_comparison_leaves_the_same_queries_out(folder: Path) -> None:
    found = scored(
        folder, "--standardise", "z", "--reference", "A", "--reference", "B", "-f", "json", runs="ABD",
        command="compare",
    )  # fmt: skip
    assert whole(found)["queries"] == ["q0", "q1", "q2"]
    assert "q3" in found.err


# Descriptions.


def test_a_description_has_mean_deviation_quartiles_and_interval(folder: Path) -> None:
    found = scored(folder, "--describe", "-f", "csv", "--digits", "6")
    row, *_ = csv.DictReader(io.StringIO(found.out))
    # A has 0.5, 0.2, 0.8 and 0.1: mean 0.4, squared distances 0.3; Student's quantile of 3 degrees is 3.182446.
    half = 3.182446305284263 * sqrt(0.1) / 2
    wanted = {
        "mean": 0.4, "deviation": sqrt(0.1), "minimum": 0.1, "q1": 0.175, "median": 0.35, "q3": 0.575,
        "maximum": 0.8, "low": 0.4 - half, "high": 0.4 + half,
    }  # fmt: skip
    assert row == {
        "run": "A", "measure": "P@10", "queries": "4", **{name: f"{value:.6f}" for name, value in wanted.items()},
    }  # fmt: skip


def test_every_form_of_a_description_has_the_same_numbers(folder: Path) -> None:
    rows = [line.split("\t") for line in scored(folder, "--describe", "-f", "tsv").out.splitlines()[1:]]
    table = scored(folder, "--describe", "-f", "table").out.splitlines()
    marked = scored(folder, "--describe", "-f", "markdown").out.splitlines()
    assert "95% CI of mean" in table[0]
    for row, line, other in zip(rows, table[1:], marked[2:], strict=True):
        wanted = [*row[:-2], f"{row[-2]} … {row[-1]}"]
        assert [part.strip() for part in line.split("   ") if part.strip()] == wanted
        assert other == f"| {' | '.join(wanted)} |"


def test_the_interval_of_a_description_can_be_chosen(folder: Path) -> None:
    assert "90% CI of mean" in scored(folder, "--describe", "--interval", "90", "-f", "table").out


def test_json_holds_the_description_among_its_intervals(folder: Path) -> None:
    found = whole(scored(folder, "--describe", "-f", "json"))
    spread = found["runs"][0]["intervals"]["P@10"]
    assert (spread["minimum"], spread["maximum"], spread["confidence"]) == (0.1, 0.8, 0.95)


def test_a_measure_without_a_mean_has_no_description(folder: Path) -> None:
    assert scored(folder, "--describe", "-f", "tsv", measures="NumRet", runs="A").out.splitlines()[1:] == [
        "A\tNumRet\t4" + "\t" * 9
    ]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-f", "trec"], "--describe has no form in trec"),
        (["-e", "x.jsonl"], "--describe has no form in jsonl"),
        (["-q"], "leave -q and --no-summary out"),
        (["--no-summary"], "leave -q and --no-summary out"),
    ],
)
def test_a_description_is_refused_where_it_has_no_form(folder: Path, options: list[str], said: str) -> None:
    found = scored(folder, "--describe", *options)
    assert (found.code, found.out) == (2, "")
    assert said in found.err
