"""What a gate found, as one JSON object with everything that was demanded, measured and decided. Schema 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.analysis.gate.verdicts import OUTCOMES
from irevalcli.output.gate_text import counts_text, verdict_words
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_object import definition
from irevalcli.output.json_text import number, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.rules import GateRule
    from irevalcli.analysis.gate.verdicts import GateReport, RunVerdicts, SuiteReport, Verdict
    from irevalcli.output.registry import Layout

SCHEMA = 1
"""Rises when a reader of the object would have to change."""


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """The object; its upper levels are indented, and a rule stands on one line. Numbers are in full."""
    del layout
    head = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "command": report.command,
        "verdict": verdict_words(report),
        "passed": report.passed,
        "summary": counts_text(report),
        "counts": {outcome: report.count(outcome) for outcome in OUTCOMES},
        "undecided": report.undecided,
        "measures": _measures(report),
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    suites = ",\n".join(_suite(report, suite) for suite in report.suites)
    yield escaped(f'  "suites": [\n{suites}\n  ]\n}}\n' if suites else '  "suites": []\n}\n')


def _measures(report: GateReport) -> list[dict[str, object]]:
    """What a reader must know of each measure that a rule names."""
    asked = {
        verdict.rule.measure.spec.name: verdict.rule.measure for verdict in report.verdicts if verdict.rule.measure
    }
    return [definition(name, measure.spec, measure.given) for name, measure in asked.items()]


def _suite(report: GateReport, suite: SuiteReport) -> str:
    facts: dict[str, Any] = {
        "name": suite.name,
        "qrels": {"path": suite.qrels, "sha256": suite.qrels_sha256, "queries": suite.queries},
        "baseline": suite.baseline or None,
        "notes": [note._asdict() for note in suite.notes],
    }
    lines = [f"      {written(key)}: {written(value)}" for key, value in facts.items()]
    runs = ",\n".join(_run(report, run) for run in suite.runs)
    lines.append(f'      "runs": [\n{runs}\n      ]' if runs else '      "runs": []')
    return "    {\n" + ",\n".join(lines) + "\n    }"


def _run(report: GateReport, run: RunVerdicts) -> str:
    facts: dict[str, Any] = {
        "label": run.label,
        "path": run.path,
        "sha256": run.sha256,
        "passed": not any(map(report.stops, run.verdicts)),
        "notes": [note._asdict() for note in run.notes],
        "follow_up": run.follow_up or None,
    }
    lines = [f"          {written(key)}: {written(value)}" for key, value in facts.items()]
    rules = ",\n".join(f"            {written(_verdict(report, verdict))}" for verdict in run.verdicts)
    lines.append(f'          "rules": [\n{rules}\n          ]' if rules else '          "rules": []')
    return "        {\n" + ",\n".join(lines) + "\n        }"


def _verdict(report: GateReport, verdict: Verdict) -> dict[str, object]:
    numbers = {
        name: None if value is None else number(value)
        for name, value in (
            ("value", verdict.value),
            ("baseline", verdict.baseline),
            ("difference", verdict.difference),
            ("worst_plausible", verdict.worst_plausible),
            ("margin", verdict.margin),
            ("deviation", verdict.deviation),
            ("p", verdict.p),
        )
    }
    return {
        "outcome": verdict.outcome,
        "stops": report.stops(verdict),
        **_rule(verdict.rule, verdict.measure),
        **numbers,
        "queries": verdict.queries,
        "queries_to_decide": verdict.queries_to_decide,
        "decided_by": verdict.decided_by or None,
        "found": verdict.found,
        "details": list(verdict.details),
        "worst": [
            {
                "query": decoded(lost.qid),
                "before": number(lost.before),
                "now": number(lost.now),
                "drop": number(lost.drop),
                "allowed": lost.allowed or None,
            }
            for lost in verdict.worst
        ],
    }


def _rule(rule: GateRule, measure: str) -> dict[str, object]:
    return {
        "rule": rule.text,
        "kind": rule.kind,
        "measure": measure or None,
        "relation": rule.relation,
        "limit": number(rule.limit),
        "relative": rule.relative,
        "decide": rule.decide,
        "alpha": rule.alpha,
        "level": rule.level,
        "origin": rule.origin,
        "allow": [
            {
                "queries": [decoded(qid) for qid in allowance.queries],
                "reason": allowance.reason,
                "until": None if allowance.until is None else allowance.until.isoformat(),
            }
            for allowance in rule.allow
        ],
    }
