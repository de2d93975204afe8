"""What a gate found, as gauges in OpenMetrics' text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.gate.verdicts import OUTCOMES
from irevalcli.output.gate_text import parts, rule_names
from irevalcli.output.openmetrics import Gauge, Sample, openmetrics_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.gate.verdicts import GateReport, Verdict
    from irevalcli.output.registry import Layout

_PREFIX = "irevalcli_check"


class _Family(NamedTuple):
    """A number of a verdict, under the name that its family has."""

    attribute: str
    name: str
    help: str
    decimals: int = 6


_OF_MEASURES = (
    _Family("value", "score", "What the rule looked at: the aggregate of the measure."),
    _Family("baseline", "baseline_score", "The same of the baseline."),
)
_MISSING = _Family("value", "missing_queries", "How many judged queries the run lacks.", 0)
_OF_RULES = (
    _Family("difference", "difference", "Run minus baseline."),
    _Family("worst_plausible", "worst_plausible_difference", "One-sided bound of the difference on its bad side."),
    _Family("margin", "margin", "The greatest drop that is allowed, in units of the measure."),
    _Family("queries", "queries", "How many queries the decision rests on.", 0),
    _Family("queries_to_decide", "queries_to_decide", "About how many queries would decide it.", 0),
)


class _Row(NamedTuple):
    """A verdict with the labels of its run and of itself."""

    verdict: Verdict
    run: dict[str, str]
    rule: dict[str, str]


def render(report: GateReport, layout: Layout) -> Iterator[bytes]:
    """The text: whether the gate passed, how many rules did, then every outcome and number."""
    del layout
    yield from (line.encode() for line in openmetrics_lines(_gauges(report)))


def _gauges(report: GateReport) -> Iterator[Gauge]:
    yield Gauge(f"{_PREFIX}_passed", "Whether the change may ship: 1 or 0.", [Sample({}, report.passed)], 0)
    counts = [Sample({"outcome": outcome}, report.count(outcome)) for outcome in OUTCOMES]
    yield Gauge(f"{_PREFIX}_rules", "How many rules have this outcome.", counts, 0)
    rows = list(_rows(report))
    outcomes = [
        Sample(row.rule | {"outcome": outcome}, row.verdict.outcome == outcome) for row in rows for outcome in OUTCOMES
    ]
    yield Gauge(f"{_PREFIX}_outcome", "Whether the rule has this outcome: 1 or 0.", outcomes, 0)
    for family in _OF_MEASURES:
        yield _gauge(family, [(row.run | {"measure": row.verdict.measure}, row) for row in rows if row.verdict.measure])
    yield _gauge(_MISSING, [(row.run, row) for row in rows if row.verdict.rule.kind == "max-missing"])
    for family in _OF_RULES:
        yield _gauge(family, [(row.rule, row) for row in rows])


def _rows(report: GateReport) -> Iterator[_Row]:
    for part in parts(report):
        run = ({"suite": part.suite.name} if part.suite.name else {}) | {"run": part.run.label}
        for verdict, name in zip(part.run.verdicts, rule_names(part.run.verdicts), strict=True):
            yield _Row(verdict, run, run | {"rule": name})


def _gauge(family: _Family, rows: list[tuple[dict[str, str], _Row]]) -> Gauge:
    """The family, without values that are not known; of several rules on a measure the first has its value."""
    samples: dict[tuple[str, ...], Sample] = {}
    for labels, row in rows:
        value = getattr(row.verdict, family.attribute)
        if value is not None and math.isfinite(value):
            samples.setdefault(tuple(labels.values()), Sample(labels, value))
    return Gauge(f"{_PREFIX}_{family.name}", family.help, list(samples.values()), family.decimals)
