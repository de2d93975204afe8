"""Pools: which documents of which runs, what is left out as judged, and the three ways to write them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from calls import call, put

SAMPLES = Path(__file__).resolve().parents[1]
QRELS = str(SAMPLES / "sample_qrels" / "sample.qrels")
RUNS = [str(SAMPLES / "sample_runs" / f"{name}.run") for name in ("bm25", "ql", "chargram", "tfidf")]

Row = tuple[str, str, int, int]


def rows(folder: Path, *arguments: str) -> list[Row]:
    done = call(folder, "pool", *arguments)
    assert done.code == 0, done.err
    head, *lines = done.out.splitlines()
    assert head == "query\tdocument\tbest_rank\truns"
    fields = [line.split("\t") for line in lines]
    return [(qid, docid, int(rank), int(runs)) for qid, docid, rank, runs in fields]


def three_runs(folder: Path) -> list[str]:
    put(
        folder,
        a_run="q1 Q0 x 1 9 a\nq1 Q0 y 2 8 a\nq1 Q0 z 3 7 a\nq2 Q0 x 1 1 a",
        b_run="q1 Q0 y 1 9 b\nq1 Q0 w 2 8 b\nq1 Q0 x 3 7 b",
        c_run="q1 Q0 y 1 9 c\nq1 Q0 v 2 8 c",
    )
    return ["a.run", "b.run", "c.run"]


def test_a_pool_has_the_top_of_every_run_once_with_best_rank_and_number_of_runs(tmp_path: Path) -> None:
    runs = three_runs(tmp_path)
    assert rows(tmp_path, *runs, "--depth", "2") == [
        ("q1", "v", 2, 1), ("q1", "w", 2, 1), ("q1", "x", 1, 1), ("q1", "y", 1, 3), ("q2", "x", 1, 1),
    ]  # fmt: skip
    assert [row[:2] for row in rows(tmp_path, *runs, "--depth", "1")] == [("q1", "x"), ("q1", "y"), ("q2", "x")]


def test_by_rank_what_more_runs_have_stands_first(tmp_path: Path) -> None:
    found = rows(tmp_path, *three_runs(tmp_path), "--depth", "3", "--order", "rank", "--queries", "q1")
    assert [docid for _, docid, _, _ in found] == ["y", "x", "v", "w", "z"]


def test_judged_documents_are_left_out_but_not_those_pooled_without_judgment(tmp_path: Path) -> None:
    runs = three_runs(tmp_path)
    put(tmp_path, qrels="q1 0 x 0\nq1 0 y -1\nq1 0 w 2\nq3 0 x 1")
    done = call(tmp_path, "pool", *runs, "--depth", "2", "--judged", "qrels")
    assert [line.split("\t")[:2] for line in done.out.splitlines()[1:]] == [["q1", "v"], ["q1", "y"], ["q2", "x"]]
    assert "3 documents of 2 queries to judge; 2 others are judged." in done.err


def test_the_template_is_qrels_in_which_nothing_is_judged(tmp_path: Path) -> None:
    runs = three_runs(tmp_path)
    template = call(tmp_path, "pool", *runs, "--depth", "2", "--format", "qrels").out
    assert template.splitlines()[0] == "q1 0 v -1"
    (tmp_path / "template").write_text(template, "utf-8")
    done = call(tmp_path, "evaluate", "template", "a.run", "-m", "Judged@2,NumRel")
    assert done.values == {"all Judged@2": "0.0000", "all NumRel": "0"}
    assert rows(tmp_path, *runs, "--depth", "2", "--judged", "template") == rows(tmp_path, *runs, "--depth", "2")


def test_json_has_the_same_documents_and_what_they_come_from(tmp_path: Path) -> None:
    runs = three_runs(tmp_path)
    put(tmp_path, qrels="q1 0 x 0")
    found = json.loads(call(tmp_path, "pool", *runs, "--depth", "2", "--judged", "qrels", "-f", "json").out)
    assert (found["schema"], found["depth"], found["judged"], found["runs"]) == (1, 2, "qrels", ["a", "b", "c"])
    listed = [
        (query["query"], document["document"], document["best_rank"], document["runs"])
        for query in found["queries"]
        for document in query["documents"]
    ]
    assert listed == rows(tmp_path, *runs, "--depth", "2", "--judged", "qrels")
    assert [query["judged"] for query in found["queries"]] == [1, 0]


@pytest.mark.parametrize("depth", [1, 5, 50])
def test_pools_of_the_samples_are_those_of_a_plain_loop(depth: int, tmp_path: Path) -> None:
    best: dict[tuple[str, str], list[int]] = {}
    for path in RUNS:
        lists: dict[str, list[tuple[float, str]]] = {}
        for line in Path(path).read_text("utf-8").splitlines():
            qid, _, docid, _, score, _ = line.split()
            lists.setdefault(qid, []).append((float(score), docid))
        for qid, documents in lists.items():
            for rank, (_, docid) in enumerate(sorted(documents, reverse=True)[:depth], 1):
                best.setdefault((qid, docid), []).append(rank)
    wanted = [(qid, docid, min(ranks), len(ranks)) for (qid, docid), ranks in sorted(best.items())]
    assert rows(tmp_path, *RUNS, "--depth", str(depth)) == wanted


def test_lines_in_any_order_and_packed_files_make_the_same_pool(tmp_path: Path) -> None:
    import gzip  # noqa: PLC0415

    lines = Path(RUNS[0]).read_bytes().splitlines(keepends=True)
    random.Random(4).shuffle(lines)
    (tmp_path / "bm25.run.gz").write_bytes(gzip.compress(b"".join(lines)))
    assert rows(tmp_path, "bm25.run.gz", RUNS[1], "--depth", "7") == rows(tmp_path, *RUNS[:2], "--depth", "7")


def test_a_depth_is_needed_and_files_are_read_strictly(tmp_path: Path) -> None:
    assert "--depth is missing" in call(tmp_path, "pool", *RUNS).err
    put(tmp_path, bad_run="q Q0 x 1 x t")
    assert call(tmp_path, "pool", "bad.run", "--depth", "3").code == 3
    done = call(tmp_path, "pool", RUNS[0], "--depth", "3", "--judged", RUNS[1])
    assert done.code == 3
    assert done.out == ""
