"""Findings about a run by itself."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.validate_beside import note_beside
from irevalcli.analysis.validate_columns import note_swapped
from irevalcli.analysis.validate_found import Found
from irevalcli.analysis.validate_seen import SeenRun
from irevalcli.analysis.validate_text import note_encoding, note_text
from irevalcli.errors import InputProblem
from irevalcli.index.all_queries import AllQueries
from irevalcli.index.inspection import returning
from irevalcli.index.run_checks import Looked, checking
from irevalcli.index.scan import RunRules
from irevalcli.index.stream import read_parts
from irevalcli.reading.faults import quoted
from irevalcli.reading.heads import Head
from irevalcli.reading.opening import Source
from irevalcli.reading.rules import (
    NO_DATA,
    RUN_ASCENDING,
    RUN_DUPLICATE,
    RUN_EQUAL_SCORES,
    RUN_EXTRA,
    RUN_FIELDS,
    RUN_FIRST_RANK,
    RUN_INFINITE,
    RUN_INTERLEAVED,
    RUN_RANK_ORDER,
    RUN_RANKS,
    RUN_SCORE,
    RUN_SINGLE_PRECISION,
    RUN_TAG,
    RUN_TAGS,
    RUN_TIES,
    RUN_TOO_LONG,
    RUN_UNSORTED,
)
from irevalcli.reading.sniffing import run_format_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.validate_found import Checks
    from irevalcli.analysis.validate_qrels import Judged
    from irevalcli.analysis.validation import FileReport

LONGEST_TAG = 20
"""Characters of a run tag that NIST accepts (https://ir.nist.gov/covidSubmit/submission3.html)."""

_TREC_TAG = re.compile(rb"[A-Za-z0-9_.-]{1,%d}" % LONGEST_TAG)

FEWEST_RISES = 2
"""So many rising scores, and no falling one, make a direction."""


def run_report(
    path: str, judged: Judged | None, checks: Checks, watch: Callable[[Source], None] | None = None
) -> FileReport:
    """What is found in a run, by itself and beside the qrels.

    Args:
        path: the file, or ``-``.
        judged: the qrels, or None.
        checks: what is looked for.
        watch: called whenever some of the run was read, or None.

    Raises:
        MissingExtra: an optional package is needed to read it.
    """
    found = Found(path, "run", checks)
    try:
        with Source(path) as source:
            found = Found(source.name, "run", checks)
            source.watch = watch
            head = Head.of(source)
            run = _seen(source, judged, checks)
            note_encoding(found, source)
            _note_lines(found, run)
            _note_tags(found, run, checks)
            _note_rows(found, run, checks)
            if run.rows:
                note_swapped(found, run, head, judged)
            if run.rows and judged is not None:
                note_beside(found, run, judged, checks)
            return found.report(source, run.format, rows=run.rows, queries=run.num_queries)
    except InputProblem as problem:
        return found.unreadable(problem)


def _seen(source: Source, judged: Judged | None, checks: Checks) -> SeenRun:
    judgments = None if judged is None else judged.judgments
    rules = RunRules(format=run_format_of(source, checks.run_format), skip=True, inspect=True, of_each=checks.most)
    queries = AllQueries(judgments)
    looked = Looked(judgments, checks.most_documents, checks.most)
    return SeenRun(read_parts(source, queries, rules, checking(looked, rules)), queries)


def _note_lines(found: Found, run: SeenRun) -> None:
    """The text, faults, and lines with more fields."""
    note_text(found, run.text, 0)
    faults = run.faults
    found.add(faults)
    located = Counter(fault.rule for fault in faults)
    number, misshapen = sum(located.values()), run.misshapen
    # More of a kind than were located; which rules they break is not known, but for the kind.
    fields = located[RUN_FIELDS.code]
    if fields:
        found.count_more(RUN_FIELDS, misshapen - fields)
    if located[RUN_SCORE.code]:
        found.count_more(RUN_SCORE, run.dropped - misshapen - (number - fields))
    if not run.rows and not faults:
        found.note(NO_DATA, "no results in the file")
    if run.extra.number:
        lines = counted(run.extra.number, "line has", "lines have")
        message = f"{lines} more fields than a run has, here first; the rest is ignored"
        found.note(RUN_EXTRA, message, run.extra.first + 1)


def _note_tags(found: Found, run: SeenRun, checks: Checks) -> None:
    tags = run.tags
    if len(tags) > 1:
        second = list(tags.values())[1]
        message = f"{len(tags)} run tags in one file ({some(list(tags))}), the second from here; is it one run?"
        found.note(RUN_TAGS, message, second + 1, "tag")
    if checks.preset != "trec":
        return
    for tag, line in tags.items():
        if len(tag) > LONGEST_TAG:
            found.note(RUN_TAG, f"run tag of {len(tag)} characters, {LONGEST_TAG} allowed", line + 1, "tag")
        elif not _TREC_TAG.fullmatch(tag):
            found.note(RUN_TAG, f"run tag {quoted(tag)} has other characters than allowed", line + 1, "tag")


def _note_rows(found: Found, run: SeenRun, checks: Checks) -> None:
    _note_repeated(found, run, checks)
    _note_order(found, run)
    query, lines = run.stretches
    back = returning(query, lines)
    if back.number:
        blocks = 1 + int(np.count_nonzero(query[1:] != query[:-1]))
        queries = counted(back.number, "query comes", "queries come")
        message = f"{queries} back after another one, here first ({blocks} blocks for {run.num_queries} queries)"
        found.note(RUN_INTERLEAVED, message, back.first + 1, "qid")
    equal, too_long = run.of_queries("equal", checks.most), run.of_queries("too_long", checks.most)
    for line, index, size in equal.examples:
        message = f"all {size} scores of query {quoted(run.qids[index])} are equal"
        found.note(RUN_EQUAL_SCORES, message, line + 1, "score")
    found.count_more(RUN_EQUAL_SCORES, equal.number - len(equal.examples))
    for line, index, size in too_long.examples:
        message = f"query {quoted(run.qids[index])} has {size} documents, of {checks.most_documents} allowed"
        found.note(RUN_TOO_LONG, message, line + 1)
    found.count_more(RUN_TOO_LONG, too_long.number - len(too_long.examples))


def _note_repeated(found: Found, run: SeenRun, checks: Checks) -> None:
    repeated = run.repeated(checks.most)
    for line, first_line, index, docid in repeated:
        first = f" (first at line {first_line + 1})" if line >= 0 else ""
        message = f"duplicate document {quoted(docid)} for query {quoted(run.qids[index])}{first}"
        found.note(RUN_DUPLICATE, message, line + 1, "docid")
    found.count_more(RUN_DUPLICATE, run.num_repeated - len(repeated))


def _note_order(found: Found, run: SeenRun) -> None:
    """Scores, ranks, and the order of the file."""

    def queries(number: int) -> str:
        return counted(number, "query", "queries")

    odd, infinite = run.spots("odd_ranks"), run.spots("infinite")
    if odd.number:
        message = f"{counted(odd.number, 'rank is no number', 'ranks are no numbers')}; evaluators do not read it"
        found.note(RUN_RANKS, message, odd.first + 1, "rank", severity="warning")
    if infinite.number:
        message = f"{counted(infinite.number, 'infinite score')}, ranked first (inf) or last (-inf)"
        found.note(RUN_INFINITE, message, infinite.first + 1, "score")
    unordered, not_from_one = run.spots("unordered"), run.spots("not_from_one")
    if unordered.number:
        message = f"rank order disagrees with scores from here ({queries(unordered.number)}); evaluators use the score"
        found.note(RUN_RANK_ORDER, message, unordered.first + 1, "rank")
    # Where lines with faults are missing, rank 1 may be among them.
    if not_from_one.number and not (run.dropped and run.smallest_rank > 1):
        message = f"the smallest rank is {run.smallest_rank:g} here, not 1 ({queries(not_from_one.number)})"
        found.note(RUN_FIRST_RANK, message, not_from_one.first + 1, "rank")
    unsorted, tied, single = run.spots("unsorted"), run.spots("tied"), run.spots("single")
    if unsorted.number:
        what = "rank is smaller" if run.smaller_first else "score is higher"
        message = f"the {what} than on the line above ({queries(unsorted.number)})"
        found.note(RUN_UNSORTED, message, unsorted.first + 1, "score")
    if tied.number:
        documents = counted(run.tied_documents, "document has", "documents have")
        message = f"{documents} the score of another one, here first ({queries(tied.number)})"
        found.note(RUN_TIES, message, tied.first + 1, "score")
    if single.number:
        message = f"scores differ, but are equal in single precision, here first ({queries(single.number)})"
        found.note(RUN_SINGLE_PRECISION, message, single.first + 1, "score")
    direction = run.direction
    if 0 < direction.told == direction.rising and direction.rises >= FEWEST_RISES and not run.smaller_first:
        found.note(RUN_ASCENDING, "the scores rise down the file in every query: is it a distance?")
