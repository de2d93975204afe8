"""Measures of relevant or not, against textbook versions and against what trec_eval prints with 17 digits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders import EXAMPLE_101, query_of, random_queries, ranking_of

from irevalcli.errors import UsageProblem
from irevalcli.measures import binary, interpolated, judged
from irevalcli.trec import interpolated as trec_interpolated

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders import Query

LEVELS = (0, 1, 2, 3)
CUTOFFS = (1, 2, 5, 10, 50)
UNSORTED = (0.25, 0.5, 0.1, 0.9, 0.3, 0.0, 0.75)


def known(query: Query, level: float) -> tuple[list[int], int, int]:
    """Ranks of the relevant documents, number of relevant documents, number of judged non-relevant documents."""
    ranked, unretrieved = query
    grades = [grade for grade in (*ranked, *unretrieved) if grade is not None and grade >= 0]
    ranks = [rank for rank, grade in enumerate(ranked, 1) if grade is not None and grade >= level]
    return ranks, sum(grade >= level for grade in grades), sum(grade < level for grade in grades)


def slow_ap(query: Query, level: float, cutoff: int | None = None, denom: str = "R") -> float:
    ranks, num_relevant, _ = known(query, level)
    total = 0.0
    for count, rank in enumerate(ranks, 1):
        if cutoff is None or rank <= cutoff:
            total += count / rank
    wanted = min(num_relevant, cutoff) if cutoff and denom == "min" else num_relevant
    return total / wanted if wanted else 0.0


def slow_rr(query: Query, level: float, cutoff: int | None = None) -> float:
    ranks, _, _ = known(query, level)
    return 1 / ranks[0] if ranks and (cutoff is None or ranks[0] <= cutoff) else 0.0


def slow_p(query: Query, level: float, cutoff: int) -> float:
    return sum(rank <= cutoff for rank in known(query, level)[0]) / cutoff


def slow_r(query: Query, level: float, cutoff: int, *, capped: bool = False) -> float:
    ranks, num_relevant, _ = known(query, level)
    found = sum(rank <= cutoff for rank in ranks)
    return found / (min(cutoff, num_relevant) if capped else num_relevant) if num_relevant else 0.0


def slow_success(query: Query, level: float, cutoff: int) -> float:
    return float(any(rank <= cutoff for rank in known(query, level)[0]))


def slow_rprec(query: Query, level: float, multiple: float = 1.0) -> float:
    ranks, num_relevant, _ = known(query, level)
    depth = int(multiple * num_relevant + 0.9)
    return sum(rank <= depth for rank in ranks) / depth if depth else 0.0


def slow_bing(query: Query, level: float) -> float:
    ranks, num_relevant, _ = known(query, level)
    total = 0.0
    for count, rank in enumerate(ranks, 1):
        total += 1 / math.log2(2 + rank - count)
    return total / num_relevant if num_relevant else 0.0


def slow_yaap(query: Query, level: float) -> float:
    ranks, num_relevant, _ = known(query, level)
    total = 0.0
    for count, rank in enumerate(ranks, 1):
        total += count / rank
    return math.log((1 + total) / (1 + num_relevant - total))


def slow_bpref(query: Query, level: float) -> float:
    _, num_relevant, num_nonrelevant = known(query, level)
    total, above = 0.0, 0
    for grade in query[0]:
        if grade is None or grade < 0:
            continue
        if grade < level:
            above += 1
        else:
            total += 1 - min(above, num_relevant) / min(num_nonrelevant, num_relevant) if above else 1
    return total / num_relevant if num_relevant else 0.0


def slow_infap(query: Query, level: float) -> float:
    total, relevant, nonrelevant, unjudged = 0.0, 0, 0, 0
    for before, grade in enumerate(query[0]):
        if grade is not None and grade >= level:
            above = relevant + nonrelevant
            share = (relevant + 0.00001) / (above + 2 * 0.00001)
            rank = before + 1.0
            total += 1 / rank + before / rank * ((above + unjudged) / before) * share if before else 1
            relevant += 1
        elif grade is not None:
            nonrelevant += grade >= 0
            unjudged += grade < 0
    _, num_relevant, _ = known(query, level)
    return total / num_relevant if num_relevant else 0.0


def slow_iprec(query: Query, level: float, recall: float, rounding: str) -> float:
    ranks, num_relevant, _ = known(query, level)
    wanted = math.floor(recall * num_relevant + (0.5 if rounding == "nearest" else 0.9))
    precisions = [count / rank for count, rank in enumerate(ranks, 1) if count >= wanted]
    return max(precisions, default=0.0)


def assert_equal_everywhere(
    compute: Callable[..., Any], textbook: Callable[..., float], *settings: dict[str, Any], seed: int = 7
) -> None:
    """Both give the same doubles for every query, level and setting."""
    queries = random_queries(seed)
    ranking = ranking_of(queries)
    for level in LEVELS:
        for setting in settings or ({},):
            values = compute(ranking, rel=level, **setting)
            assert values.dtype == np.float64
            assert values.tolist() == [textbook(query, level, **setting) for query in queries]


def each(name: str, values: tuple[Any, ...], **others: object) -> list[dict[str, Any]]:
    return [{name: value, **others} for value in values]


def test_average_precision_is_the_mean_precision_at_relevant_ranks() -> None:
    assert_equal_everywhere(binary.average_precision, slow_ap, {}, *each("cutoff", CUTOFFS))


def test_average_precision_can_be_divided_by_the_cutoff_if_fewer_than_the_relevant_documents_fit() -> None:
    assert_equal_everywhere(binary.average_precision, slow_ap, *each("cutoff", CUTOFFS, denom="min"))


def test_average_precision_over_the_smaller_of_cutoff_and_r_needs_a_cutoff() -> None:
    with pytest.raises(UsageProblem, match="needs a cutoff"):
        binary.average_precision(ranking_of([([1], [])]), denom="min")


def test_reciprocal_rank_looks_at_the_first_relevant_document() -> None:
    assert_equal_everywhere(binary.reciprocal_rank, slow_rr, {}, *each("cutoff", CUTOFFS))


def test_precision_is_divided_by_the_cutoff_even_if_fewer_documents_were_retrieved() -> None:
    assert_equal_everywhere(binary.precision_at, slow_p, *each("cutoff", CUTOFFS))
    assert binary.precision_at(ranking_of([([1, 1], [])]), cutoff=10).tolist() == [0.2]


def test_recall_is_divided_by_the_relevant_documents_or_by_those_that_fit() -> None:
    assert_equal_everywhere(binary.recall_at, slow_r, *each("cutoff", CUTOFFS), *each("cutoff", CUTOFFS, capped=True))


def test_success_is_whether_there_is_a_relevant_document_at_all() -> None:
    assert_equal_everywhere(binary.success_at, slow_success, *each("cutoff", CUTOFFS))


def test_r_precision_is_precision_after_r_ranks() -> None:
    assert_equal_everywhere(binary.r_precision, slow_rprec)


def test_r_precision_at_a_multiple_adds_nine_tenths_and_cuts() -> None:
    multiples = (0.0, 0.2, 0.35, 0.6, 1.0, 1.4, 2.0, 9.5)
    assert_equal_everywhere(binary.r_precision_at_multiple, slow_rprec, *each("multiple", multiples))


def test_r_precision_at_an_absurd_multiple_is_a_number() -> None:
    ranking = ranking_of([([1, 0], [1])])
    assert binary.r_precision_at_multiple(ranking, multiple=1e300).tolist() == [0.0]
    assert binary.r_precision_at_multiple(ranking, multiple=-3.0).tolist() == [0.0]


def test_binary_g_discounts_by_the_non_relevant_documents_above() -> None:
    assert_equal_everywhere(binary.binary_g, slow_bing)


def test_yaap_is_the_logarithm_of_smoothed_odds() -> None:
    assert_equal_everywhere(binary.logarithmic_average_precision, slow_yaap)


def test_bpref_counts_judged_documents_only() -> None:
    assert_equal_everywhere(judged.binary_preference, slow_bpref)


def test_infap_distinguishes_unpooled_from_unjudged_documents() -> None:
    assert_equal_everywhere(judged.inferred_average_precision, slow_infap)
    pooled, unpooled = judged.inferred_average_precision(ranking_of([([-1, 1], []), ([None, 1], [])])).tolist()
    assert pooled > unpooled == 0.5


def test_geometric_means_take_logarithms_of_values_that_are_not_too_small() -> None:
    queries = random_queries(11)
    ranking = ranking_of(queries)
    for compute, textbook in (
        (binary.geometric_map, slow_ap),
        (judged.geometric_binary_preference, slow_bpref),
    ):
        expected = [math.log(max(textbook(query, 1), 0.00001)) for query in queries]
        assert compute(ranking).tolist() == expected


def test_interpolated_precision_is_the_best_precision_from_a_recall_level_on() -> None:
    recalls = (*interpolated.ELEVEN_POINTS, 0.35, 0.99)
    for rounding in ("nearest", "up"):
        settings = each("recall", recalls, rounding=rounding)
        assert_equal_everywhere(interpolated.interpolated_precision_at, slow_iprec, *settings)


def test_half_a_document_is_rounded_away_from_zero() -> None:
    five = np.array([5])
    wanted = [interpolated.documents_wanted(point, five, "nearest").item() for point in (0.5, -0.5, 0.1, 0.3, -0.1)]
    assert wanted == [3, -3, 1, 2, -1]
    just_below_half = math.nextafter(0.5, 0)
    assert interpolated.documents_wanted(just_below_half, np.array([1]), "nearest").item() == 0
    assert [interpolated.documents_wanted(x, five, "up").item() for x in (0.02, 0.019, 0.5, -0.3)] == [1, 0, 3, 0]


def test_the_eleven_point_average_is_the_mean_of_interpolated_precision() -> None:
    queries = random_queries(12)
    ranking = ranking_of(queries)
    for rounding in ("nearest", "up"):
        points = interpolated.ELEVEN_POINTS
        expected = np.zeros(len(queries))
        for point in reversed(points):
            expected += [slow_iprec(query, 1, point, rounding) for query in queries]
        values = interpolated.eleven_point_average(ranking, rounding=rounding)
        assert values.tolist() == (expected / len(points)).tolist()


def test_recall_points_that_come_too_late_get_the_value_at_recall_0() -> None:
    # Precisions at the four relevant documents: 1/2, 2/4, 3/5, 4/6.
    ranking = ranking_of([([0, 1, 0, 1, 1, 1], [1, 1, 1, 1])])
    best = 4 / 6
    assert interpolated.eleven_point(ranking, (0.5, 0.25)).item() == pytest.approx((best + best) / 2)
    # 0.9 of eight cannot be reached: it counts 0 at the end of the list, and is late anywhere else.
    assert interpolated.eleven_point(ranking, (0.25, 0.9)).item() == pytest.approx(best / 2)
    assert interpolated.eleven_point(ranking, (0.9, 0.25)).item() == pytest.approx((best + best) / 2)


def test_without_retrieved_documents_the_value_at_recall_0_is_the_callers_choice() -> None:
    ranking = ranking_of([([1, 0], []), ([], [1])])
    at_zero, at_one = interpolated.interpolated_precision(ranking, (0.0, 1.0), empty=math.nan)
    assert at_zero[0] == 1.0
    assert math.isnan(at_zero[1])
    assert at_one.tolist() == [1.0, 0.0]
    assert math.isnan(interpolated.eleven_point(ranking, (0.0, 1.0), empty=math.nan)[1])
    assert interpolated.eleven_point(ranking, (0.5, 1.0), empty=math.nan).tolist() == [1.0, 0.0]
    assert interpolated.interpolated_precision_at(ranking, recall=0.0).tolist() == [1.0, 0.0]
    assert interpolated.eleven_point_average(ranking).tolist() == [1.0, 0.0]


def test_trec_evals_walk_agrees_with_the_definition_at_ordinary_levels() -> None:
    ranking = ranking_of(random_queries(13))
    every_rank = ranking.every_rank(-1.0)
    points = interpolated.ELEVEN_POINTS
    for level in LEVELS:
        for rounding in ("nearest", "up"):
            options: dict[str, Any] = {"rel": level, "rounding": rounding, "empty": math.nan}
            walked = trec_interpolated.interpolated_precision(every_rank, points, level, rounding)
            defined = interpolated.interpolated_precision(ranking, points, **options)
            np.testing.assert_array_equal(walked, defined)
            for listed in (points, UNSORTED):
                mean = trec_interpolated.eleven_point(every_rank, listed, level, rounding)
                np.testing.assert_array_equal(mean, interpolated.eleven_point(ranking, listed, **options))


def test_below_level_0_values_are_those_of_trec_eval() -> None:
    # Printed by trec_eval 10 with -l -1, of query 101 and two others with a document above what can be relevant.
    queries = [
        query_of("2 0 3 - 1 0 -2 2 - -", "1 0 1"),
        query_of("- 0 -", "0"),
        query_of("0 - 1 -2 - 2 0", "2 -2"),
    ]
    ranking = ranking_of(queries).every_rank(-1.0)
    for compute, expected in (
        (binary.average_precision, [0.96265432098765435, 1.5, 1.098095238095238]),
        (binary.r_precision, [0.88888888888888884, 1.0, 0.80000000000000004]),
        (binary.binary_g, [0.87697658452381921, 1.5, 0.97855785214287461]),
        (binary.logarithmic_average_precision, [1.9786329050461815, math.inf, 2.5446145972346246]),
        (judged.binary_preference, [0.66666666666666663, 0.5, 0.80000000000000004]),
        (judged.inferred_average_precision, [0.61203553705492564, 0.25, 0.60952226192563452]),
    ):
        assert compute(ranking, rel=-1).tolist() == expected
    assert binary.recall_at(ranking, cutoff=5, rel=-1).tolist() == [0.55555555555555558, 1.5, 0.80000000000000004]
    assert binary.r_precision_at_multiple(ranking, multiple=0.4, rel=-1).tolist() == [0.25, 0.0, 0.0]
    assert binary.r_precision_at_multiple(ranking, multiple=2.0, rel=-1).tolist() == [1 / 3, 0.25, 0.4]
    half, all_of_it = trec_interpolated.interpolated_precision(ranking, (0.5, 1.0), -1, "nearest")
    assert half.tolist() == [0.59999999999999998, 0.33333333333333331, 0.5714285714285714]
    assert all_of_it.tolist() == [0.0, 0.0, 0.0]
    unsorted = trec_interpolated.eleven_point(ranking, UNSORTED, -1, "nearest")
    assert unsorted.tolist() == [0.51428571428571435, 0.2857142857142857, 0.57142857142857129]


def test_below_level_0_a_query_without_relevant_documents_can_have_infinite_values() -> None:
    ranking = ranking_of([([None], [-2])]).every_rank(-1.0)
    assert binary.average_precision(ranking, rel=-1).tolist() == [math.inf]
    assert binary.average_precision(ranking, rel=-1, cutoff=5).tolist() == [0.0]
    assert binary.binary_g(ranking, rel=-1).tolist() == [math.inf]
    assert binary.logarithmic_average_precision(ranking, rel=-1).tolist() == [math.inf]
    two = ranking_of([([None, None], [-2])]).every_rank(-1.0)
    assert math.isnan(binary.logarithmic_average_precision(two, rel=-1).item())


def test_a_query_that_is_missing_from_the_run_scores_0() -> None:
    ranking = ranking_of([([], [1, 0, 2]), query_of(*EXAMPLE_101)])
    for compute in (
        binary.average_precision,
        binary.reciprocal_rank,
        binary.r_precision,
        binary.binary_g,
        judged.binary_preference,
        judged.inferred_average_precision,
        interpolated.eleven_point_average,
    ):
        missing, answered = compute(ranking).tolist()
        assert missing == 0.0
        assert answered > 0.0


def test_a_run_without_any_hit_scores_0() -> None:
    ranking = ranking_of([([None, None], [1]), ([], [0])])
    for compute in (binary.average_precision, binary.binary_g, judged.binary_preference):
        assert compute(ranking).tolist() == [0.0, 0.0]
    assert interpolated.eleven_point_average(ranking).tolist() == [0.0, 0.0]
    assert binary.reciprocal_rank(ranking).dtype == np.float64
