"""The documents at the top of rankings, and the measures of which documents are shown at all."""

from __future__ import annotations

import json
import random
from collections import Counter
from math import log2
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from calls import Call, call, put
from plain import cut, data_lines, few_hashes, judgments_in, run_in

from irevalcli.index import gather, top_documents
from irevalcli.index.order import TieRule
from irevalcli.index.scan import RunRules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from irevalcli.index.ranking import Ranking

Lists = dict[bytes, list[bytes]]

TIES = {
    "docid-desc": TieRule(),
    "docid-asc": TieRule(docid_descending=False),
    "rank": TieRule(by="rank"),
    "file": TieRule(by="file"),
}


def lists_of(run: bytes, ties: str) -> Lists:
    """The documents of every query of a run, in rank order."""
    rows: dict[bytes, list[tuple[bytes, float, int]]] = {}
    for qid, _, docid, rank, score, *_ in data_lines(run):
        rows.setdefault(qid, []).append((docid, float(score), int(rank)))
    ordered: Lists = {}
    for qid, documents in rows.items():
        found = documents
        if ties != "file":
            found = sorted(found, key=lambda row: row[0], reverse=ties != "docid-asc")
        if ties == "rank":
            found = sorted(found, key=lambda row: row[2])
        ordered[qid] = [docid for docid, *_ in sorted(found, key=lambda row: -row[1])]
    return ordered


def kept_lists(ranking: Ranking, qids: list[bytes]) -> Lists:
    """The documents that a ranking kept, by query."""
    top = ranking.top_documents
    assert top is not None
    kept: Lists = {}
    for query, rank, docid in zip(top.query.tolist(), top.rank.tolist(), top.names(top.document), strict=True):
        kept.setdefault(qids[query], []).append(docid)
        assert len(kept[qids[query]]) == rank
    assert len(set(top.names(np.arange(top.docids.start.size)))) == top.docids.start.size
    return kept


def tied_files(choose: random.Random, *, scattered: bool = False) -> tuple[bytes, bytes]:
    """Judgments of few documents, and a run full of ties over more queries."""
    names = [b"d%d" % number for number in range(40)] + [
        b"a-rather-long-document-%03d" % number for number in range(40)
    ]
    qids = [b"q%d" % number for number in range(12)]
    qrels = b"".join(
        b"%s 0 %s %d\n" % (qid, docid, choose.choice((-1, 0, 1, 2)))
        for qid in qids[:9]
        for docid in choose.sample(names, 6)
    )
    lines = []
    for qid in choose.sample(qids, 10):
        documents = choose.sample(names, choose.choice((1, 4, 30, 60)))
        lines += [b"%s Q0 %s %d %d t\n" % (qid, d, choose.randrange(4), choose.randrange(5)) for d in documents]
    if scattered:
        choose.shuffle(lines)
    return qrels, b"".join(lines)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize("depth", [1, 3, 10, 1000])
def test_the_top_is_exactly_that_of_the_rankings_order(ties: str, scattered: bool, depth: int) -> None:
    for seed in range(8):
        qrels, run = tied_files(random.Random(f"{ties} {scattered} {depth} {seed}"), scattered=scattered)
        judgments = judgments_in(qrels)
        with cut(random.Random(seed).choice((200, 1500, 1 << 20))):
            ranking, _ = run_in(run, judgments, RunRules(TIES[ties], top=depth))
        expected = {qid: docids[:depth] for qid, docids in lists_of(run, ties).items() if qid in judgments.qids}
        assert kept_lists(ranking, judgments.qids) == expected
        for query, rank, docid in zip(
            ranking.query.tolist(), ranking.rank.tolist(), judgments.docids(ranking.listed), strict=True
        ):
            assert rank > depth or expected[judgments.qids[query]][rank - 1] == docid


@pytest.mark.parametrize("ties", TIES)
def test_batches_of_scattered_queries_keep_their_tops(ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "BATCH_ROWS", 50)
    qrels, run = tied_files(random.Random(ties), scattered=True)
    judgments = judgments_in(qrels)
    ranking, _ = run_in(run, judgments, RunRules(TIES[ties], top=7))
    kept = kept_lists(ranking, judgments.qids)
    assert kept == {qid: docids[:7] for qid, docids in lists_of(run, ties).items() if qid in kept}
    assert len(kept) >= 5


def test_documents_that_share_a_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, run = tied_files(random.Random(5))
    judgments = judgments_in(qrels)
    monkeypatch.setattr(top_documents, "hash_tokens", lambda _, start, end: (end - start).astype(np.uint64) & 1)
    ranking, _ = run_in(run, judgments, RunRules(top=5))
    kept = kept_lists(ranking, judgments.qids)
    assert kept == {qid: docids[:5] for qid, docids in lists_of(run, "docid-desc").items() if qid in kept}


def test_documents_are_kept_only_if_they_are_asked_for() -> None:
    qrels, run = tied_files(random.Random(1))
    judgments = judgments_in(qrels)
    assert run_in(run, judgments, RunRules())[0].top_documents is None
    ranking, _ = run_in(run, judgments, RunRules(top=2))
    assert ranking.truncated(1).top_documents is not None
    assert max(map(len, kept_lists(ranking.truncated(1), judgments.qids).values())) == 1


QRELS = "q1 0 a 1\nq1 0 c 0\nq1 0 e -1\nq2 0 a 1\nq2 0 d 1\nq3 0 b 0\nq4 0 a 1"
RUN = """q1 Q0 a 1 9 t
q1 Q0 b 2 8 t
q1 Q0 c 3 7 t
q1 Q0 e 4 6 t
q2 Q0 b 1 5 t
q2 Q0 a 1 5 t
q2 Q0 d 1 5 t
q3 Q0 q3 1 2 t
q3 Q0 f 1 1 t
q9 Q0 z 1 1 t"""
COUNTS = {"a": 8, "b": 4, "c": 2, "d": 1, "e": 1, "f": 0.5, "q3": 0.5, "z": 15}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    counts = "".join(f"{docid}\t{count}\n" for docid, count in COUNTS.items())
    put(tmp_path, qrels=QRELS, run=RUN, counts=counts)
    return tmp_path


def measured(folder: Path, measures: str, *options: str) -> Call:
    return call(folder, "evaluate", "--collection-size", "10", "-m", measures, *options, "qrels", "run")


def gini(exposure: list[int], size: int) -> float:
    """The mean difference of all pairs, over twice the mean."""
    every = sorted(exposure) + [0] * (size - len(exposure))
    pairs = sum(abs(one - other) for one in every for other in every)
    return pairs / (2 * size * sum(every)) if sum(every) else 0.0


SHOWN: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "plain": ({}, {"q1": "abce", "q2": "dba", "q3": "3f"}),
    "ties ascending": ({"ties": "docid-asc"}, {"q1": "abce", "q2": "abd", "q3": "3f"}),
    "ties by file": ({"ties": "file"}, {"q1": "abce", "q2": "bad", "q3": "3f"}),
    "depth": ({"depth": "1"}, {"q1": "a", "q2": "d", "q3": "3"}),
    "judged only": ({"judged-only": ""}, {"q1": "ac", "q2": "da", "q3": ""}),
    "judged only, negative grades too": ({"judged-only": "", "negative": "nonrelevant"}, {"q1": "ace", "q2": "da"}),
    "depth, then judged only": ({"depth": "2", "judged-only": ""}, {"q1": "a", "q2": "d"}),
    "without the query itself": ({"exclude-self": ""}, {"q1": "abce", "q2": "dba", "q3": "f"}),
    "some queries": ({"queries": "q1,q2"}, {"q1": "abce", "q2": "dba"}),
    "relevant queries": ({"no-relevant": "skip"}, {"q1": "abce", "q2": "dba"}),
}


@pytest.mark.parametrize("case", SHOWN)
@pytest.mark.parametrize("cutoff", [1, 2, 3, 10])
def test_coverage_and_gini_count_the_documents_that_the_queries_show(folder: Path, case: str, cutoff: int) -> None:
    policy, lists = SHOWN[case]
    options = [text for name, value in policy.items() for text in (f"--{name}", value) if text]
    exposure = Counter(docid for docids in lists.values() for docid in docids[:cutoff])
    found = measured(folder, f"coverage@{cutoff},Gini@{cutoff}", "--digits", "full", *options)
    coverage, inequality = (float(row[3]) for row in found.rows)
    assert coverage == len(exposure) / 10
    assert inequality == pytest.approx(gini(list(exposure.values()), 10), abs=1e-15)


def test_a_run_that_shows_nothing_covers_nothing_and_is_unequal_in_nothing(folder: Path) -> None:
    found = measured(folder, "coverage@3,Gini@3", "--queries", "q4")
    assert [row[3] for row in found.rows] == ["0.0000", "0.0000"]


def test_there_is_one_value_of_all_queries_and_the_collection_size_is_in_the_name(folder: Path) -> None:
    found = measured(folder, "coverage@3,AP", "-q")
    names = {measure for _, query, measure, _ in found.rows if query != "all"}
    assert names == {"AP"}
    assert {measure for _, query, measure, _ in found.rows if query == "all"} == {
        "coverage(collection_size=10)@3",
        "AP",
    }
    found = measured(folder, "coverage(collection_size=20)@3")
    assert [row[2:] for row in found.rows] == [("coverage(collection_size=20)@3", "0.3000")]


def test_novelty_is_the_mean_information_of_the_documents_of_a_query(folder: Path) -> None:
    found = measured(folder, "novelty@2", "-q", "--digits", "full", "--popularity", "counts")
    information = {docid: -log2(count / 32) for docid, count in COUNTS.items()}
    lists = {"q1": ["a", "b"], "q2": ["d", "b"], "q3": ["q3", "f"], "q4": []}
    expected = {qid: sum(information[docid] for docid in docids) / 2 for qid, docids in lists.items()}
    values = {query: float(value) for _, query, _, value in found.rows}
    assert values == pytest.approx(expected | {"all": sum(expected.values()) / 4}, rel=1e-15)


def test_the_popularity_file_is_named_with_its_digest(folder: Path) -> None:
    document = json.loads(measured(folder, "novelty@2", "-f", "json", "--popularity", "counts").out)
    (file,) = document["further_inputs"]
    assert (file["option"], file["path"], len(file["sha256"])) == ("--popularity", "counts", 64)
    assert document["options"]["popularity"] == "counts"


@pytest.mark.parametrize(
    ("measures", "options", "code", "said"),
    [
        ("coverage", "--collection-size 5", 2, "coverage needs a cutoff"),
        ("coverage@3", "--collection-size 0", 2, "coverage needs the number of documents in the collection"),
        ("Gini@3", "--collection-size 0", 2, "give it by --collection-size N"),
        ("Gini@3", "--collection-size 5", 2, "Gini: the run shows 6 documents of a collection that is said to have 5"),
        ("novelty@3", "", 2, "novelty@3 needs to know how popular the documents are"),
        ("AP", "--popularity counts", 2, "--popularity: no measure looks at it, as novelty@10 does"),
        ("novelty@3", "--popularity nowhere", 3, "nowhere: No such file or directory"),
        ("coverage@3", "--ties best", 2, "coverage@3: --ties best says nothing about the order of documents without"),
        ("Gini@3", "--ties average", 2, "Gini@3: --ties average says nothing about the order of documents without"),
        ("novelty(judged_only=True)@3", "", 2, "novelty: judged_only is not for measures of document_lists"),
    ],
)
def test_what_a_measure_lacks_is_an_error_not_a_guess(
    folder: Path, measures: str, options: str, code: int, said: str
) -> None:
    found = measured(folder, measures, *options.split())
    assert found.code == code
    assert said in found.err
    assert found.out == ""


@pytest.mark.parametrize("count", ["", "c 0"])
def test_a_document_that_is_shown_and_was_never_counted_is_an_error(folder: Path, count: str) -> None:
    put(folder, counts=f"a 8\nb 4\nd 1\nq3 1\nf 1\n{count}")
    assert measured(folder, "novelty@2", "--popularity", "counts").code == 0
    assert measured(folder, "novelty@3", "--popularity", "counts", "--queries", "q2,q3").code == 0
    found = measured(folder, "novelty@3", "--popularity", "counts")
    assert found.code == 3
    assert "novelty: the run shows 1 document without a count in the popularity file (c)" in found.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a 1\nb\n", "error[POP001]: 1 field, 2 expected\n     --> counts:2:1"),
        ("a 1 x\n", "error[POP001]: 3 fields, 2 expected\n     --> counts:1:1"),
        ("a 1\nb one\n", "error[POP002]: count is not a number of 0 or more: 'one'\n     --> counts:2:3"),
        ("a -1\n", "error[POP002]: count is not a number of 0 or more: '-1'"),
        ("a nan\n", "error[POP002]"),
        ("a inf\n", "error[POP002]"),
        ("a 1e400\n", "error[POP002]"),
        ("a 1e16\n", "error[POP002]"),
        ("a 1\n# a 2\nb 1\na 2\n", "error[POP010]: document 'a' is counted twice\n     --> counts:4:1"),
        ("", "error[INP004]"),
        ("# nothing\n", "error[INP004]: counts: no count above 0 in the file"),
        ("a 0\n", "error[INP004]: counts: no count above 0 in the file"),
    ],
)
def test_a_popularity_file_with_faults_is_refused_with_their_places(folder: Path, text: str, said: str) -> None:
    (folder / "counts").write_text(text)
    found = measured(folder, "novelty@2", "--popularity", "counts")
    assert found.code == 3
    assert said in found.err


@pytest.mark.parametrize("size", [2, 40])
def test_counts_are_found_however_the_file_is_written_and_hashed(folder: Path, size: int) -> None:
    plain = measured(folder, "novelty@3", "--popularity", "counts").values
    lines = "".join(f" {docid} \t {count}e0\r\n\n" for docid, count in COUNTS.items())
    (folder / "counts").write_bytes(b"\xef\xbb\xbf# docid count\n" + lines.encode())
    with few_hashes(size):
        assert measured(folder, "novelty@3", "--popularity", "counts").values == plain


def random_worlds() -> Iterator[tuple[bytes, bytes]]:
    for seed in range(12):
        yield tied_files(random.Random(f"world {seed}"), scattered=seed % 2 == 0)


def test_all_three_agree_with_plain_python_on_random_files(tmp_path: Path) -> None:
    for seed, (qrels, run) in enumerate(random_worlds()):
        lists = lists_of(run, "docid-desc")
        judged = sorted({fields[0] for fields in data_lines(qrels)})
        tops = [lists.get(qid, [])[:5] for qid in judged]
        exposure = Counter(docid for top in tops for docid in top)
        counts = {docid: 1 + len(docid) * seed + docid[-1] for docids in lists.values() for docid in docids}
        put(tmp_path, qrels=qrels, run=run, counts=b"".join(b"%s %d\n" % item for item in counts.items()))
        total = sum(counts.values())
        novelty = [sum(-log2(counts[docid] / total) for docid in top) / max(len(top), 1) for top in tops]
        found = call(
            tmp_path, "evaluate", "--collection-size", "100", "--digits", "full", "-m", "coverage@5,Gini@5,novelty@5",
            "--popularity", "counts", "qrels", "run",
        )  # fmt: skip
        assert [float(row[3]) for row in found.rows] == pytest.approx(
            [len(exposure) / 100, gini(list(exposure.values()), 100), sum(novelty) / len(novelty)], rel=1e-13
        )
