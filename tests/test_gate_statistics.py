"""Plausible differences, and that the gate keeps its error rate where Student's t does not."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from drop_in import ROOT, environment
from hypothesis import given
from hypothesis import strategies as st

from irevalcli.stats.paired import t_interval
from irevalcli.stats.plausible import best_plausible, queries_needed, shape_of, worst_plausible
from irevalcli.stats.power import queries_that_decide

if TYPE_CHECKING:
    from irevalcli.reading.arrays import Floats


def of_normal_shape(queries: int, centre: float, deviation: float) -> Floats:
    """So many values, symmetric, with exactly this mean and sample deviation."""
    steps = np.linspace(-1.7, 1.7, queries)
    return centre + deviation * steps / steps.std(ddof=1)


def test_the_example_of_the_specification_has_students_numbers() -> None:
    # Δ −0.0009, s.d. 0.112, 54 queries: worst plausible −0.0265 at 95 %, 195 queries would decide about 0.02.
    shape = shape_of(of_normal_shape(54, -0.0009, 0.112))
    worst = worst_plausible(shape)
    assert worst is not None
    assert f"{worst:.4f}" in {"-0.0264", "-0.0265"}
    assert queries_needed(shape, 0.02) == 195


def test_ordinary_differences_have_students_bounds_on_both_sides() -> None:
    values = np.random.default_rng(2).normal(0.01, 0.1, 60)
    interval = t_interval(values, 0.9)
    shape = shape_of(values)
    assert shape.ordinary
    assert worst_plausible(shape) == pytest.approx(interval.low)
    assert best_plausible(shape) == pytest.approx(interval.high)
    assert queries_needed(shape, 0.02) == queries_that_decide(0.02, shape.deviation or 0.0)


def test_great_losses_and_unchanged_queries_lower_the_bound_and_raise_the_number() -> None:
    random = np.random.default_rng(2)
    for values in (
        0.1 - random.exponential(0.1, 60),
        np.where(random.random(60) < 0.4, random.normal(0, 0.1, 60), 0.0),
    ):
        shape = shape_of(values)
        worst, low = worst_plausible(shape), t_interval(values, 0.9).low
        assert worst is not None
        assert low is not None
        assert worst < low
        assert (queries_needed(shape, 0.02) or 0) > (queries_that_decide(0.02, shape.deviation or 0.0) or 0)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=60))
def test_no_bound_is_inside_students(values: list[float]) -> None:
    shape = shape_of(values)
    worst, best = worst_plausible(shape), best_plausible(shape)
    assert worst is not None
    assert best is not None
    assert worst <= shape.centre <= best
    interval = t_interval(values, 0.9)
    if shape.spread == "varied" and interval.low is not None and interval.high is not None:
        assert worst <= interval.low + 1e-12
        assert best >= interval.high - 1e-12


def test_what_has_no_spread_has_no_other_bound_and_one_query_has_none() -> None:
    assert worst_plausible(shape_of([0.25])) is None
    assert queries_needed(shape_of([0.25]), 0.02) is None
    assert worst_plausible(shape_of([-0.25] * 5)) == -0.25
    assert worst_plausible(shape_of([0.0] * 5)) == 0.0
    with pytest.raises(ValueError, match="alpha"):
        worst_plausible(shape_of([0.1, 0.2]), alpha=1.5)


def test_no_number_of_queries_shows_equality_with_a_margin_of_0() -> None:
    assert queries_needed(shape_of([0.1, -0.1, 0.2]), 0.0) is None


def test_the_simulated_gate_keeps_what_it_promises() -> None:
    trials, alpha = 200, 0.05
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "gate_simulation.py"), "--trials", str(trials), "--seed", "5"],
        capture_output=True, env=environment(), text=True, check=False,
    )  # fmt: skip
    rows = re.findall(r"^(\w.*?) +([\d.]+)% +([\d.]+)% +\d+$", done.stdout, re.MULTILINE)
    assert len(rows) == 8, done.stdout + done.stderr
    for name, wrong, right in rows:
        assert float(wrong) / 100 <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / trials), name
        assert float(right) / 100 >= 0.8 - 3 * math.sqrt(0.8 * 0.2 / trials), name
    assert done.returncode == 0
