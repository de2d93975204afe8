"""Loading judgments and runs strictly: what is wrong becomes one InputProblem, what is odd becomes notes."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.notes import counted, difference, none_judged_note, qrels_notes, run_notes, some
from irevalcli.analysis.policy import DEFAULTS, Policy, run_rules
from irevalcli.errors import Finding, InputProblem
from irevalcli.index.document_list import read_documents
from irevalcli.index.duplicates import MOST_DUPLICATES
from irevalcli.index.qrels import QrelsRules, read_qrels
from irevalcli.index.stream import read_run
from irevalcli.reading.faults import MOST_FAULTS, quoted
from irevalcli.reading.opening import Source
from irevalcli.reading.places import first_at, in_its_file, locate
from irevalcli.reading.rules import NO_DATA, RUN_DUPLICATE, RUN_NO_COMMON
from irevalcli.reading.sniffing import qrels_format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.scores import Note
    from irevalcli.index.document_list import Document
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.scan import RunRules
    from irevalcli.index.stream import RunReport
    from irevalcli.reading.arrays import Bools


class LoadedQrels(NamedTuple):
    """Judgments, the name of their file in messages, and what was noticed."""

    judgments: Judgments
    name: str
    notes: tuple[Note, ...]
    sha256: str | None


class LoadedRun(NamedTuple):
    """A ranking with what was noticed about its file; and if they were asked for, all documents of one query."""

    ranking: Ranking
    report: RunReport
    notes: tuple[Note, ...]
    sha256: str | None
    documents: list[Document] | None = None


def load_qrels(
    path: str,
    policy: Policy = DEFAULTS,
    *,
    subtopics: bool = False,
    merged: bool = True,
    digest: bool = False,
) -> LoadedQrels:
    """The judgments of a file.

    Args:
        path: the file, or ``-``.
        policy: which format it has, and what becomes of faulty lines.
        subtopics: whether some measure looks at column 2.
        merged: whether some measure sees one judgment for each document, where the file has several.
        digest: also compute the file's SHA-256.

    Raises:
        InputProblem: the file is unreadable, malformed, contradicts itself, or has no judgment.
    """
    with Source(path) as source:
        layout = qrels_format_of(source, policy.qrels_format)
        judgments, report = read_qrels(source, QrelsRules(layout, subtopics, skip=policy.on_error == "skip"))
        if judgments is None or (report.faults and not judgments.num_queries):
            raise faulty(source.name, report.faults)
        if not judgments.num_queries:
            raise InputProblem.of(Finding(NO_DATA.code, "no judgments in the file", source.name, help=NO_DATA.help))
        notes = qrels_notes(source.name, report, subtopics_count=not merged)
        sha256 = source.sha256() if digest else None
    return LoadedQrels(judgments, source.name, tuple(notes), sha256)


def load_run(
    path: str | Source,
    judgments: Judgments,
    policy: Policy = DEFAULTS,
    *,
    label: str = "",
    qrels_name: str = "the qrels",
    watch: Callable[[Source], None] | None = None,
    digest: bool = False,
    documents_of: int | None = None,
    top: int = 0,
    judged: bool = True,
) -> LoadedRun:
    """A run joined with the judgments.

    Args:
        path: the file, or ``-``; or a source at its first byte, which stays open.
        judgments: what to join with.
        policy: how to break ties, and whether to leave out documents with the id of their query.
        label: what notes call the run; its path if empty.
        qrels_name: what errors call the judgments.
        watch: called whenever some of the run was read, or None.
        digest: also compute the file's SHA-256.
        documents_of: also read the whole list of documents of the query with this index in the judgments.
        top: how many documents at the top of every ranking are kept, judged or not.
        judged: documents are judged; otherwise the judgments only name queries.

    Raises:
        InputProblem: the file is unreadable or malformed, lists a document twice for a query, has no line, or has no
            query in common with the judgments.
    """
    with Source(path) if isinstance(path, str) else nullcontext(path) as source:
        source.watch = watch
        rules = run_rules(policy, source, top=top)
        ranking, report = read_run(source, judgments, rules)
        name = source.name
        refuse_unusable(name, report, rules)
        if report.duplicates:
            raise _duplicates(source, judgments, ranking, report, qrels_name)
        if not ranking.answered.any():
            raise _nothing_in_common(name, judgments, report, qrels_name)
        sha256 = source.sha256() if digest else None
        documents = None
        if documents_of is not None:
            source.rewind()
            documents = read_documents(source, judgments, documents_of, rules._replace(format=report.format))
        notes = run_notes(label or name, report, policy.ties, judgments.qids)
        if judged and not ranking.query.size:
            notes.insert(
                0, _none_judged(source, judgments, ranking, rules._replace(format=report.format), label or name)
            )
    return LoadedRun(ranking, report, tuple(notes), sha256, documents)


def _none_judged(source: Source, judgments: Judgments, ranking: Ranking, rules: RunRules, label: str) -> Note:
    """What is said of a run without any judged document, with ids of one query, for which it is read again."""
    query = int(np.flatnonzero(ranking.answered)[0])
    source.rewind()
    ours = [document.docid for document in read_documents(source, judgments, query, rules)]
    theirs = judgments.docids(np.flatnonzero(judgments.query == query))
    return none_judged_note(label, ours, theirs)


def refuse_unusable(name: str, report: RunReport, rules: RunRules) -> None:
    """Nothing, if a run has lines that count and no fault, or none that may not be skipped.

    Raises:
        InputProblem: otherwise.
    """
    if report.faults and not (rules.skip and report.rows):
        raise faulty(name, report.faults)
    if not report.rows:
        raise InputProblem.of(Finding(NO_DATA.code, "no results in the file", name, help=NO_DATA.help))


def faulty(name: str, faults: list[Finding]) -> InputProblem:
    """The problem of a file with these faults, in file order."""
    shown = tuple(faults[:MOST_FAULTS])
    more = f"{len(shown)} or more faults" if len(shown) == MOST_FAULTS else counted(len(shown), "fault")
    return InputProblem(f"{name} cannot be used: {more}", findings=shown)


def _duplicates(
    source: Source, judgments: Judgments, ranking: Ranking, report: RunReport, qrels_name: str
) -> InputProblem:
    """The problem of documents listed twice, with a hint if the queries don't fit."""
    problem = duplicates_problem(source, judgments.qids, report)
    answered = int(np.count_nonzero(ranking.answered))
    if answered * 2 < judgments.num_queries and len(report.duplicates) < MOST_DUPLICATES:
        has = counted(answered + report.unknown, "query", "queries")
        problem.hints = (f"the run has {has} and {qrels_name} has {judgments.num_queries}: is the query column right?",)
    return problem


def duplicates_problem(source: Source, qids: Sequence[bytes], report: RunReport) -> InputProblem:
    """The problem of documents listed twice, located by reading the run again.

    Args:
        source: the run.
        qids: the qids that the report's duplicates count.
        report: has duplicates.
    """
    pairs = {(qids[duplicate.query], duplicate.docid) for duplicate in report.duplicates[:MOST_FAULTS]}
    findings = []
    for (qid, docid), places in locate(source, report.format, pairs).items():
        first, *others = places
        for place in others:
            message = f"duplicate document {quoted(docid)} for query {quoted(qid)}"
            expected = first_at(source, first.line, place.line) if first.line else ""
            findings.append(place.finding(RUN_DUPLICATE, message, source.name, expected=expected))
    findings = [in_its_file(finding, source) for finding in sorted(findings, key=lambda finding: finding.line)]
    queries = len({duplicate.query for duplicate in report.duplicates})
    total = len(report.duplicates)
    times = "more than once" if len(findings) > total else "twice"
    number = counted(total, "document") if total < MOST_DUPLICATES else f"{total} or more documents"
    message = f"{source.name} lists {number} {times}, in {counted(queries, 'query', 'queries')}"
    return InputProblem(message, findings=tuple(findings[:MOST_FAULTS]))


def _nothing_in_common(name: str, judgments: Judgments, report: RunReport, qrels_name: str) -> InputProblem:
    hints = [
        f"queries of the run: {some(report.unknown_examples, report.unknown)}",
        f"queries of the qrels: {some(judgments.qids, judgments.num_queries)}",
        difference(report.unknown_examples, judgments.qids),
    ]
    finding = Finding(RUN_NO_COMMON.code, f"no query in common with {qrels_name}", name)
    problem = InputProblem.of(finding)
    problem.hints = tuple(hint for hint in hints if hint)
    return problem


def unknown_qids(wanted: tuple[bytes, ...], judgments: Judgments) -> list[bytes]:
    """Those of the wanted qids that the judgments lack."""
    known = set(judgments.qids)
    return [qid for qid in wanted if qid not in known]


def mask_of(wanted: tuple[bytes, ...] | None, judgments: Judgments) -> Bools:
    """Which queries are wanted; all if None."""
    if wanted is None:
        return np.ones(judgments.num_queries, np.bool_)
    chosen = set(wanted)
    return np.fromiter((qid in chosen for qid in judgments.qids), np.bool_, judgments.num_queries)
