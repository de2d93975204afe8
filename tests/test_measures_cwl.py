"""User models (C/W/L) against their definitions, rank by rank, in every report."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders import EXAMPLE_101, query_of, random_queries, ranking_of
from cwl_definitions import DEPTH, MODELS, Path, expected, trap

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures import cwl, cwl_adaptive, cwl_nerr, cwl_static
from irevalcli.measures.registry import MEASURES, MeasureSpec
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Query

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

REPORTS = ("EU", "ETU", "EC", "ETC", "ED")
MODULES = tuple(module.__name__ for module in (cwl_static, cwl_adaptive, cwl_nerr))
FAMILY = [name for name, record in MEASURES.items() if record.compute.__module__ in MODULES]
MADE_OF_ALL_GRADES: Query = ([3, None, 0, -1, 1, 2, None, 2], [3, 1, 0])


@cache
def queries() -> list[Query]:
    """Short lists, lists with gains beyond the last rank, lists in which most documents gain, and nothing to find."""
    dense = random_queries(21, count=6, longest=1100, grades=(0, 1, 2, 3, 3))
    sparse = random_queries(22, count=8, longest=1300, grades=(*[None] * 40, -1, 0, 1, 3))
    empty: list[Query] = [
        ([], [1]),
        ([None, 0, -1], [0]),
        ([*[0] * 999, 3], []),
        ([*[0] * 1000, 3], []),
        ([3, 3, 3, 3, 3], []),
    ]
    return [MADE_OF_ALL_GRADES, *random_queries(20, count=25, longest=12), *dense, *sparse, *empty]


def spelled(name: str, cutoff: int = 7) -> str:
    """The measure with its defaults, and the cutoff if it takes one."""
    return f"{name}@{cutoff}" if MEASURES[name].at else name


def measured(name: str, ranking: Ranking, **parameters: Any) -> Floats:  # noqa: ANN401
    (spec,) = parse_measures(name)
    values = MeasureSpec.of(spec.measure, **(spec.parameters | parameters)).compute(ranking)
    assert isinstance(values, np.ndarray)
    assert values.dtype == np.float64
    return values


@cache
def paths() -> list[Path]:
    return [Path(query, 3) for query in queries()]


def everywhere(define: Callable[[Path], dict[str, float]]) -> dict[str, list[float]]:
    found = [define(path) for path in paths()]
    return {report: [values[report] for values in found] for report in REPORTS}


# Definitions.


@pytest.mark.parametrize("name", MODELS)
def test_a_model_gives_what_its_continuation_says(name: str) -> None:
    continuation, last = MODELS[name]
    ranking = ranking_of(queries())
    for report, values in everywhere(lambda path: expected(path, continuation, last)).items():
        assert measured(name, ranking, report=report).tolist() == pytest.approx(values, rel=1e-11, abs=1e-15), report


def test_trap_is_the_sum_of_its_weighted_gains() -> None:
    ranking = ranking_of(queries())
    for report, values in everywhere(trap).items():
        assert measured("TrAP", ranking, report=report).tolist() == pytest.approx(values, rel=1e-11), report


def test_every_model_of_the_family_is_compared_with_its_definition() -> None:
    assert {parse_measures(name)[0].measure.name for name in MODELS} | {"TrAP"} == set(FAMILY)


# Worked numbers: measures.md, section 6.


@pytest.mark.parametrize(
    ("name", "report", "value"),
    [
        ("CWL_P@5", "ETU", "2.0"),
        ("CWL_P@5", "ED", "5"),
        ("TrAP", "EC", "2.673"),
        ("BPM(T=2)@10", "ED", "5"),
        ("CWL_RR", "ED", "1"),
    ],
)
def test_reports_of_query_101_come_out_to_all_their_digits(name: str, report: str, value: str) -> None:
    found = measured(name, ranking_of([query_of(*EXAMPLE_101)]), report=report)[0]
    assert f"{found:.{len(value.partition('.')[2])}f}" == value


def test_the_dynamic_player_of_query_102_comes_out_in_the_order_of_its_file() -> None:
    assert f"{measured('BPM(dynamic=True,max_rel=3)@10', ranking_of([([1, 0, 1, None], [])]))[0]:.4f}" == "0.2222"


# What models have in common.


@pytest.mark.parametrize("name", FAMILY)
def test_totals_are_what_one_document_brings_times_the_documents_examined(name: str) -> None:
    ranking = ranking_of(queries())
    eu, etu, ec, etc, ed = (measured(spelled(name), ranking, report=report) for report in REPORTS)
    assert np.allclose(etu, eu * ed, rtol=1e-12, atol=0)
    assert np.allclose(etc, ec * ed, rtol=1e-12, atol=0)
    assert name == "TrAP" or (ec == 1).all()
    assert (ed >= 1).all()
    assert name == "TrAP" or (ed <= DEPTH + 1e-9).all()


@pytest.mark.parametrize("name", FAMILY)
def test_ranks_below_depth_do_not_matter(name: str) -> None:
    cut: list[Query] = [
        (ranked[:30], rest + [grade for grade in ranked[30:] if grade is not None]) for ranked, rest in queries()
    ]
    for report in REPORTS:
        found = measured(spelled(name, 50), ranking_of(queries()), report=report, depth=30)
        assert np.array_equal(found, measured(spelled(name, 50), ranking_of(cut), report=report, depth=30))


@pytest.mark.parametrize("name", FAMILY)
def test_gains_are_grades_divided_by_max_rel_or_by_the_highest_in_the_qrels(name: str) -> None:
    ranking, doubled = ranking_of([([3, 0, 1, 2], [])]), ranking_of([([6, 0, 2, 4], [])])
    value = measured(spelled(name), ranking)
    assert measured(spelled(name), ranking, max_rel=3.0) == value
    assert measured(spelled(name), doubled) == value
    assert measured(spelled(name), doubled, max_rel=12.0) == measured(spelled(name), ranking, max_rel=6.0)
    assert measured(spelled(name), ranking, max_rel=6.0) < value


@pytest.mark.parametrize("name", ["INST", "IFT", "BPM(T=3)@1000"])
def test_where_blocks_of_queries_end_does_not_matter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measured(name, ranking_of(queries()))
    for block in (1, 3 * DEPTH, 1 << 30):
        monkeypatch.setattr(cwl, "_BLOCK", block)
        assert np.array_equal(measured(name, ranking_of(queries())), whole)


def test_models_and_measures_that_are_one_agree() -> None:
    ranking = ranking_of(queries())
    binary = ranking_of(random_queries(23, count=200, grades=(None, -1, 0, 0, 1)))
    for name, same, on in (
        ("CWL_P@7", "P@7", binary),
        ("CWL_SDCG@7", "SDCG@7", ranking),
        ("CWL_RR", "RR", binary),
        ("TrAP", "AP", binary),
        ("TrAP(depth=5)", "AP@5", binary),
        ("NPV(r=0.25)", "CWL_RBP(p=0.8)", ranking),
        ("TBG(h=1)", "CWL_RBP(p=0.5)", ranking),
        ("SET(b=1)@7", "CWL_P@7", ranking),
        ("NERR11(max_rel=1e12)", "INSQ(max_rel=1e12)", ranking),
        ("BPM(T=1000)@7", "CWL_P@7", ranking),
    ):
        assert np.allclose(measured(name, on), measured(same, on), rtol=1e-9, atol=1e-15), name


def test_rbp_is_the_limit_for_an_endless_ranking() -> None:
    ranking = ranking_of(random_queries(24, count=50))
    for depth in (40, 1000):
        share = measured("CWL_RBP", ranking, depth=depth) * (1 - 0.8**depth)
        assert share == pytest.approx(measured("RBP(gain=scaled)", ranking), rel=1e-12)


def test_the_total_of_nerr9_is_expected_reciprocal_rank() -> None:
    found = measured("NERR9@20", ranking_of(queries()), report="ETU")
    for query, value in zip(queries(), found.tolist(), strict=True):
        unsatisfied, err = 1.0, 0.0
        for rank, grade in enumerate(query[0][:20], 1):
            stopping = max(grade or 0, 0) / 3
            err += unsatisfied * stopping / rank
            unsatisfied *= 1 - stopping
        assert value == pytest.approx(err, rel=1e-12)


def test_with_nothing_to_find_users_examine_what_their_model_says() -> None:
    nothing = ranking_of([([0, None, -1], [0])])
    for name, documents in (("CWL_RR", 1000), ("CWL_AP", 1), ("CWL_P@5", 5), ("BPM@8", 8), ("NERR8@6", 6), ("TrAP", 1)):
        assert measured(name, nothing, report="ED")[0] == documents
        assert measured(name, nothing, report="EU")[0] == 0


@pytest.mark.parametrize("name", ["BPM(T=0.7)@100", "BPM(T=1.1)@100", "BPM(T=0.3)@100"])
def test_gains_that_reach_the_limit_but_for_rounding_reach_it(name: str) -> None:
    wanted = round(10 * parse_measures(name)[0].parameters["T"])
    ranking = ranking_of([([1] * 100, [10])])
    assert measured(name, ranking, report="ED")[0] == wanted


def test_extreme_parameters_give_finite_values() -> None:
    ranking = ranking_of(queries())
    for name in (
        "IFT(T=1e9,R1=1e9,A=1e9,R2=1e9)",
        "IFT(kind=C1,b1=0,R1=1e9)",
        "IFT(kind=C2,b2=0,A=1e9,R2=1e9)",
        "IFT(kind=C2,b2=1e9,A=1e9,R2=1e9)",
        "INST(T=1e12)",
        "U(L=1e-9)",
        "TBG(h=1e-9)",
        "NPV(r=1e12)",
        "SET(b=1e-9)@1000",
        "BPM(T=1e9,dynamic=True,hb=1e9,hc=-1e9)@1000",
    ):
        for report in REPORTS:
            values = measured(name, ranking, report=report)
            assert np.isfinite(values).all(), name
            assert report != "EU" or ((values >= 0) & (values <= 1 + 1e-12)).all(), name


# What cannot be computed is said.


@pytest.mark.parametrize("name", FAMILY)
def test_a_grade_above_max_rel_is_refused(name: str) -> None:
    with pytest.raises(InputProblem, match=f"^{name}: max_rel=2, but the qrels have the grade 3"):
        measured(spelled(name), ranking_of([MADE_OF_ALL_GRADES]), max_rel=2.0)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SET(b=0)@10", "SET: b must be above 0, not 0"),
        ("U(L=0)", "U: L must be above 0, not 0"),
        ("TBG(h=0)", "TBG: h must be above 0, not 0"),
        ("BPM(hb=2)@10", "hb and hc mean nothing without dynamic=True"),
        ("IFT(kind=C1,A=0.5)", "A, b2 and R2 mean nothing with kind=C1"),
        ("IFT(kind=C2,R1=5)", "T, b1 and R1 mean nothing with kind=C2"),
        ("INST(T=0.4)", "T must be at least 0.5, not 0.4"),
        ("INST(report=EX)", "report must be EU or ETU or EC or ETC or ED"),
    ],
)
def test_a_parameter_that_means_nothing_is_refused(name: str, message: str) -> None:
    with pytest.raises(UsageProblem, match=message):
        measured(name, ranking_of([MADE_OF_ALL_GRADES]))
