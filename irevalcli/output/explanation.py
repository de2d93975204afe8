"""Explanations as people read them: a table of ranks, the last step of the arithmetic, and the other definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.display_width import display_width, padded
from irevalcli.output.grid import Grid, GridColumn
from irevalcli.output.id_text import decoded, visible
from irevalcli.output.markdown import grid_rows, literal
from irevalcli.output.prose import text_column, wrapped
from irevalcli.output.shown import real_form
from irevalcli.output.table import grid_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.explain import Explained, Explanation, Step
    from irevalcli.output.prose import Texts
    from irevalcli.output.registry import Layout

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"
_GAP = 3


class _Words(NamedTuple):
    """What stands where there is nothing to show."""

    none: str
    omitted: str


def render_table(explained: Explained, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """One table for each measure, to be read on a terminal."""
    for place, explanation in enumerate(explained.explanations):
        lines = _terminal(explained, explanation, layout, texts)
        yield ("\n" * bool(place) + "".join(lines)).encode()


def _terminal(explained: Explained, explanation: Explanation, layout: Layout, texts: Texts) -> Iterator[str]:
    title = _title(explained, explanation, layout)
    yield f"{_BOLD}{title}{_PLAIN}\n" if layout.colour else f"{title}\n"
    yield from wrapped(_query_text(explained, texts), layout.width)
    yield from wrapped(_definition(explanation), layout.width)
    yield "\n"
    yield from grid_text(_grid(explanation, layout, texts), layout)
    yield "\n"
    yield from wrapped(_arithmetic(explanation, layout), layout.width)
    if explanation.alternatives:
        yield "\nother definitions\n"
        yield from _alternative_lines(explanation, layout)


def render_markdown(explained: Explained, layout: Layout, texts: Texts) -> Iterator[bytes]:
    """A heading and tables for each measure."""
    for place, explanation in enumerate(explained.explanations):
        paragraphs = [
            f"### {literal(_title(explained, explanation, layout))}\n",
            *(f"{literal(text)}\n" for text in (_query_text(explained, texts), _definition(explanation)) if text),
            "".join(grid_rows(_grid(explanation, layout, texts))),
            f"{literal(_arithmetic(explanation, layout))}\n",
        ]
        if explanation.alternatives:
            paragraphs.append("".join(grid_rows(_alternative_grid(explanation, layout))))
        yield ("\n" * bool(place) + "\n".join(paragraphs)).encode()


def _title(explained: Explained, explanation: Explanation, layout: Layout) -> str:
    value = real_form(layout.digits)(explanation.value)
    query, run = visible(decoded(explained.query)), visible(explained.run.label)
    return f"{explanation.spec.name} = {value} for query {query} of {run}"


def _query_text(explained: Explained, texts: Texts) -> str:
    return visible(texts.queries.get(explained.query, ""))


def _definition(explanation: Explanation) -> str:
    record = explanation.spec.measure
    return f"{record.title}: {record.formula}"


def _arithmetic(explanation: Explanation, layout: Layout) -> str:
    """The last step: what becomes of the sum."""
    total, factor, divisor, addend = explanation.total, explanation.factor, explanation.divisor, explanation.addend
    line = f"{total.name} {number_texts([total.value], layout.digits)[0]}"
    if factor is not None:
        line += f" × {number_texts([factor.value], layout.digits)[0]} ({factor.name})"
    if divisor is not None:
        line += f" ÷ {number_texts([divisor.value], layout.digits)[0]} ({divisor.name})"
    if addend is not None:
        line += f" + {number_texts([addend.value], layout.digits)[0]} ({addend.name})"
    return f"{line} = {explanation.spec.name} {real_form(layout.digits)(explanation.value)}"


def _grid(explanation: Explanation, layout: Layout, texts: Texts) -> Grid:
    """The ranks as a grid, with a row of ellipses where ranks are left out."""
    words = _Words("–", "…") if layout.unicode else _Words("-", "...")
    steps = explanation.steps
    documents = [words.none if step.docid is None else visible(decoded(step.docid)) for step in steps]
    columns = [
        GridColumn("rank", [str(step.rank) for step in steps], right=True),
        GridColumn("document", documents),
        GridColumn("grade", [grade_text(step, words.none) for step in steps], right=True),
        *_numbers(explanation, layout, words.none),
    ]
    if texts.documents:
        columns.append(text_column([step.docid for step in steps], columns, layout, texts))
    columns = _with_omissions(columns, steps, words.omitted)
    return Grid(columns[:2], columns[2:])


def grade_text(step: Step, none: str) -> str:
    """The grade of a rank's document; a word if it was pooled without being judged, `none` if the qrels lack it."""
    if step.docid is None or step.grade is None:
        return none
    return "pooled" if step.grade < 0 else f"{step.grade:g}"


def _numbers(explanation: Explanation, layout: Layout, none: str) -> Iterator[GridColumn]:
    """What the contributions are made of, themselves, their sum, and the ideal ranking."""
    steps = explanation.steps
    listed = [step for step in steps if step.docid is not None]
    blanks = [none] * (len(steps) - len(listed))
    for place, name in enumerate(explanation.quantities):
        cells = number_texts([step.quantities[place] for step in listed], layout.digits)
        yield GridColumn(name, cells + blanks, right=True)
    yield GridColumn(
        "contribution", number_texts([step.contribution for step in listed], layout.digits) + blanks, right=True
    )
    yield GridColumn("total", number_texts([step.total for step in steps], layout.digits), right=True)
    if explanation.ideal:
        gains = [step.ideal_gain for step in steps]
        shown = iter(number_texts([gain for gain in gains if gain is not None], layout.digits))
        yield GridColumn("ideal gain", [none if gain is None else next(shown) for gain in gains], right=True)
        totals = [step.ideal_total or 0.0 for step in steps]
        yield GridColumn("ideal total", number_texts(totals, layout.digits), right=True)


def number_texts(values: Sequence[float], digits: int | None) -> list[str]:
    """The numbers of a column: without decimals if all are whole, else with `digits` of them."""
    if all(float(value).is_integer() for value in values):
        return [f"{value + 0:.0f}" for value in values]
    return list(map(real_form(digits), map(float, values)))


def _with_omissions(columns: list[GridColumn], steps: Sequence[Step], omitted: str) -> list[GridColumn]:
    """The columns with a row wherever ranks are left out, and with what contributes marked."""
    jumps = [place for place in range(1, len(steps)) if steps[place].rank != steps[place - 1].rank + 1]
    if steps and steps[0].rank != 1:
        jumps.insert(0, 0)
    rows: list[int | None] = list(range(len(steps)))
    for place in reversed(jumps):
        rows.insert(place, None)
    marked = frozenset(
        row for row, place in enumerate(rows) if place is not None and steps[place].contribution and steps[place].docid
    )
    return [
        column._replace(
            cells=[column.cells[place] if place is not None else omitted * (not number) for place in rows], best=marked
        )
        for number, column in enumerate(columns)
    ]


def _alternative_cells(explanation: Explanation, layout: Layout) -> Iterator[tuple[str, str, str, str]]:
    form = real_form(layout.digits)
    for other in explanation.alternatives:
        difference = form(other.value - explanation.value)
        signed = difference if difference.startswith("-") else f"+{difference}"
        yield other.name, form(other.value), signed, other.why


def _alternative_lines(explanation: Explanation, layout: Layout) -> Iterator[str]:
    """Name, value, difference and reason of each alternative; the reason wrapped within its column."""
    names, values, differences, reasons = map(list, zip(*_alternative_cells(explanation, layout), strict=True))
    aligned = padded(names, right=False), padded(values, right=True), padded(differences, right=True)
    heads = ["   ".join(cells) for cells in zip(*aligned, strict=True)]
    for head, reason in zip(heads, reasons, strict=True):
        indent = " " * (display_width(head) + 2 + _GAP)
        yield from wrapped(reason, layout.width, first=f"  {head}{' ' * _GAP}", indent=indent)


def _alternative_grid(explanation: Explanation, layout: Layout) -> Grid:
    names, values, differences, reasons = map(list, zip(*_alternative_cells(explanation, layout), strict=True))
    return Grid(
        [GridColumn("other definition", names)],
        [
            GridColumn("value", values, right=True),
            GridColumn("difference", differences, right=True),
            GridColumn("what is different", reasons),
        ],
    )
