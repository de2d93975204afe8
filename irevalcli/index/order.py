"""The ranking order: the rank of every hit among the rows of its query.

Score descending; among equal scores by what the tie rule says, by default docid in byte order, descending. Only hits
get a rank; the other rows are counted, never sorted by docid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.index.merge_sort import nan_order
from irevalcli.reading.words import sort_order, word

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bools, Bytes, Floats, Positions, Words
    from irevalcli.reading.tokens import Fields


class TieRule(NamedTuple):
    """How rows are put in order.

    Attributes:
        by: what decides among equal scores before the docid: nothing, the rank column, or the place in the file.
        docid_descending: order of docids (bytes) among what is still equal; trec_eval's preference formats ascend.
        single_precision: compare scores rounded to float32, as trec_eval 9.0.8 does.
    """

    by: Literal["docid", "rank", "file"] = "docid"
    docid_descending: bool = True
    single_precision: bool = False

    def compared(self, scores: Floats) -> Floats:
        """The numbers by which rows of these scores are compared."""
        if not self.single_precision:
            return scores
        with np.errstate(over="ignore", under="ignore"):
            return scores.astype(np.float32).astype(np.float64)


class Rows(NamedTuple):
    """Rows of a run, those of one query together.

    Attributes:
        data: buffer that holds the docids.
        docids: per row.
        scores: per row, float64.
        starts: first row of each query.
        ends: one past the last row of each query.
        preferred: per row a number; of equal scores the larger stands first. None leaves it to the docids.
    """

    data: Bytes
    docids: Fields
    scores: Floats
    starts: Positions
    ends: Positions
    preferred: Floats | None = None


class Ranks(NamedTuple):
    """Where hits stand.

    Attributes:
        rank: 1-based.
        tie_first: rank of the first row with the same score.
        tie_size: number of rows with the same score, 1 if none ties.
        tied_rows: over all rows, how many share their score with the row ranked above.
    """

    rank: Positions
    tie_first: Positions
    tie_size: Positions
    tied_rows: int


class _Ties(NamedTuple):
    """Rows in order, cut where query or score changes.

    Attributes:
        rows: the rows.
        order: which row stands at each place; None if they stand in order themselves.
        bounds: first place of each tie (a row alone is one too), and the number of rows.
    """

    rows: Rows
    order: Positions | None
    bounds: Positions


def rank_hits(rows: Rows, hits: Positions, rule: TieRule) -> Ranks:
    """The ranks of the rows `hits` (ascending), each within its query."""
    scores = given = rule.compared(rows.scores)
    order = score_order(scores, rows.starts)
    if order is None:
        place = hits
    else:
        scores = scores[order]
        where = np.empty(order.size, np.int64)
        where[order] = np.arange(order.size)
        place = where[hits]
    rises = np.empty(scores.size, np.bool_)
    np.not_equal(scores[1:], scores[:-1], out=rises[1:])
    rises[rows.starts] = True
    bounds = np.append(np.flatnonzero(rises), scores.size)
    tied_rows = scores.size - (bounds.size - 1)
    segment_start = rows.starts[np.searchsorted(rows.starts, place, "right") - 1]
    if not tied_rows:
        rank = place - segment_start + 1
        ranks = Ranks(rank, rank, np.ones_like(rank), 0)
    else:
        tie = np.searchsorted(bounds, place, "right") - 1
        first, size = bounds[tie], bounds[tie + 1] - bounds[tie]
        ahead = np.zeros_like(place)
        tied = np.flatnonzero(size > 1)
        if tied.size:
            ahead[tied] = _ahead_in_tie(_Ties(rows, order, bounds), hits[tied], tie[tied], rule)
        ranks = Ranks(first - segment_start + 1 + ahead, first - segment_start + 1, size, tied_rows)
    return ranks if order is None else _with_nan(rows, given, hits, ranks, rule)


def score_order(scores: Floats, starts: Positions) -> Positions | None:
    """The order of rows by query, then score descending; None if the rows stand so already."""
    out_of_order = ~(scores[1:] <= scores[:-1])
    out_of_order[starts[1:] - 1] = False
    if not out_of_order.any():
        return None
    order = np.argsort(-scores)
    narrow = np.uint16 if starts.size <= np.iinfo(np.uint16).max else np.uint32
    segment = np.zeros(scores.size, narrow)
    segment[starts[1:]] = 1
    segment = np.cumsum(segment, dtype=narrow)
    return order[np.argsort(segment[order], kind="stable")]


def _ahead_in_tie(ties: _Ties, hits: Positions, tie: Positions, rule: TieRule) -> Positions:
    """Per hit, how many rows of its tie come before it.

    Every row of the touched ties finds its place among the hits of its tie by binary search on docids; counting the
    rows at each place gives the hits' ranks without sorting the rows.
    """
    rows, order, bounds = ties
    by_docid = sort_order(rows.data, rows.docids.start[hits], rows.docids.end[hits], tie)
    if rows.preferred is not None:
        by_docid = by_docid[np.lexsort((rows.preferred[hits][by_docid], tie[by_docid]))]
    touched, first_hit, hit_count = np.unique(tie[by_docid], return_index=True, return_counts=True)
    size = bounds[touched + 1] - bounds[touched]
    slot = np.repeat(np.arange(touched.size), size)
    offset = np.cumsum(size) - size
    row = np.arange(slot.size) + np.repeat(bounds[touched] - offset, size)
    if order is not None:
        row = order[row]
    low = first_hit[slot]
    smaller = low + _smaller_hits(rows, row, hits[by_docid], low, low + hit_count[slot])
    # One counter per hit and one past the last hit of each tie: rows that are larger than all of them.
    counts = np.bincount(smaller + slot, minlength=hits.size + touched.size)
    place = np.arange(hits.size) + np.repeat(np.arange(touched.size), hit_count)
    running = np.cumsum(counts)
    before_tie = np.where(first_hit + np.arange(touched.size) > 0, running[first_hit + np.arange(touched.size) - 1], 0)
    not_larger = running[place] - np.repeat(before_tie, hit_count)
    not_larger -= _repetitions(not_larger, tie[by_docid])
    ahead = np.empty(hits.size, np.int64)
    # A row equal to the hit is the hit itself: it counts as not larger.
    ahead[by_docid] = np.repeat(size, hit_count) - not_larger if rule.docid_descending else not_larger - 1
    return ahead


def _repetitions(not_larger: Positions, tie: Positions) -> Positions | int:
    """Per hit, how many hits before it have the same docid: only if the run lists a document twice with one score.

    Equal docids, and no others of a tie, have equally many rows that are not larger.
    """
    again = not_larger[1:] == not_larger[:-1]
    again &= tie[1:] == tie[:-1]
    if not again.any():
        return 0
    index = np.arange(not_larger.size)
    first = index.copy()
    first[1:][again] = 0
    return index - np.maximum.accumulate(first)


def _smaller_hits(rows: Rows, row: Positions, hits: Positions, low: Positions, high: Positions) -> Positions:
    """Per row, how many of the hits `low:high` (ascending by preference, then docid) come before it in this order."""
    first = 0 if rows.preferred is None else -1
    row_words, hit_words = _word_to_compare(rows, row, first), _word_to_compare(rows, hits, first)
    longest = int((rows.docids.end[hits] - rows.docids.start[hits]).max())
    low, high = low.copy(), high.copy()
    begin = low.copy()
    active = np.arange(row.size)
    while active.size:
        middle = (low[active] + high[active]) >> 1
        mine, theirs = row_words[active], hit_words[middle]
        less = theirs < mine
        undecided = np.flatnonzero(theirs == mine)
        index = first + 1
        while undecided.size and 8 * index < longest + 8:
            mine = _word_to_compare(rows, row[active[undecided]], index)
            theirs = _word_to_compare(rows, hits[middle[undecided]], index)
            less[undecided] = theirs < mine
            undecided = undecided[theirs == mine]
            index += 1
        low[active] = np.where(less, middle + 1, low[active])
        high[active] = np.where(less, high[active], middle)
        active = active[low[active] < high[active]]
    return low - begin


def _word_to_compare(rows: Rows, row: Positions, index: int) -> Words | Floats:
    """Word `index` of the rows' docids, such that integers compare as bytes do; for -1 the rows' preference."""
    if index < 0 and rows.preferred is not None:
        return rows.preferred[row]
    return word(rows.data, rows.docids.start[row], rows.docids.end[row], index).byteswap()


def _with_nan(rows: Rows, scores: Floats, hits: Positions, ranks: Ranks, rule: TieRule) -> Ranks:
    """The same ranks, with those of queries that hold a NaN score put in the order of glibc's merge sort."""
    nan: Bools = np.isnan(scores)
    if not nan.any():
        return ranks
    rank, tie_first, tie_size = ranks.rank.copy(), ranks.tie_first.copy(), ranks.tie_size.copy()
    for query in np.unique(np.searchsorted(rows.starts, np.flatnonzero(nan), "right") - 1).tolist():
        begin, end = int(rows.starts[query]), int(rows.ends[query])
        position = np.empty(end - begin, np.int64)
        ordered = nan_order(rows.data, rows.docids, scores, begin, end, docid_descending=rule.docid_descending)
        position[ordered] = np.arange(1, end - begin + 1)
        here = np.flatnonzero((hits >= begin) & (hits < end))
        rank[here] = tie_first[here] = position[hits[here] - begin]
        tie_size[here] = 1
    return Ranks(rank, tie_first, tie_size, ranks.tied_rows)
