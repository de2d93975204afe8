"""Rules against a baseline: yes, no or undecided, by queries paired by their ids."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from calls import call
from gate_files import OLD, write_run, write_world

from irevalcli.stats.paired import t_interval, t_test
from irevalcli.stats.power import queries_that_decide

if TYPE_CHECKING:
    from pathlib import Path

    from calls import Call

HUNDRED = [1, 2, 3, 4] * 25
"""Ranks in a baseline of 100 queries."""


def check(folder: Path, *words: str, run: str = "new", baseline: str = "old") -> Call:
    return call(folder, "check", "--quiet", "qrels", run, "--baseline", baseline, *words)


def rules(folder: Path, *words: str, run: str = "new", baseline: str = "old") -> list[dict[str, Any]]:
    got = check(folder, *words, "-f", "json", run=run, baseline=baseline)
    found: list[dict[str, Any]] = json.loads(got.out)["suites"][0]["runs"][0]["rules"]
    return found


def swapped(ranks: list[int], better: int, worse: int) -> list[int]:
    """The ranks, so many queries from the front better by one rank, and so many from the back worse."""
    count = len(ranks)
    return [
        max(rank - 1, 1) if place < better else rank + 1 if place >= count - worse else rank
        for place, rank in enumerate(ranks)
    ]


def test_a_better_run_passes_a_slightly_worse_one_is_undecided_and_a_clearly_worse_one_fails(tmp_path: Path) -> None:
    write_world(
        tmp_path, old=HUNDRED, better=swapped(HUNDRED, 80, 0), slightly=swapped(HUNDRED, 40, 50), worse=[5] * 100
    )
    better, slightly, worse = (
        check(tmp_path, "--max-drop", "RR=0.02", run=run) for run in ("better", "slightly", "worse")
    )
    assert [better.code, slightly.code, worse.code] == [0, 0, 1]
    assert [got.out[:4] for got in (better, slightly, worse)] == ["PASS", "????", "FAIL"]
    assert "cannot rule out a loss > 0.02" in slightly.out
    assert "queries would decide it" in slightly.out
    assert "--undecided warn" in slightly.out
    assert ": a loss > 0.02" in worse.out
    assert "query q001 −0.8000" in worse.out


def test_undecided_passes_warns_or_fails_as_it_is_told(tmp_path: Path) -> None:
    write_world(tmp_path, old=HUNDRED, new=swapped(HUNDRED, 40, 50))
    codes = [check(tmp_path, "--max-drop", "RR=0.02", "--undecided", what).code for what in ("pass", "warn", "fail")]
    assert codes == [0, 0, 1]


def test_ordinary_differences_are_decided_by_students_t_and_the_named_number_is_the_published_one(
    tmp_path: Path,
) -> None:
    new = [rank + (1, -1, 2, 1)[place % 4] * (place % 3 > 0) for place, rank in enumerate([3, 4, 5, 6] * 15)]
    write_world(tmp_path, old=[3, 4, 5, 6] * 15, new=[max(rank, 1) for rank in new])
    (rule,) = rules(tmp_path, "--max-drop", "RR=0.001")
    values = [1 / now - 1 / then for now, then in zip(new, [3, 4, 5, 6] * 15, strict=True) if now != then]
    differences = values + [0.0] * (60 - len(values))
    assert 0 < len(values) < 60
    assert rule["difference"] == pytest.approx(sum(differences) / 60)
    assert rule["margin"] == 0.001
    low = t_interval(differences, 0.9).low
    assert low is not None
    # A third of the queries is unchanged, so the bound is at least as low as Student's.
    assert rule["worst_plausible"] < low


def test_without_unchanged_queries_and_skewness_the_bound_is_students(tmp_path: Path) -> None:
    old = [2, 3] * 30
    new = [3, 2] * 29 + [3, 3]
    write_world(tmp_path, old=old, new=new)
    (rule,) = rules(tmp_path, "--max-drop", "RR=0.01")
    differences = [1 / now - 1 / then for now, then in zip(new, old, strict=True)]
    interval = t_interval(differences, 0.9)
    assert rule["worst_plausible"] == pytest.approx(interval.low)
    assert rule["outcome"] == "undecided"
    assert rule["queries_to_decide"] == queries_that_decide(0.01, rule["deviation"])
    assert (
        f"60 queries, s.d. {rule['deviation']:.3g}; ≈{rule['queries_to_decide']} queries would decide it"
        in rule["details"]
    )


def test_queries_are_paired_by_their_ids_whatever_their_order(tmp_path: Path) -> None:
    write_world(tmp_path, old=HUNDRED, new=HUNDRED)
    ranks = {f"q{place:03}": rank for place, rank in reversed(list(enumerate(HUNDRED, 1)))}
    write_run(tmp_path / "new", ranks)
    got = check(tmp_path, "--max-drop", "RR=0", "--max-query-drop", "RR=0")
    assert got.code == 0
    assert "identical on all 100 queries" in got.out


@pytest.mark.parametrize("decide", ["point", "no-significant-drop", "non-inferior"])
def test_identical_runs_hold_every_rule_on_drops(tmp_path: Path, decide: str) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    got = check(tmp_path, "--max-drop", "RR=0", "--max-drop", "AP=0%", "--max-query-drop", "RR=0", "--decide", decide)
    assert got.code == 0
    assert "3 passed" in got.out


def test_a_missing_query_counts_as_zero_against_the_run(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    write_run(tmp_path / "new", {f"q{place:03}": rank for place, rank in enumerate(OLD, 1) if place != 3})
    (rule,) = rules(tmp_path, "--max-query-drop", "RR=0.5")
    assert rule["queries"] == 10
    assert rule["worst"] == [{"query": "q003", "before": 1.0, "now": 0.0, "drop": 1.0, "allowed": None}]
    assert rule["outcome"] == "fail"


def test_a_smaller_value_is_better_where_the_measure_says_so(tmp_path: Path) -> None:
    # The score of the relevant document is minus its rank.
    write_world(tmp_path, old=[1, 1, 1], new=[9, 9, 9])
    (rise,) = rules(tmp_path, "--max-drop", "RMSE=0.5")
    assert rise["difference"] > 0
    assert rise["outcome"] == "fail"
    assert rise["found"].endswith(": a rise > 0.5")
    (fall,) = rules(tmp_path, "--max-drop", "RMSE=0.5", "--decide", "point")
    assert fall["outcome"] == "fail"
    back = call(tmp_path, "check", "--quiet", "qrels", "old", "--baseline", "new", "--max-drop", "RMSE=0.5")
    assert back.code == 0


def test_a_measure_that_is_no_mean_of_queries_is_compared_by_its_values_and_that_is_said(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=OLD[::-1])
    (rule,) = rules(tmp_path, "--max-drop", "GMAP=0.01")
    assert rule["decided_by"] == "point"
    assert "GMAP is no mean over queries" in rule["details"][0]
    # Its values of queries are logarithms.
    assert rule["worst"] == []


def test_point_compares_means_and_a_drop_of_exactly_the_margin_holds(tmp_path: Path) -> None:
    # P@1 falls from .6 to .5, by 0.09999999999999998.
    write_world(tmp_path, old=OLD, new=[2, *OLD[1:]])
    assert check(tmp_path, "--max-drop", "P@1=0.1", "--decide", "point").code == 0
    got = check(tmp_path, "--max-drop", "P@1=0.0999", "--decide", "point")
    assert got.code == 1
    assert "Δ −0.1000 (0.6000 → 0.5000): a loss > 0.0999" in got.out
    assert check(tmp_path, "--max-query-drop", "RR=0.5").code == 0


def test_a_share_is_of_the_baselines_value(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=[2, *OLD[1:]])
    (rule,) = rules(tmp_path, "--max-drop", "P@1=20%", "--decide", "point")
    assert rule["margin"] == pytest.approx(0.12)
    assert rule["outcome"] == "pass"
    got = check(tmp_path, "--max-drop", "P@1=10%", "--decide", "point")
    assert ": a loss > 0.06 (10% of 0.6000)" in got.out


def test_tests_for_a_significant_drop_are_corrected_together(tmp_path: Path) -> None:
    new = [rank + 1 if place % 5 == 0 else rank for place, rank in enumerate(HUNDRED)]
    write_world(tmp_path, old=HUNDRED, new=new)
    single = rules(tmp_path, "--max-drop", "RR=0", "--decide", "no-significant-drop")
    both = rules(tmp_path, "--max-drop", "RR=0", "--max-drop", "P@1=0", "--decide", "no-significant-drop")
    differences = [1 / now - 1 / then for now, then in zip(new, HUNDRED, strict=True)]
    assert single[0]["p"] == pytest.approx(t_test(differences, "less").p)
    assert both[0]["p"] == pytest.approx(2 * single[0]["p"])
    assert "Holm over 2 tests" in both[0]["found"]
    assert single[0]["outcome"] == "fail"


def test_a_drop_that_is_not_significant_passes_that_rule_with_a_warning_and_not_the_other(tmp_path: Path) -> None:
    write_world(tmp_path, old=HUNDRED, new=swapped(HUNDRED, 40, 50))
    (naive,) = rules(tmp_path, "--max-drop", "RR=0.02", "--decide", "no-significant-drop")
    assert naive["outcome"] == "pass"
    assert "not significant is not equal" in naive["details"][0]
    (honest,) = rules(tmp_path, "--max-drop", "RR=0.02")
    assert honest["outcome"] == "undecided"


def test_every_rule_must_hold_by_itself(tmp_path: Path) -> None:
    write_world(tmp_path, old=HUNDRED, new=swapped(HUNDRED, 40, 50))
    got = check(tmp_path, "--max-drop", "RR=0.02", "--max-drop", "RR=0.5", "--undecided", "fail")
    assert "1 undecided, 1 passed" in got.out
    assert got.code == 1


def test_the_width_of_a_bound_must_not_rise_and_is_decided_by_queries(tmp_path: Path) -> None:
    # Documents above the relevant one are unjudged, so that a lower rank widens what is unknown.
    write_world(tmp_path, old=[1, 2] * 20, new=[3, 4] * 20)
    (rule,) = rules(tmp_path, "--max-drop", "RBP(bound=width)=0.02")
    assert rule["decided_by"] == "non-inferior"
    assert rule["difference"] > 0.02
    assert rule["worst_plausible"] > 0
    assert rule["outcome"] == "fail"
    (back,) = rules(tmp_path, "--max-drop", "RBP(bound=width)=0.02", run="old", baseline="new")
    assert back["difference"] < 0
    assert back["outcome"] == "pass"


def test_one_query_decides_nothing(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1], new=[2])
    got = check(tmp_path, "--max-drop", "RR=0.02", "--undecided", "fail")
    assert got.code == 1
    assert "on a single query, which decides nothing" in got.out


def test_runs_without_a_common_query_are_no_pass(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    write_run(tmp_path / "old", {"q001": 1, "q002": 1})
    write_run(tmp_path / "new", {"q003": 1, "q004": 1})
    got = check(tmp_path, "--max-drop", "RR=0.02", "--missing", "skip")
    assert (got.code, got.out) == (3, "")
    assert "no query with RR in common" in got.err
    write_run(tmp_path / "new", {"x1": 1})
    assert check(tmp_path, "--max-drop", "RR=0.02").code == 3


def test_fewer_paired_queries_are_told(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    write_run(tmp_path / "old", {f"q{place:03}": rank for place, rank in enumerate(OLD, 1) if place < 8})
    got = call(
        tmp_path, "check", "qrels", "new", "--baseline", "old", "--max-drop", "RR=0.02", "--missing", "skip"
    )  # fmt: skip
    assert "new: 7 of 10 queries compared with the baseline" in got.err


def test_all_lost_queries_that_break_a_rule_are_counted_and_the_worst_are_named(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1] * 9, new=[2, 3, 4, 5, 6, 7, 8, 1, 1])
    got = check(tmp_path, "--max-query-drop", "RR=0.6")
    assert got.code == 1
    assert "q007 −0.8750 (1.0000 → 0.1250), and 5 further queries" in got.out
    assert "q007 −0.8750, q006 −0.8571, q005 −0.8333, q004 −0.8000, q003 −0.7500" in got.out
