"""Reading, joining and ranking in plain Python, one line after the other: the slow references of the engine's tests."""

from __future__ import annotations

import struct
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from irevalcli.index import duplicates, further_grades, lookup, popularity, run_checks, scan
from irevalcli.index.qrels import QrelsReport, QrelsRules, read_qrels
from irevalcli.index.scan import RunRules
from irevalcli.index.stream import RunReport, read_run
from irevalcli.reading import pieces, words
from irevalcli.reading.opening import Source
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bytes

STRICT = RunRules()
LENIENT = RunRules(strict=False)
STRICT_QRELS = QrelsRules()
LENIENT_QRELS = QrelsRules(strict=False)

Grades = dict[bytes, dict[bytes, float]]


class Hit(NamedTuple):
    """A retrieved document that the qrels list, as the reference and the engine both describe it."""

    qid: bytes
    rank: int
    docid: bytes
    grade: float
    score: float
    tie_first: int
    tie_size: int


class Joined(NamedTuple):
    """A run joined with judgments: the number of retrieved documents per query of the qrels, and all hits in order."""

    retrieved: dict[bytes, int]
    answered: set[bytes]
    hits: list[Hit]


def data_lines(text: bytes) -> list[list[bytes]]:
    """The fields of every line that is neither blank nor a comment."""
    lines = [line.split() for line in text.split(b"\n")]
    return [fields for fields in lines if fields and not fields[0].startswith(b"#")]


def grades_of(text: bytes) -> Grades:
    """The grades of strict qrels by query and document; the highest of several."""
    grades: Grades = {}
    for qid, _, docid, grade in data_lines(text):
        known = grades.setdefault(qid, {})
        known[docid] = max(known.get(docid, float(grade)), float(grade))
    return grades


def single(score: float) -> float:
    """The score rounded to float32."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", score))[0]
    except OverflowError:
        return float("inf") if score > 0 else float("-inf")
    return rounded


def ranked(rows: Iterable[tuple[bytes, float]], *, descending: bool = True) -> list[tuple[bytes, float]]:
    """Documents with their scores, in ranking order. No score is NaN."""
    by_docid = sorted(rows, key=lambda row: row[0], reverse=descending)
    return sorted(by_docid, key=lambda row: row[1], reverse=True)


def merge_ranked(rows: list[tuple[bytes, float]], *, descending: bool = True) -> list[tuple[bytes, float]]:
    """The same if some scores are NaN: C's merge sort with a comparison that finds NaN equal to every score."""

    def compare(one: tuple[bytes, float], two: tuple[bytes, float]) -> int:
        if one[1] < two[1] or one[1] > two[1]:
            return -1 if one[1] > two[1] else 1
        order = (one[0] > two[0]) - (one[0] < two[0])
        return -order if descending else order

    def sort(items: list[tuple[bytes, float]]) -> list[tuple[bytes, float]]:
        if len(items) < 2:
            return items
        left, right = sort(items[: len(items) // 2]), sort(items[len(items) // 2 :])
        merged = []
        while left and right:
            merged.append(left.pop(0) if compare(left[0], right[0]) <= 0 else right.pop(0))
        return merged + left + right

    return sort(sorted(rows))


def joined(run: bytes, grades: Grades, *, descending: bool = True, rounded: bool = False) -> Joined:
    """A strict run without duplicates, joined with the judgments."""
    rows: dict[bytes, list[tuple[bytes, float, float]]] = {qid: [] for qid in grades}
    for qid, _, docid, _, score, *_ in data_lines(run):
        if qid in rows:
            number = float(score)
            rows[qid].append((docid, single(number) if rounded else number, number))
    hits = []
    for qid in sorted(rows):
        given = {docid: score for docid, _, score in rows[qid]}
        order = ranked([row[:2] for row in rows[qid]], descending=descending)
        scores = [score for _, score in order]
        for rank, (docid, compared) in enumerate(order, 1):
            if docid in grades[qid]:
                tie = (scores.index(compared) + 1, scores.count(compared))
                hits.append(Hit(qid, rank, docid, grades[qid][docid], given[docid], *tie))
    return Joined({qid: len(found) for qid, found in rows.items()}, {qid for qid in rows if rows[qid]}, hits)


def described(ranking: Ranking, judgments: Judgments) -> Joined:
    """What the engine found, in the reference's words."""
    qids = judgments.qids
    hits = [
        Hit(qids[query], rank, docid, grade, score, first, size)
        for query, rank, docid, grade, score, first, size in zip(
            ranking.query.tolist(),
            ranking.rank.tolist(),
            judgments.docids(ranking.listed),
            ranking.grade.tolist(),
            ranking.score.tolist(),
            ranking.tie_first.tolist(),
            ranking.tie_size.tolist(),
            strict=True,
        )
    ]
    answered = {qid for qid, answer in zip(qids, ranking.answered.tolist(), strict=True) if answer}
    return Joined(dict(zip(qids, ranking.retrieved.tolist(), strict=True)), answered, hits)


@contextmanager
def opened(text: bytes, *, marks: bool = True) -> Iterator[Source]:
    """A file that holds `text`."""
    with tempfile.NamedTemporaryFile() as held:
        held.write(text)
        held.flush()
        source = Source(held.name, marks=marks)
        try:
            yield source
        finally:
            source.close()


def qrels_in(text: bytes, rules: QrelsRules = STRICT_QRELS) -> tuple[Judgments | None, QrelsReport]:
    """What the engine makes of qrels."""
    with opened(text) as source:
        return read_qrels(source, rules)


def judgments_in(text: bytes, rules: QrelsRules = STRICT_QRELS) -> Judgments:
    """The judgments of qrels without faults."""
    judgments, report = qrels_in(text, rules)
    if judgments is None:
        raise AssertionError(report)
    return judgments


def run_in(text: bytes, judgments: Judgments, rules: RunRules = STRICT) -> tuple[Ranking, RunReport]:
    """What the engine makes of a run."""
    with opened(text) as source:
        return read_run(source, judgments, rules)


@contextmanager
def cut(size: int, longest: int = pieces.LONGEST_PIECE) -> Iterator[None]:
    """Files are read in pieces of about `size` bytes; those of one query grow up to about `longest`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE_SIZE", size)
        patch.setattr(pieces, "LONGEST_PIECE", longest)
        yield


@contextmanager
def few_hashes(bits: int) -> Iterator[None]:
    """Only `bits` bits of every hash are left, so that look-ups meet collisions all the time."""
    kept = np.uint64((1 << bits) - 1)
    hashed, salted = words.hash_tokens, lookup.salted
    with pytest.MonkeyPatch.context() as patch:
        for module in (lookup, scan, duplicates, popularity, further_grades, run_checks):
            patch.setattr(module, "hash_tokens", lambda data, start, end: hashed(data, start, end) & kept)
            patch.setattr(module, "salted", lambda hashes, group: salted(hashes, group) & kept)
        yield


def buffer_of(tokens: Sequence[bytes]) -> tuple[Bytes, Fields]:
    """A buffer that holds the tokens, with a blank after each."""
    length = np.array([len(token) for token in tokens], np.int64)
    end = np.cumsum(length + 1) - 1 + PAD
    return np.frombuffer(bytes(PAD) + b" ".join(tokens) + bytes(PAD), np.uint8), Fields(end - length, end)
