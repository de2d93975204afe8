"""Bootstrap intervals and tests against scipy, their own inversion and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from irevalcli.stats.bootstrap import Kind, bootstrap

KINDS: list[Kind] = ["bca", "studentised"]
SKEWED = np.random.default_rng(4).exponential(0.2, 60) - 0.2


def codes(result: object) -> set[str]:
    return {caveat.code for caveat in result.caveats}  # type: ignore[attr-defined]


def test_the_bca_interval_is_scipys_up_to_the_resamples() -> None:
    ours = bootstrap(SKEWED, resamples=40_000).interval
    theirs = stats.bootstrap(
        (SKEWED,), np.mean, n_resamples=40_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    error = SKEWED.std() / np.sqrt(60)
    assert ours.low == pytest.approx(theirs.low, abs=0.06 * error)
    assert ours.high == pytest.approx(theirs.high, abs=0.06 * error)
    # The correction is seen: the interval reaches farther up than down.
    assert (ours.high or 0) - ours.estimate > ours.estimate - (ours.low or 0)


def test_the_studentised_interval_of_normal_values_is_students() -> None:
    values = np.random.default_rng(2).normal(0.1, 0.2, 200)
    ours = bootstrap(values, "studentised", resamples=40_000).interval
    theirs = stats.ttest_1samp(values, 0).confidence_interval()
    error = values.std() / np.sqrt(200)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.12 * error)


@pytest.mark.parametrize("kind", KINDS)
def test_p_inverts_the_interval(kind: Kind) -> None:
    found = bootstrap(SKEWED, kind)
    p = found.outcome.p or 0
    assert 0.01 < p < 0.5
    inside, outside = (bootstrap(SKEWED, kind, confidence=1 - p * factor).interval for factor in (0.9, 1.1))
    assert (inside.low or 0) < 0 < (inside.high or 0)
    assert not (outside.low or 0) < 0 < (outside.high or 0)


@pytest.mark.parametrize("kind", KINDS)
def test_p_is_near_that_of_the_t_test_on_normal_values(kind: Kind) -> None:
    values = np.random.default_rng(7).normal(0.03, 0.2, 150)
    assert bootstrap(values, kind).outcome.p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, abs=0.02)
    turned = bootstrap(-values, kind).outcome.p
    assert turned == pytest.approx(bootstrap(values, kind).outcome.p, abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_the_result_says_what_was_done_and_the_seed_repeats_it(kind: Kind) -> None:
    found = bootstrap(SKEWED, kind, confidence=0.9, resamples=500, seed=8)
    assert found == bootstrap(SKEWED, kind, confidence=0.9, resamples=500, seed=8)
    assert found != bootstrap(SKEWED, kind, confidence=0.9, resamples=500, seed=9)
    interval, outcome = found
    assert (interval.kind, interval.confidence, interval.queries, interval.resamples, interval.seed) == (
        kind, 0.9, 60, 500, 8,
    )  # fmt: skip
    assert (outcome.test, outcome.alternative, outcome.method) == (f"bootstrap-{kind}", "two-sided", "sampled")


def test_a_bca_interval_of_one_system_stays_within_the_range_of_its_values() -> None:
    values = np.random.default_rng(3).integers(0, 2, 30).astype(float)
    interval = bootstrap(values, confidence=0.999).interval
    assert 0 <= (interval.low or 0) < interval.estimate < (interval.high or 0) <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_equal_values_are_identical_or_have_no_test(kind: Kind) -> None:
    identical = bootstrap([0.0, 1e-17, 0.0], kind)
    assert (identical.outcome.identical, identical.outcome.p) == (True, 1.0)
    assert (identical.interval.low, identical.interval.high) == (0.0, 0.0)
    constant = bootstrap([0.25] * 30, kind)
    assert (constant.outcome.p, constant.interval.low, constant.interval.high) == (None, 0.25, 0.25)
    assert codes(constant.outcome) == codes(constant.interval) == {"no-spread"}
    single = bootstrap([0.25], kind)
    assert (single.outcome.p, single.interval.low, single.interval.high) == (None, None, None)


@pytest.mark.parametrize("kind", KINDS)
def test_p_is_never_zero_and_says_how_far_it_can_be_told(kind: Kind) -> None:
    outcome = bootstrap(np.linspace(0.5, 0.6, 40), kind, resamples=999).outcome
    assert 1 / 1_000 <= (outcome.p or 0) <= 2 / 1_000
    assert codes(outcome) == {"resolution"}


def test_few_queries_make_the_bootstrap_p_too_small_and_the_outcome_says_so() -> None:
    assert codes(bootstrap([0.1, 0.2, 0.4, -0.1]).outcome) >= {"few-queries", "small-bootstrap"}


def test_two_queries_bound_no_studentised_interval() -> None:
    found = bootstrap([0.1, 0.2], "studentised")
    assert (found.interval.low, found.interval.high) == (None, None)
    assert "unbounded" in codes(found.interval)


def test_an_outlier_that_bends_the_correction_beyond_its_pole_leaves_finite_ends() -> None:
    values = np.zeros(400)
    values[0] = 1.0
    interval = bootstrap(values, confidence=1 - 1e-12, resamples=300).interval
    assert 0 <= (interval.low or 0) < (interval.high or 0) <= 1


@pytest.mark.parametrize(("kind", "least"), [("bca", 0.88), ("studentised", 0.91)])
def test_intervals_cover_the_mean_of_skewed_values_about_as_often_as_they_say(kind: Kind, least: float) -> None:
    rows = np.random.default_rng(5).exponential(1.0, (400, 30))
    covered = 0
    for row in rows:
        interval = bootstrap(row, kind, resamples=600).interval
        covered += (interval.low or 0) <= 1 <= (interval.high or 0)
    assert least <= covered / 400 <= 0.98


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(ValueError, match="confidence"):
        bootstrap(SKEWED, confidence=1.0)
    with pytest.raises(ValueError, match="resample"):
        bootstrap(SKEWED, resamples=0)
    with pytest.raises(ValueError, match="finite"):
        bootstrap([1.0, np.nan])
