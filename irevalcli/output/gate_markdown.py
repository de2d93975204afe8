"""What a gate found, in GitHub's Markdown: the verdict, the rules, the worst queries, details to unfold, the command.

Every piece that is rendered ends where the text may be cut and still be whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli import __version__
from irevalcli.output.gate_text import (
    change_text,
    counts_text,
    explained_together,
    notes_of,
    parts,
    undecided_text,
    verdict_words,
)
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.markdown import code, fenced, literal
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.verdicts import GateReport, QueryDrop, Verdict
    from irevalcli.output.gate_text import Part
    from irevalcli.output.registry import Layout


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """The whole report, whatever the terminal can show."""
    layout = layout._replace(unicode=True, width=None, colour=False)
    yield from map(escaped, _pieces(report, layout))


def _pieces(report: GateReport, layout: Layout) -> Iterator[str]:
    yield f"**The retrieval gate {verdict_words(report)}:** {counts_text(report)}\n"
    undecided = undecided_text(report)
    if undecided:
        yield f"\n{literal(undecided)}\n"
    listed = list(parts(report))
    for part in listed:
        if len(listed) > 1:
            yield f"\n### {code(part.name)}\n"
        yield from _rules(part)
        yield from _worst(part, layout)
        yield _details(part, layout)
    yield f"\nTo reproduce:\n\n{fenced([report.command], 'sh')}" if report.command else ""


def _rules(part: Part) -> Iterator[str]:
    yield "\n| verdict | rule | found |\n|:---|:---|:---|\n"
    for verdict in part.run.verdicts:
        outcome = verdict.outcome if verdict.outcome == "pass" else f"**{verdict.outcome}**"
        yield f"| {outcome} | {literal(verdict.rule.text)} | {code(verdict.found)} |\n"


def _worst(part: Part, layout: Layout) -> Iterator[str]:
    """A table of the queries that lost most, for each measure of which a rule does not hold."""
    shown: dict[str, Verdict] = {}
    for verdict in part.run.verdicts:
        if verdict.outcome != "pass" and verdict.worst:
            shown.setdefault(verdict.measure, verdict)
    for measure, verdict in shown.items():
        yield f"\nQueries that lost most {literal(measure)}:\n"
        excused = any(lost.allowed for lost in verdict.worst)
        yield "\n| query | baseline | now | change |" + (" allowed |" if excused else "")
        yield "\n|:---|---:|---:|---:|" + (":---|\n" if excused else "\n")
        for lost in verdict.worst:
            yield f"| {' | '.join(_cells(lost, layout, excused=excused))} |\n"


def _cells(lost: QueryDrop, layout: Layout, *, excused: bool) -> Iterator[str]:
    form = real_form(layout.digits)
    yield code(decoded(lost.qid))
    yield form(lost.before)
    yield form(lost.now)
    yield change_text(lost, layout)
    if excused:
        yield literal(lost.allowed)


def _details(part: Part, layout: Layout) -> str:
    """Everything else, folded."""
    suite, run = part.suite, part.run
    lines = []
    for verdict, told in zip(run.verdicts, explained_together(run.verdicts, layout), strict=True):
        lines.append(f"{verdict.rule.text}: {verdict.outcome}, {verdict.found}")
        lines += [f"  {line}" for line in told]
        lines.append(f"  rule from: {verdict.rule.origin}")
    lines.append("")
    lines += notes_of(part)
    for name, path, digest in (
        ("qrels", suite.qrels, suite.qrels_sha256),
        ("run", run.path, run.sha256),
        ("baseline", suite.baseline, None),
    ):
        if path:
            lines.append(f"{name}: {path}" + (f" (SHA-256 {digest})" if digest else ""))
    lines.append(f"irevalcli {__version__}")
    if run.follow_up:
        lines.append(f"to see more: {run.follow_up}")
    return f"\n<details><summary>Details</summary>\n\n{fenced(lines, 'text')}\n</details>\n"
