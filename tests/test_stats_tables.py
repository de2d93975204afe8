"""Many systems at once: analysis of variance, Tukey, corrections, standardisation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irevalcli.stats.anova import tukey, two_way
from irevalcli.stats.corrections import CORRECTIONS, CorrectionName, correct
from irevalcli.stats.paired import t_test
from irevalcli.stats.standardise import standardise


def scores_of(systems: int, queries: int, step: float = 0.03) -> np.ndarray:
    generator = np.random.default_rng(systems * 100 + queries)
    easy = generator.normal(0.5, 0.2, queries)
    return generator.normal(0, 0.05, (systems, queries)) + easy + step * np.arange(systems)[:, np.newaxis]


def test_the_analysis_is_that_of_a_least_squares_fit() -> None:
    table = scores_of(4, 15)
    found = two_way(table)

    def residual_of(*factors: np.ndarray) -> float:
        design = np.column_stack(
            [np.ones(60), *(factor == level for factor in factors for level in range(1, factor.max() + 1))]
        )
        return float(np.linalg.lstsq(design, table.ravel(), rcond=None)[1][0])

    system, query = np.divmod(np.arange(60), 15)
    full = residual_of(system, query)
    assert found.residual.sum_of_squares == pytest.approx(full)
    assert found.systems.sum_of_squares == pytest.approx(residual_of(query) - full)
    assert found.queries.sum_of_squares == pytest.approx(residual_of(system) - full)
    assert (found.systems.df, found.queries.df, found.residual.df) == (3, 14, 42)
    f = (residual_of(query) - full) / 3 / (full / 42)
    assert found.systems.f == pytest.approx(f)
    assert found.systems.p == pytest.approx(stats.f.sf(f, 3, 42))


def test_a_worked_table_by_hand() -> None:
    # Means 2, 4 by system and 2, 3, 4 by query, of all 3: residuals ±0.5, 0.
    found = two_way([[1.5, 2.0, 2.5], [2.5, 4.0, 5.5]])
    assert found.systems.sum_of_squares == pytest.approx(6)
    assert found.queries.sum_of_squares == pytest.approx(4)
    assert found.residual.sum_of_squares == pytest.approx(1)
    assert found.systems.f == pytest.approx(12)


def test_two_systems_have_the_square_of_the_paired_t_and_its_p() -> None:
    table = scores_of(2, 20)
    test = t_test(table[0] - table[1])
    found = two_way(table)
    assert found.systems.f == pytest.approx((test.statistic or 0) ** 2)
    assert found.systems.p == pytest.approx(test.p)
    (pair,) = tukey(table).pairs
    assert pair.p == pytest.approx(test.p, rel=1e-4)


def test_tukey_is_the_paired_form_and_not_scipys() -> None:
    table = scores_of(3, 25)
    result = tukey(table)
    residual = two_way(table).residual.mean_square
    pair = result.pairs[1]
    assert (pair.first, pair.second) == (0, 2)
    difference = float(table[0].mean() - table[2].mean())
    q = abs(difference) / math.sqrt(residual / 25)
    assert pair.difference == pytest.approx(difference)
    assert pair.statistic == pytest.approx(q)
    assert pair.p == pytest.approx(stats.studentized_range.sf(q, 3, 48), rel=1e-6)
    assert pair.effect == pytest.approx(difference / math.sqrt(residual))
    unpaired = stats.tukey_hsd(*table).pvalue[0, 2]
    assert (pair.p or 0) < 0.001
    assert unpaired > 0.2


def test_the_simultaneous_interval_leaves_0_out_just_if_p_is_below() -> None:
    result = tukey(scores_of(5, 12, step=0.02), confidence=0.9)
    assert len(result.pairs) == 10
    verdicts = set()
    for pair in result.pairs:
        significant = (pair.p or 0) < 0.1
        assert ((pair.low or 0) > 0 or (pair.high or 0) < 0) is significant
        verdicts.add(significant)
    assert verdicts == {True, False}


def test_identical_and_parallel_systems_have_no_test_but_a_caveat() -> None:
    row = np.array([0.1, 0.5, 0.9])
    same = tukey([row, row, row])
    assert {(pair.p, pair.identical, pair.difference) for pair in same.pairs} == {(1.0, True, 0.0)}
    assert [caveat.code for caveat in same.caveats] == ["identical"]
    parallel = tukey([row, row + 0.1, row])
    assert [(pair.p, pair.identical) for pair in parallel.pairs] == [(None, False), (1.0, True), (None, False)]
    assert [caveat.code for caveat in parallel.caveats] == ["no-spread"]
    assert two_way([row, row + 0.1]).systems.p is None
    assert [caveat.code for caveat in two_way([[1.0], [2.0]]).caveats] == ["one-query"]


@pytest.mark.parametrize("table", [[[1.0, 2.0]], [[], []], [[1.0, math.nan], [1.0, 2.0]], [1.0, 2.0]])
def test_what_is_no_table_is_refused(table: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"needed|finite"):
        tukey(table)


def test_case_83_has_the_worked_corrections() -> None:
    raw = [None, 0.01517, 0.277133]
    assert correct(raw, "bonferroni").adjusted == (None, pytest.approx(0.03034), pytest.approx(0.554266))
    assert correct(raw, "holm").adjusted == (None, pytest.approx(0.03034), pytest.approx(0.277133))
    assert correct(raw, "holm").family == 2


def test_holm_is_his_step_down() -> None:
    found = correct([0.01, 0.04, 0.03, 0.005], "holm")
    assert found.adjusted == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert found.controls == "family-wise error rate"


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_bh_is_scipys(p_values: list[float]) -> None:
    assert correct(p_values, "bh").adjusted == pytest.approx(stats.false_discovery_control(p_values).tolist())


@pytest.mark.parametrize("name", CORRECTIONS)
@given(p_values=st.lists(st.none() | st.floats(0, 1), max_size=20))
def test_corrections_keep_order_and_gaps_and_never_lower_a_p(
    name: CorrectionName, p_values: list[float | None]
) -> None:
    found = correct(p_values, name)
    pairs = [(raw, new) for raw, new in zip(p_values, found.adjusted, strict=True) if raw is not None]
    assert [new is None for new in found.adjusted] == [raw is None for raw in p_values]
    assert found.family == len(pairs)
    assert all(raw <= new <= 1 for raw, new in pairs if new is not None)
    assert [new for _, new in sorted(pairs)] == sorted(new for _, new in pairs if new is not None)
    strictest = correct(p_values, "bonferroni").adjusted
    assert all(new is None or new <= (most or 0) + 1e-15 for new, most in zip(found.adjusted, strictest, strict=True))


def test_no_correction_changes_nothing_and_still_counts_the_family() -> None:
    assert correct([0.2, None, 0.1], "none")[2:] == (2, (0.2, None, 0.1))


@pytest.mark.parametrize("p", [math.nan, -0.1, 1.1])
def test_what_is_no_p_value_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        correct([0.5, p])
    with pytest.raises(ValueError, match="unknown"):
        correct([0.5], "sidak")  # type: ignore[arg-type]


def test_z_scores_are_webbers() -> None:
    table = scores_of(4, 6)
    found = standardise(table, scale="z")
    assert found.scores == pytest.approx(stats.zscore(table, axis=0, ddof=1))
    assert standardise(table, scale="cdf").scores == pytest.approx(stats.norm.cdf(found.scores))
    assert standardise(table, scale="ab").scores == pytest.approx(np.clip(0.15 * found.scores + 0.5, 0, 1))
    assert (found.references, found.scale, found.caveats) == (4, "z", ())


def test_a_system_is_standardised_by_references_that_it_is_not_one_of() -> None:
    found = standardise([[0.9, 0.2]], references=[[0.2, 0.1], [0.4, 0.3]], scale="z")
    assert found.scores == pytest.approx(np.array([[0.6 / math.sqrt(0.02), 0.0]]))
    far = standardise([[9.0, -9.0]], references=[[0.2, 0.1], [0.4, 0.3]], scale="ab")
    assert far.scores.tolist() == [[1.0, 0.0]]


def test_queries_on_which_the_references_do_not_differ_are_average_or_left_out() -> None:
    references = [[0.5, 0.5, 0.1], [0.5, 0.5 + 1e-17, 0.3]]
    found = standardise([[0.5, 0.7, 0.2]], references, "z")
    assert found.kept.tolist() == [True, False, True]
    assert found.scores == pytest.approx(np.array([[0.0, 0.0]]), abs=1e-12)
    assert [caveat.message for caveat in found.caveats] == [
        "1 of 3 queries left out: the references do not differ there"
    ]


def test_standardising_needs_two_references_over_the_same_queries() -> None:
    with pytest.raises(ValueError, match="two systems"):
        standardise([[0.1, 0.2]])
    with pytest.raises(ValueError, match="same queries"):
        standardise([[0.1]], [[0.1, 0.2], [0.3, 0.4]])
    with pytest.raises(ValueError, match="finite"):
        standardise([[math.nan, 1.0]], [[0.1, 0.2], [0.3, 0.4]])
