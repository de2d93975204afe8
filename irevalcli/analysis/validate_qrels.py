"""Findings about qrels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.notes import counted
from irevalcli.analysis.validate_found import Found, here
from irevalcli.analysis.validate_text import note_encoding, note_text
from irevalcli.errors import InputProblem
from irevalcli.index.qrels_checks import PREFERENCES, inspect_qrels
from irevalcli.index.stream import ranking_of
from irevalcli.reading.faults import quoted
from irevalcli.reading.opening import Source
from irevalcli.reading.rules import (
    NO_DATA,
    QRELS_CONFLICT,
    QRELS_DECIMALS,
    QRELS_FIELDS,
    QRELS_GRADE,
    QRELS_INTERLEAVED,
    QRELS_NEGATIVE,
    QRELS_NO_RELEVANT,
    QRELS_ODD_GRADE,
    QRELS_REPEATED,
    QRELS_SUBTOPICS,
)
from irevalcli.reading.sniffing import qrels_format_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.validate_found import Checks
    from irevalcli.analysis.validation import FileReport
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.qrels_checks import QrelsFacts


class Judged(NamedTuple):
    """What runs are looked at beside.

    Attributes:
        judgments: those that could be read.
        name: what messages call their file.
        graded: whether they are grades, and not preferences.
    """

    judgments: Judgments
    name: str
    graded: bool


def qrels_report(
    path: str, checks: Checks, watch: Callable[[Source], None] | None = None
) -> tuple[FileReport, Judged | None]:
    """What is found in qrels, and the judgments; None if there are none.

    Args:
        path: the file, or ``-``.
        checks: what is looked for.
        watch: called whenever some of the file was read, or None.

    Raises:
        MissingExtra: an optional package is needed to read it.
    """
    found = Found(path, "qrels", checks)
    try:
        with Source(path) as source:
            found = Found(source.name, "qrels", checks)
            source.watch = watch
            layout = qrels_format_of(source, checks.qrels_format)
            judgments, facts = inspect_qrels(source, layout, checks.most)
            note_encoding(found, source)
            note_text(found, facts.text, 0)
            _note_faults(found, facts)
            _note_judgments(found, facts)
            graded = layout.name not in PREFERENCES
            if not graded:
                _note_preferences(found, judgments, source.name)
            report = found.report(source, layout, rows=facts.rows, queries=facts.queries)
    except InputProblem as problem:
        return found.unreadable(problem), None
    return report, Judged(judgments, source.name, graded) if facts.rows else None


def _note_faults(found: Found, facts: QrelsFacts) -> None:
    found.add(facts.faults)
    located = Counter(fault.rule for fault in facts.faults)
    found.count_more(QRELS_FIELDS, facts.misshapen - located[QRELS_FIELDS.code] if located[QRELS_FIELDS.code] else 0)
    found.count_more(QRELS_GRADE, facts.unreadable - located[QRELS_GRADE.code] if located[QRELS_GRADE.code] else 0)
    if not facts.rows and not facts.faults:
        found.note(NO_DATA, "no judgments in the file")


def _note_judgments(found: Found, facts: QrelsFacts) -> None:
    _note_repeats(found, facts)
    returning, decimals, negative = facts.returning, facts.decimals, facts.negative
    if returning.number:
        queries = counted(returning.number, "query comes", "queries come")
        found.note(
            QRELS_INTERLEAVED, f"{queries} back after another one{here(returning.first)}", returning.first + 1, "qid"
        )
    if facts.subtopics.number:
        documents = counted(facts.subtopics.number, "document is", "documents are")
        message = f"{documents} judged for several sub-topics (column 2); other measures take the highest grade"
        found.note(QRELS_SUBTOPICS, message, facts.subtopics.first + 1, "group")
    if decimals.number:
        message = f"{counted(decimals.number, 'grade is no whole number', 'grades are no whole numbers')}"
        found.note(QRELS_DECIMALS, f"{message}; trec_eval cuts them", decimals.first + 1, "grade")
    if negative.number:
        grades = counted(negative.number, "negative grade counts", "negative grades count")
        found.note(QRELS_NEGATIVE, f"{grades} as unjudged", negative.first + 1, "grade")
    low, high = facts.ordinary
    for odd in facts.odd_grades:
        times = "once" if odd.number == 1 else f"{odd.number} times"
        others = f"{low:g}–{high:g}" if low < high else f"{high:g}"
        message = f"grade {odd.grade:g} occurs {times}; other grades are {others}"
        found.note(QRELS_ODD_GRADE, message, odd.line + 1, "grade")
    # Each line with a fault may hold the relevant document of a query.
    faulty = facts.misshapen + facts.unreadable
    for line, qid in facts.without_relevant if len(facts.without_relevant) > faulty else ():
        found.note(QRELS_NO_RELEVANT, f"query {quoted(qid)} has no relevant document", line + 1, "qid")


def _note_repeats(found: Found, facts: QrelsFacts) -> None:
    for line, first_line, qid, docid, grade, first_grade in facts.repeats:
        first = f"at line {first_line + 1}" if line >= 0 else "before"
        document = f"document {quoted(docid)} of query {quoted(qid)}"
        if grade == first_grade:
            found.note(QRELS_REPEATED, f"{document} was judged {first}, with the same grade", line + 1, "docid")
        else:
            message = f"{document} has grade {grade:g} here and {first_grade:g} {first}"
            found.note(QRELS_CONFLICT, message, line + 1, "grade", expected="one grade for one document")


def _note_preferences(found: Found, judgments: Judgments, name: str) -> None:
    """What contradicts itself in preferences, query by query."""
    for problem in ranking_of(judgments, []).preferences.problems:
        found.add([problem.finding(judgments.qids[problem.query], name)])
