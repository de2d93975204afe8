"""Pools: the documents at the top of several runs, which are what assessors judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.fusion import load_inputs
from irevalcli.analysis.inputs import load_qrels
from irevalcli.index.lookup import salted
from irevalcli.reading.words import hash_tokens, sort_order, token_list

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.policy import Policy
    from irevalcli.analysis.scores import Note
    from irevalcli.index.candidates import Candidates
    from irevalcli.index.judgments import Judgments
    from irevalcli.reading.arrays import Bools, Positions
    from irevalcli.reading.opening import Source

    Order = Literal["docid", "rank"]


class PooledQuery(NamedTuple):
    """The documents of a query that are to be judged.

    Attributes:
        qid: the query.
        docids: in the order of the pool.
        best_rank: per document, its best rank in any run.
        runs: per document, how many runs have it in the pool.
        judged: how many documents of the pool were left out because they are judged.
    """

    qid: bytes
    docids: list[bytes]
    best_rank: list[int]
    runs: list[int]
    judged: int


class Pool(NamedTuple):
    """The pools of all queries.

    Attributes:
        depth: how many documents of each run.
        runs: their labels.
        qrels_path: what the judged documents were taken from, or None.
        queries: in byte order of the qids.
        notes: what should be known about the files.
    """

    depth: int
    runs: tuple[str, ...]
    qrels_path: str | None
    queries: tuple[PooledQuery, ...]
    notes: tuple[Note, ...]


def pool(  # noqa: PLR0917  (the files, and how)
    runs: Sequence[NamedRun],
    depth: int,
    judged: str | None,
    order: Order,
    policy: Policy,
    watch: Callable[[Source], None] | None = None,
) -> Pool:
    """The first `depth` documents of all runs, each once.

    Args:
        runs: the files.
        depth: how many documents of each ranking.
        judged: qrels whose judged documents are left out, or None. A negative grade is no judgment.
        order: of the documents of a query: ``docid`` says nothing about where a document comes from; ``rank`` is by
            best rank, then by more runs, then by docid.
        policy: how to break ties, and which queries count.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: a query that was asked for is in no run.
    """
    known = None if judged is None else load_qrels(judged)
    inputs = load_inputs(runs, policy, depth=depth, watch=watch)
    queries: list[PooledQuery] = []
    for batch in inputs.runs.batches(inputs.queries):
        candidates = inputs.runs.candidates(batch)
        qids = [inputs.runs.qids[place] for place in batch.tolist()]
        done = np.zeros(candidates.size, np.bool_)
        if known is not None:
            done = _judged(candidates, qids, known.judgments)
        queries += _pools(candidates, qids, done, order)
    notes = (*(known.notes if known else ()), *inputs.notes)
    return Pool(depth, inputs.names, judged, tuple(queries), notes)


def _judged(candidates: Candidates, qids: list[bytes], judgments: Judgments) -> Bools:
    """Which candidates have a grade that is not negative."""
    places = {qid: place for place, qid in enumerate(judgments.qids)}
    query = np.array([places.get(qid, -1) for qid in qids], np.int64)[candidates.query]
    hashes = salted(hash_tokens(candidates.data, candidates.docids.start, candidates.docids.end), query)
    rows, listed = judgments.listed_lookup.find(candidates.data, candidates.docids, query, hashes)
    done = np.zeros(candidates.size, np.bool_)
    done[rows] = judgments.grade[listed] >= 0
    return done


def _pools(candidates: Candidates, qids: list[bytes], done: Bools, order: Order) -> list[PooledQuery]:
    best = np.full(candidates.size, np.iinfo(np.int64).max)
    count = np.zeros(candidates.size, np.int64)
    for listed in candidates.lists:
        np.minimum.at(best, listed.candidate, listed.rank)
        count[listed.candidate] += 1
    row: Positions = sort_order(candidates.data, candidates.docids.start, candidates.docids.end, candidates.query)
    if order == "rank":
        row = row[np.lexsort((-count[row], best[row], candidates.query[row]))]
    left_out = np.bincount(candidates.query[done], minlength=len(qids))
    row = row[~done[row]]
    docids = candidates.docids.at(row)
    tokens = token_list(candidates.data, docids.start, docids.end)
    ranks, runs = best[row].tolist(), count[row].tolist()
    bounds = np.searchsorted(candidates.query[row], np.arange(len(qids) + 1)).tolist()
    return [
        PooledQuery(qid, tokens[begin:end], ranks[begin:end], runs[begin:end], judged)
        for qid, begin, end, judged in zip(qids, bounds[:-1], bounds[1:], left_out.tolist(), strict=True)
    ]
