"""Reports of a gate, made by hand: the example of the design, and ids that some format or other could trip over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli.analysis.gate import parsing
from irevalcli.analysis.gate.verdicts import GateReport, QueryDrop, RunVerdicts, SuiteReport, Verdict
from irevalcli.analysis.scores import Note
from irevalcli.output.gate_formats import render_report
from irevalcli.output.id_text import decoded
from irevalcli.output.registry import Layout

if TYPE_CHECKING:
    from irevalcli.analysis.gate.rules import GateRule, Undecided
    from irevalcli.analysis.gate.verdicts import Outcome

LONG = b"d" * 300
ODD_IDS = (
    b"[x]", b":id:", b"a|b", b'say"so', b"100%", b"snake_case", b"<b>&amp;", b"R&D", b"#12", b"@me", b"a`b``c", b"*x*",
    b"back\\slash", "é世".encode(), b"bad\xff\xfe", b"\x1b[31m", b"::error::x", b"{a=b,c}", b"]]>", b"$x$", LONG,
)  # fmt: skip
"""Ids that some format could take for its own."""

ODD_TEXTS = tuple(map(decoded, ODD_IDS))


def verdict_of(
    rule: GateRule,
    outcome: Outcome,
    found: str,
    *,
    worst: tuple[QueryDrop, ...] = (),
    **facts: Any,  # noqa: ANN401  (the fields of a verdict)
) -> Verdict:
    measure = "" if rule.measure is None else rule.measure.spec.name
    known = dict.fromkeys(Verdict._fields) | {"queries": 54, "decided_by": "", "details": ()} | facts
    return Verdict(**known | {"rule": rule, "outcome": outcome, "measure": measure, "found": found, "worst": worst})


def run_of(
    *verdicts: Verdict, label: str = "colbert", path: str = "runs/colbert.run", follow_up: str = ""
) -> RunVerdicts:
    notes = (Note("warning", "3 judged queries are missing", "--missing skip leaves them out"),)
    return RunVerdicts(label, path, "ab" * 32, verdicts, notes, follow_up)


def suite_of(
    *runs: RunVerdicts, name: str = "", qrels: str = "dl20.qrels", baseline: str = "splade.run"
) -> SuiteReport:
    return SuiteReport(name, qrels, "cd" * 32, baseline, 54, runs, (Note("note", "a note on the qrels"),))


def report_of(*suites: SuiteReport, undecided: Undecided = "warn", command: str = "irevalcli check") -> GateReport:
    return GateReport(suites, undecided, command)


LOST = (
    QueryDrop(b"135802", 0.7492, 0.4865, 0.2627),
    QueryDrop(b"169208", 0.8465, 0.5987, 0.2478, "ambiguous topic, ISSUE-12"),
    QueryDrop(b"332593", 0.5588, 0.3923, 0.1665),
)
FOLLOW_UP = "irevalcli diff dl20.qrels splade.run colbert.run -m nDCG@10"
COMMAND = "irevalcli check dl20.qrels colbert.run --baseline splade.run"


def example(*, undecided: Undecided = "warn") -> GateReport:
    """The report of the design, cli.md §5.5."""
    verdicts = (
        verdict_of(parsing.bound_rule("nDCG@10 >= 0.80", "irevalcli.toml:12"), "pass", "found 0.8352", value=0.8352),
        verdict_of(
            parsing.max_drop_rule("AP(rel=2)=0.02", "--max-drop"),
            "pass", "Δ +0.0241, worst plausible −0.0062 (95%)",
            value=0.7109, baseline=0.6868, difference=0.0241, worst_plausible=-0.0062, margin=0.02, worst=LOST[2:],
            decided_by="non-inferior",
        ),
        verdict_of(
            parsing.max_drop_rule("nDCG@10=0.02", "--max-drop"),
            "undecided", "Δ −0.0009, worst plausible −0.0265: cannot rule out a loss > 0.02",
            value=0.8352, baseline=0.8361, difference=-0.0009, worst_plausible=-0.0265, margin=0.02, deviation=0.112,
            queries_to_decide=195, decided_by="non-inferior",
            details=("54 queries, s.d. 0.112; ≈195 queries would decide it",),
        ),
        verdict_of(
            parsing.max_query_drop_rule("nDCG@10=0.25", "irevalcli.toml:20"),
            "fail", "135802 −0.2627 (0.7492 → 0.4865)", margin=0.25, worst=LOST,
        ),
        verdict_of(
            parsing.min_judged_rule("10=0.95", "--min-judged")._replace(level="warn"),
            "warn", "found 0.9333: new documents are not judged, scores may be too low", value=0.9333,
        ),
        verdict_of(parsing.max_missing_rule("0", "--max-missing"), "pass", "54 of 54", value=0.0),
    )  # fmt: skip
    return report_of(suite_of(run_of(*verdicts, follow_up=FOLLOW_UP)), undecided=undecided, command=COMMAND)


def all_passed() -> GateReport:
    rule = parsing.bound_rule("nDCG@10 >= 0.80", "--assert")
    return report_of(suite_of(run_of(verdict_of(rule, "pass", "found 0.8352", value=0.8352))))


def odd(identifier: bytes) -> GateReport:
    """A failure with the id in every place where one can stand."""
    text = decoded(identifier)
    lost = QueryDrop(identifier, 0.75, 0.5, 0.25, text)
    rule = parsing.max_query_drop_rule("nDCG@10=0.2", f"{text}.toml:3")
    fail = verdict_of(rule, "fail", f"{text} −0.2500 (0.75 → 0.5)", details=(f"detail {text}",), worst=(lost,))
    undecided = verdict_of(parsing.max_drop_rule("AP=0.02", "--max-drop"), "undecided", f"Δ of {text}", difference=-0.0)
    run = run_of(fail, undecided, label=text, path=f"runs/{text}", follow_up=f"irevalcli diff {text}")
    return report_of(suite_of(run, name=text, qrels=text, baseline=text), command=f"irevalcli check '{text}'")


def many(number: int, found: str = "found 0.4") -> GateReport:
    """As many failures, each of another rule."""
    rules = (parsing.bound_rule(f"P@{place} >= 0.5", "--assert") for place in range(1, number + 1))
    return report_of(suite_of(run_of(*(verdict_of(rule, "fail", found) for rule in rules))))


def output(report: GateReport, name: str, layout: Layout | None = None) -> bytes:
    return b"".join(render_report(report, name, layout or Layout()))
