"""A run that was looked through: what its parts showed, put together."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from irevalcli.index.checked_rows import Direction, OfQueries
from irevalcli.index.inspection import Spots, TextFacts
from irevalcli.index.scan import NOWHERE
from irevalcli.index.stream import ranking_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from irevalcli.index.all_queries import AllQueries
    from irevalcli.index.inspection import Inspection
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.index.run_checks import Repeated, RunPart
    from irevalcli.index.stream import Parts
    from irevalcli.reading.arrays import Positions

SpotsName = Literal["odd_ranks", "infinite", "unordered", "not_from_one", "unsorted", "tied", "single"]


class SeenRun:
    """What a run shows. Lines are those of the file, counted from 0.

    Args:
        parts: what its pieces and queries came to.
        queries: what gave the queries their indices.

    Attributes:
        format: in which it was read.
        rows: data lines that could be read.
        dropped: lines left out because of a fault.
        misshapen: those of them that have a wrong number of fields.
        num_judged: queries of the judgments.
        qids: the qids of all queries, by index.
    """

    def __init__(self, parts: Parts[RunPart], queries: AllQueries) -> None:
        self.format = parts.format
        self.num_judged = queries.num_judged
        self.qids = queries.qids()
        self._parts = parts
        summaries = parts.summaries
        self.dropped = sum(summary.dropped for summary in summaries)
        self.misshapen = sum(summary.misshapen for summary in summaries)
        self.rows = sum(int(block.size.sum()) + block.dropped for block in parts.blocks)
        self._before = [0, *np.cumsum([summary.lines for summary in summaries]).tolist()]

    @property
    def _inspections(self) -> Iterable[tuple[int, Inspection]]:
        """What each piece is like, with the lines before it."""
        for before, summary in zip(self._before, self._parts.summaries, strict=False):
            if summary.inspection is not None:
                yield before, summary.inspection

    @property
    def _blocks(self) -> Iterable[tuple[int, RunPart]]:
        """What rows came to, with what is to be added to their lines."""
        return zip(self._parts.lines_before, self._parts.blocks, strict=True)

    @property
    def dropped_by_piece(self) -> Iterable[tuple[int, int]]:
        """Per piece, the lines before it, and how many of its own were left out because of a fault."""
        return zip(self._before, (summary.dropped for summary in self._parts.summaries), strict=False)

    @property
    def text(self) -> TextFacts:
        """What the bytes are like."""
        facts = [(before, seen.text) for before, seen in self._inspections]
        return TextFacts(
            _merged((before, text.carriage_returns) for before, text in facts),
            _merged((before, text.non_ascii) for before, text in facts),
            next((before + text.not_utf8 for before, text in facts if text.not_utf8 != NOWHERE), NOWHERE),
            next((before + text.unended for before, text in facts[-1:] if text.unended != NOWHERE), NOWHERE),
        )

    @property
    def extra(self) -> Spots:
        """Lines with more fields than the format has."""
        number = sum(summary.extra for summary in self._parts.summaries)
        first = (before + seen.extra for before, seen in self._inspections if seen.extra != NOWHERE)
        return Spots(number, next(first, NOWHERE))

    @property
    def tags(self) -> dict[bytes, int]:
        """The first line of each run tag, in order."""
        found: dict[bytes, int] = {}
        for before, seen in self._inspections:
            for tag, line in seen.tags.items():
                found.setdefault(tag, before + line)
        return found

    @property
    def smaller_first(self) -> bool:
        """Whether the scores are ranks."""
        return any(seen.smaller_first for _, seen in self._inspections)

    @property
    def stretches(self) -> tuple[Positions, Positions]:
        """Per stretch of rows with one query, the index of the query and the first line; some may be cut in two."""
        none = np.empty(0, np.int64)
        query = np.concatenate([none, *(seen.stretch_query for _, seen in self._inspections)])
        lines = np.concatenate([none, *(before + seen.stretch_line for before, seen in self._inspections)])
        return query, lines

    @cached_property
    def sizes(self) -> Positions:
        """Per query, its documents; 0 if the run lacks it."""
        sizes = np.zeros(len(self.qids), np.int64)
        for _, block in self._blocks:
            sizes[block.query] = block.size
        return sizes

    @property
    def num_queries(self) -> int:
        """Distinct queries of the run."""
        return int(np.count_nonzero(self.sizes))

    def spots(self, name: SpotsName) -> Spots:
        """How many lines or queries there are of a kind, and the first line."""
        return _merged((before, getattr(block, name)) for before, block in self._blocks)

    @property
    def smallest_rank(self) -> float:
        """The rank on the first line of those whose query has no rank 1."""
        found = [
            (before + block.not_from_one.first, block.smallest_rank)
            for before, block in self._blocks
            if block.not_from_one.number
        ]
        return min(found)[1]

    @property
    def tied_documents(self) -> int:
        """Documents whose score another one of their query has."""
        return sum(block.tied_documents for _, block in self._blocks)

    def of_queries(self, name: Literal["equal", "too_long"], most: int) -> OfQueries:
        """How many queries there are of a kind, and the first of them."""
        found = [(before, getattr(block, name)) for before, block in self._blocks]
        examples = sorted((before + line, *rest) for before, each in found for line, *rest in each.examples)
        return OfQueries(sum(each.number for _, each in found), tuple(examples[:most]))

    @property
    def num_repeated(self) -> int:
        """Lines that list a document again."""
        return sum(block.dropped for _, block in self._blocks)

    def repeated(self, most: int) -> list[Repeated]:
        """The first of them."""
        found = [
            each._replace(line=before + each.line, first_line=before + each.first_line)
            for before, block in self._blocks
            for each in block.repeated
        ]
        return sorted(found)[:most]

    @cached_property
    def direction(self) -> Direction:
        """Which way scores run down the file."""
        return Direction(*map(sum, zip(Direction(), *(block.direction for _, block in self._blocks), strict=True)))

    def ranking(self, judgments: Judgments) -> Ranking:
        """The run joined with the judgments that it was looked through with."""
        return ranking_of(judgments, [block.block for _, block in self._blocks if block.block is not None])

    def unjudged(self, most: int) -> list[bytes]:
        """Some docids of judged queries, if no document of theirs is judged."""
        docids = (docid for _, block in self._blocks for docid in block.unjudged)
        return list(dict.fromkeys(docids))[:most]


def _merged(found: Iterable[tuple[int, Spots]]) -> Spots:
    """Spots of several texts, each with the lines before it."""
    some = [(before, spots) for before, spots in found if spots.number]
    if not some:
        return Spots()
    return Spots(sum(spots.number for _, spots in some), min(before + spots.first for before, spots in some))
