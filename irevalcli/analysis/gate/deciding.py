"""Rules that need no baseline, or only values of single queries: bounds, judged documents, coverage, lost queries."""

from __future__ import annotations

from operator import ge, gt, le, lt
from typing import TYPE_CHECKING

from irevalcli.analysis.gate.exceptions import Exceptions
from irevalcli.analysis.gate.pairing import SLACK
from irevalcli.analysis.gate.verdicts import MOST_WORST, Verdict
from irevalcli.analysis.gate.wording import id_text, plain, signed, telling
from irevalcli.analysis.notes import counted, some
from irevalcli.errors import InputProblem

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from irevalcli.analysis.gate.pairing import Pairing
    from irevalcli.analysis.gate.rules import GateRule, Relation
    from irevalcli.analysis.gate.verdicts import Outcome, QueryDrop
    from irevalcli.analysis.scores import Coverage

_HOLDS: dict[Relation, Callable[[float, float], bool]] = {">=": ge, ">": gt, "<=": le, "<": lt}
_BROKEN: dict[Relation, str] = {">=": "<", ">": "≤", "<=": ">", "<": "≥"}


def held(rule: GateRule, measure: str) -> Verdict:
    """The verdict of a rule that holds, with nothing found yet."""
    return Verdict(
        rule, "pass", measure, value=None, baseline=None, difference=None, worst_plausible=None, margin=None,
        queries=0, deviation=None, queries_to_decide=None, p=None, decided_by="", found="", details=(), worst=(),
    )  # fmt: skip


def breach(rule: GateRule) -> Outcome:
    """What it is called if the rule does not hold."""
    return "fail" if rule.level == "error" else "warn"


def decide_bound(rule: GateRule, measure: str, value: float | None, queries: int, *, whole: bool = False) -> Verdict:
    """Whether an aggregate keeps to a limit; one that equals it does, for ``>=`` and ``<=``.

    Args:
        rule: of kind ``bound`` or ``min-judged``.
        measure: canonical name.
        value: the aggregate, or None if the run has none.
        queries: that it is made of.
        whole: it is a whole number.

    Raises:
        InputProblem: the run has no value.
    """
    if value is None:
        raise InputProblem(f"{rule.origin}: {measure} has no value for these queries")

    def holds(shown: float) -> bool:
        return _HOLDS[rule.relation](rule.limit if abs(shown - rule.limit) <= SLACK else shown, rule.limit)

    text = f"{value:.0f}" if whole else plain(value, telling(value, holds))
    verdict = held(rule, measure)._replace(value=value, queries=queries, found=f"found {text}")
    if holds(value):
        return verdict
    found = f"found {text} {_BROKEN[rule.relation]} {limit_text(rule.limit)}"
    if rule.kind == "min-judged":
        found += ": new documents are not judged, scores may be too low"
    return verdict._replace(outcome=breach(rule), found=found)


def limit_text(limit: float) -> str:
    """A limit in as few digits as it needs."""
    return repr(float(limit)).removesuffix(".0")


def decide_missing(rule: GateRule, coverage: Coverage) -> Verdict:
    """Whether the run has as many of the judged queries as it must."""
    missing = len(coverage.missing)
    found = f"{coverage.judged - missing} of {coverage.judged}"
    verdict = held(rule, "")._replace(value=float(missing), queries=coverage.judged, found=found)
    if missing <= rule.limit:
        return verdict
    lacking = f"{found}: {counted(missing, 'judged query is', 'judged queries are')} missing ({some(coverage.missing)})"
    return verdict._replace(outcome=breach(rule), found=lacking)


def decide_query_drop(rule: GateRule, measure: str, pairing: Pairing, today: date) -> Verdict:
    """Whether any query lost more than it may, those apart that an exception passes over."""
    exceptions = Exceptions.on(today, rule.allow)
    losses = [lost._replace(allowed=exceptions.reasons.get(lost.qid, "")) for lost in pairing.losses()]
    excess = [lost for lost in losses if lost.drop > rule.limit + SLACK]
    broken = [lost for lost in excess if not lost.allowed]
    used = [lost.qid for lost in excess if lost.allowed]
    verdict = held(rule, measure)._replace(
        margin=rule.limit,
        queries=len(pairing.qids),
        details=tuple(exceptions.told(used, pairing.qids)),
        worst=tuple((broken + [lost for lost in losses if lost not in broken])[:MOST_WORST]),
    )
    if broken:
        first, *others = broken
        more = f", and {counted(len(others), 'further query', 'further queries')}" if others else ""
        return verdict._replace(outcome=breach(rule), found=_lost(first, rule.limit) + more)
    kept = [lost for lost in losses if lost.drop <= rule.limit + SLACK]
    if not kept:
        found = f"no query lost, of {len(pairing.qids)}" if not losses else "no other query lost"
        return verdict._replace(found=found)
    return verdict._replace(found=f"at most {_lost(kept[0], rule.limit)}")


def _lost(lost: QueryDrop, limit: float) -> str:
    """``135802 −0.2627 (0.7492 → 0.4865)``."""
    digits = telling(lost.drop, lambda shown: shown > limit + SLACK)
    values = " → ".join(plain(value, digits) for value in (lost.before, lost.now))
    return f"{id_text(lost.qid)} {signed(lost.now - lost.before, digits)} ({values})"
