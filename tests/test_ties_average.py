"""Measures averaged over ties, against all orders written out."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import ranking_of
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import judgments_in, run_in
from worlds import world

from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.errors import UsageProblem
from irevalcli.index.ranking import Ranking
from irevalcli.measures import tie_averages
from irevalcli.measures.families import all_measures
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from builders import Query

NEAR = 1e-12

# A tie is the grades of documents with one score, None for one that the qrels do not have; a query is a list of ties
# and the grades of the judged documents that were not retrieved.
Tied = list[list[int | None]]

MEASURES = [
    "P@1", "P@3", "P@20", "P(rel=2)@4", "Hits@3", "R@2", "R(capped=True)@3", "R(rel=2)@5", "Rprec", "Rprec(rel=2)",
    "F", "F@3", "F(beta=2)@4", "F(alpha=0)@3", "F(alpha=1)@3", "F(rel=3)@2",
    "AP", "AP@2", "AP@4", "AP(denom=min)@3", "AP(rel=2)", "RR", "RR@2", "RR(rel=2)", "Success@1", "Success@3",
    "Success(rel=3)@2", "Judged@3", "Judged@10", "Unjudged@3", "Unjudged@10",
    "CG", "CG@3", "CG(gain=exp)@2", "DCG", "DCG@3", "DCG(discount=jk,base=3)@4", "DCG(gains={1:5,2:0.5},rel=1)@3",
    "nDCG", "nDCG@1", "nDCG@3", "nDCG(gain=exp)@4", "nDCG(discount=jk)@5", "nDCG(ideal=whole)@2", "nDCG(rel=2)@3",
    "SDCG@2", "SDCG(max_rel=5)@30", "RBP", "RBP@3", "RBP(p=0)", "RBP(p=1)", "RBP(rel=2)", "RBP(gain=raw,p=0.95)",
    "RBP(gain=scaled)", "RBP(gain=scaled,max_rel=4)@2", "RBP(gain=scaled,scale=query,p=0.3)",
]  # fmt: skip
AVERAGED = {record.name for record in all_measures().values() if record.tie_average is not None}


def tied_ranking(queries: list[tuple[Tied, list[int]]]) -> Ranking:
    """The ranking of such queries, every tie in the order in which it is written."""
    ranking = ranking_of([([grade for tie in ties for grade in tie], rest) for ties, rest in queries])
    size = np.array([len(tie) for ties, _ in queries for tie in ties for _ in tie], np.int64)
    first = np.concatenate(
        [np.repeat(np.cumsum([0, *map(len, ties)])[:-1] + 1, [len(tie) for tie in ties]) for ties, _ in queries]
    ).astype(np.int64)
    start = np.cumsum(ranking.retrieved) - ranking.retrieved
    place = start[ranking.query] + ranking.rank - 1
    return Ranking(
        ranking.judgments,
        retrieved=ranking.retrieved,
        answered=ranking.answered,
        query=ranking.query,
        rank=ranking.rank,
        listed=ranking.listed,
        grade=ranking.grade,
        score=ranking.score,
        tie_first=first[place],
        tie_size=size[place],
    )


def orders(ties: Tied, rest: list[int]) -> Iterator[Query]:
    """The query with its ties in every order."""
    for order in product(*(list(permutations(tie)) for tie in ties)):
        yield [grade for tie in order for grade in tie], rest


def average_of(measure: str, ranking: Ranking) -> list[float]:
    (spec,) = parse_measures(measure)
    return [float(value) for value in spec.average_over_ties(ranking)]


def written_out(measure: str, ties: Tied, rest: list[int], *, depth: int | None = None) -> float:
    """The mean of the measure over all orders."""
    (spec,) = parse_measures(measure)
    every = ranking_of(list(orders(ties, rest)))
    values = [float(value) for value in spec.compute(every if depth is None else every.truncated(depth))]
    return sum(values) / len(values)


SOME: list[tuple[Tied, list[int]]] = [
    ([[2, 0, 1]], [3, 1]),
    ([[1], [None, 2, 0, 1], [3, None]], [1]),
    ([[None, None, 0], [2, 2, None], [1, -1]], [0, 2, 1, 1]),
    ([[0, -1], [0], [None, 1, 3, 1, None]], [2]),
    ([[3, 3, 3], [3, 3]], [3]),
    ([[0, None], [0, 0]], [2]),
    ([[None, None, None], [2]], [1]),
    ([[1, 0, None, 3, 0]], []),
    ([[0, None, -1]], [0]),
]


def test_every_measure_that_can_be_averaged_is_tested() -> None:
    assert {spec.measure.name for measure in MEASURES for spec in parse_measures(measure)} == AVERAGED


@pytest.mark.parametrize("measure", MEASURES)
def test_an_average_is_the_mean_over_all_orders(measure: str) -> None:
    expected = [written_out(measure, ties, rest) for ties, rest in SOME]
    # SDCG, RBP scaled: the highest grade is that of all queries together, so that they are measured one by one.
    found = [average_of(measure, tied_ranking([query]))[0] for query in SOME]
    assert found == pytest.approx(expected, rel=NEAR, abs=1e-15)
    differs = any(abs(mean - in_order(measure, query)) > 1e-3 for mean, query in zip(found, SOME, strict=True))
    assert differs == (measure not in {"F", "CG", "P@20", "RBP(p=1)", "Judged@10", "Unjudged@10"})


def in_order(measure: str, query: tuple[Tied, list[int]]) -> float:
    """The value of the order that is written."""
    (spec,) = parse_measures(measure)
    return float(spec.compute(tied_ranking([query]))[0])


GRADE = st.none() | st.sampled_from([-1, 0, 1, 2, 3])
TIES = st.lists(st.lists(GRADE, min_size=1, max_size=4), min_size=1, max_size=3).filter(
    lambda ties: sum(map(len, ties)) <= 7
)


@settings(max_examples=40, deadline=None)
@given(ties=TIES, rest=st.lists(st.sampled_from([0, 1, 2, 3]), min_size=1, max_size=4), data=st.data())
def test_averages_of_any_query_are_the_means_over_all_orders(ties: Tied, rest: list[int], data: st.DataObject) -> None:
    ranking = tied_ranking([(ties, rest)])
    for measure in data.draw(st.lists(st.sampled_from(MEASURES), min_size=6, max_size=6, unique=True)):
        assert average_of(measure, ranking) == pytest.approx([written_out(measure, ties, rest)], rel=NEAR, abs=1e-15)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_a_depth_may_cut_through_a_tie(measure: str, depth: int) -> None:
    for ties, rest in SOME:
        found = average_of(measure, tied_ranking([(ties, rest)]).truncated(depth, whole_ties=True))
        assert found == pytest.approx([written_out(measure, ties, rest, depth=depth)], rel=NEAR, abs=1e-15)


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "RR", "P@2", "RBP"])
def test_without_unjudged_documents_a_tie_is_one_of_those_that_are_left(measure: str) -> None:
    (spec,) = parse_measures(measure)
    for ties, rest in SOME:
        every = ranking_of(list(orders(ties, rest))).judged_only()
        mean = sum(map(float, spec.compute(every))) / every.num_queries
        ranking = tied_ranking([(ties, rest)])
        assert average_of(measure, ranking.judged_only()) == pytest.approx([mean], rel=NEAR, abs=1e-15)
        (condensed,) = parse_measures(
            measure.replace("@", "(judged_only=True)@") if "@" in measure else measure + "(judged_only=True)"
        )
        assert list(map(float, condensed.average_over_ties(ranking))) == average_of(measure, ranking.judged_only())


@pytest.mark.parametrize("measure", MEASURES)
def test_without_ties_the_value_is_the_very_same(measure: str) -> None:
    (spec,) = parse_measures(measure)
    ranking = world("hits", 3, ties=False).ranking()
    assert list(spec.average_over_ties(ranking)) == list(spec.compute(ranking))


@pytest.mark.parametrize("measure", MEASURES)
def test_the_closed_form_of_ties_of_one_is_the_measure(measure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (spec,) = parse_measures(measure)
    ranking = world("hits", 3, ties=False).ranking()
    monkeypatch.setattr(tie_averages.Ties, "matter", np.ones(ranking.num_queries, np.bool_))
    found = list(map(float, spec.average_over_ties(ranking)))
    assert found == pytest.approx(list(map(float, spec.compute(ranking))), rel=NEAR, abs=1e-15)


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "RR", "P@5", "RBP(p=0.95)", "Success@2"])
def test_averages_lie_between_the_worst_and_the_best_order(measure: str) -> None:
    (spec,) = parse_measures(measure)
    ranking = world("hits", 1).ranking()
    worst, mean, best = (
        np.asarray(values)
        for values in (
            spec.compute(ranking.extreme_ties(best=False)),
            spec.average_over_ties(ranking),
            spec.compute(ranking.extreme_ties(best=True)),
        )
    )
    assert (worst <= mean + NEAR).all()
    assert (mean <= best + NEAR).all()
    assert (worst < mean).any()


def test_many_ties_are_worked_on_some_queries_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking = world("hits", 2).ranking()
    whole = [average_of(measure, ranking) for measure in ("RR", "Success@3")]
    monkeypatch.setattr(tie_averages, "_BLOCK", 3)
    assert [average_of(measure, ranking) for measure in ("RR", "Success@3")] == whole


def test_one_tie_of_a_long_run_far_down_is_exact() -> None:
    qrels = b"q 0 d900001 1\nq 0 d900003 1\n"
    above = 2000
    lines = [f"q Q0 d{place} 0 {1e6 - place} t" for place in range(above)]
    lines += [f"q Q0 d90000{place} 0 1 t" for place in range(5)]
    ranking, _ = run_in("\n".join(lines).encode() + b"\n", judgments_in(qrels))
    reciprocals = [1 / (above + place) for place in range(1, 6)]
    precisions = [
        (1 / (above + first) + 2 / (above + second)) / 2 for first in range(1, 6) for second in range(first + 1, 6)
    ]
    assert average_of("AP", ranking) == pytest.approx([sum(precisions) / len(precisions)], rel=NEAR)
    first = sum(chance * reciprocal for chance, reciprocal in zip([0.4, 0.3, 0.2, 0.1, 0], reciprocals, strict=True))
    assert average_of("RR", ranking) == pytest.approx([first], rel=NEAR)


def scores_of(folder: Path, measures: str, **policy: object) -> dict[str, float | None]:
    (folder / "qrels").write_text("1 0 a 1\n1 0 b 0\n1 0 c 2\n")
    (folder / "run").write_text("1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n1 Q0 x 3 4 t\n1 Q0 c 4 4 t\n")
    asked = [Asked(spec, spec.name) for spec in parse_measures(measures)]
    path = str(folder / "run")
    (scores,) = evaluate(str(folder / "qrels"), [NamedRun("r", path, path)], asked, Policy(**policy)).runs  # type: ignore[arg-type]
    assert ("every value is the mean over all their orders" in scores.notes[0].text) == (policy["ties"] == "average")
    return {column.spec.name: column.aggregate for column in scores.columns}


def test_an_evaluation_may_average(tmp_path: Path) -> None:
    assert scores_of(tmp_path, "RR,P@1,AP,R@1", ties="average") == pytest.approx(
        {
            "RR": 0.75,
            "P@1": 0.5,
            "AP": ((1 + 2 / 3) / 2 + (1 + 2 / 4) / 2 + (1 / 2 + 2 / 3) / 2 + (1 / 2 + 2 / 4) / 2) / 4,
            "R@1": 0.25,
        }
    )
    assert scores_of(tmp_path, "RR,R@3", ties="average", depth=3) == pytest.approx({"RR": 0.75, "R@3": 0.75})
    assert scores_of(tmp_path, "RR", ties="docid-desc") == {"RR": 0.5}


@pytest.mark.parametrize(
    ("measures", "policy", "message"),
    [
        ("P@5,Bpref", {}, "--ties average: no closed form is known for Bpref"),
        ("P(bound=high)@5", {}, r"--ties average: no closed form is known for P\(bound=high\)@5"),
        ("P@5", {"depth": 3, "judged_only": True}, "no closed form is known for --depth together with judged-only"),
        ("P(judged_only=True)@5", {"depth": 3}, "no closed form is known for --depth together with judged-only"),
    ],
)
def test_what_has_no_closed_form_is_refused(
    tmp_path: Path, measures: str, policy: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageProblem, match=message) as problem:
        scores_of(tmp_path, measures, ties="average", **policy)
    if "known for P" in message or "Bpref" in message:
        assert problem.value.hints[0].startswith("there is one for AP, RR, P, R, Success, Rprec,")
    (spec,) = parse_measures("Bpref")
    with pytest.raises(UsageProblem, match="no closed form"):
        spec.average_over_ties(ranking_of([([1], [])]))
