"""Every rule of the catalogue is broken by its example, and kept by what it says is better."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from findings import codes, reports

from irevalcli.reading.rules import RULES, Rule

if TYPE_CHECKING:
    from pathlib import Path

OPTIONS = {"RUN016": {"cutoffs": (2,)}, "RUN017": {"limit": 2}, "RUN026": {"preset": "trec"}}
OF_TEXT = [rule for rule in RULES.values() if not rule.example.startswith("$") and rule.code[:3] not in {"PRF", "POP"}]


def broken(folder: Path, rule: Rule, text: str) -> list[str]:
    raw = text.encode("utf-8", "surrogateescape")
    beside = rule.beside.encode() or None
    files = (raw,) if rule.code.startswith("QRL") else (beside, raw)
    return codes(reports(folder, *files, **OPTIONS.get(rule.code, {}))[-1])


def test_few_records_have_no_text_as_their_example() -> None:
    assert {rule.code for rule in RULES.values()} - {rule.code for rule in OF_TEXT} == {
        "INP001", "INP002", "INP003", "INP012",
        "POP001", "POP002", "POP010", "PRF001", "PRF002", "PRF003", "PRF004",
    }  # fmt: skip


@pytest.mark.parametrize("rule", OF_TEXT, ids=lambda rule: rule.code)
def test_the_example_of_a_rule_breaks_it(tmp_path: Path, rule: Rule) -> None:
    assert rule.code in broken(tmp_path, rule, rule.example)


@pytest.mark.parametrize("rule", OF_TEXT, ids=lambda rule: rule.code)
def test_the_better_example_keeps_it(tmp_path: Path, rule: Rule) -> None:
    assert rule.code not in broken(tmp_path, rule, rule.better)
