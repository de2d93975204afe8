"""A comparison in GitHub's Markdown, for pull requests: the conclusion first, then tables and footnotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.analysis.conclusion import conclusion
from irevalcli.output.comparison_pairs import pair_tables
from irevalcli.output.comparison_table import Footnotes, baseline_grid, class_grids, remarks
from irevalcli.output.comparison_text import Signs, header
from irevalcli.output.id_text import escaped
from irevalcli.output.markdown import grid_rows, literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.compare import Comparison
    from irevalcli.output.registry import Layout


def render(comparison: Comparison, layout: Layout, *, verbose: bool = False) -> Iterator[bytes]:
    """The whole comparison."""
    layout = layout._replace(unicode=True, width=None)
    signs = Signs.of(unicode=True)
    notes = Footnotes(signs)
    paragraphs = [f"{literal(conclusion(comparison))}\n", f"{literal(header(comparison, signs))}\n"]
    if comparison.baselines:
        grids = [baseline_grid(comparison, baseline, layout, notes) for baseline in comparison.baselines]
    else:
        grids = list(pair_tables(comparison, layout, verbose=verbose, markup=True))
    paragraphs += ["".join(grid_rows(grid)) for grid in (*grids, *class_grids(comparison, layout, signs))]
    listed = [*notes.lines(), *remarks(comparison, layout)]
    if listed:
        paragraphs.append("".join(f"* {literal(line)}\n" for line in listed))
    yield escaped("\n".join(paragraphs))
