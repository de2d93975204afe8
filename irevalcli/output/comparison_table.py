"""A comparison for the terminal: a block for each measure against a baseline, footnotes, and a sentence."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from irevalcli.analysis.conclusion import conclusion
from irevalcli.analysis.contrasts import TABLE_TESTS
from irevalcli.output.comparison_pairs import pair_tables
from irevalcli.output.comparison_text import (
    Signs,
    claim_text,
    claims_note,
    counts_text,
    effect_text,
    header,
    interval_heading,
    names_of,
    p_text,
    power_note,
    signed,
)
from irevalcli.output.display_width import display_width, padded
from irevalcli.output.grid import Grid, GridColumn
from irevalcli.output.id_text import visible
from irevalcli.output.shown import real_form
from irevalcli.output.table import grid_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.analysis.contrasts import Contrast
    from irevalcli.output.registry import Layout

_GAP = 3
_OPTIONAL = ("d_z", "d", "win/tie/loss")
_NARROWEST = 40


class Footnotes:
    """Remarks in the order of their first mention, each once."""

    def __init__(self, signs: Signs) -> None:
        self._signs = signs
        self.texts: list[str] = []

    def marks(self, texts: Sequence[str]) -> str:
        """The marks of remarks, in order."""
        for text in texts:
            if text not in self.texts:
                self.texts.append(text)
        return " ".join(self._signs.note(number) for number in sorted(self.texts.index(text) + 1 for text in texts))

    def lines(self) -> Iterator[str]:
        """The remarks with their marks."""
        for number, text in enumerate(self.texts, 1):
            yield f"{self._signs.note(number)} {self._signs.plain(text)}"


def render(comparison: Comparison, layout: Layout, *, verbose: bool = False) -> Iterator[bytes]:
    """What was done, the tables, footnotes, and what it comes to."""
    signs = Signs.of(unicode=layout.unicode)
    notes = Footnotes(signs)
    yield from _lines(header(comparison, signs), layout)
    if comparison.baselines:
        for baseline in comparison.baselines:
            grid = _fitting(baseline_grid(comparison, baseline, layout, notes), layout)
            yield ("\n" + "".join(grid_text(grid, layout))).encode()
    else:
        for grid in pair_tables(comparison, layout, verbose=verbose):
            yield ("\n" + "".join(grid_text(grid, layout))).encode()
    for grid in class_grids(comparison, layout, signs):
        yield ("\n" + "".join(grid_text(grid, layout))).encode()
    yield b"\n"
    for line in notes.lines():
        yield from _lines(f" {line}", layout, indent="   ")
    for remark in remarks(comparison, layout):
        yield from _lines(f" {signs.plain(remark)}", layout, indent="   ")
    yield from _lines(conclusion(comparison), layout)


def remarks(comparison: Comparison, layout: Layout) -> Iterator[str]:
    """What holds for more than one number."""
    yield from (caveat.message for caveat in comparison.caveats)
    yield from dict.fromkeys(caveat.message for one in comparison.measures for caveat in one.caveats)
    note = claims_note(comparison.settings)
    if note:
        yield note
    number, correction = len(comparison.measures), comparison.settings.correction
    over = f" ({correction} over {number} measures)" if number > 1 else ""
    for name, one in zip(names_of(comparison, layout), comparison.measures, strict=True):
        if one.anova is not None and one.anova.systems.f is not None:
            effect = one.anova.systems
            signs = Signs.of(unicode=layout.unicode)
            yield (
                f"{name}: systems differ with F({effect.df}, {one.anova.residual.df}) = {effect.f:.2f}, "
                f"p {p_text(one.anova_p, comparison.settings.alpha, signs)}{over}"
            )


def _lines(text: str, layout: Layout, *, indent: str = "") -> Iterator[bytes]:
    """The text in lines that fit the terminal."""
    text = visible(text)
    if layout.width is None:
        yield f"{text}\n".encode()
        return
    first = text[: len(text) - len(text.lstrip())]
    for line in textwrap.wrap(
        text.lstrip(), max(layout.width, _NARROWEST), initial_indent=first, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    ):  # fmt: skip
        yield f"{line}\n".encode()


def baseline_grid(comparison: Comparison, baseline: int, layout: Layout, notes: Footnotes) -> Grid:
    """All measures one below the other: the baseline, then the runs that are compared with it."""
    signs = Signs.of(unicode=layout.unicode)
    rows: list[list[str]] = []
    bold: set[int] = set()
    names = names_of(comparison, layout)
    for name, one in zip(names, comparison.measures, strict=True):
        if rows:
            bold.add(len(rows))
            rows.append([visible(name), *[""] * 7])
        rows += _measure_rows(comparison, one, baseline, layout, notes)
    first, means, differences, intervals, p, effects, counts, claims = map(list, zip(*rows, strict=True))
    label = visible(comparison.labels[baseline])
    measures = [
        GridColumn("mean", means, right=True),
        GridColumn(f"{signs.difference} vs {label}", padded(differences, right=False), right=True),
        GridColumn(interval_heading(comparison.settings, signs), intervals, right=True),
        GridColumn("p", p, right=True),
        GridColumn("d" if comparison.settings.test in TABLE_TESTS else "d_z", effects, right=True),
        GridColumn("win/tie/loss", counts, right=True),
    ]
    if any(claims):
        measures.append(GridColumn(f"margin {comparison.settings.margin:g}", claims))
    return Grid([GridColumn(visible(names[0]), first, best=frozenset(bold))], measures)


def _measure_rows(
    comparison: Comparison, one: Compared, baseline: int, layout: Layout, notes: Footnotes
) -> list[list[str]]:
    """A row for the baseline and one for each run compared with it."""
    signs = Signs.of(unicode=layout.unicode)
    form, settings = real_form(layout.digits), comparison.settings
    contrasts = [contrast for contrast in one.contrasts if contrast.baseline == baseline]
    bounds = interval_texts(contrasts, layout.digits, signs)
    rows = [[f"  {visible(comparison.labels[baseline])}", form(one.means[baseline]), *[""] * 6]]
    power = power_note(one, contrasts, comparison, layout.digits)
    deltas = padded([signed(contrast.difference, layout.digits, signs) for contrast in contrasts], right=True)
    for contrast, delta, bound in zip(contrasts, deltas, bounds, strict=True):
        said = [power] if power and contrast.verdict == "not-shown" else []
        said += [caveat.message for caveat in contrast.caveats if caveat.code not in _SAID]
        rows.append(
            [
                f"  {visible(comparison.labels[contrast.run])}",
                form(one.means[contrast.run]),
                f"{delta} {signs.verdicts[contrast.verdict]} {notes.marks(said)}".rstrip(),
                bound,
                p_text(contrast.adjusted, settings.alpha, signs),
                effect_text(contrast.effect, signs),
                counts_text(contrast),
                "" if contrast.claims is None else claim_text(contrast.claims, signs),
            ]
        )
    return rows


_SAID = ("few-queries", "identical")
"""Caveats that stand elsewhere: below the table, and in place of the interval."""


def interval_texts(contrasts: Sequence[Contrast], digits: int | None, signs: Signs) -> list[str]:
    """The ends of the intervals, in columns; what there is to say where there is none."""
    lows = padded([signed(contrast.low, digits, signs) for contrast in contrasts], right=True)
    highs = padded([signed(contrast.high, digits, signs) for contrast in contrasts], right=True)
    texts = []
    for contrast, low, high in zip(contrasts, lows, highs, strict=True):
        same = next((caveat.message for caveat in contrast.caveats if caveat.code == "identical"), "")
        bounded = contrast.low is not None or contrast.high is not None
        texts.append(same if contrast.identical and same else f"{low} {signs.dots} {high}" if bounded else signs.none)
    return texts


def class_grids(comparison: Comparison, layout: Layout, signs: Signs) -> Iterator[Grid]:
    """For each measure the contrasts by class of query, with the interaction."""
    for name, one in zip(names_of(comparison, layout), comparison.measures, strict=True):
        rows: list[list[str]] = []
        bold: set[int] = set()
        for contrast in one.contrasts:
            if not contrast.classes:
                continue
            pair = f"{comparison.labels[contrast.run]} {signs.minus} {comparison.labels[contrast.baseline]}"
            bold.add(len(rows))
            interacting = p_text(contrast.interaction_p, comparison.settings.alpha, signs)
            rows.append([visible(pair), "", "", "", "", interacting])
            for part in contrast.classes:
                ends = [signed(end, layout.digits, signs) for end in (part.interval.low, part.interval.high)]
                bounds = signs.none if part.interval.low is None else f" {signs.dots} ".join(ends)
                counts = f"{part.win}/{part.tie}/{part.loss}"
                estimate = signed(part.interval.estimate, layout.digits, signs)
                rows.append([f"  {visible(part.name)}", str(part.interval.queries), estimate, bounds, counts, ""])
        if rows:
            columns = list(map(list, zip(*rows, strict=True)))
            heads = ("queries", signs.difference, interval_heading(comparison.settings, signs), "win/tie/loss",
                     "interaction p")  # fmt: skip
            yield Grid(
                [GridColumn(f"{visible(name)} by class", columns[0], best=frozenset(bold))],
                [GridColumn(head, cells, right=True) for head, cells in zip(heads, columns[1:], strict=True)],
            )


def _fitting(grid: Grid, layout: Layout) -> Grid:
    """The grid without its optional columns, as far as the terminal is too narrow for them."""
    measures = grid.measures
    for name in _OPTIONAL:
        widths = [max(map(display_width, [column.heading, *column.cells])) for column in (*grid.keys, *measures)]
        if layout.width is None or sum(widths) + _GAP * (len(widths) - 1) <= layout.width:
            break
        measures = [column for column in measures if column.heading != name]
    return grid._replace(measures=measures)
