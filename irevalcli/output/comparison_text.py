"""The words, signs and numbers that every form of a comparison shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.shown import real_form, shown_names

if TYPE_CHECKING:
    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.analysis.contrasts import Claims, Contrast, Settings
    from irevalcli.output.registry import Layout

_TESTS = {
    "t": "paired t-test",
    "randomization": "randomisation test",
    "bootstrap": "bootstrap (BCa)",
    "bootstrap-t": "bootstrap (studentised)",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "tukey": "paired Tukey HSD",
    "randomized-tukey": "randomised Tukey HSD",
    "anova": "two-way ANOVA, pairs by paired Tukey HSD",
}
_CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SMALLEST_P = 0.001
_MOST_DIGITS = 17


class Signs(NamedTuple):
    """What stands for verdicts and for signs that not every terminal has."""

    verdicts: dict[str, str]
    minus: str
    dots: str
    difference: str
    alpha: str
    none: str
    dot: str
    about: str
    superscripts: bool

    @classmethod
    def of(cls, *, unicode: bool) -> Signs:
        """The signs of a terminal that shows more than ASCII, or of one that does not."""
        if unicode:
            verdicts = dict(zip(_VERDICTS, "▲▼≠~=?", strict=True))
            return cls(verdicts, "−", "…", "Δ", "α", "–", "·", "≈", superscripts=True)
        return cls(
            dict(zip(_VERDICTS, "^v#~=?", strict=True)), "-", "..", "diff", "alpha", "-", "-", "about ",
            superscripts=False,
        )  # fmt: skip

    def note(self, number: int) -> str:
        """The mark of a footnote: ``¹``, or ``[1]``."""
        return str(number).translate(_SUPERSCRIPTS) if self.superscripts else f"[{number}]"

    def plain(self, text: str) -> str:
        """The text without what the terminal cannot show."""
        if self.superscripts:
            return text
        for sign, other in (("−", "-"), ("…", ".."), ("Δ", "diff"), ("α", "alpha"), ("g₁", "g1"), ("·", "-")):
            text = text.replace(sign, other)
        return text


_VERDICTS = ("better", "worse", "different", "not-shown", "identical", "untested")


def signed(value: float | None, digits: int | None, signs: Signs) -> str:
    """The number with its sign; never a negative zero."""
    if value is None:
        return signs.none
    text = real_form(digits)(value)
    return text.replace("-", signs.minus, 1) if text.startswith("-") else f"+{text}"


def p_text(p: float | None, alpha: float, signs: Signs) -> str:
    """Three decimals, or as many as it takes not to seem on the other side of alpha."""
    if p is None:
        return signs.none
    if p < _SMALLEST_P <= alpha:
        return f"<{_SMALLEST_P:g}"
    digits = 3
    text = f"{p:.{digits}f}"
    while (float(text) <= alpha) != (p <= alpha) and digits < _MOST_DIGITS:
        digits += 1
        text = f"{p:.{digits}f}"
    return text


def effect_text(effect: float | None, signs: Signs) -> str:
    """Two decimals."""
    if effect is None:
        return signs.none
    return f"{effect:z.2f}".replace("-", signs.minus, 1)


def interval_heading(settings: Settings, signs: Signs) -> str:
    """``95% CI of Δ``, with its kind if it does not belong to the test."""
    kind = " (t)" if settings.test in ("randomization", "wilcoxon", "sign") else ""
    return f"{100 * (1 - settings.alpha):.6g}% CI of {signs.difference}{kind}"


def header(comparison: Comparison, signs: Signs) -> str:
    """What was done, in one line."""
    settings = comparison.settings
    number = len(comparison.qids)
    parts = [f"{number} quer{'y' if number == 1 else 'ies'}"]
    if comparison.baselines:
        names = ", ".join(comparison.labels[place] for place in comparison.baselines)
        parts.append(f"baseline{'s' * (len(comparison.baselines) > 1)} {names}")
    else:
        parts.append(f"all pairs of {len(comparison.labels)} runs")
    scale, references = (comparison.evaluation.options.get(name) for name in ("standardise", "references"))
    if isinstance(references, dict):
        parts.append(f"standardised ({scale}) over {len(references)} runs")
    parts.append(f"{test_words(comparison)}, two-sided, {correction_words(comparison)}")
    parts.append(f"{signs.alpha} {settings.alpha:g}")
    return f" {signs.dot} ".join(parts)


def test_words(comparison: Comparison) -> str:
    """The test and how its p-values were found."""
    words = _TESTS[comparison.settings.test]
    first = next((contrast for one in comparison.measures for contrast in one.contrasts), None)
    if first is None:
        return words
    if first.method == "exact" and first.resamples is not None:
        return f"{words} (all {first.resamples} sign flips)"
    if comparison.settings.test in ("wilcoxon", "sign"):
        return f"{words} ({'exact' if first.method == 'exact' else 'normal approximation'})"
    if first.method == "sampled":
        return f"{words}, {first.resamples} resamples, seed {first.seed}"
    return words


def correction_words(comparison: Comparison) -> str:
    """``Holm over 4 tests``."""
    family = comparison.family
    tests = f"{family.tests} test{'s' * (family.tests != 1)}"
    if family.correction in _CORRECTIONS:
        return f"{_CORRECTIONS[family.correction]} over {tests}"
    if family.correction == "none":
        return f"{tests}, not corrected"
    return f"corrected over the {family.tests} pair{'s' * (family.tests != 1)} of each measure"


def claim_text(claims: Claims, signs: Signs) -> str:
    """What is decided about a margin."""
    if claims.equivalence.decision == "holds":
        return "equivalent"
    if claims.non_inferiority.decision == "holds":
        return "no worse"
    if claims.non_inferiority.decision == "fails":
        return "worse"
    if claims.queries is None:
        return "undecided"
    return f"undecided ({signs.about}{claims.queries} queries decide)"


def claims_note(settings: Settings) -> str:
    """What the words about a margin mean; "" without a margin."""
    if settings.margin is None:
        return ""
    margin, level = f"{settings.margin:g}", f"{settings.alpha:g}"
    return (
        f"margin {margin}: 'no worse' rules out a loss of {margin} or more, 'equivalent' a difference of {margin} or "
        f"more either way, each by one-sided paired t-tests at {level}, not corrected"
    )


def names_of(comparison: Comparison, layout: Layout) -> list[str]:
    """A name for every measure."""
    columns = comparison.evaluation.runs[0].columns[: len(comparison.measures)]
    return shown_names(columns, layout.names)


def letter(place: int) -> str:
    """The letters of a row: ``a`` to ``z``, then ``aa``, ``ab`` and so on."""
    text = ""
    place += 1
    while place:
        place, digit = divmod(place - 1, 26)
        text = chr(ord("a") + digit) + text
    return text


def beaten(one: Compared, runs: int) -> list[list[str]]:
    """For each run, the letters of those that it was shown to be better than."""
    found: list[list[int]] = [[] for _ in range(runs)]
    for contrast in one.contrasts:
        if contrast.verdict == "better":
            found[contrast.run].append(contrast.baseline)
        elif contrast.verdict == "worse":
            found[contrast.baseline].append(contrast.run)
    return [[letter(place) for place in sorted(places)] for places in found]


def joined(letters: list[str]) -> str:
    """Letters of rows in one word, with commas where some are two letters long."""
    return ("," if any(len(word) > 1 for word in letters) else "").join(letters)


def best_rows(one: Compared, cells: list[str]) -> frozenset[int]:
    """The runs that show the best mean, unless all show the same or no direction is better."""
    if one.spec.higher_is_better is None or len(set(cells)) == 1:
        return frozenset()
    end = max(one.means) if one.spec.higher_is_better else min(one.means)
    shown = cells[one.means.index(end)]
    return frozenset(row for row, cell in enumerate(cells) if cell == shown)


def counts_text(contrast: Contrast) -> str:
    """``47/1/6``."""
    return f"{contrast.win}/{contrast.tie}/{contrast.loss}"


def power_note(one: Compared, contrasts: list[Contrast], comparison: Comparison, digits: int | None) -> str:
    """That what was not shown may still be there, and how large it may be; "" if everything was shown."""
    form = real_form(digits)
    missed = [c for c in contrasts if c.verdict == "not-shown" and c.detectable is not None]
    if not missed:
        return ""
    several = len(contrasts) > 1
    sizes = ", ".join(
        form(c.detectable or 0.0) + (f" ({comparison.labels[c.run]})" if several else "") for c in missed[:6]
    )
    number = len(comparison.qids)
    return (
        f'"not shown" is not "equal": with {number} quer{"y" if number == 1 else "ies"}, true differences of '
        f"{one.spec.name} under {sizes} would usually be missed"
    )
