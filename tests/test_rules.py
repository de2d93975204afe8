"""The catalogue of rules: complete, without double codes, and all that the package uses."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from irevalcli.reading import rules_input, rules_qrels, rules_run_judged, rules_run_lines
from irevalcli.reading.rules import RULES, Rule

PACKAGE = Path(__file__).resolve().parent.parent / "irevalcli"
CODE = re.compile(r"\b(?:INP|RUN|QRL|PRF|POP)\d{3}\b")
MODULES = (rules_input, rules_qrels, rules_run_judged, rules_run_lines)
RECORDS = [record for module in MODULES for record in vars(module).values() if isinstance(record, Rule)]


def strings(path: Path) -> str:
    """All string constants of a source file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return "\n".join(node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))


def test_no_code_is_given_twice() -> None:
    codes = [record.code for record in RECORDS]
    assert len(codes) == len(set(codes)) == len(RULES)


def test_codes_that_are_fixed_for_good_mean_what_they_always_did() -> None:
    fixed = {
        "RUN002": "score is not a number",
        "RUN010": "duplicate document",
        "RUN011": "rank disagrees with score",
        "RUN020": "no query in common with the qrels",
        "QRL003": "a grade far from the rest",
    }
    assert {code: RULES[code].title for code in fixed} == fixed


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_record_is_complete(rule: Rule) -> None:
    assert CODE.fullmatch(rule.code)
    assert all((rule.title, rule.help, rule.why, rule.found, rule.example, rule.better))
    assert rule.severity in ("error", "warning", "note")
    assert rule.preset_trec in (None, "error", "warning")


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_record_reads_well(rule: Rule) -> None:
    assert not rule.title.endswith(".")
    assert not rule.title[0].isupper()
    assert not rule.help.endswith(".")
    for text in (rule.why, rule.found):
        assert text.endswith(".")
        assert text[0].isupper() or text.startswith(("trec_eval", "irevalcli"))
    for text in (rule.title, rule.help, rule.why, rule.found):
        assert "  " not in text
        assert "\n" not in text


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_the_better_example_is_another_one(rule: Rule) -> None:
    assert rule.better != rule.example
    assert rule.better.endswith("\n")


def test_every_constant_of_the_catalogue_can_be_imported_from_one_module() -> None:
    from irevalcli.reading import rules  # noqa: PLC0415

    named = {name: value for name, value in vars(rules).items() if isinstance(value, Rule)}
    assert {rule.code for rule in named.values()} == set(RULES)
    assert set(named) < set(rules.__all__)


def test_the_package_uses_no_code_without_a_record() -> None:
    used = {code for path in PACKAGE.rglob("*.py") for code in CODE.findall(strings(path))}
    assert used >= {"RUN011", "QRL003"}
    assert used - set(RULES) == set()


def test_other_rules_that_a_record_names_exist() -> None:
    named = {code for rule in RULES.values() for text in rule if isinstance(text, str) for code in CODE.findall(text)}
    assert named - set(RULES) == set()
