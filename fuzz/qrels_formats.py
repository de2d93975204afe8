"""Qrels in any format, on the way that ``evaluate`` takes: refused with a place, or accepted with what they say.

``python fuzz/qrels_formats.py FORMAT CORPUS -libfuzzer_flags`` with a name of ``--qrels-format``, or ``auto``.
"""

from __future__ import annotations

import math
import sys
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from campaign import fuzz
from findings import PROBLEMS, check_problem, plain_text
from plain import data_lines, judgments_in, run_in
from plain_runs import strict_number

from irevalcli.analysis.inputs import load_qrels
from irevalcli.analysis.policy import Policy
from irevalcli.measures.spec import parse_measures
from irevalcli.reading.blank_qrels import BlankQrels
from irevalcli.reading.opening import Source
from irevalcli.reading.pieces import Piece
from irevalcli.reading.qrels_rows import Strictness
from irevalcli.reading.sniffing import qrels_format_of
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.reading.qrels_format import QrelsFormat
    from irevalcli.reading.qrels_rows import QrelsRows

MEASURES = parse_measures("AP,nDCG@10,P@5,RR,Judged@10,Bpref,RBP,NumRel")
NAME = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "auto"
Grades = dict[bytes, dict[bytes, float]]


class Row(NamedTuple):
    """A line of qrels; the group stands for the sub-group, too."""

    qid: bytes
    group: bytes
    docid: bytes
    grade: float


def check(data: bytes) -> None:
    """The first byte chooses how to read, the rest is the file."""
    option, text = data[0] if data else 0, data[1:]
    policy = Policy(on_error="skip" if option & 1 else "stop", qrels_format=NAME)
    with tempfile.NamedTemporaryFile() as held:
        held.write(text)
        held.flush()
        check_file(held.name, text, policy, subtopics=bool(option & 2))


def check_file(path: str, text: bytes, policy: Policy, *, subtopics: bool) -> None:
    """Load the judgments and compare them with the rows of the file."""
    try:
        with Source(path) as source:
            layout = qrels_format_of(source, policy.qrels_format)
            rows = rows_of(layout.rows(Piece.of(source.read_all()), Strictness(skip=True)))
    except PROBLEMS as problem:
        check_problem(problem, text)
        layout, rows = None, [None]
    good = [row for row in rows if row is not None]
    try:
        loaded = load_qrels(path, policy, subtopics=subtopics)
    except PROBLEMS as problem:
        check_problem(problem, text)
        if layout is not None and good and None not in rows and not contradictions(good, layout):
            raise AssertionError(f"refused, although nothing is wrong with {good}") from problem
        return
    if layout is None or (policy.on_error == "stop" and (None in rows or contradictions(good, layout))):
        raise AssertionError(f"accepted: {rows}")
    grades = highest(good)
    found = told(loaded.judgments)
    if found != grades and not layout.grouped:
        raise AssertionError(f"{found}\nis not what plain Python finds:\n{grades}")
    plain = plain_text(text)
    if policy.on_error == "stop" and plain is not None:
        check_plainly(found, layout, plain)
    check_again(found, loaded.judgments)


def rows_of(rows: QrelsRows) -> list[Row | None]:
    """The rows; None in the place of those with a fault, those that were dropped in front."""
    qids, docids = token_list(rows.data, *rows.qids), token_list(rows.data, *rows.docids)
    groups = [token_list(rows.data, *part) for part in (rows.groups, rows.subgroups) if part is not None]
    grades = rows.grades
    if isinstance(grades, Fields):
        numbers = [strict_number(token, infinities=False) for token in token_list(rows.data, *grades)]
    else:
        numbers = [float(grade) for grade in grades]
    if any(not token or b"\0" in token for token in qids + docids):
        raise AssertionError(f"an id is empty or holds NUL: {qids} {docids}")
    spelt = [b"\0".join(parts) for parts in zip(*groups, strict=True)] if groups else [b""] * len(qids)
    return [None] * rows.dropped + [
        None if math.isnan(grade) else Row(qid, group, docid, grade)
        for qid, group, docid, grade in zip(qids, spelt, docids, numbers, strict=True)
    ]


def contradictions(rows: list[Row], layout: QrelsFormat) -> bool:
    """Whether a document has two grades for one group; preferences count what they repeat."""
    grades: dict[tuple[bytes, bytes, bytes], set[float]] = {}
    for row in rows:
        grades.setdefault((row.qid, row.group, row.docid), set()).add(row.grade)
    return any(len(known) > 1 for known in grades.values()) or layout.grouped


def highest(rows: list[Row]) -> Grades:
    """The grade of every document: within a group the first, of all groups the highest."""
    first: dict[tuple[bytes, bytes, bytes], float] = {}
    for row in rows:
        first.setdefault((row.qid, row.group, row.docid), row.grade)
    grades: Grades = {}
    for (qid, _, docid), grade in first.items():
        known = grades.setdefault(qid, {})
        known[docid] = max(known.get(docid, grade), grade)
    return grades


def told(judgments: Judgments) -> Grades:
    """What the engine knows."""
    found: Grades = {qid: {} for qid in judgments.qids}
    docids = token_list(judgments._data, *judgments._docids)
    for query, docid, grade in zip(judgments.query.tolist(), docids, judgments.grade.tolist(), strict=True):
        found[judgments.qids[query]][docid] = grade
    return found


def check_plainly(found: Grades, layout: QrelsFormat, text: bytes) -> None:
    """Files in columns say what bytes.split makes of them."""
    if not isinstance(layout, BlankQrels) or layout.grouped:
        return
    shape = layout.shape
    lines = data_lines(text)
    rows = [
        Row(
            fields[shape.qid],
            b"" if shape.group is None else fields[shape.group],
            fields[shape.docid],
            1.0 if shape.grade is None else float(fields[shape.grade]),
        )
        for fields in lines
    ]
    if found != highest(rows):
        raise AssertionError(f"{found}\nis not what bytes.split finds:\n{rows}")


def check_again(found: Grades, judgments: Judgments) -> None:
    """Written as TREC qrels the judgments are the same again, and so are measures of a run that retrieves half."""
    qrels = b"".join(
        b"%b 0 %b %b\n" % (qid.hex().encode(), docid.hex().encode(), repr(grade).encode())
        for qid, known in found.items()
        for docid, grade in known.items()
    )
    again = judgments_in(qrels)
    spelt = {
        bytes.fromhex(q.decode()): {bytes.fromhex(d.decode()): g for d, g in k.items()} for q, k in told(again).items()
    }
    if spelt != found:
        raise AssertionError(f"{found}\nis not what is found in\n{qrels.decode()}")
    run = b"".join(
        b"%b Q0 %b 1 %d t\n" % (qid.hex().encode(), docid.hex().encode(), -place)
        for qid, known in found.items()
        for place, docid in enumerate(sorted(known)[::2])
    )
    ranking, _ = run_in(run, again)
    again.set_grades(judgments.grade)
    same, _ = run_in(run, again)
    for spec in MEASURES:
        if list(spec.compute(ranking)) != list(spec.compute(same)):
            raise AssertionError(spec.name)


if __name__ == "__main__":
    fuzz(check)
