"""Random and spoiled bytes: a result or an InputProblem comes out, never anything else."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from typing import TYPE_CHECKING

import pytest
from drop_in import command
from plain import LENIENT, STRICT, cut, judgments_in, opened, qrels_in

from irevalcli.errors import InputProblem
from irevalcli.index.order import TieRule
from irevalcli.index.qrels import QrelsRules
from irevalcli.index.stream import read_run
from irevalcli.reading.blank_qrels import TREC_QRELS
from irevalcli.reading.trec import AS_RELEASE_9, AS_RELEASE_10

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from irevalcli.index.judgments import Judgments

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq1 1 document-with-a-long-name-3 2\nq2 0 d1 -1\nq10 0 \xc3\xa9 1\n"
PREFS = b"q1 1 1 d1 1\nq1 1 1 d2 0.5\nq1 2 1 d1 2\nq2 1 1 d1 1e0\n"
RUN = b"".join(
    b"%s Q0 %s %d %s tag\n" % (qid, docid, rank, score)
    for qid in (b"q1", b"q2", b"q3", b"q10")
    for rank, (docid, score) in enumerate(
        [(b"d1", b"9.5"), (b"d2", b"1e1"), (b"document-with-a-long-name-3", b"-.5"), (b"\xc3\xa9", b"0")]
    )
)
PACKERS: list[Callable[[bytes], bytes]] = [gzip.compress, bz2.compress, lzma.compress]
# What spoils a file: blanks, marks, the beginnings of archives and encodings, numbers that are none, NUL.
ODD = [
    b"\n",
    b"\n\n",
    b" ",
    b"\t",
    b"\r",
    b"\v",
    b"\x00",
    b"#",
    b"\n#",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\xef\xbb\xbf",
    b"\x1f\x8b",
]
ODD += [b"BZh9", b"\xfd7zXZ\x00", b"nan", b"inf", b"-", b"1e999", b"0x", b"q1 ", b"\xff", b"\x1c", b"x" * 70, b"9" * 40]


def spoiled(text: bytes, choose: random.Random) -> bytes:
    """The text with some bytes changed, cut out, repeated, moved or put in; or bytes at random; perhaps packed."""
    held = bytearray(text)
    for _ in range(choose.choice([0, 1, 1, 2, 3, 10])):
        place = choose.randrange(len(held) + 1)
        what = choose.randrange(5)
        if what == 0:
            held[place:place] = choose.choice(ODD)
        elif what == 1:
            del held[place : place + choose.choice([1, 1, 5, 50])]
        elif what == 2:
            held[place : place + 1] = bytes([choose.randrange(256)])
        elif what == 3:
            held[place:place] = held[: choose.randrange(len(held) + 1)]
        else:
            held = held[place:] + held[:place]
    if choose.random() < 0.1:
        held = bytearray(choose.choices(b"q1 \n\t#.0d\x00\xff\r-e", k=choose.randrange(200)))
    if choose.random() < 0.1:
        held = bytearray(choose.choice(PACKERS)(bytes(held)))
        held = held[: choose.choice([len(held), choose.randrange(len(held) + 1)])]
    if choose.random() < 0.1:
        held = bytearray(bytes(held).decode("latin-1").encode("utf-16"))
    return bytes(held[:3000])


def read_some_qrels(text: bytes, choose: random.Random) -> Judgments | None:
    layout = choose.choice(list(TREC_QRELS.values()))
    judgments, report = qrels_in(text, QrelsRules(layout, strict=choose.random() < 0.6, comments=choose.random() < 0.8))
    assert (judgments is None) == (bool(report.faults) or report.malformed is not None)
    return judgments


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_qrels_give_judgments_or_an_input_problem(seed: int) -> None:
    choose = random.Random(seed)
    read = 0
    for _ in range(700):
        try:
            read += read_some_qrels(spoiled(choose.choice([QRELS, PREFS, RUN]), choose), choose) is not None
        except InputProblem as problem:
            assert problem.findings  # noqa: PT017  (the other outcome is as good)
    assert read > 50


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_runs_give_a_ranking_or_an_input_problem(seed: int) -> None:
    choose = random.Random(seed)
    judgments = judgments_in(QRELS)
    read = 0
    for _ in range(500):
        lenient = LENIENT._replace(format=AS_RELEASE_10 if choose.random() < 0.8 else AS_RELEASE_9)
        strict = STRICT._replace(exclude_self=choose.random() < 0.3)
        ties = TieRule(docid_descending=choose.random() < 0.5, single_precision=choose.random() < 0.5)
        rules = lenient._replace(ties=ties) if choose.random() < 0.5 else strict._replace(ties=ties)
        try:
            with cut(choose.choice([64, 300, 1 << 20])), opened(spoiled(RUN, choose)) as source:
                ranking, report = read_run(source, judgments, rules)
        except InputProblem as problem:
            assert problem.findings  # noqa: PT017
            continue
        read += not report.faults
        assert (ranking.rank >= 1).all()
        assert (ranking.rank <= ranking.retrieved[ranking.query]).all()
        assert int(ranking.retrieved.sum()) <= report.rows
    assert read > 100


@pytest.mark.parametrize("seed", range(4))
def test_the_drop_in_ends_spoiled_input_with_one_of_its_exit_codes(seed: int, tmp_path: Path) -> None:
    choose = random.Random(seed)
    codes = set()
    for _ in range(60):
        layout = choose.choice(["qrels", "qrels", "qrels_jg", "prefs", "qrels_prefs"])
        measures = {"qrels": "all_trec", "qrels_jg": "qrels_jg"}.get(layout, "all_prefs")
        (tmp_path / "qrels").write_bytes(spoiled(PREFS if layout == "prefs" else QRELS, choose))
        (tmp_path / "run").write_bytes(spoiled(RUN, choose))
        options = choose.sample(["-c", "-q", "-J", "-n", "-M2", "-l2", "-l0", "--compat=9.0.8"], 3)
        got = command([*options, "-R", layout, "-m", measures, "qrels", "run"], cwd=tmp_path)
        assert got.code in (0, 2, 4, 7), got
        assert (got.stderr == b"") == (got.code == 0)
        assert b"Traceback" not in got.stderr
        assert b"Warning" not in got.stderr
        codes.add(got.code)
    assert codes >= {0, 2, 4}
