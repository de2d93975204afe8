"""Rules that need no baseline: limits to the unrounded value, judged documents, coverage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from calls import call
from gate_files import OLD, write_run, write_world

if TYPE_CHECKING:
    from pathlib import Path

    from calls import Call


def check(folder: Path, *rules: str) -> Call:
    return call(folder, "check", "--quiet", "qrels", "new", *rules)


@pytest.mark.parametrize(
    ("rule", "code", "found"),
    [
        ("P@1 >= 0.6", 0, "found 0.6000"),
        ("P@1 <= 0.6", 0, "found 0.6000"),
        ("P@1 > 0.6", 1, "found 0.6000 ≤ 0.6"),
        ("P@1 < 0.6", 1, "found 0.6000 ≥ 0.6"),
        ("P@1 >= 0.61", 1, "found 0.6000 < 0.61"),
        ("RR >= 0.775", 0, "found 0.7750"),
        ("NumRel >= 10", 0, "found 10"),
        ("NumRel >= 10.5", 1, "found 10 < 10.5"),
    ],
)
def test_a_limit_that_is_reached_exactly_is_kept(tmp_path: Path, rule: str, code: int, found: str) -> None:
    write_world(tmp_path, new=OLD)
    got = check(tmp_path, "--assert", rule)
    assert got.code == code
    assert got.out.splitlines()[0].endswith(found)


def test_a_mean_that_only_floating_point_keeps_from_the_limit_reaches_it(tmp_path: Path) -> None:
    # 0.1 + 0.1 + … is a little less than it should be.
    write_world(tmp_path, new=[10] * 10)
    (mean,) = json.loads(check(tmp_path, "--assert", "RR >= 0.1", "-f", "json").out)["suites"][0]["runs"][0]["rules"]
    assert mean["value"] != 0.1
    assert mean["outcome"] == "pass"
    assert check(tmp_path, "--assert", "RR > 0.1").code == 1


def test_as_many_digits_are_shown_as_it_takes_to_see_why(tmp_path: Path) -> None:
    write_world(tmp_path, new=[1, 1, 2])
    got = check(tmp_path, "--assert", "P@1 >= 0.6667", "--assert", "P@1 <= 0.6667", "--assert", "P@1 >= 0.66666")
    assert got.code == 1
    assert "found 0.66667 < 0.6667\n" in got.out
    assert got.out.count("found 0.6667\n") == 2


def test_smaller_is_better_measures_keep_below_a_limit(tmp_path: Path) -> None:
    write_world(tmp_path, new=OLD)
    assert check(tmp_path, "--assert", "RMSE <= 5").code == 0
    assert check(tmp_path, "--assert", "RMSE <= 0.1").code == 1


def test_documents_that_are_not_judged_are_told(tmp_path: Path) -> None:
    write_world(tmp_path, new=[2] * 10)
    got = check(tmp_path, "--min-judged", "2=0.95")
    assert got.code == 1
    assert "found 0.5000 < 0.95: new documents are not judged, scores may be too low" in got.out
    assert check(tmp_path, "--min-judged", "2=50%").code == 0


def test_missing_queries_are_counted_whatever_becomes_of_their_values(tmp_path: Path) -> None:
    write_world(tmp_path, new=[1, 1, 0, 1, 0])
    write_run(tmp_path / "new", {"q001": 1, "q002": 1, "q004": 1})
    for missing in ("zero", "skip"):
        got = check(tmp_path, "--max-missing", "1", "--missing", missing)
        assert got.code == 1
        assert "3 of 5: 2 judged queries are missing (q003, q005)" in got.out
        assert check(tmp_path, "--max-missing", "2", "--missing", missing).code == 0


def test_every_rule_and_every_run_is_decided_and_the_worst_counts(tmp_path: Path) -> None:
    write_world(tmp_path, good=[1] * 10, poor=[5] * 10)
    got = call(tmp_path, "check", "--quiet", "qrels", "good", "poor", "--assert", "RR >= 0.5", "--assert", "P@1 >= 0.1")
    assert got.code == 1
    assert "2 failed, 2 passed" in got.out
    assert call(tmp_path, "check", "--quiet", "qrels", "good", "good2=good", "--assert", "RR >= 0.5").code == 0


def test_no_number_is_a_negative_zero_and_none_is_nan(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1, 2], new=[1, 2])
    got = call(
        tmp_path, "check", "--quiet", "qrels", "new", "--baseline", "old", "--max-drop", "RR=0", "--max-drop", "GMAP=0",
        "--assert", "P@1 >= 0.1", "-f", "json",
    )  # fmt: skip
    assert got.code == 0
    assert "-0.0" not in got.out
    assert "NaN" not in got.out
