"""Documents that a run lists twice: which ones, at which ranks and lines, and what the drop-in makes of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from drop_in import command
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import LENIENT, cut, few_hashes, judgments_in, merge_ranked, opened, ranked, run_in

from irevalcli.analysis.inputs import load_run
from irevalcli.errors import InputProblem

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.index.duplicates import Duplicate

Rows = list[tuple[bytes, bytes, float]]

QRELS = b"q1 0 a 1\nq1 0 documents-000001 1\nq2 0 b 0\n"
ROW = st.tuples(
    st.sampled_from([b"q1", b"q2", b"unknown"]),
    st.sampled_from([b"a", b"b", b"c", b"documents-000001", b"documents-000002"]),
    st.sampled_from([1.0, 2.0, 3.0]),
)


def run_of(rows: Rows) -> bytes:
    return b"".join(b"%s Q0 %s 1 %r t\n" % row for row in rows)


def expected(rows: Rows) -> dict[tuple[bytes, bytes], list[int]]:
    """Ranks of every document that a query of the qrels lists more than once."""
    found: dict[tuple[bytes, bytes], list[int]] = {}
    for qid in (b"q1", b"q2"):
        order = [docid for docid, _ in ranked((docid, score) for other, docid, score in rows if other == qid)]
        for docid in sorted(set(order)):
            if order.count(docid) > 1:
                found[qid, docid] = [rank for rank, other in enumerate(order, 1) if other == docid]
    return found


def reported(duplicates: list[Duplicate]) -> dict[tuple[bytes, bytes], list[int]]:
    return {([b"q1", b"q2"][entry.query], entry.docid): list(entry.ranks) for entry in duplicates}


@settings(max_examples=200, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=25), together=st.booleans(), size=st.sampled_from([64, 200, 4096]))
def test_every_duplicate_is_found_with_its_ranks_in_order_of_query_and_docid(
    rows: Rows, together: bool, size: int
) -> None:
    if together:
        rows = sorted(rows, key=lambda row: row[0])
    judgments = judgments_in(QRELS)
    with cut(size):
        _, report = run_in(run_of(rows), judgments)
    found = reported(report.duplicates)
    assert found == expected(rows)
    assert list(found) == sorted(found)


@settings(max_examples=100, deadline=None)
@given(rows=st.lists(ROW, min_size=1, max_size=25), bits=st.integers(0, 2))
def test_colliding_hashes_make_no_duplicates_and_hide_none(rows: Rows, bits: int) -> None:
    rows = sorted(rows, key=lambda row: row[0])
    judgments = judgments_in(QRELS)
    with few_hashes(bits):
        _, report = run_in(run_of(rows), judgments)
    assert reported(report.duplicates) == expected(rows)


def test_a_duplicate_in_a_query_with_a_score_that_is_no_number_has_the_ranks_of_the_merge() -> None:
    rows = [(b"a", 1.0), (b"b", float("nan")), (b"a", 3.0), (b"c", 2.0)]
    order = [docid for docid, _ in merge_ranked(rows)]
    _, report = run_in(run_of([(b"q1", *row) for row in rows]), judgments_in(QRELS), LENIENT)
    (entry,) = report.duplicates
    assert [order[rank - 1] for rank in entry.ranks] == [b"a", b"a"]


@pytest.mark.parametrize("size", [64, 1000, 1 << 20])
@pytest.mark.parametrize("seed", range(3))
def test_strict_reading_names_the_line_and_column_of_every_repetition(seed: int, size: int) -> None:
    choose = random.Random(seed)
    lines: list[bytes] = []
    where: dict[tuple[bytes, bytes], list[tuple[int, int]]] = {}
    for _ in range(60):
        lines += choose.choice([[], [b""], [b"# a comment"], [b" \t\r"]])
        qid, docid = choose.choice([b"q1", b"q2"]), b"document-%d" % choose.randrange(40)
        before = choose.choice([b"", b" ", b"\t \v"]) + qid + choose.choice([b" ", b"\t", b"   "]) + b"Q0 "
        lines.append(before + docid + b" 1 %d t" % choose.randrange(9))
        where.setdefault((qid, docid), []).append((len(lines), len(before) + 1))
    judgments = judgments_in(QRELS)
    with cut(size), opened(b"\n".join(lines)) as source, pytest.raises(InputProblem) as caught:
        load_run(source.path, judgments)
    found = [(fault.line, fault.column) for fault in caught.value.findings]
    twice = dict(sorted((pair, places) for pair, places in where.items() if len(places) > 1)[:20])
    assert found == sorted(place for places in twice.values() for place in places[1:])[:20]
    assert {fault.rule for fault in caught.value.findings} == {"RUN010"}


def test_a_duplicate_in_a_query_that_the_qrels_lack_is_nobodys_business() -> None:
    run = run_of([(b"q1", b"a", 1.0), (b"unknown", b"a", 1.0), (b"unknown", b"a", 1.0)])
    _, report = run_in(run, judgments_in(QRELS))
    assert report.duplicates == []


@pytest.mark.parametrize("seed", range(25))
def test_the_drop_in_cuts_a_ranking_before_it_looks_for_duplicates(seed: int, tmp_path: Path) -> None:
    choose = random.Random(seed)
    docids = [b"common-prefix-%d" % choose.randrange(12) for _ in range(14)]
    rows = [(b"q", docid, float(choose.randrange(3))) for docid in docids]
    order = ranked((docid, score) for _, docid, score in rows)
    (tmp_path / "qrels").write_bytes(b"".join(b"q 0 common-prefix-%d %d\n" % (i, i % 3) for i in range(0, 12, 2)))
    (tmp_path / "run").write_bytes(run_of(rows))
    for depth in range(1, len(order) + 1):
        kept = order[:depth]
        (tmp_path / "cut").write_bytes(run_of([(b"q", *row) for row in kept]))
        whole = command(["-M", str(depth), "-m", "all_trec", "qrels", "run"], cwd=tmp_path)
        assert whole == command(["-m", "all_trec", "qrels", "cut"], cwd=tmp_path)
        twice = sorted(docid for docid, _ in kept if [name for name, _ in kept].count(docid) > 1)
        if twice:
            said = (
                b"trec_eval.form_res_qrels: duplicate docs %strec_eval: Can't calculate measure 'num_ret'\n" % twice[0]
            )
            assert (whole.code, whole.stderr) == (4, said)
            return
        assert whole.code == 0
