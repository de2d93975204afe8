"""Queries that a rule passes over, with a reason and until a day; rules that are warnings or off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from calls import call
from gate_files import write_world

if TYPE_CHECKING:
    from pathlib import Path

    from calls import Call

TODAY = datetime.now(UTC).astimezone().date()


def check(folder: Path, allow: str = "", level: str = "error", *words: str) -> Call:
    allowed = f"allow = {{ {allow} }}\n" if allow else ""
    (folder / "irevalcli.toml").write_text(
        'qrels = "qrels"\n[check]\nruns = ["new"]\nbaseline = "old"\n[[check.rules]]\nmeasure = "RR"\n'
        f'max-query-drop = 0.3\nlevel = "{level}"\n{allowed}',
        "utf-8",
    )
    return call(folder, "check", "--quiet", *words)


def test_an_allowed_query_may_lose_more_and_that_is_told(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1, 1, 1], new=[1, 4, 1])
    assert check(tmp_path).code == 1
    got = check(tmp_path, 'queries = ["q002"], reason = "ambiguous, ISSUE-12"')
    assert got.code == 0
    assert "query q002 is passed over: ambiguous, ISSUE-12" in got.out


def test_an_exception_holds_on_its_last_day_and_not_after_it(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1, 1, 1], new=[1, 4, 1])
    tomorrow, yesterday = TODAY + timedelta(1), TODAY - timedelta(2)
    allow = 'queries = ["q002"], reason = "ambiguous", until = '
    got = check(tmp_path, f"{allow}{tomorrow.isoformat()}")
    assert got.code == 0
    assert f"query q002 is passed over, until {tomorrow.isoformat()}: ambiguous" in got.out
    ended = check(tmp_path, f"{allow}{yesterday.isoformat()}")
    assert ended.code == 1
    assert f"the exception for query q002 ended on {yesterday.isoformat()} and holds no longer: ambiguous" in ended.out


def test_other_queries_still_break_the_rule(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1, 1, 1], new=[2, 4, 1])
    got = check(tmp_path, 'queries = ["q002"], reason = "ambiguous"')
    assert got.code == 1
    assert "q001 −0.5000 (1.0000 → 0.5000)" in got.out
    assert "q002 −0.7500 (allowed)" in got.out


def test_an_exception_for_a_query_that_is_not_judged_is_told(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1, 1, 1], new=[1, 1, 1])
    got = check(tmp_path, 'queries = ["q002", "q2"], reason = "ambiguous"')
    assert got.code == 0
    assert "an exception names query q2, not among the judged queries" in got.out


def test_a_rule_of_level_warn_warns_and_one_that_is_off_decides_nothing(tmp_path: Path) -> None:
    write_world(tmp_path, old=[1, 1, 1], new=[1, 4, 1])
    warned = check(tmp_path, "", "warn")
    assert warned.code == 0
    assert warned.out.startswith("WARN")
    assert "1 warning" in warned.out
    off = check(tmp_path, "", "off")
    assert (off.code, off.out) == (2, "")
    assert "there is no rule to check: the only one is off" in off.err
    other = check(tmp_path, "", "off", "--assert", "RR >= 0.1")
    assert other.code == 0
    assert other.out.count("PASS") == 1
