"""Choosing how to fuse by judgments, and saying honestly what that is worth: cross-validation over queries."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.fuse import Fusing, fuse
from irevalcli.analysis.fusion import ranked, refuse_infinite
from irevalcli.analysis.inputs import load_qrels
from irevalcli.analysis.notes import counted
from irevalcli.analysis.policy import check_needs, filled, tie_rule
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.lookup import salted
from irevalcli.index.order import TieRule
from irevalcli.index.ranking import Ranking
from irevalcli.reading.words import hash_tokens
from irevalcli.stats.draws import Draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.fusion import Inputs
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.analysis.scores import Note
    from irevalcli.index.candidates import Candidates
    from irevalcli.index.judgments import Judgments
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Floats, Positions

TUNABLE = ("wsum", "rrf", "rbc")
K_GRID = (60.0, 0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 70.0, 80.0, 90.0, 100.0, 200.0, 500.0, 1000.0)
P_GRID = (0.8, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 0.9, 0.95, 0.98, 0.99)
MOST_WEIGHTINGS = 1001
_FINEST = 20


class Fold(NamedTuple):
    """A part of the queries, fused by what the other parts chose.

    Attributes:
        queries: how many.
        chosen: which way to fuse did best on the other queries.
        other_mean: of the measure, on the other queries.
        own_mean: on these.
    """

    queries: int
    chosen: Fusing
    other_mean: float
    own_mean: float


class Tuning(NamedTuple):
    """What cross-validation found.

    Attributes:
        measure: its name.
        tried: how many ways to fuse.
        folds: the parts of the judged queries.
        seed: that made the parts.
        default: without tuning: equal weights, the default k or p.
        best: what did best on all judged queries: for queries to come.
        best_mean: of that on these queries, so too good.
        held_out_mean: over all judged queries, each fused by what other queries chose.
        default_mean: of the default on these queries.
        fusing: the ways to fuse that are in use; the first is `best`.
        which: per query of the inputs, the one that it is fused by: its fold's, or without judgments the first.
        notes: what should be known about the judgments.
    """

    measure: str
    tried: int
    folds: tuple[Fold, ...]
    seed: int
    default: Fusing
    best: Fusing
    best_mean: float
    held_out_mean: float
    default_mean: float
    fusing: tuple[Fusing, ...]
    which: Positions
    notes: tuple[Note, ...]


class _Judged(NamedTuple):
    """The judged queries of the inputs: their indices there, and in the judgments."""

    judgments: Judgments
    queries: Positions
    places: Positions


def ways_to_fuse(fusing: Fusing, num_runs: int) -> list[Fusing]:
    """All parameters that are tried, the default first.

    For weights that is a grid over all that are not negative and add up to 1, in steps of 0.05 or, for many runs, as
    fine as `MOST_WEIGHTINGS` allow.

    Raises:
        UsageProblem: the method has no parameter, or there are too many runs.
    """
    if fusing.method == "rrf":
        return [fusing._replace(k=k) for k in K_GRID]
    if fusing.method == "rbc":
        return [fusing._replace(p=p) for p in P_GRID]
    if fusing.method != "wsum":
        raise UsageProblem(f"--optimise: {fusing.method} has nothing to choose; methods: {', '.join(TUNABLE)}")
    equal = tuple([1 / num_runs] * num_runs)
    for steps in range(_FINEST, 1, -1):
        grid = list(_shares(num_runs, steps)) if _num_shares(num_runs, steps) <= MOST_WEIGHTINGS else []
        if grid:
            return [fusing._replace(weights=weights) for weights in dict.fromkeys([equal, *grid])]
    raise UsageProblem(f"--optimise: the weights of {num_runs} runs are too many to choose")


def _num_shares(parts: int, steps: int) -> int:
    return comb(steps + parts - 1, parts - 1)


def _shares(parts: int, steps: int) -> Iterator[tuple[float, ...]]:
    """All ways to share out `steps` steps, as fractions of them."""
    for bars in combinations(range(steps + parts - 1), parts - 1):
        edges = (-1, *bars, steps + parts - 1)
        yield tuple((edges[place + 1] - edges[place] - 1) / steps for place in range(parts))


def tune(  # noqa: PLR0917  (what is fused, and how well that went)
    inputs: Inputs, fusing: Fusing, asked: Asked, qrels: str, policy: Policy, num_folds: int, seed: int
) -> Tuning:
    """The best way to fuse, by cross-validation over the judged queries of the inputs.

    Args:
        inputs: what will be fused.
        fusing: method, norm, and what is not tuned.
        asked: the measure.
        qrels: the judgments, a path or ``-``.
        policy: the options that decide numbers.
        num_folds: into how many parts the queries are divided.
        seed: of the division.

    Raises:
        InputProblem: the judgments cannot be used, or have too few queries in common with the runs.
        UsageProblem: the method or the measure does not fit.
    """
    ways = ways_to_fuse(fusing, len(inputs.names))
    loaded = load_qrels(qrels)
    judgments = loaded.judgments
    check_needs([asked], "qrels", judgments)
    spec = filled(asked, judgments, policy).spec
    if spec.measure.needs not in ("hits", "any") or spec.measure.kind != "per_query":
        raise UsageProblem(f"--optimise: {spec.name} is no number for each query from its judged documents alone")
    known = {qid: place for place, qid in enumerate(judgments.qids)}
    index = np.array([known.get(inputs.runs.qids[place], -1) for place in inputs.queries.tolist()], np.int64)
    judged = _Judged(judgments, inputs.queries[index >= 0], index[index >= 0])
    if judged.queries.size < num_folds:
        has = counted(judged.queries.size, "judged query", "judged queries")
        raise InputProblem(
            f"{loaded.name} and the runs have {has} in common, too few for {counted(num_folds, 'fold')}",
            hints=("--folds takes fewer",),
        )
    values = _values(inputs, judged, ways, spec, policy)
    better = values if spec.measure.higher_is_better is not False else -values
    order = Draws(seed).orders(1, 1, judged.queries.size).ravel()
    part = np.empty(order.size, np.int64)
    part[order] = np.arange(order.size) % num_folds
    best = int(np.argmax(_means(better)))
    used = {best: 0}
    which = np.zeros(len(inputs.runs.qids), np.int64)
    held_out = np.empty(order.size)
    folds = []
    for number in range(num_folds):
        own = part == number
        way = int(np.argmax(_means(better[:, ~own])))
        held_out[own] = values[way, own]
        which[judged.queries[own]] = used.setdefault(way, len(used))
        folds.append(Fold(int(own.sum()), ways[way], _mean(values[way, ~own]), _mean(values[way, own])))
    return Tuning(
        spec.name,
        len(ways),
        tuple(folds),
        seed,
        ways[0],
        ways[best],
        _mean(values[best]),
        _mean(held_out),
        _mean(values[0]),
        tuple(ways[way] for way in used),
        which,
        loaded.notes,
    )


def _means(values: Floats) -> Floats:
    """The mean of each row, added in order."""
    means: Floats = np.add.accumulate(values, axis=1)[:, -1] / values.shape[1]
    return means


def _mean(values: Floats) -> float:
    return float(_means(values[np.newaxis])[0])


def _values(inputs: Inputs, judged: _Judged, ways: list[Fusing], spec: MeasureSpec, policy: Policy) -> Floats:
    """The measure of every judged query (column) by every way to fuse (row)."""
    values = np.empty((len(ways), judged.queries.size))
    rule = TieRule(docid_descending=tie_rule(policy).docid_descending)
    first = 0
    for batch in inputs.runs.batches(judged.queries):
        candidates = inputs.runs.candidates(batch)
        columns = slice(first, first + batch.size)
        index = judged.places[columns]
        listed = _listed(candidates, judged.judgments, index)
        for row, way in zip(values, ways, strict=True):
            scores = fuse(candidates, way)
            refuse_infinite(scores, candidates, [inputs.runs.qids[place] for place in batch.tolist()], inputs.names)
            ranking = _ranking(candidates, scores, listed, judged.judgments, index, rule)
            computed = spec.compute(ranking)
            if isinstance(computed, list):
                raise UsageProblem(f"--optimise: {spec.name} is no number")
            row[columns] = computed[index]
        first += batch.size
    return values


def _listed(candidates: Candidates, judgments: Judgments, index: Positions) -> Positions:
    """Per candidate, its place among the judgments' documents, or -1."""
    query = index[candidates.query]
    hashes = salted(hash_tokens(candidates.data, candidates.docids.start, candidates.docids.end), query)
    rows, found = judgments.listed_lookup.find(candidates.data, candidates.docids, query, hashes)
    listed = np.full(candidates.size, -1)
    listed[rows] = found
    return listed


def _ranking(  # noqa: PLR0917  (the two sides of a join)
    candidates: Candidates, scores: Floats, listed: Positions, judgments: Judgments, index: Positions, rule: TieRule
) -> Ranking:
    """The fused ranking of the batch; other queries have retrieved nothing."""
    row, query, rank = ranked(candidates, scores, candidates.size, rule)
    size = np.bincount(query, minlength=index.size)
    retrieved = np.zeros(judgments.num_queries, np.int64)
    retrieved[index] = size
    hit = np.flatnonzero(listed[row] >= 0)
    hit = hit[np.lexsort((rank[hit], index[query[hit]]))]
    found = listed[row[hit]]
    return Ranking(
        judgments,
        retrieved=retrieved,
        answered=retrieved > 0,
        query=index[query[hit]],
        rank=rank[hit],
        listed=found,
        grade=judgments.grade[found],
        score=scores[row[hit]],
        tie_first=rank[hit],
        tie_size=np.ones_like(hit),
    )
