"""Measures averaged over judgment groups agree with the definition, group by group."""

from __future__ import annotations

import math

import numpy as np
import pytest
from four_queries import GROUPS
from judged_groups import Judged, judged_lines, ranking_with_groups

from irevalcli.measures import groups
from irevalcli.measures.binary import average_precision, precision_at
from irevalcli.measures.registry import MEASURES, MeasureSpec

RANKED = {"101": ["d02", "d05", "d01", "x01", "d03", "d04", "d08", "d06", "x02", "x03"]}
JUDGED = judged_lines(GROUPS, subgroups=False)


def random_judgments(seed: int) -> tuple[list[Judged], dict[str, list[str]]]:
    """Queries with one to four groups of judgments of some of 20 documents, and rankings of some of 30."""
    random = np.random.default_rng(seed)
    pool = [f"d{place:02}" for place in range(30)]
    judged, ranked = [], {}
    for query in range(40):
        qid = f"q{query:02}"
        for group in range(int(random.integers(1, 5))):
            docids = random.permutation(pool[:20])[: random.integers(1, 15)].tolist()
            judged += [Judged(qid, f"g{group}", "0", docid, float(random.integers(-1, 4))) for docid in docids]
        ranked[qid] = random.permutation(pool)[: random.integers(0, 31)].tolist()
    return judged, ranked


def relevance_lists(
    judged: list[Judged], ranked: dict[str, list[str]], *, rel: float, judged_only: bool = False
) -> dict[str, list[tuple[list[bool], int]]]:
    """By qid, for each group: whether each ranked document is relevant to it, and its number of relevant documents."""
    lists: dict[str, list[tuple[list[bool], int]]] = {}
    for qid in sorted({row.qid for row in judged}):
        for group in sorted({row.group for row in judged if row.qid == qid}):
            level = {row.docid: row.level for row in judged if (row.qid, row.group) == (qid, group)}
            docids = [docid for docid in ranked[qid] if not judged_only or level.get(docid, -1) >= 0]
            relevant = [level.get(docid, -1) >= rel for docid in docids]
            lists.setdefault(qid, []).append((relevant, sum(value >= rel for value in level.values())))
    return lists


def mean_over_groups(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def textbook_ap(relevant: list[bool], total: int) -> float:
    precisions = [sum(relevant[:rank]) / rank for rank in range(1, len(relevant) + 1) if relevant[rank - 1]]
    added = 0.0
    for precision in precisions:
        added += precision
    return added / total if total else 0.0


def test_average_precision_of_every_group_is_averaged() -> None:
    judged, ranked = random_judgments(1)
    for rel in (1, 2):
        lists = relevance_lists(judged, ranked, rel=rel)
        expected = [mean_over_groups([textbook_ap(*pair) for pair in pairs]) for pairs in lists.values()]
        found = groups.average_precision_of_groups(ranking_with_groups(judged, ranked), rel=rel)
        assert found.tolist() == expected
        assert len(set(expected)) > 20


@pytest.mark.parametrize("cutoff", [1, 5, 20, 100])
def test_precision_of_every_group_is_averaged(cutoff: int) -> None:
    judged, ranked = random_judgments(2)
    expected = [
        mean_over_groups([sum(relevant[:cutoff]) / cutoff for relevant, _ in pairs])
        for pairs in relevance_lists(judged, ranked, rel=1).values()
    ]
    found = groups.precision_of_groups(ranking_with_groups(judged, ranked), cutoff=cutoff)
    assert found.tolist() == expected


@pytest.mark.parametrize("multiple", [0.2, 0.5, 1.0, 2.0])
def test_precision_at_a_multiple_of_r_uses_the_r_of_each_group(multiple: float) -> None:
    judged, ranked = random_judgments(3)
    expected = []
    for pairs in relevance_lists(judged, ranked, rel=1).values():
        depths = [math.floor(multiple * total + 0.9) for _, total in pairs]
        expected.append(
            mean_over_groups(
                [
                    sum(relevant[:depth]) / depth if depth else 0.0
                    for (relevant, _), depth in zip(pairs, depths, strict=True)
                ]
            )
        )
    found = groups.r_precision_of_groups(ranking_with_groups(judged, ranked), multiple=multiple)
    assert found.tolist() == expected


def test_judged_only_within_groups_removes_what_the_group_does_not_judge() -> None:
    judged, ranked = random_judgments(4)
    ranking = ranking_with_groups(judged, ranked)
    lists = relevance_lists(judged, ranked, rel=1, judged_only=True)
    expected = [mean_over_groups([textbook_ap(*pair) for pair in pairs]) for pairs in lists.values()]
    condensed = ranking.with_groups(ranking.by_group().judged_only())
    assert groups.average_precision_of_groups(condensed).tolist() == expected
    assert groups.average_precision_of_groups(ranking).tolist() != expected


def test_below_level_0_documents_that_a_group_does_not_judge_count_as_relevant() -> None:
    ranking = ranking_with_groups(JUDGED, RANKED)
    every = ranking.with_groups(ranking.by_group().every_rank(-1.0))
    assert groups.precision_of_groups(every, cutoff=5, rel=-1).tolist() == [1.0]
    assert groups.precision_of_groups(ranking, cutoff=5, rel=0).tolist() == [0.6]


def test_a_group_without_relevant_documents_counts_as_0() -> None:
    judged = [Judged("q", "a", "0", "d", 1), Judged("q", "b", "0", "d", 0)]
    ranking = ranking_with_groups(judged, {"q": ["d"]})
    assert groups.average_precision_of_groups(ranking).tolist() == [0.5]


def test_a_query_that_the_run_lacks_has_0() -> None:
    ranking = ranking_with_groups([*JUDGED, Judged("102", "u1", "0", "d01", 1)], RANKED)
    assert groups.average_precision_of_groups(ranking)[1] == 0
    assert groups.r_precision_of_groups(ranking, multiple=2)[1] == 0


def test_with_a_single_group_the_plain_measures_come_out() -> None:
    judged, ranked = random_judgments(5)
    ranking = ranking_with_groups([row for row in judged if row.group == "g0"], ranked)
    assert groups.average_precision_of_groups(ranking).tolist() == average_precision(ranking).tolist()
    assert groups.precision_of_groups(ranking, cutoff=10).tolist() == precision_at(ranking, cutoff=10).tolist()


def test_groups_stand_in_byte_order_under_their_query() -> None:
    judged = [Judged(qid, group, "0", "d", level) for qid in "ba" for group, level in (("9", 1), ("10", 2), ("B", 3))]
    grouped = ranking_with_groups(judged, {"a": ["d"], "b": ["x", "d"]}).by_group()
    assert grouped.query.tolist() == [0, 0, 0, 1, 1, 1]
    assert grouped.ranking.grade.tolist() == [2, 1, 3, 2, 1, 3]
    assert grouped.ranking.rank.tolist() == [1, 1, 1, 2, 2, 2]
    assert grouped.ranking.retrieved.tolist() == [1, 1, 1, 2, 2, 2]
    assert grouped.mean(np.array([1.0, 2.0, 6.0, 0.0, 0.0, 1.0])).tolist() == [3.0, 1 / 3]


def test_a_ranking_by_group_has_no_groups_of_its_own() -> None:
    grouped = ranking_with_groups(JUDGED, RANKED).by_group()
    with pytest.raises(TypeError, match="no groups"):
        grouped.ranking.by_group()


@pytest.mark.parametrize(
    ("name", "values", "printed"),
    [
        ("AP_avgjg", {}, 0.5694),
        ("P_avgjg", {"cutoff": 5}, 0.4),
        ("Rprec_mult_avgjg", {"multiple": 1.0}, 0.5833),
    ],
)
def test_the_worked_judgments_give_what_trec_eval_printed(name: str, values: dict[str, float], printed: float) -> None:
    found = MeasureSpec.of(MEASURES[name], **values).compute(ranking_with_groups(JUDGED, RANKED))
    assert np.round(found, 4).tolist() == [printed]
