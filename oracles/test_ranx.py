"""The numbers of ranx, on rankings without ties, whose order ranx leaves to chance."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

import pytest
import ranx
from evaluated import qrels_of, values_of
from worlds import world

if TYPE_CHECKING:
    from pathlib import Path

    from worlds import World

    Values = dict[str, float]

# Of numbers that ranx leaves to its compiler.
pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64")

SEEDS = (1, 2, 3)
POOLED = (-1, 0, 0, 0, 1, 1, 2, 3)
LEVELS = ("", "-l2", "-l3")
NEAR = 1e-12

WITH_CUTOFF = (
    "map", "mrr", "precision", "recall", "hits", "hit_rate", "f1", "dcg", "ndcg", "dcg_burges", "ndcg_burges"
)  # fmt: skip
CUTOFFS = (1, 5, 10, 100)
WHOLE = ("map", "mrr", "precision", "hits", "f1", "r-precision", "dcg", "ndcg", "dcg_burges", "ndcg_burges")
SAME_NAME = [f"{name}@{cutoff}" for name in WITH_CUTOFF for cutoff in CUTOFFS] + list(WHOLE)


def files_of(seed: int) -> World:
    return world("hits", seed, ties=False, grades=POOLED)


def theirs(files: World, metric: str) -> Values:
    qrels, run = qrels_of(files), ranx.Run(files.run)
    ranx.evaluate(ranx.Qrels({qid: qrels[qid] for qid in files.run}), run, metric)
    return {qid: float(value) for qid, value in run.scores[metric].items()}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("metric", SAME_NAME)
def test_ranx_has_the_same_values_under_its_own_names(tmp_path: Path, metric: str, level: str) -> None:
    for seed in SEEDS:
        files = files_of(seed)
        wanted = theirs(files, metric + level)
        assert values_of(tmp_path, files, metric + level) == pytest.approx(wanted, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize("p", ["50", "80", "95", "8"])
def test_ranx_has_rbp_of_raw_grades(tmp_path: Path, p: str) -> None:
    for seed in SEEDS:
        files = files_of(seed)
        wanted = theirs(files, f"rbp.{p}")
        assert values_of(tmp_path, files, f"rbp.{p}") == pytest.approx(wanted, rel=NEAR, abs=NEAR)
        assert values_of(tmp_path, files, f"RBP(p=0.{p})") != pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize(("metric", "measure"), [("recall", "SetR"), ("hit_rate", "Success@1000")])
@pytest.mark.parametrize("level", LEVELS)
def test_ranx_has_whole_rankings_under_names_that_mean_cutoffs_here(
    tmp_path: Path, metric: str, measure: str, level: str
) -> None:
    # recall is trec_eval's name for the recall at its list of cutoffs, and success has one, too.
    for seed in SEEDS:
        files = files_of(seed)
        wanted = theirs(files, metric + level)
        assert values_of(tmp_path, files, measure + level) == pytest.approx(wanted, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize("level", LEVELS)
def test_ranx_has_bpref_in_which_documents_that_are_only_pooled_are_not_relevant(tmp_path: Path, level: str) -> None:
    lowest = int(level[2:] or 1)
    for seed in SEEDS:
        files = files_of(seed)
        relevant = {qid: {grade >= lowest for grade in grades.values()} for qid, grades in qrels_of(files).items()}
        both_kinds = files._replace(run={qid: files.run[qid] for qid in files.run if relevant[qid] == {True, False}})
        wanted = theirs(both_kinds, f"bpref{level}")
        assert len(wanted) > 15
        found = values_of(tmp_path, both_kinds, f"bpref{level}", negative="nonrelevant")
        assert found == pytest.approx(wanted, rel=NEAR, abs=NEAR)


def bpref_of(qrels: dict[str, dict[str, int]]) -> list[float]:
    run = ranx.Run({qid: {"a": 2.0, "b": 1.0} for qid in qrels})
    ranx.evaluate(ranx.Qrels(qrels), run, "bpref")
    return [float(value) for value in run.scores["bpref"].values()]


def test_ranx_has_no_bpref_if_nothing_is_judged_non_relevant() -> None:
    assert isnan(bpref_of({"1": {"a": 1, "b": 1}})[0])


def test_ranx_forgets_bpref_of_the_queries_behind_one_without_relevant_documents() -> None:
    # A division by zero ends the loop over queries, and those that were still to come keep their first value.
    fine, nothing = {"a": 1, "b": 0}, {"a": 0, "b": 0}
    assert bpref_of({"1": fine, "2": fine}) == [1, 1]
    assert bpref_of({"1": nothing, "2": fine}) == [0, 0]


def test_ranx_takes_grades_below_the_level_for_nothing_in_graded_measures(tmp_path: Path) -> None:
    # trec_eval and ir_measures don't: their level is one of binary measures.
    files = files_of(1)
    assert values_of(tmp_path, files, "ndcg@5-l2") == values_of(tmp_path, files, "nDCG(rel=2)@5")
    assert values_of(tmp_path, files, "ndcg@5", level=2) == pytest.approx(theirs(files, "ndcg@5"), rel=NEAR, abs=NEAR)
    assert theirs(files, "ndcg@5-l2") != pytest.approx(theirs(files, "ndcg@5"), rel=1e-3)
