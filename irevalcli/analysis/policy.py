"""The options that decide numbers, and what follows from them for judgments, measures and rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.further_grades import name_of_grades
from irevalcli.index.order import TieRule
from irevalcli.index.scan import RunRules
from irevalcli.index.subtopics import has_subtopics
from irevalcli.measures.families import all_measures
from irevalcli.reading.formats import AUTO
from irevalcli.reading.sniffing import run_format_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.index.judgments import Judgments
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import MeasureSpec, Needs
    from irevalcli.reading.opening import Source

Ties = Literal["docid-desc", "docid-asc", "rank", "file", "best", "worst", "average"]


class Policy(NamedTuple):
    """The options that decide numbers, for all runs of a call.

    Attributes:
        level: lowest grade that counts as relevant, for measures that are not given `rel` themselves.
        judged_only: leave unjudged documents out of the rankings.
        depth: ranks kept of every ranking, or None.
        ties: how documents with equal scores are put in order; with ``average`` every value is the mean of all orders.
        missing: what becomes of a judged query that the run lacks.
        no_relevant: what becomes of a query without relevant documents.
        negative: what a negative grade means.
        exclude_self: leave out documents with the id of their query.
        collection_size: number of documents in the collection, for measures that need it.
        queries: the only queries that count, or None for all.
        qrels_format: name of the format of the judgments, or ``auto``.
        grades: further grades of the documents: a name and a qrels file for each.
        popularity: the file of how often documents were chosen, or None.
        baseline: the label of the run that others are compared with, or None.
        run_format: name of the format of the runs, or ``auto``.
        on_error: what becomes of a run with faulty lines: it cannot be used, or these lines are left out.
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
    qrels_format: str = "auto"
    grades: tuple[tuple[str, str], ...] = ()
    popularity: str | None = None
    baseline: str | None = None
    run_format: str = "auto"
    on_error: Literal["stop", "skip"] = "stop"


DEFAULTS = Policy()


class Asked(NamedTuple):
    """A measure and how the user spelt it."""

    spec: MeasureSpec
    given: str


def shown(policy: Policy) -> dict[str, str | int | float | bool | dict[str, str] | None]:
    """The policy as output shows it: of the queries, their number; of further grades, the file by name."""
    queries = None if policy.queries is None else len(policy.queries)
    return policy._replace(queries=None, grades=())._asdict() | {"queries": queries, "grades": dict(policy.grades)}


def tie_rule(policy: Policy) -> TieRule:
    """How the run is read; the best and the worst order are made from it afterwards."""
    if policy.ties in {"rank", "file"}:
        return TieRule(by=policy.ties)
    return TieRule(docid_descending=policy.ties != "docid-asc")


def run_rules(policy: Policy, source: Source, *, top: int = 0) -> RunRules:
    """How a run is read, which stays at its first byte.

    Args:
        policy: the options of the call.
        source: the run.
        top: how many documents at the top of every ranking are kept, judged or not.

    Raises:
        InputProblem: the source cannot be read, or contradicts the format that it is said to have.
        MissingExtra: an optional package is needed to read it.
    """
    return RunRules(
        tie_rule(policy),
        format=run_format_of(source, policy.run_format),
        exclude_self=policy.exclude_self,
        top=top,
        skip=policy.on_error == "skip",
    )


def prepared(ranking: Ranking, policy: Policy) -> Ranking:
    """The ranking that measures see: ties resolved, then cut to the depth, then without unjudged documents."""
    if policy.ties in ("best", "worst"):
        ranking = ranking.extreme_ties(best=policy.ties == "best")
    if policy.depth is not None:
        ranking = ranking.truncated(policy.depth, whole_ties=policy.ties == "average")
    return ranking.judged_only() if policy.judged_only else ranking


def filled(asked: Asked, judgments: Judgments, policy: Policy) -> Asked:
    """The measure with what it leaves to the judgments and to run-wide options put into its parameters."""
    spec = asked.spec
    values = spec.parameters
    if policy.collection_size and not values.get("collection_size", True):
        values["collection_size"] = policy.collection_size
    if spec.measure.scales_by_highest_grade(values):
        values["max_rel"] = float(judgments.grade.max(initial=0.0)) or 1.0
    if spec.measure.needs == "further_grades":
        values["grades"] = name_of_grades(spec.measure.name, values["grades"], judgments.further_grades)
    return Asked(spec._replace(values=tuple(values.values())), asked.given)


_OFFERS: dict[str, set[Needs]] = {
    "qrels_jg": {"any", "document_lists", "hits", "further_grades", "groups"},
    "prefs": {"any", "document_lists", "preferences"},
    "qrels_prefs": {"any", "document_lists", "preferences"},
}
"""What measures may need that judgments of a format have; those of all other formats have one grade for a document."""
_GRADES_ALONE: set[Needs] = {"any", "document_lists", "hits", "further_grades"}
_FORMATS = {"hits": "qrels", "further_grades": "qrels", "groups": "qrels_jg", "preferences": "prefs"}


def has_grades(qrels_format: str) -> bool:
    """Whether judgments of this format grade documents, instead of preferring some to others."""
    return "hits" in _OFFERS.get(qrels_format, _GRADES_ALONE)


def check_needs(measures: Sequence[Asked], qrels_format: str, judgments: Judgments) -> None:
    """Nothing, if the judgments offer what every measure needs.

    Raises:
        UsageProblem: with the format that would.
    """
    offers = set(_OFFERS.get(qrels_format, _GRADES_ALONE))
    if "hits" in offers and has_subtopics(judgments):
        offers.add("subtopics")
    name_of_format = "qrels" if qrels_format == AUTO else qrels_format
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
            f"{spec.name} needs judgments of the format {_FORMATS[needs]}, not {name_of_format}",
            hints=(f"if the file has that format: --qrels-format {_FORMATS[needs]}",),
        )


def check_rules(measures: Sequence[Asked], policy: Policy) -> None:
    """Nothing, if every measure goes together with the rules on ties, depth and unjudged documents.

    Raises:
        UsageProblem: one does not.
    """
    for spec, _ in measures:
        if policy.judged_only and spec.bound is not None:
            raise UsageProblem(f"{spec.name}: with --judged-only there is nothing unjudged that bound= is about")
        if policy.ties != "average":
            continue
        if spec.bound is not None or spec.measure.tie_average is None:
            names = [record.name for record in all_measures().values() if record.tie_average is not None]
            raise UsageProblem(
                f"--ties average: no closed form is known for {spec.name}",
                hints=(f"there is one for {', '.join(names)}", "--ties best and --ties worst work for every measure"),
            )
        if policy.depth is not None and (policy.judged_only or spec.judged_only):
            raise UsageProblem("--ties average: no closed form is known for --depth together with judged-only rankings")


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
