"""Findings about a run by itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.validate_beside import note_beside
from irevalcli.analysis.validate_columns import note_swapped
from irevalcli.analysis.validate_faults import note_faults
from irevalcli.analysis.validate_found import Found, here
from irevalcli.analysis.validate_order import note_ranks, note_scores
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
from irevalcli.reading.places import first_at
from irevalcli.reading.rules import (
    NO_DATA,
    RUN_DUPLICATE,
    RUN_EQUAL_SCORES,
    RUN_EXTRA,
    RUN_INTERLEAVED,
    RUN_TAG,
    RUN_TAGS,
    RUN_TOO_LONG,
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
            note_faults(found, source, run, checks.most)
            _note_tags(found, run, checks)
            _note_rows(found, source, run, checks)
            if run.rows:
                note_swapped(found, run, head, judged)
            if run.rows and judged is not None:
                note_beside(found, run, judged, checks)
            return found.report(source, run.format, rows=run.rows, queries=run.num_queries)
    except InputProblem as problem:
        return found.unreadable(problem)


def _seen(source: Source, judged: Judged | None, checks: Checks) -> SeenRun:
    judgments = None if judged is None else judged.judgments
    rules = RunRules(format=run_format_of(source, checks.run_format), skip=True, inspect=True)
    queries = AllQueries(judgments)
    looked = Looked(judgments, checks.most_documents, checks.most)
    return SeenRun(read_parts(source, queries, rules, checking(looked, rules)), queries)


def _note_lines(found: Found, run: SeenRun) -> None:
    """The text, and lines with more fields."""
    note_text(found, run.text, 0)
    if not run.rows and not run.dropped:
        found.note(NO_DATA, "no results in the file")
    if run.extra.number:
        lines = counted(run.extra.number, "line has", "lines have")
        message = f"{lines} more fields than a run has{here(run.extra.first)}; the rest is ignored"
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


def _note_rows(found: Found, source: Source, run: SeenRun, checks: Checks) -> None:
    _note_repeated(found, source, run, checks)
    note_ranks(found, run)
    note_scores(found, run)
    query, lines = run.stretches
    back = returning(query, lines)
    if back.number:
        blocks = 1 + int(np.count_nonzero(query[1:] != query[:-1]))
        queries = counted(back.number, "query comes", "queries come")
        message = f"{queries} back after another one{here(back.first)} ({blocks} blocks for {run.num_queries} queries)"
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


def _note_repeated(found: Found, source: Source, run: SeenRun, checks: Checks) -> None:
    repeated = run.repeated(checks.most)
    for line, first_line, index, docid in repeated:
        first = f" ({first_at(source, first_line + 1, line + 1)})" if line >= 0 else ""
        message = f"duplicate document {quoted(docid)} for query {quoted(run.qids[index])}{first}"
        found.note(RUN_DUPLICATE, message, line + 1, "docid")
    found.count_more(RUN_DUPLICATE, run.num_repeated - len(repeated))
