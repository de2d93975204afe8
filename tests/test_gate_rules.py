"""Rules on the command line: what is understood, and what is refused with a suggestion instead of passed."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from calls import call
from gate_files import OLD, write_world

from irevalcli.analysis.gate.parsing import (
    Terms,
    bound,
    bound_rule,
    max_drop,
    max_drop_rule,
    max_missing_rule,
    max_query_drop_rule,
    min_judged,
    min_judged_rule,
)
from irevalcli.analysis.gate.rules import Allowance
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.analysis.gate.rules import Decide


@pytest.mark.parametrize(
    ("text", "relation", "limit", "words"),
    [
        ("nDCG@10 >= 0.80", ">=", 0.8, "nDCG@10 ≥ 0.80"),
        ("AP(rel=2)>.3", ">", 0.3, "AP(rel=2) > .3"),
        ("map ≥ 2e-1", ">=", 0.2, "AP ≥ 2e-1"),
        ("  RMSE<=3 ", "<=", 3.0, "RMSE ≤ 3"),
        ("nDCG(gains={1:1,2:5})@10 < 0.9", "<", 0.9, "nDCG(gains={1:1,2:5})@10 < 0.9"),
    ],
)
def test_a_bound_is_measure_relation_and_limit(text: str, relation: str, limit: float, words: str) -> None:
    rule = bound_rule(text, "--assert")
    assert (rule.kind, rule.relation, rule.limit, rule.text) == ("bound", relation, limit, words)
    assert (rule.origin, rule.level, rule.decide, rule.alpha) == ("--assert", "error", "auto", 0.05)


def test_a_drop_is_in_units_of_the_measure_or_a_share_of_the_baseline() -> None:
    absolute, share = max_drop_rule("AP(rel=2)=0.02", "x"), max_drop_rule("nDCG@10=2%", "x")
    assert (absolute.limit, absolute.relative, absolute.text) == (0.02, False, "AP(rel=2) within 0.02 of baseline")
    assert (share.limit, share.relative, share.text) == (0.02, True, "nDCG@10 within 2% of baseline")
    assert max_query_drop_rule("nDCG@10=0.25", "x").text == "no query loses more than 0.25 nDCG@10"
    assert max_drop_rule("GMAP=0.01", "x").limit == 0.01
    assert max_drop_rule("AP=-0.0", "x").text == "AP within 0.0 of baseline"
    assert max_drop_rule("AP=-0%", "x").text == "AP within 0% of baseline"


def test_judged_documents_and_missing_queries_have_rules_of_their_own() -> None:
    rule = min_judged_rule("10=0.95", "x")
    assert rule.measure is not None
    assert (rule.measure.spec.name, rule.relation, rule.limit, rule.text) == (
        "Judged@10",
        ">=",
        0.95,
        "Judged@10 ≥ 0.95",
    )
    assert min_judged_rule("10=95%", "x").limit == 0.95
    assert max_missing_rule("0", "x").text == "coverage = 100%"
    assert max_missing_rule(1, "x").text == "at most 1 judged query missing"


def test_parts_make_the_same_rules_as_texts() -> None:
    assert bound("AP", ">=", 0.3, "x") == bound_rule("AP >= 0.3", "x")
    assert max_drop("AP", 0.02, "x") == max_drop_rule("AP=0.02", "x")
    assert max_drop("AP", "2%", "x") == max_drop_rule("AP=2%", "x")
    assert min_judged(10, 0.9, "x") == min_judged_rule("10=0.9", "x")


def test_the_level_of_relevance_goes_into_measures_that_name_none() -> None:
    rule = max_drop_rule("AP=0.02", "x", Terms(relevance=2))
    assert rule.measure is not None
    assert rule.measure.spec.name == "AP(rel=2)"


WRONG = [
    ("--assert", "nDCG@10 = 0.8", "has none of >=, >, <= and <"),
    ("--assert", "nDCG@10 >= 80", "lies between 0 and 1, so 80 decides nothing; did you mean 0.8?"),
    ("--assert", "AP >= -1", "so -1 decides nothing"),
    ("--assert", "AP >= 0", "so ≥ 0 always holds"),
    ("--assert", "AP <= 1.0", "so ≤ 1.0 always holds"),
    ("--assert", "nDCG@10 > 1", "so > 1 never holds"),
    ("--assert", "nDCG@10 => 0.8", "did you mean >=?"),
    ("--assert", "nDCG@10 =< 0.8", "did you mean <=?"),
    ("--assert", "AP >= 0,3", "decimal point, not comma: 0.3"),
    ("--assert", "AP >= nan", "'nan' is not a number"),
    ("--assert", ">= 0.3", "a measure is missing"),
    ("--assert", "ndgc@10 >= 0.3", "did you mean nDCG@10?"),
    ("--assert", "AP(relevance=2) >= 0.3", "did you mean rel?"),
    ("--assert", "map,P.10 >= 0.3", "stands for 2 measures"),
    ("--assert", "URisk >= 0", "compares runs with each other"),
    ("--assert", "relstring.5 >= 0", "has no number for a run"),
    ("--max-drop", "AP(rel=2)", "has no limit behind a ="),
    ("--max-drop", "nDCG@10=2", "did you mean 2%?"),
    ("--max-drop", "nDCG@10=-0.1", "a limit is 0 or more"),
    ("--max-drop", "nDCG@10=100%", "a share lies between 0% and 100%"),
    ("--max-drop", "NumRet=5", "has no better direction"),
    ("--max-query-drop", "GMAP=0.1", "has no value for a single query"),
    ("--max-query-drop", "AP=5%", "a limit in units of the measure"),
    ("--min-judged", "10=95", "a share lies between 0 and 1"),
    ("--min-judged", "ten=0.9", "is no cutoff"),
    ("--min-judged", "10=0%", "a share of 0% always holds"),
]


@pytest.mark.parametrize(("option", "text", "said"), WRONG, ids=[f"{option}-{text}" for option, text, _ in WRONG])
def test_a_rule_that_cannot_be_is_exit_2_with_advice(tmp_path: Path, option: str, text: str, said: str) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    got = call(tmp_path, "check", "qrels", "new", "--baseline", "old", option, text)
    assert (got.code, got.out) == (2, "")
    assert said in got.err
    assert option in got.err


def test_without_rules_there_is_no_verdict(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    got = call(tmp_path, "check", "qrels", "new", "--baseline", "old")
    assert (got.code, got.out) == (2, "")
    assert "there is no rule to check" in got.err
    assert "--assert" in got.err


@pytest.mark.parametrize("rule", ["--max-drop", "--max-query-drop"])
def test_a_rule_on_drops_without_a_baseline_is_exit_2(tmp_path: Path, rule: str) -> None:
    write_world(tmp_path, new=OLD)
    got = call(tmp_path, "check", "qrels", "new", rule, "AP=0.02")
    assert (got.code, got.out) == (2, "")
    assert "compares with a baseline, and there is none" in got.err
    assert "--baseline OLD.run" in got.err


def test_exceptions_and_error_rates_are_checked_where_rules_are_made() -> None:
    allow = (Allowance((b"q1",), "why", date(2030, 1, 1)),)
    with pytest.raises(UsageProblem, match="belong to a rule max-query-drop"):
        max_drop_rule("AP=0.02", "irevalcli.toml:7", Terms(allow=allow))
    with pytest.raises(UsageProblem, match=r"irevalcli\.toml:7: alpha 0\.7"):
        max_drop_rule("AP=0.02", "irevalcli.toml:7", Terms(alpha=0.7))


@pytest.mark.parametrize("decide", ["non-inferior", "no-significant-drop"])
def test_queries_cannot_decide_about_what_is_no_mean_of_theirs(decide: Decide) -> None:
    with pytest.raises(UsageProblem, match=f"no mean over queries, so that {decide} cannot be decided"):
        max_drop_rule("GMAP=0.02", "irevalcli.toml:7", Terms(decide=decide))
