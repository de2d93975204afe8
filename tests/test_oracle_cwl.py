"""The numbers of cwl-eval for random gains, and the faults of cwl-eval 1.0.12 by name."""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders import EXAMPLE_101, query_of, random_queries, ranking_of

from irevalcli.measures.families import all_measures
from irevalcli.measures.registry import MeasureSpec
from irevalcli.measures.spec import parse_measures

# cwl-eval's BibTeX strings have backslashes that Python warns of when it compiles them.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from cwl.ruler.measures.cwl_ap import APCWLMetric, TrAPCWLMetric
    from cwl.ruler.measures.cwl_bpm import BPMCWLMetric, BPMDCWLMetric
    from cwl.ruler.measures.cwl_dcg import NDCGCWLMetric
    from cwl.ruler.measures.cwl_ift import IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric
    from cwl.ruler.measures.cwl_insq import INSQCWLMetric
    from cwl.ruler.measures.cwl_inst import INSTCWLMetric
    from cwl.ruler.measures.cwl_nerr import (
        NERReq8CWLMetric,
        NERReq9CWLMetric,
        NERReq10CWLMetric,
        NERReq11CWLMetric,
    )
    from cwl.ruler.measures.cwl_npv import NPVCWLMetric
    from cwl.ruler.measures.cwl_precision import PrecisionCWLMetric
    from cwl.ruler.measures.cwl_rbp import RBPCWLMetric
    from cwl.ruler.measures.cwl_rr import RRCWLMetric
    from cwl.ruler.measures.cwl_set import SETCWLMetric
    from cwl.ruler.measures.cwl_tbg import TBGCWLMetric
    from cwl.ruler.measures.cwl_umeasure import UMeasureCWLMetric
    from cwl.ruler.ranking import Ranking as TheirRanking

if TYPE_CHECKING:
    from builders import Query

all_measures()

REPORTS = ("EU", "ETU", "EC", "ETC", "ED")
DEPTH = 1000

PAIRS = {
    "CWL_P@5": PrecisionCWLMetric(5),
    "CWL_RBP": RBPCWLMetric(0.8),
    "CWL_RBP(p=0.99)": RBPCWLMetric(0.99),
    "CWL_SDCG@10": NDCGCWLMetric(10),
    "INSQ": INSQCWLMetric(1.0),
    "INSQ(T=2.5)": INSQCWLMetric(2.5),
    "NPV": NPVCWLMetric(0.1),
    "SET@10": SETCWLMetric(0.5, 10),
    "U(L=10)": UMeasureCWLMetric(10),
    "TBG": TBGCWLMetric(),
    "TBG(h=22)": TBGCWLMetric(22),
    "CWL_RR": RRCWLMetric(),
    "CWL_AP": APCWLMetric(),
    "TrAP": TrAPCWLMetric(),
    "INST": INSTCWLMetric(1.0),
    "INST(T=3)": INSTCWLMetric(3.0),
    "BPM@10": BPMCWLMetric(1.0, 10),
    "BPM(dynamic=True,hc=0)@10": BPMDCWLMetric(1.0, 10),
    "IFT": IFTGoalRateCWLMetric(2.0, 0.9, 10.0, 0.2, 0.9, 10.0),
    "IFT(kind=C1)": IFTGoalCWLMetric(2.0, 0.9, 10.0),
    "IFT(kind=C2)": IFTRateCWLMetric(0.2, 0.9, 10.0),
    "NERR8@10": NERReq8CWLMetric(10),
    "NERR9@10": NERReq9CWLMetric(10),
    "NERR10": NERReq10CWLMetric(0.9),
    "NERR11(T=2)": NERReq11CWLMetric(2.0),
}


@cache
def queries() -> list[Query]:
    return [query_of(*EXAMPLE_101), *random_queries(31, count=6), *random_queries(32, count=5, longest=1100)]


def gains_of(query: Query) -> list[float]:
    return [max(grade or 0, 0) / 3 for grade in query[0]] or [0.0]


def theirs(model: Any, query: Query) -> dict[str, float]:  # noqa: ANN401
    gains = gains_of(query)
    ranking = TheirRanking("q", gains, [1.0] * len(gains), max_n=DEPTH)
    ranking.total_qrel_rels = sum(grade is not None and grade > 0 for grade in query[0] + query[1])
    model.residuals = False  # TrAP lacks the attribute, and fails without it
    model.measure(ranking)
    return dict(zip(REPORTS, map(float, model.get_scores()), strict=True))


def ours(name: str, some: list[Query]) -> dict[str, list[float]]:
    (spec,) = parse_measures(name)
    values = {}
    for report in REPORTS:
        given = spec.parameters | {"report": report, "max_rel": 3.0}
        values[report] = list(MeasureSpec.of(spec.measure, **given).compute(ranking_of(some)))
    return values


@pytest.mark.parametrize("name", PAIRS)
def test_utility_cost_and_depth_per_document_are_those_of_cwl_eval(name: str) -> None:
    some = [query for query in queries() if sum(gains_of(query)) > 0]
    found = ours(name, some)
    wanted = [theirs(PAIRS[name], query) for query in some]
    for report in ("EU", "EC", "ED"):
        assert found[report] == pytest.approx([values[report] for values in wanted], rel=1e-12), report


@pytest.mark.parametrize(
    "name", ["CWL_P@5", "CWL_RBP", "CWL_SDCG@10", "SET@10", "U(L=10)", "TBG(h=22)", "CWL_AP", "NERR8@10", "NERR9@10"]
)
def test_totals_are_those_of_cwl_eval_where_nobody_wants_to_go_on_at_the_end(name: str) -> None:
    found = ours(name, queries())
    wanted = [theirs(PAIRS[name], query) for query in queries()]
    for report in ("ETU", "ETC"):
        assert found[report] == pytest.approx([values[report] for values in wanted], rel=1e-12), report


# Faults of cwl-eval 1.0.12.


def test_cwl_eval_loses_from_its_totals_what_is_found_by_users_who_would_go_on_at_the_end() -> None:
    found = ours("CWL_RBP(p=0.99)", queries())
    for place, query in enumerate(queries()):
        lost = 0.99**DEPTH
        values = theirs(PAIRS["CWL_RBP(p=0.99)"], query)
        assert values["ETU"] + lost * sum(gains_of(query)[:DEPTH]) == pytest.approx(found["ETU"][place], rel=1e-12)
        assert values["ETC"] + lost * DEPTH == pytest.approx(found["ETC"][place], rel=1e-12)


def test_cwl_eval_says_that_who_finds_nothing_examines_all_at_no_cost() -> None:
    nothing: Query = ([0, None], [1])
    values = theirs(RRCWLMetric(), nothing)
    assert values["ED"] == pytest.approx(DEPTH)
    assert values["ETC"] == 0
    assert ours("CWL_RR", [nothing])["ETC"] == [DEPTH]


def test_cwl_eval_lets_a_player_go_on_to_the_next_gain_whose_gains_reach_the_limit_but_for_rounding() -> None:
    query = query_of(*EXAMPLE_101)
    assert theirs(BPMCWLMetric(2.0, 10), query)["ED"] == 8
    assert ours("BPM(T=2)@10", [query])["ED"] == [5]


def test_cwl_eval_does_not_change_the_patience_of_a_dynamic_player() -> None:
    query: Query = ([0, 0, 3, 3], [])
    assert theirs(BPMDCWLMetric(3.0, 4, 1.0, 1.0), query)["ED"] == 4
    assert theirs(BPMDCWLMetric(3.0, 4, 1.0, 9.0), query)["ED"] == 4
    assert ours("BPM(T=3,dynamic=True)@4", [query])["ED"] == [3]
    assert ours("BPM(T=3,dynamic=True,hc=0)@4", [query])["ED"] == [4]


def test_cwl_eval_gives_the_last_rank_no_weight_in_the_u_measure() -> None:
    query: Query = ([*[0] * (DEPTH - 1), 3], [])
    assert theirs(UMeasureCWLMetric(5000), query)["EU"] == 0
    assert ours("U(L=5000)", [query])["EU"] == [pytest.approx((1 - 999 / 5000) / (1000 - 499500 / 5000))]


def test_cwl_eval_gives_the_last_rank_no_weight_in_trap_if_nothing_gains_above_it() -> None:
    nothing: Query = ([0], [1])
    harmonic = np.add.accumulate(1 / np.arange(1.0, DEPTH + 1))
    assert theirs(TrAPCWLMetric(), nothing)["EC"] == pytest.approx(harmonic[-2])
    assert ours("TrAP", [nothing])["EC"] == [pytest.approx(harmonic[-1])]
