"""Qrels in parquet files, as ranx and pandas write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.headers import GRADE, GROUP, QRELS_ROLES, qrels_columns
from irevalcli.reading.parquet import MAGIC, Values, columns_of, header_of
from irevalcli.reading.qrels_rows import QrelsRows
from irevalcli.reading.rules import QRELS_GRADE
from irevalcli.reading.tokens import Fields
from irevalcli.reading.without_lines import QrelsWithoutLines
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.reading.arrays import Floats
    from irevalcli.reading.heads import Head

_NUMBERS = {GRADE.name: QRELS_GRADE}


def _read(content: bytes, path: str) -> tuple[QrelsRows, list[Finding]]:
    # The piece that it was taken from ends its last line, which parquet has not.
    content = content.removesuffix(b"\n")
    found = qrels_columns(header_of(content, path), path)
    columns = columns_of(found, QRELS_ROLES, _NUMBERS, path)
    values = _joined(list(columns.values(content, whole_queries=False)))
    rows = QrelsRows(
        values.data,
        values.texts("qid"),
        values.texts("docid"),
        values.numbers(GRADE.name),
        values.texts(GROUP.name) if GROUP.name in values.columns else None,
        subgroups=None,
        lines=None,
        line_count=0,
        dropped=values.dropped,
    )
    return rows, values.faults


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


def told(head: Head) -> QrelsWithoutLines:
    """The format of the qrels that have this head."""
    return QrelsWithoutLines("parquet", head.name, _read)


def recognised(head: Head) -> QrelsWithoutLines | None:
    """The same if they begin as parquet files do."""
    return told(head) if head.text.startswith(MAGIC) else None
