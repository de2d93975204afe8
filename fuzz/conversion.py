"""``convert``: a run or qrels, written in every format there is room in, holds the same when it is read again."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from campaign import fuzz
from findings import PROBLEMS, plain_text

from irevalcli.analysis.conversion import load_qrels_content, load_run_content, qrels_losses, run_losses
from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.policy import Policy
from irevalcli.output.qrels_writers import QRELS_WRITERS
from irevalcli.output.run_writers import RUN_WRITERS

if TYPE_CHECKING:
    from irevalcli.analysis.conversion import QrelsContent, RunContent

NAME = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "auto"


def check(data: bytes) -> None:
    """The first byte chooses if the rest is a run or qrels, and if the format is named when it is read again."""
    option, text = data[0] if data else 0, data[1:]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in", Path(folder) / "out"
        source.write_bytes(text)
        if option & 1:
            check_qrels(source, target, named=not option & 2)
        else:
            check_run(source, target, named=not option & 2)


def looks_as_it_is(target: Path) -> bool:
    """Whether no id at the beginning of a file makes it look like a packed or a UTF-16 one."""
    return plain_text(target.read_bytes()) is not None


def run_at(path: Path, name: str) -> RunContent:
    """The run in a file."""
    return load_run_content(NamedRun(str(path), str(path), str(path)), Policy(run_format=name), tag="t")


def check_run(source: Path, target: Path, *, named: bool) -> None:
    """Convert a run to every format."""
    try:
        content = run_at(source, NAME)
    except PROBLEMS:
        return
    queries = list(content.queries())
    for name, writer in RUN_WRITERS.items():
        try:
            run_losses(content, writer.room)
            target.write_bytes(b"".join(writer.write(content)))
        except PROBLEMS:
            continue
        try:
            again = list(run_at(target, name if named else "auto").queries())
        except PROBLEMS:
            if named and looks_as_it_is(target):
                raise
            continue
        scores = [query.scores for query in queries]
        if [(query.qid, query.docids) for query in again] != [(query.qid, query.docids) for query in queries] or (
            writer.room.scores and [query.scores for query in again] != scores
        ):
            raise AssertionError(f"{queries}\nbecame in {name}\n{again}\n{target.read_bytes()!r}")


def judged(content: QrelsContent) -> list[tuple[bytes, bytes, float]]:
    """The highest grade of every document."""
    return [(row.qid, row.docid, row.grade) for row in content.merged()]


def check_qrels(source: Path, target: Path, *, named: bool) -> None:
    """Convert qrels to every format."""
    try:
        content = load_qrels_content(str(source), Policy(qrels_format=NAME))
    except PROBLEMS:
        return
    rows = judged(content)
    for name, writer in QRELS_WRITERS.items():
        try:
            qrels_losses(content, writer.room)
            target.write_bytes(b"".join(writer.write(content)))
        except PROBLEMS:
            continue
        expected = [(qid, docid, 1.0) for qid, docid, grade in rows if grade >= 1] if name == "pairs" else rows
        if not expected:
            continue
        try:
            again = judged(load_qrels_content(str(target), Policy(qrels_format=name if named else "auto")))
        except PROBLEMS:
            if named and looks_as_it_is(target):
                raise
            continue
        if again != expected:
            raise AssertionError(f"{expected}\nbecame in {name}\n{again}\n{target.read_bytes()!r}")


if __name__ == "__main__":
    fuzz(check)
