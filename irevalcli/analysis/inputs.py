"""Loading judgments and runs strictly: what is wrong becomes one InputProblem, what is odd becomes notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.scores import Note
from irevalcli.errors import Finding, InputProblem, UsageProblem
from irevalcli.index.qrels import QRELS_FORMATS, QrelsRules, read_qrels
from irevalcli.index.scan import RunRules
from irevalcli.index.stream import read_run
from irevalcli.reading.faults import MOST_FAULTS, first_fields, locate, looks_like_qrels, looks_like_run, quoted
from irevalcli.reading.opening import STDIN, Source
from irevalcli.reading.rules import NO_DATA, RUN_DUPLICATE, RUN_NO_COMMON

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.stream import RunReport

EXAMPLES = 3
"""How many ids a message names."""


class LoadedQrels(NamedTuple):
    """Judgments with what was noticed about their file."""

    judgments: Judgments
    notes: tuple[Note, ...]
    sha256: str | None


class LoadedRun(NamedTuple):
    """A ranking with what was noticed about its file."""

    ranking: Ranking
    report: RunReport
    notes: tuple[Note, ...]
    sha256: str | None


def load_qrels(path: str, *, layout: str = "qrels", digest: bool = False) -> LoadedQrels:
    """The judgments of a file.

    Args:
        path: the file, or ``-``.
        layout: name of a `QrelsFormat`.
        digest: also compute the file's SHA-256.

    Raises:
        InputProblem: the file is unreadable, malformed, contradicts itself, or has no judgment.
    """
    source = Source(path)
    judgments, report = read_qrels(source, QrelsRules(QRELS_FORMATS[layout]))
    if judgments is None:
        raise _faulty(source.name, report.faults)
    if not judgments.num_queries:
        raise InputProblem.of(Finding(NO_DATA.code, "no judgments in the file", source.name))
    notes = []
    if report.encoding_note:
        notes.append(Note("note", f"{source.name} {report.encoding_note}"))
    if report.repeated:
        judged = _counted(report.repeated, "judgment")
        notes.append(Note("warning", f"{source.name}: {judged} repeated with the same grade; each document counts once"))
    if report.subtopics and layout == "qrels":
        documents = _counted(report.subtopics, "document")
        notes.append(
            Note("note", f"{source.name}: {documents} judged for several sub-topics (column 2); the highest grade counts")
        )
    sha256 = source.sha256() if digest else None
    source.close()
    return LoadedQrels(judgments, tuple(notes), sha256)


def load_run(path: str, judgments: Judgments, rules: RunRules = RunRules(), *, digest: bool = False) -> LoadedRun:
    """A run joined with the judgments.

    Args:
        path: the file, or ``-``.
        judgments: what to join with.
        rules: how to read and to put in order; strict.
        digest: also compute the file's SHA-256.

    Raises:
        InputProblem: the file is unreadable or malformed, lists a document twice for a query, has no line, or no query in
            common with the judgments.
    """
    source = Source(path)
    ranking, report = read_run(source, judgments, rules)
    name = source.name
    if report.faults:
        raise _faulty(name, report.faults)
    if not report.rows:
        raise InputProblem.of(Finding(NO_DATA.code, f"no results in {name}", name))
    if report.duplicates:
        raise _duplicates(source, judgments, report)
    if not ranking.answered.any():
        raise _nothing_in_common(name, judgments, report)
    sha256 = source.sha256() if digest else None
    source.close()
    return LoadedRun(ranking, report, _run_notes(name, report), sha256)


def refuse_swapped(qrels: str, runs: list[str]) -> None:
    """Nothing, or the complaint that qrels and a run stand in each other's place; both must look it.

    Raises:
        UsageProblem: with the call that was probably meant.
    """
    run = runs[0]
    if STDIN in (qrels, run):
        return
    try:
        first, second = first_fields(qrels), first_fields(run)
    except InputProblem:
        return
    if looks_like_run(first) and looks_like_qrels(second):
        width = max(len(qrels), len(run))
        raise UsageProblem(
            "the arguments look swapped",
            hints=(
                f"{qrels:<{width}}   {len(first)} columns: a run",
                f"{run:<{width}}   {len(second)} columns: relevance judgments",
                f"try: irevalcli evaluate {run} {qrels}",
            ),
        )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _faulty(name: str, faults: list[Finding]) -> InputProblem:
    shown = tuple(faults[:MOST_FAULTS])
    more = f"{len(shown)} or more faults" if len(shown) == MOST_FAULTS else _counted(len(shown), "fault")
    return InputProblem(f"{name} cannot be used: {more}", findings=shown)


def _duplicates(source: Source, judgments: Judgments, report: RunReport) -> InputProblem:
    """The problem of documents listed twice, located by reading the run again."""
    pairs = {(judgments.qids[duplicate.query], duplicate.docid) for duplicate in report.duplicates[:MOST_FAULTS]}
    findings = []
    for (qid, docid), places in locate(source, pairs).items():
        first, *others = places
        for line, field in others:
            message = f"duplicate document {quoted(docid)} for query {quoted(qid)}"
            expected = f"first at line {first.line.number}"
            findings.append(line.finding(RUN_DUPLICATE, message, source.name, at=field, expected=expected))
    findings.sort(key=lambda finding: finding.line)
    total = len(report.duplicates)
    queries = len({duplicate.query for duplicate in report.duplicates})
    message = f"{source.name} lists {_counted(total, 'document')} twice, in {queries} of its queries"
    hints = ("a ranking has no place for a document twice; keep one line for each query and document",)
    return InputProblem(message, findings=tuple(findings[:MOST_FAULTS]), hints=hints)


def _nothing_in_common(name: str, judgments: Judgments, report: RunReport) -> InputProblem:
    theirs = [quoted(qid) for qid in report.unknown_examples[:EXAMPLES]]
    ours = [quoted(qid) for qid in judgments.qids[:EXAMPLES]]
    hints = [f"queries of the run: {', '.join(theirs)}, …", f"queries of the qrels: {', '.join(ours)}, …"]
    likely = _likely_cause(report.unknown_examples, set(judgments.qids))
    if likely:
        hints.append(likely)
    finding = Finding(RUN_NO_COMMON.code, "no query in common with the qrels", name)
    return InputProblem(f"{name}: no query in common with the qrels", findings=(finding,), hints=tuple(hints))


def _likely_cause(unknown: list[bytes], known: set[bytes]) -> str:
    """A guess why ids differ, or ""."""
    plain = {qid.lstrip(b"0"): qid for qid in known}
    for qid in unknown:
        other = plain.get(qid.lstrip(b"0"))
        if other is not None and other != qid:
            return f"{quoted(qid)} and {quoted(other)} differ only by leading zeros; ids are compared exactly"
    return ""


def _run_notes(name: str, report: RunReport) -> tuple[Note, ...]:
    notes = []
    if report.encoding_note:
        notes.append(Note("note", f"{name} {report.encoding_note}"))
    if report.not_utf8:
        notes.append(Note("warning", f"{name} is not valid UTF-8; ids are compared byte for byte"))
    if len(report.tags) > 1:
        shown = ", ".join(quoted(tag) for tag in report.tags[:EXAMPLES]) + (", …" if len(report.tags) > EXAMPLES else "")
        notes.append(Note("warning", f"{name}: {len(report.tags)} run tags in one file ({shown}); is it one run?"))
    if report.infinite:
        notes.append(Note("note", f"{name}: {_counted(report.infinite, 'infinite score')}, ranked first (inf) or last (-inf)"))
    if report.extra:
        notes.append(Note("note", f"{name}: {_counted(report.extra, 'line')} with more than 6 fields; the rest was ignored"))
    if report.self_retrieved:
        dropped = _counted(report.self_retrieved, "document")
        notes.append(Note("note", f"{name}: {dropped} with the id of the query left out (--exclude-self)"))
    if report.tied_rows:
        ties = _counted(report.tied_rows, "score tie")
        notes.append(Note("note", f"{name}: {ties}; broken by document id, descending, as trec_eval does"))
    return tuple(notes)


def unknown_qids(wanted: tuple[bytes, ...], judgments: Judgments) -> list[bytes]:
    """Those of the wanted qids that the judgments lack."""
    known = set(judgments.qids)
    return [qid for qid in wanted if qid not in known]


def mask_of(wanted: tuple[bytes, ...] | None, judgments: Judgments) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which queries are wanted; all if None."""
    if wanted is None:
        return np.ones(judgments.num_queries, np.bool_)
    chosen = set(wanted)
    return np.fromiter((qid in chosen for qid in judgments.qids), np.bool_, judgments.num_queries)
