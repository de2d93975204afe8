"""The z-score file of -Z, and the conversion of values with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from irevalcli.reading.numbers import strtod_prefix

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats

MISSING = -1_000_000.0
_WIDTH = 4


class MalformedZscores(Exception):
    """A line is not ``qid measure mean stddev``; holds its number."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Zscores:
    """Mean and standard deviation of measures, query by query.

    Args:
        text: the file.

    Raises:
        MalformedZscores: a line has not exactly four fields.
    """

    def __init__(self, text: bytes) -> None:
        rows = []
        for number, line in enumerate(text.removesuffix(b"\n").split(b"\n"), 1):
            fields = line.split()
            if len(fields) != _WIDTH:
                raise MalformedZscores(number)
            rows.append(fields)
        rows.sort(key=lambda fields: (fields[0], fields[1]))
        self._queries: dict[bytes, tuple[list[bytes], list[tuple[float, float]]]] = {}
        for qid, measure, mean, deviation in rows:
            names, statistics = self._queries.setdefault(qid, ([], []))
            names.append(measure)
            statistics.append((strtod_prefix(mean), strtod_prefix(deviation)))

    def convert(self, name: bytes, qids: list[bytes], values: Floats) -> Floats:
        """The z-scores of a measure's values, one per query; -1000000 where the file says nothing."""
        return np.array(
            [self._convert(name, qid, value) for qid, value in zip(qids, values.tolist(), strict=True)], np.float64
        )

    def _convert(self, name: bytes, qid: bytes, value: float) -> float:
        names, statistics = self._queries.get(qid, ([], []))
        place = _bisect(names, name)
        if place is None:
            return MISSING
        mean, deviation = statistics[place]
        if deviation:
            return (value - mean) / deviation
        return 0.0 if value == mean else MISSING


def _bisect(names: list[bytes], name: bytes) -> int | None:
    """Where `name` stands: of several, the one that trec_eval's search meets first. It looks one place past the end."""
    start, end = 0, len(names)
    while start <= end:
        middle = (start + end) // 2
        if middle == len(names) or name < names[middle]:
            end = middle - 1
        elif name > names[middle]:
            start = middle + 1
        else:
            return middle
    return None
