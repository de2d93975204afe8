"""Power against published numbers, simulation and its own inversion."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from irevalcli.stats import power


def test_about_195_queries_decide_the_gate_of_the_specification() -> None:
    assert power.queries_that_decide(0.02, 0.112) == 195


def test_a_true_loss_needs_more_queries_and_one_beyond_the_margin_no_number() -> None:
    assert (power.queries_that_decide(0.02, 0.112, difference=-0.01) or 0) > 700
    assert power.queries_that_decide(0.02, 0.112, difference=-0.02) is None
    assert power.queries_that_decide(0.02, 0.0) == 2


@pytest.mark.parametrize(("effect", "queries"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_a_paired_t_test_needs_the_published_numbers(effect: float, queries: int) -> None:
    # Cohen's small, medium and large effects at alpha 0.05 and power 0.8.
    needed = power.queries_for_t(effect * 0.1, 0.1)
    assert needed.queries == queries
    assert needed.attained >= 0.8 > power.power_of_t(queries - 1, effect)


def test_anova_needs_the_published_number() -> None:
    # Cohen's f = 0.25 with four groups: 45 in each. f² = effect² / (2 m) in the least favourable case.
    needed = power.queries_for_anova(math.sqrt(0.25**2 * 2 * 4), 1.0, systems=4)
    assert needed.queries == 45
    assert needed.test == "anova"


def test_54_queries_miss_effects_below_what_the_specification_says() -> None:
    found = power.detectable(54, 0.112)
    assert found.difference == pytest.approx(0.043, abs=0.0006)
    assert found.effect == pytest.approx(found.difference / 0.112)


@settings(deadline=None)
@given(st.integers(2, 500), st.sampled_from([0.001, 0.01, 0.05]), st.sampled_from([0.5, 0.8, 0.99]))
def test_what_is_detectable_has_just_the_power_asked_for(queries: int, alpha: float, asked: float) -> None:
    found = power.detectable(queries, 0.2, alpha, asked)
    assert power.power_of_t(queries, found.effect, alpha) == pytest.approx(asked, abs=1e-6)


@settings(deadline=None)
@given(st.integers(3, 400))
def test_queries_needed_invert_what_is_detectable(queries: int) -> None:
    found = power.detectable(queries, 0.2)
    assert power.queries_for_t(found.difference * (1 + 1e-9), 0.2).queries == queries


@pytest.mark.parametrize("queries", [5, 30])
def test_the_power_of_t_is_what_a_simulation_finds(queries: int) -> None:
    rows = np.random.default_rng(queries).normal(0.5, 1.0, (4_000, queries))
    found = float((stats.ttest_1samp(rows, 0, axis=1).pvalue < 0.05).mean())
    assert power.power_of_t(queries, 0.5) == pytest.approx(found, abs=0.03)


def test_the_power_of_anova_is_what_a_simulation_finds() -> None:
    generator = np.random.default_rng(3)
    groups = [generator.normal(mean, 1.0, (4_000, 20)) for mean in (0.0, 0.4, 0.8)]
    found = float((stats.f_oneway(*groups, axis=1).pvalue < 0.05).mean())
    assert power.power_of_anova(20, 3, 0.8) == pytest.approx(found, abs=0.03)


def test_two_systems_need_about_as_many_queries_under_anova_as_under_an_unpaired_t_test() -> None:
    effect = 0.5
    needed = power.queries_for_anova(effect, 1.0, systems=2).queries
    shift, df = effect * math.sqrt(needed / 2), 2 * needed - 2
    critical = stats.t.ppf(0.975, df)
    assert stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift) >= 0.8
    # Cohen's table: 64 in each of two groups.
    assert needed == 64


def test_tiny_and_huge_effects_have_answers() -> None:
    assert power.queries_for_t(1e-6, 1.0).queries == pytest.approx(7.85e12, rel=1e-3)
    assert power.queries_for_t(50.0, 1.0).queries == 2
    assert power.queries_for_t(0.1, 0.0).queries == power.queries_for_anova(0.1, 0.0, 3).queries == 2
    assert power.detectable(2, 0.1, 0.001, 0.99).effect > 500
    assert power.detectable(50, 0.0).difference == 0.0


@pytest.mark.parametrize(
    ("difference", "deviation", "alpha", "asked"),
    [(0.0, 1, 0.05, 0.8), (-1, 1, 0.05, 0.8), (1, -1, 0.05, 0.8), (1, 1, 0, 0.8), (1, 1, 0.05, 1), (1, 1, 0.9, 0.8)],
)
def test_impossible_settings_are_refused(difference: float, deviation: float, alpha: float, asked: float) -> None:
    with pytest.raises(ValueError, match=r"must"):
        power.queries_for_t(difference, deviation, alpha, asked)
    with pytest.raises(ValueError, match=r"must"):
        power.queries_for_anova(difference, deviation, 3, alpha, asked)


def test_one_query_or_one_system_is_refused() -> None:
    with pytest.raises(ValueError, match="two queries"):
        power.detectable(1, 0.1)
    with pytest.raises(ValueError, match="two systems"):
        power.queries_for_anova(0.1, 0.1, 1)
