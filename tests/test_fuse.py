"""Fusion: every method and norm against plain loops, the files and options of the command, choosing by judgments."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from pathlib import Path
from statistics import fmean, median, pstdev

import numpy as np
import pytest
from calls import Call, call, put

from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.fuse import METHODS, Fusing, fuse
from irevalcli.analysis.fusion import load_inputs
from irevalcli.analysis.optimise import MOST_WEIGHTINGS, ways_to_fuse
from irevalcli.cli.fuse import METHODS as METHOD_NAMES
from irevalcli.index import candidates as candidates_module
from irevalcli.reading.words import token_list

SAMPLES = Path(__file__).resolve().parents[1]
QRELS = str(SAMPLES / "sample_qrels" / "sample.qrels")
BM25, QL, CHARGRAM = (str(SAMPLES / "sample_runs" / f"{name}.run") for name in ("bm25", "ql", "chargram"))

Run = dict[str, dict[str, float]]
WEIGHTS = (0.5, 0.3, 0.2)


def random_runs(seed: int, *, lacking: bool = True) -> list[Run]:
    """Three runs with partly different documents, ties, negative scores, and queries that one of them lacks."""
    dice = random.Random(seed)
    runs: list[Run] = []
    for number in range(3):
        run: Run = {}
        for query in range(6):
            if lacking and query == number:
                continue
            documents = dice.sample(range(25), dice.randint(1, 20))
            run[f"q{query}"] = {f"doc{document:02}": round(dice.gauss(1, 3), 1) for document in documents}
        runs.append(run)
    return runs


def order(scores: dict[str, float]) -> list[str]:
    """The documents by score, then docid, both descending."""
    return sorted(scores, key=lambda docid: (scores[docid], docid), reverse=True)


def norm_of(scores: dict[str, float], norm: str) -> dict[str, float]:
    values = list(scores.values())
    low, high, n = min(values), max(values), len(values)
    if norm == "min-max":
        return {d: (s - low) / (high - low) if high > low else 0.0 for d, s in scores.items()}
    if norm == "max":
        top = high if high > 0 else max(map(abs, values))
        return {d: s / top if top else 0.0 for d, s in scores.items()}
    if norm == "sum":
        total = sum(values) - n * low
        return {d: (s - low) / total if high > low else 0.0 for d, s in scores.items()}
    if norm == "z":
        return {d: (s - fmean(values)) / pstdev(values) if high > low else 0.0 for d, s in scores.items()}
    if norm == "rank":
        return {d: 1 - place / n for place, d in enumerate(order(scores))}
    return scores


def plain(runs: list[Run], query: str, method: str, norm: str, weights: tuple[float, ...]) -> dict[str, float]:  # noqa: C901
    """The fused scores of a query by loops over documents, straight from the definitions."""
    lists = [run.get(query, {}) for run in runs]
    ranks = [{d: rank for rank, d in enumerate(order(scores), 1)} for scores in lists]
    scaled = [norm_of(scores, norm) if scores else {} for scores in lists]
    every = sorted({d for scores in lists for d in scores})
    fused: dict[str, float] = {}
    for d in every:
        held = [scores[d] for scores in scaled if d in scores]
        at = [(rank[d], weight) for rank, weight in zip(ranks, weights, strict=True) if d in rank]
        match method:
            case "rrf":
                fused[d] = sum(weight / (60 + rank) for rank, weight in at)
            case "rbc":
                fused[d] = sum(weight * 0.2 * 0.8 ** (rank - 1) for rank, weight in at)
            case "isr":
                fused[d] = len(at) * sum(1 / rank**2 for rank, _ in at)
            case "logisr":
                fused[d] = math.log(len(at)) * sum(1 / rank**2 for rank, _ in at)
            case "borda":
                fused[d] = sum(
                    weight * (len(every) - rank[d] + 1 if d in rank else (len(every) - len(rank) + 1) / 2)
                    for rank, weight in zip(ranks, weights, strict=True)
                )
            case "condorcet":
                fused[d] = 0.0
                for other in every:
                    balance = 0
                    for rank in ranks:
                        mine, theirs = rank.get(d, math.inf), rank.get(other, math.inf)
                        balance += (mine < theirs) - (mine > theirs)
                    fused[d] += 0 if other == d else 1 if balance > 0 else 0.5 if balance == 0 else 0
            case "wsum":
                fused[d] = sum(weight * scores.get(d, 0.0) for scores, weight in zip(scaled, weights, strict=True))
            case _:
                fused[d] = {
                    "combsum": sum, "combmnz": lambda held: sum(held) * len(held), "combanz": fmean,
                    "combmin": min, "combmax": max, "combmed": median,
                }[method](held)  # fmt: skip
    return fused


def write(folder: Path, runs: list[Run], *, seed: int = 0, scattered: bool = False) -> list[str]:
    """The runs as files with their lines shuffled within queries, or altogether."""
    dice = random.Random(seed)
    names = []
    for number, run in enumerate(runs):
        lines = []
        for query, scores in run.items():
            block = [f"{query} Q0 {docid} 1 {score!r} r{number}\n" for docid, score in scores.items()]
            dice.shuffle(block)
            lines += block
        if scattered:
            dice.shuffle(lines)
        (folder / f"r{number}.run").write_text("".join(lines), "utf-8")
        names.append(f"r{number}.run")
    return names


def table(done: Call) -> dict[str, dict[str, float]]:
    """The scores of a written run by query and document; ranks and order are checked."""
    assert done.code == 0, done.err
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for line in done.out.splitlines():
        query, zero, docid, rank, score, _ = line.split(" ")
        assert zero == "Q0"
        found[query][docid] = float(score)
        assert int(rank) == len(found[query])
    for scores in found.values():
        assert list(scores) == order(scores)
    return found


COMBINATIONS = [
    (method, norm)
    for method, record in METHODS.items()
    for norm in (("none", "min-max", "max", "sum", "z", "rank") if record.scores else ("none",))
]


@pytest.mark.parametrize(("method", "norm"), COMBINATIONS, ids=["-".join(each) for each in COMBINATIONS])
def test_every_method_and_norm_computes_its_definition(method: str, norm: str, tmp_path: Path) -> None:
    for seed in range(3):
        runs = random_runs(seed)
        names = write(tmp_path, runs, seed=seed)
        weighted = METHODS[method].weights
        options = ["--weights", ",".join(map(str, WEIGHTS))] if weighted else []
        found = table(call(tmp_path, "fuse", *names, "--method", method, "--norm", norm, *options, "--quiet"))
        queries = sorted({query for run in runs for query in run})
        assert list(found) == queries
        for query in queries:
            wanted = plain(runs, query, method, norm, WEIGHTS if weighted else (1, 1, 1))
            assert found[query] == pytest.approx(wanted, rel=1e-12, abs=1e-12), (seed, query)


# What ranx 0.3.21 makes of these two rankings, for the documents a to e; phi is 0.8, the weights are 0.75 and 0.25.
RANX_A = {"a": 3.5, "b": 2.25, "c": 1.0, "d": -0.5}
RANX_B = {"b": 12.0, "e": 7.0, "a": 1.0}
RANX = {
    "rrf": (0.0322664585, 0.0325224749, 0.0158730159, 0.015625, 0.0161290323),
    "combsum": (4.5, 14.25, 1.0, -0.5, 7.0),
    "combsum min-max": (1.0, 1.6875, 0.375, 0.0, 0.5454545455),
    "combsum max": (1.0833333333, 1.6428571429, 0.2857142857, -0.1428571429, 0.5833333333),
    "combsum sum": (0.4848484848, 0.9803921569, 0.1818181818, 0.0, 0.3529411765),
    "combsum z": (0.0463703928, 1.6495936338, -0.3793047768, -1.3907841815, 0.0741249317),
    "combsum rank": (1.3333333333, 1.75, 0.5, 0.25, 0.6666666667),
    "combmnz": (9.0, 28.5, 1.0, -0.5, 7.0),
    "combanz": (2.25, 7.125, 1.0, -0.5, 7.0),
    "combmin": (1.0, 2.25, 1.0, -0.5, 7.0),
    "combmax": (3.5, 12.0, 1.0, -0.5, 7.0),
    "combmed": (2.25, 7.125, 1.0, -0.5, 7.0),
    "isr": (2.2222222222, 2.5, 0.1111111111, 0.0625, 0.25),
    "logisr": (0.770163534, 0.8664339757, 0.0, 0.0, 0.0),
    "rbc": (0.328, 0.36, 0.128, 0.1024, 0.16),
    "borda": (8.0, 9.0, 4.5, 3.5, 5.0),
    "wsum": (2.875, 4.6875, 0.75, -0.375, 1.75),
}


@pytest.mark.parametrize("name", RANX)
def test_methods_and_norms_have_the_numbers_of_ranx(name: str, tmp_path: Path) -> None:
    method, norm = (*name.split(), "none")[:2]
    weights = ["--weights", "0.75,0.25"] if method == "wsum" else []
    names = write(tmp_path, [{"q": RANX_A}, {"q": RANX_B}])
    found = table(call(tmp_path, "fuse", *names, "--method", method, "--norm", norm, *weights))
    assert found["q"] == pytest.approx(dict(zip("abcde", RANX[name], strict=True)), abs=1e-10)


def test_rrf_has_the_numbers_of_ranx_and_trectools(tmp_path: Path) -> None:
    put(tmp_path, a_run="1 Q0 d02 1 9 a\n1 Q0 d01 2 8 a", b_run="1 Q0 d01 1 9 b\n1 Q0 d02 2 8 b\n1 Q0 d03 3 7 b")
    found = table(call(tmp_path, "fuse", "a.run", "b.run"))["1"]
    assert round(found["d02"], 6) == 0.032522
    put(tmp_path, b_run="1 Q0 d09 1 9 b\n1 Q0 d01 2 8 b")
    assert round(table(call(tmp_path, "fuse", "a.run", "b.run"))["1"]["d01"], 6) == round(2 / 62, 6) == 0.032258


def test_condorcet_puts_the_winner_of_every_duel_first(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_run="q Q0 x 1 3 a\nq Q0 y 2 2 a\nq Q0 z 3 1 a",
        b_run="q Q0 y 1 3 b\nq Q0 x 2 2 b\nq Q0 z 3 1 b",
        c_run="q Q0 z 1 3 c\nq Q0 x 2 2 c\nq Q0 y 3 1 c",
    )
    assert table(call(tmp_path, "fuse", "a.run", "b.run", "c.run", "--method", "condorcet")) == {
        "q": {"x": 2.0, "y": 1.0, "z": 0.0}
    }


@pytest.mark.parametrize("method", METHODS)
def test_neither_the_order_of_the_runs_nor_that_of_the_lines_matters_to_the_last_byte(
    method: str, tmp_path: Path
) -> None:
    runs = random_runs(7)
    names = write(tmp_path, runs)
    options = ["--method", method, "--quiet"]
    first = call(tmp_path, "fuse", *names, *options).out
    assert call(tmp_path, "fuse", *names[::-1], *options).out == first
    write(tmp_path, runs, seed=1, scattered=True)
    assert call(tmp_path, "fuse", *names, *options).out == first
    assert first.count("\n") == sum(len({d for run in runs for d in run.get(f"q{q}", {})}) for q in range(6))


@pytest.mark.parametrize("method", ["combsum", "rrf", "condorcet", "borda"])
def test_the_size_of_batches_changes_no_byte(method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = write(tmp_path, random_runs(3))
    whole = call(tmp_path, "fuse", *names, "--method", method, "--quiet").out
    monkeypatch.setattr(candidates_module, "BATCH_DOCUMENTS", 1)
    assert call(tmp_path, "fuse", *names, "--method", method, "--quiet").out == whole


def test_documents_that_share_a_hash_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = write(tmp_path, random_runs(3))
    told = call(tmp_path, "fuse", *names, "--quiet").out
    monkeypatch.setattr(candidates_module, "salted", lambda hashes, _: hashes % np.uint64(3))
    assert call(tmp_path, "fuse", *names, "--quiet").out == told


def test_ties_of_the_inputs_are_broken_by_the_rule_that_was_asked_for(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_run="q Q0 x 2 5 a\nq Q0 y 1 5 a\nq Q0 z 3 5 a",
        b_run="q Q0 x 2 5 b\nq Q0 y 1 5 b\nq Q0 z 3 5 b",
    )
    for ties, first in (("docid-desc", "zyx"), ("docid-asc", "xyz"), ("rank", "yxz"), ("file", "xyz")):
        found = table(call(tmp_path, "fuse", "a.run", "b.run", "--ties", ties))
        assert "".join(found["q"]) == first, ties


def test_equal_fused_scores_stand_as_an_evaluator_will_read_them(tmp_path: Path) -> None:
    put(tmp_path, a_run="q Q0 x 1 2 a\nq Q0 y 2 1 a", b_run="q Q0 y 1 2 b\nq Q0 x 2 1 b")
    done = call(tmp_path, "fuse", "a.run", "b.run")
    assert [line.split()[2] for line in done.out.splitlines()] == ["y", "x"]
    assert len(set(table(done)["q"].values())) == 1


def test_depths_cut_the_output_and_the_inputs(tmp_path: Path) -> None:
    runs = random_runs(5, lacking=False)
    names = write(tmp_path, runs)
    every = table(call(tmp_path, "fuse", *names))
    short = table(call(tmp_path, "fuse", *names, "--depth", "4"))
    assert short == {query: dict(list(scores.items())[:4]) for query, scores in every.items()}
    cut = [{q: {d: scores[d] for d in order(scores)[:3]} for q, scores in run.items()} for run in runs]
    top = table(call(tmp_path, "fuse", *names, "--input-depth", "3", "--method", "combsum", "--norm", "z"))
    for query, scores in top.items():
        assert scores == pytest.approx(plain(cut, query, "combsum", "z", (1, 1, 1)), rel=1e-12, abs=1e-12)


def test_ids_are_bytes_and_stay_as_they_are(tmp_path: Path) -> None:
    ids = b"caf\xc3\xa9 \xff\xfe long" + b"x" * 300
    first, second, _ = ids.split()[0], ids.split()[1], ids.split()[2]
    long = ids.split()[2]
    put(
        tmp_path, a_run=b"q\xff Q0 %b 1 2 t\nq\xff Q0 %b 2 1 t\n" % (first, second), b_run=b"q\xff Q0 %b 1 2 t\n" % long
    )
    put(tmp_path, c_run=b"q\xff Q0 %b 1 2 t\n" % first)
    assert call(tmp_path, "fuse", "a.run", "b.run", "c.run", "-o", "out.run").code == 0
    written = (tmp_path / "out.run").read_bytes().splitlines()
    assert [line.split()[2] for line in written] == [first, long, second]
    assert {line.split()[0] for line in written} == {b"q\xff"}


def test_a_fused_run_evaluates_like_any_other_and_its_last_column_is_the_tag(tmp_path: Path) -> None:
    assert call(tmp_path, "fuse", BM25, QL, "--tag", "both", "-o", "both.run").code == 0
    assert {line.split()[5] for line in (tmp_path / "both.run").read_text("utf-8").splitlines()} == {"both"}
    done = call(tmp_path, "evaluate", QRELS, "both.run", "-m", "nDCG@10")
    assert 0.5 < float(done.values["all nDCG@10"]) < 1


def test_the_file_is_complete_or_not_there_and_an_old_one_stays_when_something_is_wrong(tmp_path: Path) -> None:
    put(tmp_path, bad_run="q Q0 x 1 one t", out_run="old")
    done = call(tmp_path, "fuse", BM25, "bad.run", "-o", "out.run")
    assert done.code == 3
    assert "bad.run:1:10" in done.err
    assert (tmp_path / "out.run").read_text("utf-8") == "old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.run", "out.run"]
    assert call(tmp_path, "fuse", BM25, QL, "-o", "absent/out.run").err.startswith("error: --output absent/out.run: ")


def test_faults_of_runs_are_told_as_an_evaluation_tells_them(tmp_path: Path) -> None:
    put(tmp_path, twice_run="q Q0 x 1 2 t\nq Q0 y 2 1 t\nq Q0 x 3 0 t", empty_run="# nothing", short_run="q Q0 x 1 2")
    for name, code in (("twice", "RUN010"), ("empty", "no results in the file"), ("short", "RUN001")):
        done = call(tmp_path, "fuse", BM25, f"{name}.run")
        assert done.code == 3
        assert done.out == ""
        assert code in done.err, name
    assert "first at line 1" in call(tmp_path, "fuse", BM25, "twice.run").err


def test_infinite_scores_are_ranked_but_not_added(tmp_path: Path) -> None:
    put(tmp_path, a_run="q Q0 x 1 inf a\nq Q0 y 2 1 a", b_run="q Q0 y 1 2 b")
    assert list(table(call(tmp_path, "fuse", "a.run", "b.run", "--input-depth", "1"))["q"]) == ["y", "x"]
    for options in (["--method", "combsum"], ["--method", "combmed", "--norm", "min-max"]):
        done = call(tmp_path, "fuse", "a.run", "b.run", *options)
        assert done.code == 3
        assert "a has an infinite score" in done.err
    put(tmp_path, a_run="q Q0 x 1 1e308 a", b_run="q Q0 x 1 1e308 b")
    assert "too large to be combined" in call(tmp_path, "fuse", "a.run", "b.run", "--method", "combsum").err


def test_wrong_calls_are_refused_with_what_would_do(tmp_path: Path) -> None:
    for options, words in (
        (["--norm", "z"], "rrf sees ranks, not scores"),
        (["--method", "combsum", "--weights", "1,2"], "combsum has none"),
        (["--method", "wsum", "--weights", "1"], "1 weight for 2 runs"),
        (["--method", "wsum", "--weights", "1,x"], "not a list of numbers"),
        (["--method", "wsum", "--weights", "1,nan"], "not a list of numbers"),
        (["--method", "combsun"], "did you mean combsum?"),
        (["--tag", "two words"], "holds a blank"),
        (["--tag", ""], "is empty"),
        (["--p", "1"], "--p 1.0 is not in the range"),
        (["--optimise", "AP"], "--optimise goes with --qrels FILE"),
        (["--qrels", QRELS], "--qrels goes with --optimise MEASURE"),
        (["--method", "combsum", "--optimise", "AP", "--qrels", QRELS], "combsum has nothing to choose"),
        (["--optimise", "AP,P@5", "--qrels", QRELS], "one measure, not 2"),
        (["--optimise", "relstring", "--qrels", QRELS], "is no number for each query"),
        (["--method", "wsum", "--weights", "1,1", "--optimise", "AP", "--qrels", QRELS], "leave --weights out"),
        (["--queries", "q01,nowhere"], "1 query is in none of the runs: nowhere"),
    ):
        done = call(tmp_path, "fuse", BM25, QL, *options)
        assert done.code == 2, options
        assert words in done.err, options
    assert "two runs or more" in call(tmp_path, "fuse", BM25).err


def test_a_run_that_lacks_queries_is_noted(tmp_path: Path) -> None:
    names = write(tmp_path, random_runs(1))
    assert "warning: r0 lacks 1 query of the other runs (q0)" in call(tmp_path, "fuse", *names).err


def test_the_names_of_the_help_are_those_of_the_methods() -> None:
    assert tuple(METHODS) == METHOD_NAMES


def test_weights_of_any_number_of_runs_are_tried_as_finely_as_is_bearable() -> None:
    for num_runs in range(2, 12):
        ways = [way.weights or () for way in ways_to_fuse(Fusing("wsum"), num_runs)]
        assert ways[0] == pytest.approx([1 / num_runs] * num_runs)
        assert num_runs < len(ways) <= MOST_WEIGHTINGS + 1
        assert all(min(weights) >= 0 and math.isclose(sum(weights), 1) for weights in ways)
        assert all(tuple(float(place == run) for place in range(num_runs)) in ways for run in range(num_runs))


def optimised(folder: Path, *options: str) -> Call:
    done = call(folder, "fuse", BM25, CHARGRAM, "--optimise", "nDCG@10", "--qrels", QRELS, *options)
    assert done.code == 0, done.err
    return done


@pytest.mark.parametrize("method", ["wsum", "rrf", "rbc"])
def test_choosing_is_seeded_and_says_what_it_chose_and_what_that_is_worth(method: str, tmp_path: Path) -> None:
    norm = ["--norm", "min-max"] if method == "wsum" else []
    done = optimised(tmp_path, "--method", method, *norm, "--folds", "4")
    assert optimised(tmp_path, "--method", method, *norm, "--folds", "4") == done
    assert "nDCG@10, 4-fold cross-validation over 19 judged queries (seed 1)" in done.err
    assert sum(line.startswith("  fold ") for line in done.err.splitlines()) == 4
    assert optimised(tmp_path, "--method", method, *norm, "--folds", "4", "--seed", "2").err != done.err


def test_the_written_run_has_the_held_out_mean_that_is_told(tmp_path: Path) -> None:
    done = optimised(tmp_path, "--method", "wsum", "--norm", "min-max", "-o", "best.run")
    told = float(done.err.split("held out: ")[1].split(";")[0])
    put(tmp_path, few_txt="\n".join(f"q{number:02}" for number in range(1, 20)))
    values = call(tmp_path, "evaluate", QRELS, "best.run", "-m", "nDCG@10", "--missing", "skip").values
    assert float(values["all nDCG@10"]) == pytest.approx(told, abs=1e-4)


def test_no_query_is_fused_by_what_its_own_judgments_chose(tmp_path: Path) -> None:
    # Run a is right about q1 … q5, run b about q6 alone: whoever is asked about q6 without it will choose a.
    right, wrong = "{q} Q0 a 1 2 t\n{q} Q0 b 2 1 t\n", "{q} Q0 b 1 2 t\n{q} Q0 a 2 1 t\n"
    put(
        tmp_path,
        a_run="".join((right if q < 6 else wrong).format(q=f"q{q}") for q in range(1, 7)),
        b_run="".join((wrong if q < 6 else right).format(q=f"q{q}") for q in range(1, 7)),
        qrels="\n".join(f"q{q} 0 a 1" for q in range(1, 7)),
    )
    options = ["--method", "wsum", "--optimise", "RR", "--qrels", "qrels", "--folds", "6"]
    found = table(call(tmp_path, "fuse", "a.run", "b.run", *options))
    assert [next(iter(found[f"q{q}"])) for q in range(1, 7)] == ["a"] * 5 + ["b"]


def test_a_query_without_judgments_is_fused_by_what_is_best_on_all(tmp_path: Path) -> None:
    put(
        tmp_path,
        a_run="q1 Q0 x 1 1 t\nq2 Q0 x 1 1 t\nq3 Q0 x 1 1 t",
        b_run="q1 Q0 y 1 1 t\nq2 Q0 y 1 1 t\nq3 Q0 y 1 1 t",
        qrels="q1 0 y 1\nq2 0 y 1",
    )
    done = call(
        tmp_path, "fuse", "a.run", "b.run", "--method", "wsum", "--optimise", "RR", "--qrels", "qrels", "--folds", "2"
    )
    assert next(iter(table(done)["q3"])) == "y"
    done = call(tmp_path, "fuse", "a.run", "b.run", "--optimise", "RR", "--qrels", "qrels")
    assert done.code == 3
    assert "2 judged queries in common, too few for 5 folds" in done.err


def test_fusing_is_arithmetic_on_a_batch_alone(tmp_path: Path) -> None:
    names = write(tmp_path, random_runs(11))
    inputs = load_inputs([NamedRun(name, str(tmp_path / name), name) for name in names])
    batch = inputs.runs.candidates(inputs.queries)
    scores = fuse(batch, Fusing("rrf"))
    assert scores.shape == (batch.size,)
    docids = token_list(batch.data, batch.docids.start, batch.docids.end)
    assert len(set(zip(batch.query.tolist(), docids, strict=True))) == batch.size
