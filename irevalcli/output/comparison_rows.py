"""A comparison as rows separated by tabs or commas, below a header that is always the same.

A row without a baseline has the mean of a run. The others compare it with a baseline, on all queries or on those of one
class; the one with the verdict ``interaction`` says whether the difference depends on the class. What a row has no
number for is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.comparison_text import names_of
from irevalcli.output.fields import csv_field
from irevalcli.output.id_text import encoded, visible
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.analysis.contrasts import Claims, Contrast
    from irevalcli.output.registry import Layout

HEADER = (
    "measure", "run", "baseline", "class", "queries", "mean", "difference", "low", "high", "p", "p_corrected",
    "effect", "win", "tie", "loss", "verdict", "margin",
)  # fmt: skip


def render_tsv(comparison: Comparison, layout: Layout, *, verbose: bool = False) -> Iterator[bytes]:
    """Tab-separated rows."""
    del verbose
    return _rendered(comparison, layout, "\t", visible)


def render_csv(comparison: Comparison, layout: Layout, *, verbose: bool = False) -> Iterator[bytes]:
    """Comma-separated rows, quoted as in RFC 4180, with line feeds as line ends."""
    del verbose
    return _rendered(comparison, layout, ",", csv_field)


def _rendered(comparison: Comparison, layout: Layout, separator: str, field: Callable[[str], str]) -> Iterator[bytes]:
    yield encoded(separator.join(HEADER) + "\n")
    for name, one in zip(names_of(comparison, layout), comparison.measures, strict=True):
        for row in _rows(comparison, one, name, layout):
            yield encoded(separator.join(field(row.get(column, "")) for column in HEADER) + "\n")


def _rows(comparison: Comparison, one: Compared, name: str, layout: Layout) -> Iterator[dict[str, str]]:
    """The rows of a measure, without the empty fields."""
    form, queries = _form(layout.digits), str(len(comparison.qids))
    for label, mean in zip(comparison.labels, one.means, strict=True):
        yield {"measure": name, "run": label, "queries": queries, "mean": form(mean)}
    for contrast in one.contrasts:
        pair = {
            "measure": name,
            "run": comparison.labels[contrast.run],
            "baseline": comparison.labels[contrast.baseline],
        }
        yield pair | {"queries": queries, "mean": form(one.means[contrast.run])} | _fields(contrast, layout)
        for part in contrast.classes:
            yield pair | {
                "class": part.name,
                "queries": str(part.interval.queries),
                "difference": form(part.interval.estimate),
                "low": form(part.interval.low),
                "high": form(part.interval.high),
                "win": str(part.win),
                "tie": str(part.tie),
                "loss": str(part.loss),
            }
        if contrast.interaction is not None:
            yield pair | {
                "queries": str(contrast.interaction.queries),
                "p": _small(contrast.interaction.p, layout.digits),
                "p_corrected": _small(contrast.interaction_p, layout.digits),
                "verdict": "interaction",
            }


def _fields(contrast: Contrast, layout: Layout) -> dict[str, str]:
    form = _form(layout.digits)
    return {
        "difference": form(contrast.difference),
        "low": form(contrast.low),
        "high": form(contrast.high),
        "p": _small(contrast.p, layout.digits),
        "p_corrected": _small(contrast.adjusted, layout.digits),
        "effect": form(contrast.effect),
        "win": str(contrast.win),
        "tie": str(contrast.tie),
        "loss": str(contrast.loss),
        "verdict": contrast.verdict,
        "margin": "" if contrast.claims is None else claim_word(contrast.claims),
    }


def claim_word(claims: Claims) -> str:
    """One word for what is decided about a margin."""
    if claims.equivalence.decision == "holds":
        return "equivalent"
    return {"holds": "non-inferior", "fails": "inferior", "undecided": "undecided"}[claims.non_inferiority.decision]


def _form(digits: int | None) -> Callable[[float | None], str]:
    write = real_form(digits)
    return lambda value: "" if value is None else write(value)


def _small(p: float | None, digits: int | None) -> str:
    """A p-value with six significant digits, which keeps its size when it is small."""
    return "" if p is None else repr(p) if digits is None else f"{p:.6g}"
