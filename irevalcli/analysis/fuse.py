"""Methods that make one ranking out of several: a score for every candidate, from its ranks or scores in each run.

Pure arithmetic over a batch of queries. Parts of a sum are added in ascending order, so that the order of the runs does
not matter, not even in the last bit. A run that lacks a document adds nothing for it, unless a method says otherwise.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.candidates import Candidates, Listed
    from irevalcli.reading.arrays import Floats, Positions

Norm = Literal["none", "min-max", "max", "sum", "z", "rank"]

DEFAULT_K = 60
DEFAULT_P = 0.8
_CELLS = 1 << 22


class Fusing(NamedTuple):
    """How runs are fused.

    Attributes:
        method: a name in `METHODS`.
        norm: what is done to scores before they are combined, run by run and query by query.
        weights: one for each run, or None for equal ones.
        k: what `rrf` adds to ranks.
        p: persistence of `rbc`.
    """

    method: str = "rrf"
    norm: Norm = "none"
    weights: tuple[float, ...] | None = None
    k: float = DEFAULT_K
    p: float = DEFAULT_P


class Method(NamedTuple):
    """A method.

    Attributes:
        title: what it computes, in a clause.
        combine: a score for each candidate.
        scores: it combines scores, which can be normalised; otherwise it sees nothing but ranks.
        weights: it takes a weight for each run.
    """

    title: str
    combine: Callable[[Candidates, Fusing], Floats]
    scores: bool = False
    weights: bool = False


def fuse(candidates: Candidates, fusing: Fusing) -> Floats:
    """The fused score of every candidate; the higher one ranks first.

    It is infinite or NaN where scores are too large to be combined.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return METHODS[fusing.method].combine(candidates, fusing)


def normalised(listed: Listed, norm: Norm) -> Floats:
    """The scores of one run on a common scale, query by query.

    ``min-max``: (s − min) / (max − min). ``max``: s / max, or if no score is positive, over the largest magnitude.
    ``sum``: (s − min) over their sum. ``z``: (s − mean) / standard deviation (of all, divided by n). ``rank``:
    1 − (rank − 1) / n. Where the divisor is 0, as with equal scores, all become 0.
    """
    query, score = listed.query, listed.score
    if norm == "none" or not score.size:
        return score
    size = np.bincount(query)
    if norm == "rank":
        return 1 - (listed.rank - 1) / size[query]
    if norm == "z":
        return _quotient(*_centred(query, score, size))
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    place = np.repeat(np.arange(starts.size), size[size > 0])
    if norm == "max":
        highest = np.maximum.reduceat(score, starts)
        return _quotient(score, np.where(highest > 0, highest, np.maximum.reduceat(np.abs(score), starts))[place])
    raised: Floats = score - np.minimum.reduceat(score, starts)[place]
    if norm == "sum":
        total = np.bincount(place, raised).astype(np.float64, copy=False)
        return _quotient(raised, total[place])
    return _quotient(raised, np.maximum.reduceat(raised, starts)[place])


def _centred(query: Positions, score: Floats, size: Positions) -> tuple[Floats, Floats]:
    """Per document, its score less the mean of its query, and the standard deviation: the quotient's two sides."""
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    place = np.repeat(np.arange(starts.size), size[size > 0])
    count = np.maximum(size, 1)
    centred = score - (np.bincount(query, score) / count)[query]
    spread = np.sqrt(np.bincount(query, centred * centred) / count)[query]
    # The mean of equal numbers may be off by a bit, which must not become a deviation.
    constant = np.maximum.reduceat(score, starts)[place] == np.minimum.reduceat(score, starts)[place]
    spread[constant] = 0.0
    return centred, spread


def _quotient(numbers: Floats, divisors: Floats) -> Floats:
    result = np.zeros(numbers.size)
    np.divide(numbers, divisors, out=result, where=divisors != 0)
    return result


def _total(parts: Floats) -> Floats:
    """The sum over runs (rows), NaN standing for nothing."""
    ordered = np.sort(parts, axis=0)
    ordered[np.isnan(ordered)] = 0.0
    total: Floats = np.add.accumulate(ordered, axis=0)[-1]
    return total


def _weighted(parts: Floats, fusing: Fusing) -> Floats:
    """The parts of each run (row) times its weight."""
    return parts if fusing.weights is None else parts * np.array(fusing.weights)[:, np.newaxis]


def _scores(candidates: Candidates, fusing: Fusing) -> Floats:
    return candidates.matrix([normalised(listed, fusing.norm) for listed in candidates.lists])


def _occurrences(candidates: Candidates) -> Positions:
    """Per candidate, how many runs have it."""
    none = np.empty(0, np.int64)
    listed = np.concatenate([none, *(listed.candidate for listed in candidates.lists)])
    return np.bincount(listed, minlength=candidates.size)


def _comb_sum(candidates: Candidates, fusing: Fusing) -> Floats:
    return _total(_scores(candidates, fusing))


def _comb_mnz(candidates: Candidates, fusing: Fusing) -> Floats:
    return _comb_sum(candidates, fusing) * _occurrences(candidates)


def _comb_anz(candidates: Candidates, fusing: Fusing) -> Floats:
    return _comb_sum(candidates, fusing) / _occurrences(candidates)


def _comb_min(candidates: Candidates, fusing: Fusing) -> Floats:
    lowest: Floats = np.fmin.reduce(_scores(candidates, fusing), axis=0)
    return lowest


def _comb_max(candidates: Candidates, fusing: Fusing) -> Floats:
    highest: Floats = np.fmax.reduce(_scores(candidates, fusing), axis=0)
    return highest


def _comb_med(candidates: Candidates, fusing: Fusing) -> Floats:
    ordered = np.sort(_scores(candidates, fusing), axis=0)
    count = _occurrences(candidates)
    column = np.arange(candidates.size)
    low, high = ordered[(count - 1) // 2, column], ordered[count // 2, column]
    return np.where(low == high, low, (low + high) / 2)


def _weighted_sum(candidates: Candidates, fusing: Fusing) -> Floats:
    return _total(_weighted(_scores(candidates, fusing), fusing))


def _by_rank(candidates: Candidates, fusing: Fusing, worth: Callable[[Positions], Floats]) -> Floats:
    """Per candidate, the sum of what its ranks are worth."""
    parts = candidates.matrix([worth(listed.rank) for listed in candidates.lists])
    return _total(_weighted(parts, fusing))


def _rrf(candidates: Candidates, fusing: Fusing) -> Floats:
    return _by_rank(candidates, fusing, lambda rank: 1 / (fusing.k + rank))


def _inverse_squares(candidates: Candidates) -> Floats:
    return _by_rank(candidates, Fusing(), lambda rank: 1 / (rank * rank.astype(np.float64)))


def _isr(candidates: Candidates, fusing: Fusing) -> Floats:
    del fusing
    return _inverse_squares(candidates) * _occurrences(candidates)


def _log_isr(candidates: Candidates, fusing: Fusing) -> Floats:
    del fusing
    logarithms: Floats = np.array([0.0, *(math.log(count) for count in range(1, len(candidates.lists) + 1))])
    return _inverse_squares(candidates) * logarithms[_occurrences(candidates)]


def _rbc(candidates: Candidates, fusing: Fusing) -> Floats:
    longest = max((int(listed.rank.max(initial=1)) for listed in candidates.lists), default=1)
    factors = np.full(longest, fusing.p)
    factors[0] = 1 - fusing.p
    worth: Floats = np.multiply.accumulate(factors)
    return _by_rank(candidates, fusing, lambda rank: worth[rank - 1])


def _borda(candidates: Candidates, fusing: Fusing) -> Floats:
    every = np.bincount(candidates.query, minlength=candidates.num_queries)
    parts = candidates.matrix([every[listed.query] - (listed.rank - 1.0) for listed in candidates.lists])
    for row, listed in zip(parts, candidates.lists, strict=True):
        size = np.bincount(listed.query, minlength=candidates.num_queries)
        # What a run does not rank shares the points that are left, evenly.
        row[np.isnan(row)] = ((every - size + 1) / 2)[candidates.query[np.isnan(row)]]
    return _total(_weighted(parts, fusing))


def _condorcet(candidates: Candidates, fusing: Fusing) -> Floats:
    del fusing
    ranks = candidates.matrix([listed.rank.astype(np.float64) for listed in candidates.lists], np.inf)
    wins = np.empty(candidates.size)
    bounds = np.searchsorted(candidates.query, np.arange(candidates.num_queries + 1)).tolist()
    for begin, end in pairwise(bounds):
        here = ranks[:, begin:end]
        step = max(1, _CELLS // max(end - begin, 1))
        for first in range(begin, end, step):
            some = ranks[:, first : min(first + step, end)]
            balance = np.zeros((some.shape[1], end - begin), np.int32)
            for mine, theirs in zip(some, here, strict=True):
                balance += mine[:, np.newaxis] < theirs
                balance -= mine[:, np.newaxis] > theirs
            # Less the half for the document itself.
            wins[first : first + some.shape[1]] = (balance > 0).sum(axis=1) + ((balance == 0).sum(axis=1) - 1) / 2
    return wins


METHODS = {
    "rrf": Method("sum of 1 / (k + rank)", _rrf, weights=True),
    "combsum": Method("sum of scores", _comb_sum, scores=True),
    "combmnz": Method("sum of scores, times the number of runs that have the document", _comb_mnz, scores=True),
    "combanz": Method("mean score over the runs that have the document", _comb_anz, scores=True),
    "combmin": Method("lowest score", _comb_min, scores=True),
    "combmax": Method("highest score", _comb_max, scores=True),
    "combmed": Method("median score", _comb_med, scores=True),
    "isr": Method("sum of 1 / rank², times the number of runs that have the document", _isr),
    "logisr": Method("sum of 1 / rank², times the logarithm of that number", _log_isr),
    "rbc": Method("sum of (1 − p) p^(rank − 1)", _rbc, weights=True),
    "borda": Method("sum of points, as many as candidates for rank 1; others share what is left", _borda, weights=True),
    "condorcet": Method("number of documents that most runs rank lower, ties counting half", _condorcet),
    "wsum": Method("weighted sum of scores", _weighted_sum, scores=True, weights=True),
}
"""The methods by name. Sources: Fox & Shaw, TREC-2 (comb…); Cormack, Clarke & Büttcher, SIGIR 2009 (rrf); Mourão,
Martins & Magalhães, CMIG 2015 (isr); Bailey, Moffat, Scholer & Thomas, SIGIR 2017 (rbc); Aslam & Montague, SIGIR 2001
(borda); Montague & Aslam, CIKM 2002 (condorcet, here by the number of majorities, which has no cycles)."""
