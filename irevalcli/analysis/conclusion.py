"""What a comparison comes to, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.analysis.contrasts import Verdict

_ORDER: tuple[Verdict, ...] = ("better", "worse", "different", "identical", "not-shown", "untested")
_VERBS = {
    "better": ("beats", "beat", ""),
    "worse": ("is", "are", " worse than"),
    "different": ("differs", "differ", " from"),
    "identical": ("is", "are", " identical to"),
    "untested": ("could", "could", " not be tested against"),
}
"""Singular, plural, and what follows both."""

MOST_NAMED = 6
"""Runs and measures that are named one by one; more of them are counted."""


def conclusion(comparison: Comparison) -> str:
    """One sentence on what was shown, and where something was not asked for, one on that."""
    if not comparison.baselines:
        return " ".join(_best_of(comparison, one) for one in comparison.measures[:MOST_NAMED])
    sentences = [_against(comparison, baseline) for baseline in comparison.baselines]
    others = [label for place, label in enumerate(comparison.labels) if place not in comparison.baselines]
    if len(others) == 2:
        sentences.append(f"{others[1]} vs {others[0]} was not tested: add --all-pairs.")
    elif len(others) > 2:
        sentences.append(f"The {len(others)} other runs were not tested against each other: add --all-pairs.")
    return " ".join(sentences)


def _against(comparison: Comparison, baseline: int) -> str:
    """What was shown against a baseline; runs of which the same is true are named together."""
    alike: dict[tuple[tuple[Verdict, tuple[str, ...]], ...], list[str]] = {}
    for run, label in enumerate(comparison.labels):
        by_verdict: dict[Verdict, list[str]] = {}
        for one in comparison.measures:
            for contrast in one.contrasts:
                if (contrast.run, contrast.baseline) == (run, baseline):
                    by_verdict.setdefault(contrast.verdict, []).append(one.spec.name)
        if by_verdict:
            found = tuple((verdict, tuple(by_verdict[verdict])) for verdict in _ORDER if verdict in by_verdict)
            alike.setdefault(found, []).append(label)
    parts = []
    for found, labels in alike.items():
        unshown = found[0][0] == "not-shown"
        subject = f"both {listed(labels)}" if len(labels) == 2 and not unshown else listed(labels)
        parts.append(_said(found, subject, comparison, baseline, several=len(labels) > 1))
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if text.startswith(("both ", "no difference ")) else f"{text}."


def _said(
    found: Sequence[tuple[Verdict, tuple[str, ...]]],
    subject: str,
    comparison: Comparison,
    baseline: int,
    *,
    several: bool,
) -> str:
    """A clause for each verdict on some runs."""
    other, number = comparison.labels[baseline], len(comparison.qids)
    clauses: list[str] = []
    for verdict, measures in found:
        where = f"on {listed(measures)}"
        if len(found) == 1 and len(measures) > 1:
            where = "on every measure"
        if verdict == "not-shown":
            anywhere = "on any measure" if len(found) == 1 and len(measures) > 1 else where
            whose = "" if clauses else f" from {other}"
            clauses.append(f"no difference{whose} is shown {anywhere}" + ("" if clauses else f" for {subject}"))
            continue
        one, many, joint = _VERBS[verdict]
        if verdict == "identical" and len(found) == 1:
            where = f"on all {number} queries" if number > 1 else "on the only query"
        clauses.append(
            f"{'' if clauses else subject + ' '}{many if several else one}{joint} {'it' if clauses else other} {where}"
        )
    return ", ".join(clauses[:-1]) + (" and " if len(clauses) > 1 else "") + clauses[-1]


def _best_of(comparison: Comparison, one: Compared) -> str:
    """Which run is best by a measure, and how many others it was shown to beat."""
    labels, means = comparison.labels, one.means
    end = min(means) if one.spec.higher_is_better is False else max(means)
    best = means.index(end)
    word = {True: "best", False: "best", None: "highest"}[one.spec.higher_is_better]
    mine = [contrast for contrast in one.contrasts if best in (contrast.run, contrast.baseline)]
    if all(contrast.identical for contrast in one.contrasts):
        return f"{one.spec.name}: all {len(labels)} runs are identical on every query."
    shown = ("better", "worse", "different")
    beaten = [
        labels[contrast.baseline if contrast.run == best else contrast.run]
        for contrast in mine
        if contrast.verdict in shown
    ]
    head = f"{labels[best]} has the {word} {one.spec.name}"
    if not beaten:
        return f"{head}, but no difference from any other run is shown."
    if len(beaten) == len(mine):
        return f"{head}, and the difference from every other run is shown."
    that, verb = ("that", "is") if len(beaten) == 1 else ("those", "are")
    return f"{head}; of its differences from {len(mine)} others, {that} from {listed(beaten)} {verb} shown."


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; of many, the number of those left out."""
    if len(words) > MOST_NAMED:
        words = [*words[: MOST_NAMED - 1], f"{len(words) - MOST_NAMED + 1} more"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
