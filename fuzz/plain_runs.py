"""Runs in plain Python: the rows that a TREC run holds, their order, and the answer that the engine must come to."""

from __future__ import annotations

import ctypes
import math
import re
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from plain import Hit, Joined, merge_ranked, single

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from irevalcli.index.order import TieRule

DECIMAL = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
INFINITY = re.compile(rb"[+-]?inf(inity)?", re.IGNORECASE)
FIELD = re.compile(rb"[^ \t\n\v\f\r]+")
WIDTH = 6

_strtod = ctypes.CDLL(None).strtod
_strtod.restype = ctypes.c_double
_strtod.argtypes = (ctypes.c_char_p, ctypes.c_void_p)


class Row(NamedTuple):
    """A row of a run; `rank` is what its column says."""

    qid: bytes
    docid: bytes
    rank: float
    score: float
    tag: bytes


class Plain(NamedTuple):
    """A run as plain Python reads it: rows, data lines, the numbers of lines with a fault, lines with more fields."""

    rows: list[Row]
    lines: int
    bad: list[int]
    extra: int


def strict_number(token: bytes, *, infinities: bool = True) -> float:
    """The number that native mode reads, or NaN if it refuses the token."""
    if infinities and INFINITY.fullmatch(token):
        return float(token)
    value = float(token) if DECIMAL.fullmatch(token) else math.nan
    return math.nan if math.isinf(value) else value


def blank_in_id(line: bytes, fields: Sequence[bytes]) -> bool:
    """Whether a line has a score, and more fields than a run because of a blank in an id; tabs or rank show it."""
    if len(fields) <= WIDTH or not DECIMAL.fullmatch(fields[4]):
        return False
    if line.count(b"\t") == WIDTH - 1:
        found = [match.start() for match in FIELD.finditer(line)]
        return line[found[0] : found[WIDTH - 1]].count(b"\t") < WIDTH - 1
    return not DECIMAL.fullmatch(fields[3]) and DECIMAL.fullmatch(fields[5]) is not None


def strict_run(text: bytes, *, comments: bool, ranks: bool) -> Plain:
    """The run as native mode reads it; the rows are those of lines without a fault."""
    rows, bad, lines, extra = [], [], 0, 0
    for number, line in enumerate(text.split(b"\n"), 1):
        fields = line.split()
        if not fields or (comments and fields[0].startswith(b"#")):
            continue
        lines += 1
        if len(fields) < WIDTH or b"\0" in line or has_split_id(line):
            bad.append(number)
            continue
        extra += len(fields) > WIDTH
        rank = strict_number(fields[3], infinities=False) if ranks else 0.0
        row = Row(fields[0], fields[2], rank, strict_number(fields[4]), fields[5])
        if math.isnan(row.score) or math.isnan(rank):
            bad.append(number)
        else:
            rows.append(row)
    return Plain(rows, lines, bad, extra)


def has_split_id(line: bytes) -> bool:
    """Whether a blank inside an id gives a line with a score too many fields.

    Where there are as many tabs as part six fields, another blank does so, too; elsewhere the rank is no number.
    """
    fields = list(FIELD.finditer(line))
    if len(fields) <= WIDTH or not DECIMAL.fullmatch(fields[4][0]):
        return False
    if line.count(b"\t") == WIDTH - 1:
        return line.count(b"\t", fields[0].start(), fields[WIDTH - 1].start()) < WIDTH - 1
    return DECIMAL.fullmatch(fields[3][0]) is None and DECIMAL.fullmatch(fields[5][0]) is not None


def lenient_run(text: bytes, *, comments: bool) -> Plain:
    """The run as trec_eval reads it: up to the first malformed line, scores as the C library's strtod has them."""
    rows: list[Row] = []
    extra = 0
    for number, line in enumerate(text.split(b"\n"), 1):
        fields = line.split()
        if not fields or (comments and fields[0].startswith(b"#")):
            continue
        if len(fields) < WIDTH or b"\0" in line:
            return Plain(rows, len(rows), [number], extra)
        extra += len(fields) > WIDTH
        rows.append(Row(fields[0], fields[2], 0.0, _strtod(fields[4], None), fields[5]))
    return Plain(rows, len(rows), [], extra)


def without_repeats(rows: Iterable[Row]) -> list[Row]:
    """Of a document that is listed twice for a query, the first row only."""
    first: dict[tuple[bytes, bytes], Row] = {}
    for row in rows:
        first.setdefault((row.qid, row.docid), row)
    return list(first.values())


def repeats(rows: Iterable[Row]) -> set[tuple[bytes, bytes]]:
    """The (query, document) pairs that stand on several rows."""
    seen: set[tuple[bytes, bytes]] = set()
    return {pair for pair in ((row.qid, row.docid) for row in rows) if pair in seen or seen.add(pair)}  # type: ignore[func-returns-value]


def judged(rows: Iterable[Row]) -> dict[bytes, dict[bytes, float]]:
    """Judgments for two of three documents, with grades from -1 to 2, and one document that no run retrieves.

    A query whose name begins with # gets none: strict qrels take such lines for comments.
    """
    grades: dict[bytes, dict[bytes, float]] = {b"not-in-the-run": {b"d": 1.0}}
    for row in rows:
        chance = crc32(row.qid + b" " + row.docid)
        if chance % 3 and not row.qid.startswith(b"#"):
            grades.setdefault(row.qid, {b"never-retrieved-\xff": 1.0})[row.docid] = chance // 3 % 4 - 1.0
    return grades


def ordered(rows: Sequence[Row], ties: TieRule) -> list[Row]:
    """The rows of one query in ranking order."""
    compared = [(row.docid, single(row.score) if ties.single_precision else row.score) for row in rows]
    if any(math.isnan(score) for _, score in compared):
        by_docid = {row.docid: row for row in rows}
        return [by_docid[docid] for docid, _ in merge_ranked(compared, descending=ties.docid_descending)]
    places = sorted(range(len(rows)), key=lambda place: rows[place].docid, reverse=ties.docid_descending)
    if ties.by == "file":
        places.sort()
    elif ties.by == "rank":
        places.sort(key=lambda place: rows[place].rank)
    places.sort(key=lambda place: compared[place][1], reverse=True)
    return [rows[place] for place in places]


def answer(rows: Iterable[Row], grades: dict[bytes, dict[bytes, float]], ties: TieRule) -> Joined:
    """What the engine must find in a run without repeated documents."""
    queries: dict[bytes, list[Row]] = {qid: [] for qid in grades}
    for row in rows:
        if row.qid in queries:
            queries[row.qid].append(row)
    hits = []
    for qid in sorted(queries):
        order = ordered(queries[qid], ties)
        scores = [single(row.score) if ties.single_precision else row.score for row in order]
        for rank, (row, compared) in enumerate(zip(order, scores, strict=True), 1):
            if row.docid in grades[qid]:
                first = scores.index(compared) + 1 if compared == compared else 0  # noqa: PLR0124  (NaN)
                size = scores.count(compared) if first else 0
                hits.append(Hit(qid, rank, row.docid, grades[qid][row.docid], row.score, first, size))
    return Joined(
        {qid: len(found) for qid, found in queries.items()}, {qid for qid, found in queries.items() if found}, hits
    )


def run_text(rows: Iterable[Row]) -> bytes:
    """The rows as a TREC run."""
    return b"".join(
        b"%b Q0 %b %b %b %b\n" % (row.qid, row.docid, repr(row.rank).encode(), repr(row.score).encode(), row.tag)
        for row in rows
    )


def qrels_text(grades: dict[bytes, dict[bytes, float]]) -> bytes:
    """The judgments as TREC qrels."""
    return b"".join(
        b"%b 0 %b %b\n" % (qid, docid, repr(grade).encode())
        for qid, known in grades.items()
        for docid, grade in known.items()
    )
