"""Preference measures agree with a reference that lists every preference, one pair of documents after the other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import pytest
from four_queries import PREFERENCES
from judged_groups import Judged, judged_lines, ranking_with_groups

from irevalcli.index import preference_closure, preference_pairs
from irevalcli.index.preference_counts import inversions
from irevalcli.index.preferences import Preferences
from irevalcli.measures import preferences as measures
from irevalcli.measures.registry import MEASURES

NAMES = [name for name, record in MEASURES.items() if record.needs == "preferences"]
RANKED = {"101": ["d02", "d05", "d01", "x01", "d03", "d04", "d08", "d06", "x02", "x03"]}
JUDGED = judged_lines(PREFERENCES)


class Group(NamedTuple):
    """The preferences of a group as (preferred, other), repeated as stated; its documents with their levels."""

    pairs: list[tuple[int, int]]
    levels: list[tuple[int, float]]
    several: bool


def numbered(judged: list[Judged], ranked: list[str]) -> tuple[dict[str, int], int]:
    """Numbers of the judged documents of a query, retrieved ones first, and how many were retrieved."""
    docids = {row.docid for row in judged}
    retrieved = [docid for docid in ranked if docid in docids]
    order = retrieved + sorted(docids - set(retrieved))
    return {docid: number for number, docid in enumerate(order)}, len(retrieved)


def listed_group(judged: list[Judged], number: dict[str, int]) -> Group:
    """The preferences of one group, spelled out."""
    subgroups = sorted({row.subgroup for row in judged})
    rows = sorted((row.subgroup, -row.level, number[row.docid]) for row in judged)
    pairs = [(a, b) for (s, high, a), (t, low, b) in product(rows, rows) if s == t and high < low]
    if len(subgroups) == 1:
        return Group(pairs, sorted((document, -level) for _, level, document in rows), several=False)
    closed = set(pairs)
    while grown := {(a, d) for (a, b), (c, d) in product(closed, closed) if b == c} - closed:
        closed |= grown
    return Group(sorted(closed), sorted({document: -level for _, level, document in rows}.items()), several=True)


def capped_pairs(group: Group, limit: int, documents: set[int]) -> list[tuple[int, int]]:
    """The preferences among some documents when there are too many non-relevant ones, as trec_eval takes them."""
    if group.several:
        zeros = [document for document, level in group.levels if level == 0]
        out = set(zeros[limit:])
        return [pair for pair in group.pairs if not out & set(pair) and documents >= set(pair)]
    lowest = min(level for _, level in group.levels)
    low = [document for document, level in group.levels if level == lowest]
    inside = [document for document, _ in group.levels if document in documents]
    first = [document for document in low if document in documents][:limit]
    better = [pair for pair in group.pairs if pair[1] not in low and documents >= set(pair)]
    return better + list(product(inside, first))


def fulfilled(pairs: list[tuple[int, int]], retrieved: int) -> int:
    return sum(a < b and a < retrieved for a, b in pairs)


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def added(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def capped_mean(groups: list[Group], retrieved: int, *, both: bool) -> float:
    """prefs_avgjg_Rnonrel, or with `both` prefs_avgjg_Rnonrel_ret."""
    ratios = []
    for group in groups:
        documents = {document for document, _ in group.levels if not both or document < retrieved}
        positive = [document for document, level in group.levels if level > 0]
        negative = [document for document, level in group.levels if (level == 0 or not group.several) and level <= 0]
        r, n = (sum(document in documents for document in some) for some in (positive, negative))
        if r >= n:
            pairs = [pair for pair in group.pairs if documents >= set(pair)]
            ful = fulfilled(pairs, retrieved) + sum(document < retrieved for document in positive) * (r - n)
            poss = len(pairs) + len(positive) * (r - n)
        else:
            pairs = capped_pairs(group, len(positive) if group.several else r, documents)
            ful, poss = fulfilled(pairs, retrieved), len(pairs)
        if not poss:
            return 0.0
        ratios.append(ful / poss)
    return added(ratios) / len(ratios)


def pair_mean(groups: list[Group], retrieved: int, documents: int, kinds: int) -> float:
    """prefs_pair (of 3 kinds), prefs_pair_imp (2) or prefs_pair_ret (1)."""
    areas = [
        [(a, b) for a, b in combinations(range(documents), 2) if b < retrieved],
        [(a, b) for a, b in combinations(range(documents), 2) if a < retrieved <= b],
        [(a, b) for a, b in combinations(range(documents), 2) if a >= retrieved],
    ]
    stated = Counter(pair for group in groups for pair in group.pairs)
    scores = []
    for pair in [pair for area in areas[:kinds] for pair in area]:
        here, there = stated[pair], stated[pair[::-1]]
        if here + there:
            scores.append(here / (here + there) if pair[0] < retrieved else 0.0)
    return share(added(scores), len(scores))


def reference(judged: list[Judged], ranked: list[str]) -> dict[str, float]:
    """Every preference measure of one query."""
    number, retrieved = numbered(judged, ranked)
    groups = [
        listed_group([row for row in judged if row.group == group], number)
        for group in sorted({row.group for row in judged})
    ]
    values = {}
    counts = []
    for kinds in (1, 2, 3):
        kept = [
            [pair for pair in group.pairs if sum(document >= retrieved for document in pair) < kinds]
            for group in groups
        ]
        counts.append([(fulfilled(pairs, retrieved), len(pairs)) for pairs in kept])
    for suffix, kinds in (("_ret", 1), ("_imp", 2), ("", 3)):
        per_group = counts[kinds - 1]
        values[f"prefs_simp{suffix}"] = share(sum(ful for ful, _ in per_group), sum(poss for _, poss in per_group))
        values[f"prefs_avgjg{suffix}"] = added([share(*pair) for pair in per_group]) / len(groups)
        values[f"prefs_pair{suffix}"] = pair_mean(groups, retrieved, len(number), kinds)
    values["prefs_num_prefs_poss"] = sum(poss for _, poss in counts[2])
    values["prefs_num_prefs_ful"] = sum(ful for ful, _ in counts[2])
    values["prefs_num_prefs_ful_ret"] = sum(ful for ful, _ in counts[0])
    values["prefs_avgjg_Rnonrel"] = capped_mean(groups, retrieved, both=False)
    values["prefs_avgjg_Rnonrel_ret"] = capped_mean(groups, retrieved, both=True)
    return values


def random_preferences(
    seed: int, *, levels: list[float], repeats: float = 0.0, most_subgroups: int = 3, queries: int = 40
) -> tuple[list[Judged], dict[str, list[str]]]:
    """Preferences without contradictions: within a group a document has one level."""
    random = np.random.default_rng(seed)
    judged: list[Judged] = []
    ranked = {}
    for query in range(queries):
        qid = f"q{query:02}"
        docids = [f"d{place:02}" for place in range(random.integers(2, 12))]
        for group in range(int(random.integers(1, 4))):
            level = {docid: float(random.choice(levels)) for docid in docids}
            for subgroup in range(int(random.integers(1, most_subgroups + 1))):
                some = random.permutation(docids)[: random.integers(1, len(docids) + 1)].tolist()
                some += [docid for docid in some if random.random() < repeats]
                judged += [Judged(qid, f"g{group}", f"s{subgroup}", docid, level[docid]) for docid in some]
        pool = docids + [f"x{place}" for place in range(5)]
        ranked[qid] = random.permutation(pool)[: random.integers(0, len(pool) + 1)].tolist()
    return judged, ranked


def compare_with_reference(judged: list[Judged], ranked: dict[str, list[str]]) -> None:
    ranking = ranking_with_groups(judged, ranked)
    assert ranking.preferences.problems == []
    qids = sorted({row.qid for row in judged})
    expected = [reference([row for row in judged if row.qid == qid], ranked[qid]) for qid in qids]
    for name in NAMES:
        found = dict(zip(qids, MEASURES[name].compute(ranking), strict=True))
        assert found == {qid: values[name] for qid, values in zip(qids, expected, strict=True)}, name


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("levels", [[0, 0, 0, 1], [0, 1, 2, 3], [0.5, 1.25, 2, 3, 4, 5, 6.5]])
def test_all_measures_equal_the_reference_to_the_last_bit(levels: list[float], seed: int) -> None:
    compare_with_reference(*random_preferences(seed, levels=levels))


def test_repeated_judgments_count_as_often_as_they_stand_there() -> None:
    compare_with_reference(*random_preferences(5, levels=[0, 0, 1, 2], repeats=0.4, most_subgroups=1))
    compare_with_reference(*random_preferences(6, levels=[0, 0, 1, 2], repeats=0.4, most_subgroups=2))


def test_the_size_of_portions_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preference_pairs, "CELLS", 7)
    monkeypatch.setattr(preference_closure, "CELLS", 11)
    compare_with_reference(*random_preferences(7, levels=[0, 1, 2, 3], repeats=0.1))


def test_many_real_levels_are_counted_without_listing_pairs() -> None:
    random = np.random.default_rng(8)
    level = random.random(120).tolist()
    judged = [Judged("q", "g", "s", f"d{place:03}", value) for place, value in enumerate(level)]
    ranked = [f"d{place:03}" for place in random.permutation(120)[:80]]
    compare_with_reference(judged, {"q": ranked})


def test_inversions_are_pairs_in_which_the_earlier_value_is_higher() -> None:
    random = np.random.default_rng(9)
    group = np.sort(random.integers(0, 5, 60))
    value = random.integers(0, 9, 60)
    expected = [
        sum(first > second for first, second in combinations(value[group == index].tolist(), 2)) for index in range(6)
    ]
    assert inversions(group, value, 6).tolist() == expected


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("prefs_num_prefs_poss", 9), ("prefs_num_prefs_ful", 5), ("prefs_num_prefs_ful_ret", 1),
        ("prefs_simp", 0.5556), ("prefs_simp_ret", 0.25), ("prefs_simp_imp", 0.5556),
        ("prefs_pair", 0.5625), ("prefs_pair_ret", 0.1667), ("prefs_pair_imp", 0.5625),
        ("prefs_avgjg", 0.5833), ("prefs_avgjg_ret", 0.1667), ("prefs_avgjg_imp", 0.5833),
        ("prefs_avgjg_Rnonrel", 0.6917), ("prefs_avgjg_Rnonrel_ret", 0.65),
    ],
)  # fmt: skip
def test_the_worked_preferences_give_what_trec_eval_printed(name: str, printed: float) -> None:
    found = MEASURES[name].compute(ranking_with_groups(JUDGED, RANKED))
    assert np.round(found, 4).tolist() == [printed]


def test_every_preference_measure_is_registered() -> None:
    assert len(NAMES) == 14


def test_what_follows_from_two_subgroups_is_a_preference() -> None:
    text = "q g s1 a 2\nq g s1 b 1\nq g s2 b 2\nq g s2 c 1"
    ranking = ranking_with_groups(judged_lines(text), {"q": ["a", "c"]})
    assert measures.num_possible(ranking).tolist() == [3]
    assert measures.num_fulfilled_retrieved(ranking).tolist() == [1]


def test_a_group_with_nothing_to_count_makes_the_capped_measures_0() -> None:
    text = "q g1 s a 1\nq g1 s b 0\nq g2 s a 0"
    ranking = ranking_with_groups(judged_lines(text), {"q": ["a", "b"]})
    assert measures.average(ranking).tolist() == [0.5]
    assert measures.average_capped(ranking).tolist() == [0.0]


@pytest.mark.parametrize("level", [-1.0, -2.0])
def test_several_levels_below_1_leave_the_capped_measures_finite(level: float) -> None:
    judged = [
        Judged("q", "g", "s", docid, value) for docid, value in zip("abcdef", (1, 1, 0, 0, level, 0), strict=True)
    ]
    ranking = ranking_with_groups(judged, {"q": list("fedcba")})
    for compute in (measures.average_capped, measures.average_capped_retrieved):
        assert 0 <= compute(ranking)[0] <= 1


def problems_of(text: str, ranked: str = "c a") -> list[tuple[int, str, tuple[int, ...], tuple[bytes, ...]]]:
    ranking = ranking_with_groups(judged_lines(text), {"q": ranked.split(), "r": ranked.split()})
    return [tuple(problem) for problem in Preferences(ranking).problems]


def test_a_document_at_two_levels_of_one_subgroup_is_a_problem() -> None:
    text = "q g s a 1\nq g s b 0\nq g s a 2\nq g s c 0\nq g s c 2\nq g s c 1"
    assert problems_of(text) == [(0, "two levels", (0,), (b"c",))]
    assert problems_of(text, ranked="a c") == [(0, "two levels", (0,), (b"a",))]


def test_a_repeated_level_is_no_problem() -> None:
    assert problems_of("q g s a 1\nq g s a 1\nq g s b 0\nq g s b -0.0") == []


def test_a_document_at_level_0_and_above_in_two_subgroups_is_a_problem() -> None:
    text = "q g s1 a 0\nq g s1 b 1\nq g s2 b 2\nq g s2 a 1"
    assert problems_of(text) == [(0, "zero and more", (0,), (b"a",))]


def test_levels_below_0_stand_between_level_0_and_levels_above() -> None:
    assert problems_of("q g s1 a 0\nq g s2 a -1\nq g s3 a 1") == []


def test_contradictory_subgroups_are_a_problem() -> None:
    text = "q g s1 a 2\nq g s1 b 1\nq g s2 b 3\nq g s2 c 2\nq g s3 c 3\nq g s3 a 1"
    assert problems_of(text) == [(0, "contradiction", (0, 1), (b"c", b"a"))]


def test_a_level_that_is_not_a_number_is_a_problem() -> None:
    assert problems_of("q g s a nan\nq g s b 1") == [(0, "not a number", (0,), (b"a",))]


def test_the_first_problem_of_each_query_is_told_in_order_of_query_then_group() -> None:
    text = (
        "r g s a 1\nr g s a 2\n"
        "q h s a 1\nq h s a 2\n"
        "q g s1 b 2\nq g s1 c 1\nq g s2 c 2\nq g s2 b 1"
    )  # fmt: skip
    assert problems_of(text, ranked="") == [
        (0, "contradiction", (1, 2), (b"b", b"c")),
        (1, "two levels", (0,), (b"a",)),
    ]


def test_a_problem_becomes_a_finding_with_its_own_code() -> None:
    texts = {
        "PRF001": "q g s a 1\nq g s a 2",
        "PRF002": "q g s1 a 0\nq g s2 a 1",
        "PRF003": "q g s1 a 2\nq g s1 b 1\nq g s2 b 2\nq g s2 a 1",
        "PRF004": "q g s a nan",
    }
    for code, text in texts.items():
        (problem,) = ranking_with_groups(judged_lines(text), {}).preferences.problems
        finding = problem.finding(b"q", "my.prefs")
        assert (finding.rule, finding.path) == (code, "my.prefs")
        assert "a" in finding.message
        assert "of query q" in finding.message
        assert finding.help


def test_problems_of_one_query_leave_the_others_alone() -> None:
    judged, ranked = random_preferences(10, levels=[0, 1, 2])
    broken = [Judged("a", "g", "s", "d", 1), Judged("a", "g", "s", "d", 2)]
    whole, part = ranking_with_groups(judged, ranked), ranking_with_groups([*broken, *judged], ranked)
    for name in NAMES:
        assert MEASURES[name].compute(part)[1:].tolist() == MEASURES[name].compute(whole).tolist()
