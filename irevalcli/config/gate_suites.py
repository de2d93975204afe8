"""The suites and rules of the gate, as the configuration file has them."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.gate.parsing import (
    PLAIN,
    bound,
    max_drop,
    max_missing_rule,
    max_query_drop,
    min_judged_rule,
)
from irevalcli.analysis.gate.rules import Allowance
from irevalcli.config.keys import DEMANDS
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from irevalcli.analysis.gate.parsing import Terms
    from irevalcli.analysis.gate.rules import GateRule
    from irevalcli.config.configuration import Configuration
    from irevalcli.config.sections import Section


_OWN = ("decide", "alpha", "level")
"""What a rule may say of itself."""


class Suite(NamedTuple):
    """A set of judgments with its runs, as the file has it. What a suite lacks is taken from above it.

    Attributes:
        name: of the suite; "" if the file has no suites, and this one is made of ``[check]`` and the top.
        qrels: path of the judgments, or "".
        baseline: path of the baseline, or "".
        runs: as on the command line.
        measures: as on the command line.
        rules: what must hold.
        origin: where it is written, or "".
    """

    name: str
    qrels: str
    baseline: str
    runs: tuple[str, ...]
    measures: tuple[str, ...]
    rules: tuple[GateRule, ...]
    origin: str


def suites_of(configuration: Configuration, terms: Terms = PLAIN, given: Collection[str] = ()) -> tuple[Suite, ...]:
    """The suites of the file in order; if it has none, the one that its other keys make.

    Args:
        configuration: the file.
        terms: what a rule has that does not say otherwise.
        given: those of ``decide`` and ``alpha`` that the command line gave, which goes before what rules say.

    Raises:
        UsageProblem: a rule cannot be, or two suites have one name.
    """
    top, check = configuration.top, configuration.check
    whole = Suite(
        "",
        top.get("qrels", ""),
        check.get("baseline", ""),
        tuple(check.get("runs", ())),
        tuple(top.get("measures", ())),
        _rules(configuration, check, terms, given),
        configuration.origin(check.line) if check.line else "",
    )
    suites = tuple(
        _suite(configuration, section, whole, partial(_rules, configuration, terms=terms, given=given))
        for section in top.get("suite", ())
    )
    names = [suite.name for suite in suites]
    for suite in suites:
        if names.count(suite.name) > 1:
            raise UsageProblem(f"{suite.origin}: {names.count(suite.name)} suites are called {suite.name}")
    return suites or (whole,)


def _suite(
    configuration: Configuration, section: Section, whole: Suite, rules: Callable[[Section], tuple[GateRule, ...]]
) -> Suite:
    return Suite(
        section.get("name"),
        section.get("qrels", whole.qrels),
        section.get("baseline", whole.baseline),
        tuple(section.get("runs", whole.runs)),
        tuple(section.get("measures", whole.measures)),
        rules(section) if "rules" in section.settings else whole.rules,
        configuration.origin(section.line),
    )


def _rules(
    configuration: Configuration, section: Section, terms: Terms, given: Collection[str]
) -> tuple[GateRule, ...]:
    return tuple(_rule(configuration, rule, terms, given) for rule in section.get("rules", ()))


def _rule(configuration: Configuration, rule: Section, terms: Terms, given: Collection[str]) -> GateRule:
    own = {name: rule.get(name) for name in _OWN if name in rule.settings and name not in given}
    terms = terms._replace(**own, allow=_allowances(rule.get("allow", ())))
    origin = configuration.origin(rule.line)
    demand = next(key.name for key in DEMANDS if key.name in rule.settings)
    limit, measure = rule.get(demand), rule.get("measure", "")
    match demand:
        case "min":
            return bound(measure, ">=", limit, origin, terms)
        case "max":
            return bound(measure, "<=", limit, origin, terms)
        case "max-drop":
            return max_drop(measure, limit, origin, terms)
        case "max-query-drop":
            return max_query_drop(measure, limit, origin, terms)
        case "min-judged":
            return min_judged_rule(limit, origin, terms)
        case _:
            return max_missing_rule(limit, origin, terms)


def _allowances(sections: tuple[Section, ...]) -> tuple[Allowance, ...]:
    return tuple(
        Allowance(tuple(map(os.fsencode, allow.get("queries"))), allow.get("reason"), allow.get("until"))
        for allow in sections
    )
