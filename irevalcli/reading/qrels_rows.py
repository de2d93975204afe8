"""What a qrels file comes to, whatever its format: the columns that judgments are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Bytes, Floats, Positions
    from irevalcli.reading.tokens import Fields, Rows


class QrelsRows(NamedTuple):
    """The data lines of a qrels file.

    Attributes:
        data: buffer that holds the fields, with `PAD` bytes of slack on either side.
        qids, docids: per row.
        grades: per row, as written; or as float64, if the format has no digits to read. Then none is NaN.
        groups: per row its sub-topic or judgment group, or None if the format has none.
        subgroups: likewise.
        lines: physical lines, counted from 0, that the rows stand on; None if row i is line i.
        line_count: physical lines of the file; 0 if the format has none.
        malformed: how many data lines come before the first one with a wrong number of fields; None if all are right.
        dropped: malformed lines that were passed over.
    """

    data: Bytes
    qids: Fields
    docids: Fields
    grades: Fields | Floats
    groups: Fields | None
    subgroups: Fields | None
    lines: Positions | None
    line_count: int
    malformed: int | None = None
    dropped: int = 0

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.qids.start.size

    def line_of(self, row: int) -> int:
        """The physical line of a row, from 0."""
        return row if self.lines is None else int(self.lines[row])


class Strictness(NamedTuple):
    """How lines are taken.

    Attributes:
        strict: blank lines and every comment are skipped. Otherwise as trec_eval 10.0: a blank line is malformed, and
            of adjacent comments every other one is skipped.
        comments: whether lines that begin with # are comments at all (not in trec_eval 9).
        skip: pass over malformed lines instead of stopping at the first.
    """

    strict: bool = True
    comments: bool = True
    skip: bool = False


STRICT = Strictness()


class QrelsShape(NamedTuple):
    """Which column of a qrels file holds what, counted from 0.

    Attributes:
        width: number of columns.
        qid, docid: their columns.
        grade: its column; None if every document listed is relevant.
        group, subgroup: likewise, or None.
        words: the columns in words, such as ``qid 0 docid grade``.
    """

    width: int
    qid: int
    docid: int
    grade: int | None
    group: int | None
    subgroup: int | None
    words: str

    @property
    def ids(self) -> tuple[int, ...]:
        """The columns of ids: query, document, and group and sub-group where they are there."""
        columns = (self.qid, self.docid, self.group, self.subgroup)
        return tuple(column for column in columns if column is not None)

    @property
    def columns(self) -> tuple[int, ...]:
        """The columns that are read: those of ids, and the grade's where it is there."""
        return self.ids if self.grade is None else (*self.ids, self.grade)

    def rows(self, data: Bytes, rows: Rows) -> QrelsRows:
        """The rows, from the columns that are read; without a grade, documents have grade 1."""
        found: dict[int | None, Fields] = dict(zip(self.columns, rows.columns, strict=True))
        return QrelsRows(
            data,
            found[self.qid],
            found[self.docid],
            np.ones(rows.size) if self.grade is None else found[self.grade],
            found.get(self.group),
            found.get(self.subgroup),
            rows.lines,
            rows.line_count,
            rows.malformed,
            rows.dropped,
        )


TREC_QRELS_SHAPE = QrelsShape(4, 0, 2, 3, 1, None, "qid 0 docid grade")
