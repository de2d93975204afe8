"""Qrels in columns separated by blanks: TREC's, and shorter ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

import numpy as np

from irevalcli.reading.numbers import strict_grade
from irevalcli.reading.qrels_rows import TREC_QRELS_SHAPE, QrelsRows, QrelsShape, Strictness
from irevalcli.reading.rules import UNKNOWN_FORMAT
from irevalcli.reading.trec import qrels_rows

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head
    from irevalcli.reading.pieces import Piece

SAMPLED_WIDTH = 5


class BlankQrels(NamedTuple):
    """Qrels whose columns are separated by blanks. The attributes are those of `QrelsFormat`, and the shape."""

    name: str
    shape: QrelsShape
    grouped: bool = False
    real_grades: bool = False
    note: str = ""

    @property
    def subgrouped(self) -> bool:
        """As `QrelsFormat.subgrouped`."""
        return self.shape.subgroup is not None

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        shape = self.shape
        rows = qrels_rows(piece, shape.width, strictness)
        columns = rows.columns
        grades = np.ones(rows.size) if shape.grade is None else columns[shape.grade]
        groups, subgroups = (None if place is None else columns[place] for place in (shape.group, shape.subgroup))
        qids, docids = columns[shape.qid], columns[shape.docid]
        return QrelsRows(
            piece.data,
            qids,
            docids,
            grades,
            groups,
            subgroups,
            rows.lines,
            rows.line_count,
            rows.malformed,
            rows.dropped,
        )

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`."""
        from irevalcli.reading.faults import qrels_faults  # noqa: PLC0415  (start-up: faults are rare)

        return qrels_faults(piece, path, self.shape, of_each)


QRELS = BlankQrels("qrels", TREC_QRELS_SHAPE)
QRELS_JG = BlankQrels("qrels_jg", TREC_QRELS_SHAPE, grouped=True)
PREFS = BlankQrels(
    "prefs", QrelsShape(5, 0, 3, 4, 1, 2, "qid group subgroup docid level"), grouped=True, real_grades=True
)
QRELS_PREFS = BlankQrels("qrels_prefs", TREC_QRELS_SHAPE, grouped=True, real_grades=True)
TREC_QRELS = {entry.name: entry for entry in (QRELS, QRELS_JG, PREFS, QRELS_PREFS)}
"""The formats that trec_eval's -R names."""

PAIRS = BlankQrels(
    "pairs",
    QrelsShape(2, 0, 1, None, None, None, "qid docid"),
    note="2 columns: qid docid; each document listed is relevant, with grade 1",
)
GRADED = BlankQrels("graded", QrelsShape(3, 0, 1, 2, None, None, "qid docid grade"), note="3 columns: qid docid grade")


def two_columns(head: Head) -> BlankQrels | None:
    """The format of two columns."""
    return None if head.columns(2) is None else PAIRS


def three_columns(head: Head) -> BlankQrels | None:
    """The format of three columns, if the third holds grades."""
    rows = head.columns(3)
    return GRADED if rows is not None and all(strict_grade(grade) is not None for *_, grade in rows) else None


def five_columns(head: Head) -> None:
    """Nothing, if the file has another number of columns; those with five may be several things.

    Raises:
        InputProblem: it has five.
    """
    if head.columns(SAMPLED_WIDTH) is not None:
        raise head.problem(
            UNKNOWN_FORMAT,
            "5 columns: preferences, or judgments of a sample?",
            "preferences (qid group subgroup docid level): --qrels-format prefs",
            "judgments of a sample, for statAP or infAP (prels, or a stratum before the grade), serve no measure here; "
            "cut out the column to use the grades as they are",
        )


def prels(head: Head) -> NoReturn:
    """Refuse sampled judgments in the format of the Million Query Track.

    Raises:
        InputProblem: always.
    """
    raise head.problem(
        UNKNOWN_FORMAT,
        "prels (qid docid grade method probability) are judgments of a sample, for statAP, which is not offered",
        "columns 1 to 3 are qrels of the format graded",
    )


def sampled(head: Head) -> NoReturn:
    """Refuse sampled judgments with strata.

    Raises:
        InputProblem: always.
    """
    raise head.problem(
        UNKNOWN_FORMAT,
        "sampled qrels (qid 0 docid stratum grade) are for xinfAP, which is not offered",
        "without column 4 they are TREC qrels",
    )
