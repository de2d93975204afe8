"""Faults that users of evaluation tools reported: the numbers that are right. Refused files: test_cases_refused.py."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from drop_in import command

if TYPE_CHECKING:
    from pathlib import Path


def evaluated(folder: Path, *arguments: str) -> dict[str, str]:
    """The values that ``evaluate -q`` prints."""
    result = call(folder, "evaluate", "-q", *arguments)
    assert result.code == 0, result.err
    return result.values


def said(folder: Path, *arguments: str) -> str:
    """What ``evaluate`` says on standard error."""
    result = call(folder, "evaluate", *arguments)
    assert result.code == 0
    return result.err


def trec(folder: Path, arguments: str, code: int = 0) -> list[tuple[str, ...]]:
    """The lines of the drop-in, cut into fields."""
    outcome = command(["trec", *arguments.split()], program="irevalcli", cwd=folder)
    assert outcome.code == code, outcome.stderr
    return [tuple(line.split()) for line in outcome.stdout.decode().splitlines()]


def test_tied_scores_are_ordered_by_docid_descending_whatever_the_rank_column_says(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="t1 0 apple 0\nt1 0 kiwi 1\nt1 0 plum 0",
        run_a="t1 Q0 kiwi 1 2.0 sys\nt1 Q0 apple 2 2.0 sys",
        run_b="t1 Q0 kiwi 1 2.0 sys\nt1 Q0 plum 2 2.0 sys",
    )
    assert evaluated(tmp_path, "-m", "nDCG,RR", "qrels", "run.a") == {
        "t1 nDCG": "1.0000", "t1 RR": "1.0000", "all nDCG": "1.0000", "all RR": "1.0000",
    }  # fmt: skip
    assert evaluated(tmp_path, "-m", "nDCG,RR", "qrels", "run.b")["all nDCG"] == "0.6309"
    assert "run.b: 1 score tie; broken by document id, descending" in said(tmp_path, "qrels", "run.b")
    assert trec(tmp_path, "-m ndcg -m recip_rank qrels run.b") == [
        ("recip_rank", "all", "0.5000"), ("ndcg", "all", "0.6309"),
    ]  # fmt: skip


def test_a_constant_score_leaves_the_order_to_the_docids(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="sea 0 oak 1\nsky 0 oak 1",
        run="""sea Q0 ash 1 1.0 s
               sea Q0 fir 2 1.0 s
               sea Q0 oak 3 1.0 s
               sky Q0 oak 1 1.0 s
               sky Q0 pine 2 1.0 s
               sky Q0 yew 3 1.0 s""",
    )
    values = evaluated(tmp_path, "-m", "AP", "qrels", "run")
    assert values == {"sea AP": "1.0000", "sky AP": "0.3333", "all AP": "0.6667"}
    assert "all scores of 2 queries are equal (sea, sky)" in call(tmp_path, "evaluate", "qrels", "run").err
    assert "run: 4 score ties" in said(tmp_path, "qrels", "run")
    assert trec(tmp_path, "-q -m map qrels run")[-1] == ("map", "all", "0.6667")


def test_tied_numeric_docids_are_compared_as_strings(tmp_path: Path) -> None:
    rows = "".join(f"{qid} Q0 {docid} 1 5 s\n" for qid in ("q1", "q2") for docid in (10, 100, 9))
    put(tmp_path, qrels="q1 0 9 1\nq2 0 10 1", run=rows)
    values = evaluated(tmp_path, "-m", "RR,P@1", "qrels", "run")
    assert values["q1 P@1"] == values["q1 RR"] == "1.0000"
    assert values["q2 RR"] == "0.3333"
    assert trec(tmp_path, "-m recip_rank -m P.1 qrels run") == [
        ("recip_rank", "all", "0.6667"),
        ("P_1", "all", "0.5000"),
    ]


@pytest.mark.parametrize("ranks", ["000", "012", "123"])
def test_the_rank_column_does_not_matter(tmp_path: Path, ranks: str) -> None:
    rows = zip(ranks, ("d1 {} 3.5", "d2 {} 2.5", "d3 {} 1.5"), strict=True)
    put(
        tmp_path,
        qrels="1 0 d1 0\n1 0 d2 1\n1 0 d3 0",
        run="".join(f"1 Q0 {row.format(rank)} b\n" for rank, row in rows),
    )
    values = evaluated(tmp_path, "-m", "AP,P@2", "qrels", "run")
    assert values["all AP"] == values["all P@2"] == "0.5000"
    assert trec(tmp_path, "-m map -m P.2 qrels run") == [("map", "all", "0.5000"), ("P_2", "all", "0.5000")]


def test_larger_scores_come_first_even_if_they_look_like_distances(tmp_path: Path) -> None:
    scores = {"5": (0.11, 0.25, 0.31, 0.90), "6": (0.05, 0.07, 0.40, 0.41)}
    rows = [f"{qid} Q0 d{rank} {rank} {score} s" for qid in scores for rank, score in enumerate(scores[qid], 1)]
    put(tmp_path, qrels="5 0 d1 1\n5 0 d2 1\n6 0 d1 1", run="\n".join(rows))
    values = evaluated(tmp_path, "-m", "RR,nDCG", "qrels", "run")
    assert (values["5 RR"], values["6 RR"], values["all RR"]) == ("0.3333", "0.2500", "0.2917")
    assert (values["5 nDCG"], values["6 nDCG"], values["all nDCG"]) == ("0.5706", "0.4307", "0.5007")
    said = call(tmp_path, "evaluate", "qrels", "run").err
    assert "in every query the scores rise down the file; are they distances?" in said
    assert trec(tmp_path, "-q -m recip_rank qrels run")[0] == ("recip_rank", "5", "0.3333")


def test_mrr_and_map_agree_for_one_relevant_document_because_all_measures_see_one_ranking(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="q1 0 p1 1\nq2 0 p3 1",
        run="""q1 Q0 p1 1 0.5 s
               q1 Q0 p5 2 0.5 s
               q1 Q0 p9 3 0.5 s
               q2 Q0 p3 1 0.5 s
               q2 Q0 p8 2 0.5 s""",
    )
    values = evaluated(tmp_path, "-m", "AP,RR,RR@1,P@1,Success@1,nDCG@10", "qrels", "run")
    assert values["q1 AP"] == values["q1 RR"] == "0.3333"
    assert values["q2 AP"] == values["q2 RR"] == "0.5000"
    assert values["all RR@1"] == values["all P@1"] == values["all Success@1"] == "0.0000"
    assert values["all nDCG@10"] == "0.5655"


def test_a_cutoff_counts_in_the_sorted_ranking_not_in_the_file(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="q 0 rel 1",
        run="q Q0 a3 1 .1 s\nq Q0 a2 2 .2 s\nq Q0 rel 3 .7 s\nq Q0 a9 4 .9 s\nq Q0 a8 5 .8 s",
    )
    values = evaluated(tmp_path, "-m", "RR,RR@3,RR@2,P@3", "qrels", "run")
    assert [values[f"q {name}"] for name in ("RR", "RR@3", "RR@2", "P@3")] == ["0.3333", "0.3333", "0.0000", "0.3333"]
    assert evaluated(tmp_path, "-M", "2", "-m", "RR", "qrels", "run")["all RR"] == "0.0000"
    assert trec(tmp_path, "-M 3 -m recip_rank qrels run") == [("recip_rank", "all", "0.3333")]


def test_a_missing_query_is_listed_with_zero_so_that_listing_and_mean_agree(tmp_path: Path) -> None:
    put(tmp_path, qrels="a 0 d1 1\nb 0 d1 1\nc 0 d1 1", run="a Q0 d1 1 1 s\nc Q0 d1 1 1 s")
    values = evaluated(tmp_path, "-m", "AP", "qrels", "run")
    assert values == {"a AP": "1.0000", "b AP": "0.0000", "c AP": "1.0000", "all AP": "0.6667"}
    skipped = evaluated(tmp_path, "-m", "AP", "--missing", "skip", "qrels", "run")
    assert skipped == {"a AP": "1.0000", "c AP": "1.0000", "all AP": "1.0000"}
    assert trec(tmp_path, "-c -q -m map qrels run")[1] == ("map", "b", "0.0000")
    assert trec(tmp_path, "-q -m map qrels run", code=4) == [("map", "a", "1.0000")]
    assert trec(tmp_path, "--compat 9.0.8 -q -m map qrels run")[-1] == ("map", "all", "1.0000")


def test_a_run_that_skips_the_hard_query_is_averaged_over_the_same_queries_and_named(tmp_path: Path) -> None:
    both = "".join(f"{qid} Q0 d1 1 9 s\n{qid} Q0 d2 2 8 s\n" for qid in (1, 2))
    put(tmp_path, qrels="1 0 d1 1\n2 0 d1 1\n3 0 d1 1", run_skip=both, run_try=f"{both}3 Q0 d2 1 9 s\n3 Q0 d1 2 8 s")
    result = call(tmp_path, "evaluate", "-m", "AP,NumQ", "qrels", "run.skip", "run.try")
    means = {(run, measure): value for run, query, measure, value in result.rows}
    assert means["run.skip", "AP"] == "0.6667"
    assert means["run.try", "AP"] == "0.8333"
    assert means["run.skip", "NumQ"] == means["run.try", "NumQ"] == "3"
    assert "warning: run.skip: 1 judged query is missing from the run (3); it counts as 0" in result.err
    assert "run.try:" not in result.err
    assert evaluated(tmp_path, "-m", "AP", "--missing", "skip", "qrels", "run.skip")["all AP"] == "1.0000"


def test_query_ids_are_exact_strings_never_numbers(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="007 0 d1 1\n1 0 d1 1\n5 0 d1 1\n42 0 d1 1",
        run="7 Q0 d1 1 1 s\n1.0 Q0 d1 1 1 s\n+5 Q0 d1 1 1 s\n42 Q0 d1 1 1 s",
    )
    result = call(tmp_path, "evaluate", "-q", "-m", "AP,NumQ", "--missing", "skip", "qrels", "run")
    assert result.values == {"42 AP": "1.0000", "all AP": "1.0000", "all NumQ": "1"}
    assert "'7' of the run and '007' of the qrels differ only by leading zeros" in result.err
    assert "3 of 4 judged queries are missing" in result.err
    assert "3 queries have no judgments and were ignored" in result.err


def test_a_query_without_relevant_documents_counts_as_zero_and_can_be_left_out(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="ta 0 red 0\nta 0 blue 1\ntb 0 red 0\ntb 0 green 0\ntc 0 green 1\ntc 0 pink 1",
        run="""ta Q0 red 1 3 s
               ta Q0 blue 2 2 s
               tb Q0 red 1 3 s
               tb Q0 green 2 2 s
               tc Q0 green 1 3 s
               tc Q0 pink 2 2 s""",
    )
    call_all = ("-m", "AP,nDCG@10,Rprec,Bpref,R@5,NumQ", "qrels", "run")
    values = evaluated(tmp_path, *call_all)
    assert {value for key, value in values.items() if key.startswith("tb ")} == {"0.0000"}
    assert {value for key, value in values.items() if key.startswith("tc ")} == {"1.0000"}
    assert [values[f"all {name}"] for name in ("AP", "nDCG@10", "Rprec", "Bpref", "R@5", "NumQ")] == [
        "0.5000", "0.5436", "0.3333", "0.3333", "0.6667", "3",
    ]  # fmt: skip
    assert values == evaluated(tmp_path, *call_all)
    assert "1 query has no relevant document; it counts as 0  [--no-relevant skip" in said(tmp_path, "qrels", "run")
    skipped = evaluated(tmp_path, "--no-relevant", "skip", *call_all)
    assert (skipped["all AP"], skipped["all NumQ"]) == ("0.7500", "2")


def test_a_query_without_a_hit_is_zero_and_counts(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 d8 1\n1 0 d9 2\n2 0 d1 1", run="1 Q0 d1 1 3 s\n1 Q0 d2 2 2 s\n2 Q0 d1 1 3 s")
    values = evaluated(tmp_path, "-m", "nDCG,Rprec,RR,AP", "qrels", "run")
    for name in ("nDCG", "Rprec", "RR", "AP"):
        assert (values[f"1 {name}"], values[f"2 {name}"], values[f"all {name}"]) == ("0.0000", "1.0000", "0.5000")


@pytest.mark.parametrize(
    "rows",
    [
        "1\tQ0\td2\t 1\t  2.5 s\n  1 Q0   d1 2 \t1.5\ts  \n",
        "1 Q0 d2 1 2.5 s\n1 Q0 d1 2 1.5 s\n",
        "1\tQ0\td2\t1\t2.5\ts\n1\tQ0\td1\t2\t1.5\ts\n",
        "1          Q0   d2     1    2.5  s\n1   Q0   d1     2    1.5  s\n",
        "1 Q0 d2 1 2.5 s\r\n1 Q0 d1 2 1.5 s\r\n",
    ],
    ids=["mixed", "space", "tab", "wide", "crlf"],
)
def test_any_run_of_blanks_and_tabs_separates_fields(tmp_path: Path, rows: str) -> None:
    put(tmp_path, qrels=b"1\t0\td1\t1\n1  0   d2 \t0\n", run=rows.encode())
    assert evaluated(tmp_path, "-m", "AP", "qrels", "run")["all AP"] == "0.5000"
    assert trec(tmp_path, "-m map qrels run") == [("map", "all", "0.5000")]


def test_commas_and_quotes_in_ids_mean_nothing(tmp_path: Path) -> None:
    docids = ["Report,_1992", '"Heroes"_(album)', "Rock_'n'_roll", '50%_off;_"x']
    put(
        tmp_path,
        qrels="\n".join(f"2790 0 {docid} 1" for docid in docids),
        run="\n".join(f"2790 Q0 {docid} 1 {9 - place} r" for place, docid in enumerate(docids)),
    )
    values = evaluated(tmp_path, "-m", "AP,NumRelRet", "qrels", "run")
    assert (values["all AP"], values["all NumRelRet"]) == ("1.0000", "4")
    assert trec(tmp_path, "-m map -m num_rel_ret qrels run")[0] == ("num_rel_ret", "all", "4")


def test_infinite_scores_are_ordered_and_said(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 d1 1", run="1 Q0 d3 1 inf s\n1 Q0 d1 2 2.0 s\n1 Q0 d2 3 -inf s")
    assert evaluated(tmp_path, "-m", "RR", "qrels", "run")["all RR"] == "0.5000"
    assert "run: 2 infinite scores" in said(tmp_path, "qrels", "run")


def test_non_ascii_ids_are_compared_byte_for_byte(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 Beyoncé 1\n1 0 Müller 0".encode())
    for name, raw, ap in (
        ("utf8", "1 Q0 Beyoncé 1 2 s\n1 Q0 Müller 2 1 s".encode(), "1.0000"),
        ("nfd", "1 Q0 Beyonce\u0301 1 2 s\n1 Q0 Mu\u0308ller 2 1 s".encode(), "0.0000"),
        ("latin1", "1 Q0 Beyoncé 1 2 s\n1 Q0 Müller 2 1 s".encode("latin-1"), "0.0000"),
    ):
        put(tmp_path, **{name: raw})
        assert evaluated(tmp_path, "-m", "AP", "qrels", name)["all AP"] == ap
        assert trec(tmp_path, f"-m map qrels {name}") == [("map", "all", ap)]
        assert ("not valid UTF-8" in said(tmp_path, "qrels", name)) is (name == "latin1")


def test_a_judgment_repeated_with_the_same_grade_counts_once(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 d1 1\n1 0 d1 1\n1 0 d2 0", run="1 Q0 d1 1 2 s\n1 Q0 d2 2 1 s")
    values = evaluated(tmp_path, "-m", "AP,nDCG,NumRel", "qrels", "run")
    assert [values[f"all {name}"] for name in ("AP", "nDCG", "NumRel")] == ["1.0000", "1.0000", "1"]
    assert "warning: qrels: 1 judgment repeated with the same grade" in said(tmp_path, "qrels", "run")
    assert trec(tmp_path, "-m map qrels run", code=4) == []


def test_qrels_from_a_pipe_serve_every_run(tmp_path: Path) -> None:
    qrels = b"m4 0 uu 0\nm4 0 vv 1\n"
    put(tmp_path, run_a="m4 Q0 vv 1 2 s\nm4 Q0 uu 2 1 s", run_b="m4 Q0 uu 1 2 s\nm4 Q0 vv 2 1 s")
    expected = [("run.a", "all", "AP", "1.0000"), ("run.b", "all", "AP", "0.5000")]
    assert call(tmp_path, "evaluate", "-m", "AP", "-", "run.a", "run.b", stdin=qrels).rows == expected
    read, write = os.pipe()
    os.write(write, qrels)
    os.close(write)
    assert call(tmp_path, "evaluate", "-m", "AP", f"/dev/fd/{read}", "run.a", "run.b").rows == expected
    os.close(read)


def test_lines_of_a_query_may_stand_anywhere(tmp_path: Path) -> None:
    put(
        tmp_path,
        qrels="2 0 a 1\n1 0 x 1\n2 0 b 1\n1 0 y 0",
        run="1 Q0 x 1 5 s\n2 Q0 a 1 5 s\n1 Q0 y 2 4 s\n2 Q0 b 2 4 s",
    )
    values = evaluated(tmp_path, "-m", "AP,NumRel", "qrels", "run")
    assert (values["1 AP"], values["2 AP"], values["2 NumRel"], values["all NumRel"]) == ("1.0000", "1.0000", "2", "3")
    assert trec(tmp_path, "-q -m num_rel qrels run") == [
        ("num_rel", "1", "1"),
        ("num_rel", "2", "2"),
        ("num_rel", "all", "3"),
    ]


def test_a_negative_grade_is_unjudged_unless_told_otherwise_and_never_a_gain(tmp_path: Path) -> None:
    put(tmp_path, qrels="w31 0 junk -2\nw31 0 good 1", run="w31 Q0 junk 1 .9 s\nw31 Q0 good 2 .4 s")
    asked = ("-m", "P@1,nDCG,Bpref", "qrels", "run")
    for options, expected in (
        ([], ["0.0000", "0.6309", "1.0000"]),
        (["-J"], ["1.0000", "1.0000", "1.0000"]),
        (["-J", "--negative", "nonrelevant"], ["0.0000", "0.6309", "0.0000"]),
    ):
        values = evaluated(tmp_path, *options, *asked)
        assert [values[f"w31 {name}"] for name in ("P@1", "nDCG", "Bpref")] == expected
    assert trec(tmp_path, "-J -m P.1 qrels run") == [("P_1", "all", "1.0000")]


def test_order_of_queries_changes_nothing_and_the_listing_is_in_byte_order(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 a 1\n2 0 a 1\n10 0 a 1", run="10 Q0 a 1 2 s\n2 Q0 b 1 3 s\n2 Q0 a 2 2 s\n1 Q0 a 1 1 s")
    values = evaluated(tmp_path, "-m", "AP", "qrels", "run")
    assert list(values.items()) == [("1 AP", "1.0000"), ("10 AP", "1.0000"), ("2 AP", "0.5000"), ("all AP", "0.8333")]
    assert [line[1] for line in trec(tmp_path, "-q -m map qrels run")] == ["1", "10", "2", "all"]


def test_several_run_tags_change_nothing_and_are_said(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 a 1\n2 0 b 1", run="1 Q0 a 1 2 25\n1 Q0 b 2 1 25\n2 Q0 b 1 2 26")
    assert evaluated(tmp_path, "-m", "AP", "qrels", "run")["all AP"] == "1.0000"
    assert "warning: run: 2 run tags in one file (25, 26)" in said(tmp_path, "qrels", "run")
    assert trec(tmp_path, "-m runid qrels run") == [("runid", "all", "26")]


def test_qrels_of_many_more_queries_than_the_run_answers_are_questioned(tmp_path: Path) -> None:
    put(tmp_path, qrels="\n".join(f"{qid} 0 p{qid} 1" for qid in range(1, 11)), run="3 Q0 p3 1 1 s\n7 Q0 p7 1 1 s")
    result = call(tmp_path, "evaluate", "-m", "RR,NumQ", "qrels", "run")
    assert result.values == {"all RR": "0.2000", "all NumQ": "10"}
    assert "8 of 10 judged queries are missing from the run (1, 10, 2, …)" in result.err
    assert "are these the right qrels?" in result.err
    assert evaluated(tmp_path, "-m", "RR", "--missing", "skip", "qrels", "run")["all RR"] == "1.0000"
    assert trec(tmp_path, "-c -m recip_rank qrels run") == [("recip_rank", "all", "0.2000")]


def test_a_large_run_is_evaluated_in_pieces(tmp_path: Path) -> None:
    queries, depth = 60, 2000
    qrels, rows = [], []
    for qid in range(queries):
        qrels.append(f"{qid} 0 d{qid:04d} 1")
        rows += [
            f"{qid} Q0 d{(place + qid) % depth:04d} 0 {depth - (place + qid) % depth}.5 big" for place in range(depth)
        ]
    put(tmp_path, qrels="\n".join(qrels), run="\n".join(rows))
    values = evaluated(tmp_path, "-m", "RR,NumRet,NumRelRet", "qrels", "run")
    assert (values["all NumRet"], values["all NumRelRet"]) == (str(queries * depth), str(queries))
    assert [values[f"{qid} RR"] for qid in range(queries)] == [f"{1 / (qid + 1):.4f}" for qid in range(queries)]
