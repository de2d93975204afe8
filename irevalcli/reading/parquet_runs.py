"""Runs in parquet files, as ranx and pandas write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.headers import RANK, RUN_ROLES, SCORE, run_columns
from irevalcli.reading.parquet import MAGIC, columns_of, header_of
from irevalcli.reading.rules import RUN_RANKS, RUN_SCORE
from irevalcli.reading.run_rows import RunRows
from irevalcli.reading.without_lines import ReadRun, RunWithoutLines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.reading.heads import Head
    from irevalcli.reading.opening import Source
    from irevalcli.reading.parquet import Values

_NUMBERS = {SCORE.name: RUN_SCORE, RANK.name: RUN_RANKS}


def _parts(source: Source) -> Iterator[ReadRun]:
    """The rows of a run; the file itself is held, its rows are not."""
    content = source.read_all()
    found = run_columns(header_of(content, source.name), source.name)
    columns = columns_of(found, RUN_ROLES, _NUMBERS, source.name)
    return map(_part, columns.values(content, whole_queries=True))


def _part(values: Values) -> ReadRun:
    ranked = SCORE.name not in values.columns
    held = bytearray(values.data)
    rows = RunRows(
        np.frombuffer(held, np.uint8),
        values.texts("qid"),
        values.texts("docid"),
        values.numbers(RANK.name if ranked else SCORE.name),
        None if ranked or RANK.name not in values.columns else values.numbers(RANK.name),
        values.texts("tag") if "tag" in values.columns else None,
        lines=None,
        line_count=0,
        smaller_first=ranked,
        dropped=values.dropped,
    )
    return ReadRun(held, rows, values.faults)


PARQUET = RunWithoutLines("parquet", _parts)


def recognised(head: Head) -> RunWithoutLines | None:
    """The format of a run that begins as parquet files do."""
    return PARQUET if head.text.startswith(MAGIC) else None
