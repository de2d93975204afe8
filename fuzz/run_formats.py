"""Runs in any format, on the way that ``evaluate`` takes: refused with a place, or accepted with the rows that it has.

``python fuzz/run_formats.py FORMAT CORPUS -libfuzzer_flags`` with a name of ``--run-format``, or ``auto``.
"""

from __future__ import annotations

import math
import sys
import tempfile
from typing import TYPE_CHECKING
from unittest import mock

import numpy as np
from campaign import fuzz
from findings import PROBLEMS, check_problem, plain_text
from plain import buffer_of, cut, described, judgments_in, run_in
from plain_formats import plain_rows
from plain_runs import Row, answer, judged, qrels_text, repeats, run_text, strict_number, without_repeats

from irevalcli.analysis.inputs import load_run
from irevalcli.analysis.policy import Policy, tie_rule
from irevalcli.index.judgments import JudgmentRows, Judgments
from irevalcli.index.scan import RunRules
from irevalcli.measures.spec import parse_measures
from irevalcli.reading import jsonl_lines
from irevalcli.reading.opening import Source
from irevalcli.reading.run_rows import Wanted
from irevalcli.reading.sniffing import run_format_of
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from plain import Joined

    from irevalcli.analysis.inputs import LoadedRun
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import RunRows

SIZES = (64, 300, 1 << 12, 1 << 20)
TIES = ("docid-desc", "docid-asc", "rank", "file")
MEASURES = parse_measures("AP,nDCG@10,P@5,RR,Judged@10,Bpref,RBP,NumRet")
NAME = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "auto"


def check(data: bytes) -> None:
    """The first byte chooses how to read, the rest is the file."""
    option, text = data[0] if data else 0, data[1:]
    policy = Policy(ties=TIES[option >> 2 & 3], on_error="skip" if option & 16 else "stop", run_format=NAME)
    with tempfile.NamedTemporaryFile() as held:
        held.write(text)
        held.flush()
        few = 1 if option & 32 else jsonl_lines.FEW_LINES
        with cut(SIZES[option & 3]), mock.patch.object(jsonl_lines, "FEW_LINES", few):
            check_file(held.name, text, policy)


def check_file(path: str, text: bytes, policy: Policy) -> None:
    """Load the run and compare it with its rows."""
    ranks = policy.ties == "rank"
    try:
        with Source(path) as source:
            rows = rows_of(source, run_format_of(source, policy.run_format), ranks=ranks)
    except PROBLEMS as problem:
        check_problem(problem, text)
        rows = []
    good = [row for row in rows if row is not None]
    grades = judged(good)
    judgments = judgments_of(grades)
    try:
        loaded = load_run(path, judgments, policy)
    except PROBLEMS as problem:
        check_problem(problem, text)
        if None not in rows and not repeats(judged_of(good, grades)) and any(row.qid in grades for row in good):
            raise AssertionError(f"refused, although nothing is wrong with {good}") from problem
        return
    with Source(path) as source:
        rows = rows_of(source, loaded.report.format, ranks=ranks)
    good = [row for row in rows if row is not None]
    if policy.on_error == "skip":
        good = without_repeats(good)
    elif None in rows or repeats(judged_of(good, grades)):
        raise AssertionError(f"accepted: {rows}")
    plain = plain_text(text)
    if policy.on_error == "stop" and plain is not None:
        check_plainly(good, loaded.report.format, plain)
    check_answer(good, grades, loaded, judgments, policy)


def judged_of(rows: list[Row], grades: dict[bytes, dict[bytes, float]]) -> list[Row]:
    """The rows of queries with judgments; what is repeated in others is passed over."""
    return [row for row in rows if row.qid in grades]


def check_plainly(rows: list[Row], layout: RunFormat, text: bytes) -> None:
    """The accepted rows are those that Python's own readers find."""
    plain = plain_rows(layout, text)
    sign = -1 if is_rank(layout) else 1
    if plain is not None and sorted(plain) != sorted((row.qid, row.docid, sign * row.score) for row in rows):
        raise AssertionError(f"{rows}\nare not what is found by csv or json\n{plain}")


def is_rank(layout: RunFormat) -> bool:
    """Whether the scores are ranks, which count the other way round."""
    shape = getattr(layout, "shape", None)
    return shape is not None and shape.smaller_first


def rows_of(source: Source, layout: RunFormat, *, ranks: bool) -> list[Row | None]:
    """The rows in file order; None in the place of those with a fault."""
    found: list[Row | None] = []
    for piece in layout.pieces(source, []):
        rows = layout.rows(piece, Wanted(ranks=ranks, skip=True))
        found += [None] * rows.dropped + _told(rows)
    return found


def _told(rows: RunRows) -> list[Row | None]:
    qids, docids = token_list(rows.data, *rows.qids), token_list(rows.data, *rows.docids)
    if any(not token or b"\0" in token for token in qids + docids):
        raise AssertionError(f"an id is empty or holds NUL: {qids} {docids}")
    scores = _numbers(rows, rows.scores, infinities=True)
    if rows.smaller_first:
        scores = [-score for score in scores]
    ranks = [0.0] * len(qids) if rows.ranks is None else _numbers(rows, rows.ranks, infinities=False)
    return [
        None if math.isnan(score) or math.isnan(rank) else Row(qid, docid, rank, score, b"t")
        for qid, docid, rank, score in zip(qids, docids, ranks, scores, strict=True)
    ]


def _numbers(rows: RunRows, column: Fields | np.ndarray, *, infinities: bool) -> list[float]:
    if not isinstance(column, Fields):
        return [float(value) for value in column]
    return [strict_number(token, infinities=infinities) for token in token_list(rows.data, *column)]


def judgments_of(grades: dict[bytes, dict[bytes, float]]) -> Judgments:
    """The judgments, whose ids may be any bytes."""
    triples = [(qid, docid, grade) for qid, known in grades.items() for docid, grade in known.items()]
    data, ids = buffer_of([token for qid, docid, _ in triples for token in (qid, docid)])
    qids, docids = Fields(ids.start[::2], ids.end[::2]), Fields(ids.start[1::2], ids.end[1::2])
    return Judgments(JudgmentRows(data, qids, docids, np.array([grade for *_, grade in triples])))


def check_answer(
    rows: list[Row], grades: dict[bytes, dict[bytes, float]], loaded: LoadedRun, judgments: Judgments, policy: Policy
) -> None:
    """The run is ranked as plain Python ranks its rows; and so it is if they are written as a TREC run."""
    ties = tie_rule(policy)
    found = described(loaded.ranking, judgments)
    expected = answer(rows, grades, ties)
    if found != expected:
        raise AssertionError(f"{found}\nis not what plain Python finds:\n{expected}")
    spelt = [row._replace(qid=row.qid.hex().encode(), docid=row.docid.hex().encode()) for row in rows]
    spelt_grades = {
        qid.hex().encode(): {docid.hex().encode(): grade for docid, grade in known.items()}
        for qid, known in grades.items()
    }
    again_judgments = judgments_in(qrels_text(spelt_grades))
    again, report = run_in(run_text(spelt), again_judgments, RunRules(ties))
    if report.faults or unspelt(described(again, again_judgments)) != found:
        raise AssertionError(f"{found}\nis not what is found in\n{run_text(spelt).decode()}")
    for spec in MEASURES:
        one, two = spec.compute(loaded.ranking), spec.compute(again)
        if list(one) != list(two):
            raise AssertionError(f"{spec.name}: {one} and again {two}")


def unspelt(joined: Joined) -> Joined:
    """The same with ids as they were."""
    return joined._replace(
        retrieved={_bytes(qid): count for qid, count in joined.retrieved.items()},
        answered={_bytes(qid) for qid in joined.answered},
        hits=[hit._replace(qid=_bytes(hit.qid), docid=_bytes(hit.docid)) for hit in joined.hits],
    )


def _bytes(spelt: bytes) -> bytes:
    return bytes.fromhex(spelt.decode())


if __name__ == "__main__":
    fuzz(check)
