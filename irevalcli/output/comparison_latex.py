"""A comparison as a LaTeX table for booktabs: best in bold, letters for the rows that a score was shown to beat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.output.comparison_text import Signs, beaten, best_rows, header, joined, letter, names_of
from irevalcli.output.id_text import escaped, visible
from irevalcli.output.shown import real_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.output.registry import Layout

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
        "|": r"\textbar{}", '"': r"\textquotedbl{}", "α": r"$\alpha$", "·": r"$\cdot$", "−": "$-$", "Δ": r"$\Delta$",
        "[": "{[}", "]": "{]}",
    }
)  # fmt: skip


def render(comparison: Comparison, layout: Layout, *, verbose: bool = False) -> Iterator[bytes]:
    """The table with its caption, which says what was done."""
    del verbose
    names, runs = names_of(comparison, layout), len(comparison.labels)
    columns = [_cells(one, runs, layout) for one in comparison.measures]
    caption = (
        f"{latex(header(comparison, Signs.of(unicode=True)))}. A superscript names the rows than which a score is "
        "significantly better; the best score is bold."
    )
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{caption}}}",
        f"  \\begin{{tabular}}{{ll{'r' * len(names)}}}",
        "    \\toprule",
        f"    & run & {' & '.join(map(latex, names))} \\\\",
        "    \\midrule",
    ]
    for row, label in enumerate(comparison.labels):
        cells = [letter(row), latex(label), *(column[row] for column in columns)]
        lines.append(f"    {' & '.join(cells)} \\\\")
    lines += ["    \\bottomrule", "  \\end{tabular}", "\\end{table}"]
    yield escaped("\n".join(lines) + "\n")


def _cells(one: Compared, runs: int, layout: Layout) -> list[str]:
    """The scores of a measure with superscripts, those that are missing made up for by empty room."""
    form = real_form(layout.digits)
    scores = [form(value) for value in one.means]
    best = best_rows(one, scores)
    superscripts = [joined(letters) for letters in beaten(one, runs)]
    widest = max(superscripts, key=len)
    cells = []
    for row, (score, superscript) in enumerate(zip(scores, superscripts, strict=True)):
        text = f"\\textbf{{{score}}}" if row in best else score.replace("-", "$-$")
        room = widest[len(superscript) :]
        raised = superscript + (f"\\hphantom{{{room}}}" if room else "")
        cells.append(f"{text}$^{{\\mathrm{{{raised}}}}}$" if raised else text)
    return cells


def latex(text: str) -> str:
    """The text with everything that LaTeX would act on escaped."""
    return visible(text).translate(_ESCAPES)
