"""What holds for every registered measure, in each form that its worked examples have, from files to values."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import atan, exp, isfinite, log
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import ranking_of
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import in_rank_order, ranking_from, world

from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import REQUIRED, Measure, MeasureSpec
from irevalcli.measures.request import asks_for_level
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking

MEASURES = {record.name: record for record in all_measures().values() if record.kind != "comparison"}
SEEDS = (1, 2, 3)

# Rounding may differ where terms are added in another order.
NEAR = 1e-12

LENGTH = {
    "NumRet", "SetP", "SetRelP", "SetAP", "SetF", "Utility", "Judged", "Unjudged", "RBPResid", "Rndcg", "relstring",
    "Accuracy", "F", "Compat", "coverage", "Gini", "novelty",
}  # fmt: skip
"""The measures for which it matters how many documents were retrieved."""

SCORES = {"RMSE", "MAE"}
"""The measures that read scores as numbers, not only for their order."""

DIVIDED_BY_THE_CUTOFF = {"F"}
"""The measures that divide by the cutoff, if there is one, even if fewer documents were retrieved."""

PROPERTIES_OF_THE_QRELS = {"NumQ", "NumRel", "IDCG", "prefs_num_prefs_poss"}
"""The measures that no run can change."""


def forms_of(record: Measure) -> dict[str, MeasureSpec]:
    """The measure with its defaults, at a higher level, and as in its examples, by name."""
    required: dict[str, float] = {param.name: 4 for param in record.parameters if param.default == REQUIRED}
    if "recall" in required:
        required["recall"] = 0.5
    if record.needs == "document_lists":
        required["collection_size"] = 30
    forms = [MeasureSpec.of(record, **required)]
    if record.parameter("rel"):
        forms.append(MeasureSpec.of(record, **required, rel=2))
    forms += [parse_measures(example.measure)[0] for example in record.examples]
    return {form.name: form for form in forms}


FORMS = [form for record in MEASURES.values() for form in forms_of(record).values()]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
every_record = pytest.mark.parametrize("record", MEASURES.values(), ids=MEASURES)


@cache
def ranking(needs: str, seed: int, *, ties: bool = True) -> Ranking:
    return world(needs, seed, ties=ties).ranking()


def values_of(form: MeasureSpec, ranked: Ranking) -> list[float] | list[str]:
    """The values by query; of a geometric mean those whose logarithms it averages."""
    values = form.compute(ranked)
    if isinstance(values, list):
        return values
    return [exp(value) if form.measure.aggregation == "geometric" else value for value in values.tolist()]


def numbers_of(form: MeasureSpec, ranked: Ranking) -> list[float]:
    return [float(value) for value in values_of(form, ranked)]


def in_range(form: MeasureSpec, value: float) -> bool:
    record = form.measure
    high = None if form.parameters.get("gain") == "raw" else record.high
    return (
        isfinite(value)
        and (record.low is None or value >= record.low - NEAR)
        and (high is None or value <= high + NEAR)
        and (not record.integer or value == int(value))
    )


@every_form
def test_values_are_finite_and_in_range(form: MeasureSpec) -> None:
    seen: set[float | str] = set()
    for seed in SEEDS:
        values = values_of(form, ranking(form.measure.needs, seed))
        if form.measure.kind == "text":
            assert all(isinstance(value, str) for value in values)
        else:
            assert [value for value in values if not in_range(form, float(value))] == []
        seen.update(values)
    assert form.measure.name == "NumQ" or len(seen) > 1


def places(grades: st.SearchStrategy[float]) -> st.SearchStrategy[list[tuple[list[float | None], list[float]]]]:
    query = st.tuples(st.lists(st.none() | grades, max_size=12), st.lists(grades, min_size=1, max_size=5))
    return st.lists(query, min_size=1, max_size=3)


@given(places(st.sampled_from((-1.0, 0.0, 1e-300, 0.5, 1.0, 2.0, 3.0)) | st.floats(0, 3)))
@settings(max_examples=60, deadline=None)
def test_values_are_finite_and_in_range_whatever_the_grades(queries: list[tuple[list[float], list[float]]]) -> None:
    ranked = ranking_of(queries)  # type: ignore[arg-type]
    for form in FORMS:
        if form.measure.needs == "hits" and form.measure.kind != "text":
            assert [value for value in numbers_of(form, ranked) if not in_range(form, value)] == [], form.name


@cache
def shuffled(needs: str, seed: int) -> Ranking:
    random = np.random.default_rng(seed)
    files = world(needs, seed)
    return ranking_from(
        needs, random.permutation(files.qrels_lines()).tolist(), random.permutation(files.run_lines()).tolist()
    )


@every_form
def test_the_order_of_lines_changes_nothing(form: MeasureSpec) -> None:
    needs = form.measure.needs
    for seed in SEEDS:
        assert values_of(form, shuffled(needs, seed)) == values_of(form, ranking(needs, seed))


RESCORED = (lambda score: 1000 * score + 7, atan, exp, lambda score: score**3 - 1e6)


@cache
def rescored(needs: str, seed: int, way: int) -> Ranking:
    return world(needs, seed).scored_by(RESCORED[way]).ranking()


@every_form
def test_only_the_order_of_scores_counts(form: MeasureSpec) -> None:
    needs = form.measure.needs
    for way in range(len(RESCORED)):
        same = values_of(form, rescored(needs, 1, way)) == values_of(form, ranking(needs, 1))
        assert same == (form.measure.name not in SCORES)


@cache
def answered_everywhere(needs: str) -> tuple[Ranking, Ranking, list[int]]:
    """A ranking, the same with some queries missing from the run, and the indices of these."""
    lacking = world(needs, 1)
    qids = sorted({row.qid for row in lacking.judged})
    missing = [index for index, qid in enumerate(qids) if qid not in lacking.run]
    added = {qids[index]: {"d01": 2.0, "d02": 1.0, "d03": 0.0} for index in missing}
    return lacking._replace(run=lacking.run | added).ranking(), lacking.ranking(), missing


def values_when_missing(form: MeasureSpec, whole: Ranking) -> list[float] | list[str]:
    """Per query of `whole`, what it would have if the run did not answer it."""
    name, parameters = form.measure.name, form.parameters
    num_relevant = whole.judgments.num_relevant(parameters.get("rel") or 0).tolist()
    if name in PROPERTIES_OF_THE_QRELS:
        return values_of(form, whole)
    if name == "yaap":
        return [-log(1 + count) for count in num_relevant]
    if name == "Utility":
        return [parameters["c"] * count for count in num_relevant]
    if form.measure.kind == "text":
        return [""] * whole.num_queries
    return [1.0 if name == "RBPResid" else form.measure.no_relevant or 0.0] * whole.num_queries


@every_form
def test_a_query_missing_from_the_run_has_the_declared_value(form: MeasureSpec) -> None:
    whole, lacking, missing = answered_everywhere(form.measure.needs)
    assert len(missing) == 6
    present, absent = values_of(form, whole), values_when_missing(form, whole)
    expected = [(absent if index in missing else present)[index] for index in range(whole.num_queries)]
    found = values_of(form, lacking)
    assert found == (expected if form.measure.kind == "text" else pytest.approx(expected, rel=NEAR, abs=0))


@every_form
def test_a_query_without_relevant_documents_has_the_declared_value(form: MeasureSpec) -> None:
    record = form.measure
    ranked = ranking(record.needs, 1)
    level = form.parameters.get("rel") or 0.25
    without = np.flatnonzero(ranked.judgments.num_relevant(level) == 0).tolist()
    assert len(without) >= 8
    if record.no_relevant is not None:
        found = numbers_of(form, ranked)
        assert [found[index] for index in without] == pytest.approx([record.no_relevant] * len(without), rel=NEAR)


@cache
def lengthened(needs: str) -> Ranking:
    return world(needs, 1).with_unjudged_at_the_end(3).ranking()


@every_record
def test_unjudged_documents_at_the_end_matter_only_where_the_length_does(record: Measure) -> None:
    before, after = ranking(record.needs, 1), lengthened(record.needs)
    changed = [form.name for form in forms_of(record).values() if values_of(form, before) != values_of(form, after)]
    assert bool(changed) == (record.name in LENGTH)


@cache
def improved(needs: str, seed: int) -> Ranking:
    """The world's ranking after one swap in each query: a relevant document changes places with what is just above."""
    random = np.random.default_rng(seed)
    before = world(needs, seed, ties=False)
    grades = before.highest()
    run = {}
    for qid, scores in before.run.items():
        order = in_rank_order(scores)
        pairs = [
            (above, below)
            for above, below in pairwise(order)
            if grades.get((qid, above), -1) <= 0 and grades.get((qid, below), -1) >= 1
        ]
        run[qid] = dict(scores)
        if pairs:
            above, below = pairs[int(random.integers(len(pairs)))]
            run[qid] |= {above: scores[below], below: scores[above]}
    assert run != before.run
    return before._replace(run=run).ranking()


def lowered_by_improvements(form: MeasureSpec) -> bool:
    """Whether a value falls when a relevant document moves up, in any of many rankings."""
    needs = form.measure.needs
    pairs = [
        pair
        for seed in range(12)
        for pair in zip(
            numbers_of(form, ranking(needs, seed, ties=False)), numbers_of(form, improved(needs, seed)), strict=True
        )
    ]
    return any(after < before - NEAR for before, after in pairs)


@pytest.mark.parametrize("form", [form for form in FORMS if form.measure.monotone], ids=lambda form: form.name)
def test_a_relevant_document_that_moves_up_never_lowers_a_monotone_measure(form: MeasureSpec) -> None:
    assert not lowered_by_improvements(form)


def test_of_the_others_each_is_lowered_by_some_such_move_unless_it_is_of_preferences() -> None:
    others = [record for record in MEASURES.values() if not record.monotone and record.kind != "text"]
    without = {record.name for record in others if not any(map(lowered_by_improvements, forms_of(record).values()))}
    # What a single query shows of the collection, no order changes; over several queries it may.
    of_sets = {"coverage", "Gini"}
    assert without == of_sets | {record.name for record in others if record.needs == "preferences"}


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.parameters.get("cutoff", 0) is None], ids=lambda form: form.name
)
def test_a_cutoff_below_everything_cuts_nothing(form: MeasureSpec) -> None:
    cut = MeasureSpec.of(form.measure, **{**form.parameters, "cutoff": 1000})
    same = [
        values_of(cut, ranking(form.measure.needs, seed)) == values_of(form, ranking(form.measure.needs, seed))
        for seed in SEEDS
    ]
    assert all(same) == (form.measure.name not in DIVIDED_BY_THE_CUTOFF)


@pytest.mark.parametrize("form", [form for form in FORMS if form.measure.parameter("rel")], ids=lambda form: form.name)
def test_a_level_above_every_grade_leaves_nothing_relevant(form: MeasureSpec) -> None:
    record = form.measure
    above = MeasureSpec.of(record, **{**form.parameters, "rel": 4})
    ranked = ranking(record.needs, 1)
    if form.measure.uses_level and not asks_for_level(form):
        with pytest.raises(UsageProblem, match="rel means nothing"):
            above.compute(ranked)
    elif record.no_relevant is not None:
        values = numbers_of(above, ranked)
        assert values == pytest.approx([record.no_relevant] * len(values), rel=NEAR)
    else:
        assert numbers_of(above, ranked) == numbers_of(above, nothing_relevant(record.needs))


@cache
def nothing_relevant(needs: str) -> Ranking:
    """The first world with every grade above 0 set to 0."""
    before = world(needs, 1)
    return before._replace(judged=tuple(row._replace(level=min(row.level, 0.0)) for row in before.judged)).ranking()
