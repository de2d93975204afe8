"""Qrels in columns separated by blanks: TREC's, and shorter ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, NoReturn

from irevalcli.reading.faults import is_dressed_up
from irevalcli.reading.numbers import strict_grade
from irevalcli.reading.qrels_rows import TREC_QRELS_SHAPE, QrelsShape
from irevalcli.reading.rules import UNKNOWN_FORMAT
from irevalcli.reading.trec import qrels_rows

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.heads import Head
    from irevalcli.reading.pieces import Piece
    from irevalcli.reading.qrels_rows import QrelsRows, Strictness

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
        rows = qrels_rows(piece, self.shape.width, strictness)
        return self.shape.rows(piece.data, rows._replace(columns=[rows.columns[place] for place in self.shape.columns]))

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
    """The format of three columns, if the third holds grades, on the first line and most of the others."""
    rows = head.columns(3)
    if rows is None:
        return None
    numbers = [strict_grade(grade) is not None or is_dressed_up(grade) for *_, grade in rows]
    return GRADED if numbers[0] and 2 * sum(numbers) > len(numbers) else None


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


class Sampled(NamedTuple):
    """Judgments of a sample, for measures that are not offered: what they are, and how to use their grades."""

    what: str
    advice: str

    def refuse(self, head: Head) -> NoReturn:
        """Refuse a file that is said to hold them.

        Raises:
            InputProblem: always.
        """
        raise head.problem(UNKNOWN_FORMAT, self.what, self.advice)


PRELS = Sampled(
    "prels (qid docid grade method probability) are judgments of a sample, for statAP, which is not offered",
    "columns 1 to 3 are qrels of the format graded",
)
STRATA = Sampled(
    "sampled qrels (qid 0 docid stratum grade) are for xinfAP, which is not offered",
    "without column 4 they are TREC qrels",
)
