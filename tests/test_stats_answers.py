"""What all statistics promise: no NaN, no infinity, nothing of scipy before it is needed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irevalcli.stats import bootstrap, margins, paired, rank_correlation, standardise
from irevalcli.stats.anova import tukey, two_way
from irevalcli.stats.corrections import correct
from irevalcli.stats.randomisation import randomized_tukey, sign_flip_test

if TYPE_CHECKING:
    from collections.abc import Callable

ODD = st.sampled_from([0.0, 1e-17, 1e-9, 0.1, 0.1 + 1e-16, 0.3, -0.3, 1.0, -1.0, 1e-150, 1e15])
ONE_ROW: list[Callable[[list[float]], object]] = [
    paired.t_test,
    paired.wilcoxon_test,
    paired.sign_test,
    paired.t_interval,
    sign_flip_test,
    paired.effect_size,
    lambda row: margins.non_inferiority(row, 0.02),
    lambda row: margins.equivalence(row, 0.02),
    lambda row: bootstrap.bootstrap(row, "bca", resamples=50),
    lambda row: bootstrap.bootstrap(row, "studentised", resamples=50),
]


@pytest.mark.parametrize("statistic", ONE_ROW)
@settings(deadline=None, max_examples=60)
@given(row=st.lists(ODD, min_size=1, max_size=24))
def test_answers_about_differences_are_finite_or_none(
    statistic: Callable[[list[float]], object], row: list[float]
) -> None:
    json.dumps(statistic(row), allow_nan=False)


@settings(deadline=None, max_examples=60)
@given(
    rows=st.integers(1, 8).flatmap(lambda n: st.lists(st.lists(ODD, min_size=n, max_size=n), min_size=2, max_size=3))
)
def test_answers_about_tables_are_finite_or_none(rows: list[list[float]]) -> None:
    for answer in (two_way(rows), randomized_tukey(rows, resamples=20)):
        json.dumps(answer, allow_nan=False)
    assert np.isfinite(standardise.standardise(rows).scores).all()
    x, y = rows[:2]
    for name in ("kendall_tau", "kendall_tau_b", "tau_ap", "tau_ap_b", "spearman", "pearson"):
        json.dumps(getattr(rank_correlation, name)(x, y), allow_nan=False)


def test_identical_systems_among_others_spoil_no_correction() -> None:
    row = np.array([0.1, 0.5, 0.2, 0.9])
    p_values = [pair.p for pair in tukey([row, row, row[::-1]]).pairs]
    assert p_values[0] == 1.0
    assert None not in correct(p_values).adjusted


def test_scipy_waits_until_it_is_needed() -> None:
    modules = "anova bootstrap corrections margins paired power randomisation rank_correlation rbo standardise"
    code = f"""
import sys
from importlib import import_module
for name in {modules.split()}:
    import_module('irevalcli.stats.' + name)
from irevalcli.stats.randomisation import sign_flip_test
sign_flip_test([0.1, 0.2])
print('scipy' in sys.modules)
from irevalcli.stats.paired import t_test
t_test([0.1, 0.2])
print('scipy.special' in sys.modules, 'scipy.stats' in sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["False", "True", "False"]
