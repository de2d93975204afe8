"""Every record is complete, true to its function, and right in its worked examples."""

from __future__ import annotations

import inspect
import re
from math import exp

import numpy as np
import pytest
from builders import example_ranking, ranking_of
from judged_groups import Judged, example_with_groups, ranking_with_groups

import irevalcli
from irevalcli.errors import IrevalError
from irevalcli.measures.families import FAMILIES, all_measures
from irevalcli.measures.gains import GainRule
from irevalcli.measures.registry import REQUIRED, Example, Measure, MeasureSpec, Param, measure
from irevalcli.measures.spec import parse_measures

MEASURES = all_measures()
RECORDS = list(MEASURES.values())
PARAMETERS = [(record, param) for record in RECORDS for param in record.parameters]
EXAMPLES = [(record, example) for record in RECORDS for example in record.examples]
PROGRAMS = ("trec_eval",)
TYPES: dict[str, type | tuple[type, ...]] = {
    "int": int,
    "float": (int, float),
    "bool": bool,
    "str": str,
    "gains": dict,
    "floats": tuple,
}

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
    (value,) = spec.compute((example_ranking if spec.measure.needs == "hits" else example_with_groups)(example))
    return exp(float(value)) if spec.measure.aggregation == "geometric" else value


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
    assert is_clean(record.reference)
    assert re.search(r"\b(19|20)\d\d\b", record.reference) or record.reference.startswith(PROGRAMS)
    assert re.fullmatch(r"\d+\.\d+", record.since)
    assert [int(part) for part in record.since.split(".")] <= [int(part) for part in irevalcli.__version__.split(".")]


@every_record
def test_a_record_names_the_same_number_elsewhere_or_explains_itself(record: Measure) -> None:
    assert record.equivalents or record.note
    assert len(set(record.equivalents)) == len(record.equivalents)
    assert all(is_clean(same.tool) and is_clean(same.name) for same in record.equivalents)


@every_record
def test_a_record_has_worked_examples_each_with_a_source(record: Measure) -> None:
    assert record.examples
    assert len({(example.measure, example.ranking, example.unretrieved) for example in record.examples}) == len(
        record.examples
    )
    assert all(is_clean(example.source) for example in record.examples)


@every_parameter
def test_a_parameter_says_what_it_means(record: Measure, param: Param) -> None:
    assert is_clean(param.meaning)
    assert not param.meaning.endswith(".")
    assert sum(other.name == param.name for other in record.parameters) == 1
    assert bool(param.choices) == (param.type == "str")


@every_parameter
def test_the_default_of_a_parameter_is_one_of_its_values(record: Measure, param: Param) -> None:
    del record
    if param.default in {None, REQUIRED}:
        return
    assert isinstance(param.default, TYPES[param.type])
    assert isinstance(param.default, bool) == (param.type == "bool")
    assert not param.choices or param.default in param.choices
    for number in param.default if isinstance(param.default, tuple) else (param.default,):
        if isinstance(number, int | float):
            assert param.low is None or number >= param.low
            assert param.high is None or number <= param.high


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
    with pytest.raises(IrevalError, match="measure AP is registered twice"):
        measure("AP", title="", summary="", formula="", reference="", examples=())(lambda ranking: ranking)


def test_every_family_registers_measures() -> None:
    modules = {inspect.getmodule(record.compute) for record in RECORDS}
    assert {module.__name__.rpartition(".")[2] for module in modules if module} == set(FAMILIES)


# Records and functions.


@every_record
def test_the_function_takes_the_parameters_of_the_record_with_the_same_defaults(record: Measure) -> None:
    ranking, *others = inspect.signature(record.compute).parameters.values()
    assert ranking.name == "ranking"
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
def test_what_stands_behind_the_at_sign_is_the_first_parameter_or_nothing(record: Measure) -> None:
    assert not record.at or record.parameters[0].name == record.at
    assert {param.name for param in record.parameters if param.default == REQUIRED} <= {record.at}


@every_record
def test_kind_aggregation_and_range_agree(record: Measure) -> None:
    assert (record.kind == "text") == (record.aggregation == "none")
    assert record.aggregation != "geometric" or record.kind == "summary"
    assert record.integer == (record.aggregation == "sum")
    assert record.low is None or record.high is None or record.low < record.high
    bounds = [bound for bound in (record.low, record.high) if bound is not None]
    if record.no_relevant is not None:
        assert bounds == [] or min(bounds) <= record.no_relevant
        assert record.high is None or record.no_relevant <= record.high


@every_record
def test_a_measure_gives_one_value_of_its_kind_for_each_query(record: Measure) -> None:
    spec = MeasureSpec.of(record, **given_values(record))
    plain = ranking_of([([2, None, 0], [1]), ([], [1]), ([None], [0])])
    grouped = ranking_with_groups(
        [Judged(qid, "g", "s", "d1", 1) for qid in ("1", "2", "3")] + [Judged("1", "g", "s", "d2", 0)], {"1": ["d1"]}
    )
    values = spec.compute(plain if record.needs == "hits" else grouped)
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
        assert ("|" in example.ranking) == (record.needs not in {"any", "hits"})


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
