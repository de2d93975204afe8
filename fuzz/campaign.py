"""What every harness shares: irevalcli imported with coverage, and the one entry to libFuzzer.

Import this module before anything of irevalcli: what was imported earlier is not seen by the fuzzer. numpy is left as
it is, because instrumented it is several times slower and says nothing about irevalcli.
"""

from __future__ import annotations

import operator
import pkgutil
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import atheris
import numpy as np
from atheris.version_dependent import CMP_OP_SHIFT_AMOUNT

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGES = (
    "irevalcli.reading",
    "irevalcli.index",
    "irevalcli.measures",
    "irevalcli.analysis",
    "irevalcli.config",
    "irevalcli.output",
)

with atheris.instrument_imports(include=["irevalcli"]):
    for _package in PACKAGES:
        for _module in pkgutil.walk_packages(import_module(_package).__path__, f"{_package}."):
            import_module(_module.name)

_COMPARISONS = tuple(getattr(operator, name) for name in ("lt", "le", "eq", "ne", "gt", "ge"))


def fuzz(check: Callable[[bytes], None]) -> None:
    """Give `check` inputs until libFuzzer's limits on the command line are reached; what it raises is a find."""
    atheris.Setup(sys.argv, partial(_with_arrays_freed, check))
    atheris.Fuzz()


def _with_arrays_freed(check: Callable[[bytes], None], data: bytes) -> None:
    """Check one input. atheris 3.0 never frees what a comparison of arrays gives, so these are kept from it."""
    if not _traced:
        _traced.append(atheris._trace_cmp)
        atheris._trace_cmp = _compared
    check(data)


_traced: list[Callable[..., object]] = []
"""What atheris had when the first input came: until then it may put another one in its place."""


def _compared(left: object, right: object, how: int, counter: int, constant: bool) -> object:
    """The result of a comparison, which the fuzzer learns of unless it is one of arrays."""
    if isinstance(left, np.ndarray | np.generic) or isinstance(right, np.ndarray | np.generic):
        return _COMPARISONS[how >> CMP_OP_SHIFT_AMOUNT](left, right)
    return _traced[0](left, right, how, counter, constant)
