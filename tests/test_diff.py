"""``irevalcli diff``: which queries changed, by values and by documents."""

from __future__ import annotations

import csv
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from calls import Call, call, put
from drop_in import command as drop_in

from irevalcli.analysis.diff import diff_runs
from irevalcli.analysis.diff_selection import View
from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.likeness import likeness, shown_by
from irevalcli.analysis.policy import Asked
from irevalcli.index.judgments import Judgments
from irevalcli.index.run_queries import queries_of
from irevalcli.index.scan import RunRules
from irevalcli.index.stream import read_run
from irevalcli.measures.spec import parse_measures
from irevalcli.output.difference import render_table
from irevalcli.output.registry import Layout
from irevalcli.reading.opening import Source
from irevalcli.reading.trec import TREC
from irevalcli.stats.rank_correlation import tau_ap
from irevalcli.stats.rbo import rbo, tied_lists

if TYPE_CHECKING:
    from pathlib import Path

# P@2 of a: q1 .5, q2 1, q3 0, q10 .5; of b: q1 1, q2 .5, q3 0, q10 .5.
QRELS = """
    q1 0 x 1
    q1 0 y 1
    q1 0 z 0
    q2 0 x 1
    q2 0 y 1
    q2 0 z 0
    q3 0 x 1
    q3 0 z 0
    q10 0 x 1
    q10 0 y 0
"""
A = """
    q1 Q0 x 1 9 a
    q1 Q0 z 2 8 a
    q1 Q0 y 3 7 a
    q10 Q0 x 1 9 a
    q10 Q0 y 2 8 a
    q2 Q0 x 1 9 a
    q2 Q0 y 2 8 a
    q3 Q0 z 1 9 a
"""
B = """
    q1 Q0 x 1 9 b
    q1 Q0 y 2 8 b
    q1 Q0 z 3 7 b
    q2 Q0 x 1 9 b
    q2 Q0 u 2 8 b
    q2 Q0 y 3 7 b
    q3 Q0 z 1 9 b
    q10 Q0 x 1 9 b
    q10 Q0 y 2 8 b
"""
THREE = ("qrels", "a.run", "b.run")
HEADER = "measure,query,first,second,change,verdict,overlap,of,rbo,tau_ap,unjudged_first,unjudged_second"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with ``qrels``, ``a.run`` and ``b.run``, the queries of which stand in different orders."""
    put(tmp_path, qrels=QRELS, a_run=A, b_run=B)
    return tmp_path


def rows(result: Call) -> list[dict[str, str]]:
    """The rows of a csv."""
    return list(csv.DictReader(result.out.splitlines()))


def diffed(folder: Path, *arguments: str) -> list[dict[str, str]]:
    """The rows of a difference."""
    result = call(folder, "diff", "-f", "csv", *arguments)
    assert result.code == 0, result.err
    return rows(result)


def whole(folder: Path, *arguments: str) -> Any:  # noqa: ANN401
    """A difference as JSON."""
    result = call(folder, "diff", "-f", "json", *arguments)
    assert result.code == 0, result.err
    return json.loads(result.out)


def table(folder: Path, *arguments: str, **env: str) -> str:
    """A difference as people read it."""
    result = call(folder, "diff", "--quiet", "-f", "table", *arguments, env=env)
    assert result.code == 0, result.err
    return result.out


def test_queries_are_paired_by_id_and_ordered_by_change_the_worst_first(files: Path) -> None:
    result = call(files, "diff", "-f", "csv", "--digits", "2", "--depth", "2", "-m", "P@2", "qrels", "a.run", "b.run")
    head, *lines = result.out.splitlines()
    assert head == HEADER
    assert [line.rpartition(",")[0].split(",")[1:8] for line in lines] == [
        ["q2", "1.00", "0.50", "-0.50", "worse", "1", "2"],
        ["q10", "0.50", "0.50", "0.00", "same", "2", "2"],
        ["q3", "0.00", "0.00", "0.00", "same", "1", "1"],
        ["q1", "0.50", "1.00", "0.50", "better", "1", "2"],
    ]
    assert [line.split(",")[-2:] for line in lines] == [["0", "1"], ["0", "0"], ["0", "0"], ["0", "0"]]


def test_the_values_and_means_are_those_of_evaluate(files: Path) -> None:
    measures = "AP,nDCG@10,P@2,RR,ERR@3,num_rel_ret"
    found = whole(files, "-m", measures, "qrels", "a.run", "b.run")
    scores = json.loads(call(files, "evaluate", "-q", "-f", "json", "-m", measures, "qrels", "a.run", "b.run").out)
    for side, run in zip(("first", "second"), scores["runs"], strict=True):
        for change in found["measures"]:
            name = change["measure"]["name"]
            assert change[side] == run["aggregate"][name]
            values = {row["query"]: row[side] for row in change["per_query"]}
            assert values == {qid: scored[name] for qid, scored in run["per_query"].items()}
    assert all(row["change"] == row["second"] - row["first"] for row in found["measures"][0]["per_query"])
    assert found["first"]["sha256"] == scores["runs"][0]["sha256"]


def test_a_change_within_the_tolerance_is_the_same(files: Path) -> None:
    def verdicts(tolerance: str) -> dict[str, str]:
        found = diffed(files, "-m", "P@2", "--tolerance", tolerance, "qrels", "a.run", "b.run")
        return {row["query"]: row["verdict"] for row in found}

    assert verdicts("0.49")["q1"] == "better"
    assert set(verdicts("0.5").values()) == {"same"}
    assert call(files, "diff", "--tolerance", "-1", "qrels", "a.run", "b.run").code == 2


def test_a_measure_of_which_less_is_better_is_turned_round_and_one_without_direction_has_no_better(files: Path) -> None:
    found = {(row["measure"], row["query"]): row for row in diffed(files, "-m", "RBPResid(p=0.5),num_ret", *THREE)}
    residual = found["RBPResid(p=0.5)", "q2"]
    # Two documents leave .5²; three, of which the second is unjudged, .5³ + .5 · .5.
    assert (residual["first"], residual["second"], residual["verdict"]) == ("0.2500", "0.3750", "worse")
    retrieved = found["NumRet", "q2"]
    assert (retrieved["first"], retrieved["second"], retrieved["change"], retrieved["verdict"]) == (
        "2",
        "3",
        "1",
        "higher",
    )
    assert "▐" not in table(files, "-m", "num_ret", *THREE)
    assert "lower ◂" in table(files, "-m", "num_ret", *THREE)
    # The worst is first, also where the highest number is the worst.
    assert diffed(files, "-m", "RBPResid(p=0.5)", *THREE)[0]["query"] == "q2"


def test_likeness_is_that_of_the_statistics(files: Path) -> None:
    first, second = ["x", "z", "y", "v"], ["y", "x", "w"]
    put(
        files,
        one_run="\n".join(f"q Q0 {docid} 1 {9 - place} t" for place, docid in enumerate(first)),
        two_run="\n".join(f"q Q0 {docid} 1 {9 - place} t" for place, docid in enumerate(second)),
    )
    (row,) = whole(files, "one.run", "two.run", "--depth", "2")["rankings"]
    expected = rbo(*tied_lists([[docid] for docid in first], [[docid] for docid in second]))
    # Both have x and y: the first ranks x above y, the second y above x.
    assert row == {"query": "q", "overlap": 1, "of": 2, "rbo": expected.ext, "tau_ap": -1.0, "same": False}
    (cut,) = whole(files, "one.run", "two.run", "--ranks", "1")["rankings"]
    assert (cut["rbo"], cut["tau_ap"]) == (0.0, None)


def test_likeness_of_random_rankings_is_that_of_whole_lists(tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    lists = [[random.permutation(30)[: random.integers(1, 30)].tolist() for _ in range(12)] for _ in range(2)]
    shown = []
    sources = []
    for name, run in zip("ab", lists, strict=True):
        lines = [
            f"{qid} Q0 document-{docid:020d} 0 {-place} t"
            for qid, ids in enumerate(run)
            for place, docid in enumerate(ids)
        ]
        random.shuffle(lines)
        (tmp_path / name).write_text("\n".join(lines), encoding="utf-8")
        sources.append(tmp_path / name)
    with Source(str(sources[0])) as source:
        qids = sorted(queries_of(source, TREC))
    judgments = Judgments.of_queries(qids)
    for path in sources:
        with Source(str(path)) as source:
            ranking, _ = read_run(source, judgments, RunRules(top=20))
        shown.append(shown_by(ranking, 5, judged_only=False))
    found = likeness(shown[0], shown[1], qids, 5, 20)
    for place, qid in enumerate(qids):
        one, other = (run[int(qid)] for run in lists)
        assert found.overlap[place] == len(set(one[:5]) & set(other[:5]))
        assert found.rbo[place] == pytest.approx(
            rbo(*tied_lists([[d] for d in one[:20]], [[d] for d in other[:20]])).ext
        )
        common = [docid for docid in other[:20] if docid in one[:20]]
        if len(common) < 2:
            assert math.isnan(found.tau_ap[place])
        else:
            truth = [-one.index(docid) for docid in common]
            assert found.tau_ap[place] == pytest.approx(tau_ap(truth, [-other.index(d) for d in common]).value)


def test_rankings_are_compared_without_qrels_the_least_alike_first(files: Path) -> None:
    found = diffed(files, "a.run", "b.run", "--digits", "full")
    assert list(found[0]) == ["query", "overlap", "of", "rbo", "tau_ap"]
    assert [row["query"] for row in found] == ["q2", "q1", "q10", "q3"]
    assert [float(row["rbo"]) for row in found] == sorted(float(row["rbo"]) for row in found)
    assert [row["query"] for row in diffed(files, "a.run", "b.run", "--only", "changed")] == ["q2", "q1"]
    assert [row["query"] for row in diffed(files, "a.run", "b.run", "--by", "overlap")] == ["q2", "q1", "q10", "q3"]
    assert diffed(files, "a.run", "b.run", "--by", "tau")[-1]["query"] == "q3"
    text = table(files, "a.run", "b.run")
    assert text.splitlines()[0] == "a → b   4 queries · 2 with the same first 100 documents"


def test_runs_can_come_through_pipes(files: Path) -> None:
    piped = call(files, "diff", "-f", "csv", "-", "b.run", stdin=(files / "a.run").read_bytes())
    assert rows(piped) == diffed(files, "a.run", "b.run")
    assert call(files, "diff", "-", "-", stdin=b"").code == 2


def test_what_only_qrels_can_answer_is_refused_without_them(files: Path) -> None:
    for option in (
        ["-m", "AP"],
        ["-l", "2"],
        ["-J"],
        ["--no-relevant", "skip"],
        ["--ties", "best"],
        ["--only", "worse"],
    ):
        result = call(files, "diff", *option, "a.run", "b.run")
        assert result.code == 2
        assert "qrels" in result.err


@pytest.mark.parametrize("kind", ["json", "trec"])
def test_outputs_of_evaluations_are_compared_like_the_runs(files: Path, kind: str) -> None:
    asked = ["-q", "-m", "P.2", "-m", "map"]
    for name in "ab":
        if kind == "trec":
            written = drop_in(["-q", "-m", "P.2", "-m", "map", "qrels", f"{name}.run"], cwd=files).stdout
        else:
            written = call(files, "evaluate", "-f", "json", *asked, "qrels", f"{name}.run").out.encode()
        (files / f"{name}.out").write_bytes(written)
    from_outputs = diffed(files, "-m", "P@2,AP", "a.out", "b.out")
    from_runs = diffed(files, "-m", "P@2,AP", "qrels", "a.run", "b.run")
    assert from_outputs == [{name: row[name] for name in from_outputs[0]} for row in from_runs]
    assert {row["measure"] for row in diffed(files, "a.out", "b.out")} == {"AP"}
    missing = call(files, "diff", "-m", "RR", "a.out", "b.out")
    assert missing.code == 2
    assert "it has" in missing.err
    for option in (["--query", "q1"], ["--depth", "3"]):
        assert "needs runs" in call(files, "diff", *option, "a.out", "b.out").err


def test_a_run_of_an_output_with_several_is_chosen_by_its_label(files: Path) -> None:
    both = call(files, "evaluate", "-q", "-f", "json", "-m", "AP", "qrels", "a.run", "b.run").out
    (files / "both.json").write_text(both, encoding="utf-8")
    assert diffed(files, "a=both.json", "b=both.json")[0]["query"] == "q2"
    result = call(files, "diff", "both.json", "a=both.json")
    assert result.code == 3
    assert "choose one by its label" in result.err


def test_a_query_without_a_number_is_left_out_of_the_measure_and_an_absent_one_counts_as_0(files: Path) -> None:
    for name in "ab":
        written = json.loads(call(files, "evaluate", "-q", "-f", "json", "-m", "AP,P@2", "qrels", f"{name}.run").out)
        (files / f"{name}.json").write_text(json.dumps(written), encoding="utf-8")
    scores = written["runs"][0]["per_query"]
    scores["q1"]["AP"] = None
    del scores["q2"]
    (files / "b.json").write_text(json.dumps(written), encoding="utf-8")
    found = {(row["measure"], row["query"]): row["second"] for row in diffed(files, "-m", "AP,P@2", "a.json", "b.json")}
    assert ("AP", "q1") not in found
    assert found["P@2", "q1"] == "1.0000"
    assert found["AP", "q2"] == found["P@2", "q2"] == "0.0000"


def test_the_next_call_is_suggested_and_runs(files: Path) -> None:
    result = call(files, "diff", "-f", "table", "-m", "P@2", "qrels", "a.run", "b.run")
    head, *words = result.err.splitlines()[-1].split()
    assert head == "see"
    assert words[1:] == ["irevalcli", "diff", "qrels", "a.run", "b.run", "-m", "P@2", "--query", "q2"]
    assert call(files, *words[2:]).code == 0
    assert "--query q2" in call(files, "diff", "-f", "table", "a.run", "b.run").err
    assert "see documents" not in call(files, "diff", "-f", "table", "a.run", "a.run").err


def test_outputs_that_cannot_be_compared_are_refused_or_doubted(files: Path) -> None:
    put(files, other_qrels=QRELS.replace("q3 0 x 1", "q3 0 x 2"))
    for name, arguments in (
        ("one.json", ["qrels", "a.run"]),
        ("two.json", ["other.qrels", "b.run", "--ties", "rank"]),
    ):
        written = call(files, "evaluate", "-q", "-f", "json", "-m", "AP", *arguments).out
        (files / name).write_text(written, encoding="utf-8")
    doubted = call(files, "diff", "one.json", "two.json")
    assert "different qrels" in doubted.err
    assert "different options: ties" in doubted.err
    (files / "mean.json").write_text(call(files, "evaluate", "-f", "json", "qrels", "a.run").out, encoding="utf-8")
    put(files, no_json='{"a": 1}', list_json='{"runs": [[]]}', mean_out="map                   \tall\t0.5000")
    for name in ("mean.json", "no.json", "list.json", "mean.out"):
        result = call(files, "diff", name, "one.json")
        assert result.code == 3, name
        assert name in result.err
    assert call(files, "diff", "one.json", "a.run").code == 2
    assert "only one run" in call(files, "diff", "qrels", "a.run").err
    assert "look swapped" in call(files, "diff", "a.run", "qrels", "b.run").err


def test_missing_queries_are_listed_and_count_as_the_option_says(files: Path) -> None:
    put(files, part_run="\n".join(line for line in B.splitlines() if "q2 " not in line))
    counted = {row["query"]: row for row in diffed(files, "-m", "P@2", "qrels", "a.run", "part.run")}
    assert (counted["q2"]["second"], counted["q2"]["overlap"], counted["q2"]["of"]) == ("0.0000", "0", "2")
    assert whole(files, "-m", "P@2", "qrels", "a.run", "part.run")["second"]["missing"] == ["q2"]
    for arguments in (["-m", "P@2", "qrels", "a.run", "part.run"], ["a.run", "part.run"]):
        skipped = whole(files, "--missing", "skip", *arguments)
        assert skipped["queries"] == 3
        assert skipped["second"]["missing"] == ["q2"]
        assert call(files, "diff", "--missing", "error", *arguments).code == 3
        assert "q2" in call(files, "diff", *arguments).err
    skipped = whole(files, "--missing", "skip", "-m", "P@2", "qrels", "a.run", "part.run")
    assert skipped["measures"][0]["first"] == pytest.approx(1 / 3)


def test_chosen_queries_alone_are_compared(files: Path) -> None:
    for arguments in (["qrels", "a.run", "b.run"], ["a.run", "b.run"]):
        assert {row["query"] for row in diffed(files, "--queries", "q1,q3", *arguments)} == {"q1", "q3"}
        assert call(files, "diff", "--queries", "q7", *arguments).code == 2
    put(files, c_run="q7 Q0 x 1 1 c")
    assert "no query in common" in call(files, "diff", "a.run", "c.run").err


def test_the_exit_status_says_whether_anything_differs_if_asked(files: Path) -> None:
    assert call(files, "diff", "qrels", "a.run", "b.run").code == 0
    for arguments in (["qrels", "a.run", "b.run"], ["a.run", "b.run"], ["qrels", "a.run", "b.run", "--query", "q1"]):
        assert call(files, "diff", "--exit-code", *arguments).code == 1, arguments
    for arguments in (
        ["qrels", "a.run", "a.run"],
        ["a.run", "a.run"],
        ["-m", "RR", "qrels", "a.run", "b.run"],
        ["-m", "P@2", "--tolerance", "0.5", "qrels", "a.run", "b.run"],
        ["qrels", "a.run", "b.run", "--query", "q3"],
        ["a.run", "b.run", "--query", "q3"],
    ):
        assert call(files, "diff", "--exit-code", *arguments).code == 0, arguments


def test_the_worst_and_the_best_are_shown_and_the_others_counted(files: Path) -> None:
    put(
        files,
        qrels="\n".join(f"{qid} 0 d{grade} {grade}" for qid in range(9) for grade in range(1, 10)),
        a_run="\n".join(f"{qid} Q0 d5 1 1 a" for qid in range(9)),
        b_run="\n".join(f"{qid} Q0 d{qid + 1} 1 1 b" for qid in range(9)),
    )
    arguments = ("-m", "nDCG@1", "qrels", "a.run", "b.run")
    lines = table(files, "--top", "2", *arguments).splitlines()
    assert [line.split("   ")[0].strip() for line in lines[3:]] == ["0", "1", "… 5 more", "7", "8"]
    assert [row["query"] for row in diffed(files, *arguments)] == [str(qid) for qid in range(9)]
    assert [row["query"] for row in diffed(files, "--top", "1", *arguments)] == ["0", "8"]
    assert [row["query"] for row in diffed(files, "--only", "worse", "--top", "1", *arguments)] == ["0"]
    assert [row["query"] for row in diffed(files, "--only", "better", *arguments)] == ["8", "7", "6", "5"]
    assert "4" not in {row["query"] for row in diffed(files, "--only", "changed", *arguments)}
    assert lines[0] == "nDCG@1  a 0.5556 → b 0.5556   Δ 0.0000   4 better · 1 same · 4 worse"


def test_bars_have_signs_lengths_and_colours_that_say_the_same(files: Path) -> None:
    text = table(files, "-m", "P@2", "qrels", "a.run", "b.run")
    assert "worse ◂─────────┼────────▸ better" in text
    bars = {line.split()[0]: line for line in text.splitlines()[3:]}
    assert "−0.5000" in bars["q2"]
    assert "█" * 16 + "│" in bars["q2"]
    assert "+0.5000" in bars["q1"]
    assert "│" + "█" * 16 in bars["q1"]
    assert "█" not in bars["q3"]
    coloured = table(files, "-m", "P@2", "--color", "always", "qrels", "a.run", "b.run")
    assert "\x1b[38;5;208m" + "█" * 16 in coloured
    assert "\x1b[38;5;33m" in coloured


def rendered(folder: Path, layout: Layout, view: View) -> str:
    """The table of a difference on a terminal."""
    runs = [NamedRun(f"a-name-{name}", str(folder / f"{name}.run"), name) for name in "ab"]
    asked = [Asked(spec, spec.name) for spec in parse_measures("P@2")]
    found = diff_runs(str(folder / "qrels"), (runs[0], runs[1]), asked)
    return b"".join(render_table(found, layout, view)).decode()


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120])
def test_a_narrow_terminal_gets_fewer_columns_but_whole_ids_and_numbers(files: Path, width: int) -> None:
    text = rendered(files, Layout(width=width), View())
    assert max(map(len, text.splitlines())) <= width
    for part in ("q10", "0.5000", "−0.5000", "+0.5000", "a-name-a", "a-name-b"):
        assert part in text
    assert ("worse ◂" in text) == (width >= 60)
    assert ("RBO" in text) == (width >= 80)
    by_rbo = rendered(files, Layout(width=width), View(by="rbo"))
    assert max(map(len, by_rbo.splitlines())) <= width
    assert "RBO" in by_rbo or width == 40


def test_a_terminal_without_unicode_gets_ascii(files: Path) -> None:
    text = rendered(files, Layout(unicode=False), View(top=1))
    assert text.isascii()
    assert "#" * 16 + "|" in text
    assert "... 2 more" in text
    assert "worse <" in text


def test_ids_are_shown_as_they_are_in_every_format(tmp_path: Path) -> None:
    odd = "[b]:x:|<i>*_&,\"q'`ü"
    (tmp_path / "qrels").write_text(f"{odd} 0 {odd}1 1\n{odd} 0 {odd}2 1\n", encoding="utf-8")
    (tmp_path / "a").write_text(f"{odd} Q0 {odd}1 1 1 [t]\n", encoding="utf-8")
    (tmp_path / "b").write_text(f"{odd} Q0 {odd}2 1 1 [t]\n", encoding="utf-8")
    for more in ([], ["--query", odd]):
        for name in ("tsv", "table"):
            assert odd in call(tmp_path, "diff", "-f", name, *more, "qrels", "a", "b").out
        assert odd in json.dumps(whole(tmp_path, *more, "qrels", "a", "b"), ensure_ascii=False).replace('\\"', '"')
        assert diffed(tmp_path, *more, "qrels", "a", "b")[0]["query"] == odd
        assert "\\[b\\]:x:\\|\\<i\\>" in call(tmp_path, "diff", "-f", "markdown", *more, "qrels", "a", "b").out


def test_exports_have_the_format_of_their_endings(files: Path) -> None:
    outputs = ["x.json", "x.md", "x.csv", "x.tsv", "x.txt"]
    options = [part for path in outputs for part in ("-e", path)]
    assert call(files, "diff", *options, "-m", "P@2", "qrels", "a.run", "b.run").code == 0
    for name, path in zip(("json", "markdown", "csv", "tsv", "table"), outputs, strict=True):
        expected = call(files, "diff", "-f", name, "-m", "P@2", "qrels", "a.run", "b.run").out
        assert (files / path).read_text(encoding="utf-8") == expected


def test_runs_of_one_name_are_told_apart_by_their_paths(files: Path) -> None:
    (files / "old").mkdir()
    put(files / "old", a_run=B.replace(" b", " a"))
    assert "P@2  old/a.run 0.5000 → a.run 0.5000" in table(files, "-m", "P@2", "qrels", "old/a.run", "a.run")


def test_measures_without_a_number_for_each_query_are_refused(files: Path) -> None:
    for name in ("relstring", "num_q"):
        assert call(files, "diff", "-m", name, "qrels", "a.run", "b.run").code == 2
