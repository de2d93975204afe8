"""trec_eval's gain tables: ``level=gain`` pairs, the order that its comparison gives to them, and what rbp makes of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.measures.gains import Gained, gained
from irevalcli.measures.graded import dcg, graded_g, ideal_dcg, ndcg, ndcg_rel, rndcg
from irevalcli.measures.rbp import highest_grades, num_unjudged, rbp, rbp_residual
from irevalcli.reading.numbers import strtol_prefix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.trec.parameters import Pair
    from irevalcli.trec.table import Setting

    Levels = tuple[tuple[int, float], ...]

ABSENT = -1
"""The level of a retrieved document that the qrels do not have."""

NEGATIVE = -2
"""The level of every document with a negative grade."""

DEFAULT_P = 0.9

_INTEGER = re.compile(r"[+-]?[0-9]+")


class Entry(NamedTuple):
    """A row of the gain table.

    Attributes:
        level: the grade.
        gain: what it gains.
        counted: whether the judged documents of that grade are counted here; a level may have several rows.
    """

    level: int
    gain: float
    counted: bool


class _GainTable:
    """The gain table for queries with grades below `num_levels`, in the order in which the ideal ranking climbs down it.

    Attributes:
        gains: the gains, in ascending order as far as trec_eval's comparison makes it so.
        place_of: per grade below `num_levels`, the row that counts its documents.
        gain_of: per level from `NEGATIVE` on, the gain of a retrieved document.
    """

    def __init__(self, levels: Levels, num_levels: int) -> None:
        entries = _merge_sorted(list(_entries(levels, num_levels)))
        self.gains = np.array([entry.gain for entry in entries])
        self.place_of = np.zeros(num_levels, np.int64)
        self.gain_of = np.zeros(num_levels - NEGATIVE)
        # From the end, because of several rows with a level the first one is found.
        for place in range(len(entries) - 1, -1, -1):
            level, gain, counted = entries[place]
            if counted:
                self.place_of[level] = place
            if NEGATIVE <= level < num_levels:
                self.gain_of[level - NEGATIVE] = gain

    @property
    def has_ideal(self) -> bool:
        """Whether an ideal ranking begins at all: it does not if the last row has no positive gain."""
        return bool(self.gains.size and self.gains[-1] > 0)

    def rescale(self) -> None:
        """Bring gains that leave [0, 1] back into it."""
        low = high = 0.0
        for gain in self.gains.tolist():
            low = min(low, gain)
            high = max(high, gain)
        if low < 0 or high > 1:
            known = self.gain_of_known
            self.gain_of[known] = (self.gain_of[known] - low) / (high - low)
