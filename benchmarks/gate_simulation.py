"""Does ``irevalcli check`` keep its promises? Made-up differences between two runs, decided by the gate's own code.

Two promises are looked at, for differences of several shapes:

* a run whose true loss is exactly the margin passes in no more than a share alpha of all trials;
* a run without loss passes in at least 78 % of trials if it has as many queries as the gate named when it could not
  decide.

    python benchmarks/gate_simulation.py
    python benchmarks/gate_simulation.py --queries 30 --trials 10000 --seed 7
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.gate.drops import decide_drop, drop_of
from irevalcli.analysis.gate.pairing import Values
from irevalcli.analysis.gate.parsing import max_drop_rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.gate.verdicts import Verdict
    from irevalcli.reading.arrays import Floats

    Draw = Callable[[np.random.Generator, int], Floats]

MARGIN, DEVIATION, ALPHA = 0.02, 0.112, 0.05
"""As in the example of the documentation: nDCG@10 of 54 queries."""

FLOOR = 0.78
ENOUGH_TRIALS = 2000
"""With fewer of them chance alone may lead below the floor, so it is lowered by three standard errors from 80 %."""
_MOST_PILOTS = 1000


_MEAN, _LOGNORMAL_DEVIATION = math.exp(0.5), math.sqrt((math.e - 1) * math.e)


class Shape(NamedTuple):
    """How differences are distributed.

    Attributes:
        draw: standardised changes of queries that change, with mean 0 and deviation 1.
        changed: share of queries that change at all.
    """

    draw: Draw
    changed: float = 1.0

    def differences(self, random: np.random.Generator, queries: int, loss: float) -> Floats:
        """Run − baseline for so many queries, with a true mean of −`loss` and a deviation of about `DEVIATION`."""
        changes = DEVIATION / math.sqrt(self.changed) * self.draw(random, queries) - loss / self.changed
        return np.where(random.random(queries) < self.changed, changes, 0.0)


SHAPES = {
    "normal": Shape(lambda random, n: random.standard_normal(n)),
    "heavy tails": Shape(lambda random, n: random.standard_t(5, n) / math.sqrt(5 / 3)),
    "skewed, great losses": Shape(lambda random, n: 1 - random.standard_exponential(n)),
    "very skewed, great losses": Shape(lambda random, n: (_MEAN - random.lognormal(0, 1, n)) / _LOGNORMAL_DEVIATION),
    "skewed, great gains": Shape(lambda random, n: random.standard_exponential(n) - 1),
    "half unchanged": Shape(lambda random, n: random.standard_normal(n), 0.5),
    "7 of 10 unchanged": Shape(lambda random, n: random.standard_normal(n), 0.3),
    "half unchanged, great losses": Shape(lambda random, n: 1 - random.standard_exponential(n), 0.5),
}


def verdict_of(differences: Floats, margin: float = MARGIN) -> Verdict:
    """What the gate says about a run with these differences from its baseline."""
    rule = max_drop_rule(f"nDCG@10={margin}", "simulation")
    if rule.measure is None:
        raise ValueError(rule.text)
    qids = [b"%d" % number for number in range(differences.size)]
    before = dict.fromkeys(qids, 0.5)
    now = {qid: 0.5 + change for qid, change in zip(qids, differences.tolist(), strict=True)}
    return decide_drop(drop_of(rule, rule.measure.spec, Values(None, now), Values(None, before)))


def passed_at_margin(shape: Shape, queries: int, trials: int, seed: int) -> float:
    """The share of trials in which a run passes whose true loss is the margin."""
    random = np.random.default_rng(seed)
    return _share(verdict_of(shape.differences(random, queries, MARGIN)).outcome == "pass" for _ in range(trials))


def passed_with_named_queries(shape: Shape, queries: int, trials: int, seed: int) -> tuple[float, float]:
    """The share of trials in which a run without loss passes, and the median number of queries that were named."""
    random = np.random.default_rng(seed)
    outcomes, named = [], []
    for _ in range(trials):
        number = _named(shape, queries, random)
        named.append(number)
        outcomes.append(verdict_of(shape.differences(random, number, 0.0)).outcome == "pass")
    return _share(outcomes), float(np.median(named))


def _named(shape: Shape, queries: int, random: np.random.Generator) -> int:
    """The number of queries that the gate names for the first sample that it cannot decide."""
    for _ in range(_MOST_PILOTS):
        number = verdict_of(shape.differences(random, queries, 0.0)).queries_to_decide
        if number is not None:
            return number
    raise RuntimeError("the gate decides about every sample")


def _share(outcomes: object) -> float:
    return float(np.mean(np.fromiter(outcomes, np.bool_)))  # type: ignore[call-overload]


def main(arguments: list[str] | None = None) -> int:
    """Print a table; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description="Simulate the gate.")
    parser.add_argument("--trials", type=int, default=2000, help="for each shape  [2000]")
    parser.add_argument("--queries", type=int, default=50, help="of the first sample  [50]")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    ceiling = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / options.trials)
    floor = FLOOR if options.trials >= ENOUGH_TRIALS else 0.8 - 3 * math.sqrt(0.8 * 0.2 / options.trials)
    print(f"{options.trials} trials, {options.queries} queries, margin {MARGIN}, alpha {ALPHA}, seed {options.seed}")
    print(f"{'differences':30}{'passed, loss = margin':>24}{'passed, no loss':>18}{'queries named':>16}")
    kept = True
    for name, shape in SHAPES.items():
        wrong = passed_at_margin(shape, options.queries, options.trials, options.seed)
        right, named = passed_with_named_queries(shape, options.queries, options.trials, options.seed)
        print(f"{name:30}{wrong:24.2%}{right:18.1%}{named:16.0f}", flush=True)
        kept &= wrong <= ceiling and right >= floor
    print(f"{'promised':30}{f'at most {ceiling:.2%}':>24}{f'at least {floor:.1%}':>18}")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
