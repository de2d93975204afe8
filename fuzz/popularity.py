"""Files of how often documents were chosen, against plain Python."""

from __future__ import annotations

import math

from campaign import fuzz
from findings import PROBLEMS, check_problem, plain_text
from plain import buffer_of, opened
from plain_runs import strict_number

from irevalcli.index.popularity import read_popularity
from irevalcli.reading.faults import LARGEST_COUNT


def check(data: bytes) -> None:
    """The whole of the bytes is the file."""
    plain = plain_text(data)
    try:
        with opened(data) as source:
            popularity, faults = read_popularity(source)
    except PROBLEMS as problem:
        check_problem(problem, data)
        if plain is not None:
            raise AssertionError("a plain file was not read to its end") from problem
        return
    if plain is None:
        return
    counts, bad = counted(plain)
    if bool(faults) != bad:
        raise AssertionError(f"{faults}, but {counts}")
    if bad or not sum(counts.values()):
        if popularity is not None:
            raise AssertionError(f"accepted: {counts}")
        return
    shares = popularity.of(*buffer_of([*counts, b"another"])).tolist()
    expected = [count / math.fsum(counts.values()) for count in counts.values()]
    if not all(
        math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-300) for one, two in zip(shares, expected, strict=False)
    ):
        raise AssertionError(f"{shares}, not {expected}")


def counted(text: bytes) -> tuple[dict[bytes, float], bool]:
    """The counts by document, and whether a line is wrong."""
    counts: dict[bytes, float] = {}
    for line in text.split(b"\n"):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        count = strict_number(fields[1], infinities=False) if len(fields) == 2 and b"\0" not in line else math.nan
        if not 0 <= count <= LARGEST_COUNT or fields[0] in counts:
            return counts, True
        counts[fields[0]] = count
    return counts, False


if __name__ == "__main__":
    fuzz(check)
