"""Measure names: refused with a UsageProblem, or read so that the canonical name means the same and stays as it is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from atheris import FuzzedDataProvider
from campaign import fuzz
from measure_texts import made_up

from irevalcli.errors import UsageProblem
from irevalcli.measures import spec
from irevalcli.measures.families import known_measures
from irevalcli.measures.names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.measures.registry import Measure

LEVELS = (None, None, 1.0, 2.0, 0.5)
FIRST_MADE_UP = 128
"""From this first byte on, the bytes choose among records, parameters and values."""


@lru_cache(maxsize=1)
def _known() -> Names:
    return Names(known_measures())


def names_made_once(_: Mapping[str, Measure]) -> Names:
    """The index of names, which takes longer to make than a name to be read; there are no plugins here."""
    return _known()


def check(data: bytes) -> None:
    """The first byte chooses the level of ``-l``, the rest is the argument of ``-m``, as it is or in choices."""
    option, rest = data[0] if data else 0, data[1:]
    level = LEVELS[option % len(LEVELS)]
    made = made_up(FuzzedDataProvider(rest)) if option >= FIRST_MADE_UP else ""
    text = made or rest.decode("utf-8", "surrogateescape")
    try:
        specs = spec.parse_measures(text, level=level)
    except UsageProblem as problem:
        must_say_something(problem)
        return
    for given in specs:
        again = spec.parse_measures(given.name)
        if again != [given] or again[0].name != given.name:
            raise AssertionError(f"{text!r} is {given.name!r}, which is {[(one.name, one.values) for one in again]}")
    if not spec.find_measures(text):
        raise AssertionError(f"{text!r} stands for no measure")


def must_say_something(problem: UsageProblem) -> None:
    """A problem has a message, and its hints are lines of text."""
    if not problem.message or not all(problem.hints):
        raise AssertionError(problem.message, problem.hints)


if __name__ == "__main__":
    spec.Names = names_made_once  # type: ignore[assignment,misc]
    fuzz(check)
