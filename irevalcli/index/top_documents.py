"""The documents at the top of every ranking, whether judged or not: for measures of which documents are shown at all.

They are kept only if a measure asks for them, and only down to the rank that it looks at; memory is that of so many
docids for each query of the judgments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.grouping import judgments_of
from irevalcli.index.order import score_order
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD, equal_tokens, hash_tokens, sort_order, token_list

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.index.order import Rows, TieRule
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bytes, Floats, Positions


class TopRows(NamedTuple):
    """The top of some rankings.

    Attributes:
        query: per document shown, the index of its query in the judgments.
        rank: per document shown, from 1.
        docids: the docids one after the other.
        lengths: per document shown, how long its docid is.
    """

    query: Positions
    rank: Positions
    docids: Bytes
    lengths: Positions


class TopOrder(NamedTuple):
    """The first rows of every ranking, in order of the queries' rows, then rank.

    Attributes:
        row: which row it is.
        query: the index of its query.
        rank: from 1.
        tied_rows: over all rows, also those further down, how many share their score with the row ranked above.
    """

    row: Positions
    query: Positions
    rank: Positions
    tied_rows: int


class TopDocuments(NamedTuple):
    """The documents that a run shows down to some rank, query by query.

    Attributes:
        depth: the last rank that was asked for.
        query: per document shown, the index of its query, ascending.
        rank: per document shown, from 1, ascending within a query.
        document: per document shown, which one it is of the distinct documents.
        data: buffer that holds the docids.
        docids: per distinct document.
        popularity: per distinct document, its share of all that was counted; None if no counts were given.
    """

    depth: int
    query: Positions
    rank: Positions
    document: Positions
    data: Bytes
    docids: Fields
    popularity: Floats | None = None

    @classmethod
    def of(cls, depth: int, parts: Sequence[TopRows]) -> TopDocuments:
        """The top documents of all queries.

        Args:
            depth: the last rank that the parts hold.
            parts: the tops of different queries, in any order.
        """
        none = np.empty(0, np.int64)
        slack = np.zeros(PAD, np.uint8)
        data = np.concatenate([slack, *(part.docids for part in parts), slack])
        lengths = np.concatenate([none, *(part.lengths for part in parts)])
        query = np.concatenate([none, *(part.query for part in parts)])
        rank = np.concatenate([none, *(part.rank for part in parts)])
        order = np.lexsort((rank, query))
        end = np.cumsum(lengths) + PAD
        docids = Fields(end - lengths, end).at(order)
        document, first = _distinct(data, docids)
        return cls(depth, query[order], rank[order], document, data, docids.at(first))

    def down_to(self, depth: int) -> TopDocuments:
        """The same, down to rank `depth` at most. The distinct documents keep their places."""
        kept = self.rank <= depth
        return self._replace(query=self.query[kept], rank=self.rank[kept], document=self.document[kept])

    def names(self, documents: Positions) -> list[bytes]:
        """The docids of some of the distinct documents."""
        return token_list(self.data, self.docids.start[documents], self.docids.end[documents])


def top_rows(rows: Rows, query: Positions, depth: int, rule: TieRule) -> TopRows:
    """The first `depth` documents of every judged query; arguments as for `top_order`."""
    top = top_order(rows, query, depth, rule)
    docids, lengths = packed(rows.data, rows.docids.at(top.row))
    return TopRows(top.query, top.rank, docids, lengths)


def top_order(rows: Rows, query: Positions, depth: int, rule: TieRule) -> TopOrder:
    """The first `depth` rows of every judged query, in exactly the order that hits are ranked by.

    Args:
        rows: rows of a run, those of one query together; no score is NaN.
        query: per query of the rows, its index in the judgments; negative if they lack it.
        depth: how many documents of a query.
        rule: the ranking order.
    """
    scores = rule.compared(rows.scores)
    order = score_order(scores, rows.starts)
    if order is None:
        order = np.arange(scores.size)
    ordered = scores[order]
    begins = np.ones(ordered.size, np.bool_)
    begins[1:] = ordered[1:] != ordered[:-1]
    begins[rows.starts] = True
    tie = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    sizes = rows.ends - rows.starts
    start = np.repeat(rows.starts, sizes)
    kept = np.flatnonzero((first[tie] - start < depth) & (np.repeat(query, sizes) >= 0))
    in_ties = kept[np.bincount(tie, minlength=first.size)[tie[kept]] > 1]
    order[in_ties] = _without_ties(rows, order[in_ties], tie[in_ties], rule)
    rank = kept - start[kept] + 1
    top = rank <= depth
    kept, rank = kept[top], rank[top]
    return TopOrder(order[kept], np.repeat(query, sizes)[kept], rank, ordered.size - first.size)


def top_hits(ranking: Ranking, depth: int) -> TopDocuments:
    """The top of rankings that hold nothing but hits, as those without unjudged documents do."""
    data, listed = judgments_of(ranking).listed_docids
    top = np.flatnonzero(ranking.rank <= depth)
    docids, lengths = packed(data, listed.at(ranking.listed[top]))
    return TopDocuments.of(depth, [TopRows(ranking.query[top], ranking.rank[top], docids, lengths)])


def numbered_alike(first: TopDocuments, second: TopDocuments) -> tuple[Positions, Positions]:
    """Per document shown by either of two runs, a number that it has in both."""
    data = np.concatenate([first.data, second.data])
    start = np.concatenate([first.docids.start, second.docids.start + first.data.size])
    end = np.concatenate([first.docids.end, second.docids.end + first.data.size])
    number = _distinct(data, Fields(start, end))[0]
    known = first.docids.start.size
    return number[:known][first.document], number[known:][second.document]


def _without_ties(rows: Rows, row: Positions, tie: Positions, rule: TieRule) -> Positions:
    """The rows, which stand in order of their ties, with those of each tie in the order of the rule."""
    start, end = rows.docids.start[row], rows.docids.end[row]
    order = (
        sort_order(rows.data, start, end, -tie)[::-1]
        if rule.docid_descending
        else sort_order(rows.data, start, end, tie)
    )
    if rows.preferred is not None:
        order = order[np.lexsort((-rows.preferred[row][order], tie[order]))]
    return row[order]


def packed(data: Bytes, tokens: Fields) -> tuple[Bytes, Positions]:
    """The tokens one after the other in an array of their own, and how long each is."""
    lengths = tokens.end - tokens.start
    before = np.cumsum(lengths) - lengths
    position = np.arange(int(lengths.sum())) + np.repeat(tokens.start - before, lengths)
    return data[position], lengths


def _distinct(data: Bytes, tokens: Fields) -> tuple[Positions, Positions]:
    """Per token, which of the distinct ones it is, and a token that stands for each of these."""
    _, first, index = np.unique(hash_tokens(data, tokens.start, tokens.end), return_index=True, return_inverse=True)
    same = first[index]
    if equal_tokens(data, tokens.start, tokens.end, data, tokens.start[same], tokens.end[same]).all():
        return index, first
    # Two docids share a hash.
    known: dict[bytes, int] = {}
    listed = token_list(data, tokens.start, tokens.end)
    index = np.array([known.setdefault(token, len(known)) for token in listed])
    return index, np.unique(index, return_index=True)[1]
