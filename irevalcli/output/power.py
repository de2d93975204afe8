"""Answers on power: sentences, rows or JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from irevalcli import __version__
from irevalcli.output.comparison_text import Signs, effect_text, signed
from irevalcli.output.id_text import encoded, escaped, visible
from irevalcli.output.json_object import definition
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from irevalcli.analysis.power import PowerAnswer
    from irevalcli.output.registry import Layout

    Renderer = Callable[[Sequence[PowerAnswer], Sequence[str], Layout], Iterator[bytes]]

SCHEMA = 1
HEADER = ("measure", "queries", "difference", "deviation", "effect", "alpha", "power", "for_queries", "for_difference")


def render_table(answers: Sequence[PowerAnswer], labels: Sequence[str], layout: Layout) -> Iterator[bytes]:
    """Two lines for each measure: what was seen, and what follows."""
    signs, form = Signs.of(unicode=layout.unicode), real_form(layout.digits)
    for answer in answers:
        pair = " and ".join(map(visible, labels))
        yield (
            f"{visible(answer.spec.name)}, {pair}: "
            f"{signs.difference} {signed(answer.difference, layout.digits, signs)}, "
            f"s.d. {form(answer.deviation)}, d_z {effect_text(answer.effect, signs)}, {answer.queries} queries\n"
        ).encode()
        if answer.needed is not None:
            found = answer.needed
            yield (
                f"  a true difference of {found.difference:g} needs {found.queries} queries "
                f"(two-sided paired t-test, {signs.alpha} {found.alpha:g}, power {found.power:g}; "
                f"attained {found.attained:.3f})\n"
            ).encode()
        if answer.detectable is not None:
            shown = answer.detectable
            yield (
                f"  {shown.queries} queries show a true difference of {form(shown.difference)} or more "
                f"(two-sided paired t-test, {signs.alpha} {shown.alpha:g}, power {shown.power:g})\n"
            ).encode()


def _facts(answer: PowerAnswer) -> tuple[float, float, int, float]:
    """Alpha, power, number of queries and true difference that belong together."""
    if answer.needed is not None:
        found = answer.needed
        return found.alpha, found.power, found.queries, found.difference
    if answer.detectable is None:
        raise ValueError("an answer holds a number of queries or a difference")
    shown = answer.detectable
    return shown.alpha, shown.power, shown.queries, shown.difference


def render_tsv(answers: Sequence[PowerAnswer], labels: Sequence[str], layout: Layout) -> Iterator[bytes]:
    """A row for each measure: ``for_queries`` queries show ``for_difference`` with the power."""
    del labels
    form = real_form(layout.digits)
    yield encoded("\t".join(HEADER) + "\n")
    for answer in answers:
        alpha, power, queries, difference = _facts(answer)
        effect = "" if answer.effect is None else form(answer.effect)
        row = (
            visible(answer.spec.name), str(answer.queries), form(answer.difference), form(answer.deviation), effect,
            f"{alpha:g}", f"{power:g}", str(queries), form(difference),
        )  # fmt: skip
        yield encoded("\t".join(row) + "\n")


def render_json(answers: Sequence[PowerAnswer], labels: Sequence[str], layout: Layout) -> Iterator[bytes]:
    """One object."""
    del layout
    measures = []
    for answer in answers:
        alpha, power, queries, difference = _facts(answer)
        measures.append(
            definition(answer.spec.name, answer.spec, answer.given)
            | {
                "queries": answer.queries,
                "difference": answer.difference,
                "deviation": answer.deviation,
                "effect": answer.effect,
                "test": "t",
                "alternative": "two-sided",
                "alpha": alpha,
                "power": power,
                "for_queries": queries,
                "for_difference": difference,
                "attained": None if answer.needed is None else answer.needed.attained,
            }
        )
    whole = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "runs": list(labels),
        "measures": measures,
    }
    yield escaped(json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=2) + "\n")


RENDERERS: dict[str, Renderer] = {"table": render_table, "tsv": render_tsv, "json": render_json}
