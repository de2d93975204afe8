"""What is said about incomplete records."""

from __future__ import annotations

from typing import Any

import pytest

from irevalcli.measures.completeness import faults
from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import CUTOFF, REL, Param

AP = all_measures()["AP"]
P = all_measures()["P"]
NUM_RET = all_measures()["NumRet"]


def of_param(**fields: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"parameters": (AP.parameters[0], REL._replace(**fields), AP.parameters[2])}


def undocumented(ranking: object) -> object:
    return ranking


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": ""}, "'' is no name"),
        ({"name": "A P"}, "'A P' is no name"),
        ({"aliases": ("a@b",)}, "'a@b' is no name"),
        ({"title": " "}, "title is empty"),
        ({"summary": ""}, "summary is empty"),
        ({"formula": ""}, "formula is empty"),
        ({"references": ()}, "reference is empty"),
        ({"references": ("",)}, "reference is empty"),
        ({"examples": ()}, "there is no example"),
        ({"examples": (AP.examples[0]._replace(value=""),)}, "an example has no value, or is about another measure"),
        ({"examples": (AP.examples[0]._replace(measure="P@5"),)}, "or is about another measure"),
        ({"title": None}, "title is None, which is no str"),
        ({"parameters": [CUTOFF]}, "which is no tuple"),
        ({"parameters": ("cutoff",)}, "parameters has something that is no Param"),
        ({"examples": ("AP",)}, "examples has something that is no Example"),
        ({"aliases": "map"}, "aliases is 'map', which is no tuple"),
        ({"aliases": (1,)}, "aliases has something that is no str"),
        ({"low": "0"}, "low is '0', which is no int or float or None"),
        ({"kind": "other"}, "kind is 'other', none of per_query"),
        ({"needs": "luck"}, "needs is 'luck', none of any"),
        ({"at": "rel"}, "at='rel' is not the first parameter"),
        ({"low": 2}, "the range is 2 to 1"),
        ({"kind": "text"}, "kind=text does not go with aggregation=mean"),
        ({"aggregation": "geometric"}, "a geometric mean is of kind summary"),
        ({"integer": True}, "integer and aggregation disagree"),
        ({"aggregation": "pooled"}, "pool goes with aggregation=pooled"),
        ({"parameters": (REL, REL)}, "two parameters have the same name"),
        ({"compute": lambda: 1}, "the function takes nothing to measure"),
        ({"compute": undocumented, "parameters": (), "at": ""}, "the function has no docstring"),
        ({"compute": NUM_RET.compute}, "the function does not take cutoff, denom, rel"),
        ({"compute": P.compute, "parameters": (REL,), "at": ""}, "the function wants cutoff"),
        (of_param(meaning=""), "the parameter rel has no meaning"),
        (of_param(type="grade"), "the parameter rel is of type 'grade', none of int"),
        (of_param(type="str"), "the parameter rel is of type str and has the choices ()"),
        (of_param(choices=("a",)), "the parameter rel is of type float and has the choices ('a',)"),
        (of_param(default="1"), "the default of the parameter rel is no float: '1'"),
        (of_param(default=True), "the default of the parameter rel is no float: True"),
        (of_param(default=-1), "the default of the parameter rel is out of its bounds: -1"),
        (of_param(type="str", choices=("a",), default="b"), "the default of the parameter rel is none of its choices"),
        (of_param(default=CUTOFF.default), "a parameter without a default is not that of @"),
    ],
)  # fmt: skip
def test_a_fault_of_a_record_is_named(fields: dict[str, Any], said: str) -> None:
    assert any(said in fault for fault in faults(AP._replace(**fields))), faults(AP._replace(**fields))


def test_a_complete_record_has_no_fault() -> None:
    assert faults(AP) == []
    assert faults(P) == []
    assert Param("x", "floats", (0.5,), "points", low=0, high=1).default == (0.5,)


def test_every_fault_of_a_record_is_named_at_once() -> None:
    assert len(faults(AP._replace(title="", summary="", formula="", references=(), examples=()))) == 5
