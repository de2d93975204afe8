"""Agreement of rankings: of documents and of runs, against plain loops; pool bias; the outputs and options."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations
from pathlib import Path

import pytest
from calls import call, put

from irevalcli.analysis.agreement import STATISTICS
from irevalcli.cli.correlate import DEFAULT_STATISTICS
from irevalcli.cli.correlate import STATISTICS as STATISTIC_NAMES

SAMPLES = Path(__file__).resolve().parents[1]
QRELS = str(SAMPLES / "sample_qrels" / "sample.qrels")
NAMES = ("bm25", "chargram", "ql", "tfidf")
RUNS = [str(SAMPLES / "sample_runs" / f"{name}.run") for name in NAMES]


def values(folder: Path, *arguments: str) -> dict[tuple[str, str, str, str], float | None]:
    """The values of a tsv by both names, query and statistic."""
    done = call(folder, "correlate", *arguments, "--digits", "full")
    assert done.code == 0, done.err
    head, *lines = done.out.splitlines()
    assert head == "first\tsecond\tquery\tstatistic\tvalue"
    found: dict[tuple[str, str, str, str], float | None] = {}
    for line in lines:
        first, second, query, statistic, value = line.split("\t")
        found[first, second, query, statistic] = float(value) if value else None
    return found


def scores_of(path: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in Path(path).read_text("utf-8").splitlines():
        qid, _, docid, _, score, _ = line.split()
        found.setdefault(qid, {})[docid] = float(score)
    return found


def tau_b(first: list[float], second: list[float]) -> float | None:
    """Kendall's τ_b by a loop over pairs."""
    balance = pairs_first = pairs_second = 0
    for one, other in combinations(range(len(first)), 2):
        x, y = first[one] - first[other], second[one] - second[other]
        balance += ((x > 0) - (x < 0)) * ((y > 0) - (y < 0))
        pairs_first += x != 0
        pairs_second += y != 0
    size = math.sqrt(pairs_first * pairs_second)
    return balance / size if size else None


def rbo_ext(first: list[str], second: list[str], p: float) -> float:
    """Extrapolated RBO of two rankings of the same length, without ties, by its definition."""
    depth = len(first)
    shared = [len(set(first[:d]) & set(second[:d])) for d in range(1, depth + 1)]
    return shared[-1] / depth * p**depth + (1 - p) / p * sum(x / d * p**d for d, x in enumerate(shared, 1))


def test_the_documents_of_two_runs_by_query_and_on_average(tmp_path: Path) -> None:
    found = values(tmp_path, RUNS[0], RUNS[2], "-q", "-s", "tau_b")
    first, second = scores_of(RUNS[0]), scores_of(RUNS[2])
    by_query = []
    for query in sorted(set(first) & set(second)):
        common = sorted(set(first[query]) & set(second[query]))
        wanted = tau_b([first[query][d] for d in common], [second[query][d] for d in common])
        assert found["bm25", "ql", query, "tau_b"] == pytest.approx(wanted, abs=1e-12)
        by_query.append(wanted)
    defined = [value for value in by_query if value is not None]
    assert found["bm25", "ql", "all", "tau_b"] == pytest.approx(sum(defined) / len(defined), abs=1e-12)
    assert len(found) == len(by_query) + 1


def test_rbo_sees_documents_that_only_one_run_has(tmp_path: Path) -> None:
    first, second = "abcdefg", "zcavwxy"
    for name, documents in (("a", first), ("b", second)):
        lines = "\n".join(f"q Q0 {d} 0 {-rank} t" for rank, d in enumerate(documents))
        put(tmp_path, **{f"{name}_run": lines})
    for p, ext, low in (("0.9", 0.288217, 0.221686), ("0.8", 0.266045, 0.244719)):
        found = values(tmp_path, "a.run", "b.run", "-s", "rbo", "-s", "rbo_min", "-s", "rbo_res", "--p", p)
        assert found["a", "b", "all", "rbo"] == pytest.approx(ext, abs=5e-7)
        assert found["a", "b", "all", "rbo"] == pytest.approx(rbo_ext(list(first), list(second), float(p)))
        assert found["a", "b", "all", "rbo_min"] == pytest.approx(low, abs=5e-7)


def test_ties_in_rbo_are_treated_as_asked_for(tmp_path: Path) -> None:
    put(tmp_path, a_run="q Q0 x 1 5 t\nq Q0 y 2 5 t", b_run="q Q0 y 1 5 t\nq Q0 x 2 4 t")
    seen = {
        ties: values(tmp_path, "a.run", "b.run", "-s", "rbo", "--rbo-ties", ties)["a", "b", "all", "rbo"]
        for ties in ("none", "a", "b", "w")
    }
    assert seen["none"] == 1.0
    assert seen["a"] is not None
    assert 0.9 < seen["a"] < 1.0
    assert len(set(seen.values())) >= 3
    rule = ["-s", "rbo", "--rbo-ties", "none", "--ties", "docid-asc"]
    assert values(tmp_path, "a.run", "b.run", *rule)["a", "b", "all", "rbo"] == pytest.approx(0.9)


def test_a_run_agrees_with_itself_in_every_statistic(tmp_path: Path) -> None:
    found = values(tmp_path, f"one={RUNS[1]}", f"two={RUNS[1]}", "-s", "all", "--rbo-ties", "b")
    certain = {name: value for (*_, name), value in found.items() if name not in {"rbo_min", "rbo_res"}}
    ties_cost = {"tau", "tau_ap"}
    assert {name for name, value in certain.items() if value == pytest.approx(1.0)} >= set(certain) - ties_cost


def test_depth_and_queries_cut_what_is_compared(tmp_path: Path) -> None:
    found = values(
        tmp_path, RUNS[0], RUNS[1], "-q", "-s", "rbo", "-M", "5", "--queries", "q03,q07", "--rbo-ties", "none"
    )
    assert [key[2] for key in found] == ["q03", "q07", "all"]
    lists = []
    for path in RUNS[:2]:
        scores = scores_of(path)["q07"]
        lists.append(sorted(scores, key=lambda d: (scores[d], d), reverse=True)[:5])
    assert found["bm25", "chargram", "q07", "rbo"] == pytest.approx(rbo_ext(lists[0], lists[1], 0.9))


def test_infinite_scores_have_an_order_but_no_product_moment(tmp_path: Path) -> None:
    put(tmp_path, a_run="q Q0 x 1 inf t\nq Q0 y 2 1 t\nq Q0 z 3 0 t", b_run="q Q0 x 1 3 t\nq Q0 z 2 2 t\nq Q0 y 3 1 t")
    found = values(tmp_path, "a.run", "b.run")
    assert found["a", "b", "all", "tau"] == pytest.approx(1 / 3)
    assert found["a", "b", "all", "pearson"] is None


def test_what_is_not_defined_is_left_out_of_the_mean_and_said(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_run="q1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\nq2 Q0 x 1 1 t\nq2 Q0 y 1 1 t",
        b_run="q1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\nq2 Q0 x 1 2 t\nq2 Q0 y 1 1 t",
    )
    done = call(tmp_path, "correlate", "a.run", "b.run", "-s", "tau_b", "-s", "tau")
    assert done.out.splitlines()[1:] == ["a\tb\tall\ttau_b\t1.0000", "a\tb\tall\ttau\t0.5000"]
    assert "a, b: tau_b is not defined in 1 of 2 queries; the mean leaves these out" in done.err
    put(tmp_path, b_run="q7 Q0 x 1 2 t")
    done = call(tmp_path, "correlate", "a.run", "b.run")
    assert (done.code, done.err.splitlines()[-1]) == (3, "error: a and b have no query in common")


def test_with_qrels_only_their_queries_count(tmp_path: Path) -> None:
    put(tmp_path, qrels="q03 0 x 1\nq99 0 x 1")
    found = values(tmp_path, "qrels", RUNS[0], RUNS[1], "--of", "documents", "-q", "-s", "tau")
    assert [key[2] for key in found] == ["q03", "all"]


def means(folder: Path, measure: str, qrels: str = QRELS) -> list[float]:
    rows = call(folder, "evaluate", qrels, *RUNS, "-m", measure, "--digits", "full").rows
    return [float(value) for _, _, _, value in rows]


def test_measures_rank_runs_and_every_two_of_them_are_compared(tmp_path: Path) -> None:
    found = values(tmp_path, QRELS, *RUNS, "-m", "AP", "-m", "RR", "-m", "nDCG@10", "-s", "tau_b", "-s", "pearson")
    assert {key[:2] for key in found} == {("AP", "RR"), ("AP", "nDCG@10"), ("RR", "nDCG@10")}
    for (first, second, _, statistic), value in found.items():
        if statistic == "tau_b":
            assert value == pytest.approx(tau_b(means(tmp_path, first), means(tmp_path, second)))


def test_a_measure_of_which_less_is_better_ranks_runs_the_other_way(tmp_path: Path) -> None:
    found = values(tmp_path, QRELS, *RUNS, "-m", "RBPResid", "-m", "AP", "-s", "tau_b")
    (value,) = found.values()
    wanted = tau_b([-mean for mean in means(tmp_path, "RBPResid")], means(tmp_path, "AP"))
    assert value == pytest.approx(wanted)
    assert value != 0


def test_two_qrels_rank_runs_by_one_measure(tmp_path: Path) -> None:
    dice = random.Random(3)
    lines = [line for line in Path(QRELS).read_text("utf-8").splitlines() if dice.random() < 0.5]
    put(tmp_path, half_qrels="\n".join(lines))
    found = values(tmp_path, QRELS, *RUNS, "-m", "AP", "--qrels2", "half.qrels", "-s", "tau_b")
    ((first, second, _, _),) = found
    assert (first, second) == (f"AP ({QRELS})", "AP (half.qrels)")
    assert list(found.values()) == [
        pytest.approx(tau_b(means(tmp_path, "AP"), means(tmp_path, "AP", "half.qrels"))),
    ]


def test_leaving_a_run_out_of_the_pool_takes_the_documents_that_only_it_brought(tmp_path: Path) -> None:
    depth = 4
    done = call(
        tmp_path,
        "correlate",
        QRELS,
        *RUNS,
        "-m",
        "AP",
        "--leave-one-out",
        "--pool-depth",
        str(depth),
        "--digits",
        "full",
    )
    assert done.code == 0, done.err
    head, *lines = done.out.splitlines()
    assert head.split("\t")[:4] == ["measure", "run", "score", "without_own"]
    judged = {tuple(line.split()[::2][:2]): line for line in Path(QRELS).read_text("utf-8").splitlines()}
    tops: dict[str, set[tuple[str, ...]]] = {}
    for name, path in zip(NAMES, RUNS, strict=True):
        tops[name] = set()
        for qid, scores in scores_of(path).items():
            first = sorted(scores, key=lambda d: (scores[d], d), reverse=True)[:depth]
            tops[name] |= {(qid, docid) for docid in first}
    full = means(tmp_path, "AP")
    for number, (name, line) in enumerate(zip(NAMES, lines, strict=True)):
        own = (tops[name] - set().union(*(tops[other] for other in NAMES if other != name))) & set(judged)
        changed = [" ".join([*line.split()[:3], "-1"]) if key in own else line for key, line in judged.items()]
        put(tmp_path, fewer_qrels="\n".join(changed))
        without = means(tmp_path, "AP", "fewer.qrels")[number]
        fields = line.split("\t")
        assert fields[:2] == ["AP", name]
        assert float(fields[2]) == full[number]
        assert float(fields[3]) == without
        assert int(fields[5]) == 1 + sum(other > full[number] for other in full)
        others = full[:number] + full[number + 1 :]
        assert int(fields[6]) == 1 + sum(other > without for other in others)
        assert int(fields[7]) == len(own)
    assert len({line.split("\t")[7] for line in lines}) > 1


def test_the_outputs_hold_the_same_numbers(tmp_path: Path) -> None:
    asked = [RUNS[0], RUNS[1], "-q", "-s", "tau", "-s", "rbo"]
    found = values(tmp_path, *asked)
    (pair,) = json.loads(call(tmp_path, "correlate", *asked, "-f", "json").out)["pairs"]
    assert pair["values"] == {name: found["bm25", "chargram", "all", name] for name in ("tau", "rbo")}
    assert pair["per_query"]["q05"]["rbo"] == found["bm25", "chargram", "q05", "rbo"]
    table = call(tmp_path, "correlate", *asked, "-f", "table").out.splitlines()
    assert table[0].split() == ["first", "second", "query", "tau", "rbo"]
    assert table[-1].split() == [
        "bm25",
        "chargram",
        "all",
        f"{pair['values']['tau']:.4f}",
        f"{pair['values']['rbo']:.4f}",
    ]
    short = call(tmp_path, "correlate", *asked[:2], "-f", "table").out.splitlines()
    assert short[0].split() == ["first", "second", "documents", *DEFAULT_STATISTICS]


def test_wrong_calls_are_refused_with_what_would_do(tmp_path: Path) -> None:
    for arguments, words in (
        ([RUNS[0]], "two runs or more"),
        ([QRELS, RUNS[0]], "two runs or more"),
        ([*RUNS[:2], "-m", "AP"], f"{RUNS[0]} was taken for QRELS"),
        ([QRELS, *RUNS, "-m", "AP"], "a single ranking of the runs"),
        ([QRELS, *RUNS, "-m", "relstring", "-m", "AP"], "relstring has no mean"),
        ([QRELS, *RUNS, "-m", "AP", "--of", "documents"], "about rankings of runs, not of documents"),
        ([*RUNS, "--ties", "average"], "looks at grades"),
        ([*RUNS, "--judged-only"], "is about rankings of runs"),
        ([*RUNS, "-s", "taub"], "did you mean tau_b?"),
        ([QRELS, *RUNS, "-m", "AP", "--leave-one-out", "--qrels2", QRELS], "leave --qrels2 out"),
        ([QRELS, *RUNS, "-m", "GMAP", "--leave-one-out"], "is no mean over queries"),
        ([QRELS, *RUNS, "-m", "AP", "--leave-one-out", "--queries", "q77"], "1 not in"),
        ([RUNS[0], QRELS, RUNS[1], "-m", "AP", "-m", "RR"], "look swapped"),
    ):
        done = call(tmp_path, "correlate", *arguments)
        assert done.code == 2, (arguments, done)
        assert words in done.err, arguments


def test_the_names_of_the_help_are_those_of_the_statistics() -> None:
    assert STATISTIC_NAMES == STATISTICS
