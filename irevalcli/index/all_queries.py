"""An index for every query of a run, whether it is judged or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.index.ranked_lists import QidCensus

if TYPE_CHECKING:
    from irevalcli.index.judgments import Judgments
    from irevalcli.reading.arrays import Bytes, Positions, Words
    from irevalcli.reading.tokens import Fields


class AllQueries:
    """Gives judged queries the index that they have in the judgments, and others the indices after these.

    Any thread may ask.

    Args:
        judgments: None if there are none.
    """

    def __init__(self, judgments: Judgments | None) -> None:
        self._judgments = judgments
        self._others = QidCensus()
        self.num_judged = 0 if judgments is None else judgments.num_queries

    @property
    def query_lookup(self) -> AllQueries:
        """Itself."""
        return self

    def find(self, data: Bytes, tokens: Fields, group: Positions, hashes: Words) -> tuple[Positions, Positions]:
        """All rows, and the index of each one's qid."""
        index = np.full(tokens.start.size, -1)
        if self._judgments is not None:
            rows, known = self._judgments.query_lookup.find(data, tokens, group, hashes)
            index[rows] = known
        rest = np.flatnonzero(index < 0)
        _, others = self._others.find(data, tokens.at(rest), group[rest], hashes[rest])
        index[rest] = others + self.num_judged
        return np.arange(index.size), index

    @property
    def others(self) -> list[bytes]:
        """The qids that are not judged, in the order in which they were met."""
        return self._others.qids

    def qids(self) -> list[bytes]:
        """All qids, by index."""
        judged = [] if self._judgments is None else self._judgments.qids
        return [*judged, *self.others]
