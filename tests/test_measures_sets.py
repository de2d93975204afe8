"""Set measures, counts and relstring, against textbook versions and against what trec_eval prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders import EXAMPLE_101, query_of, random_queries, ranking_of

from irevalcli.measures import counts, sets, text

if TYPE_CHECKING:
    from builders import Query

LEVELS = (0, 1, 2, 3)


def known(query: Query, level: float) -> tuple[int, int, int]:
    """Relevant documents retrieved, documents retrieved, relevant documents."""
    ranked, unretrieved = query
    found = sum(grade is not None and grade >= level for grade in ranked)
    return found, len(ranked), found + sum(grade >= level for grade in unretrieved)


def slow_set_p(query: Query, level: float) -> float:
    found, retrieved, _ = known(query, level)
    return found / retrieved if retrieved else 0.0


def slow_set_r(query: Query, level: float) -> float:
    found, _, wanted = known(query, level)
    return found / wanted if wanted else 0.0


def slow_set_rel_p(query: Query, level: float) -> float:
    found, retrieved, wanted = known(query, level)
    return found / min(retrieved, wanted) if retrieved and wanted else 0.0


def slow_set_ap(query: Query, level: float) -> float:
    found, retrieved, wanted = known(query, level)
    return found * found / (retrieved * wanted) if retrieved and wanted else 0.0


def slow_set_f(query: Query, level: float, x: float) -> float:
    precision, recall = slow_set_p(query, level), slow_set_r(query, level)
    return (x + 1) * precision * recall / (x * precision + recall) if precision else 0.0


def slow_relstring(query: Query, length: int) -> str:
    letters = ["-" if grade is None else "." if grade < 0 else ">" if grade > 9 else str(grade) for grade in query[0]]
    return "".join(letters[:length])


@pytest.mark.parametrize("level", LEVELS)
def test_set_measures_are_ratios_of_three_counts(level: int) -> None:
    queries = random_queries(21)
    ranking = ranking_of(queries)
    for compute, textbook in (
        (sets.set_precision, slow_set_p),
        (sets.set_recall, slow_set_r),
        (sets.set_relative_precision, slow_set_rel_p),
        (sets.set_average_precision, slow_set_ap),
    ):
        assert compute(ranking, rel=level).tolist() == [textbook(query, level) for query in queries]
    for x in (0.0, 0.5, 1.0, 3.0):
        assert sets.set_f(ranking, x=x, rel=level).tolist() == [slow_set_f(query, level, x) for query in queries]


def test_f_goes_from_precision_to_recall_as_x_grows() -> None:
    ranking = ranking_of([query_of(*EXAMPLE_101)])
    precision, recall = sets.set_precision(ranking).item(), sets.set_recall(ranking).item()
    assert sets.set_f(ranking, x=0).item() == pytest.approx(precision)
    assert sets.set_f(ranking, x=1e9).item() == pytest.approx(recall)


def test_the_textbooks_f2_is_x_of_4() -> None:
    assert sets.set_f(ranking_of([query_of(*EXAMPLE_101)]), x=4).item() == pytest.approx(0.5882, abs=5e-5)


def test_utility_prices_the_four_kinds_of_documents() -> None:
    queries = random_queries(22)
    ranking = ranking_of(queries)
    values = sets.utility(ranking, a=2, b=-1, c=0.3, d=0.7, collection_size=1000).tolist()
    for query, value in zip(queries, values, strict=True):
        found, retrieved, wanted = known(query, 1)
        rest = 1000 + found - retrieved - wanted
        assert value == 2.0 * found + -1.0 * (retrieved - found) + 0.3 * (wanted - found) + 0.7 * rest


def test_counts_count() -> None:
    queries = random_queries(23)
    ranking = ranking_of(queries)
    assert counts.number_of_queries(ranking).tolist() == [1.0] * len(queries)
    assert counts.number_retrieved(ranking).tolist() == [len(ranked) for ranked, _ in queries]
    for level in LEVELS:
        expected = [known(query, level) for query in queries]
        assert counts.number_relevant(ranking, rel=level).tolist() == [wanted for _, _, wanted in expected]
        assert counts.number_relevant_retrieved(ranking, rel=level).tolist() == [found for found, _, _ in expected]
        assert counts.number_judged_nonrelevant_retrieved(ranking, rel=level).tolist() == [
            sum(grade is not None and 0 <= grade < level for grade in ranked) for ranked, _ in queries
        ]


def test_below_level_0_only_judged_documents_are_counted() -> None:
    ranking = ranking_of([query_of("2 0 3 - 1 0 -2 2 - -", "1 0 1")]).every_rank(-1.0)
    assert counts.number_relevant_retrieved(ranking, rel=-1).item() == 6
    assert counts.number_judged_nonrelevant_retrieved(ranking, rel=-1).item() == 0
    assert sets.set_precision(ranking, rel=-2).item() == 0.6


@pytest.mark.parametrize("cutoff", [1, 5, 10, 50])
def test_judged_and_unjudged_documents_make_up_the_top_of_a_ranking(cutoff: int) -> None:
    queries = random_queries(24)
    ranking = ranking_of(queries)
    judged = counts.judged_at(ranking, cutoff=cutoff).tolist()
    unjudged = counts.unjudged_at(ranking, cutoff=cutoff).tolist()
    for (ranked, _), share, rest in zip(queries, judged, unjudged, strict=True):
        seen = ranked[:cutoff]
        number = sum(grade is not None and grade >= 0 for grade in seen)
        assert share == (number / len(seen) if seen else 0.0)
        assert rest == (len(seen) - number) / cutoff


@pytest.mark.parametrize("length", [0, 3, 10, 100])
def test_relstring_shows_the_grades_in_rank_order(length: int) -> None:
    queries = random_queries(25, grades=(None, -3, -1, 0, 1, 9, 10, 300))
    expected = [slow_relstring(query, length) for query in queries]
    assert text.relevance_string(ranking_of(queries), length=length) == expected


def test_relstring_tells_absent_documents_from_unjudged_ones_where_every_rank_is_a_hit() -> None:
    ranking = ranking_of([query_of(*EXAMPLE_101)]).every_rank(-1.0)
    assert text.relevance_string(ranking) == ["203-10.2--"]


def test_counts_are_floats_even_without_hits() -> None:
    ranking = ranking_of([([], [1])])
    for compute in (counts.number_retrieved, counts.number_relevant_retrieved, sets.set_f, sets.utility):
        values = compute(ranking)
        assert values.dtype == np.float64
        assert values.tolist() == [0.0]
