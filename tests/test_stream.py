"""A run in many pieces is the run in one piece, and both are what plain Python reads."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import LENIENT, cut, data_lines, described, grades_of, joined, judgments_in, run_in

from irevalcli.index import gather
from irevalcli.index.order import TieRule
from irevalcli.index.scan import RunRules

if TYPE_CHECKING:
    from irevalcli.errors import Finding
    from irevalcli.index.stream import RunReport

# As a large run would be: its pieces hold many queries, some, or not even one.
SIZES = [64, 100, 256, 1000, 4096, 1 << 20]


def qrels_and_run(choose: random.Random, *, layout: str) -> tuple[bytes, bytes]:
    """Judgments, and a run over more queries than these, each document once a query.

    The layout is ``plain``, ``odd`` (blanks of all kinds, comments, blank lines, more fields, no last newline),
    ``scattered`` (the queries' lines in several blocks) or ``shuffled``.
    """
    names = [b"d%d" % number for number in range(60)] + [b"clueweb09-en0000-%05d" % number for number in range(60)]
    qids = [b"%d" % number for number in range(1, 15)] + [b"a-long-query-name-%d" % number for number in range(3)]
    judged = [(qid, docid) for qid in qids[:-4] for docid in choose.sample(names, choose.randrange(1, 30))]
    qrels = b"".join(b"%s 0 %s %d\n" % (qid, docid, choose.choice([-1, 0, 1, 2])) for qid, docid in judged)
    lines = []
    for qid in choose.sample(qids, len(qids) - 2):
        for docid in choose.sample(names, choose.choice([1, 5, 40, 100])):
            score = choose.choice([str(choose.randrange(4)), f"{choose.random():.4f}", f"{choose.random():.3e}", "-0"])
            lines.append(b"%s Q0 %s 1 %s %s" % (qid, docid, score.encode(), choose.choice([b"tag", b"tag2"])))
    if layout == "shuffled":
        choose.shuffle(lines)
    if layout == "scattered":
        half = len(lines) // 2
        lines = lines[half:] + lines[:half] if half else lines
        lines = lines[::2] + lines[1::2]
    if layout == "odd":
        return qrels, odd(lines, choose)
    return qrels, b"".join(line + b"\n" for line in lines)


def odd(lines: list[bytes], choose: random.Random) -> bytes:
    """The same lines with everything that a reader has to tolerate."""
    blanks = [b" ", b"\t", b"  ", b"\v", b"\f", b"\r", b" \t "]
    written = []
    for line in lines:
        written += choose.choice([[], [], [], [b""], [b"  \t"], [b"# comment"], [b"\t#1 Q0 d1 1 9 x"], [b"\r"]])
        fields = line.split() + choose.choice([[], [], [b"more", b"\xff"]])
        start, end = choose.choice([b"", b"", b" \t"]), choose.choice([b"", b"\r", b"\t "])
        written.append(start + choose.choice(blanks).join(fields) + end)
    return b"\n".join(written) + choose.choice([b"", b"\n", b"\n\n\n"])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("layout", ["plain", "odd", "scattered", "shuffled"])
def test_a_run_in_pieces_of_any_size_is_what_plain_python_reads(layout: str, size: int) -> None:
    for seed in range(6):
        choose = random.Random(f"{layout} {size} {seed}")
        qrels, run = qrels_and_run(choose, layout=layout)
        judgments = judgments_in(qrels)
        rules = RunRules(TieRule(docid_descending=choose.random() < 0.7, single_precision=choose.random() < 0.3))
        with cut(size):
            ranking, report = run_in(run, judgments, rules)
        expected = joined(
            run, grades_of(qrels), descending=rules.ties.docid_descending, rounded=rules.ties.single_precision
        )
        assert described(ranking, judgments) == expected
        rows = data_lines(run)
        assert report.faults == []
        assert report.rows == len(rows)
        assert report.extra == sum(len(fields) > 6 for fields in rows)
        assert report.unknown == len({fields[0] for fields in rows} - set(judgments.qids))
        assert set(report.tags) == {fields[5] for fields in rows}
        assert report.tags[-1] == rows[-1][5]


@pytest.mark.parametrize("longest", [64, 300, 1 << 20])
@pytest.mark.parametrize("seed", range(4))
def test_a_query_larger_than_any_piece_is_put_together_again(seed: int, longest: int) -> None:
    choose = random.Random(seed)
    judged = choose.sample(range(3000), 400)
    qrels = b"big 0 d7 1\nsmall 0 d1 2\n" + b"".join(b"big 0 d%d %d\n" % (n, n % 3) for n in judged if n != 7)
    rows = [b"big Q0 d%d 1 %d t\n" % (n, choose.randrange(50)) for n in choose.sample(range(3000), 1500)]
    run = b"small Q0 d1 1 3 t\n" + b"".join(rows) + b"other Q0 d1 1 3 t\n"
    judgments = judgments_in(qrels)
    with cut(256, longest):
        ranking, _ = run_in(run, judgments)
    assert described(ranking, judgments) == joined(run, grades_of(qrels))


@pytest.mark.parametrize("rows", [1, 7, 100])
def test_scattered_queries_are_ranked_alike_in_batches_of_any_size(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gather, "BATCH_ROWS", rows)
    qrels, run = qrels_and_run(random.Random(rows), layout="shuffled")
    judgments = judgments_in(qrels)
    with cut(1000):
        ranking, _ = run_in(run, judgments)
    assert described(ranking, judgments) == joined(run, grades_of(qrels))


def test_lines_longer_than_a_piece_are_read_whole() -> None:
    docid = b"d" * 5000
    judgments = judgments_in(b"q 0 %s 1\n" % docid)
    with cut(64):
        ranking, report = run_in(b"q Q0 a 1 2 t\nq Q0 %s 2 1 %s\n" % (docid, b"t" * 700), judgments)
    assert (ranking.rank.tolist(), report.rows) == ([2], 2)


@pytest.mark.parametrize("text", [b"", b"\n", b"# only a comment", b" \t\r\n\n#\n"])
@pytest.mark.parametrize("rules", [RunRules(), LENIENT])
def test_a_run_without_data_answers_no_query(text: bytes, rules: RunRules) -> None:
    ranking, report = run_in(text, judgments_in(b"q 0 d 1\n"), rules)
    assert (ranking.answered.tolist(), ranking.retrieved.tolist(), ranking.rank.size) == ([False], [0], 0)
    assert (report.rows, report.tags, report.faults) == (0, [], [])


LINES = st.lists(
    st.sampled_from(
        [
            b"q1 Q0 a 1 3 t",
            b"q2 Q0 bb 1 2.5 t",
            b"q1 Q0 a-longer-docid 1 x t",
            b"q1 Q0 a 1",
            b"  q1\tQ0 a 1 nan tag",
            b"word",
            b"",
            b"# word",
            b"q1 Q0 a 1 1e999 t",
            b"\tq2 Q0 a 2 1,5 t\r",
            b"q1 Q0 a 1 5 t extra",
            b"qid iter docid rank x tag",
        ]
    ),
    max_size=40,
)


def plain_faults(run: bytes) -> list[tuple[str, int, int, int]]:
    """Rule, line, column and width of everything wrong with a run, looked at line by line."""
    found = []
    for number, line in enumerate(run.split(b"\n"), 1):
        fields = line.split()
        if not fields or fields[0].startswith(b"#"):
            continue
        if len(fields) < 6:
            found.append(("RUN001", number, 1, len(line.rstrip(b"\r"))))
        elif fields[4] in (b"x", b"nan", b"1e999", b"1,5"):
            header = number == 1 and not any(field.isdigit() for field in fields)
            code = "RUN006" if header else "RUN002"
            found.append((code, number, line.index(b" " + fields[4] + b" ") + 2, len(fields[4])))
    return found[:20]


def places(faults: list[Finding]) -> list[tuple[str, int, int, int]]:
    return [(fault.rule, fault.line, fault.column, fault.width) for fault in faults]


@settings(max_examples=250, deadline=None)
@given(lines=LINES, size=st.sampled_from([64, 128, 1000]), newline=st.booleans())
def test_faults_have_their_line_and_column_in_any_piece(lines: list[bytes], size: int, newline: bool) -> None:
    run = b"\n".join(lines) + b"\n" * newline
    with cut(size, size):
        _, report = run_in(run, judgments_in(b"q1 0 a 1\n"))
    assert places(report.faults) == plain_faults(run)


@settings(max_examples=100, deadline=None)
@given(lines=LINES)
def test_faults_are_described_alike_in_one_piece_and_in_many(lines: list[bytes]) -> None:
    run = b"\n".join(lines)
    _, whole = run_in(run, judgments_in(b"q1 0 a 1\n"))
    with cut(64, 64):
        _, cut_up = run_in(run, judgments_in(b"q1 0 a 1\n"))
    assert [fault._replace(path="") for fault in whole.faults] == [fault._replace(path="") for fault in cut_up.faults]


def test_a_fault_in_the_millionth_line_is_found_there() -> None:
    line = b"q1 Q0 a 1 1 t\n"
    run = bytearray(line * 999_999 + b"q1 Q0 a 1 1.5.2 t\n" + line * 1000)
    with cut(1 << 18, 1 << 18):
        _, report = run_in(bytes(run), judgments_in(b"q2 0 a 1\n"))
    assert places(report.faults) == [("RUN002", 1_000_000, 11, 5)]
    assert report.faults[0].excerpt == b"q1 Q0 a 1 1.5.2 t"


def test_reading_stops_after_twenty_faults() -> None:
    run = b"q1 Q0 a\n" * 100_000
    with cut(4096, 4096):
        _, report = run_in(run, judgments_in(b"q1 0 a 1\n"))
    assert [fault.line for fault in report.faults] == list(range(1, 21))
    assert report.rows == 0


def lenient_rows(run: bytes) -> tuple[int, bool]:
    """How many lines a lenient reader takes, and whether a malformed one ends them."""
    count = 0
    for fields in data_lines(run):
        if len(fields) < 6:
            return count, True
        count += 1
    return count, False


@settings(max_examples=150, deadline=None)
@given(lines=LINES, size=st.sampled_from([64, 1000]))
def test_a_lenient_reader_stops_at_the_first_malformed_line(lines: list[bytes], size: int) -> None:
    run = b"\n".join(lines)
    with cut(size, size):
        _, report = run_in(run, judgments_in(b"q1 0 a 1\n"), LENIENT)
    assert (report.rows, report.malformed, report.faults) == (*lenient_rows(run), [])


def without_self(report: RunReport) -> RunReport:
    return report._replace(self_retrieved=0, rows=0)


def test_documents_with_the_id_of_their_query_are_left_out_on_request() -> None:
    run = b"q1 Q0 q1 1 9 t\nq1 Q0 d 2 8 t\nq2 Q0 q1 1 7 t\nq2 Q0 q2 2 6 t\nq2 Q0 q22 3 5 t\n"
    qrels = b"q1 0 q1 1\nq1 0 d 1\nq2 0 q1 1\nq2 0 q2 1\nq2 0 q22 1\n"
    rest = b"".join(line for line in run.splitlines(keepends=True) if line.split()[0] != line.split()[2])
    judgments = judgments_in(qrels)
    ranking, report = run_in(run, judgments, RunRules(exclude_self=True))
    assert described(ranking, judgments) == joined(rest, grades_of(qrels))
    assert (report.rows, report.self_retrieved) == (5, 2)
    assert without_self(report) == without_self(run_in(rest, judgments)[1])


def test_infinite_scores_other_encodings_and_several_tags_are_counted() -> None:
    run = b"q1 Q0 a 1 inf one\nq1 Q0 b 1 -Infinity two\nq1 Q0 \xff 1 1 one\nq1 Q0 \xc3\xa9 1 1 three\n"
    _, report = run_in(run, judgments_in(b"q1 0 a 1\n"))
    assert (report.infinite, report.not_utf8, set(report.tags), report.tags[-1]) == (
        2,
        True,
        {b"one", b"two", b"three"},
        b"three",
    )


def test_a_query_without_any_hit_still_counts_its_documents() -> None:
    judgments = judgments_in(b"q1 0 a 1\nq2 0 a 1\n")
    ranking, _ = run_in(b"q2 Q0 x 1 1 t\nq2 Q0 y 1 1 t\n", judgments)
    assert (ranking.retrieved.tolist(), ranking.answered.tolist()) == ([0, 2], [False, True])
