"""Putting the rows of scattered queries together: a run whose queries do not stand in one block each.

The rows of judged queries are kept, compactly, until the end of the run; then they are ranked batch by batch as if they
had stood together. Costs about 40 bytes a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from irevalcli.index.scan import Columns
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

BATCH_ROWS = 1 << 16
"""Rows that are ranked at a time, unless a single query has more."""

_FIRST_SIZE = 1 << 16
_GROWTH = 1.25


class _Growing:
    """An array that grows at its end, in place where the system can move its pages."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._held = np.zeros(_FIRST_SIZE, dtype)
        self.size = 0

    def append(self, values: NDArray[Any]) -> None:
        size = self.size + values.size
        if size > self._held.size:
            self._held.resize(max(size, int(_GROWTH * self._held.size)), refcheck=False)
        self._held[self.size : size] = values
        self.size = size

    @property
    def values(self) -> NDArray[Any]:
        return self._held[: self.size]


class Gathered:
    """Rows of judged queries, in the order of the file."""

    def __init__(self) -> None:
        self._docids = _Growing(np.uint8)
        self._docids.append(np.zeros(PAD, np.uint8))
        self._ends = _Growing(np.int64)
        self._ends.append(np.array([PAD]))
        self._scores = _Growing(np.float64)
        self._query = _Growing(np.int32)
        self._ranks = _Growing(np.float64)
        self._lines = _Growing(np.int64)

    def add(self, columns: Columns, lines_before: int) -> None:
        """Keep the rows of judged queries; nothing of the piece's buffer is held on to.

        Args:
            columns: of a piece.
            lines_before: how many lines the file has before it.
        """
        sizes = np.diff(np.append(columns.starts, columns.scores.size))
        query = np.repeat(columns.query, sizes)
        kept = np.flatnonzero(query >= 0)
        docids = columns.docids.at(kept)
        lengths = docids.end - docids.start
        position = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        position += np.repeat(docids.start, lengths)
        self._ends.append(np.cumsum(lengths) + self._docids.size)
        self._docids.append(columns.data[position])
        self._scores.append(columns.scores[kept])
        self._query.append(query[kept])
        if columns.ranks is not None:
            self._ranks.append(columns.ranks[kept])
        if columns.lines is not None:
            self._lines.append(columns.lines[kept] + lines_before)

    def batches(self) -> Iterator[Columns]:
        """All rows, those of one query together, some queries at a time."""
        self._docids.append(np.zeros(PAD, np.uint8))
        data, ends, scores = self._docids.values, self._ends.values, self._scores.values
        # Stable, so that a query's rows stay in the order of the file.
        order = np.argsort(self._query.values, kind="stable")
        sizes = np.bincount(self._query.values)
        last_row = np.cumsum(sizes)
        first = 0
        while first < sizes.size:
            begin = int(last_row[first] - sizes[first])
            last = max(int(np.searchsorted(last_row, begin + BATCH_ROWS, "right")), first + 1)
            rows = order[begin : last_row[last - 1]]
            present = np.flatnonzero(sizes[first:last]) + first
            starts = last_row[present] - sizes[present] - begin
            if rows.size:
                docids = Fields(ends[rows], ends[rows + 1])
                ranks, lines = (held.values[rows] if held.size else None for held in (self._ranks, self._lines))
                yield Columns(data, docids, scores[rows], starts, present, ranks, lines)
            first = last
