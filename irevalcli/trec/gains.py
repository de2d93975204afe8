"""trec_eval's gain tables: ``level=gain`` pairs, the order in which its comparison puts them, and rbp's use of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.merge_sort import merge_sorted
from irevalcli.measures.gains import Gained, gained
from irevalcli.measures.graded import dcg, graded_g, ideal_dcg, ndcg, ndcg_rel, rndcg
from irevalcli.measures.rbp import highest_grades, num_unjudged, rbp, rbp_residual
from irevalcli.trec.parameters import atol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.trec.table import Setting

    Pairs = Sequence[tuple[str, float]]
    Levels = tuple[tuple[int, float], ...]

ABSENT = -1
"""The level of a retrieved document that the qrels do not have."""

NEGATIVE = -2
"""The level of every document with a negative grade."""

DEFAULT_P = 0.9

_INTEGER = re.compile(r"[+-]?[0-9]+")
_BEYOND_INT = 2.0**31

_KERNELS: dict[str, Callable[[Gained], Floats]] = {
    "dcg": dcg,
    "ideal_dcg": ideal_dcg,
    "ndcg": ndcg,
    "ndcg_rel": ndcg_rel,
    "G": graded_g,
}


class _Entry(NamedTuple):
    """A row of a gain table.

    Attributes:
        level: the grade.
        gain: what it gains.
        counted: whether the judged documents of that grade are counted here; a level may have several rows.
    """

    level: int
    gain: float
    counted: bool


def column(name: str, pairs: Pairs, setting: Setting) -> Callable[[Ranking], Floats]:
    """The computation of a measure that takes pairs.

    Args:
        name: ``dcg``, ``ideal_dcg``, ``ndcg``, ``ndcg_rel``, ``Rndcg``, ``G``, ``rbp`` or ``rbp_resid``.
        pairs: key and value as they stand; empty for the measure's defaults.
        setting: holds the level of relevance, by which ``Rndcg`` knows queries without relevant documents.
    """

    def compute(ranking: Ranking) -> Floats:
        # Gains may be infinite or no numbers; what comes of it is printed as it is.
        with np.errstate(all="ignore"):
            if name == "rbp":
                return _rbp(ranking, pairs)
            if name == "rbp_resid":
                return np.where(num_unjudged(ranking) > 0, rbp_residual(ranking, _persistence(pairs)), 0.0)
            gains = walked(ranking, pairs, any_key=not setting.release_10)
            return _rndcg(ranking, gains, setting.level) if name == "Rndcg" else _KERNELS[name](gains)

    return compute


def walked(ranking: Ranking, pairs: Pairs = (), *, any_key: bool = False) -> Gained:
    """The gains of a ranking, and the ideal ranking as trec_eval climbs down its gain table.

    Args:
        ranking: what to look at.
        pairs: grade and gain; keys that are no integers do not count. -1 stands for documents that the qrels do not
            have, -2 for negative grades.
        any_key: read a key that is no integer as its numeric prefix or 0, as trec_eval 9 does.
    """
    levels = _levels(pairs, any_key=any_key)
    if not levels:
        return gained(ranking)
    key = ("walked", levels)
    if key not in ranking.views:
        hits = _hits(ranking, levels)
        ranking.views[key] = Gained(
            ranking.retrieved,
            (hits.query, hits.rank, _gains_of_hits(hits, levels, rescaled=False)),
            _ideal(ranking, levels),
        )
    view: Gained = ranking.views[key]
    return view


def _rndcg(ranking: Ranking, gains: Gained, level: float) -> Floats:
    """Rndcg: 0 without relevant documents, else no number without ideal gains."""
    values = np.where(gains.ideal_total > 0, rndcg(gains), np.nan)
    return np.where(ranking.judgments.num_relevant(level) == 0, 0.0, values)


def _rbp(ranking: Ranking, pairs: Pairs) -> Floats:
    levels = _levels(pairs, any_key=False)
    if levels:
        hits = _hits(ranking, levels)
        query, rank, gain = hits.query, hits.rank, _gains_of_hits(hits, levels, rescaled=True)
    else:
        gains = gained(ranking)
        query, rank, gain = gains.query, gains.rank, gains.gain / np.maximum(highest_grades(ranking), 1.0)[gains.query]
    gaining = gain != 0
    return rbp(ranking.num_queries, (query[gaining], rank[gaining], gain[gaining]), _persistence(pairs))


def _persistence(pairs: Pairs) -> float:
    return next((value for key, value in reversed(pairs) if key == "p"), DEFAULT_P)


def _levels(pairs: Pairs, *, any_key: bool) -> Levels:
    usable = (pair for pair in pairs if any_key or _INTEGER.fullmatch(pair[0]))
    return tuple((atol(key), value) for key, value in usable)


def _hits(ranking: Ranking, levels: Levels) -> Ranking:
    """The ranking, with absent documents as hits if the levels give them a gain."""
    return ranking.every_rank(float(ABSENT)) if any(level == ABSENT for level, _ in levels) else ranking


def _tables(ranking: Ranking, levels: Levels) -> Iterator[tuple[int, np.typing.NDArray[np.bool_], list[_Entry]]]:
    """The different gain tables: number of grades, the queries that have it, its rows in ascending order."""
    num_grades = highest_grades(ranking).astype(np.int64) + 1
    for number in np.unique(num_grades).tolist():
        yield number, num_grades == number, merge_sorted(list(_entries(levels, number)), _goes_first)


def _gains_of_hits(hits: Ranking, levels: Levels, *, rescaled: bool) -> Floats:
    """Per hit, its gain."""
    level = np.where(hits.listed < 0, ABSENT, np.where(hits.grade < 0, NEGATIVE, hits.grade)).astype(np.int64)
    gain = np.zeros(level.size)
    for num_grades, queries, entries in _tables(hits, levels):
        by_level = np.zeros(num_grades - NEGATIVE)
        values = np.array([entry.gain for entry in entries])
        if rescaled:
            low, high = np.fmin.reduce(values, initial=0.0), np.fmax.reduce(values, initial=0.0)
            if low < 0 or high > 1:
                values = (values - low) / (high - low)
        # Backwards, because of several rows of a level the first one is found.
        for entry, value in zip(reversed(entries), values[::-1].tolist(), strict=True):
            if NEGATIVE <= entry.level < num_grades:
                by_level[entry.level - NEGATIVE] = value
        here = queries[hits.query]
        gain[here] = by_level[level[here] - NEGATIVE]
    return gain


def _ideal(ranking: Ranking, levels: Levels) -> tuple[Positions, Floats]:
    """Query and gain of the places of an ideal ranking, up to the first without a positive gain."""
    judgments = ranking.judgments
    judged = np.flatnonzero(judgments.grade >= 0)
    query, grade = judgments.query[judged], judgments.grade[judged].astype(np.int64)
    place = np.zeros(judged.size, np.int64)
    gain = np.zeros(judged.size)
    for num_grades, queries, entries in _tables(ranking, levels):
        # If the last row has no positive gain, trec_eval ends before it has begun, whatever the other rows hold.
        if not entries[-1].gain > 0:
            continue
        place_of = np.zeros(num_grades, np.int64)
        for index, entry in enumerate(entries):
            if entry.counted:
                place_of[entry.level] = index
        here = queries[query]
        place[here] = place_of[grade[here]]
        gain[here] = np.array([entry.gain for entry in entries])[place[here]]
    order = np.lexsort((-place, query))
    query, gain = query[order], gain[order]
    ended = np.append(0, np.cumsum(~(gain > 0)))
    kept = ended[1:] == ended[np.searchsorted(query, query)]
    return query[kept], gain[kept]


def _entries(levels: Levels, num_grades: int) -> Iterator[_Entry]:
    """The rows of a gain table before they are sorted: the pairs, then the grades that no pair names."""
    named: set[int] = set()
    for level, gain in levels:
        yield _Entry(level, gain, 0 <= level < num_grades and level not in named)
        named.add(level)
    for grade in range(num_grades):
        if grade not in named:
            yield _Entry(grade, float(grade), counted=True)


def _goes_first(left: _Entry, right: _Entry) -> bool:
    # The difference is cut to a C int: below 1 it is no difference, and what an int cannot hold is negative.
    return not 1.0 <= left.gain - right.gain < _BEYOND_INT
