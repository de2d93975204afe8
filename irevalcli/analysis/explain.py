"""How a number came about: a measure of one query, rank by rank."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.alternatives import alternatives
from irevalcli.analysis.explainable import require_terms
from irevalcli.analysis.further_inputs import check_further_inputs, load_further_inputs
from irevalcli.analysis.inputs import load_qrels, load_run
from irevalcli.analysis.listing import listing_of
from irevalcli.analysis.notes import some
from irevalcli.analysis.policy import check_needs, filled, prepared, shown
from irevalcli.analysis.swapped import refuse_swapped
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.reading.faults import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.alternatives import Alternative
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.inputs import LoadedQrels
    from irevalcli.analysis.listing import Listing
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.analysis.scores import Note
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.measures.terms import Amount, Terms


class Step(NamedTuple):
    """A rank of a ranking and what it adds.

    Attributes:
        rank: from 1.
        docid: None beyond the end of the ranking, where only the ideal goes on.
        score: None likewise.
        grade: None if the qrels do not have the document; negative if it was pooled, but not judged.
        quantities: what the contribution is made of, in the order of the explanation's `quantities`; whole numbers are
            integers. Empty beyond the end of the ranking.
        contribution: what the rank adds to the sum.
        total: the sum down to here.
        value: the measure if no later rank added anything.
        ideal_gain, ideal_contribution: what stands at this rank of the ideal ranking, and what it adds; None beyond its
            end, or if there is no such ranking.
        ideal_total: the sum of an ideal ranking down to here; None if there is none.
    """

    rank: int
    docid: bytes | None
    score: float | None
    grade: float | None
    quantities: tuple[float, ...]
    contribution: float
    total: float
    value: float
    ideal_gain: float | None = None
    ideal_contribution: float | None = None
    ideal_total: float | None = None


class Named(NamedTuple):
    """A number and what it is."""

    name: str
    value: float


class Explanation(NamedTuple):
    """How a measure of a query came about.

    Attributes:
        spec: the measure.
        given: as the user spelt it.
        value: what it comes to.
        quantities: the names of what contributions are made of.
        steps: the ranks, in order; some may be left out, see `explain`.
        total: the sum of all contributions.
        factor: what the sum is multiplied with, or None.
        divisor: what it is divided by then, or None.
        addend: what is added at last, or None.
        ideal: whether there is an ideal ranking beside.
        alternatives: what other definitions give.
    """

    spec: MeasureSpec
    given: str
    value: float
    quantities: tuple[str, ...]
    steps: tuple[Step, ...]
    total: Named
    factor: Named | None
    divisor: Named | None
    addend: Named | None
    ideal: bool
    alternatives: tuple[Alternative, ...]


class Explained(NamedTuple):
    """The explanations of a query's measures.

    Attributes:
        qrels_path: the judgments.
        run: the run.
        query: the qid.
        retrieved: number of documents that the run has for it, after all options.
        options: the options that decide numbers.
        explanations: one for each measure.
        notes: what should be known about the files.
    """

    qrels_path: str
    run: NamedRun
    query: bytes
    retrieved: int
    options: dict[str, str | int | float | bool | dict[str, str] | None]
    explanations: tuple[Explanation, ...]
    notes: tuple[Note, ...]


def explain(  # noqa: PLR0917  (the two files, the query, the question)
    qrels: str, run: NamedRun, query: bytes, measures: Sequence[Asked], policy: Policy, top: int
) -> Explained:
    """How each measure of one query came about.

    Args:
        qrels: the judgments, a path or ``-``.
        run: the run.
        query: the qid.
        measures: what to explain.
        policy: the options that decide numbers.
        top: every rank is told down to here; further down, those of judged documents and those that add something.

    Raises:
        UsageProblem: a measure is no sum over ranks, or qrels or run lack the query.
        InputProblem: a file cannot be used.
    """
    if policy.ties == "average":
        raise UsageProblem(
            "--ties average puts documents in no single order, and so at no ranks that could be explained"
        )
    for asked in measures:
        require_terms(asked.spec)
    check_further_inputs(measures, policy)
    needs = {asked.spec.measure.needs for asked in measures}
    merged = not needs.isdisjoint({"hits", "further_grades"})
    try:
        judged = load_qrels(qrels, policy, subtopics="subtopics" in needs, merged=merged)
    except InputProblem:
        refuse_swapped(qrels, [run])
        raise
    check_needs(measures, policy.qrels_format, judged.judgments)
    further = load_further_inputs(judged.judgments, policy, judged.name, digest=False)
    if policy.negative == "nonrelevant":
        judged.judgments.set_grades(np.maximum(judged.judgments.grade, 0))
    index = index_of(query, judged)
    loaded = load_run(run.path, judged.judgments, policy, label=run.label, qrels_name=judged.name, documents_of=index)
    if not loaded.ranking.answered[index]:
        raise UsageProblem(
            f"{run.label} has no document for query {quoted(query)}",
            hints=("evaluate counts such a query as 0, unless --missing says otherwise",),
        )
    one = loaded.ranking.only(index)
    ranking = prepared(one, policy)
    explanations = []
    for asked in measures:
        spec = filled(asked, judged.judgments, policy).spec
        listing = listing_of(judged.judgments, loaded.documents or [], spec.seen(ranking), index)
        value = float(spec.compute(ranking)[index])
        others = alternatives(asked, one, index, policy)
        explanations.append(_explanation(spec, asked.given, value, listing, top)._replace(alternatives=others))
    notes = (*judged.notes, *further.notes, *loaded.notes)
    return Explained(qrels, run, query, int(ranking.retrieved[index]), shown(policy), tuple(explanations), notes)


def index_of(query: bytes, judged: LoadedQrels) -> int:
    """The index of a query in the judgments.

    Raises:
        UsageProblem: they lack it; the hint says what was probably meant.
    """
    qids = judged.judgments.qids
    if query in qids:
        return qids.index(query)
    names = [qid.decode("utf-8", "replace") for qid in qids]
    close = get_close_matches(query.decode("utf-8", "replace"), names, 1)
    meant = f"did you mean {close[0]}?" if close else f"queries there: {some(qids)}"
    raise UsageProblem(f"{judged.name} has no judgments for query {quoted(query)}", hints=(meant,))


def _explanation(spec: MeasureSpec, given: str, value: float, listing: Listing, top: int) -> Explanation:
    ranking, query = listing.ranking, listing.query
    decompose = spec.measure.terms
    terms: Terms = decompose(ranking, **spec.parameters)  # type: ignore[misc]
    factor, divisor = amount_of(terms.factor, query), amount_of(terms.divisor, query)
    addend = amount_of(terms.addend, query)
    rest = addend.value if addend else 0.0
    total = np.add.accumulate(terms.terms)
    steps = _steps(spec, terms, listing, top)
    return Explanation(
        spec,
        given,
        value,
        tuple(quantity.name for quantity in terms.quantities),
        tuple(step._replace(value=rest + scaled(step.total, factor, divisor)) for step in steps),
        Named(terms.total, float(total[-1]) if total.size else 0.0),
        factor,
        divisor,
        addend,
        terms.ideal is not None,
        (),
    )


def amount_of(amount: Amount | None, query: int) -> Named | None:
    """A factor, divisor or addend of one query."""
    if amount is None:
        return None
    values = np.asarray(amount.values)
    return Named(amount.name, (values[query] if values.ndim else values).item())


def scaled(total: float, factor: Named | None, divisor: Named | None) -> float:
    """What a sum, or a part of it, comes to."""
    if factor is not None:
        total = factor.value * total
    if divisor is not None:
        total = total / divisor.value if divisor.value else 0.0
    return total


def _steps(spec: MeasureSpec, terms: Terms, listing: Listing, top: int) -> list[Step]:
    """The ranks that are told, their values still to be scaled."""
    ranking, documents = listing.ranking, listing.documents
    cutoff = spec.parameters.get("cutoff") or max(len(documents), top)
    told = (ranking.rank <= top) | (ranking.listed >= 0)
    told &= ranking.rank <= cutoff
    told |= terms.terms != 0
    total = np.add.accumulate(terms.terms).tolist()
    columns = [quantity.values.tolist() for quantity in terms.quantities]
    contribution, grade, listed = terms.terms.tolist(), ranking.grade.tolist(), ranking.listed.tolist()
    steps = [
        Step(
            place + 1,
            *documents[place],
            grade[place] if listed[place] >= 0 else None,
            tuple(column[place] for column in columns),
            contribution[place],
            total[place],
            0.0,
        )
        for place in np.flatnonzero(told).tolist()
    ]
    return steps if terms.ideal is None else _beside_ideal(steps, terms, listing, min(top, cutoff))


def _beside_ideal(steps: list[Step], terms: Terms, listing: Listing, last: int) -> list[Step]:
    """The steps with the ideal ranking beside them, and down to `last` those that only the ideal ranking has."""
    if terms.ideal is None:
        return steps
    here = terms.ideal.query == listing.query
    gain, contribution = terms.ideal.gain[here].tolist(), terms.ideal.terms[here].tolist()
    total = np.add.accumulate(terms.ideal.terms[here]).tolist()
    reached = steps[-1].total if steps else 0.0
    retrieved = len(listing.documents)
    beyond = [
        Step(rank, None, None, None, (), 0.0, reached, 0.0) for rank in range(retrieved + 1, min(len(gain), last) + 1)
    ]
    return [
        step._replace(
            ideal_gain=gain[step.rank - 1] if step.rank <= len(gain) else None,
            ideal_contribution=contribution[step.rank - 1] if step.rank <= len(gain) else None,
            ideal_total=total[min(step.rank, len(total)) - 1] if total else 0.0,
        )
        for step in [*steps, *beyond]
    ]
