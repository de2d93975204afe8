"""Where trec_eval gives up: the first query at which a measure cannot be calculated, and what it says then."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.index.judgments import Judgments
    from irevalcli.index.preferences import Problem
    from irevalcli.reading.arrays import Bools
    from irevalcli.trec.table import Marked

UTILITY_PARAMETERS = 4


class Failure(NamedTuple):
    """The end of an evaluation.

    Attributes:
        query: index of the query at whose turn it comes.
        message: bytes for standard error.
    """

    query: int
    message: bytes


class Obstacles(NamedTuple):
    """What may stand in the way of measures, by query index.

    Attributes:
        judgments: the judgments.
        missing: queries that the run lacks and that may not be skipped.
        run_duplicates: the first document, in byte order, that the run lists twice within the depth.
        qrels_duplicates: the first document that the qrels list twice.
        preferences: message about preferences that cannot be used.
        format: name of the format of judgments.
    """

    judgments: Judgments
    missing: Bools
    run_duplicates: dict[int, bytes]
    qrels_duplicates: dict[int, bytes]
    preferences: dict[int, bytes]
    format: str


_WRONG_FORMAT = {
    "qrels": b"trec_eval.form_res_qrels: rel_info format not qrels or results format not trec_results\n",
    "qrels_jg": b"trec_eval: rel_info format not qrels_jg or results format not trec_results\n",
    "preferences": (
        b"trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or results format not trec_results\n"
    ),
}
_FORMATS_OF = {"qrels": ("qrels",), "qrels_jg": ("qrels_jg",), "preferences": ("prefs", "qrels_prefs")}


def first_failure(asked: list[Marked], obstacles: Obstacles, evaluated: Bools) -> Failure | None:
    """The first failure in order of query, then measure; None if everything can be calculated.

    Args:
        asked: the measures, in the order of the table.
        obstacles: what may go wrong.
        evaluated: the queries whose turn comes.
    """
    judgments = obstacles.judgments
    turns = np.flatnonzero(evaluated)
    if not turns.size:
        return None
    first = int(turns[0])
    candidates = {first, *np.flatnonzero(evaluated & obstacles.missing)[:1].tolist()}
    for troubles in (obstacles.run_duplicates, obstacles.qrels_duplicates, obstacles.preferences):
        candidates.update(query for query in troubles if evaluated[query])
    all_negative = obstacles.format == "qrels" and bool((judgments.grade[judgments.query == first] < 0).all())
    for query in sorted(candidates):
        if obstacles.missing[query]:
            qid = judgments.qids[query]
            return Failure(query, b"trec_eval: result qid '%s' not found in qrels\n" % qid)
        for row, given in asked:
            for said in _trouble(row.group, query, obstacles, unusable=all_negative and query == first):
                return Failure(query, said + b"trec_eval: Can't calculate measure '%s'\n" % row.name.encode())
            if row.name == "utility" and given is not None and given.count(",") != UTILITY_PARAMETERS - 1:
                said = b"trec_eval.calc_utility: improper number of coefficients\n"
                return Failure(query, said + b"trec_eval: Can't calculate measure 'utility'\n")
    return None


def preference_message(problem: Problem) -> bytes:
    """What trec_eval says about preferences that it cannot count; for what makes it crash, a line in its manner."""
    first = problem.documents[0]
    match problem.kind:
        case "two levels":
            said = b"Internal docid %d occurs with different rel_level in same jsg" % first
        case "zero and more":
            said = b"doc '%s' has both 0 and non-0 rel_level assigned" % problem.docids[0]
        case "contradiction":
            said = b"doc '%s' and doc '%s' are each preferred to the other" % problem.docids
        case "not a number":
            said = b"doc '%s' has no number as rel_level" % problem.docids[0]
    return b"trec_eval.form_prefs_counts: " + said + b"\n"


def _trouble(group: str, query: int, obstacles: Obstacles, *, unusable: bool) -> Iterator[bytes]:
    """What keeps measures of a group from being calculated for a query, the reference's first complaint first."""
    if not group:
        return
    if obstacles.format not in _FORMATS_OF[group]:
        yield _WRONG_FORMAT[group]
    if query in obstacles.run_duplicates:
        reader = b"form_prefs_counts" if group == "preferences" else b"form_res_qrels"
        # The reference writes no newline here.
        yield b"trec_eval.%s: duplicate docs %s" % (reader, obstacles.run_duplicates[query])
    if group == "qrels" and query in obstacles.qrels_duplicates:
        yield b"trec_eval.form_res_rels: duplicate docs %s\n" % obstacles.qrels_duplicates[query]
    if group == "qrels" and unusable:
        yield b""
    if group == "preferences" and query in obstacles.preferences:
        yield obstacles.preferences[query]
