"""Measures over sub-topics against their definitions, one query, one rank and one sub-topic at a time."""

from __future__ import annotations

from collections import Counter
from math import log2
from typing import TYPE_CHECKING

import pytest
from four_queries import SUBTOPICS
from judged_groups import Judged, judged_lines, random_subtopics, ranking_with_groups
from plain import judgments_in, run_in
from worlds import ranking_from, world

from irevalcli.errors import UsageProblem
from irevalcli.index.grouping import judgments_of
from irevalcli.index.qrels import QrelsRules
from irevalcli.index.subtopics import has_subtopics, ideal
from irevalcli.measures.families import all_measures
from irevalcli.measures.intent_aware import has_intent_aware_mean
from irevalcli.measures.registry import MEASURES, REQUIRED, Measure, MeasureSpec
from irevalcli.measures.spec import find_measures, parse_measures
from irevalcli.reading.blank_qrels import QRELS_JG

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.index.ranking import Ranking

    Relevance = dict[str, set[str]]
    Ranked = dict[str, list[str]]
    Discount = Callable[[int], float]

NEAR = 1e-12

# What stands in for infinitely many ranks.
ENDLESS = 400

# A run on the worked example of `four_queries`, in which query 102 has ties.
RUN = [
    "101 Q0 d02 1 9.5 t",
    "101 Q0 d05 2 9.0 t",
    "101 Q0 d01 3 8.5 t",
    "101 Q0 x01 4 8.0 t",
    "101 Q0 d03 5 7.5 t",
    "101 Q0 d04 6 7.0 t",
    "101 Q0 d08 7 6.5 t",
    "101 Q0 d06 8 6.0 t",
    "101 Q0 x02 9 5.5 t",
    "101 Q0 x03 10 5.0 t",
    "102 Q0 d11 1 5.0 t",
    "102 Q0 d13 2 5.0 t",
    "102 Q0 d12 3 4.0 t",
    "102 Q0 x11 4 4.0 t",
    "103 Q0 x21 1 3.0 t",
    "103 Q0 d22 2 2.0 t",
]


def values_of(name: str, ranking: Ranking) -> list[float]:
    (spec,) = parse_measures(name)
    return [float(value) for value in spec.compute(ranking)]


def worked() -> Ranking:
    return ranking_from("subtopics", SUBTOPICS.strip().splitlines(), RUN)


# Definitions. A query is what its documents are relevant to, and a ranking of them.


def relevance_of(judged: list[Judged], rel: float) -> dict[str, Relevance]:
    """By qid, the sub-topics that each document is relevant to."""
    found: dict[str, Relevance] = {row.qid: {} for row in sorted(judged)}
    for row in judged:
        if row.level >= rel:
            found[row.qid].setdefault(row.docid, set()).add(row.group)
    return found


def novelty(docids: Sequence[str], relevance: Relevance, alpha: float) -> list[float]:
    """The gain of every document over those above it."""
    seen: Counter[str] = Counter()
    gains = []
    for docid in docids:
        gains.append(sum((1 - alpha) ** seen[subtopic] for subtopic in relevance.get(docid, ())))
        seen.update(relevance.get(docid, ()))
    return gains


def greedy(relevance: Relevance, alpha: float) -> list[str]:
    """The ideal ranking: the highest gain at each rank, of equal ones the highest docid."""
    ranked: list[str] = []
    while len(ranked) < len(relevance):
        rest = sorted(set(relevance) - set(ranked), reverse=True)
        ranked.append(max(rest, key=lambda docid: round(novelty([*ranked, docid], relevance, alpha)[-1], 12)))
    return ranked


def number_of_subtopics(relevance: Relevance) -> int:
    return len(set().union(*relevance.values()))


def discounted(gains: Sequence[float], discount: Discount) -> float:
    return sum(gain * discount(rank) for rank, gain in enumerate(gains, 1))


def share(found: float, most: float) -> float:
    return found / most if most else 0.0


def by_ideal(docids: list[str], relevance: Relevance, alpha: float, cutoff: int | None, discount: Discount) -> float:
    found = discounted(novelty(docids[:cutoff], relevance, alpha), discount)
    best = greedy(relevance, alpha)[:cutoff]
    return share(found, discounted(novelty(best, relevance, alpha), discount))


def by_everything(
    docids: list[str], relevance: Relevance, alpha: float, cutoff: int | None, discount: Discount
) -> float:
    found = discounted(novelty(docids[:cutoff], relevance, alpha), discount)
    whole = [number_of_subtopics(relevance) * (1 - alpha) ** place for place in range(cutoff or ENDLESS)]
    return share(found, discounted(whole, discount))


def reciprocal(rank: int) -> float:
    return 1 / rank


def logarithmic(rank: int) -> float:
    return 1 / log2(rank + 1)


CASCADES = {
    "ERR_IA": (by_everything, reciprocal),
    "nERR_IA": (by_ideal, reciprocal),
    "alpha_DCG": (by_everything, logarithmic),
    "alpha_nDCG": (by_ideal, logarithmic),
}


@pytest.mark.parametrize("name", CASCADES)
@pytest.mark.parametrize("cutoff", [1, 2, 5, 20, 25, 1000, None])
@pytest.mark.parametrize(("alpha", "rel"), [(0.5, 1), (0.2, 1), (0.9, 2), (1, 1)])
def test_a_cascade_measure_is_what_its_definition_says(name: str, cutoff: int | None, alpha: float, rel: float) -> None:
    definition, discount = CASCADES[name]
    judged, ranked = random_subtopics(11)
    expected = [
        definition(ranked[qid], relevance, alpha, cutoff, discount)
        for qid, relevance in relevance_of(judged, rel).items()
    ]
    found = values_of(
        f"{name}(alpha={alpha},rel={rel})" + (f"@{cutoff}" if cutoff else ""), ranking_with_groups(judged, ranked)
    )
    assert found == pytest.approx(expected, rel=NEAR, abs=NEAR)
    assert len({round(value, 9) for value in expected}) > 2


@pytest.mark.parametrize(
    ("alpha", "beta"), [(0.5, 0.5), (0.2, 0.8), (0.9, 0.1), (0, 0.5), (1, 0.5), (0.5, 0), (0.5, 1)]
)
def test_novelty_and_rank_biased_precision_is_what_its_definition_says(alpha: float, beta: float) -> None:
    judged, ranked = random_subtopics(12)
    plain, normalised = [], []
    for qid, relevance in relevance_of(judged, 1).items():
        found = discounted(novelty(ranked[qid], relevance, alpha), lambda rank: beta ** (rank - 1))
        plain.append(share((1 - (1 - alpha) * beta) * found, number_of_subtopics(relevance)))
        normalised.append(by_ideal(ranked[qid], relevance, alpha, None, lambda rank: beta ** (rank - 1)))
    ranking = ranking_with_groups(judged, ranked)
    assert values_of(f"NRBP(alpha={alpha},beta={beta})", ranking) == pytest.approx(plain, rel=NEAR, abs=NEAR)
    assert values_of(f"nNRBP(alpha={alpha},beta={beta})", ranking) == pytest.approx(normalised, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize("cutoff", [1, 3, 20, 1000])
@pytest.mark.parametrize("rel", [1, 2])
def test_subtopic_recall_and_precision_count_subtopics(cutoff: int, rel: float) -> None:
    judged, ranked = random_subtopics(13)
    recalls, precisions = [], []
    for qid, relevance in relevance_of(judged, rel).items():
        top = [relevance.get(docid, set()) for docid in ranked[qid][:cutoff]]
        recalls.append(share(len(set().union(*top)), number_of_subtopics(relevance)))
        precisions.append(share(sum(map(len, top)), cutoff * number_of_subtopics(relevance)))
    ranking = ranking_with_groups(judged, ranked)
    assert values_of(f"StRecall(rel={rel})@{cutoff}", ranking) == pytest.approx(recalls, rel=NEAR)
    assert values_of(f"P_IA(rel={rel})@{cutoff}", ranking) == pytest.approx(precisions, rel=NEAR)
    assert cutoff < 1000 or values_of(f"StRecall(rel={rel})", ranking) == pytest.approx(recalls, rel=NEAR)


# Judgments.


@pytest.mark.parametrize(
    ("qrels", "several"),
    [
        ("q 1 a 1\nq 2 a 1", True),
        ("q 1 a 1\nq 2 b 1", True),
        ("q 1 a 0\nq 2 b 0\nr 1 a 1", True),
        ("q 0 a 1\nq 0 b 1\nr 0 a 1", False),
        ("q 1 a 1\nr 2 b 1", False),
    ],
)
def test_judgments_have_subtopics_if_some_query_has_several(qrels: str, several: bool) -> None:
    assert has_subtopics(judgments_in(qrels.encode() + b"\n", QrelsRules(QRELS_JG))) is several


# The ideal ranking.


def test_of_equal_gains_the_ideal_takes_the_highest_docid_and_may_be_beaten() -> None:
    judged = judged_lines("q 1 c 1\nq 2 c 1\nq 1 b 1\nq 3 b 1\nq 2 a 1\nq 4 a 1", subgroups=False)
    ranking = ranking_with_groups(judged, {"q": ["b", "a", "c"]})
    best = ideal(ranking, 1, 0.5)
    assert judgments_of(ranking).docids(best.listed) == [b"c", b"b", b"a"]
    assert best.gain.tolist() == [2, 1.5, 1.5]
    assert values_of("alpha_nDCG@2", ranking) == pytest.approx([(2 + 2 / log2(3)) / (2 + 1.5 / log2(3))])


def test_the_ideal_is_made_once_for_all_runs() -> None:
    judgments = judgments_in(SUBTOPICS.encode())
    first, second = (run_in(b"101 Q0 %s 1 1 t\n" % docid, judgments)[0] for docid in (b"d01", b"d02"))
    assert ideal(first, 1, 0.5) is ideal(second, 1, 0.5)
    assert ideal(first, 1, 0.5).gain.tolist() != ideal(first, 1, 0.2).gain.tolist()


def test_many_alike_documents_and_queries_of_very_different_size_have_the_right_ideal() -> None:
    judged = [Judged("big", str(place % 2), "0", f"d{place:03}", 1) for place in range(300)]
    judged += [Judged(f"q{place}", "a", "0", "d", 1) for place in range(50)]
    ranking = ranking_with_groups(judged, {"big": ["d299"]})
    whole = sum(2 * 0.5 ** ((rank - 1) // 2) / 2 / log2(rank + 1) for rank in range(1, 301))
    assert values_of("alpha_nDCG", ranking) == pytest.approx([1 / whole, *[0.0] * 50], rel=NEAR)


# Worked numbers.

NDEVAL = {
    "ERR_IA@5": 0.387292,
    "ERR_IA@10": 0.422339,
    "nERR_IA@5": 0.51752,
    "nERR_IA@10": 0.568059,
    "alpha_DCG@5": 0.426617,
    "alpha_DCG@10": 0.506329,
    "alpha_nDCG@5": 0.553928,
    "alpha_nDCG@10": 0.666323,
    "alpha_nDCG(alpha=0.8)@5": 0.566923,
    "NRBP": 0.354004,
    "NRBP(beta=0.8)": 0.485389,
    "nNRBP": 0.479497,
    "AP_IA": 0.421759,
    "P_IA@5": 0.266667,
    "P_IA@10": 0.2,
    "StRecall@1": 0.333333,
    "StRecall@5": 0.666667,
    "StRecall@10": 1.0,
}
"""What ndeval 4.5 prints for query 101."""


@pytest.mark.parametrize(("name", "printed"), NDEVAL.items(), ids=NDEVAL)
def test_the_worked_query_has_what_ndeval_prints(name: str, printed: float) -> None:
    assert round(values_of(name, worked())[0], 6) == printed


KNOWN_FAULTS = {"ERR_IA@1": (1.0, 1 / 3), "alpha_DCG@1": (1.0, 1 / 3)}
"""What ndeval 4.5 prints for query 101, and what is right: it does not divide at the first cutoff."""


@pytest.mark.parametrize(("name", "printed", "right"), [(name, *pair) for name, pair in KNOWN_FAULTS.items()])
def test_what_ndeval_gets_wrong_comes_out_right(name: str, printed: float, right: float) -> None:
    (spec,) = parse_measures(name)
    assert values_of(name, worked())[0] == pytest.approx(right, rel=NEAR)
    assert printed != right
    assert f"prints N_1 itself ({printed}" in spec.measure.note


def test_ties_are_broken_by_docid_descending_as_ndeval_does_when_told_to() -> None:
    assert round(values_of("alpha_nDCG@5", worked())[1], 4) == 0.6509
    by_rank = [line.replace("d11 1 5", "d11 1 6").replace("d12 3 4.0", "d12 3 4.5") for line in RUN]
    swapped = ranking_from("subtopics", SUBTOPICS.strip().splitlines(), by_rank)
    assert round(values_of("alpha_nDCG@5", swapped)[1], 4) == 0.9197


def test_a_query_without_hits_and_one_that_the_run_lacks_have_0() -> None:
    for name in (*NDEVAL, *KNOWN_FAULTS):
        assert values_of(name, worked())[2:] == [0, 0]


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (["cat", "os"], {"alpha_nDCG@10": 0.9132224589335863, "StRecall@10": 1.0, "ERR_IA@10": 0.6011943369640581}),
        (["car", "cat"], {"alpha_nDCG@10": 0.6756133598690707, "StRecall@10": 2 / 3, "ERR_IA@10": 0.42083603587484064}),
    ],
)
def test_documents_repeated_for_their_subtopics_have_what_ir_measures_prints(
    run: list[str], expected: dict[str, float]
) -> None:
    judgments = judgments_in(b"jag 1 cat 1\njag 2 cat 1\njag 1 car 1\njag 3 os 1\njag 2 car 0\n")
    lines = "".join(f"jag Q0 {docid} 0 {-place} sys\n" for place, docid in enumerate(run))
    ranking, _ = run_in(lines.encode(), judgments)
    for name, value in expected.items():
        assert values_of(name, ranking) == pytest.approx([value], rel=NEAR)


# Depths.


@pytest.mark.parametrize("name", ["ERR_IA", "alpha_DCG"])
def test_without_a_cutoff_a_sum_that_does_not_end_is_refused(name: str) -> None:
    with pytest.raises(UsageProblem, match=f"{name} needs a cutoff of at most 1000000 if alpha is 0") as caught:
        values_of(f"{name}(alpha=0)", worked())
    assert caught.value.hints == (f"such as {name}(alpha=0)@10",)
    with pytest.raises(UsageProblem, match="if alpha is 1e-06"):
        values_of(f"{name}(alpha=0.000001)@2000000", worked())
    assert values_of(f"{name}(alpha=0)@10", worked())[0] > 0
    assert values_of(f"{name}@2000000000", worked()) == values_of(name, worked())


def test_judged_only_rankings_lose_what_no_subtopic_judges() -> None:
    judged = judged_lines("q 1 a 1\nq 2 b -1\nq 2 c 0\nq 2 d 1", subgroups=False)
    ranking = ranking_with_groups(judged, {"q": ["x", "b", "c", "a", "d"]})
    condensed = ranking_with_groups(judged, {"q": ["c", "a", "d"]})
    for name in ("alpha_nDCG", "NRBP", "AP_IA", "P_IA@2"):
        assert values_of(name, ranking) != values_of(name, condensed)
        assert values_of(name, ranking.judged_only()) == values_of(name, condensed)


# Intent-aware means of other measures.

OTHERWISE_DEFINED = {"ERR", "nERR"}
"""The measures whose names with the suffix have long belonged to something else."""

BASES = [
    record
    for record in all_measures().values()
    if has_intent_aware_mean(record) and record.name not in OTHERWISE_DEFINED
]


def complete(record: Measure) -> str:
    """The measure's parameters for a call, if it has some that must be given."""
    required = [param for param in record.parameters if param.default == REQUIRED]
    return ("@0.5" if required[0].name == "recall" else "@4") if required else ""


@pytest.mark.parametrize("base", BASES, ids=lambda record: record.name)
def test_an_intent_aware_mean_is_that_of_the_measure_over_the_subtopics(base: Measure) -> None:
    name = base.name + "_IA"
    files = world("subtopics", 5)
    qids = sorted({row.qid for row in files.judged})
    level = MeasureSpec.of(base).parameters.get("rel") or 1e-9
    values: dict[str, list[float]] = {qid: [] for qid in qids}
    for subtopic in sorted({row.group for row in files.judged}):
        lines = files._replace(judged=tuple(row for row in files.judged if row.group == subtopic))
        kept = sorted({row.qid for row in lines.judged})
        alone = ranking_from("hits", lines.qrels_lines(), lines.run_lines())
        counts = alone.judgments.num_relevant(level).tolist()
        for qid, count, value in zip(kept, counts, values_of(base.name + complete(base), alone), strict=True):
            values[qid] += [value] * (count > 0)
    expected = [sum(some) / len(some) if some else base.no_relevant or 0.0 for some in values.values()]
    assert values_of(name + complete(base), files.ranking()) == pytest.approx(expected, rel=NEAR, abs=NEAR)
    assert len(set(expected)) > 3


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("nDCG_IA@10", "nDCG_IA@10"),
        ("ndcg_ia@10", "nDCG_IA@10"),
        ("nDCG_IA(gain=exp)@10", "nDCG_IA(gain=exp)@10"),
        ("ndcg_burges_IA@5", "nDCG_IA(gain=exp)@5"),
        ("MRR_IA", "RR_IA"),
        ("recall_IA@5", "R_IA@5"),
        ("RBP_IA(p=0.5)", "RBP_IA(p=0.5)"),
        ("MAP_IA", "AP_IA"),
        ("map_IA", "AP_IA"),
        ("α_nDCG@20", "alpha_nDCG@20"),
    ],
)
def test_the_intent_aware_mean_of_a_measure_is_named_by_a_suffix(given: str, canonical: str) -> None:
    (spec,) = parse_measures(given)
    assert spec.name == canonical
    assert parse_measures(canonical) == [spec]
    assert spec.measure.needs == "subtopics"


@pytest.mark.parametrize("name", ["NumRel_IA", "GMAP_IA", "AP_avgjg_IA", "AP_IA_IA", "Nothing_IA", "_IA"])
def test_other_measures_have_no_intent_aware_mean(name: str) -> None:
    with pytest.raises(UsageProblem, match=f"unknown measure '{name}'"):
        parse_measures(name)


def test_a_level_for_the_whole_call_holds_for_intent_aware_means_of_binary_measures() -> None:
    assert [spec.name for spec in parse_measures("RR_IA,AP_IA,nDCG_IA,ERR_IA@5", level=2)] == [
        "RR_IA(rel=2)",
        "AP_IA(rel=2)",
        "nDCG_IA",
        "ERR_IA(rel=2)@5",
    ]


def test_the_record_of_an_intent_aware_mean_is_made_from_that_of_the_measure() -> None:
    (record,) = find_measures("nDCG_IA")
    assert record.parameters == MEASURES["nDCG"].parameters
    assert record.formula.startswith("(1/M)")
    assert "nDCG = " in record.formula
    assert record.references == ("agrawal2009", *MEASURES["nDCG"].references)
    assert "nDCG_IA" not in MEASURES
