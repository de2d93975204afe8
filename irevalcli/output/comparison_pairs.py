"""All pairs of runs as tables: letters beside the scores, what was not shown, and a triangle of p-values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.comparison_text import (
    Signs,
    beaten,
    best_rows,
    claim_text,
    counts_text,
    interval_heading,
    joined,
    letter,
    names_of,
    p_text,
    signed,
)
from irevalcli.output.display_width import padded
from irevalcli.output.grid import Grid, GridColumn
from irevalcli.output.id_text import visible
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.output.registry import Layout

MOST_PAIRS = 8
"""Pairs that are listed without being asked for."""


def pair_tables(comparison: Comparison, layout: Layout, *, verbose: bool, markup: bool = False) -> Iterator[Grid]:
    """The scores with letters; the pairs without a shown difference; and with `verbose` all p-values."""
    yield letters_grid(comparison, layout, markup=markup)
    listed = _listed_pairs(comparison, layout, verbose=verbose)
    if listed is not None:
        yield listed
    if verbose:
        for name, one in zip(names_of(comparison, layout), comparison.measures, strict=True):
            yield _triangle(comparison, one, visible(name), layout)


def letters_grid(comparison: Comparison, layout: Layout, *, markup: bool) -> Grid:
    """Runs as lettered rows, measures as columns; beside a score the rows that it was shown to be better than.

    With `markup` the letters are superscripts of HTML, as Markdown takes them.
    """
    form = real_form(layout.digits)
    measures = []
    for name, one in zip(names_of(comparison, layout), comparison.measures, strict=True):
        scores = [form(value) for value in one.means]
        best = best_rows(one, scores)
        words = [joined(letters) for letters in beaten(one, len(scores))]
        heading = visible(name)
        if markup:
            cells = [f"{score}<sup>{word}</sup>" if word else score for score, word in zip(scores, words, strict=True)]
        else:
            aligned = zip(padded(scores, right=True), padded(words, right=False), strict=True)
            cells = [f"{score} {word}" if any(words) else score for score, word in aligned]
            heading = heading.ljust(len(cells[0]))
        measures.append(GridColumn(heading, cells, right=True, best=best))
    labels = list(map(visible, comparison.labels))
    return Grid([GridColumn("", [letter(row) for row in range(len(labels))]), GridColumn("run", labels)], measures)


def _listed_pairs(comparison: Comparison, layout: Layout, *, verbose: bool) -> Grid | None:
    """The pairs of which no difference was shown, if they are few; with `verbose` all of them."""
    signs, settings = Signs.of(unicode=layout.unicode), comparison.settings
    everything = verbose and settings.margin is not None
    chosen = [
        (name, one, contrast)
        for name, one in zip(names_of(comparison, layout), comparison.measures, strict=True)
        for contrast in one.contrasts
        if everything or contrast.verdict in ("not-shown", "untested", "identical")
    ]
    if not chosen or (len(chosen) > MOST_PAIRS and not verbose):
        return None
    rows = []
    for name, _, contrast in chosen:
        dash = "–" if layout.unicode else "-"
        ends = [signed(end, layout.digits, signs) for end in (contrast.low, contrast.high)]
        rows.append(
            [
                f"{letter(contrast.baseline)}{dash}{letter(contrast.run)}",
                visible(name),
                f"{signed(contrast.difference, layout.digits, signs)} {signs.verdicts[contrast.verdict]}",
                f" {signs.dots} ".join(ends) if contrast.low is not None else signs.none,
                p_text(contrast.adjusted, settings.alpha, signs),
                counts_text(contrast),
                signs.none if contrast.detectable is None else real_form(layout.digits)(contrast.detectable),
                "" if contrast.claims is None else claim_text(contrast.claims, signs),
            ]
        )
    columns = list(map(list, zip(*rows, strict=True)))
    heads = (signs.difference, interval_heading(settings, signs), "p", "win/tie/loss", "usually missed below")
    measures = [GridColumn(head, cells, right=True) for head, cells in zip(heads, columns[2:7], strict=True)]
    if settings.margin is not None:
        measures.append(GridColumn(f"margin {settings.margin:g}", columns[7]))
    head = "pair" if everything else "not shown"
    return Grid([GridColumn(head, columns[0]), GridColumn("measure", columns[1])], measures)


def _triangle(comparison: Comparison, one: Compared, name: str, layout: Layout) -> Grid:
    """The corrected p-values of a measure: below the diagonal, rows against columns."""
    signs, runs = Signs.of(unicode=layout.unicode), len(comparison.labels)
    known = {(contrast.run, contrast.baseline): contrast.adjusted for contrast in one.contrasts}
    columns = [
        GridColumn(
            letter(column),
            [
                p_text(known[row, column], comparison.settings.alpha, signs) if column < row else ""
                for row in range(1, runs)
            ],
            right=True,
        )
        for column in range(runs - 1)
    ]
    rows = [f"{letter(row)} {visible(comparison.labels[row])}" for row in range(1, runs)]
    return Grid([GridColumn(f"p, {name}", rows)], columns)
