"""What is said about qrels and runs that could be used: one note for each oddity, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.analysis.like_ids import likeness
from irevalcli.analysis.scores import Note
from irevalcli.reading.faults import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from irevalcli.analysis.scores import Coverage
    from irevalcli.index.qrels import QrelsReport
    from irevalcli.index.score_shape import ScoreShape
    from irevalcli.index.stream import RunReport

TRIED_DOCIDS = 1000
"""Docids of the run that are compared with those of the qrels."""

ALIKE = 0.5
"""Docids look alike if at least this share of those that were tried do: some pairs always do by chance."""

EXAMPLES = 3
"""How many ids a message names."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 query``, ``2 queries``."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def some(ids: Sequence[bytes], total: int = 0) -> str:
    """The first few ids, with an ellipsis if there are more (`total` in all)."""
    more = ", …" if max(total, len(ids)) > EXAMPLES else ""
    return ", ".join(quoted(token)[1:-1] for token in ids[:EXAMPLES]) + more


def _reading_notes(name: str, report: QrelsReport | RunReport, option: str) -> list[Note]:
    """What is said about the encoding and the format of a file, and about lines that were left out."""
    notes = []
    if report.encoding_note:
        notes.append(Note("note", f"{name} {report.encoding_note}"))
    if report.format.note:
        notes.append(Note("note", f"{name}: read as {report.format.note}", f"{option} if it is something else"))
    if report.dropped:
        dropped = counted(report.dropped, "faulty line was", "faulty lines were")
        first = f"; the first: {report.faults[0].location}: {report.faults[0].message}" if report.faults else ""
        notes.append(Note("warning", f"{name}: {dropped} left out (--on-error skip){first}"))
    return notes


def qrels_notes(name: str, report: QrelsReport, *, subtopics_count: bool) -> list[Note]:
    """What is odd about a qrels file.

    Args:
        name: of the file.
        report: what was found when it was read.
        subtopics_count: column 2 means something to the measures, so that several values are no news.
    """
    notes = _reading_notes(name, report, "--qrels-format")
    if report.repeated:
        judged = counted(report.repeated, "judgment")
        notes.append(Note("warning", f"{name}: {judged} repeated with the same grade; each document counts once"))
    if report.subtopics and not subtopics_count:
        judged = counted(report.subtopics, "document")
        text = f"{name}: {judged} judged for several sub-topics (column 2); the highest grade counts"
        notes.append(Note("note", text))
    return notes


def no_relevant_note(name: str, number: int, level: float, *, skipped: bool) -> Note:
    """Queries without a relevant document, and what became of them."""
    grade = "" if level == 1 else f" of grade {level:g} or higher"
    subject = f"{name}: {counted(number, 'query has', 'queries have')} no relevant document{grade}"
    if skipped:
        return Note("note", f"{subject} and {'was' if number == 1 else 'were'} left out")
    each, them = ("it counts", "it") if number == 1 else ("each counts", "them")
    return Note("note", f"{subject}; {each} as 0", f"--no-relevant skip to leave {them} out")


def coverage_notes(label: str, coverage: Coverage, *, missing_skipped: bool) -> list[Note]:
    """Which queries of qrels and run do not meet, and what became of them."""
    notes = []
    missing = len(coverage.missing)
    if missing:
        most = missing * 2 > coverage.judged
        number = f"{missing} of {coverage.judged}" if most else str(missing)
        verb = "query is" if missing == 1 and not most else "queries are"
        text = f"{label}: {number} judged {verb} missing from the run ({some(coverage.missing)}); "
        each, them = ("it", "it") if missing == 1 else ("each", "them")
        if missing_skipped:
            text, hint = f"{text}left out of every mean", f"--missing zero to count {them} as 0"
        else:
            text, hint = f"{text}{each} counts as 0", f"--missing skip to leave {them} out"
        notes.append(Note("warning", text + ("; are these the right qrels?" if most else ""), hint))
    if coverage.unknown:
        number = counted(coverage.unknown, "query has", "queries have")
        ignored = "was" if coverage.unknown == 1 else "were"
        notes.append(Note("warning", f"{label}: {number} no judgments and {ignored} ignored"))
    return notes


RISING_SCORES = "in every query the scores rise down the file; are they distances? larger scores come first"
RISING_RANKS = "in every query the ranks fall down the file; are they scores? the smallest rank comes first"
FEWEST_RISING = 4
"""Documents that must stand in ascending order of their scores before one asks whether these are distances."""


def _shape_notes(label: str, shape: ScoreShape, qids: Sequence[bytes], *, ranks: bool) -> list[Note]:
    """What the scores of a run, or the ranks that it has in their place, say about how they were written."""
    notes = []
    if shape.even:
        named = f" ({some([qids[index] for index in shape.examples], shape.even)})" if shape.examples else ""
        queries = counted(shape.even, "query", "queries")
        text = f"{label}: all scores of {queries} are equal{named}: the run puts their documents in no order"
        notes.append(Note("warning", text, "irevalcli validate --explain RUN014"))
    if shape.rising == shape.varied and shape.rising_rows >= FEWEST_RISING:
        said = RISING_RANKS if ranks else RISING_SCORES
        notes.append(Note("warning", f"{label}: {said}", "irevalcli validate --explain RUN015"))
    return notes


_BROKEN_BY = {
    "docid-desc": "broken by document id, descending, as trec_eval does",
    "docid-asc": "broken by document id, ascending",
    "rank": "broken by the rank column",
    "file": "broken by the order of the file",
    "best": "put in their best order",
    "worst": "put in their worst order",
    "average": "every value is the mean over all their orders",
}


def run_notes(label: str, report: RunReport, ties: str, qids: Sequence[bytes]) -> list[Note]:
    """What is odd about a run file.

    Args:
        label: of the run.
        report: what was found when it was read.
        ties: the rule for equal scores.
        qids: the qids that the report's examples count.
    """
    notes = _reading_notes(label, report, "--run-format")
    if report.not_utf8:
        notes.append(Note("warning", f"{label}: not valid UTF-8; ids are compared byte for byte"))
    if len(report.tags) > 1:
        shown = some(report.tags)
        notes.append(Note("warning", f"{label}: {len(report.tags)} run tags in one file ({shown}); is it one run?"))
    if report.infinite:
        infinite = counted(report.infinite, "infinite score")
        notes.append(Note("note", f"{label}: {infinite}, ranked first (inf) or last (-inf)"))
    if report.extra:
        extra = counted(report.extra, "line")
        question = "is there a blank inside an id?"
        text = f"{label}: {extra} with more fields than a run has; the rest was ignored; {question}"
        notes.append(Note("warning", text))
    if report.self_retrieved:
        dropped = counted(report.self_retrieved, "document")
        notes.append(Note("note", f"{label}: {dropped} with the id of the query left out (--exclude-self)"))
    notes += _shape_notes(label, report.shape, qids, ranks=report.smaller_first)
    if report.tied_rows:
        tied = counted(report.tied_rows, "score tie")
        notes.append(Note("note", f"{label}: {tied}; {_BROKEN_BY[ties]}"))
    return notes


def none_judged_note(label: str, ours: Sequence[bytes], theirs: Sequence[bytes]) -> Note:
    """No retrieved document is judged, so that every measure is 0: the ids may be of another kind.

    Args:
        label: of the run.
        ours: documents that the run has for a query.
        theirs: those that are judged for it.
    """
    ours = ours[:TRIED_DOCIDS]
    alike = likeness(ours, theirs)
    if alike is not None and alike.number >= ALIKE * len(ours):
        pair = f"the run has {quoted(alike.ours)}, the qrels {quoted(alike.theirs)}"
        why = f"{pair}; they differ only by {alike.words}"
    else:
        why = f"the run has {some(ours[:2], len(ours))}; the qrels {some(theirs[:2], len(theirs))}; another collection?"
    text = f"{label}: no retrieved document is judged, e.g. {why}"
    return Note("warning", text, "irevalcli validate --explain RUN025")


def difference(unknown: Iterable[bytes], known: Iterable[bytes]) -> str:
    """How a qid of the run that the qrels lack differs from one that they have, or "" if no reason is seen."""
    alike = likeness(list(unknown), list(known))
    if alike is None:
        return ""
    pair = f"query {quoted(alike.ours)} of the run and {quoted(alike.theirs)} of the qrels"
    return f"{pair} differ only by {alike.words}; ids are compared exactly"
