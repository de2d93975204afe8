"""Randomisation tests against full enumeration, scipy and their promises."""

from __future__ import annotations

import time
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from irevalcli.stats import draws
from irevalcli.stats.anova import tukey
from irevalcli.stats.draws import Draws
from irevalcli.stats.randomisation import randomized_tukey, sign_flip_test, sign_flip_tests
from irevalcli.stats.sample import paired

if TYPE_CHECKING:
    from collections.abc import Callable

CASE_81 = paired([1, 1 / 2, 1, 1 / 3, 1, 1 / 2, 1, 1 / 4], [1 / 2, 1 / 3, 1, 1 / 4, 1 / 2, 1 / 3, 1 / 2, 1 / 5])
ALTERNATIVES = ["two-sided", "greater", "less"]


def test_case_81_is_four_of_256() -> None:
    outcome = sign_flip_test(CASE_81)
    assert outcome.p == 4 / 256
    assert (outcome.method, outcome.resamples, outcome.seed) == ("exact", 256, None)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@given(row=st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_few_queries_are_enumerated(alternative: str, row: list[int]) -> None:
    sums = np.array([np.dot(signs, row) for signs in product((-1, 1), repeat=len(row))])
    observed = sum(row)
    reached = {
        "two-sided": np.abs(sums) >= abs(observed),
        "greater": sums >= observed,
        "less": sums <= observed,
    }[alternative]
    expected = float(reached.mean()) if any(row) else 1.0
    # Tenths are not exact in binary, so equal sums come out differently in different orders.
    assert sign_flip_test(np.array(row) * 0.1, alternative).p == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_enumeration_is_scipys(alternative: str) -> None:
    values = np.random.default_rng(5).normal(0.03, 0.1, 12)
    theirs = stats.permutation_test(
        (values,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=np.inf, vectorized=True,
        alternative=alternative,
    )  # fmt: skip
    assert sign_flip_test(values, alternative).p == pytest.approx(theirs.pvalue, rel=1e-12)  # type: ignore[arg-type]


def test_twenty_queries_are_enumerated_and_twenty_one_sampled() -> None:
    values = np.random.default_rng(7).normal(0.02, 0.1, 21)
    assert (sign_flip_test(values[:20]).method, sign_flip_test(values[:20]).resamples) == ("exact", 2**20)
    sampled = sign_flip_test(values, resamples=999, seed=3)
    assert (sampled.method, sampled.resamples, sampled.seed) == ("sampled", 999, 3)
    assert ((sampled.p or 0) * 1000) % 1 == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_sample_comes_near_the_exact_value_and_scipys_sample(alternative: str) -> None:
    values = np.random.default_rng(11).normal(0.03, 0.1, 40)
    outcome = sign_flip_test(values, alternative, resamples=40_000)  # type: ignore[arg-type]
    theirs = stats.permutation_test(
        (values,), lambda x, axis: x.mean(axis=axis), permutation_type="samples", n_resamples=40_000, vectorized=True,
        alternative=alternative, rng=np.random.default_rng(1),
    )  # fmt: skip
    # The standard error of both together is at most 0.0036.
    assert outcome.p == pytest.approx(theirs.pvalue, abs=0.012)


def test_the_same_seed_gives_the_same_p_and_another_seed_another() -> None:
    values = np.random.default_rng(2).normal(0.01, 0.1, 100)
    assert sign_flip_test(values, seed=5) == sign_flip_test(values, seed=5)
    assert len({sign_flip_test(values, seed=seed).p for seed in range(6)}) > 1


def test_a_sampled_p_is_never_zero() -> None:
    outcome = sign_flip_test(np.linspace(0.1, 0.2, 30), resamples=100)
    assert outcome.p == 1 / 101
    assert "resolution" in {caveat.code for caveat in outcome.caveats}


@pytest.mark.parametrize("queries", [8, 60])
def test_several_rows_give_what_each_gives_alone(queries: int) -> None:
    rows = np.random.default_rng(4).normal(0.01, 0.1, (5, queries))
    rows[2] = 0.0
    assert sign_flip_tests(rows) == tuple(sign_flip_test(row) for row in rows)
    assert sign_flip_tests([]) == ()


def test_blocks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).normal(0.01, 0.1, 64)
    whole = sign_flip_test(values)
    monkeypatch.setattr(draws, "BLOCK", 6_500)
    # 64 queries fill whole words, so that blocks draw the same signs.
    assert sign_flip_test(values).p == whole.p


def test_identical_systems_are_identical() -> None:
    for n in (3, 30):
        outcome = sign_flip_test([1e-17] * n)
        assert (outcome.identical, outcome.p, outcome.estimate) == (True, 1.0, 0.0)


def test_a_constant_difference_has_the_p_of_its_signs() -> None:
    assert sign_flip_test([0.1] * 5).p == 2 / 32
    assert "smallest-p" in {caveat.code for caveat in sign_flip_test([0.1] * 5).caveats}


def test_ten_thousand_flips_of_200_queries_take_a_fraction_of_what_scipy_takes() -> None:
    values = np.random.default_rng(2).normal(0.01, 0.1, 200)

    def seconds(work: Callable[[], object]) -> float:
        times = []
        for _ in range(3):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        return min(times)

    theirs = seconds(
        lambda: stats.permutation_test(
            (values,), np.mean, permutation_type="samples", n_resamples=10_000, vectorized=True
        )
    )
    assert seconds(lambda: sign_flip_test(values)) < theirs / 2


def test_random_flips_keep_the_error_rate() -> None:
    rows = np.random.default_rng(8).standard_t(3, (1_000, 25))
    rejected = sum((outcome.p or 0) <= 0.05 for outcome in sign_flip_tests(rows, resamples=999))
    # 50 expected, standard deviation 6.9.
    assert 29 <= rejected <= 71


def test_coins_picks_and_orders_are_uniform() -> None:
    stream = Draws(1)
    coins = stream.coins(2_000, 37)
    assert coins.shape == (2_000, 37)
    assert set(np.unique(coins)) == {0, 1}
    assert np.abs(coins.mean(axis=0) - 0.5).max() < 0.05
    picks = stream.picks(3_000, 7)
    assert np.bincount(picks.ravel(), minlength=7) / 21_000 == pytest.approx(np.full(7, 1 / 7), abs=0.01)
    orders = stream.orders(3_000, 2, 3)
    found = dict.fromkeys(permutations(range(3)), 0)
    for order in orders.reshape(-1, 3).tolist():
        found[tuple(order)] += 1
    assert np.array(list(found.values())) / 6_000 == pytest.approx(np.full(6, 1 / 6), abs=0.02)


@pytest.mark.parametrize("size", [2, 255, 256, 257, 300])
def test_orders_of_many_systems_hold_each_once(size: int) -> None:
    orders = Draws(3).orders(2, 3, size)
    assert orders.shape == (2, 3, size)
    assert (np.sort(orders, axis=-1) == np.arange(size)).all()


def test_the_randomised_tukey_test_of_two_systems_is_the_sign_flip_test() -> None:
    generator = np.random.default_rng(6)
    table = generator.normal(0, 0.1, (2, 12)) + np.array([[0.07], [0.0]])
    (pair,) = randomized_tukey(table, resamples=40_000).pairs
    assert pair.p == pytest.approx(sign_flip_test(table[0] - table[1]).p, abs=0.01)


def test_the_randomised_tukey_test_comes_near_full_enumeration() -> None:
    table = np.random.default_rng(9).normal(0, 0.1, (3, 4)).round(1) + np.array([[0.1], [0.0], [0.0]])
    arrangements = [np.array(rows) for rows in product(*(list(permutations(column)) for column in table.T))]
    ranges = np.array([np.ptp(rows.mean(axis=0)) for rows in arrangements])
    result = randomized_tukey(table, resamples=40_000)
    for pair in result.pairs:
        expected = float((ranges >= abs(pair.difference) - 1e-9).mean())
        assert pair.p == pytest.approx(expected, abs=0.012)


def test_the_randomised_tukey_test_agrees_with_the_formula_on_normal_scores_of_equal_systems() -> None:
    generator = np.random.default_rng(12)
    # Without a true difference: one would widen what the permutations give, but not the residual.
    table = generator.normal(0, 0.1, (5, 60)) + generator.normal(0, 0.2, 60)
    for sampled, formula in zip(randomized_tukey(table).pairs, tukey(table).pairs, strict=True):
        assert sampled.p == pytest.approx(formula.p, abs=0.02)
        assert sampled.statistic == pytest.approx(formula.statistic)
        assert sampled.effect == pytest.approx(formula.effect)


def test_the_randomised_tukey_test_reproduces_and_knows_identical_systems() -> None:
    table = np.random.default_rng(1).normal(0, 0.1, (3, 30))
    table[2] = table[0]
    result = randomized_tukey(table, resamples=500, seed=4)
    assert result == randomized_tukey(table, resamples=500, seed=4)
    same = next(pair for pair in result.pairs if (pair.first, pair.second) == (0, 2))
    assert (same.identical, same.p, same.difference) == (True, 1.0, 0.0)
    assert (result.resamples, result.seed, result.method) == (500, 4, "sampled")


def test_the_randomised_tukey_test_keeps_the_family_wise_error() -> None:
    generator = np.random.default_rng(3)
    rejected = 0
    for _ in range(200):
        table = generator.exponential(0.1, (4, 20))
        rejected += any((pair.p or 0) <= 0.05 for pair in randomized_tukey(table, resamples=199).pairs)
    # 10 expected, standard deviation 3.1.
    assert rejected <= 21


def test_no_resamples_are_refused() -> None:
    with pytest.raises(ValueError, match="resample"):
        sign_flip_test(CASE_81, resamples=0)
    with pytest.raises(ValueError, match="resample"):
        randomized_tukey([[1, 2], [2, 3]], resamples=0)
