"""User models as their papers word them: one query, one rank after the other, with exact sums of the gains."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Query

    Continuation = Callable[["Path", int], float]

DEPTH = 1000


class Path:
    """A query down to rank `DEPTH`; lists by rank, so that place 0 is empty.

    Attributes:
        gain: from 0 to 1; 0 for what is unjudged, and after the end.
        total: the gains down to each rank.
        ahead: the gains from each rank on, each divided by its rank.
        num_relevant: how many judged documents gain, retrieved or not.
    """

    def __init__(self, query: Query, max_rel: int) -> None:
        ranked, rest = query
        gained = [Fraction(max(grade or 0, 0), max_rel) for grade in ranked[:DEPTH]]
        self.gain = [Fraction(0), *gained, *[Fraction(0)] * (DEPTH - len(gained))]
        self.total = list(self.gain)
        for i in range(1, DEPTH + 1):
            self.total[i] += self.total[i - 1]
        self.ahead = [0.0] * (DEPTH + 2)
        for i in range(DEPTH, 0, -1):
            self.ahead[i] = self.ahead[i + 1] + float(self.gain[i]) / i
        self.num_relevant = sum(grade is not None and grade > 0 for grade in ranked + rest)


def expected(path: Path, continuation: Continuation, last: int = DEPTH) -> dict[str, float]:
    """All reports, in terms of where the user stops; nobody goes on after the last rank."""
    chances, stops = [1.0], []
    for i in range(1, last + 1):
        going_on = continuation(path, i) if i < last else 0.0
        stops.append(chances[-1] * (1.0 - going_on))
        chances.append(chances[-1] * going_on)
    documents = math.fsum(chances)
    return {
        "EU": math.fsum(chance * path.gain[i] for i, chance in enumerate(chances[:-1], 1)) / documents,
        "ETU": math.fsum(stop * path.total[i] for i, stop in enumerate(stops, 1)),
        "EC": math.fsum(chances) / documents,
        "ETC": math.fsum(stop * i for i, stop in enumerate(stops, 1)),
        "ED": documents,
    }


def trap(path: Path) -> dict[str, float]:
    weights = [(path.total[i] or 1) / (i * max(path.num_relevant, 1)) for i in range(1, DEPTH + 1)]
    utility = float(sum(weight * path.gain[i] for i, weight in enumerate(weights, 1) if path.gain[i]))
    cost, depth = math.fsum(weights), float(1 / weights[0])
    return {"EU": utility, "ETU": utility * depth, "EC": cost, "ETC": cost * depth, "ED": depth}


def weighted(weight: Callable[[int], float]) -> Continuation:
    return lambda _, i: weight(i + 1) / weight(i) if weight(i) > 0 else 0.0


def inst(wanted: float) -> Continuation:
    def going_on(path: Path, i: int) -> float:
        still = wanted - float(path.total[i])
        return ((i + wanted + still - 1) / (i + wanted + still)) ** 2

    return going_on


def bpm(benefit: Fraction, cost: int, hb: Fraction = Fraction(0), hc: Fraction = Fraction(0)) -> Continuation:
    def going_on(path: Path, i: int) -> float:
        feedback = path.total[i - 1] - Fraction(i - 1, 2)
        return float(path.total[i] < benefit + hb * feedback and i < cost + hc * feedback)

    return going_on


def goal(wanted: float, b: float, r: float) -> Continuation:
    return lambda path, i: 1 - 1 / (1 + b * math.exp((wanted - float(path.total[i])) * r))


def rate(wanted: float, b: float, r: float) -> Continuation:
    return lambda path, i: 1 / (1 + b * math.exp((wanted - float(path.total[i]) / i) * r))


def both(one: Continuation, other: Continuation) -> Continuation:
    return lambda path, i: one(path, i) * other(path, i)


def insq(wanted: float) -> Continuation:
    return lambda _, i: ((i + 2 * wanted - 1) / (i + 2 * wanted)) ** 2


def unless_satisfied(continuation: Continuation) -> Continuation:
    return both(lambda path, i: 1 - float(path.gain[i]), continuation)


def average_precision(path: Path, i: int) -> float:
    return path.ahead[i + 1] / path.ahead[i] if path.ahead[i] > 0 else 0.0


MODELS: dict[str, tuple[Continuation, int]] = {
    "CWL_P@5": (lambda _path, _i: 1.0, 5),
    "CWL_P@1": (lambda _path, _i: 1.0, 1),
    "CWL_RBP": (lambda _path, _i: 0.8, DEPTH),
    "CWL_RBP(p=0.99)": (lambda _path, _i: 0.99, DEPTH),
    "CWL_RBP(p=0)": (lambda _path, _i: 0.0, DEPTH),
    "CWL_RBP(p=1)": (lambda _path, _i: 1.0, DEPTH),
    "CWL_SDCG@10": (lambda _, i: math.log2(i + 1) / math.log2(i + 2), 10),
    "CWL_SDCG@5000": (lambda _, i: math.log2(i + 1) / math.log2(i + 2), DEPTH),
    "INSQ": (insq(1), DEPTH),
    "INSQ(T=2.5)": (insq(2.5), DEPTH),
    "INSQ(T=0)": (insq(0), DEPTH),
    "NPV": (lambda _path, _i: 1 / 1.1, DEPTH),
    "SET@10": (weighted(lambda i: (i + 1) ** 0.5 - i**0.5), 10),
    "SET(b=0.2)@70": (weighted(lambda i: (i + 1) ** 0.2 - i**0.2), 70),
    "U": (weighted(lambda i: max(0.0, 1 - (i - 1) / 1000)), DEPTH),
    "U(L=10)": (weighted(lambda i: max(0.0, 1 - (i - 1) / 10)), DEPTH),
    "U(L=1e4)": (weighted(lambda i: max(0.0, 1 - (i - 1) / 1e4)), DEPTH),
    "TBG": (weighted(lambda i: 2 ** (-(i - 1) / 224)), DEPTH),
    "TBG(h=22)": (weighted(lambda i: 2 ** (-(i - 1) / 22)), DEPTH),
    "CWL_RR": (lambda path, i: float(path.gain[i] == 0), DEPTH),
    "CWL_AP": (average_precision, DEPTH),
    "INST": (inst(1), DEPTH),
    "INST(T=0.5)": (inst(0.5), DEPTH),
    "INST(T=3)": (inst(3), DEPTH),
    "BPM@10": (bpm(Fraction(1), 10), DEPTH),
    "BPM(T=0)@10": (bpm(Fraction(0), 10), DEPTH),
    "BPM(T=2)@20": (bpm(Fraction(2), 20), DEPTH),
    "BPM(T=4)@5000": (bpm(Fraction(4), 5000), DEPTH),
    "BPM(dynamic=True)@10": (bpm(Fraction(1), 10, Fraction(1), Fraction(1)), DEPTH),
    "BPM(T=3,dynamic=True)@4": (bpm(Fraction(3), 4, Fraction(1), Fraction(1)), DEPTH),
    "BPM(T=4,dynamic=True,hb=0.5,hc=-2)@3": (bpm(Fraction(4), 3, Fraction(1, 2), Fraction(-2)), DEPTH),
    "BPM(T=5,dynamic=True,hb=0,hc=0)@20": (bpm(Fraction(5), 20), DEPTH),
    "IFT": (both(goal(2, 0.9, 10), rate(0.2, 0.9, 10)), DEPTH),
    "IFT(T=1,b1=0.5,R1=3,A=0.1,b2=0.2,R2=5)": (both(goal(1, 0.5, 3), rate(0.1, 0.2, 5)), DEPTH),
    "IFT(kind=C1)": (goal(2, 0.9, 10), DEPTH),
    "IFT(kind=C1,b1=0)": (goal(2, 0, 10), DEPTH),
    "IFT(kind=C2)": (rate(0.2, 0.9, 10), DEPTH),
    "IFT(kind=C2,b2=0)": (rate(0.2, 0, 10), DEPTH),
    "NERR8@10": (unless_satisfied(lambda _path, _i: 1.0), 10),
    "NERR8@5000": (unless_satisfied(lambda _path, _i: 1.0), DEPTH),
    "NERR9@10": (unless_satisfied(lambda _, i: i / (i + 1)), 10),
    "NERR9@5000": (unless_satisfied(lambda _, i: i / (i + 1)), DEPTH),
    "NERR10": (unless_satisfied(lambda _path, _i: 0.9), DEPTH),
    "NERR10(p=0.99)": (unless_satisfied(lambda _path, _i: 0.99), DEPTH),
    "NERR11": (unless_satisfied(insq(1)), DEPTH),
    "NERR11(T=3)": (unless_satisfied(insq(3)), DEPTH),
}
"""The continuation of each model, and the last rank that it lets a user get to."""
