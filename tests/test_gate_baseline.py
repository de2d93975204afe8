"""The baseline: a run, or what ``evaluate --export baseline.json`` wrote; what does not fit, and how it is renewed."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from calls import call
from gate_files import OLD, write_run, write_world

if TYPE_CHECKING:
    from pathlib import Path

    from calls import Call

WORSE = [rank + 1 for rank in OLD]


def store(folder: Path, *words: str, run: str = "old") -> None:
    done = call(folder, "evaluate", "qrels", run, "-m", "RR", "-m", "P@1", "--export", "base.json", *words)
    assert done.code == 0


def check(folder: Path, *words: str, run: str = "new") -> Call:
    return call(folder, "check", "--quiet", "qrels", run, "--baseline", "base.json", *words)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with judgments, runs ``old`` and ``new``, and the baseline of ``old``."""
    write_world(tmp_path, old=OLD, new=WORSE)
    store(tmp_path)
    return tmp_path


def test_an_exported_evaluation_holds_all_that_a_baseline_needs(folder: Path) -> None:
    whole = json.loads((folder / "base.json").read_bytes())
    assert whole["qrels"]["sha256"] == hashlib.sha256((folder / "qrels").read_bytes()).hexdigest()
    (run,) = whole["runs"]
    assert run["sha256"] == hashlib.sha256((folder / "old").read_bytes()).hexdigest()
    assert run["per_query"]["q002"] == {"RR": 0.5, "P@1": 0.0}
    assert [measure["canonical"] for measure in whole["measures"]] == ["RR", "P@1"]
    assert whole["options"]["missing"] == "zero"


def test_a_stored_baseline_decides_as_its_run_does(folder: Path) -> None:
    rules = ["--max-drop", "RR=0.02", "--max-drop", "P@1=2%", "--max-query-drop", "RR=0.4", "-f", "json"]
    stored = json.loads(check(folder, *rules).out)["suites"][0]["runs"][0]["rules"]
    rescored = json.loads(call(folder, "check", "--quiet", "qrels", "new", "--baseline", "old", *rules).out)
    assert stored == rescored["suites"][0]["runs"][0]["rules"]
    assert [rule["outcome"] for rule in stored] == ["fail", "fail", "fail"]


def test_other_judgments_are_exit_3_with_both_hashes(folder: Path) -> None:
    before = hashlib.sha256((folder / "qrels").read_bytes()).hexdigest()
    with (folder / "qrels").open("a") as file:
        file.write("q001 0 more 0\n")
    got = check(folder, "--max-drop", "RR=0.02")
    assert (got.code, got.out) == (3, "")
    assert before in got.err
    assert hashlib.sha256((folder / "qrels").read_bytes()).hexdigest() in got.err
    assert "irevalcli evaluate qrels RUN -m RR -m P@1 --export base.json" in got.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--missing", "skip"], "--missing: zero in the baseline, skip now"),
        (["--depth", "5"], "--depth: not given in the baseline, 5 now"),
        (["--ties", "file"], "--ties: docid-desc in the baseline, file now"),
        (["-l", "2"], "--relevance: 1.0 in the baseline, 2.0 now"),
        (["--queries", "q001,q002"], "--queries: not given in the baseline, 2 now"),
        (["--judged-only"], "--judged-only: False in the baseline, True now"),
    ],
    ids=["missing", "depth", "ties", "relevance", "queries", "judged-only"],
)
def test_other_options_are_exit_3_with_both_values(folder: Path, words: list[str], said: str) -> None:
    rule = ["--max-drop", "RR=0.02", *words]
    got = check(folder, *rule)
    assert (got.code, got.out) == (3, "")
    assert said in got.err
    # What is proposed helps.
    call(folder, *shlex.split(got.err.partition(": irevalcli ")[2].replace(" RUN ", " old ")))
    assert check(folder, *rule).code in {0, 1}


def test_other_queries_are_exit_3_even_if_they_are_as_many(folder: Path) -> None:
    store(folder, "--queries", "q001,q002")
    got = check(folder, "--max-drop", "RR=0.02", "--queries", "q002,q003")
    assert (got.code, got.out) == (3, "")
    assert "other queries: 1 query of it not judged now (q001)" in got.err
    assert check(folder, "--max-drop", "RR=0.9", "--decide", "point", "--queries", "q002,q001").code == 0


def test_another_definition_of_a_measure_is_exit_3_with_both(folder: Path) -> None:
    whole = json.loads((folder / "base.json").read_bytes())
    whole["measures"][0]["definition"] = "1/(rank + 1)"
    (folder / "base.json").write_text(json.dumps(whole), "utf-8")
    got = check(folder, "--max-drop", "RR=0.02")
    assert (got.code, got.out) == (3, "")
    assert "baseline: definition 1/(rank + 1)" in got.err
    assert "now:      definition" in got.err
    assert check(folder, "--max-drop", "P@1=0.9").code in {0, 1}


def test_a_measure_that_the_baseline_lacks_is_exit_3_and_says_how_to_renew_it(folder: Path) -> None:
    got = check(folder, "--max-drop", "AP(rel=1)@5=0.02", "--max-drop", "RR=0.02")
    assert (got.code, got.out) == (3, "")
    assert "base.json has no values of AP@5" in got.err
    assert "it has RR, P@1" in got.err
    assert "-m RR -m P@1 -m AP@5 --export base.json" in got.err


def test_bounds_need_nothing_of_the_baseline(folder: Path) -> None:
    assert check(folder, "--assert", "AP >= 0.1", "--max-missing", "0").code == 0


def test_without_values_of_queries_only_means_are_compared_and_that_is_said(folder: Path) -> None:
    whole = json.loads((folder / "base.json").read_bytes())
    del whole["runs"][0]["per_query"]
    (folder / "base.json").write_text(json.dumps(whole), "utf-8")
    got = check(folder, "--max-drop", "RR=0.02")
    assert got.code == 1
    assert "no values of single queries: only the values are compared" in got.out
    for words in (["--max-drop", "RR=0.02", "--decide", "non-inferior"], ["--max-query-drop", "RR=0.5"]):
        refused = check(folder, *words)
        assert (refused.code, refused.out) == (3, "")


@pytest.mark.parametrize(
    "content",
    [
        "", "{", "[]", "{}", '{"schema": 1, "runs": []}',
        '{"schema": 9, "runs": [], "measures": [], "qrels": {}, "options": {}}',
        '{"schema": 1, "runs": [], "measures": [], "qrels": {}, "options": {}}',
    ],
    ids=["empty", "cut", "list", "object", "incomplete", "newer", "no-run"],
)  # fmt: skip
def test_what_is_no_baseline_is_exit_3(folder: Path, content: str) -> None:
    (folder / "base.json").write_text(content, "utf-8")
    got = check(folder, "--max-drop", "RR=0.02")
    assert (got.code, got.out) == (3, "")
    assert "base.json" in got.err


DAMAGE: dict[str, tuple[Any, str]] = {
    "text": ("0.5", "RR of query q002 is '0.5'"),
    "true": (True, "RR of query q002 is True"),
    "not-a-number": (float("nan"), "RR of query q002 is nan"),
    "infinite": (float("inf"), "RR of query q002 is inf"),
    "lacking": (None, "query q002 has no RR"),
    "row-lacking": (None, "other queries: 1 query not in it (q002)"),
    "row-too-many": (1, "other queries: 1 query of it not judged now (q0)"),
    "aggregate": ("x", "RR is 'x'"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_value_of_a_baseline_is_exit_3_and_not_left_out(folder: Path, kind: str) -> None:
    whole = json.loads((folder / "base.json").read_bytes())
    value, said = DAMAGE[kind]
    run = whole["runs"][0]
    if kind == "lacking":
        del run["per_query"]["q002"]["RR"]
    elif kind == "row-lacking":
        del run["per_query"]["q002"]
    elif kind == "row-too-many":
        run["per_query"]["q0"] = {"RR": 1.0, "P@1": 1.0}
    elif kind == "aggregate":
        run["aggregate"]["RR"] = value
    else:
        run["per_query"]["q002"]["RR"] = value
    (folder / "base.json").write_text(json.dumps(whole), "utf-8")
    got = check(folder, "--max-drop", "RR=0.9", "--decide", "point")
    assert (got.code, got.out) == (3, "")
    assert said in got.err


def test_an_option_that_only_another_version_knows_is_exit_3(folder: Path) -> None:
    whole = json.loads((folder / "base.json").read_bytes())
    whole["options"] |= {"unused": None, "stemming": "porter"}
    (folder / "base.json").write_text(json.dumps(whole), "utf-8")
    got = check(folder, "--max-drop", "RR=0.9", "--decide", "point")
    assert (got.code, got.out) == (3, "")
    assert "stemming: porter in the baseline; this version of irevalcli has no such option" in got.err
    assert "unused" not in got.err


def test_a_missing_baseline_is_exit_3_and_says_how_to_make_one(folder: Path) -> None:
    (folder / "base.json").unlink()
    got = check(folder, "--max-drop", "RR=0.02")
    assert (got.code, got.out) == (3, "")
    assert "base.json" in got.err
    assert "irevalcli evaluate QRELS RUN" in got.err


def test_of_several_stored_runs_one_is_chosen_by_its_label(folder: Path) -> None:
    done = call(folder, "evaluate", "qrels", "old", "new", "-m", "RR", "--export", "base.json")
    assert done.code == 0
    got = check(folder, "--max-drop", "RR=0.02")
    assert got.code == 3
    assert "base.json holds 2 runs: old, new" in got.err
    chosen = call(folder, "check", "--quiet", "qrels", "new", "--baseline", "new=base.json", "--max-drop", "RR=0")
    assert chosen.code == 0


def test_ids_of_any_bytes_are_paired_through_a_stored_baseline(tmp_path: Path) -> None:
    qids = [b"007", b"7", b"1e5", b"NA", b"\xff", "ü".encode(), b'a"b']
    (tmp_path / "qrels").write_bytes(b"".join(qid + b" 0 d 1\n" for qid in qids))
    (tmp_path / "old").write_bytes(b"".join(qid + b" Q0 d 1 1 t\n" for qid in qids))
    (tmp_path / "new").write_bytes(b"".join(qid + b" Q0 d 1 1 t\n" for qid in qids if qid != b"007"))
    store(tmp_path)
    got = check(tmp_path, "--max-query-drop", "RR=0.5", "-f", "json")
    (rule,) = json.loads(got.out)["suites"][0]["runs"][0]["rules"]
    assert rule["queries"] == len(qids)
    assert [lost["query"] for lost in rule["worst"]] == ["007"]


def test_the_baseline_is_renewed_if_all_rules_hold(folder: Path) -> None:
    write_run(folder / "new", {f"q{place:03}": 1 for place in range(1, 11)})
    before = (folder / "base.json").read_bytes()
    got = call(
        folder, "check", "qrels", "new", "--baseline", "base.json", "--max-drop", "RR=0.2", "--assert", "AP >= 0.1",
        "--update-baseline",
    )  # fmt: skip
    assert got.code == 0
    assert "base.json is now new" in got.err
    whole: dict[str, Any] = json.loads((folder / "base.json").read_bytes())
    assert whole["runs"][0]["label"] == "new"
    # Nothing that the old baseline had is lost, and what the rules ask is there, too.
    assert sorted(whole["runs"][0]["aggregate"]) == ["AP", "P@1", "RR"]
    assert before != (folder / "base.json").read_bytes()
    assert check(folder, "--max-drop", "RR=0", "--max-drop", "AP=0").code == 0


@pytest.mark.parametrize("ranks", [WORSE, [*OLD[:-1], 2]], ids=["failed", "undecided"])
def test_the_baseline_stays_if_a_rule_does_not_hold_unless_forced(folder: Path, ranks: list[int]) -> None:
    write_run(folder / "new", {f"q{place:03}": rank for place, rank in enumerate(ranks, 1)})
    before = (folder / "base.json").read_bytes()
    words = ["check", "qrels", "new", "--baseline", "base.json", "--max-drop", "RR=0.02", "--update-baseline"]
    got = call(folder, *words)
    assert got.code == (1 if ranks == WORSE else 0)
    assert "baseline not updated" in got.err
    assert (folder / "base.json").read_bytes() == before
    forced = call(folder, *words, "--force")
    assert forced.code == got.code
    assert json.loads((folder / "base.json").read_bytes())["runs"][0]["label"] == "new"
    assert sorted(path.name for path in folder.iterdir()) == ["base.json", "new", "old", "qrels"]


def test_a_baseline_that_is_a_run_is_replaced_by_the_run(folder: Path) -> None:
    write_run(folder / "new", {f"q{place:03}": 1 for place in range(1, 11)})
    got = call(folder, "check", "qrels", "new", "--baseline", "old", "--max-drop", "RR=0.2", "--update-baseline")
    assert got.code == 0
    assert (folder / "old").read_bytes() == (folder / "new").read_bytes()


def test_a_baseline_that_cannot_be_renewed_is_said_before_the_work(folder: Path) -> None:
    rule = ["--assert", "RR >= 0.1", "--update-baseline"]
    assert call(folder, "check", "qrels", "new", *rule).code == 2
    assert call(folder, "check", "qrels", "new", "old", "--baseline", "base.json", *rule).code == 2
    assert call(folder, "check", "qrels", "new", "--baseline", "no/base.json", *rule).code == 2
    assert call(folder, "check", "qrels", "new", "--assert", "RR >= 0.1", "--force").code == 2


def test_the_follow_up_compares_with_the_stored_values_and_runs(folder: Path) -> None:
    got = check(folder, "--max-drop", "RR=0.02")
    assert re.search(
        r"details: irevalcli diff base\.json <\(irevalcli evaluate -q -f json qrels new -m RR\) -m RR\n", got.out
    )
