"""``irevalcli compare`` and ``power``: what is tested and how, and that every form says the same."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from calls import Call, call, put
from drop_in import ROOT
from scipy import stats

from irevalcli.analysis import contrasts
from irevalcli.cli import comparison_options
from irevalcli.output.comparison_text import Signs, letter, p_text
from irevalcli.stats.corrections import CORRECTIONS
from irevalcli.stats.interaction import interaction
from irevalcli.stats.results import DEFAULT_RESAMPLES, DEFAULT_SEED

if TYPE_CHECKING:
    from collections.abc import Sequence

QRELS = str(ROOT / "sample_qrels" / "sample.qrels")
RUNS = [str(ROOT / "sample_runs" / f"{name}.run") for name in ("bm25", "chargram", "ql", "tfidf")]
ROBUST = Path(__file__).parents[2] / "shared" / "real" / "robust03"
TESTS = ("t", "randomization", "bootstrap", "bootstrap-t", "wilcoxon", "sign", "tukey", "randomized-tukey", "anova")
FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex")

# Eight queries, one relevant document each: its rank in runs of a report on a misleading test.
GOOD = (1, 2, 1, 3, 1, 2, 1, 4)
BAD = (2, 3, 1, 4, 2, 3, 2, 5)
ALMOST = (1, 2, 1, 4, 1, 2, 2, 4)


def ranked(folder: Path, **runs: Sequence[int]) -> list[str]:
    """The names of a qrels file and of runs in which the relevant document has these ranks; 0 leaves the query out."""
    queries = len(next(iter(runs.values())))
    (folder / "qrels").write_text("".join(f"{qid} 0 a 1\n" for qid in range(1, queries + 1)), "utf-8")
    for name, ranks in runs.items():
        lines = [
            f"{qid} Q0 {'a' if place == rank else f'x{place}'} {place} {100 - place} {name}\n"
            for qid, rank in enumerate(ranks, 1)
            for place in range(1, rank + 1)
        ]
        (folder / name).write_text("".join(lines), "utf-8")
    return ["qrels", *runs]


def compared(folder: Path, *arguments: str) -> dict[str, Any]:
    """The JSON of a comparison, read strictly."""
    done = call(folder, "compare", *arguments, "--quiet", "-f", "json")
    assert done.code == 0, done.err

    def refused(constant: str) -> float:
        raise AssertionError(constant)

    found: dict[str, Any] = json.loads(done.out, parse_constant=refused)
    assert found["schema"] == 1
    return found


def only(found: dict[str, Any]) -> dict[str, Any]:
    """The single comparison of the first measure."""
    (result,) = found["measures"][0]["comparisons"]
    return dict(result)


def shown(folder: Path, *arguments: str, form: str = "table") -> str:
    """What a comparison prints."""
    done = call(folder, "compare", *arguments, "--quiet", "-f", form)
    assert done.code == 0, done.err
    return done.out


def refused(folder: Path, *arguments: str) -> Call:
    done = call(folder, "compare", *arguments)
    assert done.code == 2
    assert done.out == ""
    return done


# What is tested.


@pytest.mark.parametrize(
    ("test", "p"),
    [("t", 0.015170), ("randomization", 4 / 256), ("wilcoxon", 0.015625), ("sign", 0.015625), ("tukey", 0.015170)],
)
def test_each_test_is_named_and_gives_its_own_p_value(test: str, p: float, tmp_path: Path) -> None:
    found = compared(tmp_path, *ranked(tmp_path, bad=BAD, good=GOOD), "-m", "AP", "--test", test)
    assert only(found)["p"] == pytest.approx(p, abs=5e-7)
    assert only(found)["difference"] == pytest.approx(0.245833, abs=5e-7)
    assert only(found)["verdict"] == "better"
    assert {key: found["statistics"][key] for key in ("test", "alternative", "queries", "alpha")} == {
        "test": test,
        "alternative": "two-sided",
        "queries": 8,
        "alpha": 0.05,
    }


def test_few_queries_are_randomised_exactly_and_more_with_a_seed_that_is_printed(tmp_path: Path) -> None:
    exact = only(compared(tmp_path, *ranked(tmp_path, bad=BAD, good=GOOD), "-m", "AP", "--test", "randomization"))
    assert (exact["p"], exact["method"], exact["resamples"], exact["seed"]) == (0.015625, "exact", 256, None)
    arguments = [*ranked(tmp_path, bad=BAD * 4, good=GOOD[::-1] * 4), "-m", "AP", "--test", "randomization"]
    first, again, other = (only(compared(tmp_path, *arguments, "--seed", seed)) for seed in ("7", "7", "8"))
    assert first == again
    assert first["p"] != other["p"]
    assert first["p"] == pytest.approx(other["p"], abs=0.03)
    assert "10000 resamples, seed 7, two-sided" in shown(tmp_path, *arguments, "--seed", "7")


def test_the_family_holds_the_comparisons_with_the_baseline_and_nothing_else(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, a=GOOD, b=BAD, c=ALMOST), "-m", "AP"]
    for correction, expected in (
        ("none", [0.01517, 0.277133]),
        ("bonferroni", [0.03034, 0.554266]),
        ("holm", [0.03034, 0.277133]),
        ("bh", [0.03034, 0.277133]),
    ):
        found = compared(tmp_path, *arguments, "--correction", correction)
        got = [one["p_corrected"] for one in found["measures"][0]["comparisons"]]
        assert got == pytest.approx(expected, abs=2e-6)
        assert found["statistics"]["family"]["tests"] == 2
        assert found["statistics"]["correction"] == correction


def test_identical_runs_are_identical_in_every_test_and_spoil_no_other_p_value(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, a=GOOD, b=BAD, same=GOOD), "-m", "AP"]
    for test in TESTS:
        better, same = compared(tmp_path, *arguments, "--test", test)["measures"][0]["comparisons"]
        assert (same["verdict"], same["identical"], same["p"], same["difference"]) == ("identical", True, 1.0, 0.0)
        assert better["p"] < 0.05
    text = shown(tmp_path, *arguments)
    assert "identical on all 8 queries" in text
    assert "same is identical to a on all 8 queries" in text


def test_one_query_and_constant_differences_have_no_p_value_and_no_certainty(tmp_path: Path) -> None:
    for ranks in ((1,), (1, 1, 1)):
        one = only(compared(tmp_path, *ranked(tmp_path, a=[2] * len(ranks), b=ranks), "-m", "AP"))
        assert (one["p"], one["p_corrected"], one["verdict"]) == (None, None, "untested")
        assert one["caveats"]


def test_a_run_is_better_where_lower_values_are(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, bad=BAD, good=GOOD), "-m", "RBP(bound=width)@5"]
    one = only(compared(tmp_path, *arguments))
    assert one["difference"] < 0
    assert one["win"] > one["loss"]
    assert one["verdict"] == "better"


@pytest.mark.parametrize("test", TESTS)
def test_every_test_and_format_copes_with_hardly_any_queries_and_with_no_spread(test: str, tmp_path: Path) -> None:
    (tmp_path / "classes").write_text("1 x\n2 y\n3 x\n", "utf-8")
    for runs in ({"a": (1,), "b": (2,)}, {"a": (1, 1, 1), "b": (2, 2, 2)}, {"a": (1, 2), "b": (2, 2), "c": (1, 2)}):
        arguments = [*ranked(tmp_path, **runs), "-m", "AP,num_ret", "--test", test, "--resamples", "99"]
        for more in (["--all-pairs", "-v"], ["--margin", "0", "--group-by", "classes"], ["--alpha", "0.9"]):
            texts = [shown(tmp_path, *arguments, *more, form=form) for form in FORMATS if form != "json"]
            assert not any(re.search(r"\b(nan|inf)\b", text) for text in texts)
            assert compared(tmp_path, *arguments, *more)["statistics"]["test"] == test


# Which queries.


def test_queries_are_paired_by_id_whatever_their_order_in_the_files(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, a=GOOD * 2, b=BAD * 2), "-m", "AP"]
    before = compared(tmp_path, *arguments)
    for name in ("qrels", "a"):
        lines = (tmp_path / name).read_text("utf-8").splitlines(keepends=True)
        (tmp_path / name).write_text("".join(reversed(lines)), "utf-8")
    assert compared(tmp_path, *arguments)["measures"] == before["measures"]
    assert before["queries"] == sorted(map(str, range(1, 17)))


def test_a_run_that_skips_the_hard_query_is_compared_on_the_same_queries_and_that_is_said(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, skips=(1, 1, 0), tries=(1, 1, 2)), "-m", "AP"]
    found = compared(tmp_path, *arguments)
    assert found["measures"][0]["means"] == pytest.approx({"skips": 2 / 3, "tries": 5 / 6})
    assert "skips lacks 1 query (3); it counts as 0" in shown(tmp_path, *arguments)
    left = compared(tmp_path, *arguments, "--missing", "skip")
    assert left["queries"] == ["1", "2"]
    assert left["statistics"]["queries_left_out"] == 1
    assert "1 query that not all runs have is left out" in shown(tmp_path, *arguments, "--missing", "skip")


# Against scipy.


def test_the_paired_t_test_is_scipys_on_the_samples(tmp_path: Path) -> None:
    measures = ["AP", "nDCG@10", "RR"]
    found = compared(tmp_path, QRELS, *RUNS, "-m", ",".join(measures), "--all-pairs", "--correction", "bh")
    done = call(tmp_path, "evaluate", QRELS, *RUNS, "-m", ",".join(measures), "-q", "-f", "json", "--quiet")
    runs = {run["label"]: run["per_query"] for run in json.loads(done.out)["runs"]}
    got, wanted = [], []
    for measure, results in zip(measures, found["measures"], strict=True):
        for one in results["comparisons"]:
            a, b = ([values[measure] for values in runs[one[key]].values()] for key in ("run", "baseline"))
            expected = stats.ttest_rel(a, b)
            assert one["p"] == pytest.approx(expected.pvalue, rel=1e-12)
            assert one["interval"] == pytest.approx(list(expected.confidence_interval()), rel=1e-9)
            got.append(one["p_corrected"])
            wanted.append(one["p"])
    assert got == pytest.approx(stats.false_discovery_control(wanted).tolist())
    assert found["statistics"]["family"]["tests"] == 18


def test_the_interaction_is_scipys_one_way_analysis_of_the_differences() -> None:
    row, classes = [0.1, 0.2, 0.15, -0.1, -0.3, 0.0, 0.4], ["a", "a", "a", "b", "b", "c", "c"]
    expected = stats.f_oneway([0.1, 0.2, 0.15], [-0.1, -0.3], [0.0, 0.4])
    found = interaction(row, classes)
    assert (found.f, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert interaction(row, ["a"] * 7).p is None
    assert interaction([0.1, 0.1, 0.3, 0.3], ["a", "a", "b", "b"]).p is None
    with pytest.raises(ValueError, match="7 differences and 1 classes"):
        interaction(row, ["a"])


# Forms.


def test_every_format_has_the_same_means(tmp_path: Path) -> None:
    arguments = [QRELS, *RUNS, "-m", "AP", "--digits", "6"]
    means = compared(tmp_path, *arguments)["measures"][0]["means"]
    for form in FORMATS:
        text = shown(tmp_path, *arguments, form=form)
        assert all(f"{value:.6f}" in text or repr(value) in text for value in means.values())
    rows = list(csv.DictReader(io.StringIO(shown(tmp_path, *arguments, form="csv"))))
    assert rows == list(csv.DictReader(io.StringIO(shown(tmp_path, *arguments, form="tsv")), delimiter="\t"))
    assert [row["verdict"] for row in rows if row["baseline"]] == ["not-shown", "not-shown", "worse"]


def test_more_than_26_runs_have_letters_of_two(tmp_path: Path) -> None:
    places = (0, 25, 26, 27, 51, 52, 701, 702)
    assert [letter(place) for place in places] == ["a", "z", "aa", "ab", "az", "ba", "zz", "aaa"]
    runs = {f"run{number:02}": [2 + (number + query) % 3 for query in range(12)] for number in range(29)}
    arguments = [*ranked(tmp_path, **runs, top=[1] * 11 + [2]), "-m", "RR", "--all-pairs", "--correction", "none"]
    text = shown(tmp_path, *arguments)
    assert re.search(r"^ad\s+top\s+0\.9583 a,b,c,.*,y,z,aa,ab,ac$", text, re.MULTILINE)
    assert r"\mathrm{a,b,c," in shown(tmp_path, *arguments, form="latex")


def test_the_latex_table_is_well_formed_and_escapes_labels(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, bad=BAD, good=GOOD), "-m", "AP,nDCG@10", "--all-pairs"]
    text = shown(tmp_path, "qrels", "50%_a&b#=bad", "good", *arguments[3:], form="latex")
    assert r"50\%\_a\&b\#" in text
    assert text.count(r"\begin{") == text.count(r"\end{") == 2
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1]
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {3}
    assert r"\textbf{0.6979}$^{\mathrm{a}}$" in text
    assert r"0.4521$^{\mathrm{\hphantom{a}}}$" in text


def test_a_terminal_without_unicode_gets_ascii() -> None:
    signs = Signs.of(unicode=False)
    assert all(sign.isascii() for sign in (*signs.verdicts.values(), signs.minus, signs.dots, signs.note(12)))
    assert signs.plain("Δ −1 … α · g₁").isascii()


def test_a_p_value_is_never_rounded_across_alpha() -> None:
    signs = Signs.of(unicode=True)
    assert [p_text(p, 0.05, signs) for p in (0.05004, 0.05, 0.0496, 0.0004, 1.0, None)] == [
        "0.05004", "0.050", "0.050", "<0.001", "1.000", "–",
    ]  # fmt: skip


def test_exports_are_told_by_their_endings(tmp_path: Path) -> None:
    names = ("a.txt", "a.tsv", "a.csv", "a.json", "a.md", "a.tex")
    exports = [word for name in names for word in ("-e", name)]
    assert call(tmp_path, "compare", QRELS, *RUNS[:2], "-m", "AP", *exports).code == 0
    assert all((tmp_path / name).stat().st_size > 100 for name in names)
    assert json.loads((tmp_path / "a.json").read_text("utf-8"))["runs"][0]["sha256"]


def test_rows_in_a_pipe_are_explained_on_standard_error(tmp_path: Path) -> None:
    done = call(tmp_path, "compare", QRELS, *RUNS[:2], "-m", "AP")
    assert done.out.startswith("measure\trun\tbaseline\t")
    assert "19 queries · baseline bm25 · paired t-test, two-sided, Holm over 1 test · α 0.05" in done.err


def test_all_pairs_lists_what_was_not_shown_and_with_verbose_every_p_value(tmp_path: Path) -> None:
    arguments = [QRELS, *RUNS, "-m", "AP", "--all-pairs"]
    short, long = shown(tmp_path, *arguments), shown(tmp_path, *arguments, "-v")
    assert "not shown" in short
    assert "a–b" in short
    assert "p, AP" not in short
    triangle = long[long.index("p, AP") :].splitlines()[1:4]
    assert [len(line.split()) for line in triangle] == [3, 4, 5]


def test_the_names_on_the_command_line_are_those_that_the_analysis_knows() -> None:
    assert comparison_options.TESTS == contrasts.TESTS == TESTS
    assert set(comparison_options.CORRECTIONS) == set(CORRECTIONS)
    assert comparison_options.RESAMPLES == DEFAULT_RESAMPLES
    assert comparison_options.SEED == DEFAULT_SEED


# Beyond tests.


def test_unjudged_documents_that_differ_are_a_caveat_at_the_cutoff_of_the_measure(tmp_path: Path) -> None:
    found = compared(tmp_path, QRELS, *RUNS, "-m", "P@5,AP")
    at_5, at_10 = found["measures"]
    assert (at_5["judged"]["cutoff"], at_10["judged"]["cutoff"]) == (5, 10)
    assert at_10["judged"]["shares"]["chargram"] == pytest.approx(0.7474, abs=5e-5)
    assert at_10["caveats"][0]["code"] == "unjudged-differ"
    same = compared(tmp_path, QRELS, RUNS[0], RUNS[3], "-m", "AP")
    assert same["measures"][0]["caveats"] == []


def test_what_was_not_shown_is_not_called_equal(tmp_path: Path) -> None:
    text = shown(tmp_path, QRELS, *RUNS[:2], "-m", "nDCG@10", "--correction", "none", "--alpha", "0.001")
    assert '"not shown" is not "equal": with 19 queries' in text
    assert "No difference from bm25 is shown on nDCG@10 for chargram." in text


def test_a_margin_is_met_or_not_or_undecided(tmp_path: Path) -> None:
    arguments = [*ranked(tmp_path, a=GOOD * 4, b=BAD * 4, c=ALMOST * 4), "-m", "AP", "--margin"]
    decided = {}
    for margin in ("0.01", "0.1", "0.13", "0.9"):
        contrasts = compared(tmp_path, *arguments, margin)["measures"][0]["comparisons"]
        decided[margin] = [one["margin"]["decision"] for one in contrasts]
    assert decided == {
        "0.01": ["inferior", "inferior"],
        "0.1": ["inferior", "undecided"],
        "0.13": ["inferior", "equivalent"],
        "0.9": ["equivalent", "equivalent"],
    }
    assert "queries decide)" in shown(tmp_path, *arguments, "0.1")


def test_classes_of_queries_are_compared_each_and_with_each_other(tmp_path: Path) -> None:
    (tmp_path / "classes").write_text("1\teasy one\n2 hard\n3\teasy one\n4 hard\n5\teasy one\n\n6 hard\n", "utf-8")
    arguments = [*ranked(tmp_path, a=GOOD, b=BAD), "-m", "AP", "--group-by", "classes"]
    one = only(compared(tmp_path, *arguments))
    assert [(part["class"], part["queries"]) for part in one["classes"]] == [("easy one", 3), ("hard", 3)]
    easy, hard = (-0.5, 0, -0.5), (1 / 3 - 1 / 2, 1 / 4 - 1 / 3, 1 / 3 - 1 / 2)
    assert [part["difference"] for part in one["classes"]] == pytest.approx([np.mean(easy), np.mean(hard)])
    assert one["interaction"]["p"] == pytest.approx(stats.f_oneway(easy, hard).pvalue)
    text = shown(tmp_path, *arguments)
    assert "AP by class" in text
    assert "2 queries have no class" in text
    for line, said in (("7", "no class"), ("1 hard", "query 1 has two classes: easy one, hard")):
        with (tmp_path / "classes").open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        wrong = call(tmp_path, "compare", *arguments)
        assert wrong.code == 3
        assert said in wrong.err
        (tmp_path / "classes").write_text("1\teasy one\n", "utf-8")


def test_several_baselines_are_compared_with_each_other_once(tmp_path: Path) -> None:
    arguments = [QRELS, *RUNS, "-m", "AP", "--baseline", "ql", "--baseline", "bm25"]
    pairs = [(one["run"], one["baseline"]) for one in compared(tmp_path, *arguments)["measures"][0]["comparisons"]]
    assert pairs == [("bm25", "ql"), ("chargram", "ql"), ("tfidf", "ql"), ("chargram", "bm25"), ("tfidf", "bm25")]
    assert "Δ vs ql" in shown(tmp_path, *arguments)


def test_what_cannot_be_compared_is_refused(tmp_path: Path) -> None:
    assert "one run only" in refused(tmp_path, QRELS, RUNS[0]).err
    assert "did you mean bm25?" in refused(tmp_path, QRELS, *RUNS, "--baseline", "bm52").err
    assert "leave --baseline out" in refused(tmp_path, QRELS, *RUNS, "--all-pairs", "--baseline", "ql").err
    assert "GMAP has no number for every query" in refused(tmp_path, QRELS, *RUNS, "-m", "GMAP").err
    assert "did you mean tukey?" in refused(tmp_path, QRELS, *RUNS, "--test", "tuky").err


# Power.


def test_power_says_how_many_queries_a_difference_needs_and_what_so_many_show(tmp_path: Path) -> None:
    arguments = ["power", QRELS, RUNS[0], RUNS[2], "-m", "AP", "--quiet", "-f", "json"]
    needed = json.loads(call(tmp_path, *arguments, "--effect", "0.05").out)["measures"][0]
    queries = needed["for_queries"]
    assert needed["attained"] >= 0.8
    back = json.loads(call(tmp_path, *arguments, "--queries", str(queries)).out)["measures"][0]
    fewer = json.loads(call(tmp_path, *arguments, "--queries", str(queries - 1)).out)["measures"][0]
    assert back["for_difference"] <= 0.05 < fewer["for_difference"]
    text = call(tmp_path, *arguments[:-1], "table", "--effect", "0.05").out
    assert f"a true difference of 0.05 needs {queries} queries" in text
    assert call(tmp_path, *arguments[:-1], "tsv").out.splitlines()[1].split("\t")[7] == "19"


def test_power_says_which_queries_a_run_lacks_without_naming_options_that_it_has_not(tmp_path: Path) -> None:
    put(tmp_path, a_run="q01 Q0 tyre-01 1 2 a")
    done = call(tmp_path, "power", QRELS, "a.run", RUNS[0], "-m", "AP")
    assert done.code == 0
    assert "18 of 19 judged queries are missing from the run" in done.err
    assert "--missing" not in done.err


@pytest.mark.parametrize(
    ("command", "words"),
    [("power", "[required]"), ("correlate", "[default: AP nDCG@10]"), ("compare", "[default: AP nDCG@10 P@10]")],
)
def test_the_help_names_the_measures_that_are_used_without_any(command: str, words: str, tmp_path: Path) -> None:
    text = " ".join(call(tmp_path, command, "--help").out.split())
    assert f"Measure, or a list of them; repeatable. {words}" in text


def test_power_refuses_what_it_cannot_plan(tmp_path: Path) -> None:
    assert call(tmp_path, "power", QRELS, RUNS[0], f"b={RUNS[0]}", "-m", "AP").code == 3
    assert call(tmp_path, "power", QRELS, *RUNS[:2]).code == 2
    for wrong in (["--effect", "1", "--queries", "9"], ["--alpha", "0.9"], ["--effect", "0"]):
        assert call(tmp_path, "power", QRELS, *RUNS[:2], "-m", "AP", *wrong).code == 2


# Intervals of single runs.


def test_evaluate_shows_the_interval_of_a_mean_on_request(tmp_path: Path) -> None:
    arguments = ["evaluate", QRELS, *RUNS[:2], "-m", "AP,num_ret", "--quiet"]
    found = json.loads(call(tmp_path, *arguments, "--interval", "95", "-q", "-f", "json").out)["runs"][0]
    values = [scores["AP"] for scores in found["per_query"].values()]
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    spread = found["intervals"]["AP"]
    assert (spread["low"], spread["high"]) == pytest.approx((low, high))
    assert spread["quartiles"] == pytest.approx(np.quantile(values, [0.25, 0.5, 0.75]).tolist())
    assert found["intervals"]["NumRet"] is None
    assert f"0.5754 ± {high - np.mean(values):.4f}" in call(tmp_path, *arguments, "--interval", "95", "-f", "table").out
    rows = call(tmp_path, *arguments, "--interval", "95", "-q").out.splitlines()
    assert rows[0] == "run\tquery\tmeasure\tvalue\tlow\thigh"
    assert {line.count("\t") for line in rows} == {5}
    assert f"bm25\tall\tAP\t0.5754\t{low:.4f}\t{high:.4f}" in rows
    assert "low" not in call(tmp_path, *arguments, "-f", "json").out


if ROBUST.is_dir():

    def test_eleven_real_runs_are_compared_in_all_pairs_within_five_seconds(tmp_path: Path) -> None:
        runs = sorted(map(str, ROBUST.glob("input.*")))
        started = time.monotonic()
        qrels = str(ROBUST / "robust03_qrels.txt")
        found = compared(tmp_path, qrels, *runs, "-m", "AP,nDCG@10,P@10,RR,R@1000", "--all-pairs")
        assert time.monotonic() - started < 5
        assert found["statistics"]["family"]["tests"] == 275

else:

    @pytest.mark.skip(reason=f"there is no folder {ROBUST}")
    def test_eleven_real_runs_are_compared_in_all_pairs_within_five_seconds() -> None:
        raise FileNotFoundError(ROBUST)
