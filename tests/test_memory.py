"""Memory is that of the judgments and a few pieces, however long the run."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from most_memory import measured

if TYPE_CHECKING:
    from pathlib import Path

DEPTH = 1000
MEGABYTE = 1 << 20


def peak(folder: Path, run: str, *options: str) -> int:
    """Bytes held at most while `run` is evaluated."""
    ended = measured(folder, "trec_eval", "-c", "-m", "all_trec", *options, "qrels", run)
    assert ended.code == 0
    assert ended.stdout.count(b"\n") > 90
    return ended.peak


def peak_of_diff(folder: Path, *arguments: str) -> int:
    """Bytes held at most while two runs are compared."""
    return peak_of(folder, 500, "diff", *arguments)


def peak_of(folder: Path, lines: int, *arguments: str) -> int:
    """Bytes held at most by a command, which prints more than so many lines."""
    ended = measured(folder, "irevalcli", *arguments)
    assert ended.code == 0
    assert ended.stdout.count(b"\n") > lines
    return ended.peak


def block(query: int, choose: random.Random) -> list[bytes]:
    first = choose.randrange(10**6)
    return [b"%d Q0 doc%07d %d %d.25 tag\n" % (query, first + 7 * rank, rank, DEPTH - rank) for rank in range(DEPTH)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Judgments of 2,000 queries; runs of half a million, a million, two million lines, and a million shuffled."""
    where = tmp_path_factory.mktemp("memory")
    choose = random.Random(1)
    blocks = [block(query, choose) for query in range(2000)]
    judged = (line.split() for lines in blocks for line in lines[::100])
    (where / "qrels").write_bytes(b"".join(b"%s 0 %s 1\n" % (fields[0], fields[2]) for fields in judged))
    for queries in (500, 1000, 2000):
        (where / f"{queries}.run").write_bytes(b"".join(line for lines in blocks[:queries] for line in lines))
    shuffled = [line for lines in blocks[:1000] for line in lines]
    choose.shuffle(shuffled)
    (where / "shuffled.run").write_bytes(b"".join(shuffled))
    return where


def test_a_million_lines_are_evaluated_in_the_memory_of_a_few_pieces(folder: Path) -> None:
    assert peak(folder, "1000.run") < 120 * MEGABYTE


def test_memory_does_not_grow_with_the_run(folder: Path) -> None:
    assert peak(folder, "2000.run") - peak(folder, "500.run") < 15 * MEGABYTE


def test_a_shuffled_run_takes_a_hundred_bytes_a_line_at_most(folder: Path) -> None:
    assert peak(folder, "shuffled.run") - peak(folder, "1000.run") < 100 * 1_000_000


def test_a_difference_takes_memory_for_the_top_of_rankings_not_for_the_runs(folder: Path) -> None:
    # Two and a half million lines.
    asked = ("--quiet", "--ranks", "10", "500.run", "2000.run")
    assert peak_of_diff(folder, "-m", "AP", "qrels", *asked[-2:], *asked[:-2]) < 130 * MEGABYTE
    assert peak_of_diff(folder, *asked) < 130 * MEGABYTE


def test_looking_for_faults_takes_the_memory_of_the_queries_not_of_the_lines(folder: Path) -> None:
    small, large = (peak_of(folder, 0, "validate", "--quiet", "qrels", f"{size}.run") for size in (500, 2000))
    assert large < 120 * MEGABYTE
    assert large - small < 15 * MEGABYTE


def test_looking_through_a_shuffled_run_takes_a_hundred_and_fifty_bytes_a_line_at_most(folder: Path) -> None:
    looked = ("validate", "--quiet", "qrels")
    assert peak_of(folder, 0, *looked, "shuffled.run") - peak_of(folder, 0, *looked, "1000.run") < 150 * 1_000_000
