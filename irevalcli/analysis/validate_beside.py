"""Findings about a run beside its qrels: queries and documents that do not meet, gaps in the judgments, ties."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.like_ids import likeness
from irevalcli.analysis.notes import ALIKE, TRIED_DOCIDS, counted, some
from irevalcli.measures.counts import judged_at
from irevalcli.measures.graded import normalized_discounted_gain
from irevalcli.measures.registry import sequential_sum
from irevalcli.reading.faults import quoted
from irevalcli.reading.rules import (
    RUN_FEW_JUDGED,
    RUN_LIKE_IDS,
    RUN_MISSING_QUERIES,
    RUN_NO_COMMON,
    RUN_NONE_JUDGED,
    RUN_TIES_AT_CUTOFF,
    RUN_UNJUDGED_QUERIES,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.validate_found import Checks, Found
    from irevalcli.analysis.validate_qrels import Judged
    from irevalcli.analysis.validate_seen import SeenRun
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools

FEW = 0.5
"""Fewer than this share of the first documents being judged is few."""


class _Movement(NamedTuple):
    """How far a measure can move with the order of ties: its means, and the number of queries in which it does."""

    worst: float
    best: float
    queries: int


def note_beside(found: Found, run: SeenRun, judged: Judged, checks: Checks) -> None:
    """What is odd about a run beside the qrels."""
    answered = run.sizes[: run.num_judged] > 0
    if not _note_queries(found, run, judged, answered):
        return
    ranking = run.ranking(judged.judgments)
    if not ranking.query.size:
        _note_none_judged(found, run, judged, answered)
        return
    if not judged.graded:
        return
    _note_few_judged(found, ranking, judged.judgments, checks.judged_at)
    for cutoff in checks.cutoffs:
        _note_ties(found, ranking, cutoff)


def _note_queries(found: Found, run: SeenRun, judged: Judged, answered: Bools) -> bool:
    """Which queries do not meet; and whether some do."""
    judgments = judged.judgments
    missing = [judgments.qids[index] for index in np.flatnonzero(~answered).tolist()]
    unknown = [qid for qid, size in zip(run.qids[run.num_judged :], run.sizes[run.num_judged :], strict=True) if size]
    alike = likeness(unknown, missing)
    if not answered.any():
        pair = (alike.ours, alike.theirs) if alike is not None else (unknown[0], missing[0])
        ours, theirs = map(quoted, pair)
        found.note(RUN_NO_COMMON, f"no query in common with {judged.name} ({ours} here, {theirs} there)")
    else:
        # Each line with a fault may be of another query.
        if len(missing) > run.dropped:
            verb = "is" if len(missing) == 1 else "are"
            share = f"{len(missing)} of {counted(judgments.num_queries, 'judged query', 'judged queries')} {verb}"
            most = "; is the query column right, and are these the right qrels?"
            question = most if len(missing) * 2 > judgments.num_queries else ""
            found.note(RUN_MISSING_QUERIES, f"{share} missing from the run ({some(missing)}){question}")
        if unknown:
            queries = counted(len(unknown), "query has", "queries have")
            found.note(RUN_UNJUDGED_QUERIES, f"{queries} no judgments in {judged.name} ({some(unknown)})")
    if alike is not None:
        message = f"query {quoted(alike.ours)} and {quoted(alike.theirs)} of {judged.name} differ only by {alike.words}"
        found.note(RUN_LIKE_IDS, message)
    return bool(answered.any())


def _note_none_judged(found: Found, run: SeenRun, judged: Judged, answered: Bools) -> None:
    ours = run.unjudged(TRIED_DOCIDS)
    judgments = judged.judgments
    theirs = judgments.docids(np.flatnonzero(answered[judgments.query]))
    message = f"no retrieved document is judged in {judged.name} ({_few(ours)} here, {_few(theirs)} there)"
    found.note(RUN_NONE_JUDGED, message)
    alike = likeness(ours, theirs)
    if alike is not None and alike.number >= ALIKE * len(ours):
        message = f"document {quoted(alike.ours)} and {quoted(alike.theirs)} of {judged.name} differ only by"
        found.note(RUN_LIKE_IDS, f"{message} {alike.words}")


def _few(ids: Sequence[bytes]) -> str:
    return some(ids[:2], len(ids))


def _note_few_judged(found: Found, ranking: Ranking, judgments: Judgments, cutoff: int) -> None:
    """How many of the first documents are judged, in queries whose judgments would suffice for all of them."""
    judged = np.bincount(judgments.query[judgments.grade >= 0], minlength=judgments.num_queries)
    looked_at = np.minimum(ranking.retrieved, cutoff)
    counts = np.flatnonzero((looked_at > 0) & (judged >= looked_at))
    if not counts.size:
        return
    share = sequential_sum(judged_at(ranking, cutoff=cutoff)[counts]) / counts.size
    if share < FEW:
        message = f"{share:.0%} of the first {counted(cutoff, 'document is', 'documents are')} judged"
        found.note(RUN_FEW_JUDGED, f"{message} (mean over {counted(counts.size, 'query', 'queries')})")


def _note_ties(found: Found, ranking: Ranking, cutoff: int) -> None:
    move = _movement(ranking, cutoff)
    if move is None:
        return
    queries = counted(move.queries, "query", "queries")
    worst, best = f"{move.worst:.4f}", f"{move.best:.4f}"
    far = f"lies between {worst} and {best}" if worst != best else "moves by less than 0.0001"
    where = f"equal scores on both sides of rank {cutoff} in {queries}"
    found.note(RUN_TIES_AT_CUTOFF, f"{where}: nDCG@{cutoff} {far} depending on the order of ties")


def _movement(ranking: Ranking, cutoff: int) -> _Movement | None:
    """How far nDCG at the cutoff moves with the order of ties, where ties across the cutoff move it; or None."""
    across = (ranking.tie_first <= cutoff) & (ranking.tie_first + ranking.tie_size - 1 > cutoff)
    if not (across & (ranking.grade > 0)).any():
        return None
    best, worst = (
        normalized_discounted_gain(ranking.extreme_ties(best=which), cutoff=cutoff) for which in (True, False)
    )
    touched = np.zeros(ranking.num_queries, np.bool_)
    touched[ranking.query[across]] = True
    moves = touched & (best > worst)
    if not moves.any():
        return None
    lowest, highest = (sequential_sum(values) / ranking.num_queries for values in (worst, best))
    return _Movement(lowest, highest, int(np.count_nonzero(moves)))
