"""The suites and rules that the gate takes from a configuration file."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from irevalcli.analysis.gate.parsing import Terms
from irevalcli.analysis.gate.rules import Allowance, GateRule
from irevalcli.config.configuration import load_configuration
from irevalcli.config.gate_suites import Suite, suites_of
from irevalcli.errors import UsageProblem


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def suites(text: str, terms: Terms | None = None) -> tuple[Suite, ...]:
    Path("irevalcli.toml").write_text(text, encoding="utf-8")
    return suites_of(load_configuration(), terms or Terms())


def rule(text: str, terms: Terms | None = None) -> GateRule:
    """The one rule that these keys make."""
    ((found,),) = [suite.rules for suite in suites(f"[[check.rules]]\n{text}", terms)]
    return found


def test_the_example_of_the_documentation_makes_the_rules_that_it_says() -> None:
    Path("pyproject.toml").write_text(
        """
[tool.irevalcli]
qrels    = "eval/dl20.qrels"
measures = ["nDCG@10", "AP(rel=2)", "R(rel=2)@1000"]
missing  = "zero"

[tool.irevalcli.check]
baseline  = "eval/baseline.json"
undecided = "warn"

[[tool.irevalcli.check.rules]]
measure = "nDCG@10"
min     = 0.80

[[tool.irevalcli.check.rules]]
measure  = "AP(rel=2)"
max-drop = 0.02
decide   = "non-inferior"
level    = "error"

[[tool.irevalcli.check.rules]]
measure        = "nDCG@10"
max-query-drop = 0.25
allow          = { queries = ["169208"], reason = "ambiguous topic, ISSUE-12", until = 2027-03-01 }
""",
        encoding="utf-8",
    )
    (suite,) = suites_of(load_configuration())
    assert (suite.name, suite.qrels, suite.baseline) == ("", "eval/dl20.qrels", "eval/baseline.json")
    assert suite.measures == ("nDCG@10", "AP(rel=2)", "R(rel=2)@1000")
    assert [(rule.kind, rule.limit, rule.decide, rule.origin) for rule in suite.rules] == [
        ("bound", 0.8, "auto", "pyproject.toml:11"),
        ("max-drop", 0.02, "non-inferior", "pyproject.toml:15"),
        ("max-query-drop", 0.25, "auto", "pyproject.toml:21"),
    ]
    allowed = Allowance((b"169208",), "ambiguous topic, ISSUE-12", dt.date(2027, 3, 1))
    assert suite.rules[2].allow == (allowed,)


@pytest.mark.parametrize(
    ("text", "kind", "relation", "limit", "relative"),
    [
        ("measure = 'AP'\nmin = 0.2", "bound", ">=", 0.2, False),
        ("measure = 'AP'\nmax = 0.9", "bound", "<=", 0.9, False),
        ("measure = 'AP'\nmax-drop = 0", "max-drop", ">=", 0, False),
        ("measure = 'AP'\nmax-drop = '2%'", "max-drop", ">=", 0.02, True),
        ("measure = 'AP'\nmax-query-drop = 0.25", "max-query-drop", ">=", 0.25, False),
        ("min-judged = '10=0.95'", "min-judged", ">=", 0.95, False),
        ("max-missing = 2", "max-missing", "<=", 2, False),
    ],
)
def test_every_demand_makes_a_rule(text: str, kind: str, relation: str, limit: float, relative: bool) -> None:
    found = rule(text)
    assert (found.kind, found.relation, found.limit, found.relative) == (kind, relation, limit, relative)
    assert found.origin == "irevalcli.toml:1"


def test_what_a_rule_does_not_say_is_taken_from_the_terms() -> None:
    terms = Terms(relevance=2, decide="point", alpha=0.1, level="warn")
    plain = rule("measure = 'AP'\nmax-drop = 0.1", terms)
    assert (plain.decide, plain.alpha, plain.level) == ("point", 0.1, "warn")
    assert plain.measure is not None
    assert plain.measure.spec.name == "AP(rel=2)"
    own = rule("measure = 'AP(rel=1)'\nmax-drop = 0.1\ndecide = 'auto'\nalpha = 0.2\nlevel = 'off'", terms)
    assert (own.decide, own.alpha, own.level) == ("auto", 0.2, "off")
    assert own.measure is not None
    assert own.measure.spec.name == "AP"


def test_a_rule_may_have_several_exceptions() -> None:
    allow = "allow = [{queries = ['1', 'é'], reason = 'x'}, {queries = ['007'], reason = 'y', until = 2030-01-31}]"
    found = rule(f"measure = 'AP'\nmax-query-drop = 0.1\n{allow}")
    assert found.allow == (
        Allowance((b"1", "é".encode()), "x", None),
        Allowance((b"007",), "y", dt.date(2030, 1, 31)),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("measure = 'nDGC@10'\nmin = 0.1", "irevalcli.toml:1: unknown measure 'nDGC@10'"),
        ("measure = 'AP'\nmin = 80", "irevalcli.toml:1: AP lies between 0 and 1, so 80 decides nothing"),
        ("measure = 'AP'\nmax-drop = '2 of'", "max-drop is '2 of'; expected is a number"),
        ("measure = 'AP'\nmax-drop = '200%'", "irevalcli.toml:1: a drop of 200%"),
        ("min-judged = '0.95'", "irevalcli.toml:1: '0.95' has no limit behind a ="),
        ("measure = 'relstring'\nmin = 0.1", "irevalcli.toml:1: relstring has no number"),
    ],
)
def test_a_rule_that_cannot_be_is_an_error_with_its_line(text: str, said: str) -> None:
    with pytest.raises(UsageProblem) as caught:
        rule(text)
    assert said in caught.value.message


def test_a_suite_has_its_own_values_and_takes_the_others_from_above() -> None:
    first, second = suites(
        """
qrels = "top.qrels"
measures = ["AP"]
[check]
baseline = "base.run"
runs = ["a.run", "b=out/b.run"]
[[check.rules]]
max-missing = 0
[[suite]]
name = "first"
[[suite]]
name = "second"
qrels = "second.qrels"
baseline = "second.json"
runs = ["c.run"]
measures = ["RR"]
[[suite.rules]]
measure = "RR"
min = 0.5
[[suite.rules]]
measure = "RR"
max-drop = 0.1
"""
    )
    assert first[:5] == ("first", "top.qrels", "base.run", ("a.run", "b=out/b.run"), ("AP",))
    assert [rule.kind for rule in first.rules] == ["max-missing"]
    assert second[:5] == ("second", "second.qrels", "second.json", ("c.run",), ("RR",))
    assert [(rule.kind, rule.origin) for rule in second.rules] == [
        ("bound", "irevalcli.toml:17"),
        ("max-drop", "irevalcli.toml:20"),
    ]
    assert (first.origin, second.origin) == ("irevalcli.toml:9", "irevalcli.toml:11")


def test_two_suites_cannot_have_one_name() -> None:
    with pytest.raises(UsageProblem, match=r"irevalcli\.toml:1: 2 suites are called x"):
        suites("[[suite]]\nname = 'x'\n[[suite]]\nname = 'x'")


def test_without_a_file_there_is_one_empty_suite() -> None:
    assert suites_of(load_configuration()) == (Suite("", "", "", (), (), (), ""),)


def test_paths_are_relative_to_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
qrels = "q"
queries = "@hard.txt"
plugins = ["p.py"]
[check]
baseline = "../b.run"
runs = ["a.run", "n=b.run", "/abs/c.run", "-", "x=1.run"]
"""
    (tmp_path / "irevalcli.toml").write_text(text, encoding="utf-8")
    (tmp_path / "x=1.run").touch()
    (tmp_path / "part").mkdir()
    monkeypatch.chdir(tmp_path / "part")
    found = load_configuration()
    (suite,) = suites_of(found)
    assert suite[1:4] == ("../q", "../../b.run", ("../a.run", "n=../b.run", "/abs/c.run", "-", "../x=1.run"))
    assert (found.top.get("queries"), found.top.get("plugins")) == ("@../hard.txt", ["../p.py"])
    named = load_configuration(str(tmp_path / "irevalcli.toml"))
    assert suites_of(named)[0].qrels == f"{tmp_path}/q"
    (tmp_path / "irevalcli.toml").write_text('queries = "1,@2"', encoding="utf-8")
    assert load_configuration().top.get("queries") == "1,@2"
