"""Rules on how far an aggregate may fall below the baseline's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.gate.deciding import breach, held, limit_text
from irevalcli.analysis.gate.pairing import SLACK, Pairing, Values
from irevalcli.analysis.gate.parsing import is_mean_of_queries
from irevalcli.analysis.gate.verdicts import MOST_WORST
from irevalcli.analysis.gate.wording import in_brief, plain, signed, telling
from irevalcli.analysis.notes import counted
from irevalcli.errors import InputProblem
from irevalcli.stats.paired import t_test
from irevalcli.stats.plausible import Shape, best_plausible, queries_needed, shape_of, worst_plausible
from irevalcli.stats.sample import mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.gate.rules import GateRule
    from irevalcli.analysis.gate.verdicts import Verdict
    from irevalcli.measures.registry import MeasureSpec


class Drop(NamedTuple):
    """A rule on a drop, and what it is decided by.

    Attributes:
        rule: of kind ``max-drop``.
        spec: the measure.
        decided_by: ``point``, ``no-significant-drop`` or ``non-inferior``.
        now: the run's aggregate, over the paired queries if they decide.
        before: the baseline's, likewise.
        pairing: the values by query; None if only aggregates are compared.
        details: what should be known about the way of deciding.
    """

    rule: GateRule
    spec: MeasureSpec
    decided_by: str
    now: float
    before: float
    pairing: Pairing | None
    details: tuple[str, ...]

    @property
    def rising(self) -> bool:
        """Whether higher values are better."""
        return self.spec.higher_is_better is not False

    @property
    def margin(self) -> float:
        """The greatest drop that is allowed, in units of the measure."""
        return self.rule.limit * abs(self.before) if self.rule.relative else self.rule.limit

    @property
    def gain(self) -> float:
        """By how much the run is better; negative if it is worse."""
        return self.now - self.before if self.rising else self.before - self.now

    @property
    def p(self) -> float | None:
        """Of the one-sided paired t-test against no drop at all; None where it has no answer, or is not asked."""
        if self.decided_by != "no-significant-drop" or self.pairing is None:
            return None
        return t_test(self.pairing.gains, "less").p

    def as_change(self, gain: float) -> float:
        """A gain as run − baseline."""
        return (gain if self.rising else -gain) + 0.0


def drop_of(rule: GateRule, spec: MeasureSpec, now: Values, before: Values) -> Drop:
    """What a rule on a drop is decided by: the queries if there are values of single queries, else the aggregates.

    Raises:
        InputProblem: queries are to decide, and there are no values of single queries in common; or there is no value.
    """
    name = spec.name
    pairing = Pairing.of(now, before, rising=spec.higher_is_better is not False)
    by_query = pairing is not None and is_mean_of_queries(spec)
    decided_by = rule.decide if rule.decide != "auto" else "non-inferior" if by_query else "point"
    details: tuple[str, ...] = ()
    if decided_by != "point" and not by_query:
        raise InputProblem(
            f"{rule.origin}: {decided_by} needs values of single queries, and the baseline has none of {name}",
            hints=("irevalcli evaluate QRELS RUN --export baseline.json writes them",),
        )
    if by_query and pairing is not None:
        if not pairing.qids:
            raise InputProblem(f"{rule.origin}: run and baseline have no query with {name} in common")
        return Drop(rule, spec, decided_by, mean(pairing.now), mean(pairing.before), pairing, details)
    if now.aggregate is None or before.aggregate is None:
        lacking = "run" if now.aggregate is None else "baseline"
        raise InputProblem(f"{rule.origin}: {name} has no value in the {lacking}")
    if rule.decide == "auto":
        why = f"{name} is no mean over queries" if not is_mean_of_queries(spec) else "no values of single queries"
        details = (f"{why}: only the values are compared, which says nothing about chance",)
    return Drop(rule, spec, decided_by, now.aggregate, before.aggregate, pairing, details)


def decide_drop(drop: Drop, p: float | None = None, family: int = 0) -> Verdict:
    """Whether the run is at most as much worse as it may be.

    Args:
        drop: the rule and the values.
        p: corrected for the number of tests, for ``no-significant-drop``.
        family: their number.
    """
    # Of an aggregate measure the values of queries are parts of a sum, logarithms for example, and no losses.
    listed = drop.pairing is not None and drop.spec.measure.kind == "per_query"
    worst = tuple(drop.pairing.losses()[:MOST_WORST]) if drop.pairing and listed else ()
    verdict = held(drop.rule, drop.spec.name)._replace(
        value=drop.now,
        baseline=drop.before,
        difference=drop.as_change(drop.gain),
        margin=drop.margin,
        queries=len(drop.pairing.qids) if drop.pairing else 0,
        decided_by=drop.decided_by,
        details=drop.details,
        worst=worst,
    )
    if drop.pairing is None or drop.decided_by == "point":
        return _by_point(drop, verdict)
    shape = shape_of(drop.pairing.gains)
    bound = worst_plausible(shape, drop.rule.alpha)
    verdict = verdict._replace(
        deviation=shape.deviation, worst_plausible=None if bound is None else drop.as_change(bound)
    )
    if shape.spread == "identical":
        return verdict._replace(found=f"identical on {_all(shape.queries)}", p=p)
    if drop.decided_by == "no-significant-drop":
        return _by_significance(drop, verdict, p, family)
    return _by_bound(drop, verdict, shape)


def _by_point(drop: Drop, verdict: Verdict) -> Verdict:
    holds = _within(drop)
    digits = telling(drop.gain, holds)
    values = " → ".join(plain(value, digits) for value in (drop.before, drop.now))
    found = f"Δ {signed(drop.as_change(drop.gain), digits)} ({values})"
    if holds(drop.gain):
        return verdict._replace(found=found)
    return verdict._replace(outcome=breach(drop.rule), found=f"{found}: {_loss(drop)}")


def _by_bound(drop: Drop, verdict: Verdict, shape: Shape) -> Verdict:
    """By the plausible differences: the worst one within the margin, or even the best one beyond it."""
    rule, holds = drop.rule, _within(drop)
    low, high = worst_plausible(shape, rule.alpha), best_plausible(shape, rule.alpha)
    change = f"Δ {signed(drop.as_change(drop.gain))}"
    if low is None or high is None:
        return verdict._replace(outcome="undecided", found=f"{change} on a single query, which decides nothing")
    sure = f"{100 * (1 - rule.alpha):g}%"
    worst = f"{change}, worst plausible {signed(drop.as_change(low), telling(low, holds))}"
    if holds(low):
        return verdict._replace(found=f"{worst} ({sure})", details=(*verdict.details, *_shape_details(shape)))
    if not holds(high):
        found = f"{change}, best plausible {signed(drop.as_change(high), telling(high, holds))} ({sure}): {_loss(drop)}"
        details = (f"{_basis(shape)}", *_shape_details(shape))
        return verdict._replace(outcome=breach(rule), found=found, details=(*verdict.details, *details))
    needed = queries_needed(shape, drop.margin, rule.alpha)
    advice = (
        f"≈{needed} queries would decide it" if needed else "with a margin of 0 no number of queries shows equality"
    )
    return verdict._replace(
        outcome="undecided",
        found=f"{worst}: cannot rule out {_loss(drop)}",
        queries_to_decide=needed,
        details=(*verdict.details, f"{_basis(shape)}; {advice}", *_shape_details(shape)),
    )


def _by_significance(drop: Drop, verdict: Verdict, p: float | None, family: int) -> Verdict:
    """Breached by a drop beyond the margin that is significant; p is None where all queries changed alike, or one."""
    rule, holds = drop.rule, _within(drop)
    certain = p is None and verdict.queries > 1
    beyond = not holds(drop.gain)
    tests = f", Holm over {family} tests" if family > 1 else ""
    shown = "no test: all queries changed alike" if certain else "no test of a single query"
    if p is not None:
        digits = telling(p, lambda value: value < rule.alpha)
        shown = f"p {plain(p, digits)} (one-sided paired t-test{tests})"
    change = f"Δ {signed(drop.as_change(drop.gain), telling(drop.gain, holds))}"
    verdict = verdict._replace(p=p, found=f"{change}, {shown}")
    if beyond and (certain or (p is not None and p < rule.alpha)):
        return verdict._replace(outcome=breach(rule), found=f"{verdict.found}: {_loss(drop)}")
    if beyond and p is None:
        return verdict._replace(outcome="undecided")
    bound = verdict.worst_plausible
    if bound is None or holds(bound if drop.rising else -bound):
        return verdict
    warning = (
        f"not significant is not equal: worst plausible {signed(bound)}; decide = non-inferior would not pass this"
    )
    return verdict._replace(details=(*verdict.details, warning))


def _within(drop: Drop) -> Callable[[float], bool]:
    """Whether a gain is no loss beyond the margin; one of exactly the margin is not."""
    return lambda gain: gain >= -drop.margin - SLACK


def _loss(drop: Drop) -> str:
    word = "loss" if drop.rising else "rise"
    if not drop.rule.relative:
        return f"a {word} > {limit_text(drop.margin)}"
    return f"a {word} > {in_brief(drop.margin)} ({in_brief(100 * drop.rule.limit)}% of {plain(drop.before)})"


def _basis(shape: Shape) -> str:
    return f"{counted(shape.queries, 'query', 'queries')}, s.d. {in_brief(shape.deviation or 0.0)}"


def _shape_details(shape: Shape) -> tuple[str, ...]:
    """Why the bound is not Student's."""
    if shape.ordinary:
        return ()
    changed = round(shape.queries * (1 - shape.unchanged))
    lie = f"{changed} of {shape.queries} queries changed, skewness {signed(shape.skewness, 1)}"
    return (f"{lie}: bound corrected for that",)


def _all(queries: int) -> str:
    return "the only query" if queries == 1 else f"all {queries} queries"
