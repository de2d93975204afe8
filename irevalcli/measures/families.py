"""The modules that hold the measures, one family each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from irevalcli.measures.registry import MEASURES

if TYPE_CHECKING:
    from irevalcli.measures.registry import Measure

FAMILIES = (
    "binary",
    "interpolated",
    "judged",
    "accuracy",
    "sets",
    "recommender",
    "counts",
    "graded",
    "gap",
    "sdcg",
    "cascade",
    "ntcir",
    "rbp",
    "cwl_static",
    "cwl_adaptive",
    "cwl_nerr",
    "overlap",
    "text",
    "groups",
    "diversity",
    "preferences",
)
"""Module names below `irevalcli.measures`; their order is that of ``irevalcli measures``."""


def all_measures() -> dict[str, Measure]:
    """Every measure by its canonical name. The first call imports the families, which register their measures."""
    for family in FAMILIES:
        import_module(f"irevalcli.measures.{family}")
    return MEASURES


def measure_named(name: str) -> Measure:
    """The measure of that canonical name. Families are imported in turn until one has it, which start-up is glad of.

    Raises:
        KeyError: there is none.
    """
    for family in FAMILIES:
        if name in MEASURES:
            break
        import_module(f"irevalcli.measures.{family}")
    return MEASURES[name]
