"""The modules that hold the measures, one family each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.measures.registry import MEASURES, PLUGGED

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
    "two_dimensions",
    "document_lists",
    "risk",
    "groups",
    "diversity",
    "preferences",
)
"""Module names below `irevalcli.measures`; their order is that of ``irevalcli measures``."""


class Family(NamedTuple):
    """Measures that belong together.

    Attributes:
        name: of the module, or of the plugin.
        title: a heading: how the module's docstring describes it, up to the list of names.
        measures: their records.
    """

    name: str
    title: str
    measures: tuple[Measure, ...]


def families() -> list[Family]:
    """The families of the built-in measures, then one for each plugin that has been loaded."""
    all_measures()
    found = []
    for name in FAMILIES:
        module = import_module(f"irevalcli.measures.{name}")
        described = (module.__doc__ or name).partition("\n")[0]
        title = described.rstrip(".").partition(":")[0]
        members = tuple(record for record in MEASURES.values() if family_name(record) == name)
        found.append(Family(name, title, members))
    for origin in dict.fromkeys(record.origin for record in PLUGGED.values() if record.origin is not None):
        members = tuple(record for record in PLUGGED.values() if record.origin == origin)
        found.append(Family(origin.name, f"Plugin {origin}", members))
    return found


def family_name(record: Measure) -> str:
    """The name of the family that a measure belongs to."""
    if record.origin is not None:
        return record.origin.name
    return record.compute.__module__.rpartition(".")[2]


def known_measures() -> dict[str, Measure]:
    """Every measure by its canonical name, with those of the plugins that have been loaded."""
    return {**all_measures(), **PLUGGED}


def all_measures() -> dict[str, Measure]:
    """Every built-in measure by its canonical name. The first call imports the families, which register them."""
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
