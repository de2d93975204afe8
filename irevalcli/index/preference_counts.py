"""How many preferences a judgment group states and a ranking fulfils, where one list of levels states them all.

A group with one sub-group prefers every document to every other one with a lower level: thousands of documents state
millions of preferences. They are counted from the levels, never listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Floats, Positions


class Table(NamedTuple):
    """Judged documents of groups, one row for each judgment, in order of group, then document.

    Attributes:
        group: per row.
        document: per row, the document's number in its query: retrieved ones in rank order, then the others.
        level: per row.
        retrieved: per row, whether the document was retrieved.
    """

    group: Positions
    document: Positions
    level: Floats
    retrieved: Bools


class GroupCounts(NamedTuple):
    """Counts per group, int64. A preference is *implied* if exactly one of its documents was retrieved.

    Attributes:
        fulfilled_retrieved: preferences between retrieved documents that stand in this order in the ranking.
        possible_retrieved: preferences between retrieved documents.
        fulfilled_implied: preferences for a retrieved document over one that was not.
        possible_implied: preferences of which one document was retrieved.
        possible_unretrieved: preferences between documents that were not retrieved.
        relevant: documents with a level above 0.
        relevant_retrieved: those of them that were retrieved.
        nonrelevant: the other documents.
        nonrelevant_retrieved: those of them that were retrieved.
        capped_fulfilled, capped_possible: preferences, all kinds together, with no more non-relevant documents (the
            first ones by number) than there are relevant ones; as trec_eval counts them.
        capped_fulfilled_retrieved, capped_possible_retrieved: likewise between retrieved documents.
    """

    fulfilled_retrieved: Positions
    possible_retrieved: Positions
    fulfilled_implied: Positions
    possible_implied: Positions
    possible_unretrieved: Positions
    relevant: Positions
    relevant_retrieved: Positions
    nonrelevant: Positions
    nonrelevant_retrieved: Positions
    capped_fulfilled: Positions
    capped_possible: Positions
    capped_fulfilled_retrieved: Positions
    capped_possible_retrieved: Positions

    @property
    def possible(self) -> Positions:
        """All preferences."""
        return self.possible_retrieved + self.possible_implied + self.possible_unretrieved

    @property
    def fulfilled(self) -> Positions:
        """Fulfilled preferences, implied ones included."""
        return self.fulfilled_retrieved + self.fulfilled_implied

    def plus(self, other: GroupCounts) -> GroupCounts:
        """The counts added up, group by group."""
        return GroupCounts(*(mine + its for mine, its in zip(self, other, strict=True)))


def steps(group: Positions, level: Floats) -> Positions:
    """Per row, how many lower levels its group has. Rows stand in order of group."""
    order = np.lexsort((level, group))
    new = np.zeros(order.size, np.int64)
    new[1:] = level[order[1:]] != level[order[:-1]]
    step = np.empty(order.size, np.int64)
    # The first row of a group takes no new step, whatever the row before it; the offset is taken off group by group.
    climbed = np.cumsum(new)
    step[order] = climbed - climbed[np.searchsorted(group, group)]
    return step


def before(counted: Bools | Positions, group: Positions) -> Positions:
    """Per row, the sum of `counted` over the rows of its group above it. Rows stand in order of group."""
    counted = counted.astype(np.int64)
    total: Positions = np.cumsum(counted) - counted
    return total - total[np.searchsorted(group, group)]


def per_group(group: Positions, counted: Positions | Bools, num_groups: int) -> Positions:
    """Per group, the sum of counts; exact, because no count here comes near 2^53."""
    return np.bincount(group, weights=counted, minlength=num_groups).astype(np.int64)


def inversions(group: Positions, value: Positions, num_groups: int) -> Positions:
    """Per group, in how many pairs of rows the earlier one has the higher value.

    Two values differ first in one bit. So, bit by bit from the highest, the pairs are counted in which a row with the
    bit stands above one without it among the rows that agree in all higher bits.

    Args:
        group: per row, ascending.
        value: per row, not negative.
        num_groups: number of groups.
    """
    found = np.zeros(num_groups, np.int64)
    part = group
    for bit in reversed(range(int(value.max(initial=0)).bit_length())):
        high = value >> bit & 1
        found += per_group(group, before(high, part) * (1 - high), num_groups)
        part = 2 * part + high
        order = np.argsort(part, kind="stable")
        group, value, part = group[order], value[order], part[order]
    return found


def count_levels(rows: Table, num_groups: int) -> GroupCounts:
    """The counts of groups with one sub-group; 0 for groups without rows.

    A document with several rows counts several times, as in trec_eval.
    """
    group = rows.group
    step = steps(group, rows.level)
    kept = rows.retrieved

    def summed(counted: Positions | Bools, where: Positions = group) -> Positions:
        return per_group(where, counted, num_groups)

    highest = int(step.max(initial=0)) + 1
    cells, cell = np.unique(group * highest + step, return_inverse=True)
    owner = cells // highest
    ret = np.bincount(cell[kept], minlength=cells.size)
    rest = np.bincount(cell, minlength=cells.size) - ret
    lower_ret, lower_rest = before(ret, owner), before(rest, owner)
    fulfilled = inversions(group[kept], step[kept], num_groups)
    implied = summed(ret * lower_rest, owner)
    relevant = rows.level > 0
    num_relevant, num_relevant_ret = summed(relevant), summed(relevant & kept)
    possible_retrieved = summed(ret * lower_ret, owner)
    possible_implied = implied + summed(rest * lower_ret, owner)
    possible_unretrieved = summed(rest * lower_rest, owner)

    # The cap, as trec_eval has it: preferences above the lowest level; then every document of the group, the lowest
    # level included, is held against the first documents of the lowest level, itself among them.
    lowest = step == 0
    size, size_ret, size_lowest, size_lowest_ret = (
        summed(chosen) for chosen in (np.ones_like(lowest), kept, lowest, lowest & kept)
    )
    place = before(lowest, group)
    smaller = _smaller_documents(rows)
    better_above = before(kept & ~lowest, group)
    cap = np.minimum(num_relevant, size_lowest)
    cap_ret = np.minimum(num_relevant_ret, size_lowest_ret)
    first = lowest & (place < cap[group])
    first_ret = lowest & kept & (place < cap_ret[group])
    return GroupCounts(
        fulfilled_retrieved=fulfilled,
        possible_retrieved=possible_retrieved,
        fulfilled_implied=implied,
        possible_implied=possible_implied,
        possible_unretrieved=possible_unretrieved,
        relevant=num_relevant,
        relevant_retrieved=num_relevant_ret,
        nonrelevant=size - num_relevant,
        nonrelevant_retrieved=size_ret - num_relevant_ret,
        capped_fulfilled=fulfilled
        + implied
        - summed(better_above * lowest)
        + summed(np.minimum(smaller, size_ret[group]) * first),
        capped_possible=possible_retrieved
        + possible_implied
        + possible_unretrieved
        - size_lowest * (size - size_lowest)
        + size * cap,
        capped_fulfilled_retrieved=fulfilled - summed(better_above * (lowest & kept)) + summed(smaller * first_ret),
        capped_possible_retrieved=possible_retrieved
        - size_lowest_ret * (size_ret - size_lowest_ret)
        + size_ret * cap_ret,
    )


def _smaller_documents(rows: Table) -> Positions:
    """Per row, how many rows of its group have a document with a smaller number."""
    new = np.ones(rows.group.size, np.bool_)
    new[1:] = (rows.document[1:] != rows.document[:-1]) | (rows.group[1:] != rows.group[:-1])
    first = np.maximum.accumulate(np.where(new, np.arange(new.size), 0))
    smaller: Positions = first - np.searchsorted(rows.group, rows.group)
    return smaller
