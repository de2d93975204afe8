"""trec_eval's graded measures and RBP as section 5 of its specification words them, one query at a time."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Query

    Pairs = list[tuple[str, float]]


def over(numerator: float, denominator: float) -> float:
    if denominator == 0:
        return math.nan if numerator == 0 or math.isnan(numerator) else math.copysign(math.inf, numerator)
    return numerator / denominator


def log2(value: float) -> float:
    return math.log2(value) if value > 0 else -math.inf if value == 0 else math.nan


def merge_sorted(rows: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    if len(rows) < 2:
        return rows
    left, right = merge_sorted(rows[: len(rows) // 2]), merge_sorted(rows[len(rows) // 2 :])
    merged = []
    while left and right:
        merged.append((left if math.trunc(left[0][2] - right[0][2]) <= 0 else right).pop(0))
    return merged + left + right


class Table:
    """The gain table of a query; its rows are (level, count, gain)."""

    def __init__(self, query: Query, pairs: Pairs, *, rescale: bool = False) -> None:
        judged = [grade for grade in query[0] + query[1] if grade is not None and grade >= 0]
        rows = [(int(key), 0, gain) for key, gain in pairs if re.fullmatch("[+-]?[0-9]+", key)]
        for level in range(max(judged, default=-1) + 1):
            named = [place for place, row in enumerate(rows) if row[0] == level]
            if named:
                rows[named[0]] = (level, judged.count(level), rows[named[0]][2])
            else:
                rows.append((level, judged.count(level), float(level)))
        self.rows = merge_sorted(rows)
        low, high = min([0.0, *(row[2] for row in rows)]), max([0.0, *(row[2] for row in rows)])
        if rescale and (low < 0 or high > 1):
            self.rows = [(level, count, (gain - low) / (high - low)) for level, count, gain in self.rows]
        self.pointer = len(self.rows) - 1
        self.places = 0
        self.ideal = self.rows[-1][2] if self.rows else 0.0

    def gain(self, level: int) -> float:
        return next((row[2] for row in self.rows if row[0] == level), 0.0)

    def advance(self) -> None:
        self.places += 1
        while self.pointer >= 0 and self.places > self.rows[self.pointer][1]:
            self.places = 1
            self.pointer -= 1
            self.ideal = self.rows[self.pointer][2] if self.pointer >= 0 else 0.0


def levels_of(query: Query) -> list[int]:
    return [-1 if grade is None else -2 if grade < 0 else grade for grade in query[0]]


def discounted(query: Query, table: Table) -> list[float]:
    """The discounted gain at every rank."""
    return [over(table.gain(level), log2(rank + 1)) for rank, level in enumerate(levels_of(query), 1)]


def defined_dcg(query: Query, pairs: Pairs) -> float:
    total = 0.0
    for term in discounted(query, Table(query, pairs)):
        total += term
    return total


def defined_ideal_dcg(query: Query, pairs: Pairs) -> float:
    table, total, position = Table(query, pairs), 0.0, 0
    while table.ideal > 0:
        position += 1
        table.advance()
        if table.ideal > 0:
            total += table.ideal / log2(position + 1)
    return total


def defined_ndcg(query: Query, pairs: Pairs) -> float:
    ideal = defined_ideal_dcg(query, pairs)
    return defined_dcg(query, pairs) / ideal if ideal > 0 else 0.0


def defined_ndcg_rel(query: Query, pairs: Pairs) -> float:
    table, levels = Table(query, pairs), levels_of(query)
    found = relevant = rank = 0
    run = ideal = total = 0.0
    while rank < len(levels) or table.ideal > 0:
        rank += 1
        gain = table.gain(levels[rank - 1]) if rank <= len(levels) else 0.0
        if gain != 0:
            run += gain / log2(rank + 1)
        if table.ideal > 0:
            table.advance()
            if table.ideal > 0:
                relevant += 1
                ideal += table.ideal / log2(rank + 1)
        if gain > 0:
            total += over(run, ideal)
            found += 1
    total += over((relevant - found) * run, ideal)
    return over(total, relevant) if total > 0 else 0.0


def defined_rndcg(query: Query, pairs: Pairs) -> float:
    table = Table(query, pairs)
    terms = discounted(query, table)
    if not any(grade is not None and grade >= 1 for grade in query[0] + query[1]):
        return 0.0
    remembered = table.ideal
    run = ideal = total = 0.0
    rank = points = 0
    while table.ideal > 0:
        rank += 1
        table.advance()
        if table.ideal != remembered and ideal > 0:
            total += run / ideal
            points += 1
        remembered = table.ideal
        run += terms[rank - 1] if rank <= len(terms) else 0.0
        ideal += max(table.ideal, 0.0) / log2(rank + 1)
    for term in terms[rank:]:
        run += term
    if rank < len(terms) and ideal > 0:
        total += run / ideal
        points += 1
    return over(total, points)


def defined_g(query: Query, pairs: Pairs) -> float:
    table = Table(query, pairs)
    found = ideal = cost = total = 0.0
    for level in levels_of(query):
        gain = table.gain(level)
        found += gain
        if table.ideal > 0:
            table.advance()
            ideal += max(table.ideal, 0.0)
            cost += max(table.ideal, 1.0)
        else:
            cost += 1.0
        if gain != 0:
            total += over(gain, log2(2 + cost - found))
    while table.ideal > 0:
        table.advance()
        ideal += max(table.ideal, 0.0)
    return total / ideal if ideal > 0 else 0.0


def persistence(pairs: Pairs) -> float:
    return dict(pairs).get("p", 0.9)


def defined_rbp(query: Query, pairs: Pairs) -> float:
    table, p, power, total = Table(query, pairs, rescale=True), persistence(pairs), 1.0, 0.0
    for level in levels_of(query):
        total += table.gain(level) * power
        power *= p
    return (1.0 - p) * total


def defined_rbp_resid(query: Query, pairs: Pairs) -> float:
    p, power, total = persistence(pairs), 1.0, 0.0
    levels = levels_of(query)
    for level in levels:
        if level < 0:
            total += power
        power *= p
    return power + (1.0 - p) * total if any(level < 0 for level in levels) else 0.0


DEFINED: dict[str, Callable[[Query, Pairs], float]] = {
    "dcg": defined_dcg,
    "ideal_dcg": defined_ideal_dcg,
    "ndcg": defined_ndcg,
    "ndcg_rel": defined_ndcg_rel,
    "Rndcg": defined_rndcg,
    "G": defined_g,
    "rbp": defined_rbp,
    "rbp_resid": defined_rbp_resid,
}


def assert_identical(values: np.ndarray, wanted: list[float]) -> None:
    assert values.dtype == np.float64
    assert np.array_equal(values, np.array(wanted), equal_nan=True)
