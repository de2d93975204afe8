"""Presets: another tool's parameters by its name."""

from __future__ import annotations

import pytest
from builders import EXAMPLE_101, query_of, ranking_of

from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures
from irevalcli.measures.presets import PRESETS, Preset
from irevalcli.measures.registry import MeasureSpec
from irevalcli.measures.spec import parse_measures


@pytest.mark.parametrize("row", PRESETS, ids=lambda row: f"{row.measure}-{row.name}")
def test_a_preset_is_the_measure_with_its_parameters(row: Preset) -> None:
    written = f"{row.measure}(preset={row.name})@10"
    assert parse_measures(written) == parse_measures(f"{row.target}@10")
    assert all_measures()[row.measure].parameter("preset") is None
    assert row.tool
    assert row.prints


@pytest.mark.parametrize(
    ("written", "name", "printed"),
    [
        ("nDCG(preset='gdeval')@5", "nDCG(gain=exp)@5", "0.6143"),
        ("ERR(preset=gdeval)@10", "ERR@10", "0.32174"),
        ("ERR(preset=ntcir)", "ERR(stop=linear,max_rel=None)", "0.637109"),
        ("nERR(preset=ntcir)@5", "nERR(stop=linear,max_rel=None)@5", "0.7519"),
        ("RR(preset=msmarco)@10", "RR@10", "1.0"),
        ("nDCG(preset=ntcir)@5", "nDCG(discount=jk)@5", "0.6011"),
        ("AP(preset=ntcir)@5", "AP(denom=min)@5", "0.4533"),
        ("RBP(preset=ntcir)", "RBP(p=0.95,gain=scaled)", "0.115311"),
        ("RBP(preset=trec_eval)", "RBP(p=0.9,gain=scaled,scale=query)", "0.2014"),
    ],
)
def test_a_preset_has_the_number_of_its_tool(written: str, name: str, printed: str) -> None:
    (spec,) = parse_measures(written)
    assert spec.name == name
    value = float(spec.compute(ranking_of([query_of(*EXAMPLE_101)]))[0])
    assert f"{value:.{len(printed.partition('.')[2])}f}" == printed


@pytest.mark.parametrize("written", ["ERR(preset=ntcir,max_rel=3)@5", "ERR(max_rel=3,preset=ntcir)@5"])
def test_what_is_written_goes_before_what_the_preset_says(written: str) -> None:
    err = all_measures()["ERR"]
    assert parse_measures(written) == [MeasureSpec.of(err, cutoff=5, stop="linear", max_rel=3.0)]


def test_unknown_presets_are_refused() -> None:
    with pytest.raises(UsageProblem, match="ERR has the presets gdeval, ntcir, not 'trec'"):
        parse_measures("ERR(preset=trec)@5")
    with pytest.raises(UsageProblem, match="P has no presets, not 'gdeval'"):
        parse_measures("P(preset=gdeval)@5")
