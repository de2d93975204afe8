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
