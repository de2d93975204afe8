"""The measure inside a comparison, such as nDCG@10 in ``URisk(measure=nDCG@10)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from irevalcli.measures.registry import Measure, MeasureSpec


def compared_name(owner: Measure, text: str, level: float | None) -> str:
    """The canonical name of the measure that `owner` is to compare runs by.

    Args:
        owner: the comparison.
        text: the measure in any spelling.
        level: the lowest grade that counts as relevant where the text names none.

    Raises:
        UsageProblem: it is no measure, or none that runs can be compared by.
    """
    from irevalcli.measures.spec import parse_measures  # noqa: PLC0415  (it imports the module that imports this one)

    found = parse_measures(text, level=level)
    if len(found) != 1:
        raise UsageProblem(f"{owner.name}: '{text}' stands for {len(found)} measures; one is compared at a time")
    record = found[0].measure
    if record.kind != "per_query" or found[0].higher_is_better is not True:
        kind = "values by query" if record.kind != "per_query" else "values of which higher ones are better"
        raise UsageProblem(f"{owner.name} needs a measure with {kind}, which {record.name} has not")
    if owner.needs == "runs" and (record.low is None or record.low < 0):
        raise UsageProblem(f"{owner.name} needs a measure that is never negative, which {record.name} may be")
    return found[0].name


def compared_measure(spec: MeasureSpec) -> MeasureSpec:
    """The measure that a comparison compares runs by."""
    from irevalcli.measures.spec import parse_measures  # noqa: PLC0415  (as above)

    (found,) = parse_measures(spec.parameters["measure"])
    return found
