"""Runs and qrels in parquet files, as ranx and pandas write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.reading.headers import (
    GRADE,
    QRELS_ROLES,
    RANK,
    RUN_ROLES,
    SCORE,
    qrels_columns,
    run_columns,
)
from irevalcli.reading.parquet import MAGIC, Values, columns_of, header_of
from irevalcli.reading.pieces import Piece
from irevalcli.reading.qrels_rows import QrelsRows
from irevalcli.reading.rules import QRELS_GRADE, RUN_RANKS, RUN_SCORE
from irevalcli.reading.run_rows import RunRows
from irevalcli.reading.tokens import Fields
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Floats
    from irevalcli.reading.heads import Head
    from irevalcli.reading.opening import Source
    from irevalcli.reading.qrels_rows import Strictness
    from irevalcli.reading.run_format import RunFormat
    from irevalcli.reading.run_rows import Wanted

TITLE = "parquet"
_RUN_NUMBERS = {SCORE.name: RUN_SCORE, RANK.name: RUN_RANKS}
_QRELS_NUMBERS = {GRADE.name: QRELS_GRADE}


class ValuesPiece(Piece):
    """A piece whose rows are known."""

    __slots__ = ("values",)

    def __init__(self, values: Values, *, opens_file: bool) -> None:
        super().__init__(bytearray(values.data.tobytes()), values.data.size - PAD, opens_file=opens_file)
        self.values = values._replace(data=self.data)


class ParquetRun(NamedTuple):
    """The format. The attributes are those of `RunFormat`."""

    name: str = TITLE
    note: str = ""
    otherwise: RunFormat | None = None

    def pieces(self, source: Source, spare: list[bytearray]) -> Iterator[Piece]:
        """As `RunFormat.pieces`; the file itself is held, its rows are not."""
        del spare
        content = source.read_all()
        found = run_columns(header_of(content, source.name), source.name)
        columns = columns_of(found, RUN_ROLES, _RUN_NUMBERS, source.name)
        opens_file = True
        for values in columns.values(content, whole_queries=True):
            yield ValuesPiece(values, opens_file=opens_file)
            opens_file = False

    def rows(self, piece: Piece, wanted: Wanted) -> RunRows:
        """As `RunFormat.rows`."""
        values = _values(piece)
        columns = values.columns
        ranked = SCORE.name not in columns
        stopped = bool(values.dropped) and not wanted.skip
        qids = _fields(columns["qid"])
        return RunRows(
            values.data,
            qids,
            _fields(columns["docid"]),
            _negated(columns[RANK.name]) if ranked else columns[SCORE.name],
            columns.get(RANK.name) if wanted.ranks and not ranked else None,
            _fields(columns["tag"]) if "tag" in columns else None,
            None,
            line_count=0,
            malformed=qids.start.size if stopped else None,
            smaller_first=ranked and isinstance(columns[RANK.name], Fields),
            dropped=0 if stopped else values.dropped,
        )

    def faults(self, piece: Piece, path: str, wanted: Wanted) -> list[Finding]:
        """As `RunFormat.faults`."""
        del path, wanted
        return _values(piece).faults


RUN = ParquetRun()


def _values(piece: Piece) -> Values:
    if not isinstance(piece, ValuesPiece):
        raise TypeError(f"a piece of another format: {piece!r}")
    return piece.values


def _fields(column: Fields | Floats) -> Fields:
    if not isinstance(column, Fields):
        raise TypeError("a column of texts was read as numbers")
    return column


def _negated(ranks: Fields | Floats) -> Fields | Floats:
    return ranks if isinstance(ranks, Fields) else -ranks


class ParquetQrels(NamedTuple):
    """The format. The attributes are those of `QrelsFormat`, and the path of the file, for messages."""

    path: str
    name: str = TITLE
    note: str = ""
    grouped: bool = False
    subgrouped: bool = False
    real_grades: bool = True

    def rows(self, piece: Piece, strictness: Strictness) -> QrelsRows:
        """As `QrelsFormat.rows`."""
        values = self._read(piece)
        columns = values.columns
        qids = _fields(columns["qid"])
        stopped = bool(values.dropped) and not strictness.skip
        return QrelsRows(
            values.data,
            qids,
            _fields(columns["docid"]),
            columns[GRADE.name],
            _fields(columns["group"]) if "group" in columns else None,
            None,
            None,
            line_count=0,
            malformed=qids.start.size if stopped else None,
            dropped=0 if stopped else values.dropped,
        )

    def faults(self, piece: Piece, path: str, of_each: int | None = None) -> list[Finding]:
        """As `QrelsFormat.faults`; all of them."""
        del path, of_each
        return self._read(piece).faults

    def _read(self, piece: Piece) -> Values:
        # The piece ends its last line, which parquet has not.
        content = piece.data[PAD : piece.stop].tobytes().removesuffix(b"\n")
        found = qrels_columns(header_of(content, self.path), self.path)
        columns = columns_of(found, QRELS_ROLES, _QRELS_NUMBERS, self.path)
        return _joined(list(columns.values(content, whole_queries=False)))


def _joined(parts: list[Values]) -> Values:
    """All rows in one buffer."""
    if not parts:
        none = np.empty(0, np.int64)
        nothing = Fields(none, none)
        columns: dict[str, Fields | Floats] = {"qid": nothing, "docid": nothing, GRADE.name: np.empty(0)}
        return Values(np.zeros(2 * PAD, np.uint8), columns, [], 0)
    shifts = np.cumsum([0, *(part.data.size for part in parts)])[:-1].tolist()
    return Values(
        np.concatenate([part.data for part in parts]),
        {role: _column(role, parts, shifts) for role in parts[0].columns},
        [fault for part in parts for fault in part.faults],
        sum(part.dropped for part in parts),
    )


def _column(role: str, parts: list[Values], shifts: list[int]) -> Fields | Floats:
    found = [part.columns[role] for part in parts]
    texts = [column for column in found if isinstance(column, Fields)]
    if not texts:
        return np.concatenate([column for column in found if not isinstance(column, Fields)])
    return Fields(
        np.concatenate([column.start + shift for column, shift in zip(texts, shifts, strict=True)]),
        np.concatenate([column.end + shift for column, shift in zip(texts, shifts, strict=True)]),
    )


def run(head: Head) -> ParquetRun | None:
    """The format of a run that begins as parquet files do."""
    return RUN if head.text.startswith(MAGIC) else None


def told(head: Head) -> ParquetQrels:
    """The format of the qrels that have this head."""
    return ParquetQrels(head.name)


def qrels(head: Head) -> ParquetQrels | None:
    """The same if they begin as parquet files do."""
    return told(head) if head.text.startswith(MAGIC) else None
