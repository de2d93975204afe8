"""The whole ranked list of documents of one query, for those who want to see documents and not only count them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.scan import RunRules, scan
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.order import TieRule
    from irevalcli.reading.opening import Source


class Document(NamedTuple):
    """A retrieved document and its score."""

    docid: bytes
    score: float


class _Row(NamedTuple):
    """A document with the column that ties may be broken by, 0 if they are not."""

    docid: bytes
    score: float
    rank: float


def read_documents(source: Source, judgments: Judgments, query: int, rules: RunRules) -> list[Document]:
    """The documents that a run retrieved for a query, in rank order.

    Args:
        source: the run, from its first byte; it has been read before and found without faults.
        judgments: what knows the query.
        query: its index in the judgments.
        rules: how to read and to put in order; no score is NaN.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    rows: list[_Row] = []
    for piece in rules.format.pieces(source, []):
        columns = scan(piece, judgments, rules, source.name)[1]
        if columns is None:
            continue
        stretch = np.repeat(columns.query, np.diff(np.append(columns.starts, columns.scores.size)))
        chosen = np.flatnonzero(stretch == query)
        docids = token_list(columns.data, columns.docids.start[chosen], columns.docids.end[chosen])
        ranks = np.zeros(chosen.size) if columns.ranks is None else columns.ranks[chosen]
        rows += map(_Row, docids, columns.scores[chosen].tolist(), ranks.tolist())
    if rules.skip:
        rows = list({row.docid: row for row in rows[::-1]}.values())[::-1]
    return [Document(row.docid, row.score) for row in _in_order(rows, rules.ties)]


def _in_order(rows: list[_Row], ties: TieRule) -> list[_Row]:
    """The rows by score, what ties by what the rule says; every sort leaves equal rows as they stand."""
    ordered = rows
    if ties.by != "file":
        ordered = sorted(ordered, key=lambda row: row.docid, reverse=ties.docid_descending)
    if ties.by == "rank":
        ordered = sorted(ordered, key=lambda row: row.rank)
    compared = ties.compared(np.array([row.score for row in ordered])).tolist()
    return [row for _, row in sorted(zip(compared, ordered, strict=True), key=lambda pair: pair[0], reverse=True)]
