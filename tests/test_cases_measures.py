"""Definitions of measures that users of evaluation tools stumbled over, with the values that are right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calls import call, put
from drop_in import command

if TYPE_CHECKING:
    from pathlib import Path


def means(folder: Path, measures: str, *options: str) -> list[str]:
    """The aggregates of a comma-separated list of measures, as ``evaluate`` prints them."""
    result = call(folder, "evaluate", *options, "-m", measures, "qrels", "run")
    assert result.code == 0, result.err
    return [value for _, _, _, value in result.rows]


def trec(folder: Path, arguments: str) -> list[str]:
    """The values that the drop-in prints."""
    outcome = command(["trec", *arguments.split(), "qrels", "run"], program="irevalcli", cwd=folder)
    assert outcome.code == 0, outcome.stderr
    return [line.split()[2] for line in outcome.stdout.decode().splitlines()]


def ranked(*docids: str) -> str:
    """A run for query 1 that ranks documents so."""
    return "\n".join(f"1 Q0 {docid} {rank} {99 - rank} s" for rank, docid in enumerate(docids, 1))


def judged(**grades: int) -> str:
    """Qrels for query 1."""
    return "\n".join(f"1 0 {docid} {grade}" for docid, grade in grades.items())


def test_a_document_of_a_high_grade_is_one_relevant_document(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(d1=3, d2=2, d3=1, d4=0), run=ranked("d1", "d4", "d2"))
    assert means(tmp_path, "NumRel,NumRelRet,R@10,SetF") == ["3", "2", "0.6667", "0.6667"]
    assert trec(tmp_path, "-m num_rel -m num_rel_ret -m recall.10") == ["3", "2", "0.6667"]


def test_large_grades_give_finite_gains(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(d1=250, d2=37, d3=2), run=ranked("d2", "d1", "d3"))
    assert means(tmp_path, "nDCG,AP,nDCG(gain=exp)") == ["0.7135", "1.0000", "0.6309"]
    assert trec(tmp_path, "-m ndcg -m map") == ["1.0000", "0.7135"]
    put(tmp_path, qrels=judged(d1=1100, d2=1))
    result = call(tmp_path, "evaluate", "-m", "nDCG(gain=exp)", "qrels", "run")
    assert result.code in (2, 3)
    assert result.out == ""
    assert "1023" in result.err


def test_linear_and_exponential_gain_are_told_apart_by_name(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(a=1, b=0, c=2), run=ranked("a", "b", "c"))
    result = call(tmp_path, "evaluate", "-m", "nDCG@10,nDCG(dcg='exp-log2')@10,nDCG(gain=exp)@10", "qrels", "run")
    assert result.values == {"all nDCG@10": "0.7602", "all nDCG(gain=exp)@10": "0.6885"}


def test_a_cutoff_of_ndcg_cuts_the_ideal_too(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(a=1, b=1, c=1), run=ranked("a", "b"))
    assert means(tmp_path, "nDCG,nDCG@2,nDCG@10") == ["0.7654", "1.0000", "0.7654"]
    assert trec(tmp_path, "-m ndcg -m ndcg_cut.2,10") == ["0.7654", "1.0000", "0.7654"]


def test_a_depth_cuts_the_run_and_leaves_the_ideal(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(a=1, b=2, c=3, e=1), run=ranked("a", "b", "c"))
    assert means(tmp_path, "nDCG,NumRet", "-M", "2") == ["0.4356", "2"]
    assert means(tmp_path, "nDCG@2,NumRet") == ["0.5307", "3"]
    assert trec(tmp_path, "-M 2 -m ndcg") == ["0.4356"]


def test_reciprocal_rank_with_a_cutoff_is_zero_below_it(tmp_path: Path) -> None:
    rows = [f"{qid} Q0 d{rank} {rank} {99 - rank} s" for qid in (1, 2) for rank in range(1, 13)]
    put(tmp_path, qrels="1 0 d11 1\n2 0 d10 1", run="\n".join(rows))
    result = call(tmp_path, "evaluate", "-q", "-m", "RR,RR@10", "qrels", "run")
    assert list(result.values.values()) == ["0.0909", "0.0000", "0.1000", "0.1000", "0.0955", "0.0500"]
    assert means(tmp_path, "RR", "-M", "10") == ["0.0500"]
    assert trec(tmp_path, "-M 10 -m recip_rank") == ["0.0500"]


def test_recall_divides_by_all_relevant_documents_unless_capped(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(a=1, b=1, c=1, d=1), run=ranked("a", "x"))
    assert means(tmp_path, "R@1,P@1,Success@1,RR@1,R(capped=True)@1") == ["0.2500", *["1.0000"] * 4]
    assert trec(tmp_path, "-m recall.1 -m P.1") == ["1.0000", "0.2500"]


def test_r_precision_divides_by_the_relevant_documents_not_by_the_retrieved(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(a=1, b=2, c=1, d=1), run=ranked("a", "b"))
    assert means(tmp_path, "Rprec,SetP") == ["0.5000", "1.0000"]


def test_bpref_without_judged_nonrelevant_documents_is_the_share_retrieved(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="x 0 p 2\nx 0 r 1\ny 0 p 1\ny 0 t 3",
        run="x Q0 p 1 .6 s\nx Q0 s 2 .5 s\nx Q0 r 3 .4 s\ny Q0 s 1 .6 s\ny Q0 p 2 .5 s\ny Q0 u 3 .4 s",
    )
    result = call(tmp_path, "evaluate", "-q", "-m", "Bpref", "qrels", "run")
    assert result.values == {"x Bpref": "1.0000", "y Bpref": "0.5000", "all Bpref": "0.7500"}


def test_a_document_with_score_zero_is_retrieved(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(aa=1, bb=1), run="1 Q0 aa 1 0 s\n1 Q0 bb 2 0 s\n1 Q0 cc 3 -0.5 s")
    assert means(tmp_path, "R@2,NumRet") == ["1.0000", "3"]


def test_negative_scores_are_ordinary_numbers(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(b=1), run="1 Q0 a 1 -1e+01 s\n1 Q0 b 2 -3.2 s\n1 Q0 c 3 -0.01 s")
    assert means(tmp_path, "RR") == ["0.5000"]
    assert trec(tmp_path, "-m recip_rank") == ["0.5000"]


def test_the_ideal_ranking_comes_from_the_judgments(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(r1=3, r2=3, r3=3, r4=3, r5=3), run=ranked("r1"))
    assert means(tmp_path, "nDCG@10") == ["0.3392"]
    put(tmp_path, run=ranked(*(f"x{place}" for place in range(5)), "r1", "r2", "r3", "r4", "r5"))
    assert means(tmp_path, "nDCG@10") == ["0.5410"]
    assert trec(tmp_path, "-m ndcg_cut.10") == ["0.5410"]


def test_ndcg_is_never_above_one(tmp_path: Path) -> None:
    put(tmp_path, qrels=judged(a=1, b=1, c=1, d=2, e=3, f=3), run=ranked("e", "f", "d", "a"))
    assert means(tmp_path, "nDCG@3", "--digits", "full") == ["1.0"]
    put(tmp_path, run=ranked("a", "b", "c", "d"))
    assert means(tmp_path, "nDCG@3") == ["0.3616"]


def test_ndcg_of_a_judged_query_without_results_is_zero(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 a 2\n2 0 b 1", run="1 Q0 a 1 1 s")
    assert means(tmp_path, "nDCG@10") == ["0.5000"]
    assert trec(tmp_path, "-c -q -m ndcg_cut.10") == ["1.0000", "0.0000", "0.5000"]


@pytest.mark.parametrize(
    ("asked", "printed"),
    [
        (["P.5", "P.5,10"], {"P@5": "0.4000", "P@10": "0.2000"}),
        (["P.5,5"], {"P@5": "0.4000"}),
        (["iprec_at_recall.0.5,1.0"], {"IPrec@0.5": "1.0000", "IPrec@1": "0.6667"}),
        (["iprec_at_recall.0.1,0.1"], {"IPrec@0.1": "1.0000"}),
        (["P@5", "P_5", "P(rel=1)@5"], {"P@5": "0.4000"}),
    ],
)
def test_a_cutoff_asked_for_twice_is_printed_once(tmp_path: Path, asked: list[str], printed: dict[str, str]) -> None:
    put(tmp_path, qrels=judged(a=1, b=1), run=ranked("a", "x", "b"))
    options = [part for name in asked for part in ("-m", name)]
    result = call(tmp_path, "evaluate", *options, "qrels", "run")
    assert {key.removeprefix("all "): value for key, value in result.values.items()} == printed
    assert len(result.rows) == len(printed)


def test_a_document_judged_for_several_subtopics_is_one_relevant_document(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 1 cat 1\n1 2 cat 1\n1 1 car 1\n1 3 os 1\n1 2 car 0", run=ranked("cat", "os"))
    assert means(tmp_path, "NumRel,AP") == ["3", "0.6667"]
    assert "judged for several sub-topics" in call(tmp_path, "evaluate", "qrels", "run").err


def test_the_query_itself_is_a_document_unless_excluded(tmp_path: Path) -> None:
    put(tmp_path, qrels="arg-7 0 arg-9 1", run="arg-7 Q0 arg-7 1 9 s\narg-7 Q0 arg-9 2 8 s")
    assert means(tmp_path, "RR") == ["0.5000"]
    result = call(tmp_path, "evaluate", "-m", "RR", "--exclude-self", "qrels", "run")
    assert result.values == {"all RR": "1.0000"}
    assert "run: 1 document with the id of the query left out" in result.err


def test_a_short_candidate_list_without_a_hit_is_zero(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 z 1\n2 0 b 1", run="1 Q0 a 1 3 s\n1 Q0 b 2 2 s\n1 Q0 c 3 1 s\n2 Q0 b 1 1 s")
    result = call(tmp_path, "evaluate", "-q", "-m", "RR@10", "qrels", "run")
    assert result.values == {"1 RR@10": "0.0000", "2 RR@10": "1.0000", "all RR@10": "0.5000"}
