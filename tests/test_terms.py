"""What a measure is said to consist of adds up to its value: decompositions and functions cannot drift apart."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import random_queries, ranking_of
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_groups import random_subtopics, ranking_with_groups
from strategies import queries

from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import REQUIRED, Measure, MeasureSpec
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from strategies import Query

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.terms import Terms

EXPLAINED = [record for record in all_measures().values() if record.terms]

UNJUDGED = -1.0
EVERY_RANK = {"NumRet", "Unjudged", "RBPResid", "Utility"}
"""What unjudged documents count in, so that all of them have to be hits."""
ROUNDED = {"CWL_AP", "TrAP"}
"""What is added in another order than by rank, beside the measures over sub-topics and groups."""
MEANS = ("nDCG_IA@5", "RR_IA", "IFT_IA", "Unjudged_IA@3", "RBPResid_IA", "Utility(a=2,c=-1)", "Utility_IA")
"""Further forms: some of those that are means over sub-topics, whose records are made on demand."""


def forms_of(record: Measure) -> dict[str, MeasureSpec]:
    """The measure with its defaults, at a level and a cutoff, with every other choice, and as in its examples."""
    required: dict[str, float] = {param.name: 4 for param in record.parameters if param.default == REQUIRED}
    given = [required, required | {"rel": 2.0}, required | {"cutoff": 3}]
    for param in record.parameters:
        others = param.choices if param.type == "str" else (True, False) if param.type == "bool" else ()
        given += [values | {param.name: other} for values in given[::2] for other in others]
    forms = [MeasureSpec.of(record, **values) for values in given]
    forms += [parse_measures(example.measure)[0] for example in record.examples]
    return {form.name: form for form in forms if is_allowed(form)}


def is_allowed(form: MeasureSpec) -> bool:
    ranking = ranking_for(form, 0)
    try:
        form.compute(ranking)
        terms_of(form, ranking)
    except UsageProblem:
        return False
    return True


def terms_of(form: MeasureSpec, ranking: Ranking) -> Terms:
    assert form.measure.terms is not None
    return form.measure.terms(ranking, **form.parameters)


@cache
def with_subtopics(seed: int) -> Ranking:
    return ranking_with_groups(*random_subtopics(seed))


def with_further_grades(given_: list[Query], seed: int) -> Ranking:
    ranking = ranking_of(given_)  # type: ignore[arg-type]
    further = np.random.default_rng(seed).choice((-1.0, 0.0, 0.5, 2.0), ranking.judgments.grade.size)
    ranking.judgments.further_grades["other"] = further
    return ranking


@cache
def without_subtopics(seed: int) -> Ranking:
    return with_further_grades(random_queries(seed), seed)  # type: ignore[arg-type]


def ranking_for(form: MeasureSpec, seed: int) -> Ranking:
    """A ranking with what the measure needs."""
    return (with_subtopics if form.measure.needs in {"subtopics", "groups"} else without_subtopics)(seed)


FORMS = [form for record in EXPLAINED for form in forms_of(record).values()]
FORMS += [spec for name in MEANS for spec in parse_measures(name)]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)


def views(form: MeasureSpec, ranking: Ranking) -> list[Ranking]:
    """The ranking with a hit at every rank; and as it is, if that is enough for the measure."""
    every = ranking.every_rank(UNJUDGED)
    return [every] if form.measure.name.removesuffix("_IA") in EVERY_RANK else [ranking, every]


def is_exact(form: MeasureSpec) -> bool:
    return form.measure.name not in ROUNDED and form.measure.needs not in {"subtopics", "groups"}


@every_form
@pytest.mark.parametrize("seed", [1, 2])
def test_the_terms_of_a_measure_add_up_to_its_value(form: MeasureSpec, seed: int) -> None:
    ranking = ranking_for(form, seed)
    value = form.compute(ranking)
    assert isinstance(value, np.ndarray)
    for given_ in views(form, ranking):
        added = terms_of(form, given_).values(given_)
        if is_exact(form):
            assert added.tolist() == value.tolist()
        else:
            np.testing.assert_allclose(added, value, rtol=1e-14, atol=1e-15)


@given(queries(), st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_the_terms_add_up_whatever_the_grades(given_: list[Query], seed: int) -> None:
    plain, judged = with_further_grades(given_, seed), with_subtopics(seed)
    views = plain.every_rank(UNJUDGED), judged.every_rank(UNJUDGED)
    for form in FORMS:
        other = form.measure.needs in {"subtopics", "groups"}
        ranking, every = (plain, judged)[other], views[other]
        np.testing.assert_allclose(
            terms_of(form, every).values(every), form.compute(ranking), rtol=0, atol=1e-12, err_msg=form.name
        )


@every_form
def test_there_is_one_value_of_every_quantity_for_every_hit_and_for_every_ideal_place(form: MeasureSpec) -> None:
    ranking = ranking_for(form, 1)
    terms = terms_of(form, ranking)
    assert terms.terms.shape == ranking.rank.shape
    assert all(quantity.values.shape == ranking.rank.shape for quantity in terms.quantities)
    assert len({quantity.name for quantity in terms.quantities}) == len(terms.quantities)
    if terms.ideal is not None:
        assert terms.ideal.query.shape == terms.ideal.gain.shape == terms.ideal.terms.shape
        assert (np.diff(terms.ideal.query) >= 0).all()


@pytest.mark.parametrize(
    "name",
    ["nDCG", "nDCG@5", "nDCG(gain=exp,discount=jk)@3", "nDCG(ideal=whole)@2", "nERR@4", "Compat", "Compat(p=0.5)",
     "alpha_nDCG", "alpha_nDCG(alpha=0.3)@5", "nERR_IA@3", "nNRBP"],
)  # fmt: skip
def test_an_ideal_ranking_adds_up_to_the_divisor(name: str) -> None:
    for spec in parse_measures(name):
        ranking = ranking_for(spec, 1)
        terms = terms_of(spec, ranking)
        assert terms.ideal is not None
        assert terms.divisor is not None
        sums = np.bincount(terms.ideal.query, terms.ideal.terms, ranking.num_queries)
        assert sums.tolist() == np.asarray(terms.divisor.values).tolist()


def test_the_sums_over_ranks_are_known_as_such() -> None:
    names = {record.name for record in EXPLAINED}
    assert names >= {"AP", "P", "R", "RR", "Success", "Rprec", "Bpref", "infAP", "binG", "CG", "DCG", "nDCG", "RBP"}
    assert names >= {"ERR", "nERR", "SDCG", "Q", "CWL_P", "CWL_RBP", "INSQ", "U", "TBG", "Judged"}
    assert names >= {"CWL_RR", "CWL_AP", "TrAP", "INST", "BPM", "IFT", "NERR8", "NERR9", "NERR10", "NERR11"}
    assert names >= {"ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "StRecall", "P_IA", "AP_IA"}
    assert names >= {"RBPResid", "Unjudged", "NumRet", "NumRelRet", "NumJudgedNonRelRet", "Utility", "MAE", "Compat"}
    assert names >= {"uRBP", "alpha_uRBP", "uBpref", "AP_avgjg", "P_avgjg", "Rprec_mult_avgjg"}
    assert names.isdisjoint({"GMAP", "yaap", "relstring", "RMSE", "F", "SetF", "11ptAvg", "IDCG", "Rndcg", "ndcg_rel"})
    assert parse_measures("IPrec_IA@0.5")[0].measure.terms is None


# What contributions are made of.


def columns_of(name: str, ranking: Ranking) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The quantities by name, and the contributions, with a hit at every rank."""
    (spec,) = parse_measures(name)
    terms = terms_of(spec, ranking)
    return {quantity.name: np.asarray(quantity.values) for quantity in terms.quantities}, terms.terms


@pytest.mark.parametrize(
    "name",
    ["CWL_RR", "CWL_RR(depth=4)", "CWL_AP", "CWL_AP(depth=4)", "INST", "INST(T=2.5,report=ETU)", "INST(depth=4)",
     "BPM", "BPM(T=2)@3", "BPM(T=3,dynamic=True)@2", "IFT", "IFT(kind=C1)", "IFT(kind=C2,depth=4)",
     "NERR8@5", "NERR9@5", "NERR10", "NERR10(depth=4)", "NERR11", "NERR11(T=0)"],
)  # fmt: skip
def test_the_chance_to_examine_a_rank_is_that_of_the_rank_above_times_that_of_going_on(name: str) -> None:
    ranking = without_subtopics(3).every_rank(UNJUDGED)
    columns, terms = columns_of(name, ranking)
    gain, chance, going_on = columns.values()
    assert list(columns) == ["gain", "chance to examine", "chance to go on"]
    assert (chance[ranking.rank == 1] == 1).all()
    follows = np.flatnonzero(ranking.rank > 1)
    np.testing.assert_allclose(chance[follows], (chance * going_on)[follows - 1], rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(terms, gain * chance, rtol=1e-14)
    assert ((going_on >= 0) & (going_on <= 1)).all()


@pytest.mark.parametrize("name", ["alpha_nDCG", "nERR_IA", "ERR_IA@30", "alpha_DCG@30", "NRBP", "nNRBP(beta=0.8)"])
def test_a_novelty_gain_counts_a_new_sub_topic_once_and_a_known_one_less(name: str) -> None:
    ranking = with_subtopics(3).every_rank(UNJUDGED)
    columns, terms = columns_of(name, ranking)
    subtopics, new, gain, discount = columns.values()
    assert list(columns)[:3] == ["sub-topics", "new ones", "novelty gain"]
    known = subtopics - new
    assert (known >= 0).all()
    assert ((gain >= new) & (gain <= new + 0.5 * known)).all()
    assert ((gain == new) == (known == 0)).all()
    np.testing.assert_allclose(terms, gain * discount, rtol=1e-14)
