"""Preferences of judgment groups with several sub-groups: what their sub-groups state, and what follows from that."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.grouping import stretches
from irevalcli.index.preference_counts import GroupCounts, Table, before, per_group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.reading.arrays import Bools, Floats, Positions

CELLS = 4_000_000
"""Cells of boolean matrices, or pairs, that are held at a time; more only for one group of over 2,000 documents."""


class Documents(NamedTuple):
    """The distinct documents of groups with several sub-groups.

    Attributes:
        table: in order of group, then document; the level is that of the last judgment in order of `Stated`.
        listed: per document, the listed document it is.
        start: per group of the judgments, its first document here, and the total. int64[groups + 1]
    """

    table: Table
    listed: Positions
    start: Positions


class Stated(NamedTuple):
    """Judgments of groups with several sub-groups, in order of group, sub-group, descending level, document.

    Attributes:
        owner: per judgment, its document's place in `Documents`.
        level: per judgment.
        lower: per judgment, the first judgment with a lower level in its sub-group, or the end of that.
        end: per judgment, the end of its sub-group.
    """

    owner: Positions
    level: Floats
    lower: Positions
    end: Positions


class Edges(NamedTuple):
    """Some preferences: places in `Documents` of the preferred document and of the other one, in order of the first."""

    above: Positions
    below: Positions


class Contradiction(NamedTuple):
    """The first two documents (places in `Documents`) of a group each of which is preferred to the other."""

    first: int
    second: int


def arrange(rows: Table, subgroup: Positions, listed: Positions, num_groups: int) -> tuple[Documents, Stated]:
    """The documents and the judgments of groups with several sub-groups, in the orders that the counting needs.

    Args:
        rows: the judgments.
        subgroup: per judgment, the index of its sub-group.
        listed: per judgment, its listed document.
        num_groups: number of groups of all kinds.
    """
    order = np.lexsort((rows.document, -rows.level, subgroup, rows.group))
    group, document, level = rows.group[order], rows.document[order], rows.level[order]
    width = int(document.max()) + 1
    keys, owner = np.unique(group * width + document, return_inverse=True)
    owned_level = np.empty(keys.size)
    owned_retrieved = np.empty(keys.size, np.bool_)
    owned_listed = np.empty(keys.size, np.int64)
    # Of several values for one place the last one stays.
    owned_level[owner], owned_retrieved[owner], owned_listed[owner] = level, rows.retrieved[order], listed[order]
    table = Table(keys // width, keys % width, owned_level, owned_retrieved)
    ends = stretches(group, subgroup[order])
    steps_down = ends.copy()
    steps_down[1:] |= level[1:] != level[:-1]
    start = np.searchsorted(table.group, np.arange(num_groups + 1))
    return Documents(table, owned_listed, start), Stated(owner, level, _next(steps_down), _next(ends))


def _next(begins: Bools) -> Positions:
    """Per row, where the next stretch begins, or the number of rows."""
    starts = np.append(np.flatnonzero(begins), begins.size)
    following: Positions = starts[np.cumsum(begins)]
    return following


def mixed_levels(documents: Documents, stated: Stated) -> Positions:
    """The documents that are first judged at level 0 and then above or the reverse: the first one of each group."""
    order = np.argsort(stated.owner, kind="stable")
    owner, level = stated.owner[order], stated.level[order]
    turned = ((level[1:] == 0) & (level[:-1] > 0)) | ((level[1:] > 0) & (level[:-1] == 0))
    rows = np.sort(order[1:][turned & (owner[1:] == owner[:-1])])
    group = documents.table.group[stated.owner[rows]]
    _, first = np.unique(group, return_index=True)
    documents_first: Positions = stated.owner[rows[first]]
    return documents_first


def closed_preferences(documents: Documents, stated: Stated) -> Iterator[Edges | Contradiction]:
    """The preferences of every group, with those that follow from others, in portions.

    Groups with a contradiction come as that, without their preferences.
    """
    size = np.diff(documents.start)
    by_size = np.argsort(size, kind="stable")
    position = int(np.searchsorted(size[by_size], 1))
    while position < by_size.size:
        smallest = int(size[by_size[position]])
        alike = by_size[position : int(np.searchsorted(size[by_size], 2 * smallest, "right"))]
        width = int(size[alike[-1]])
        batch = alike[: max(CELLS // width**2, 1)]
        yield from _closed(documents, stated, batch)
        position += batch.size


def _closed(documents: Documents, stated: Stated, batch: Positions) -> Iterator[Edges | Contradiction]:
    size = np.diff(documents.start)[batch]
    width = int(size.max())
    base = documents.start[batch]
    preferred = np.zeros((batch.size, width, width), np.bool_)
    slot = np.full(documents.start.size - 1, -1)
    slot[batch] = np.arange(batch.size)
    place = slot[documents.table.group[stated.owner]]
    local = stated.owner - base[place]
    for upper, lower in _portions(stated, np.flatnonzero(place >= 0)):
        preferred[place[upper], local[upper], local[lower]] = True
    for middle in range(width):
        reached = np.nonzero(preferred[:, :, middle])
        preferred[reached] |= preferred[reached[0], middle]
    preferred[:, np.arange(width), np.arange(width)] = False
    clash = (preferred & preferred.transpose(0, 2, 1)).reshape(batch.size, -1)
    for index in np.flatnonzero(clash.any(axis=1)).tolist():
        first, second = divmod(int(clash[index].argmax()), width)
        yield Contradiction(int(base[index]) + first, int(base[index]) + second)
        preferred[index] = False
    rows = preferred.reshape(-1, width)
    for begin in range(0, rows.shape[0], max(CELLS // width, 1)):
        row, column = np.nonzero(rows[begin : begin + max(CELLS // width, 1)])
        row += begin
        yield Edges(base[row // width] + row % width, base[row // width] + column)


def _portions(stated: Stated, rows: Positions) -> Iterator[tuple[Positions, Positions]]:
    """All pairs of some judgments with judgments of a lower level in their sub-groups, in portions."""
    count = stated.end[rows] - stated.lower[rows]
    total = np.cumsum(count)
    begin = 0
    while begin < rows.size:
        done = int(total[begin] - count[begin])
        end = max(int(np.searchsorted(total, done + CELLS, "right")), begin + 1)
        some, times = rows[begin:end], count[begin:end]
        offset = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
        yield np.repeat(some, times), np.repeat(stated.lower[some], times) + offset
        begin = end


def count_edges(documents: Documents, edges: Edges, num_groups: int) -> GroupCounts:
    """The counts of preferences (not of documents) that some edges add to their groups."""
    table = documents.table
    group = table.group[edges.above]
    in_order = edges.above < edges.below
    upper, lower = table.retrieved[edges.above], table.retrieved[edges.below]
    both, either = upper & lower, upper | lower
    inside = _within_cap(documents)
    capped = inside[edges.above] & inside[edges.below]

    def summed(chosen: Bools) -> Positions:
        return per_group(group, chosen, num_groups)

    none = np.zeros(num_groups, np.int64)
    return GroupCounts(
        fulfilled_retrieved=summed(both & in_order),
        possible_retrieved=summed(both),
        fulfilled_implied=summed(upper & ~lower),
        possible_implied=summed(either & ~both),
        possible_unretrieved=summed(~either),
        relevant=none,
        relevant_retrieved=none,
        nonrelevant=none,
        nonrelevant_retrieved=none,
        capped_fulfilled=summed(capped & upper & in_order),
        capped_possible=summed(capped),
        capped_fulfilled_retrieved=summed(capped & both & in_order),
        capped_possible_retrieved=summed(capped & both),
    )


def count_documents(documents: Documents, num_groups: int) -> GroupCounts:
    """The counts of relevant and non-relevant documents (level 0; below 0 is neither); no preferences."""
    table = documents.table

    def summed(chosen: Bools) -> Positions:
        return per_group(table.group, chosen, num_groups)

    none = np.zeros(num_groups, np.int64)
    return GroupCounts(*[none] * len(GroupCounts._fields))._replace(
        relevant=summed(table.level > 0),
        relevant_retrieved=summed((table.level > 0) & table.retrieved),
        nonrelevant=summed(table.level == 0),
        nonrelevant_retrieved=summed((table.level == 0) & table.retrieved),
    )


def _within_cap(documents: Documents) -> Bools:
    """Which documents remain when a group keeps as many documents of level 0 as it has relevant ones.

    trec_eval takes this number also where it looks at retrieved documents alone.
    """
    table = documents.table
    num_relevant = per_group(table.group, table.level > 0, documents.start.size - 1)
    zero = table.level == 0
    within: Bools = ~zero | (before(zero, table.group) < num_relevant[table.group])
    return within
