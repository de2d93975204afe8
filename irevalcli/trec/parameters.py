"""Parameters of a measure as trec_eval reads them from ``-m NAME.PARAMETERS``."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple, TypeVar

from irevalcli.reading.numbers import strtod_prefix, strtol_prefix

_BLANKS = " \t\n\v\f\r"
_LONGEST_SUFFIX = 8
Number = TypeVar("Number", int, float)


class BadParameters(Exception):
    """The text cannot be parameters; holds the line that trec_eval prints."""


class Pair(NamedTuple):
    """One ``key=value``."""

    key: str
    value: float


def atol(text: str) -> int:
    """`text` as C's ``atol`` reads it: blanks, sign, digits, then anything; 0 if there are no digits."""
    return strtol_prefix(_number_bytes(text))


def _atof(text: str) -> float:
    return strtod_prefix(_number_bytes(text))


def _number_bytes(text: str) -> bytes:
    token = text.lstrip(_BLANKS).encode("utf-8", "surrogateescape")
    return re.split(rb"[ \t\n\v\f\r]", token, maxsplit=1)[0]


def integer_cutoffs(text: str) -> list[int]:
    """Comma-separated integers, ascending.

    Raises:
        BadParameters: one is not positive, or two are equal.
    """
    cutoffs = sorted(atol(item) for item in text.split(","))
    if cutoffs[0] <= 0:
        raise BadParameters("trec_eval: Negative cutoff detected")
    return _distinct(cutoffs)


def real_cutoffs(text: str) -> list[float]:
    """Comma-separated reals, ascending.

    Raises:
        BadParameters: two are equal.
    """
    return _distinct(sorted(_atof(item) for item in text.split(",")))


def _distinct(cutoffs: list[Number]) -> list[Number]:
    if any(one == other for one, other in pairwise(cutoffs)):
        raise BadParameters("trec_eval: duplicate cutoffs detected")
    return cutoffs


def reals(text: str) -> list[float]:
    """Comma-separated reals as they stand."""
    return [_atof(item) for item in text.split(",")]


def pairs(text: str) -> list[Pair]:
    """Comma-separated ``key=value`` pairs as they stand.

    Raises:
        BadParameters: commas and equal signs do not alternate, beginning and ending with an equal sign.
    """
    marks = re.sub(r"[^,=]", "", text)
    if re.fullmatch(r"=(,=)*", marks) is None:
        raise BadParameters(f"trec_eval: malformed pair parameters in '{text}'")
    split = (item.split("=") for item in text.split(","))
    return [Pair(key, _atof(value)) for key, value in split]


def real_suffix(cutoff: float) -> str:
    """How a real cutoff ends a printed name."""
    return f"{cutoff:3.2f}"[:_LONGEST_SUFFIX]
