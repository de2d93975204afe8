"""The TREC run reader against plain Python, in pieces of several sizes, and against itself on the rows it accepted."""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest import mock

from campaign import fuzz
from findings import plain_text
from plain import cut, described, judgments_in, run_in
from plain_runs import (
    Plain,
    Row,
    answer,
    judged,
    lenient_run,
    qrels_text,
    repeats,
    run_text,
    strict_run,
    without_repeats,
)

from irevalcli.errors import InputProblem
from irevalcli.index import stream
from irevalcli.index.order import TieRule
from irevalcli.index.scan import RunRules
from irevalcli.measures.spec import parse_measures
from irevalcli.reading.trec import AS_RELEASE_9, AS_RELEASE_10, TREC

if TYPE_CHECKING:
    from collections.abc import Iterator

    from plain import Joined

    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.stream import RunReport

SIZES = (64, 300, 1 << 12, 1 << 20)
IN_THREADS = 300
"""Pieces of this size are read in threads as usual; the others one after the other, which is twice as fast here."""
TIES = (TieRule(), TieRule(docid_descending=False), TieRule("rank"), TieRule("file"))
MEASURES = parse_measures("AP,nDCG@10,P@5,RR,Judged@10,Bpref,RBP,NumRet")


def check(data: bytes) -> None:
    """The first byte chooses how to read, the rest is the file."""
    option, text = data[0] if data else 0, data[1:]
    told = plain_text(text)
    if told is None:
        return
    strict = bool(option & 4)
    ties = TIES[option >> 3 & (3 if strict else 1)]._replace(single_precision=bool(option & 32))
    comments = strict or not option & 64
    rules = RunRules(
        ties,
        strict=strict,
        format=TREC if strict else AS_RELEASE_10 if comments else AS_RELEASE_9,
        skip=strict and option >= 128,
    )
    if strict:
        plain = strict_run(told, comments=comments, ranks=ties.by == "rank")
    else:
        plain = lenient_run(told, comments=comments)
    grades = judged(plain.rows)
    judgments = judgments_in(qrels_text(grades))
    try:
        with cut_into(SIZES[option & 3]):
            ranking, report = run_in(text, judgments, rules)
    except InputProblem:
        raise AssertionError("a plain file was not read to its end") from None
    check_report(plain, report, rules)
    if (plain.bad and strict and not rules.skip) or (report.duplicates and not rules.skip):
        return
    rows = without_repeats(plain.rows) if rules.skip else plain.rows
    expected = answer(rows, grades, ties)
    same(described(ranking, judgments), expected, "plain Python", frozenset(r.qid for r in rows if math.isnan(r.score)))
    if strict:
        check_again(rows, ranking, judgments, rules)


def check_dropped(plain: Plain, dropped: int, rules: RunRules, known: set[bytes]) -> None:
    """All lines with a fault were left out, and those that repeat others; without judgments, they need not be seen."""
    judged_rows = [row for row in plain.rows if row.qid in known]
    least, most = (len(rows) - len(without_repeats(rows)) for rows in (judged_rows, plain.rows))
    bad = len(plain.bad)
    if rules.skip and not bad + least <= dropped <= bad + most:
        raise AssertionError(f"{dropped} lines were left out, of which {bad} with a fault and {least} to {most} again")


@contextmanager
def cut_into(size: int) -> Iterator[None]:
    """Files are read in pieces of about `size` bytes."""
    work_on = stream._ordered if size == IN_THREADS else lambda items, work, _: map(work, items)
    with cut(size), mock.patch.object(stream, "_ordered", work_on):
        yield


def check_report(plain: Plain, report: RunReport, rules: RunRules) -> None:
    """Faults, duplicates and counts are those that plain Python sees."""
    known = {row.qid for row in plain.rows} & set(judged(plain.rows))
    lines = {fault.line for fault in report.faults}
    if rules.strict and bool(lines) != bool(plain.bad):
        raise AssertionError(f"faults in lines {lines}, not {plain.bad}")
    binary = any(fault.rule == "INP005" for fault in report.faults)
    if lines and not binary and not (min(lines) == plain.bad[0] and lines <= set(plain.bad)):
        raise AssertionError(f"faults in lines {lines}, not {plain.bad}")
    check_dropped(plain, report.dropped, rules, known)
    if plain.bad:
        return
    twice = set() if rules.skip else {pair for pair in repeats(plain.rows) if pair[0] in known}
    # Not all of them are told.
    duplicates = {duplicate.docid for duplicate in report.duplicates}
    if bool(duplicates) != bool(twice) or not duplicates <= {docid for _, docid in twice}:
        raise AssertionError(f"duplicates {report.duplicates}, not {twice}")
    found = (report.rows, report.extra, report.infinite, set(report.tags) if rules.strict else set(report.tags[-1:]))
    infinite = sum(math.isinf(row.score) for row in plain.rows)
    tags = [row.tag for row in plain.rows]
    if found != (plain.lines, plain.extra, infinite, set(tags if rules.strict else tags[-1:])):
        raise AssertionError(f"{found}, not {plain.lines, plain.extra, infinite, tags}")


def same(found: Joined, expected: Joined, whose: str, odd: frozenset[bytes] = frozenset()) -> None:
    """Retrieved counts, ranks, scores and ties are equal; the latter two are not looked at in `odd` queries."""
    one, two = (
        joined._replace(
            hits=[hit._replace(score=0.0, tie_first=0, tie_size=0) if hit.qid in odd else hit for hit in joined.hits]
        )
        for joined in (found, expected)
    )
    if one != two:
        raise AssertionError(f"{one}\nis not what {whose} finds:\n{two}")


def check_again(rows: list[Row], ranking: Ranking, judgments: Judgments, rules: RunRules) -> None:
    """The accepted rows, written as a run again, give the same Scores; the order of lines matters only to ``file``."""
    moved = rows if rules.ties.by == "file" else rows[::2] + rows[1::2]
    with cut_into(SIZES[0]):
        again, report = run_in(run_text(moved), judgments, rules)
    if report.faults:
        raise AssertionError(report.faults)
    same(described(again, judgments), described(ranking, judgments), "the first reading")
    for spec in MEASURES:
        one, two = spec.compute(ranking), spec.compute(again)
        if list(one) != list(two):
            raise AssertionError(f"{spec.name}: {one} and again {two}")


if __name__ == "__main__":
    fuzz(check)
