"""The gate on real runs. The files are third-party material and stay outside the project, in ``../shared/real``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from calls import call
from test_real_files import REAL

if TYPE_CHECKING:
    from pathlib import Path


class Case(NamedTuple):
    """A run, its baseline and judgments in a folder, and what the gate says of it."""

    folder: str
    qrels: str
    baseline: str
    run: str
    outcome: str


ROBUST = ("robust03", "robust03_qrels.txt", "input.uic0301")
COVID = ("covid-round1", "qrels.covid-round1.txt", "RMITBM1")
CASES = [
    Case(*ROBUST, "input.pircRBa1", "pass"),
    Case(*ROBUST, "input.UIUC03Rd1", "undecided"),
    Case(*ROBUST, "input.rutcor03100", "fail"),
    Case(*COVID, "Technion-RRF", "pass"),
    Case(*COVID, "sheikh_bm25_all", "undecided"),
    Case(*COVID, "SFDC-23April-run1", "fail"),
]
MARKS = {"pass": "PASS", "undecided": "????", "fail": "FAIL"}
TESTS = len(CASES) + 3


def rule_of(folder: Path, qrels: str, run: str, baseline: str) -> dict[str, Any]:
    """What the only rule comes to."""
    words = ["check", "--quiet", qrels, run, "--baseline", baseline, "--max-drop", "nDCG@10=0.02", "-f", "json"]
    (rule,) = json.loads(call(folder, *words).out)["suites"][0]["runs"][0]["rules"]
    found: dict[str, Any] = rule
    return found


if REAL.is_dir():

    @pytest.mark.parametrize("case", CASES, ids=[case.run for case in CASES])
    def test_a_real_run_is_better_hardly_worse_or_clearly_worse(tmp_path: Path, case: Case) -> None:
        folder, qrels, baseline, run, outcome = case
        words = [qrels, run, "--baseline", baseline, "--max-drop", "nDCG@10=0.02"]
        exports = ["-e", f"junit:{tmp_path}/gate.xml", "-e", f"{tmp_path}/gate.md"]
        got = call(REAL / folder, "check", "--quiet", *words, *exports)
        assert got.code == (outcome == "fail")
        assert got.out.startswith(MARKS[outcome])
        rule = rule_of(REAL / folder, qrels, run, baseline)
        assert rule["outcome"] == outcome
        worst = [lost["query"] for lost in rule["worst"]]
        assert len(worst) == 5
        text = (tmp_path / "gate.md").read_text("utf-8")
        report = (tmp_path / "gate.xml").read_text("utf-8")
        if outcome == "pass":
            assert "lost most" not in got.out
            assert "<failure" not in report
        else:
            assert f"lost most: query {worst[0]} " in got.out
            assert worst[0] in text
        assert ("<failure" in report) == (outcome == "fail")
        assert ("<skipped" in report) == (outcome == "undecided")

    def test_a_run_that_was_damaged_fails_and_one_that_hardly_changed_does_not(tmp_path: Path) -> None:
        folder = REAL / "dl19-passage"
        rows = [line.split() for line in (folder / "bm25.run").read_text("utf-8").splitlines()]
        damaged, nudged = tmp_path / "damaged", tmp_path / "nudged"
        for path, moved, move in ((damaged, range(1, 11), 1000.0), (nudged, range(2, 1001, 2), 0.05)):
            path.write_text(
                "".join(
                    f"{qid} Q0 {docid} {rank} {float(score) - move * (int(rank) in moved)} t\n"
                    for qid, _, docid, rank, score, _ in rows
                ),
                "utf-8",
            )
        assert rule_of(folder, "qrels.dl19-passage.txt", str(damaged), "bm25.run")["outcome"] == "fail"
        assert rule_of(folder, "qrels.dl19-passage.txt", str(nudged), "bm25.run")["outcome"] == "pass"

    def test_a_real_run_is_no_worse_than_itself(tmp_path: Path) -> None:
        folder, qrels, run = ROBUST
        stored = tmp_path / "baseline.json"
        assert call(REAL / folder, "evaluate", "-m", "nDCG@10", qrels, run, "--export", str(stored)).code == 0
        for baseline in (run, str(stored)):
            rule = rule_of(REAL / folder, qrels, run, baseline)
            assert (rule["outcome"], rule["found"]) == ("pass", "identical on all 100 queries")

    def test_a_baseline_made_with_other_real_judgments_is_refused(tmp_path: Path) -> None:
        folder, qrels, run = ROBUST
        stored = tmp_path / "baseline.json"
        call(REAL / folder, "evaluate", "-m", "nDCG@10", "mod_robust03_qrels.txt", run, "--export", str(stored))
        got = call(REAL / folder, "check", qrels, run, "--baseline", str(stored), "--max-drop", "nDCG@10=0.02")
        assert got.code == 3
        assert got.err.count("sha256") == 2

else:

    @pytest.mark.skip(reason=f"{TESTS} tests of real files: there is no folder {REAL}")
    def test_real_runs_are_decided_about() -> None:
        raise FileNotFoundError(REAL)
