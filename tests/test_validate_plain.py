"""What `validate` finds in a run is what plain Python finds, in pieces of any size and queries in any order."""

from __future__ import annotations

import random
import tempfile
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from findings import number_of, report
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import cut, few_hashes, single

if TYPE_CHECKING:
    from irevalcli.analysis.validation import FileReport


class Row(NamedTuple):
    """A line of a run."""

    line: int
    docid: str
    rank: float
    score: float


Queries = dict[str, list[Row]]


def queries_of(run: str) -> Queries:
    """The rows of each query in the order of the file, each document once."""
    found: Queries = {}
    for number, line in enumerate(run.splitlines(), 1):
        qid, _, docid, rank, score, _ = line.split()
        rows = found.setdefault(qid, [])
        if all(row.docid != docid for row in rows):
            rows.append(Row(number, docid, float(rank), float(score)))
    return found


def repetitions(run: str) -> list[int]:
    """The lines that list a document again."""
    seen = set()
    found = []
    for number, line in enumerate(run.splitlines(), 1):
        qid, _, docid, *_ = line.split()
        if (qid, docid) in seen:
            found.append(number)
        seen.add((qid, docid))
    return found


def unordered(rows: list[Row]) -> list[int]:
    """Lines by which it is seen that a document with a lower score has no higher rank."""
    pairs = ((a, b) for a in rows for b in rows if a.score > b.score and a.rank >= b.rank)
    return [max(a.line, b.line) for a, b in pairs]


def shared(rows: list[Row]) -> list[Row]:
    """Rows that share their score with another one."""
    return [row for row in rows if sum(other.score == row.score for other in rows) > 1]


def near(rows: list[Row]) -> list[Row]:
    """Rows whose score differs from another one, but not in single precision."""
    return [
        row
        for row in rows
        if any(other.score != row.score and single(other.score) == single(row.score) for other in rows)
    ]


def risen(rows: list[Row]) -> list[int]:
    """Lines whose score is above that of the line before."""
    return [row.line for before, row in pairwise(rows) if row.score > before.score]


def returning(run: str) -> list[int]:
    """Lines on which a query comes back."""
    seen: set[str] = set()
    before, found = "", []
    for number, line in enumerate(run.splitlines(), 1):
        qid = line.split()[0]
        if qid != before and qid in seen:
            found.append(number)
        seen.add(qid)
        before = qid
    return found


def described(run: str) -> dict[str, tuple[int, str]]:
    """Per code the first line, and a part of the message that holds a number."""
    queries = queries_of(run)
    found = {}

    def add(code: str, lines: dict[str, list[int]]) -> None:
        some = [line for each in lines.values() for line in each]
        if some:
            number = sum(bool(each) for each in lines.values())
            found[code] = (min(some), f"({number} {'query' if number == 1 else 'queries'})")

    add("RUN019", {qid: [row.line for row in shared(rows)] for qid, rows in queries.items()})
    add("RUN028", {qid: risen(rows) for qid, rows in queries.items()})
    add("RUN029", {qid: [row.line for row in near(rows)] for qid, rows in queries.items()})
    first = {qid: min(row.rank for row in rows) for qid, rows in queries.items()}
    add("RUN018", {qid: [row.line for row in rows if row.rank == first[qid] != 1] for qid, rows in queries.items()})
    back = returning(run)
    if back:
        blocks = 1 + sum(
            a.split()[0] != b.split()[0] for a, b in zip(run.splitlines(), run.splitlines()[1:], strict=False)
        )
        found["RUN013"] = (back[0], f"({blocks} blocks for {len(queries)} queries)")
    return found


def written(choose: random.Random, layout: str) -> str:
    """A run with all kinds of oddities."""
    lines = []
    for qid in choose.sample(["q1", "q2", "q3", "a-long-query-name"], choose.randrange(1, 5)):
        size = choose.choice([1, 2, 5, 30])
        for place in range(size):
            docid = choose.choice([f"d{place}", f"d{place}", f"a-longer-docid-{place}", "d0"])
            score = choose.choice([str(9 - place), str(choose.randrange(4)), "16777217", "16777216", "-inf", "1e-3"])
            lines.append(f"{qid} Q0 {docid} {choose.choice([place, place + 1, 1])} {score} t\n")
    if layout == "shuffled":
        choose.shuffle(lines)
    return "".join(lines)


def looked_through(run: str, size: int, *, collisions: bool) -> FileReport:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(cut(size, size))
        if collisions:
            stack.enter_context(few_hashes(3))
        qrels = b"q1 0 d1 1\nq2 0 d0 1\nq2 0 zz 0\n"
        return report(Path(folder), run.encode(), qrels, most=100)


@settings(max_examples=300, deadline=None)
@given(
    seed=st.integers(0, 1 << 32),
    layout=st.sampled_from(["in blocks", "shuffled"]),
    size=st.sampled_from([64, 200, 1 << 20]),
    collisions=st.booleans(),
)
def test_a_run_is_described_as_plain_python_describes_it(seed: int, layout: str, size: int, collisions: bool) -> None:
    run = written(random.Random(seed), layout)
    found = looked_through(run, size, collisions=collisions)
    queries = queries_of(run)
    assert [finding.line for finding in found.findings if finding.rule == "RUN010"] == repetitions(run)
    assert number_of(found, "RUN010") == len(repetitions(run))
    assert (found.rows, found.queries) == (run.count("\n"), len(queries))
    expected = described(run)
    for code in ("RUN013", "RUN018", "RUN019", "RUN028", "RUN029"):
        got = [(each.rule, each.line, each.message) for each in found.findings if each.rule == code]
        if code not in expected:
            assert got == []
            continue
        line, part = expected[code]
        assert [(rule, place) for rule, place, _ in got] == [(code, line)]
        assert part in got[0][2]
    level = [rows[0].line for rows in queries.values() if len(rows) > 1 and len({row.score for row in rows}) == 1]
    assert [finding.line for finding in found.findings if finding.rule == "RUN014"] == sorted(level)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 1 << 32), size=st.sampled_from([64, 1 << 20]))
def test_ranks_and_scores_disagree_as_plain_python_has_it(seed: int, size: int) -> None:
    run = written(random.Random(seed), "in blocks")
    found = looked_through(run, size, collisions=False)
    wrong = {qid: unordered(rows) for qid, rows in queries_of(run).items()}
    number = sum(bool(lines) for lines in wrong.values())
    findings = [each for each in found.findings if each.rule == "RUN011"]
    assert len(findings) == min(number, 1)
    for finding in findings:
        assert f"({number} {'query' if number == 1 else 'queries'})" in finding.message
        assert finding.line in [line for lines in wrong.values() for line in lines]
