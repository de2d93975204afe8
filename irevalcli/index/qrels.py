"""Reading qrels: from the file to Judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.judgments import JudgmentRows, Judgments
from irevalcli.reading.faults import data_lines, qrels_faults, quoted
from irevalcli.reading.numbers import (
    parse_decimals,
    parse_integers,
    strict_grade,
    strtod_prefix,
    strtol_prefix,
)
from irevalcli.reading.pieces import Piece
from irevalcli.reading.rules import QRELS_CONFLICT
from irevalcli.reading.trec import qrels_rows
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Bytes, Floats, Positions
    from irevalcli.reading.opening import Source
    from irevalcli.reading.tokens import Fields
    from irevalcli.reading.trec import Rows

POOLED_UNJUDGED = -2.0
"""The one grade that every negative value means where grades are C integers."""


class QrelsFormat(NamedTuple):
    """The columns of a kind of qrels file.

    Attributes:
        name: as trec_eval's -R has it.
        width: number of columns; qid is the first, docid and grade are the last two.
        group: which column is the judgment group or sub-topic, or None.
        subgroup: which column is the sub-group, or None.
        real_grades: grades are real numbers even where the reader is lenient.
    """

    name: str
    width: int = 4
    group: int | None = None
    subgroup: int | None = None
    real_grades: bool = False


QRELS = QrelsFormat("qrels")
QRELS_JG = QrelsFormat("qrels_jg", group=1)
PREFS = QrelsFormat("prefs", width=5, group=1, subgroup=2, real_grades=True)
QRELS_PREFS = QrelsFormat("qrels_prefs", group=1, real_grades=True)
QRELS_FORMATS = {entry.name: entry for entry in (QRELS, QRELS_JG, PREFS, QRELS_PREFS)}


class QrelsRules(NamedTuple):
    """How qrels are read.

    Attributes:
        format: which columns.
        strict: legal numbers only, blank lines and every comment skipped, repeated judgments checked. Otherwise as
            trec_eval does it: the longest numeric prefix, blank lines malformed, of adjacent comments every other one
            skipped.
        comments: whether lines that begin with # are comments at all (not in trec_eval 9).
    """

    format: QrelsFormat = QRELS
    strict: bool = True
    comments: bool = True


class QrelsReport(NamedTuple):
    """What a qrels file was found to be like.

    Attributes:
        rows: data lines.
        malformed: data lines before the first malformed one, or None (lenient rules only).
        faults: everything wrong with it, located (strict rules only).
        repeated: lines that repeat a judgment with the same grade (strict rules only).
        subtopics: documents that are judged for several values of column 2.
        duplicates: (query index, docid) judged more than once within one group, in order of query, group, docid.
        encoding_note: what was done about a byte order mark, or "".
    """

    rows: int
    malformed: int | None
    faults: list[Finding]
    repeated: int
    subtopics: int
    duplicates: list[tuple[int, bytes]]
    encoding_note: str


def read_qrels(source: Source, rules: QrelsRules) -> tuple[Judgments | None, QrelsReport]:
    """The judgments of a file, and what was noticed; None if the file cannot be used.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    piece = Piece.of(source.read_all())
    layout = rules.format
    rows = qrels_rows(piece, layout.width, strict=rules.strict, comments=rules.comments)
    report = QrelsReport(rows.size, rows.malformed, [], 0, 0, [], source.encoding_note)
    if rows.malformed is not None:
        faults = qrels_faults(piece, source.name, layout.width) if rules.strict else []
        return None, report._replace(faults=faults)
    grades, odd = _grades(piece.data, rows.columns[-1], rules)
    if odd:
        return None, report._replace(faults=qrels_faults(piece, source.name, layout.width))
    judged = _judgment_rows(piece.data, rows, grades, layout)
    judgments = Judgments(judged)
    if layout.group is None and judgments.num_listed == rows.size:
        return judgments, report
    if layout.group is None:
        judgments = Judgments(judged._replace(groups=rows.columns[1]))
    repeated = judgments.repeated_rows()
    duplicates = _duplicates(judgments, repeated) if layout.subgroup is None else []
    if not rules.strict:
        if layout is QRELS:
            judgments = Judgments(judged)
            duplicates = _duplicates(judgments, judgments.repeated_rows())
        return judgments, report._replace(duplicates=duplicates)
    conflicts = repeated[judgments.row_grade[repeated] != judgments.row_grade[repeated - 1]]
    if conflicts.size:
        faults = _conflicts(piece, rows, judgments, conflicts, source.name)
        return None, report._replace(faults=faults)
    if repeated.size:
        kept = np.delete(np.arange(rows.size), judgments.row_line[repeated])
        judgments = Judgments(_some_rows(judged._replace(groups=rows.columns[1]), kept))
    times = np.bincount(judgments.row_listed, minlength=judgments.num_listed)
    report = report._replace(repeated=repeated.size, subtopics=int(np.count_nonzero(times > 1)))
    return judgments, report


def _grades(data: Bytes, fields: Fields, rules: QrelsRules) -> tuple[Floats, bool]:
    """The grades, and whether one of them is not a legal number."""
    if rules.strict:
        grades, odd = parse_decimals(data, fields.start, fields.end)
        rows = np.flatnonzero(odd | np.isinf(grades))
        tokens = token_list(data, fields.start[rows], fields.end[rows])
        return grades, any(strict_grade(token) is None for token in tokens)
    if rules.format.real_grades:
        grades, odd = parse_decimals(data, fields.start, fields.end)
        rows = np.flatnonzero(odd)
        grades[rows] = [strtod_prefix(token) for token in token_list(data, fields.start[rows], fields.end[rows])]
        return grades, False
    integers, odd = parse_integers(data, fields.start, fields.end)
    grades = integers.astype(np.float64)
    rows = np.flatnonzero(odd)
    grades[rows] = [strtol_prefix(token) for token in token_list(data, fields.start[rows], fields.end[rows])]
    return np.where(grades < 0, POOLED_UNJUDGED, grades), False


def _judgment_rows(data: Bytes, rows: Rows, grades: Floats, layout: QrelsFormat) -> JudgmentRows:
    columns = rows.columns
    return JudgmentRows(
        data,
        columns[0],
        columns[-2],
        grades,
        None if layout.group is None else columns[layout.group],
        None if layout.subgroup is None else columns[layout.subgroup],
    )


def _some_rows(rows: JudgmentRows, kept: Positions) -> JudgmentRows:
    return rows._replace(
        qids=rows.qids.at(kept),
        docids=rows.docids.at(kept),
        grades=rows.grades[kept],
        groups=None if rows.groups is None else rows.groups.at(kept),
        subgroups=None if rows.subgroups is None else rows.subgroups.at(kept),
    )


def _duplicates(judgments: Judgments, repeated: Positions) -> list[tuple[int, bytes]]:
    listed = judgments.row_listed[repeated]
    return list(zip(judgments.query[listed].tolist(), judgments.docids(listed), strict=True))


def _conflicts(piece: Piece, rows: Rows, judgments: Judgments, conflicts: Positions, path: str) -> list[Finding]:
    """Findings for rows that judge a document otherwise than the row before them."""
    by_number = {line.number: line for line in data_lines(piece)}
    found = []
    for row in conflicts.tolist():
        first, second = sorted(by_number[rows.line_of(int(judgments.row_line[where])) + 1] for where in (row - 1, row))
        qid, *_, docid, grade = second.fields
        message = (
            f"document {quoted(docid.text)} of query {quoted(qid.text)} has grade {grade.text.decode()} here "
            f"and {first.fields[-1].text.decode()} in line {first.number}"
        )
        found.append(second.finding(QRELS_CONFLICT, message, path, at=grade, expected="one grade for one document"))
    return sorted(found, key=lambda finding: finding.line)
