"""Lines as trec_eval prints them: name in 22 columns, query, value."""

from __future__ import annotations

import math
import os
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from irevalcli.measures.registry import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.reading.arrays import Floats
    from irevalcli.trec.evaluation import Evaluation, Values
    from irevalcli.trec.table import Marked, Row

NAME_WIDTH = 22
REAL = b"%6.4f"
LOWEST_LOGARITHM = math.log(0.00001)
_QUERIES_AT_A_TIME = 512
_NAN, _NAN_AS_C = b"\t   nan\n", b"\t  -nan\n"


def _padded(name: str, *, z: bool) -> bytes:
    return (b"Z" if z else b"") + os.fsencode(name).ljust(NAME_WIDTH)


def _as_c(text: bytes) -> bytes:
    """NaN as glibc prints the one that x86 makes."""
    return text.replace(_NAN, _NAN_AS_C) if _NAN in text else text


def query_lines(qids: list[bytes], columns: list[Values], *, z: bool) -> Iterator[bytes]:
    """The lines of every query, some queries at a time."""
    shown = [column for column in columns if column.row.per_query]
    if not shown or not qids:
        return
    template = b""
    cells: list[list[object]] = []
    for name, row, values in shown:
        text = isinstance(values, list)
        padded = _padded(name, z=z and not text).replace(b"%", b"%%")
        form = b"'%s'" if text else b"%d" if row.integer and not z else REAL
        template += padded + b"\t%s\t" + form + b"\n"
        cells += [list(qids), list(values) if text else values.tolist()]  # type: ignore[union-attr]
    rows = zip(*cells, strict=True)
    while batch := list(islice(rows, _QUERIES_AT_A_TIME)):
        yield _as_c(b"".join([template % row for row in batch]))


def summary_lines(asked: list[Marked], evaluation: Evaluation, tag: bytes, *, z: bool) -> Iterator[bytes]:
    """The lines of the summary, in the order of the table.

    Args:
        asked: the measures.
        evaluation: their values.
        tag: the run tag.
        z: whether the values are z-scores.
    """
    for row, _ in asked:
        if row.name == "runid":
            yield _padded("runid", z=False) + b"\tall\t%s\n" % tag
        elif row.name == "num_q":
            yield _summary_line("num_q", evaluation.denominator, row, z=z)
        elif row.name == "num_rel" and evaluation.positive_judgments is not None:
            yield _summary_line("num_rel", evaluation.positive_judgments, row, z=z)
        elif row.in_summary:
            for column in evaluation.columns:
                if column.row is row and not isinstance(column.values, list):
                    yield _summary_line(column.name, _aggregate(row, column.values, evaluation.denominator), row, z=z)


def _summary_line(name: str, value: float, row: Row, *, z: bool) -> bytes:
    form = b"%d" if row.integer and not z else REAL
    return _as_c(_padded(name, z=z) + b"\tall\t" + form % value + b"\n")


def _aggregate(row: Row, values: Floats, denominator: int) -> float:
    """The aggregate of per-query values over `denominator` queries."""
    with np.errstate(all="ignore"):
        total = sequential_sum(values)
    if row.aggregate == "sum" or not denominator:
        return total
    if row.aggregate == "geometric":
        return math.exp((total + (denominator - values.size) * LOWEST_LOGARITHM) / denominator)
    return total / denominator
