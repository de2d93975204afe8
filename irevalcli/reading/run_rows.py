"""What a piece of a run comes to, whatever the format of the file: the columns that ranking asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Floats, Positions
    from irevalcli.reading.tokens import Fields, Rows


class RunRows(NamedTuple):
    """The data lines of a piece of a run.

    Attributes:
        data: buffer that holds the fields, with `PAD` bytes of slack on either side.
        qids, docids: per row.
        scores: per row, as written; or as float64, if the format has no digits to read. Then none is NaN.
        ranks: likewise; None if the format has none or they were not wanted.
        tags: per row the run tag, or None.
        lines: physical lines of the piece, counted from 0, that the rows stand on; None if row i is line i.
        line_count: physical lines of the piece; 0 if the format has none.
        malformed: how many data lines come before the first one with a wrong number of fields; None if all are right.
        extra: data lines with more fields than the format has.
        smaller_first: the scores are ranks: the document with the smallest one stands first.
        dropped: malformed lines that were passed over.
    """

    data: Bytes
    qids: Fields
    docids: Fields
    scores: Fields | Floats
    ranks: Fields | Floats | None
    tags: Fields | None
    lines: Positions | None
    line_count: int
    malformed: int | None = None
    extra: int = 0
    smaller_first: bool = False
    dropped: int = 0

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.qids.start.size

    def line_of(self, row: int) -> int:
        """The physical line of a row, from 0."""
        return row if self.lines is None else int(self.lines[row])


RankUse = Literal["", "seen", "needed"]
"""Ranks are not read; are read, whatever they are; or must be numbers, since something is decided by them."""


class Wanted(NamedTuple):
    """What a reader of a run asks for beside query, document and score.

    Attributes:
        ranks: whether the rank column is wanted, and must hold numbers.
        skip: pass over malformed lines instead of stopping at the first.
        of_each: how many faults of each rule are to be located in a piece; None for `MOST_FAULTS` of all rules.
    """

    ranks: RankUse = ""
    skip: bool = False
    of_each: int | None = None


class RunShape(NamedTuple):
    """Which column of a run holds what, counted from 0.

    Attributes:
        width: number of columns.
        qid, docid: their columns.
        score: its column.
        rank, tag: likewise, or None.
        words: the columns in words, such as ``qid Q0 docid rank score tag``.
        more: further columns are passed over.
        smaller_first: the score column holds ranks.
    """

    width: int
    qid: int
    docid: int
    score: int
    rank: int | None
    tag: int | None
    words: str
    more: bool = False
    smaller_first: bool = False

    def columns(self, wanted: Wanted) -> tuple[int, ...]:
        """The columns that are read: query, document, score, and tag and rank where they are there and wanted."""
        rank = self.rank if wanted.ranks else None
        columns = (self.qid, self.docid, self.score, self.tag, rank)
        return tuple(column for column in columns if column is not None)

    def rows(self, data: Bytes, rows: Rows, wanted: Wanted) -> RunRows:
        """The rows, from the columns that are read."""
        found: dict[int | None, Fields] = dict(zip(self.columns(wanted), rows.columns, strict=True))
        return RunRows(
            data,
            found[self.qid],
            found[self.docid],
            found[self.score],
            found.get(self.rank),
            found.get(self.tag),
            rows.lines,
            rows.line_count,
            rows.malformed,
            rows.extra,
            self.smaller_first,
            rows.dropped,
        )


TREC_SHAPE = RunShape(6, 0, 2, 4, 3, 5, "qid Q0 docid rank score tag", more=True)
