"""Lines as trec_eval prints them: name in 22 columns, query, value."""

from __future__ import annotations

import math
import os
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.measures.registry import sequential_sum

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.reading.arrays import Floats
    from irevalcli.trec.table import Row

NAME_WIDTH = 22
REAL = b"%6.4f"
LOWEST_LOGARITHM = math.log(0.00001)
_QUERIES_AT_A_TIME = 512
_NAN, _NAN_AS_C = b"\t   nan\n", b"\t  -nan\n"


class Values(NamedTuple):
    """A printed name with its value for every evaluated query."""

    name: str
    row: Row
    values: Floats | list[bytes]


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


def summary_line(name: str, value: float, *, integer: bool, z: bool) -> bytes:
    """One line of the summary."""
    form = b"%d" if integer and not z else REAL
    return _as_c(_padded(name, z=z) + b"\tall\t" + form % value + b"\n")


def summary_value(row: Row, values: Floats, denominator: int) -> float:
    """The aggregate of per-query values over `denominator` queries."""
    with np.errstate(all="ignore"):
        total = sequential_sum(values)
    if row.aggregate == "sum" or not denominator:
        return total
    if row.aggregate == "geometric":
        return math.exp((total + (denominator - values.size) * LOWEST_LOGARITHM) / denominator)
    return total / denominator
