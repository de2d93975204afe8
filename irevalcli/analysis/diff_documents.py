"""What changed from one ranking of a query to another, document by document."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.diff import DEFAULT_SETTINGS, require_numbers
from irevalcli.analysis.diff_without_qrels import joined
from irevalcli.analysis.explain import amount_of, index_of, scaled
from irevalcli.analysis.inputs import load_qrels, load_run
from irevalcli.analysis.listing import UNJUDGED, listing_of
from irevalcli.analysis.notes import counted
from irevalcli.analysis.policy import DEFAULTS, check_needs, filled, prepared, shown
from irevalcli.analysis.scores import Note
from irevalcli.analysis.swapped import refuse_swapped
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.reading.faults import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.diff import Settings
    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.inputs import LoadedQrels, LoadedRun
    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.opening import Source


class Moved(NamedTuple):
    """A document that either ranking has at its top.

    Attributes:
        docid: the document.
        grade: None if the qrels do not have it; negative if it was pooled, but not judged.
        first: its rank in the first ranking, from 1; None if that lacks it.
        second: likewise in the second.
        changes: for each measure what its contribution in the second ranking is more than that in the first; None for
            measures that are no sum over documents.
    """

    docid: bytes
    grade: float | None
    first: int | None
    second: int | None
    changes: tuple[float | None, ...]

    @property
    def judged(self) -> bool:
        """Whether it has a grade that counts as a judgment."""
        return self.grade is not None and self.grade >= 0


class Measured(NamedTuple):
    """A measure of the query in both rankings.

    Attributes:
        spec: the measure.
        given: as the user spelt it.
        first: its value in the first ranking.
        second: its value in the second.
        rest: what documents below the top of both rankings have to do with the change; None if the measure is no sum
            over documents.
    """

    spec: MeasureSpec
    given: str
    first: float
    second: float
    rest: float | None


class DocumentDifference(NamedTuple):
    """What changed in the ranking of a query.

    Attributes:
        qrels_path: the judgments, or None.
        runs: the two systems, first and second.
        query: the qid.
        depth: the last rank of a ranking's top.
        options: the options that decided the numbers.
        retrieved: how many documents either ranking has.
        measures: none without judgments.
        top: the top of the second ranking, in its order.
        left: what stood at the top of the first ranking and does so no more; highest grade first.
        notes: what should be known.
        tolerance: values no farther apart than this are the same.
    """

    qrels_path: str | None
    runs: tuple[NamedRun, NamedRun]
    query: bytes
    depth: int
    options: dict[str, object]
    retrieved: tuple[int, int]
    measures: tuple[Measured, ...]
    top: tuple[Moved, ...]
    left: tuple[Moved, ...]
    notes: tuple[Note, ...]
    tolerance: float

    @property
    def shared(self) -> int:
        """How many documents stand at the top of both rankings."""
        return sum(self.in_both(moved) for moved in self.top)

    def in_both(self, moved: Moved) -> bool:
        """Whether a document of the second ranking's top is in that of the first."""
        return moved.first is not None and moved.first <= self.depth

    @property
    def found(self) -> bool:
        """Whether anything differs: a value beyond the tolerance, or without measures the top."""
        if self.measures:
            return any(not abs(measured.second - measured.first) <= self.tolerance for measured in self.measures)
        return bool(self.left) or any(moved.first != moved.second for moved in self.top)


class _Ranked(NamedTuple):
    """The documents of a ranking in order, and for each measure its value and what each document contributes."""

    docids: list[bytes]
    values: list[float]
    contributions: list[dict[bytes, float] | None]


def diff_documents(  # noqa: PLR0917  (the files, the query, the question)
    qrels: str,
    runs: tuple[NamedRun, NamedRun],
    query: bytes,
    measures: Sequence[Asked],
    policy: Policy = DEFAULTS,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    watch: Callable[[Source], None] | None = None,
) -> DocumentDifference:
    """What changed in the ranking of a query, with grades and what documents have to do with a measure's change.

    Args:
        qrels: the judgments, a path or ``-``.
        runs: the first and the second.
        query: the qid.
        measures: in the order of the output.
        policy: the options that decide numbers.
        settings: how closely to compare.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: the qrels or both runs lack the query, or the request does not fit the files.
    """
    if policy.ties == "average":
        raise UsageProblem("--ties average puts documents in no single order, so that none has moved")
    for asked in measures:
        require_numbers(asked.spec)
    try:
        needs = {asked.spec.measure.needs for asked in measures}
        judged = load_qrels(qrels, policy, subtopics="subtopics" in needs)
    except InputProblem:
        refuse_swapped(qrels, runs)
        raise
    judgments = judged.judgments
    check_needs(measures, policy.qrels_format, judgments)
    if policy.negative == "nonrelevant":
        judgments.set_grades(np.maximum(judgments.grade, 0))
    index = index_of(query, judged)
    specs = [filled(asked, judgments, policy).spec for asked in measures]
    pair = [
        load_run(
            run.path, judgments, policy, label=run.label, qrels_name=judged.name, watch=watch, documents_of=index
        )
        for run in runs
    ]  # fmt: skip
    first, second = (_ranked(judged, loaded, specs, policy, index) for loaded in pair)
    _require_documents(first, second, query)
    start, stop = judgments.offsets[index : index + 2].tolist()
    grades = dict(zip(judgments.docids(np.arange(start, stop)), judgments.grade[start:stop].tolist(), strict=True))
    top, left = _moved(first, second, grades, settings.depth)
    found = tuple(
        Measured(spec, asked.given, first.values[place], second.values[place], _rest(first, second, top + left, place))
        for place, (spec, asked) in enumerate(zip(specs, measures, strict=True))
    )
    result = DocumentDifference(
        qrels,
        runs,
        query,
        settings.depth,
        {**shown(policy), "depth": settings.depth, "tolerance": settings.tolerance},
        (len(first.docids), len(second.docids)),
        found,
        tuple(top),
        tuple(left),
        (*judged.notes, *pair[0].notes, *pair[1].notes),
        settings.tolerance,
    )
    return result._replace(notes=(*result.notes, *_unjudged_notes(result)))


def _ranked(
    judged: LoadedQrels, loaded: LoadedRun, specs: Sequence[MeasureSpec], policy: Policy, index: int
) -> _Ranked:
    ranking = prepared(loaded.ranking.only(index), policy)
    documents = loaded.documents or []
    docids = [docid for docid, _ in listing_of(judged.judgments, documents, ranking, index).documents]
    values, contributions = [], []
    for spec in specs:
        values.append(float(spec.compute(ranking)[index]))
        contributions.append(_contributions(spec, judged, loaded, ranking, index))
    return _Ranked(docids, values, contributions)


def _contributions(
    spec: MeasureSpec, judged: LoadedQrels, loaded: LoadedRun, ranking: Ranking, index: int
) -> dict[bytes, float] | None:
    """What each document of the query adds to the measure; None if the measure is no sum over documents."""
    decompose = spec.measure.terms
    if decompose is None or spec.bound is not None or spec.measure.needs != "hits":
        return None
    listing = listing_of(judged.judgments, loaded.documents or [], spec.seen(ranking), index)
    terms = decompose(listing.ranking, **spec.parameters)
    factor, divisor = amount_of(terms.factor, index), amount_of(terms.divisor, index)
    return {
        docid: scaled(term, factor, divisor)
        for (docid, _), term in zip(listing.documents, terms.terms.tolist(), strict=True)
    }


def _moved(first: _Ranked, second: _Ranked, grades: dict[bytes, float], depth: int) -> tuple[list[Moved], list[Moved]]:
    """The top of the second ranking, and what left that of the first."""
    ranks = [{docid: rank for rank, docid in enumerate(of.docids, 1)} for of in (first, second)]

    def moved(docid: bytes) -> Moved:
        changes = tuple(
            None if one is None or other is None else other.get(docid, 0.0) - one.get(docid, 0.0)
            for one, other in zip(first.contributions, second.contributions, strict=True)
        )
        return Moved(docid, grades.get(docid), ranks[0].get(docid), ranks[1].get(docid), changes)

    top = [moved(docid) for docid in second.docids[:depth]]
    here = {document.docid for document in top}
    left = [moved(docid) for docid in first.docids[:depth] if docid not in here]
    left.sort(key=lambda document: UNJUDGED if document.grade is None else document.grade, reverse=True)
    return top, left


def _rest(first: _Ranked, second: _Ranked, listed: Sequence[Moved], place: int) -> float | None:
    """What is left of a measure's change when that of the listed documents is taken away."""
    one, other = first.contributions[place], second.contributions[place]
    if one is None or other is None:
        return None
    known = {document.docid for document in listed}
    return sum(value for docid, value in other.items() if docid not in known) - sum(
        value for docid, value in one.items() if docid not in known
    )


def _require_documents(first: _Ranked, second: _Ranked, query: bytes) -> None:
    if not first.docids and not second.docids:
        raise UsageProblem(f"neither run has a document for query {quoted(query)}")


def _unjudged_notes(difference: DocumentDifference) -> list[Note]:
    """What unjudged documents that are new at the top may have to do with the change."""
    new = [document for document in difference.top if not difference.in_both(document)]
    unjudged = sum(not document.judged for document in new)
    if not unjudged:
        return []
    what = "change"
    if difference.measures:
        leading = difference.measures[0]
        gained = (leading.second - leading.first) * (-1 if leading.spec.higher_is_better is False else 1)
        what = "drop" if gained < -difference.tolerance else "change"
    some = f"{unjudged} of {counted(len(new), 'new document')} in the top {difference.depth}"
    text = f"{some} {'is' if unjudged == 1 else 'are'} unjudged; the {what} may be partly missing judgments"
    return [Note("note", text)]


def diff_document_rankings(
    sources: tuple[Source, Source],
    runs: tuple[NamedRun, NamedRun],
    query: bytes,
    policy: Policy = DEFAULTS,
    settings: Settings = DEFAULT_SETTINGS,
    *,
    watch: Callable[[Source], None] | None = None,
) -> DocumentDifference:
    """What changed in the ranking of a query, without judgments.

    Args:
        sources: the first and the second run, from their first bytes.
        runs: what they are called.
        query: the qid.
        policy: how to break ties.
        settings: how closely to compare.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: both runs lack the query.
    """
    pair = joined(sources, runs, policy, 0, query=query, watch=watch)[0]
    first, second = (_Ranked([document.docid for document in loaded.documents or []], [], []) for loaded in pair)
    _require_documents(first, second, query)
    top, left = _moved(first, second, {}, settings.depth)
    return DocumentDifference(
        None,
        runs,
        query,
        settings.depth,
        {"ties": policy.ties, "depth": settings.depth},
        (len(first.docids), len(second.docids)),
        (),
        tuple(top),
        tuple(left),
        (*pair[0].notes, *pair[1].notes),
        settings.tolerance,
    )
