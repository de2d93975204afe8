"""What a gate found, in JUnit's XML: a suite for each run, a case for each rule, its class the measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli import __version__
from irevalcli.output.gate_text import explained, notes_of, parts, place_of, rule_names, severity
from irevalcli.output.junit import Case, Suite, junit_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.verdicts import GateReport, Verdict
    from irevalcli.output.gate_text import Part
    from irevalcli.output.github import Kind
    from irevalcli.output.junit import Outcome
    from irevalcli.output.registry import Layout

_WITHOUT_MEASURE = "coverage"
"""The class of rules that measure nothing but which queries there are."""

_OUTCOMES: dict[Kind | None, Outcome] = {"error": "failed", "warning": "skipped", "notice": "passed", None: "passed"}


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """The document.

    A rule that stops the change is a failure. JUnit has no word for a warning: a breach that is only told, and an
    undecided rule unless it counts as passed, are skipped with a message, so that they are seen and break nothing.
    """
    suites = [_suite(report, part, layout) for part in parts(report)]
    yield junit_xml("irevalcli check", suites, nothing="no rules")


def _suite(report: GateReport, part: Part, layout: Layout) -> Suite:
    suite, run = part.suite, part.run
    properties = {
        "irevalcli.version": __version__,
        "command": report.command,
        "qrels": suite.qrels,
        "qrels.sha256": suite.qrels_sha256,
        "run": run.path,
        "run.sha256": run.sha256,
        "baseline": suite.baseline,
        "undecided": report.undecided,
    }
    names = rule_names(run.verdicts)
    cases = [_case(report, verdict, name, layout) for verdict, name in zip(run.verdicts, names, strict=True)]
    output = notes_of(part)
    if run.follow_up:
        output.append(f"details: {run.follow_up}")
    given = [(key, value) for key, value in properties.items() if value]
    return Suite(part.name, cases, given, "\n".join(output))


def _case(report: GateReport, verdict: Verdict, name: str, layout: Layout) -> Case:
    place = place_of(verdict)
    return Case(
        verdict.measure or _WITHOUT_MEASURE,
        name,
        _OUTCOMES[severity(report, verdict)],
        f"{verdict.outcome}: {verdict.found}",
        _reason(verdict, layout),
        place.file,
        place.line,
    )


def _reason(verdict: Verdict, layout: Layout) -> str:
    """Found, expected, why, and where the rule comes from, in lines."""
    found = f"found: {verdict.found.removeprefix('found ')}"
    why = [f"why: {line}" for line in explained(verdict, layout)]
    return "\n".join([found, f"expected: {verdict.rule.text}", *why, f"rule from: {verdict.rule.origin}"])
