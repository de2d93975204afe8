"""What a measure is said to consist of adds up to its value: decompositions and functions cannot drift apart."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import random_queries, ranking_of
from hypothesis import given, settings
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
    try:
        form.compute(random_ranking(0))
        terms_of(form, random_ranking(0))
    except UsageProblem:
        return False
    return True


def terms_of(form: MeasureSpec, ranking: Ranking) -> Terms:
    assert form.measure.terms is not None
    return form.measure.terms(ranking, **form.parameters)


@cache
def random_ranking(seed: int) -> Ranking:
    return ranking_of(random_queries(seed))


FORMS = [form for record in EXPLAINED for form in forms_of(record).values()]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)


@every_form
@pytest.mark.parametrize("seed", [1, 2])
def test_the_terms_of_a_measure_add_up_to_its_value(form: MeasureSpec, seed: int) -> None:
    ranking = random_ranking(seed)
    value = form.compute(ranking)
    assert isinstance(value, np.ndarray)
    for given_ in (ranking, ranking.every_rank(UNJUDGED)):
        added = terms_of(form, given_).values(given_)
        assert added.tolist() == value.tolist()


@given(queries())
@settings(max_examples=30, deadline=None)
def test_the_terms_add_up_whatever_the_grades(given_: list[Query]) -> None:
    ranking = ranking_of(given_)  # type: ignore[arg-type]
    for form in FORMS:
        every = ranking.every_rank(UNJUDGED)
        np.testing.assert_allclose(
            terms_of(form, every).values(every), form.compute(ranking), rtol=0, atol=1e-12, err_msg=form.name
        )


@every_form
def test_there_is_one_value_of_every_quantity_for_every_hit_and_for_every_ideal_place(form: MeasureSpec) -> None:
    ranking = random_ranking(1)
    terms = terms_of(form, ranking)
    assert terms.terms.shape == ranking.rank.shape
    assert all(quantity.values.shape == ranking.rank.shape for quantity in terms.quantities)
    assert len({quantity.name for quantity in terms.quantities}) == len(terms.quantities)
    if terms.ideal is not None:
        assert terms.ideal.query.shape == terms.ideal.gain.shape == terms.ideal.terms.shape
        assert (np.diff(terms.ideal.query) >= 0).all()


def test_an_ideal_ranking_adds_up_to_the_divisor_of_ndcg() -> None:
    ranking = random_ranking(1)
    for name in ("nDCG", "nDCG@5", "nDCG(gain=exp,discount=jk)@3", "nDCG(ideal=whole)@2", "nERR@4"):
        (spec,) = parse_measures(name)
        terms = terms_of(spec, ranking)
        assert terms.ideal is not None
        assert terms.divisor is not None
        sums = np.bincount(terms.ideal.query, terms.ideal.terms, ranking.num_queries)
        assert sums.tolist() == np.asarray(terms.divisor.values).tolist()


def test_the_sums_over_ranks_are_known_as_such() -> None:
    names = {record.name for record in EXPLAINED}
    assert names >= {"AP", "P", "R", "RR", "Success", "Rprec", "Bpref", "infAP", "binG", "CG", "DCG", "nDCG", "RBP"}
    assert names >= {"ERR", "nERR", "SDCG", "Q", "CWL_P", "CWL_RBP", "INSQ", "U", "TBG", "Judged"}
    assert names.isdisjoint({"GMAP", "yaap", "relstring", "RMSE", "F", "11ptAvg", "alpha_nDCG", "AP_IA"})
