"""The Python API gives what the command line prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import irevalcli
from irevalcli.errors import InputProblem, UsageProblem

ROOT = Path(__file__).parents[1]
QRELS = ROOT / "sample_qrels" / "sample.qrels"
RUN = ROOT / "sample_runs" / "bm25.run"


def test_every_public_name_can_be_imported() -> None:
    for name in irevalcli.__all__:
        assert getattr(irevalcli, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = irevalcli.evalute  # type: ignore[attr-defined]


def test_aggregates_and_queries_by_canonical_name() -> None:
    result = irevalcli.evaluate(QRELS, RUN, ["map", "P.5"], level=2)

    assert list(result.aggregate) == ["AP(rel=2)", "P(rel=2)@5"]
    values = [values["AP(rel=2)"] for values in result.per_query.values()]
    assert result.aggregate["AP(rel=2)"] == pytest.approx(sum(values) / len(values), abs=1e-12)
    assert len(result.per_query) == result.coverage.judged == 19


def test_options_have_the_names_of_the_policy() -> None:
    result = irevalcli.evaluate(QRELS, RUN, "NumQ", queries=(b"q01", b"q07"))

    assert set(result.per_query) == {"q01", "q07"}


def test_errors_are_those_of_the_command_line(tmp_path: Path) -> None:
    with pytest.raises(InputProblem, match="No such file"):
        irevalcli.evaluate(QRELS, tmp_path / "nosuch")
    with pytest.raises(UsageProblem, match="unknown measure"):
        irevalcli.evaluate(QRELS, RUN, "ndgc@10")
