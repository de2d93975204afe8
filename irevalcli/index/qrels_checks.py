"""What qrels show that is odd, beyond the faults of single lines: repetitions, contradictions, grades, order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.inspection import Spots, returning, text_facts
from irevalcli.index.judgments import JudgmentRows, Judgments
from irevalcli.index.qrels import some_rows, strict_grades
from irevalcli.index.scan import NOWHERE
from irevalcli.index.subtopics import POSITIVE
from irevalcli.reading.blank_qrels import PREFS, QRELS_PREFS
from irevalcli.reading.pieces import Piece
from irevalcli.reading.qrels_rows import Strictness

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.index.inspection import TextFacts
    from irevalcli.reading.arrays import Bools, Floats, Positions
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_format import QrelsFormat
    from irevalcli.reading.qrels_rows import QrelsRows

RARE = 0.01
"""A grade is rare if no larger share of the judgments has it, or a single one."""

PREFERENCES = frozenset({PREFS.name, QRELS_PREFS.name})
"""Names of the formats that hold preferences."""

ORDINARY = 0.8
"""An odd grade stands out from at least this share of the judgments."""

FAR_TIMES, FAR_MORE = 2, 3
"""An odd grade is at least so many times the highest of the others, and exceeds it by so much."""


class Repeat(NamedTuple):
    """A judgment of a document that was judged before, for the same group.

    Attributes:
        line: where it stands.
        first_line: where the document was judged first.
        qid, docid: what is judged.
        grade: here.
        first_grade: there.
    """

    line: int
    first_line: int
    qid: bytes
    docid: bytes
    grade: float
    first_grade: float


class OddGrade(NamedTuple):
    """A grade far above the others: its first line, and how many judgments have it."""

    grade: float
    line: int
    number: int


class QrelsFacts(NamedTuple):
    """What is to be said about qrels. Lines count from 0; all are `NOWHERE` if the format has none.

    Attributes:
        rows: data lines that could be read.
        line_count: physical lines; 0 if the format has none.
        queries: distinct queries.
        text: what the text is like.
        faults: the first ones of each rule, located; lines from 1.
        misshapen: lines with a wrong number of fields.
        unreadable: lines with a grade that is no number.
        repeats: every judgment that repeats or contradicts an earlier one, by line.
        subtopics: documents judged for several groups, and the first line that does it again.
        returning: queries that come back after another one, and the first line that does.
        decimals: grades that are no whole numbers.
        negative: grades below 0.
        odd_grades: by grade.
        ordinary: the lowest and the highest of the other grades.
        without_relevant: first lines and qids of queries without a relevant document, by line.
    """

    rows: int
    line_count: int
    queries: int
    text: TextFacts
    faults: list[Finding]
    misshapen: int
    unreadable: int
    repeats: list[Repeat]
    subtopics: Spots
    returning: Spots
    decimals: Spots
    negative: Spots
    odd_grades: list[OddGrade]
    ordinary: tuple[float, float]
    without_relevant: list[tuple[int, bytes]]


class _Judged(NamedTuple):
    """The lines that can be read, as they stand in the file.

    Attributes:
        rows: the lines.
        lines: per row, its line.
        query: per row, the index of its query.
        every: the judgments that all of them make up.
    """

    rows: JudgmentRows
    lines: Positions
    query: Positions
    every: Judgments

    def spots(self, rows: Bools) -> Spots:
        """How many of the rows there are, and the first line of these."""
        return Spots(int(np.count_nonzero(rows)), int(self.lines[rows].min())) if rows.any() else Spots()


def inspect_qrels(source: Source, layout: QrelsFormat, of_each: int) -> tuple[Judgments, QrelsFacts]:
    """The judgments that can be read, each once, and what is odd about the file.

    Args:
        source: the file.
        layout: in which format it is written.
        of_each: how many faults of each rule are located.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    piece = Piece.of(source.read_all())
    rows = layout.rows(piece, Strictness(skip=True))
    grades, odd = strict_grades(rows)
    faults = layout.faults(piece, source.name, of_each) if rows.dropped or odd.any() else []
    judged = _judged(rows, grades, np.flatnonzero(~odd))
    repeated = judged.every.repeated_rows()
    judgments = judged.every
    # Preferences may judge a document again, in another sub-group; if it is in the same one, that is for them to say.
    if repeated.size and not layout.real_grades:
        once = np.delete(np.arange(judged.lines.size), judgments.row_line[repeated])
        judgments = Judgments(some_rows(judged.rows, once))
    # What stands in the last column of preferences is no grade, and documents stand in several groups.
    graded = layout.name not in PREFERENCES
    odd_grades, ordinary = _odd_grades(judged) if graded else ([], (0.0, 0.0))
    facts = QrelsFacts(
        rows=judged.lines.size,
        line_count=rows.line_count,
        queries=judgments.num_queries,
        text=text_facts(piece, lined=rows.line_count > 0),
        faults=faults,
        misshapen=rows.dropped,
        unreadable=int(np.count_nonzero(odd)),
        repeats=_repeats(judged, repeated) if graded else [],
        subtopics=_subtopics(judged, repeated) if graded and not layout.grouped else Spots(),
        returning=returning(judged.query, judged.lines),
        decimals=judged.spots(judged.rows.grades % 1 != 0) if graded else Spots(),
        negative=judged.spots(judged.rows.grades < 0) if graded else Spots(),
        odd_grades=odd_grades,
        ordinary=ordinary,
        without_relevant=_without_relevant(judged) if graded else [],
    )
    return judgments, facts


def _judged(rows: QrelsRows, grades: Floats, kept: Positions) -> _Judged:
    judged = JudgmentRows(rows.data, rows.qids, rows.docids, grades, rows.groups, rows.subgroups)
    if kept.size < rows.size:
        judged = some_rows(judged, kept)
    lines = kept if rows.lines is None else rows.lines[kept]
    if not rows.line_count:
        lines = np.full(kept.size, NOWHERE)
    every = Judgments(judged)
    query = np.empty(kept.size, np.int64)
    query[every.row_line] = every.query[every.row_listed]
    return _Judged(judged, lines, query, every)


def _repeats(judged: _Judged, repeated: Positions) -> list[Repeat]:
    """What every repeated row repeats: the first row of its document and group."""
    every = judged.every
    row = np.arange(every.row_line.size)
    row[repeated] = 0
    first = np.maximum.accumulate(row)[repeated]
    line = judged.lines[every.row_line]
    listed = every.row_listed[repeated]
    qids = [every.qids[query] for query in every.query[listed].tolist()]
    columns = (
        line[repeated],
        line[first],
        qids,
        every.docids(listed),
        every.row_grade[repeated],
        every.row_grade[first],
    )
    found = zip(*(column.tolist() if isinstance(column, np.ndarray) else column for column in columns), strict=True)
    return sorted(Repeat(*repeat) for repeat in found)


def _subtopics(judged: _Judged, repeated: Positions) -> Spots:
    """Documents that stand in several groups, and the first line that judges one again."""
    every = judged.every
    once = np.ones(every.row_listed.size, np.bool_)
    once[repeated] = False
    several = np.bincount(every.row_listed[once], minlength=every.num_listed) > 1
    if not several.any():
        return Spots()
    rows = np.flatnonzero(once & several[every.row_listed])
    # By document, then in the order of the file: every row but a document's first judges it again.
    rows = rows[np.lexsort((every.row_line[rows], every.row_listed[rows]))]
    again = rows[1:][every.row_listed[rows[1:]] == every.row_listed[rows[:-1]]]
    return Spots(int(np.count_nonzero(several)), int(judged.lines[every.row_line[again]].min()))


def _odd_grades(judged: _Judged) -> tuple[list[OddGrade], tuple[float, float]]:
    """The grades above a gap that few judgments are above of, and the lowest and highest of the others."""
    grades = judged.rows.grades
    values, first, number = np.unique(grades, return_index=True, return_counts=True)
    rare = number <= max(1, RARE * grades.size)
    for place in range(1, values.size):
        below = values[place - 1]
        far = below > 0 and values[place] >= max(FAR_TIMES * below, below + FAR_MORE)
        if far and rare[place:].all() and number[:place].sum() >= ORDINARY * grades.size:
            found = zip(
                values[place:].tolist(), judged.lines[first[place:]].tolist(), number[place:].tolist(), strict=True
            )
            return [OddGrade(*odd) for odd in found], (float(values[0]), float(below))
    return [], (0.0, 0.0)


def _without_relevant(judged: _Judged) -> list[tuple[int, bytes]]:
    every = judged.every
    lacking = np.flatnonzero(every.num_relevant(POSITIVE) == 0)
    query, first = np.unique(judged.query, return_index=True)
    lines = judged.lines[first[np.searchsorted(query, lacking)]].tolist()
    return sorted(zip(lines, (every.qids[index] for index in lacking.tolist()), strict=True))
