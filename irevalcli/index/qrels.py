"""Reading qrels: from the file to Judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.judgments import JudgmentRows, Judgments
from irevalcli.reading.blank_qrels import QRELS
from irevalcli.reading.faults import MOST_FAULTS, quoted
from irevalcli.reading.numbers import parse_decimals, parse_integers, strict_grade, strtod_prefix, strtol_prefix
from irevalcli.reading.pieces import Piece
from irevalcli.reading.places import Lines, in_its_file
from irevalcli.reading.qrels_rows import Strictness
from irevalcli.reading.rules import QRELS_CONFLICT
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Bools, Floats, Positions
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_format import QrelsFormat
    from irevalcli.reading.qrels_rows import QrelsRows

POOLED_UNJUDGED = -2.0
"""The one grade that every negative value means where grades are C integers."""


class QrelsRules(NamedTuple):
    """How qrels are read.

    Attributes:
        format: in which they are written.
        grouped: column 2 is a judgment group or a sub-topic, also where every document is judged but once.
        strict: legal numbers only, blank lines and every comment skipped, repeated judgments checked. Otherwise as
            trec_eval does it: the longest numeric prefix, blank lines malformed, of adjacent comments every other one
            skipped.
        comments: whether lines that begin with # are comments at all (not in trec_eval 9).
        skip: under strict rules, leave out lines with a fault and, of judgments that contradict each other, all but the
            first.
    """

    format: QrelsFormat = QRELS
    grouped: bool = False
    strict: bool = True
    comments: bool = True
    skip: bool = False


class QrelsReport(NamedTuple):
    """What a qrels file was found to be like.

    Attributes:
        rows: data lines.
        malformed: data lines before the first malformed one, or None (lenient rules only).
        faults: everything wrong with it, located (strict rules only).
        dropped: lines that were left out because of a fault.
        repeated: lines that repeat a judgment with the same grade (strict rules only).
        subtopics: documents that are judged for several values of column 2.
        duplicates: (query index, docid) judged more than once within one group, in order of query, group, docid.
        encoding_note: what was done about a byte order mark, or "".
        format: in which it was read.
    """

    rows: int
    malformed: int | None
    faults: list[Finding]
    dropped: int
    repeated: int
    subtopics: int
    duplicates: list[tuple[int, bytes]]
    encoding_note: str
    format: QrelsFormat


def read_qrels(source: Source, rules: QrelsRules) -> tuple[Judgments | None, QrelsReport]:
    """The judgments of a file, and what was noticed; None if the file cannot be used.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    piece = Piece.of(source.read_all())
    layout = rules.format
    skip = rules.strict and rules.skip
    rows = layout.rows(piece, Strictness(rules.strict, rules.comments, skip))
    grades, odd = _grades(rows, rules)
    report = QrelsReport(rows.size, rows.malformed, [], rows.dropped, 0, 0, [], source.encoding_note, layout)
    if rows.malformed is not None or rows.dropped or odd.any():
        faults = layout.faults(piece, source.name) if rules.strict else []
        report = report._replace(faults=[in_its_file(fault, source) for fault in faults])
        if not skip:
            return None, report
        report = report._replace(dropped=rows.dropped + int(np.count_nonzero(odd)))
    judged = JudgmentRows(rows.data, rows.qids, rows.docids, grades, rows.groups, rows.subgroups)
    kept = np.flatnonzero(~odd)
    if kept.size < rows.size:
        judged = some_rows(judged, kept)
    return _arranged(judged, Judged(rows, kept, source, piece), rules, report)


class Judged(NamedTuple):
    """Which rows of a file became judgments: all rows, those that are used, and what they were read from."""

    rows: QrelsRows
    kept: Positions
    source: Source
    piece: Piece


def _arranged(
    judged: JudgmentRows, file: Judged, rules: QrelsRules, report: QrelsReport
) -> tuple[Judgments | None, QrelsReport]:
    """The judgments, each once; None if two contradict each other."""
    grouped = rules.grouped or rules.format.grouped
    judgments = Judgments(judged if grouped else judged._replace(groups=None))
    if not grouped and judgments.num_listed == file.kept.size:
        return judgments, report
    if not grouped:
        judgments = Judgments(judged)
    repeated = judgments.repeated_rows()
    duplicates = [] if rules.format.subgrouped else _duplicates(judgments, repeated)
    if not rules.strict:
        if not grouped:
            judgments = Judgments(judged._replace(groups=None))
            duplicates = _duplicates(judgments, judgments.repeated_rows())
        return judgments, report._replace(duplicates=duplicates)
    grade = judgments.row_grade
    conflicts = repeated[grade[repeated] != grade[repeated - 1]]
    if conflicts.size and not rules.skip:
        pairs = file.kept[judgments.row_line[np.stack((conflicts, conflicts - 1), axis=1)]]
        return None, report._replace(faults=_conflicts(file, pairs))
    contradicting = int(np.count_nonzero(grade[repeated] != grade[_first_of_repeated(judgments, repeated)]))
    if repeated.size:
        judgments = Judgments(some_rows(judged, np.delete(np.arange(file.kept.size), judgments.row_line[repeated])))
    times = np.bincount(judgments.row_listed, minlength=judgments.num_listed)
    report = report._replace(
        dropped=report.dropped + contradicting,
        repeated=repeated.size - contradicting,
        subtopics=int(np.count_nonzero(times > 1)),
    )
    return judgments, report


def _first_of_repeated(judgments: Judgments, repeated: Positions) -> Positions:
    """Per repeated row the first one, in the file, of those that judge the same document for the same group.

    Rows that repeat each other stand together, in the order of the file.
    """
    row = np.arange(judgments.row_line.size)
    row[repeated] = 0
    first: Positions = np.maximum.accumulate(row)[repeated]
    return first


def _grades(rows: QrelsRows, rules: QrelsRules) -> tuple[Floats, Bools]:
    """The grades, and which of them are no legal numbers."""
    fields, data = rows.grades, rows.data
    if rules.strict or not isinstance(fields, Fields):
        return strict_grades(rows)
    none = np.zeros(rows.size, np.bool_)
    if rules.format.real_grades:
        grades, odd = parse_decimals(data, fields.start, fields.end)
        places = np.flatnonzero(odd)
        grades[places] = [strtod_prefix(token) for token in token_list(data, fields.start[places], fields.end[places])]
        return grades, none
    integers, odd = parse_integers(data, fields.start, fields.end)
    grades = integers.astype(np.float64)
    places = np.flatnonzero(odd)
    grades[places] = [strtol_prefix(token) for token in token_list(data, fields.start[places], fields.end[places])]
    return np.where(grades < 0, POOLED_UNJUDGED, grades), none


def strict_grades(rows: QrelsRows) -> tuple[Floats, Bools]:
    """The grades, and which of them are no legal numbers under strict rules."""
    fields, data = rows.grades, rows.data
    none = np.zeros(rows.size, np.bool_)
    if not isinstance(fields, Fields):
        return fields, none
    grades, odd = parse_decimals(data, fields.start, fields.end)
    places = np.flatnonzero(odd | np.isinf(grades))
    tokens = token_list(data, fields.start[places], fields.end[places])
    read = [strict_grade(token) for token in tokens]
    grades[places] = [0.0 if value is None else value for value in read]
    none[places] = [value is None for value in read]
    return grades, none


def some_rows(rows: JudgmentRows, kept: Positions) -> JudgmentRows:
    """Some of the lines."""
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


def _conflicts(file: Judged, pairs: Positions) -> list[Finding]:
    """Findings for pairs of rows that judge a document differently, the later row first."""
    rows = file.rows
    lines = Lines(file.piece, rows)
    shown = rows.grades if isinstance(rows.grades, Fields) else rows.docids
    found = []
    for second, first in pairs.tolist():
        qid, docid = (_token(rows, fields, second) for fields in (rows.qids, rows.docids))
        grade, other = (quoted(_grade_text(rows, row))[1:-1] for row in (second, first))
        where = ""
        if lines.exist:
            path, line = file.source.place(rows.line_of(first) + 1)
            where = (
                f" in line {line}" if path == file.source.place(rows.line_of(second) + 1)[0] else f" in {path}:{line}"
            )
        has = f"has grade {grade}{' here' if where else ''} and {other}{where}"
        message = f"document {quoted(docid)} of query {quoted(qid)} {has}"
        place = lines.place(shown, second)
        found.append(place.finding(QRELS_CONFLICT, message, file.source.name, expected="one grade for one document"))
    found.sort(key=lambda finding: finding.line)
    return [in_its_file(finding, file.source) for finding in found[:MOST_FAULTS]]


def _token(rows: QrelsRows, fields: Fields, row: int) -> bytes:
    return token_list(rows.data, fields.start[[row]], fields.end[[row]])[0]


def _grade_text(rows: QrelsRows, row: int) -> bytes:
    """A grade as it is written."""
    if isinstance(rows.grades, Fields):
        return _token(rows, rows.grades, row)
    return f"{rows.grades[row]:g}".encode()
