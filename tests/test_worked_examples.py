"""The numbers of the teaching texts behind the project, with their arithmetic written out."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from builders import query_of, ranking_of

from irevalcli.analysis.evaluate import aggregate
from irevalcli.measures.spec import parse_measures

R_N_N_R_R = ("1 0 0 1 1", "1")
EDITORS = ("1 1 0 0 0", "1 1")
FIVE_GRADES = ("5 3 2 1 2", "4 0")
FIVE_GAINS = 31 + 7 / log2(3) + 3 / 2 + 1 / log2(5) + 3 / log2(6)
FIVE_BEST_GAINS = 31 + 15 / log2(3) + 7 / 2 + 3 / log2(5) + 3 / log2(6)

BINARY = [
    (R_N_N_R_R, "P@1", 1, "1"),
    (R_N_N_R_R, "P@2", 1 / 2, "0.5"),
    (R_N_N_R_R, "P@3", 1 / 3, "0.3333"),
    (R_N_N_R_R, "P@4", 2 / 4, "0.5"),
    (R_N_N_R_R, "P@5", 3 / 5, "0.6"),
    (("1 0 0 1 1" + " -" * 34 + " 1", ""), "AP", (1 + 2 / 4 + 3 / 5 + 4 / 40) / 4, "0.55"),
    (("0 1", ""), "RR", 1 / 2, "0.5"),
    (("1 0 1 0 1", ""), "AP", (1 + 2 / 3 + 3 / 5) / 3, "0.7556"),
    (("1", ""), "AP", 1, "1"),
    (("- - 1", ""), "AP", 1 / 3, "0.3333"),
    (("-" + " -" * 28 + " 1", ""), "AP", 1 / 30, "0.0333"),
    (EDITORS, "SetP", 2 / 5, "0.4"),
    (EDITORS, "P@3", 2 / 3, "0.6667"),
    (("1 0 1", ""), "AP(denom=min)@3", (1 + 2 / 3) / 2, "0.8333"),
    (("1 0 1 0 1", ""), "P@3", 2 / 3, "0.6667"),
    (("1 0 1 0 1", ""), "AP(denom=min)@3", (1 + 2 / 3) / 3, "0.5556"),
    (("1 0 1 1 0", ""), "P@3", 2 / 3, "0.6667"),
    (("1 0 1 1 0", ""), "AP(denom=min)@3", (1 + 2 / 3) / 3, "0.5556"),
    (("0 1 1 0 0 1 1 1", ""), "AP", (1 / 2 + 2 / 3 + 3 / 6 + 4 / 7 + 5 / 8) / 5, "0.57262"),
    (("1 - - 0 1", "1 0 0 0"), "Bpref", (1 + (1 - 1 / 3)) / 3, "0.5556"),
]

GRADED = [
    (("2 1 0 0 0", ""), "DCG@5", 2 + 1 / log2(3), "2.6309"),
    (("2 1 0 0 0", ""), "nDCG@5", 1, "1.0"),
    (FIVE_GRADES, "CG@5", 5 + 3 + 2 + 1 + 2, "13"),
    (FIVE_GRADES, "DCG(gain=exp)@5", FIVE_GAINS, "38.5077"),
    (FIVE_GRADES, "IDCG(gain=exp)@5", FIVE_BEST_GAINS, "46.4165"),
    (FIVE_GRADES, "nDCG(gain=exp)@5", FIVE_GAINS / FIVE_BEST_GAINS, "0.8296"),
    (("3 2 1", ""), "DCG(gain=exp)@3", 7 + 3 / log2(3) + 1 / 2, "9.3928"),
    (("3 2 1", ""), "nDCG(gain=exp)@3", 1, "1"),
    (("2 3 1", ""), "DCG(gain=exp)@3", 3 + 7 / log2(3) + 1 / 2, "7.9165"),
    (("2 3 1", ""), "nDCG(gain=exp)@3", (3 + 7 / log2(3) + 1 / 2) / (7 + 3 / log2(3) + 1 / 2), "0.8428"),
    (("2 1 3", ""), "DCG(gain=exp)@3", 3 + 1 / log2(3) + 7 / 2, "7.1309"),
    (("2 1 3", ""), "nDCG(gain=exp)@3", (3 + 1 / log2(3) + 7 / 2) / (7 + 3 / log2(3) + 1 / 2), "0.7592"),
    (("2 3 0", ""), "RR", 1, "1"),
]


def value_of(query: tuple[str, str], measure: str) -> float:
    (spec,) = parse_measures(measure)
    return float(spec.compute(ranking_of([query_of(*query)]))[0])


@pytest.mark.parametrize(("query", "measure", "written_out", "printed"), BINARY + GRADED)
def test_the_text_and_its_arithmetic_come_out(
    query: tuple[str, str], measure: str, written_out: float, printed: str
) -> None:
    value = value_of(query, measure)
    assert value == pytest.approx(written_out, rel=1e-12)
    digits = len(printed.partition(".")[2])
    assert f"{value:.{digits}f}" == printed


def test_the_mean_over_queries_is_that_of_their_values() -> None:
    (spec,) = parse_measures("AP(denom=min)@3")
    two = spec.compute(ranking_of([query_of("1 0 1 0 1", ""), query_of("1 0 1 1 0", "")]))
    assert isinstance(two, np.ndarray)
    assert f"{aggregate(spec, two):.4f}" == "0.5556"
    assert f"{aggregate(spec, np.array([0.835, 0.92, 0.76])):.4f}" == "0.8383"


def test_with_two_relevant_documents_eleven_points_of_precision_need_interpolation() -> None:
    early_then_late = ("- 1 0 0 1", "")
    for tenths in range(11):
        highest = max(1 / 2, 2 / 5) if tenths <= 5 else 2 / 5
        assert value_of(early_then_late, f"IPrec(rounding=up)@{tenths / 10}") == highest
    late_then_early = ("- - - 1 1", "")
    for tenths in range(11):
        assert value_of(late_then_early, f"IPrec(rounding=up)@{tenths / 10}") == 2 / 5


@pytest.mark.parametrize("alpha", [0.2, 0.5, 0.8])
def test_f_with_alpha_is_set_f_with_the_odds_against_alpha(alpha: float) -> None:
    textbook = 1 / (alpha / (2 / 5) + (1 - alpha) / (2 / 4))
    assert value_of(EDITORS, f"SetF(x={(1 - alpha) / alpha})") == pytest.approx(textbook, rel=1e-12)


def test_f1_is_the_harmonic_mean_of_precision_and_recall() -> None:
    assert value_of(EDITORS, "SetF") == pytest.approx(2 / (5 / 2 + 4 / 2), rel=1e-12)


def test_returning_everything_has_recall_1_and_returning_one_right_document_precision_1() -> None:
    everything = ("0 1 0 0 1 0 0 0 0 0", "")
    assert value_of(everything, "SetR") == 1
    assert value_of(everything, "SetP") == 2 / 10
    assert value_of(("1", "1 1 1"), "SetP") == 1


@pytest.mark.parametrize(
    ("rank", "reciprocal", "logarithmic"),
    [(1, "1.00", "1.00"), (2, "0.50", "0.63"), (5, "0.20", "0.39"), (10, "0.10", "0.29"), (50, "0.02", "0.18")],
)
def test_one_over_the_rank_falls_faster_than_one_over_its_logarithm(
    rank: int, reciprocal: str, logarithmic: str
) -> None:
    only_hit = ("- " * (rank - 1) + "1", "")
    assert f"{value_of(only_hit, 'RR'):.2f}" == reciprocal
    assert f"{value_of(only_hit, 'DCG'):.2f}" == logarithmic
