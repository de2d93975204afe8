"""The words that every format of a gate's report shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.notes import counted
from irevalcli.output.difference_text import Signs, signed
from irevalcli.output.id_text import decoded
from irevalcli.output.project_paths import project_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from irevalcli.analysis.gate.rules import Undecided
    from irevalcli.analysis.gate.verdicts import GateReport, Outcome, QueryDrop, RunVerdicts, SuiteReport, Verdict
    from irevalcli.output.github import Kind
    from irevalcli.output.registry import Layout

UNDECIDED: dict[Undecided, str] = {
    "pass": "Undecided rules count as passed (--undecided pass).",
    "warn": "Undecided rules are warnings and do not fail (--undecided warn).",
    "fail": "Undecided rules fail (--undecided fail).",
}
"""What becomes of undecided rules."""

_WRITTEN_AT = re.compile(r"(?P<file>[^-].*):(?P<line>[1-9][0-9]*)", re.DOTALL)


class Place(NamedTuple):
    """Where a rule was written: a file, from the top of the repository, and a line; "" and 0 if it was no file."""

    file: str
    line: int


class Part(NamedTuple):
    """A run of a suite with a name for the two."""

    name: str
    suite: SuiteReport
    run: RunVerdicts


def parts(report: GateReport) -> Iterator[Part]:
    """All runs of all suites. The name is the run's label, behind the suite's name if it has one."""
    for suite in report.suites:
        for run in suite.runs:
            yield Part(f"{suite.name}: {run.label}" if suite.name else run.label, suite, run)


def verdict_words(report: GateReport) -> str:
    """``passed`` or ``failed``, of the whole."""
    return "passed" if report.passed else "failed"


def counts_text(report: GateReport) -> str:
    """``1 failed, 1 undecided, 1 warning, 3 passed``, without those of which there are none."""
    numbers: dict[Outcome, str] = {
        "fail": f"{report.count('fail')} failed",
        "undecided": f"{report.count('undecided')} undecided",
        "warn": counted(report.count("warn"), "warning"),
        "pass": f"{report.count('pass')} passed",
    }
    return ", ".join(text for outcome, text in numbers.items() if report.count(outcome)) or "no rules"


def undecided_text(report: GateReport) -> str:
    """What became of the undecided rules; "" if there are none, or none that could fail."""
    undecided = (verdict for verdict in report.verdicts if verdict.outcome == "undecided")
    return UNDECIDED[report.undecided] if any(verdict.rule.level == "error" for verdict in undecided) else ""


def severity(report: GateReport, verdict: Verdict) -> Kind | None:
    """How loud a verdict is: ``error`` if it stops the change, down to ``notice``; None if the rule holds."""
    if report.stops(verdict):
        return "error"
    if verdict.outcome == "undecided" and report.undecided == "pass":
        return "notice"
    return None if verdict.outcome == "pass" else "warning"


def rule_names(verdicts: Sequence[Verdict]) -> list[str]:
    """The texts of the rules, numbered where the same text comes again."""
    seen: dict[str, int] = {}
    names = []
    for verdict in verdicts:
        text = verdict.rule.text
        seen[text] = number = seen.get(text, 0) + 1
        names.append(text if number == 1 else f"{text} ({number})")
    return names


def place_of(verdict: Verdict) -> Place:
    """Where the rule was written, if that is a line of a file."""
    found = _WRITTEN_AT.fullmatch(verdict.rule.origin)
    return Place(project_path(found["file"]), int(found["line"])) if found else Place("", 0)


def lost_text(verdict: Verdict, layout: Layout) -> str:
    """``lost most: query 135802 −0.2627, …``; "" if no query lost, or the rule holds."""
    if verdict.outcome == "pass" or not verdict.worst:
        return ""
    listed = (
        f"{decoded(lost.qid)} {change_text(lost, layout)}{' (allowed)' * bool(lost.allowed)}" for lost in verdict.worst
    )
    return f"{'lost most' if len(verdict.worst) > 1 else 'lost'}: query {', '.join(listed)}"


def change_text(lost: QueryDrop, layout: Layout) -> str:
    """By how much a query changed, run − baseline, with its sign."""
    return signed(lost.now - lost.before, layout, Signs.of(unicode=layout.unicode))


def notes_of(part: Part) -> list[str]:
    """What should be known about judgments, baseline and run, a line each."""
    notes = (*part.suite.notes, *part.run.notes)
    return [f"{note.severity}: {note.text}" + (f"  [{note.hint}]" if note.hint else "") for note in notes]


def explained(verdict: Verdict, layout: Layout) -> list[str]:
    """What there is to say beyond what was found, in lines."""
    lost = lost_text(verdict, layout)
    return [*verdict.details, *([lost] if lost else [])]


def explained_together(verdicts: Iterable[Verdict], layout: Layout) -> list[list[str]]:
    """The same for verdicts that are read one after the other: queries that two of them would list stand there once."""
    said: set[str] = set()
    told = []
    for verdict in verdicts:
        told.append([line for line in explained(verdict, layout) if line not in said])
        said.add(lost_text(verdict, layout))
    return told
