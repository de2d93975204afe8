"""Whatever holds the bytes (a file, a pipe, compression, another encoding), the same bytes are read, twice if asked."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import os
import random
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from drop_in import ROOT, command, environment
from packers import PACKERS
from plain import LENIENT, cut, described, grades_of, joined, judgments_in, opened

from irevalcli.errors import InputProblem
from irevalcli.index.qrels import QrelsRules, read_qrels
from irevalcli.index.stream import read_run
from irevalcli.reading.opening import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

TEXT = b"".join(b"q%d Q0 document-%d %d %d.5 tag\n" % (n % 7, n, n, n % 50) for n in range(3000))
"""A run whose queries are scattered, so that it is read twice."""
QRELS = b"".join(b"q%d 0 document-%d %d\n" % (n % 7, n, n % 3) for n in range(0, 3000, 17))


def read_twice(source: Source) -> tuple[bytes, bytes]:
    first = bytes(source.read_all())
    source.rewind()
    return first, bytes(source.read_all())


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_compressed_files_are_unpacked_whatever_their_name(pack: Callable[[bytes], bytes]) -> None:
    with opened(pack(TEXT)) as source:
        assert read_twice(source) == (TEXT, TEXT)


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_a_compressed_file_with_changed_bytes_is_read_or_is_an_input_problem(pack: Callable[[bytes], bytes]) -> None:
    choose = random.Random(1)
    refused = 0
    rules: set[str] = set()
    for _ in range(120):
        packed = bytearray(pack(TEXT[:2000]))
        for _ in range(choose.randrange(1, 4)):
            packed[choose.randrange(len(packed))] = choose.randrange(256)
        try:
            with opened(bytes(packed)) as source:
                source.read_all()
        except InputProblem as problem:
            refused += 1
            rules.update(finding.rule for finding in problem.findings)
    assert rules == {"INP003"}
    assert refused > 50


def test_a_file_shorter_than_any_magic_number_is_plain() -> None:
    for text in (b"", b"a", b"\x1f", b"BZ", b"\xfd7zX", b"\xef\xbb"):
        with opened(text) as source:
            assert read_twice(source) == (text, text)


@pytest.mark.parametrize(
    ("encoded", "note"),
    [
        (codecs.BOM_UTF8 + "qé 0 ü 1\n".encode(), "byte order mark"),
        ("qé 0 ü 1\n".encode("utf-16"), "UTF-16"),
        (codecs.BOM_UTF16_LE + "qé 0 ü 1\n".encode("utf-16-le"), "UTF-16"),
        (codecs.BOM_UTF16_BE + "qé 0 ü 1\n".encode("utf-16-be"), "UTF-16"),
        (gzip.compress("qé 0 ü 1\n".encode("utf-16"), mtime=0), "UTF-16"),
        ("qé 0 ü 1\n".encode(), ""),
    ],
)
def test_byte_order_marks_tell_the_encoding_and_are_noted(encoded: bytes, note: str) -> None:
    plain = "qé 0 ü 1\n".encode()
    with opened(encoded) as source:
        assert read_twice(source) == (plain, plain)
        assert note in source.encoding_note
        assert bool(source.encoding_note) == bool(note)


def test_a_long_utf16_file_is_read_whole() -> None:
    text = "".join(f"q{n} Q0 dökument-{n}-😀 1 {n} tag\n" for n in range(20_000))
    with opened(text.encode("utf-16")) as source:
        assert read_twice(source) == (text.encode(), text.encode())


@pytest.mark.parametrize("encoded", [codecs.BOM_UTF16_LE + b"a", codecs.BOM_UTF16_BE + b"\xd8\x00\x00a"])
def test_utf16_that_ends_within_a_character_is_an_input_problem(encoded: bytes) -> None:
    with pytest.raises(InputProblem, match="cannot be read to its end"), opened(encoded) as source:
        source.read_all()


def test_byte_order_marks_can_be_data() -> None:
    with opened(codecs.BOM_UTF8 + b"q 0 d 1\n", marks=False) as source:
        assert bytes(source.read_all()) == codecs.BOM_UTF8 + b"q 0 d 1\n"
        assert not source.encoding_note


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_the_head_of_a_source_can_be_looked_at_and_is_still_read(pack: Callable[[bytes], bytes]) -> None:
    for mark in (b"", codecs.BOM_UTF8):
        with opened(pack(mark + TEXT)) as source:
            assert source.head(10) == TEXT[:10]
            assert source.head(5000) == TEXT[:5000]
            assert source.head(7) == TEXT[:7]
            small = bytearray(100)
            assert source.readinto(memoryview(small)) == 100
            assert bytes(small) + bytes(source.read_all()) == TEXT
            source.rewind()
            assert source.head(1 << 20) == TEXT
            assert bytes(source.read_all()) == TEXT


def test_the_head_of_a_short_source_is_all_of_it() -> None:
    for text in (b"", b"q 0 d 1"):
        with opened(text) as source:
            assert source.head(1 << 16) == text
            assert read_twice(source) == (text, text)


@contextmanager
def written_to(path: Path | None, text: bytes) -> Iterator[str]:
    """The name of a pipe (a FIFO at `path`, or an unnamed one) into which `text` is written in small portions."""
    if path is None:
        read, write = os.pipe()
    else:
        os.mkfifo(path)

    def feed() -> None:
        with open(write if path is None else path, "wb", buffering=0) as pipe:  # noqa: PTH123
            pipe.writelines(text[begin : begin + 5000] for begin in range(0, len(text), 5000))

    writer = threading.Thread(target=feed)
    writer.start()
    try:
        yield f"/dev/fd/{read}" if path is None else str(path)
    finally:
        writer.join()
        if path is None:
            os.close(read)


@pytest.mark.parametrize("named", [True, False], ids=["fifo", "pipe"])
@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_a_pipe_can_be_read_twice_and_its_digest_is_that_of_the_bytes_that_came(
    pack: Callable[[bytes], bytes], named: bool, tmp_path: Path
) -> None:
    packed = pack(TEXT)
    with written_to(tmp_path / "pipe" if named else None, packed) as name, Source(name) as source:
        assert read_twice(source) == (TEXT, TEXT)
        assert source.sha256() == hashlib.sha256(packed).hexdigest()
        assert source.size is None


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_the_head_of_a_pipe_is_still_read(pack: Callable[[bytes], bytes]) -> None:
    with written_to(None, pack(TEXT)) as name, Source(name) as source:
        assert source.head(20_000) == TEXT[:20_000]
        assert read_twice(source) == (TEXT, TEXT)


def test_a_pipe_that_was_read_in_part_starts_again_from_its_first_byte() -> None:
    with written_to(None, TEXT) as name, Source(name) as source:
        part = bytearray(10_000)
        with memoryview(part) as view:
            got = source.readinto(view)
        assert bytes(part[:got]) == TEXT[:got]
        source.rewind()
        assert bytes(source.read_all()) == TEXT


@pytest.mark.parametrize("named", [True, False], ids=["fifo", "pipe"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_scattered_queries_come_together_through_a_pipe_as_well(
    pack: Callable[[bytes], bytes], named: bool, tmp_path: Path
) -> None:
    judgments = judgments_in(QRELS)
    with cut(4096), written_to(tmp_path / "pipe" if named else None, pack(TEXT)) as name, Source(name) as source:
        ranking, report = read_run(source, judgments, LENIENT)
    assert described(ranking, judgments) == joined(TEXT, grades_of(QRELS))
    assert report.rows == 3000


@pytest.mark.parametrize("pack", [bytes, *PACKERS.values()], ids=["plain", *PACKERS])
def test_qrels_may_come_through_a_pipe(pack: Callable[[bytes], bytes]) -> None:
    with written_to(None, pack(QRELS)) as name, Source(name) as source:
        judgments, report = read_qrels(source, QrelsRules())
    assert judgments is not None
    assert judgments.num_listed == report.rows == QRELS.count(b"\n")


def test_the_digest_of_a_file_is_that_of_its_bytes_on_disk() -> None:
    packed = gzip.compress(TEXT, mtime=0)
    with opened(packed) as source:
        source.read_all()
        assert source.sha256() == hashlib.sha256(packed).hexdigest()
        assert source.size == len(packed)


@pytest.mark.parametrize(
    ("path", "rule", "message"),
    [
        ("/no/such/file", "INP001", "No such file or directory"),
        (str(ROOT), "INP002", "is a directory"),
        ("with\x00nul", "INP001", "null"),
    ],
)
def test_what_cannot_be_opened_is_an_input_problem_with_the_reason(path: str, rule: str, message: str) -> None:
    with pytest.raises(InputProblem) as caught:
        Source(path)
    (finding,) = caught.value.findings
    assert (finding.rule, finding.path) == (rule, path)
    assert message in finding.message


PEER = "import sys; sys.argv[0] = 'irevalcli'; from irevalcli.__main__ import main; main()"


def test_standard_input_is_read_to_its_end_and_again_if_queries_are_scattered(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(QRELS)
    (tmp_path / "run").write_bytes(TEXT)
    from_file = command(["-q", "-m", "all_trec", "qrels", "run"], cwd=tmp_path)
    assert from_file.code == 0
    argv = [sys.executable, "-c", PEER, "trec", "-q", "-m", "all_trec", "qrels", "-"]
    for text in (TEXT, gzip.compress(TEXT, mtime=0)):
        got = subprocess.run(argv, input=text, capture_output=True, cwd=tmp_path, env=environment(), check=True)
        assert (got.stdout, got.stderr) == (from_file.stdout, b"")
    redirected = command(["-q", "-m", "all_trec", "qrels", "-"], cwd=tmp_path, stdin=TEXT)
    assert redirected == from_file


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_the_drop_in_reads_compressed_files_and_refuses_damaged_ones_as_unreadable(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    for name, text in (("qrels", QRELS), ("run", TEXT)):
        (tmp_path / name).write_bytes(text)
        (tmp_path / f"{name}.packed").write_bytes(pack(text))
        (tmp_path / f"{name}.cut").write_bytes(pack(text)[:-20])
    plain = command(["qrels", "run"], cwd=tmp_path)
    assert plain.code == 0
    assert command(["qrels.packed", "run.packed"], cwd=tmp_path) == plain
    for argv, reader, what, name in (
        (["qrels.cut", "run"], "get_qrels", "qrels", "qrels.cut"),
        (["qrels", "run.cut"], "get_results", "results", "run.cut"),
    ):
        said = f"trec_eval.{reader}: Cannot read {what} file '{name}'\ntrec_eval: Quit in file '{name}'\n"
        assert command(argv, cwd=tmp_path) == (2, b"", said.encode())


def test_the_drop_in_takes_a_byte_order_mark_for_data(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_bytes(b"q 0 d 1\n")
    (tmp_path / "run").write_bytes(codecs.BOM_UTF8 + b"q Q0 d 1 1 t\n")
    got = command(["qrels", "run"], cwd=tmp_path)
    assert got == (4, b"", b"trec_eval: result qid 'q' not found in qrels\n")
