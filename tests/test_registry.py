"""Every record is complete, true to its function, and right in its worked examples."""

from __future__ import annotations

import inspect
import re
from math import exp
from typing import TYPE_CHECKING

import further_examples
import numpy as np
import pytest
from builders import ranking_of
from judged_groups import Judged, ranking_with_groups

import irevalcli
from irevalcli.errors import IrevalError
from irevalcli.measures.completeness import faults
from irevalcli.measures.families import FAMILIES, all_measures
from irevalcli.measures.gains import GainRule
from irevalcli.measures.references import cited
from irevalcli.measures.registry import REQUIRED, Example, Measure, MeasureSpec, Param, measure
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from irevalcli.index.ranking import Ranking

MEASURES = all_measures()
RECORDS = list(MEASURES.values())
PARAMETERS = [(record, param) for record in RECORDS for param in record.parameters]
EXAMPLES = [(record, example) for record in RECORDS for example in record.examples]
PROGRAMS = ("trec_eval",)
every_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
every_parameter = pytest.mark.parametrize(
    ("record", "param"), PARAMETERS, ids=[f"{record.name}-{param.name}" for record, param in PARAMETERS]
)
every_example = pytest.mark.parametrize(
    ("record", "example"), EXAMPLES, ids=[f"{example.measure} of {example.ranking}" for _, example in EXAMPLES]
)


def is_clean(text: str) -> bool:
    """Whether the text is one line without blanks at its ends, doubled blanks or doubled stops."""
    return bool(text) and text == " ".join(text.split()) and not re.search(r"\.\.|,,|;;|::|[,;:]$", text)


def given_values(record: Measure) -> dict[str, int]:
    """Values for the parameters that have no default."""
    return {param.name: 1 for param in record.parameters if param.default == REQUIRED}


def value_of(example: Example) -> float | str:
    """What the first measure of an example comes to for its query."""
    (spec,) = parse_measures(example.measure)
    value = further_examples.value_of(spec.measure, example)
    return exp(float(value)) if spec.measure.aggregation == "geometric" else value


@every_record
def test_a_record_is_complete_as_that_of_a_plugin_must_be(record: Measure) -> None:
    assert faults(record) == []
    assert record.origin is None


# Texts.


@every_record
def test_a_record_says_what_the_measure_is(record: Measure) -> None:
    assert is_clean(record.title)
    assert not record.title.endswith(".")
    assert is_clean(record.summary)
    assert record.summary.endswith(".")
    assert record.summary[0].isupper() or record.summary.startswith("nDCG")
    assert len(record.summary) <= 120
    assert is_clean(record.formula)
    assert not record.formula.endswith(".")
    assert not record.note or (is_clean(record.note) and record.note.endswith("."))


@every_record
def test_a_record_says_where_the_measure_comes_from(record: Measure) -> None:
    reference = cited(record)
    assert is_clean(reference)
    assert re.search(r"\b(19|20)\d\d\b", reference) or reference.startswith(PROGRAMS)
    assert re.fullmatch(r"\d+\.\d+", record.since)
    assert [int(part) for part in record.since.split(".")] <= [int(part) for part in irevalcli.__version__.split(".")]


@every_record
def test_a_record_names_the_same_number_elsewhere_or_explains_itself(record: Measure) -> None:
    assert record.equivalents or record.note
    assert len(set(record.equivalents)) == len(record.equivalents)
    assert all(is_clean(same.tool) and is_clean(same.name) for same in record.equivalents)


@every_record
def test_a_record_has_worked_examples_each_with_a_source(record: Measure) -> None:
    assert len({(example.measure, example.ranking, example.unretrieved) for example in record.examples}) == len(
        record.examples
    )
    assert all(is_clean(example.source) for example in record.examples)


@every_parameter
def test_a_parameter_says_what_it_means(record: Measure, param: Param) -> None:
    del record
    assert is_clean(param.meaning)
    assert not param.meaning.endswith(".")


# Names.


def test_names_differ_in_more_than_case_because_case_is_forgiven() -> None:
    assert len({record.name.casefold() for record in RECORDS}) == len(RECORDS)


@every_record
def test_every_alias_is_read_as_the_measure(record: Measure) -> None:
    suffix = "@1" if given_values(record) else ""
    for name in (record.name, *record.aliases):
        assert parse_measures(name + suffix) == parse_measures(record.name + suffix)
        assert {spec.measure.name for spec in parse_measures(name + suffix)} == {record.name}
    assert record.name not in record.aliases


def test_a_name_can_be_registered_only_once() -> None:
    def second(ranking: Ranking) -> list[str]:
        del ranking
        return []

    second.__module__ = MEASURES["AP"].compute.__module__
    with pytest.raises(IrevalError, match="measure AP is registered twice"):
        measure("AP", title="", summary="", formula="", reference="", examples=())(second)


def test_every_family_registers_measures() -> None:
    modules = {inspect.getmodule(record.compute) for record in RECORDS}
    assert {module.__name__.rpartition(".")[2] for module in modules if module} == set(FAMILIES)


# Records and functions.


@every_record
def test_the_function_takes_the_parameters_of_the_record_with_the_same_defaults(record: Measure) -> None:
    ranking, *others = inspect.signature(record.compute).parameters.values()
    assert ranking.name == ("values" if record.kind == "comparison" else "ranking")
    taken: dict[str, object] = {}
    for parameter in others:
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            taken |= GainRule()._asdict()
        else:
            assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
            taken[parameter.name] = REQUIRED if parameter.default is inspect.Parameter.empty else parameter.default
    assert taken == {param.name: param.default for param in record.parameters}
    assert record.compute.__doc__


@every_record
def test_the_value_without_relevant_documents_lies_in_the_range(record: Measure) -> None:
    bounds = [bound for bound in (record.low, record.high) if bound is not None]
    if record.no_relevant is not None:
        assert bounds == [] or min(bounds) <= record.no_relevant
        assert record.high is None or record.no_relevant <= record.high


@pytest.mark.parametrize(
    "record", [record for record in RECORDS if record.kind != "comparison"], ids=lambda record: record.name
)
def test_a_measure_gives_one_value_of_its_kind_for_each_query(record: Measure) -> None:
    spec = MeasureSpec.of(record, **given_values(record) | {"collection_size": 9})
    plain = ranking_of([([2, None, 0], [1]), ([], [1]), ([None], [0])])
    grouped = ranking_with_groups(
        [Judged(qid, "g", "s", "d1", 1) for qid in ("1", "2", "3")] + [Judged("1", "g", "s", "d2", 0)], {"1": ["d1"]}
    )
    plain.judgments.further_grades["other"] = plain.judgments.grade
    lists = further_examples.shown([["a", "b"], ["a"], []], {"a": 1, "b": 1})
    rankings = {"hits": plain, "further_grades": plain, "document_lists": lists}
    values = spec.compute(rankings.get(record.needs, grouped))
    assert len(values) == 3
    if record.kind == "text":
        assert isinstance(values, list)
        assert all(isinstance(value, str) for value in values)
    else:
        assert isinstance(values, np.ndarray)
        assert values.dtype == np.float64
        assert not record.integer or (values == np.floor(values)).all()


@every_record
def test_the_examples_show_the_judgments_that_the_measure_needs(record: Measure) -> None:
    for example in record.examples:
        if record.needs != "document_lists":
            assert ("|" in example.ranking) == (record.needs not in {"any", "hits", "further_grades"})
        assert bool(example.further) == (record.needs == "further_grades" or record.name == "novelty")


# Worked examples.


@every_example
def test_a_worked_example_is_about_the_measure_and_spelt_canonically(record: Measure, example: Example) -> None:
    (spec,) = parse_measures(example.measure)
    assert spec.measure is record
    assert spec.name == example.measure


@every_example
def test_a_worked_example_comes_out_to_all_its_digits(record: Measure, example: Example) -> None:
    value = value_of(example)
    if record.kind == "text":
        assert value == example.value
    else:
        digits = len(example.value.partition(".")[2])
        assert f"{value:.{digits}f}" == f"{float(example.value):.{digits}f}"


@every_example
def test_a_worked_example_lies_in_the_range_of_the_measure(record: Measure, example: Example) -> None:
    (spec,) = parse_measures(example.measure)
    value = value_of(example)
    if isinstance(value, str) or (record.name == "RBP" and spec.parameters["gain"] == "raw"):
        return
    assert record.low is None or value >= record.low
    assert record.high is None or value <= record.high
