"""The options that decide numbers, and what follows from them for judgments, measures and rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.order import TieRule
from irevalcli.index.subtopics import has_subtopics
from irevalcli.measures.registry import MeasureSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Needs

Ties = Literal["docid-desc", "docid-asc", "rank", "file", "best", "worst"]


class Policy(NamedTuple):
    """The options that decide numbers, for all runs of a call.

    Attributes:
        level: lowest grade that counts as relevant, for measures that are not given `rel` themselves.
        judged_only: leave unjudged documents out of the rankings.
        depth: ranks kept of every ranking, or None.
        ties: how documents with equal scores are put in order.
        missing: what becomes of a judged query that the run lacks.
        no_relevant: what becomes of a query without relevant documents.
        negative: what a negative grade means.
        exclude_self: leave out documents with the id of their query.
        collection_size: number of documents in the collection, for measures that need it.
        queries: the only queries that count, or None for all.
        qrels_format: name of the format of the judgments.
    """

    level: float = 1
    judged_only: bool = False
    depth: int | None = None
    ties: Ties = "docid-desc"
    missing: Literal["zero", "skip", "error"] = "zero"
    no_relevant: Literal["zero", "skip"] = "zero"
    negative: Literal["unjudged", "nonrelevant"] = "unjudged"
    exclude_self: bool = False
    collection_size: int = 0
    queries: tuple[bytes, ...] | None = None
    qrels_format: str = "qrels"


DEFAULTS = Policy()


class Asked(NamedTuple):
    """A measure and how the user spelt it."""

    spec: MeasureSpec
    given: str


def shown(policy: Policy) -> dict[str, str | int | float | bool | None]:
    """The policy as output shows it: of the queries, their number."""
    queries = None if policy.queries is None else len(policy.queries)
    return {name: value for name, value in policy._asdict().items() if name != "queries"} | {"queries": queries}


def tie_rule(policy: Policy) -> TieRule:
    """How the run is read; the best and the worst order are made from it afterwards."""
    if policy.ties in {"rank", "file"}:
        return TieRule(by=policy.ties)
    return TieRule(docid_descending=policy.ties != "docid-asc")


def prepared(ranking: Ranking, policy: Policy) -> Ranking:
    """The ranking that measures see: ties resolved, then cut to the depth, then without unjudged documents."""
    if policy.ties in ("best", "worst"):
        ranking = ranking.extreme_ties(best=policy.ties == "best")
    if policy.depth is not None:
        ranking = ranking.truncated(policy.depth)
    return ranking.judged_only() if policy.judged_only else ranking


def filled(asked: Asked, judgments: Judgments, policy: Policy) -> Asked:
    """The measure with what it leaves to the judgments and to run-wide options put into its parameters."""
    spec = asked.spec
    values = spec.parameters
    if policy.collection_size and "collection_size" in values:
        values["collection_size"] = policy.collection_size
    if spec.measure.scales_by_highest_grade(values):
        values["max_rel"] = float(judgments.grade.max(initial=0.0)) or 1.0
    return Asked(MeasureSpec.of(spec.measure, **values), asked.given)


_OFFERS = {
    "qrels": {"any", "hits"},
    "qrels_jg": {"any", "hits", "groups"},
    "prefs": {"any", "preferences"},
    "qrels_prefs": {"any", "preferences"},
}
_FORMATS = {"hits": "qrels", "groups": "qrels_jg", "preferences": "prefs"}


def layout(needs: set[Needs], qrels_format: str) -> str:
    """The format by which the judgments are read: sub-topics stand where judgment groups do."""
    return "qrels_jg" if qrels_format == "qrels" and "subtopics" in needs else qrels_format


def check_needs(measures: Sequence[Asked], qrels_format: str, judgments: Judgments) -> None:
    """Nothing, if the judgments offer what every measure needs.

    Raises:
        UsageProblem: with the format that would.
    """
    offers = set(_OFFERS[qrels_format])
    if "hits" in offers and has_subtopics(judgments):
        offers.add("subtopics")
    for spec, _ in measures:
        needs = spec.measure.needs
        if needs in offers:
            continue
        if needs == "subtopics":
            raise UsageProblem(
                f"{spec.name} needs sub-topics in column 2 of the qrels",
                hints=("a line of such qrels is: qid subtopic docid grade",),
            )
        raise UsageProblem(
            f"{spec.name} needs judgments of the format {_FORMATS[needs]}, not {qrels_format}",
            hints=(f"if the file has that format: --qrels-format {_FORMATS[needs]}",),
        )


def check_preferences(ranking: Ranking, name: str) -> None:
    """Nothing, if the preferences of the judgments can be counted.

    Raises:
        InputProblem: with one finding for each query.
    """
    qids = ranking.judgments.qids  # type: ignore[attr-defined]
    findings = tuple(problem.finding(qids[problem.query], name) for problem in ranking.preferences.problems)
    if findings:
        raise InputProblem(f"{name} cannot be used", findings=findings)


def what_left_queries_out(policy: Policy) -> tuple[str, ...]:
    """A hint that names the options by which no query was left."""
    used = {
        "--queries": policy.queries is not None,
        "--missing skip": policy.missing == "skip",
        f"--no-relevant skip with --relevance {policy.level:g}": policy.no_relevant == "skip",
    }
    return (f"see {', '.join(name for name, applies in used.items() if applies)}",)
