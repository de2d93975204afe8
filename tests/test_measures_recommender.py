"""F, Hits and the errors of ratings against their definitions, and the names that recommendation uses."""

from __future__ import annotations

from functools import partial
from math import inf, sqrt
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import random_queries, ranking_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_defined, queries, share

from irevalcli.analysis.evaluate import NamedRun, evaluate
from irevalcli.analysis.policy import Asked, Policy
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.measures import binary, recommender, sets
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from pathlib import Path

    from strategies import Query


def is_relevant(grade: float | None, level: float) -> bool:
    return grade is not None and grade >= level


def defined_f(query: Query, cutoff: int | None, alpha: float, level: float) -> float:
    found = sum(is_relevant(grade, level) for grade in query[0][:cutoff])
    wanted = sum(is_relevant(grade, level) for grade in query[0] + query[1])
    if not found:
        return 0.0
    precision, recall = found / (len(query[0]) if cutoff is None else cutoff), found / wanted
    return 1 / (alpha / precision + (1 - alpha) / recall)


@given(queries(), st.none() | st.integers(1, 20), st.sampled_from([0.0, 0.2, 0.5, 1.0]), st.sampled_from([1, 2]))
def test_f_is_the_textbooks(many: list[Query], cutoff: int | None, alpha: float, level: float) -> None:
    defined = partial(defined_f, cutoff=cutoff, alpha=alpha, level=level)
    assert_defined(partial(recommender.f_measure, cutoff=cutoff, alpha=alpha, rel=level), defined, many)
    if alpha:
        beta = sqrt(1 / alpha - 1)
        assert_defined(partial(recommender.f_measure, cutoff=cutoff, beta=beta, rel=level), defined, many)


def test_f_is_set_f_with_beta_squared() -> None:
    ranking = ranking_of(random_queries(51))
    assert recommender.f_measure(ranking, beta=3) == pytest.approx(sets.set_f(ranking, x=9), rel=1e-12)


def test_f_takes_one_weight() -> None:
    with pytest.raises(UsageProblem, match="give alpha or beta, not both"):
        recommender.f_measure(ranking_of([([1], [])]), beta=2, alpha=0.2)


@given(queries(), st.integers(1, 20), st.sampled_from([1, 2]))
def test_hits_are_the_relevant_documents_down_to_the_cutoff(many: list[Query], cutoff: int, level: float) -> None:
    assert_defined(
        partial(recommender.hits_at, cutoff=cutoff, rel=level),
        lambda query: sum(is_relevant(grade, level) for grade in query[0][:cutoff]),
        many,
    )


def errors_of(query: Query) -> list[float]:
    """Scores fall by one from rank to rank, to 1."""
    ranked = query[0]
    return [len(ranked) - place - grade for place, grade in enumerate(ranked) if grade is not None and grade >= 0]


def defined_rmse(errors: list[float]) -> float:
    return sqrt(share(sum(error * error for error in errors), len(errors)))


def defined_mae(errors: list[float]) -> float:
    return share(sum(map(abs, errors)), len(errors))


@given(queries())
def test_rmse_and_mae_are_over_the_pairs_of_a_query_and_pooled_over_those_of_all(many: list[Query]) -> None:
    ranking = ranking_of(many)  # type: ignore[arg-type]
    everything = np.ones(len(many), np.bool_)
    pairs = [error for query in many for error in errors_of(query)]
    for compute, pool, define in (
        (recommender.root_mean_square_error, recommender._pooled_rmse, defined_rmse),
        (recommender.mean_absolute_error, recommender._pooled_mae, defined_mae),
    ):
        assert_defined(compute, lambda query, define=define: define(errors_of(query)), many)
        if pairs:
            assert pool(ranking, everything) == pytest.approx(define(pairs), rel=1e-12)


@pytest.fixture
def ratings(tmp_path: Path) -> tuple[str, list[NamedRun]]:
    (tmp_path / "qrels").write_text("u1 0 a 4\nu1 0 b 2\nu1 0 c 5\nu2 0 a 1\nu2 0 b -1\n")
    (tmp_path / "run").write_text("u1 Q0 a 1 3.5 t\nu1 Q0 b 2 3 t\nu1 Q0 z 3 1 t\nu2 Q0 a 1 3 t\nu2 Q0 b 2 2 t\n")
    return str(tmp_path / "qrels"), [NamedRun("run", str(tmp_path / "run"), str(tmp_path / "run"))]


def total_of(ratings: tuple[str, list[NamedRun]], measure: str, policy: Policy) -> float | None:
    asked = [Asked(spec, measure) for spec in parse_measures(measure)]
    return evaluate(*ratings, asked, policy).runs[0].columns[0].aggregate


def test_evaluation_pools_the_pairs_of_the_queries_that_count(ratings: tuple[str, list[NamedRun]]) -> None:
    assert total_of(ratings, "RMSE", Policy()) == sqrt((0.5**2 + 1**2 + 2**2) / 3)
    assert total_of(ratings, "MAE", Policy()) == (0.5 + 1 + 2) / 3
    assert total_of(ratings, "MAE", Policy(queries=(b"u1",))) == (0.5 + 1) / 2
    assert total_of(ratings, "MAE", Policy(negative="nonrelevant")) == (0.5 + 1 + 2 + 2) / 4


@pytest.mark.parametrize("pool", [recommender._pooled_rmse, recommender._pooled_mae])
def test_ratings_that_cannot_be_compared_are_refused(pool: partial[float]) -> None:
    everything = np.ones(1, np.bool_)
    with pytest.raises(InputProblem, match="no document that was retrieved is judged"):
        pool(ranking_of([([None, -1], [1])]), everything)
    infinite = ranking_of([([1], [])])
    infinite.score[:] = inf
    with pytest.raises(InputProblem, match="an infinite score is no predicted rating"):
        pool(infinite, everything)
    large = ranking_of([([1, 1], [])])
    large.score[:] = 1.7e308
    with pytest.raises(InputProblem, match="the errors add up to more than the largest double"):
        pool(large, everything)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("HitRate@10", "Success@10"),
        ("HR@10", "Success@10"),
        ("hit_rate@10", "Success@10"),
        ("MRR@10", "RR@10"),
        ("mrr_at_k@10", "RR@10"),
        ("mapk@10", "AP(denom=min)@10"),
        ("map_at_k@10", "AP(denom=min)@10"),
        ("MAP@10", "AP@10"),
        ("f1@10", "F@10"),
        ("hits@10", "Hits@10"),
    ],
)
def test_the_names_of_recommendation_are_read(name: str, ours: str) -> None:
    assert [spec.name for spec in parse_measures(name)] == [ours]


def test_mapk_is_what_its_library_computes() -> None:
    many = random_queries(52, grades=(None, 0, 1))

    def apk(query: Query) -> float:
        found = [place for place, grade in enumerate(query[0][:5], 1) if grade == 1]
        wanted = sum(grade == 1 for grade in query[0] + query[1])
        return share(sum(count / place for count, place in enumerate(found, 1)), min(wanted, 5))

    assert_defined(partial(binary.average_precision, cutoff=5, denom="min"), apk, many)
