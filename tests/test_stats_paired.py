"""Paired tests, intervals and margins against scipy, worked examples and plain counting."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irevalcli.stats import margins, paired
from irevalcli.stats.sample import paired as differences_of
from irevalcli.stats.sample import skewness

# Case 81: reciprocal ranks of two systems on eight queries.
SYSTEM = [1, 1 / 2, 1, 1 / 3, 1, 1 / 2, 1, 1 / 4]
BASELINE = [1 / 2, 1 / 3, 1, 1 / 4, 1 / 2, 1 / 3, 1 / 2, 1 / 5]
CASE_81 = differences_of(SYSTEM, BASELINE)
ALTERNATIVES = ["two-sided", "greater", "less"]

varied = st.lists(st.integers(-40, 40), min_size=2, max_size=30).filter(lambda row: len(set(row)) > 1)


def codes(result: object) -> set[str]:
    return {caveat.code for caveat in result.caveats}  # type: ignore[attr-defined]


def test_case_81_has_the_worked_p_values() -> None:
    t = paired.t_test(CASE_81)
    assert t.statistic == pytest.approx(3.195029, abs=5e-7)
    assert t.p == pytest.approx(0.015170, abs=5e-7)
    assert (t.df, t.queries, t.alternative, t.method) == (7, 8, "two-sided", "formula")
    assert paired.wilcoxon_test(CASE_81).p == 0.015625
    assert paired.sign_test(CASE_81).p == 0.015625
    assert paired.win_tie_loss(CASE_81) == (7, 1, 0)
    assert t.estimate == pytest.approx(0.245833, abs=5e-7)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(row=varied)
def test_the_t_test_is_scipys(alternative: str, row: list[int]) -> None:
    values = np.array(row) / 100
    ours, theirs = (
        paired.t_test(values, alternative),
        stats.ttest_rel(values, np.zeros(len(row)), alternative=alternative),
    )  # type: ignore[arg-type]
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-10, abs=1e-300)


def test_p_values_far_out_keep_their_digits() -> None:
    values = np.linspace(0.5, 0.6, 60)
    assert paired.t_test(values).p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-12)
    assert 0 < (paired.t_test(values).p or 0) < 1e-50


@pytest.mark.parametrize("confidence", [0.8, 0.95])
@given(row=varied)
def test_the_t_interval_is_scipys(confidence: float, row: list[int]) -> None:
    values = np.array(row) / 100
    interval = paired.t_interval(values, confidence)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(confidence)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-10, abs=1e-13)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(row=st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_wilcoxon_counts_all_signs_of_the_ranks_whatever_the_ties(alternative: str, row: list[int]) -> None:
    used = [value for value in row if value]
    ranks = stats.rankdata(np.abs(used)) if used else []
    observed = sum(rank for rank, value in zip(ranks, used, strict=True) if value > 0)
    sums = np.array(
        [
            sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
            for signs in product((0, 1), repeat=len(used))
        ]
    )
    upper, lower = float((sums >= observed).mean()), float((sums <= observed).mean())
    expected = {"greater": upper, "less": lower, "two-sided": min(1.0, 2 * min(upper, lower))}[alternative]
    outcome = paired.wilcoxon_test(np.array(row) / 7, alternative)  # type: ignore[arg-type]
    assert outcome.p == pytest.approx(expected, abs=1e-12)
    assert outcome.statistic == observed
    assert outcome.used == len(used)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [20, 50, 51, 300])
def test_wilcoxon_is_scipys_without_ties_and_with_many_queries(alternative: str, n: int) -> None:
    values = np.random.default_rng(n).normal(0.02, 0.1, n)
    outcome = paired.wilcoxon_test(values, alternative)  # type: ignore[arg-type]
    assert outcome.p == pytest.approx(stats.wilcoxon(values, alternative=alternative).pvalue, rel=1e-10)
    assert (outcome.method == "exact") is (n <= 50)
    assert ("approximate" in codes(outcome)) is (n > 50)


def test_wilcoxon_with_ties_and_many_queries_is_scipys() -> None:
    values = np.random.default_rng(3).integers(-3, 5, 200) / 10
    theirs = stats.wilcoxon(values, method="asymptotic").pvalue
    assert paired.wilcoxon_test(values).p == pytest.approx(theirs, rel=1e-10)


def test_sizes_that_differ_in_the_last_bit_are_tied() -> None:
    noisy = np.array([0.3, 0.1 + 0.2, -0.3, 0.5, 0.7 - 0.4])
    assert paired.wilcoxon_test(noisy).p == paired.wilcoxon_test([3, 3, -3, 5, 3]).p


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(row=st.lists(st.sampled_from([-0.5, 0.0, 1e-12, 0.25]), min_size=1, max_size=40))
def test_the_sign_test_is_the_binomial_one(alternative: str, row: list[float]) -> None:
    win, loss = row.count(0.25), row.count(-0.5)
    outcome = paired.sign_test(row, alternative)  # type: ignore[arg-type]
    expected = stats.binomtest(win, win + loss, alternative=alternative).pvalue if win + loss else 1.0
    assert outcome.p == pytest.approx(expected, rel=1e-9)
    assert outcome.identical is (win + loss == 0)


@pytest.mark.parametrize("test", [paired.t_test, paired.wilcoxon_test, paired.sign_test])
def test_identical_systems_are_called_identical(test: type) -> None:
    # 1e-17 is what another order of summation leaves.
    outcome = test(differences_of([0.5, 0.25, 1.0], [0.5, 0.25 + 1e-17, 1.0]))  # type: ignore[call-arg]
    assert outcome.identical
    assert outcome.p == 1.0
    assert outcome.estimate == 0.0
    assert [caveat.message for caveat in outcome.caveats] == ["identical on all 3 queries"]
    assert paired.effect_size([0.0, 0.0, 0.0]) == 0.0


def test_a_difference_without_spread_has_no_t_but_signs() -> None:
    row = [0.1, 0.1 + 1e-17, 0.1, 0.3 - 0.2, 0.1, 0.1]
    outcome = paired.t_test(row)
    assert (outcome.p, outcome.statistic, outcome.identical) == (None, None, False)
    assert codes(outcome) >= {"no-spread", "few-queries"}
    assert paired.effect_size(row) is None
    assert paired.sign_test(row).p == 2 / 64
    interval = paired.t_interval(row)
    assert interval.low == interval.high == pytest.approx(0.1)


def test_a_wider_tolerance_decides_what_spread_is() -> None:
    outcome = paired.t_test([0.10, 0.11, 0.10], tolerance=0.05)
    assert outcome.p is None
    assert "no-spread" in codes(outcome)


def test_one_query_has_no_t() -> None:
    outcome = paired.t_test([0.4])
    assert outcome.p is None
    assert codes(outcome) == {"one-query"}
    assert (paired.t_interval([0.4]).low, paired.t_interval([0.4]).high) == (None, None)


def test_few_queries_and_skewed_differences_are_caveats() -> None:
    assert "few-queries" in codes(paired.t_test(CASE_81))
    generator = np.random.default_rng(1)
    assert codes(paired.t_test(generator.normal(0, 1, 60))) == set()
    skewed = np.append(generator.normal(0, 0.01, 59), 5.0)
    assert codes(paired.t_test(skewed)) == {"skewed"}
    assert codes(paired.t_interval(skewed)) == {"skewed"}
    assert "skewed" not in codes(paired.sign_test(skewed))


def test_few_unequal_queries_cannot_be_significant_and_the_outcome_says_so() -> None:
    assert "smallest-p" in codes(paired.sign_test([1, 2, 3, 4, 0, 0]))
    assert "smallest-p" not in codes(paired.sign_test([1, 2, 3, 4, 5, 6]))


@given(row=varied)
def test_skewness_is_scipys(row: list[int]) -> None:
    assert skewness(np.array(row, dtype=float)) == pytest.approx(float(stats.skew(row)), rel=1e-9, abs=1e-9)


def test_effect_size_is_the_mean_in_standard_deviations() -> None:
    assert paired.effect_size([1, 2, 3]) == pytest.approx(2.0)
    t = paired.t_test(CASE_81).statistic or 0
    assert paired.effect_size(CASE_81) == pytest.approx(t / math.sqrt(8))


def test_differences_within_the_tolerance_are_ties() -> None:
    assert paired.win_tie_loss([1e-10, -1e-10, 0.1, -0.1, 2e-9]) == (2, 2, 1)
    assert paired.win_tie_loss([0.01, -0.03, 0.1], tolerance=0.05) == (1, 2, 0)


@pytest.mark.parametrize(("left", "right"), [([1, 2], [1]), ([], []), ([math.nan], [1]), ([math.inf], [1])])
def test_what_cannot_be_paired_is_refused(left: list[float], right: list[float]) -> None:
    with pytest.raises(ValueError, match=r"paired|needed|finite"):
        differences_of(left, right)


@given(row=varied, margin=st.sampled_from([0.0, 0.01, 0.1, 0.3]))
def test_non_inferiority_is_a_one_sided_t_test_against_the_margin(row: list[int], margin: float) -> None:
    values = np.array(row) / 100
    outcome = margins.non_inferiority(values, margin)
    theirs = stats.ttest_1samp(values, -margin, alternative="greater")
    assert outcome.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert outcome.low == pytest.approx(theirs.confidence_interval(0.95).low, rel=1e-9, abs=1e-12)
    assert (outcome.decision == "holds") is bool(theirs.pvalue < 0.05)
    opposite = stats.ttest_1samp(values, -margin, alternative="less").pvalue
    assert (outcome.decision == "fails") is bool(opposite < 0.05)


@given(row=varied, margin=st.sampled_from([0.01, 0.1, 0.3]))
def test_equivalence_is_two_one_sided_t_tests(row: list[int], margin: float) -> None:
    values = np.array(row) / 100
    outcome = margins.equivalence(values, margin)
    below = stats.ttest_1samp(values, -margin, alternative="greater").pvalue
    above = stats.ttest_1samp(values, margin, alternative="less").pvalue
    assert outcome.p == pytest.approx(max(below, above), rel=1e-9)
    assert (outcome.decision == "holds") is bool(max(below, above) < 0.05)


def test_the_gate_of_the_specification_is_undecided() -> None:
    # 54 queries, mean −0.0009, s.d. 0.112: worst plausible −0.0265.
    values = np.random.default_rng(0).normal(size=54)
    values = (values - values.mean()) / values.std(ddof=1) * 0.112 - 0.0009
    outcome = margins.non_inferiority(values, 0.02)
    assert outcome.decision == "undecided"
    assert outcome.low == pytest.approx(-0.0264, abs=1e-4)
    assert outcome.deviation == pytest.approx(0.112)


@pytest.mark.parametrize("claim", [margins.non_inferiority, margins.equivalence])
def test_identical_systems_satisfy_every_margin(claim: type) -> None:
    outcome = claim([0.0, 1e-12, 0.0], 0.0)  # type: ignore[call-arg]
    assert (outcome.decision, outcome.identical, outcome.p) == ("holds", True, None)


def test_a_constant_loss_is_decided_by_itself() -> None:
    assert margins.non_inferiority([-0.1] * 4, 0.2).decision == "holds"
    assert margins.non_inferiority([-0.1] * 4, 0.05).decision == "fails"
    assert margins.equivalence([-0.1] * 4, 0.05).decision == "fails"
    assert margins.non_inferiority([-0.1], 0.2).decision == "undecided"


def test_impossible_margins_are_refused() -> None:
    for margin, alpha in ((-0.1, 0.05), (math.nan, 0.05), (0.1, 0.0), (0.1, 1.5)):
        with pytest.raises(ValueError, match=r"margin|alpha"):
            margins.equivalence(CASE_81, margin, alpha)


@settings(deadline=None)
@given(st.integers(0, 3))
def test_claims_that_just_don_t_hold_are_accepted_rarely(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = generator.normal(-0.1, 0.2, (400, 30))
    accepted = sum(margins.non_inferiority(row, 0.1).decision == "holds" for row in rows)
    # Of 400 tests at 0.05: 20 expected, standard deviation 4.4.
    assert 3 <= accepted <= 40
    assert sum(margins.equivalence(row, 0.1).decision == "holds" for row in rows) <= accepted
