"""The numbers of ir_measures under its own names, on files with ties, gaps in the judgments and queries without finds.

Each of its providers breaks ties in its own way, so that every measure is compared in the order of its provider. Where
it does something else than this program, the test says what.
"""

from __future__ import annotations

import warnings
from math import log2
from typing import TYPE_CHECKING

import pytest
from evaluated import qrels_of, values_of
from worlds import world

# cwl-eval's BibTeX strings have backslashes that Python warns of when it compiles them.
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import cwl.cwl_eval  # noqa: F401
    import ir_measures

if TYPE_CHECKING:
    from pathlib import Path

    from worlds import Run, World

    Values = dict[str, float]

SEEDS = (1, 2, 3, 4)
POOLED = (-1, 0, 0, 0, 1, 1, 2, 3)
JUDGED = (0, 0, 0, 1, 1, 2, 3)
NEAR = 1e-12

PYTREC_EVAL = [
    "AP", "AP(rel=2)", "AP@10", "AP(rel=2)@5", "AP(judged_only=True)", "nDCG", "nDCG@10", "nDCG(judged_only=True)@5",
    "nDCG(gains={1:1,2:3,3:7})@5", "P@5", "P(rel=2)@10", "R@5", "R(rel=2)@10", "RR", "RR(rel=2)", "Rprec",
    "Rprec(rel=2)", "Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)", "SetP", "SetP(rel=2)", "SetP(relative=True)",
    "SetR", "SetR(rel=2)", "SetF", "SetF(beta=0.5)", "SetF(rel=2,beta=2.0)", "SetAP", "SetAP(rel=2)", "Success@5",
    "Success(rel=2)@1", "NumRet", "NumRet(rel=1)", "NumRet(rel=2)", "NumRel", "NumRelRet",
]  # fmt: skip
IN_DESCENDING_ORDER_OF_DOCIDS = "docid-desc"

MSMARCO_AND_COMPAT = [
    "RR@1", "RR@5", "RR(rel=3)@10", "Compat", "Compat(p=0.8)", "Compat(p=0.8,normalize=False)",
]  # fmt: skip
IN_ASCENDING_ORDER_OF_DOCIDS = "docid-asc"

CWL_EVAL = [
    "RBP(rel=1)", "RBP(rel=1,p=0.5)", "RBP(p=0.9,rel=2)", "SDCG(max_rel=3)@5", "SDCG(max_rel=3)@20",
    "INST(max_rel=3)", "INST(T=2.0,max_rel=3)", "INSQ(max_rel=3)", "INSQ(T=2.5,max_rel=3)", "BPM(max_rel=3)@10",
    "BPM(max_rel=3)@4", "NERR8(max_rel=3)@10", "NERR9(max_rel=3)@10", "NERR10(max_rel=3)", "NERR10(p=0.8,max_rel=3)",
    "NERR11(max_rel=3)", "NERR11(T=2.0,max_rel=3)",
]  # fmt: skip
IN_THE_ORDER_OF_THE_FILE = "file"

COMPARED = [
    (order, text)
    for order, texts in {
        IN_DESCENDING_ORDER_OF_DOCIDS: PYTREC_EVAL,
        IN_ASCENDING_ORDER_OF_DOCIDS: MSMARCO_AND_COMPAT,
        IN_THE_ORDER_OF_THE_FILE: CWL_EVAL,
    }.items()
    for text in texts
]


def files_of(seed: int, grades: tuple[float, ...]) -> World:
    # Compat takes a document that was not retrieved for one with the score 0.
    return world("hits", seed, grades=grades).scored_by(lambda score: score + 10)


def ours(folder: Path, files: World, text: str, order: str) -> Values:
    return values_of(folder, files, text, ties=order)


def theirs(files: World, text: str, run: Run) -> Values:
    # Compat puts tied documents of the same grade into the ideal ranking in their order in the qrels, here by docid.
    metrics = ir_measures.iter_calc([ir_measures.parse_measure(text)], qrels_of(files), run)
    return {metric.query_id: metric.value for metric in metrics}


def assert_near(found: Values, wanted: Values) -> None:
    assert found.keys() == wanted.keys()
    assert found == pytest.approx(wanted, rel=NEAR, abs=NEAR)


@pytest.mark.parametrize(("order", "text"), COMPARED)
def test_ir_measures_has_the_same_values_under_its_own_names(tmp_path: Path, order: str, text: str) -> None:
    for seed in SEEDS:
        files = files_of(seed, POOLED)
        found = ours(tmp_path, files, text, order)
        # It gives queries that the run lacks a value, too.
        wanted = {qid: value for qid, value in theirs(files, text, files.run).items() if qid in found}
        assert_near(found, wanted)


@pytest.mark.parametrize("text", ["Judged@5", "Judged@10", "Judged@100"])
def test_negative_grades_are_judged_in_ir_measures(tmp_path: Path, text: str) -> None:
    for seed in SEEDS:
        files = files_of(seed, JUDGED)
        found = ours(tmp_path, files, text, IN_ASCENDING_ORDER_OF_DOCIDS)
        assert_near(found, {qid: theirs(files, text, files.run)[qid] for qid in found})
        pooled = files_of(seed, POOLED)
        found = ours(tmp_path, pooled, text, IN_ASCENDING_ORDER_OF_DOCIDS)
        others = theirs(pooled, text, pooled.run)
        assert all(others[qid] >= value for qid, value in found.items())
        assert sum(others.values()) > sum(found.values())


@pytest.mark.parametrize("recall", ["0.0", "0.2", "0.5", "0.7", "1.0"])
def test_ir_measures_rounds_recall_levels_up(tmp_path: Path, recall: str) -> None:
    for seed in SEEDS:
        files = files_of(seed, POOLED)
        found = ours(tmp_path, files, f"IPrec(rounding=up)@{recall}", IN_DESCENDING_ORDER_OF_DOCIDS)
        others = theirs(files, f"IPrec@{recall}", files.run)
        assert_near(found, {qid: others[qid] for qid in found})


@pytest.mark.parametrize(
    ("text", "cutoff", "rel"), [("Accuracy", 100, 1), ("Accuracy@5", 5, 1), ("Accuracy(rel=2)@2", 2, 2)]
)
def test_ir_measures_needs_documents_of_both_kinds_for_accuracy(
    tmp_path: Path, text: str, cutoff: int, rel: int
) -> None:
    kinds_seen = set()
    for seed in SEEDS:
        files = files_of(seed, POOLED)
        found = ours(tmp_path, files, text, IN_THE_ORDER_OF_THE_FILE)
        for qid, scores in files.run.items():
            kinds = {grade >= rel for grade in grades_in_order(files, qid, IN_THE_ORDER_OF_THE_FILE)[:cutoff]}
            kinds_seen.add(frozenset(kinds))
            one = {qid: scores}
            if kinds == {False, True}:
                assert found[qid] == pytest.approx(theirs(files, text, one)[qid], rel=NEAR)
            elif kinds == {False}:
                assert found[qid] == 0
                assert qid not in theirs(files, text, one)
            else:
                assert found[qid] == 1
                with pytest.raises(ZeroDivisionError):
                    theirs(files, text, one)
    assert len(kinds_seen) == 3


def grades_in_order(files: World, qid: str, order: str) -> list[int]:
    """The grades of a ranking, 0 for what is unjudged."""
    docids = list(files.run[qid])
    if order == IN_DESCENDING_ORDER_OF_DOCIDS:
        docids.sort(reverse=True)
    docids.sort(key=lambda docid: -files.run[qid][docid])
    return [max(0, qrels_of(files)[qid].get(docid, 0)) for docid in docids]


def err_of_gdeval(grades: list[int]) -> float:
    value, reading = 0.0, 1.0
    for rank, grade in enumerate(grades, 1):
        stop = (2**grade - 1) / 16
        value += reading * stop / rank
        reading *= 1 - stop
    return value


def dcg_of_gdeval(grades: list[int]) -> float:
    return sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades, 1))


@pytest.mark.parametrize("cutoff", [1, 5, 20, 100])
def test_gdeval_from_which_ir_measures_has_err_is_these_few_lines(tmp_path: Path, cutoff: int) -> None:
    # The program itself, which needs Perl, is compared in oracles/.
    for seed in SEEDS:
        files = files_of(seed, POOLED)
        err = ours(tmp_path, files, f"ERR@{cutoff}", IN_DESCENDING_ORDER_OF_DOCIDS)
        ndcg = ours(tmp_path, files, f"nDCG(dcg='exp-log2')@{cutoff}", IN_DESCENDING_ORDER_OF_DOCIDS)
        for qid in files.run:
            grades = grades_in_order(files, qid, IN_DESCENDING_ORDER_OF_DOCIDS)[:cutoff]
            ideal = sorted((max(0, grade) for grade in qrels_of(files)[qid].values()), reverse=True)[:cutoff]
            assert err[qid] == pytest.approx(err_of_gdeval(grades), rel=NEAR)
            assert ndcg[qid] == pytest.approx(
                dcg_of_gdeval(grades) / dcg_of_gdeval(ideal) if any(ideal) else 0, rel=NEAR
            )


def test_every_measure_of_ir_measures_is_compared_somewhere() -> None:
    here = {text.partition("(")[0].partition("@")[0] for _, text in COMPARED} | {"Judged", "IPrec", "Accuracy", "ERR"}
    in_another_file = {
        "ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall", "NumQ"
    }  # fmt: skip
    names = {measure.NAME for measure in ir_measures.measures.registry.values()}
    assert names - here == in_another_file
