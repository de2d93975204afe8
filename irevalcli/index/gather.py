"""Putting the rows of scattered queries together: a run whose queries do not stand in one block each.

The rows of judged queries are kept, compactly, until the end of the run; then they are ranked batch by batch as if they
had stood together. Costs about 40 bytes a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.scan import Columns
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.reading.arrays import Bytes, Floats, Positions

BATCH_ROWS = 1 << 16
"""Rows that are ranked at a time, unless a single query has more."""


class Gathered:
    """Rows of judged queries, in the order of the file."""

    def __init__(self) -> None:
        self._docids: list[Bytes] = []
        self._lengths: list[Positions] = []
        self._scores: list[Floats] = []
        self._query: list[Positions] = []
        self._ranks: list[Floats] = []

    def add(self, columns: Columns) -> None:
        """Keep the rows of judged queries; nothing of the piece's buffer is held on to."""
        sizes = np.diff(np.append(columns.starts, columns.scores.size))
        query = np.repeat(columns.query, sizes)
        kept = np.flatnonzero(query >= 0)
        docids = columns.docids.at(kept)
        lengths = docids.end - docids.start
        position = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        position += np.repeat(docids.start, lengths)
        self._docids.append(columns.data[position])
        self._lengths.append(lengths.astype(np.int32))
        self._scores.append(columns.scores[kept])
        self._query.append(query[kept].astype(np.int32))
        if columns.ranks is not None:
            self._ranks.append(columns.ranks[kept])

    def batches(self) -> Iterator[Columns]:
        """All rows, those of one query together, some queries at a time."""
        query = np.concatenate([*self._query, np.empty(0, np.int32)])
        self._query.clear()
        # Stable, so that a query's rows stay in the order of the file.
        order = np.argsort(query, kind="stable")
        sizes = np.bincount(query)
        del query
        slack = np.zeros(PAD, np.uint8)
        data = np.concatenate([slack, *self._docids, slack])
        self._docids.clear()
        lengths = np.concatenate([*self._lengths, np.empty(0, np.int32)])
        self._lengths.clear()
        end = np.cumsum(lengths, dtype=np.int64)
        end += PAD
        scores = np.concatenate([*self._scores, np.empty(0)])
        self._scores.clear()
        ranks = np.concatenate(self._ranks) if self._ranks else None
        self._ranks.clear()
        ends = np.cumsum(sizes)
        first = 0
        while first < sizes.size:
            begin = int(ends[first] - sizes[first])
            last = max(int(np.searchsorted(ends, begin + BATCH_ROWS, "right")), first + 1)
            rows = order[begin : ends[last - 1]]
            present = np.flatnonzero(sizes[first:last]) + first
            starts = ends[present] - sizes[present] - begin
            if rows.size:
                given = None if ranks is None else ranks[rows]
                stop = end[rows]
                yield Columns(data, Fields(stop - lengths[rows], stop), scores[rows], starts, present, given)
            first = last
