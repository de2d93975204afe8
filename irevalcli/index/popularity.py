"""How often each document of a collection was chosen: a file of documents and counts, one document a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.index.lookup import Lookup, salted
from irevalcli.reading.faults import LARGEST_COUNT, popularity_faults
from irevalcli.reading.numbers import parse_decimals, strict_grade
from irevalcli.reading.pieces import Piece
from irevalcli.reading.trec import qrels_rows
from irevalcli.reading.words import hash_tokens, num_distinct, token_list

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Bytes, Floats, Positions
    from irevalcli.reading.opening import Source
    from irevalcli.reading.tokens import Fields

WIDTH = 2
UNCOUNTED = -1.0
"""Stands for the popularity of a document that the file does not list."""


class Popularity(NamedTuple):
    """How often each document was chosen.

    Attributes:
        share: per listed document, its count divided by the sum of all counts.
        lookup: finds a listed document by its docid.
    """

    share: Floats
    lookup: Lookup

    def of(self, data: Bytes, docids: Fields) -> Floats:
        """The shares of some documents, `UNCOUNTED` for those that are not listed."""
        no_group = np.zeros(docids.start.size, np.int64)
        rows, listed = self.lookup.find(data, docids, no_group, salted(hash_tokens(data, *docids), no_group))
        share = np.full(docids.start.size, UNCOUNTED)
        share[rows] = self.share[listed]
        return share


def read_popularity(source: Source) -> tuple[Popularity | None, list[Finding]]:
    """The counts of a file; None, and what is wrong with it, if it cannot be used.

    A file without a line, or with no count above 0, is None without a fault.

    Raises:
        InputProblem: the source cannot be read to its end.
    """
    piece = Piece.of(source.read_all())
    rows = qrels_rows(piece, WIDTH)
    docids, counts = rows.columns
    count, odd = _counts(piece.data, counts)
    hashes = hash_tokens(piece.data, *docids)
    if rows.malformed is not None or odd or num_distinct(hashes) < hashes.size:
        faults = popularity_faults(piece, source.name)
        if faults:
            return None, faults
    total = float(np.add.accumulate(count)[-1]) if count.size else 0.0
    if not total:
        return None, []
    no_group: Positions = np.zeros(count.size, np.int64)
    return Popularity(count / total, Lookup(piece.data, docids, no_group)), []


def _counts(data: Bytes, fields: Fields) -> tuple[Floats, bool]:
    """The counts, and whether one of them is no number of 0 or more."""
    counts, odd = parse_decimals(data, fields.start, fields.end)
    rows = np.flatnonzero(odd | ~(counts >= 0) | (counts > LARGEST_COUNT))
    numbers = [strict_grade(token) for token in token_list(data, fields.start[rows], fields.end[rows])]
    counts[rows] = [0.0 if number is None else number for number in numbers]
    return counts, any(number is None or not 0 <= number <= LARGEST_COUNT for number in numbers)
