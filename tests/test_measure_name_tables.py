"""The tables of measure names: rows, records and grammar agree, for every measure and any text."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from irevalcli.errors import UsageProblem
from irevalcli.measures.aliases import ALIASES, FOREIGN_PARAMETERS, TREC_EVAL, Alias, ForeignParameter
from irevalcli.measures.families import all_measures
from irevalcli.measures.nicknames import SETS
from irevalcli.measures.registry import MeasureSpec, Param, Value
from irevalcli.measures.request import Request
from irevalcli.measures.spec import parse_measures, suggest
from irevalcli.measures.values import WORD

MEASURES = all_measures()


@pytest.mark.parametrize("row", ALIASES, ids=lambda row: f"{row.name}-{row.target}")
def test_every_alias_points_to_a_measure_and_parameters_that_exist(row: Alias) -> None:
    record = MEASURES[row.measure]
    request = Request.of(row.target)
    assert all(record.parameter(name) for name in (*request.implied, *row.pairs))
    assert all(record.at if name == "@" else record.parameter(name) for name in row.values)
    assert not row.whole or row.whole in MEASURES
    if record.at:
        request = request.with_at("1")
    assert request.spec(None).measure is record


@pytest.mark.parametrize("row", FOREIGN_PARAMETERS, ids=lambda row: f"{row.measure}-{row.parameter}-{row.value}")
def test_every_foreign_parameter_is_not_ours_and_leads_to_one_of_ours(row: ForeignParameter) -> None:
    assert MEASURES[row.measure].parameter(row.parameter) is None
    written = f"{row.measure}({row.parameter}={row.value or 1})"
    assert parse_measures(written) == parse_measures(row.target.format("1"))


def test_no_name_is_claimed_by_two_measures() -> None:
    claims: dict[str, set[str]] = {}
    for row in ALIASES:
        claims.setdefault(row.name, set()).add(row.measure)
    for record in MEASURES.values():
        for name in (record.name, *record.aliases):
            claims.setdefault(name, set()).add(record.name)
    assert {name: measures for name, measures in claims.items() if len(measures) > 1} == {}


def test_every_parametrised_trec_eval_name_reads_its_own_defaults() -> None:
    for row in TREC_EVAL:
        if row.defaults:
            assert parse_measures(f"{row.name}.{row.defaults}") == parse_measures(f"{row.name}_{row.defaults}")
            assert len(parse_measures(f"{row.name}.{row.defaults}")) == row.defaults.count(",") + 1


def equivalents() -> list[tuple[str, str, str]]:
    """Name in another tool, our measure, and its parameters, for all equivalents that are written without prose."""
    pattern = re.compile(r"([^ ,]+)(?: with ([\w.,=]+))?")
    found = []
    for record in MEASURES.values():
        for same in record.equivalents:
            match = pattern.fullmatch(same.name)
            # Alone, trec_eval's "recall" goes before ranx's.
            if match and same.tool in {"trec_eval", "ir_measures", "ranx"} and match[1] != "recall":
                found.append((re.sub(r"\b[kxn]\b", "1", match[1]), record.name, match[2] or ""))
    return found


@pytest.mark.parametrize(("spelling", "measure", "parameters"), equivalents())
def test_what_a_record_calls_the_same_number_is_understood_as_that_measure(
    spelling: str, measure: str, parameters: str
) -> None:
    for spec in parse_measures(spelling):
        assert spec.measure.name == measure
        assert all(item in spec.name for item in parameters.split(","))


def values_of(param: Param) -> st.SearchStrategy[Value]:
    """Any value that the parameter allows."""
    low = -1e6 if param.low is None else param.low
    high = 1e6 if param.high is None else param.high
    numbers = st.floats(low, high)
    kinds: dict[str, st.SearchStrategy[Value]] = {
        "int": st.integers(int(low), int(high)),
        "float": numbers,
        "bool": st.booleans(),
        "str": st.sampled_from(param.choices or ("word",)),
        "word": st.from_regex(WORD, fullmatch=True),
        "measure": st.sampled_from(("AP", "nDCG@10", "P(rel=2)@5", "nDCG(gain=exp,ideal=whole)@20", "RBP(p=0.95)")),
        "gains": st.dictionaries(st.integers(-2, 9).map(float), numbers, min_size=1, max_size=4),
        "floats": st.lists(numbers, min_size=1, max_size=4).map(tuple),
    }
    return st.none() | kinds[param.type] if param.default is None else kinds[param.type]


@st.composite
def specs(draw: st.DrawFn) -> MeasureSpec:
    record = MEASURES[draw(st.sampled_from(list(MEASURES)))]
    spec = MeasureSpec(record, tuple(draw(values_of(param)) for param in record.parameters))
    judged_only = record.sees_single_judgments and draw(st.booleans())
    endless = spec.parameters.get("cutoff", 0) is None or spec.parameters.get("report", "EU") not in {"EU", "ETU"}
    if judged_only or endless or not record.has_bounds:
        return spec._replace(judged_only=judged_only)
    return spec._replace(bound=draw(st.sampled_from((None, "low", "high", "width"))))


@given(specs())
def test_every_measure_is_read_back_from_its_name(spec: MeasureSpec) -> None:
    parameters = spec.parameters
    assume(spec.measure.name != "RBP" or parameters["gain"] == "binary" or parameters["rel"] == 1)
    assert parse_measures(spec.name) == [spec]


WORDS = [*MEASURES, *(row.name for row in ALIASES), *SETS, "rel", "p", "gain", "gains", "True", "exp", "-l2"]


@given(st.text() | st.lists(st.sampled_from([*"()[]{},.=@_:'\"-+ ", "1", "0.5", *WORDS]), max_size=12).map("".join))
def test_any_other_text_is_a_usage_problem(text: str) -> None:
    try:
        read = parse_measures(text)
    except UsageProblem as problem:
        assert problem.message  # noqa: PT017  (a text may be valid by chance)
        assert not any(suggestion == text for suggestion in suggest(text))
    else:
        assert [parse_measures(spec.name) for spec in read] == [[spec] for spec in read]
