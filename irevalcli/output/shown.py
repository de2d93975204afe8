"""What every format shows of a column: its name, and its values as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.measures.trec_names import trec_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.scores import Column
    from irevalcli.output.registry import Names


def shown_names(columns: Sequence[Column], names: Names | None) -> list[str]:
    """A name for every column, unique among different measures.

    Several measures can share a name of trec_eval's, which has one relevance level for the whole call: those keep their
    canonical names.
    """
    canonical = [column.spec.name for column in columns]
    if names == "given":
        wanted = [column.given for column in columns]
    elif names == "trec":
        wanted = [trec_name(column.spec) or column.spec.name for column in columns]
    else:
        return canonical
    meanings: dict[str, set[str]] = {}
    for name, meaning in zip(wanted, canonical, strict=True):
        meanings.setdefault(name, set()).add(meaning)
    return [name if len(meanings[name]) == 1 else meaning for name, meaning in zip(wanted, canonical, strict=True)]


def has_query_values(column: Column) -> bool:
    """Whether the measure says something about a single query."""
    return column.spec.measure.kind in {"per_query", "text"}


def query_texts(column: Column, digits: int | None, width: int = 0) -> list[str]:
    """The value of every query as text; never a negative zero.

    Args:
        column: of numbers or text.
        digits: decimals of real numbers; None writes the shortest text that reads back as the same number.
        width: real numbers are padded on the left to this many characters.
    """
    values = column.values
    if isinstance(values, list):
        return values
    if column.spec.measure.integer:
        return [f"{value:.0f}" for value in (values + 0.0).tolist()]
    return list(map(real_form(digits, width), values.tolist()))


def aggregate_text(column: Column, digits: int | None, width: int = 0) -> str | None:
    """The aggregate as text, by the rules of `query_texts`; None if there is none."""
    value = column.aggregate
    if value is None:
        return None
    return f"{value + 0.0:.0f}" if is_whole(column) else real_form(digits, width)(value)


def is_whole(column: Column) -> bool:
    """Whether the aggregate is a whole number: the sum of counts is, their mean is not."""
    return column.spec.measure.integer and column.spec.measure.aggregation in ("sum", "none")


def real_form(digits: int | None, width: int = 0) -> Callable[[float], str]:
    """The function that writes a real number with `digits` decimals, or in full if None."""
    if digits is None:
        # Adding zero turns a negative zero into a positive one and changes nothing else.
        return lambda value: repr(value + 0.0).rjust(width)
    return f"{{:z{width or ''}.{digits}f}}".format
