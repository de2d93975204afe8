"""The whole comparison as one JSON object: what was done, on which queries, and what came out. Schema 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli import __version__
from irevalcli.analysis.conclusion import conclusion
from irevalcli.output.comparison_rows import claim_word
from irevalcli.output.comparison_text import names_of
from irevalcli.output.id_text import decoded, escaped
from irevalcli.output.json_object import coverage_object, definition
from irevalcli.output.json_text import written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from irevalcli.analysis.compare import Compared, Comparison
    from irevalcli.analysis.contrasts import Claims, ClassDifference, Contrast
    from irevalcli.analysis.scores import Scores
    from irevalcli.output.registry import Layout
    from irevalcli.stats.results import Caveat

SCHEMA = 1
"""Rises when a reader of the object would have to change."""


def render(comparison: Comparison, layout: Layout, *, verbose: bool = False) -> Iterator[bytes]:
    """The object; its upper levels are indented, and a contrast stands on one line."""
    del verbose
    evaluation = comparison.evaluation
    head = {
        "schema": SCHEMA,
        "tool": {"name": "irevalcli", "version": __version__},
        "qrels": {"path": evaluation.qrels_path, "sha256": evaluation.qrels_sha256},
        "options": evaluation.options,
        "notes": [note._asdict() for note in evaluation.notes],
        "statistics": _statistics(comparison),
        "queries": [decoded(qid) for qid in comparison.qids],
        "caveats": _caveats(comparison.caveats),
        "conclusion": conclusion(comparison),
    }
    yield escaped("{\n" + "".join(f"  {written(key)}: {written(value)},\n" for key, value in head.items()))
    runs = [f"    {written(_run(run))}" for run in evaluation.runs]
    yield escaped('  "runs": [\n' + ",\n".join(runs) + "\n  ],\n")
    names = names_of(comparison, layout)
    measures = [_measure(comparison, one, name) for name, one in zip(names, comparison.measures, strict=True)]
    yield escaped('  "measures": [\n' + ",\n".join(measures) + "\n  ]\n}\n")


def _statistics(comparison: Comparison) -> dict[str, object]:
    """Everything that was done."""
    settings, contrasts = comparison.settings, [c for one in comparison.measures for c in one.contrasts]
    return {
        "test": settings.test,
        "alternative": "two-sided",
        "methods": sorted({contrast.method for contrast in contrasts}),
        "interval": sorted({contrast.interval for contrast in contrasts if contrast.interval}),
        "confidence": 1 - settings.alpha,
        "alpha": settings.alpha,
        "queries": len(comparison.qids),
        "query_set": "queries for which every run has scores",
        "queries_left_out": comparison.left_out,
        "resamples": next((contrast.resamples for contrast in contrasts), None),
        "seed": next((contrast.seed for contrast in contrasts), None),
        "correction": comparison.family.correction,
        "controls": comparison.family.controls,
        "family": {"tests": comparison.family.tests, "scope": comparison.family.scope},
        "interactions": comparison.interactions,
        "queries_without_class": comparison.unclassed,
        "baselines": [comparison.labels[place] for place in comparison.baselines],
        "all_pairs": settings.all_pairs,
        "margin": settings.margin,
        "tolerance": settings.tolerance,
    }


def _run(run: Scores) -> dict[str, object]:
    return {
        "label": run.label,
        "path": run.path,
        "tag": decoded(run.tag),
        "sha256": run.sha256,
        "coverage": coverage_object(run),
        "notes": [note._asdict() for note in run.notes],
    }


def _measure(comparison: Comparison, one: Compared, name: str) -> str:
    """A measure with its contrasts, one on each line."""
    labels = comparison.labels
    facts: dict[str, Any] = definition(name, one.spec, one.given) | {
        "means": dict(zip(labels, one.means, strict=True)),
        "judged": {"cutoff": one.judged_depth, "shares": dict(zip(labels, one.judged, strict=True))}
        if one.judged
        else None,
        "anova": _anova(one),
        "caveats": _caveats(one.caveats),
    }
    lines = [f"      {written(key)}: {written(value)}" for key, value in facts.items()]
    contrasts = [f"        {written(_contrast(comparison, contrast))}" for contrast in one.contrasts]
    lines.append('      "comparisons": [\n' + ",\n".join(contrasts) + "\n      ]")
    return "    {\n" + ",\n".join(lines) + "\n    }"


def _anova(one: Compared) -> dict[str, object] | None:
    if one.anova is None:
        return None
    return {
        "systems": one.anova.systems._asdict() | {"p_corrected": one.anova_p},
        "queries": one.anova.queries._asdict(),
        "residual": one.anova.residual._asdict(),
    }


def _contrast(comparison: Comparison, contrast: Contrast) -> dict[str, object]:
    interaction = contrast.interaction
    return {
        "run": comparison.labels[contrast.run],
        "baseline": comparison.labels[contrast.baseline],
        "difference": contrast.difference + 0.0,
        "interval": [contrast.low, contrast.high],
        "p": contrast.p,
        "p_corrected": contrast.adjusted,
        "statistic": {"name": contrast.statistic_name, "value": contrast.statistic, "df": contrast.df},
        "method": contrast.method,
        "resamples": contrast.resamples,
        "seed": contrast.seed,
        "effect": contrast.effect,
        "win": contrast.win,
        "tie": contrast.tie,
        "loss": contrast.loss,
        "verdict": contrast.verdict,
        "identical": contrast.identical,
        "usually_missed_below": contrast.detectable,
        "margin": None if contrast.claims is None else _claims(contrast.claims),
        "classes": [_class(part) for part in contrast.classes],
        "interaction": None if interaction is None else interaction._asdict() | {"p_corrected": contrast.interaction_p},
        "caveats": _caveats(contrast.caveats),
    }


def _claims(claims: Claims) -> dict[str, object]:
    """The claims about a margin; differences are gains here, higher being better whatever the measure."""
    return {
        "decision": claim_word(claims),
        "margin": claims.non_inferiority.margin,
        "non_inferiority": {"decision": claims.non_inferiority.decision, "p": claims.non_inferiority.p},
        "equivalence": {"decision": claims.equivalence.decision, "p": claims.equivalence.p},
        "worst_plausible": claims.non_inferiority.low,
        "best_plausible": claims.non_inferiority.high,
        "queries_that_decide": claims.queries,
    }


def _class(part: ClassDifference) -> dict[str, object]:
    interval = part.interval
    return {
        "class": part.name,
        "queries": interval.queries,
        "difference": interval.estimate,
        "interval": [interval.low, interval.high],
        "win": part.win,
        "tie": part.tie,
        "loss": part.loss,
        "caveats": _caveats(interval.caveats),
    }


def _caveats(caveats: Iterable[Caveat]) -> list[dict[str, str]]:
    return [caveat._asdict() for caveat in caveats]
