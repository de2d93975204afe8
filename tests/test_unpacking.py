"""Compressed data of any kind is unpacked whole or refused, and a small file never claims much memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from calls import call, put
from drop_in import environment
from hypothesis import given, settings
from hypothesis import strategies as st
from packers import PACKERS, zstd
from plain import opened

from irevalcli.errors import InputProblem
from irevalcli.reading.unpacking import CHUNK

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from irevalcli.reading.opening import Source

    Pack = Callable[[bytes], bytes]

TEXT = b"".join(b"q%d Q0 document-%d %d %d.5 tag\n" % (n % 7, n, n, n % 50) for n in range(300))
EVERY = pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)


def read(packed: bytes) -> bytes:
    with opened(packed) as source:
        return bytes(source.read_all())


def refusal(packed: bytes) -> str:
    """The message with which the data is refused."""
    with pytest.raises(InputProblem) as caught:
        read(packed)
    (finding,) = caught.value.findings
    assert (finding.rule, caught.value.exit_code) == ("INP003", 3)
    return finding.message


def in_portions(source: Source, size: int) -> bytes:
    found = b""
    held = bytearray(size)
    while got := source.readinto(memoryview(held)):
        found += held[:got]
    return found


@EVERY
@settings(max_examples=25, deadline=None)
@given(size=st.sampled_from([1, 2, 511, 512, 513, 1000, CHUNK, 1 << 20]), cuts=st.lists(st.integers(0, len(TEXT))))
def test_members_one_after_the_other_are_one_text(pack: Pack, size: int, cuts: list[int]) -> None:
    ends = [0, *sorted(cuts), len(TEXT)]
    packed = b"".join(pack(TEXT[start:stop]) for start, stop in pairwise(ends))
    with opened(packed) as source:
        assert in_portions(source, size) == TEXT
        source.rewind()
        assert in_portions(source, size) == TEXT


@EVERY
def test_a_text_longer_than_any_buffer_is_unpacked_whole(pack: Pack) -> None:
    long = b"".join(b"q%d Q0 document-%d %d %d.5 tag\n" % (n % 7, n * n, n, n % 501) for n in range(20_000))
    assert read(pack(long) + pack(long)) == long + long


@EVERY
def test_data_cut_off_anywhere_is_refused(pack: Pack) -> None:
    packed = pack(TEXT)
    assert len(packed) > 300
    for length in range(6, len(packed)):
        assert refusal(packed[:length]).startswith("cannot be read to its end: "), length


@EVERY
def test_a_further_member_cut_off_anywhere_is_refused(pack: Pack) -> None:
    first, second = pack(TEXT), pack(b"q1 Q0 d1 1 1 t\n")
    for length in range(1, len(second)):
        assert "ends too early" in refusal(first + second[:length]), length


@EVERY
def test_zero_bytes_may_fill_up_a_member(pack: Pack) -> None:
    half = len(TEXT) // 2
    for zeros in (1, 512, CHUNK, 2 * CHUNK + 5):
        packed = pack(TEXT[:half]) + bytes(zeros) + pack(TEXT[half:]) + bytes(zeros)
        assert read(packed) == TEXT


@EVERY
@pytest.mark.parametrize("rest", [b"\n", b"q1 Q0 d1 1 1 t\n", b"\0\0garbage", b"PK\x03\x04", b"\x1f\x8c"])
def test_other_data_behind_a_member_is_refused(pack: Pack, rest: bytes) -> None:
    assert refusal(pack(TEXT) + rest) == "cannot be read to its end: other data follows the compressed data"


def test_another_kind_of_compression_behind_a_member_is_refused() -> None:
    assert "other data follows" in refusal(gzip.compress(TEXT) + bz2.compress(TEXT))


def test_frames_without_text_in_zstd_are_passed_over() -> None:
    frame = b"\x5a\x2a\x4d\x18\x04\0\0\0note"
    assert read(frame + PACKERS["zstd"](TEXT) + frame + PACKERS["zstd"](TEXT)) == TEXT + TEXT


def test_what_only_begins_like_a_compressed_file_is_text() -> None:
    for text in (b"\x1f", b"BZ", b"\xfd7zXZ", b"\x28\xb5\x2f", b"BQ h 1"):
        assert read(text) == text


@EVERY
def test_runs_and_qrels_are_read_compressed_and_through_standard_input(pack: Pack, tmp_path: Path) -> None:
    qrels, run = b"1 0 d1 1\n2 0 d2 1\n", b"1 Q0 d1 1 2 t\n1 Q0 d2 2 1 t\n2 Q0 d1 1 3 t\n"
    (tmp_path / "qrels").write_bytes(pack(qrels))
    (tmp_path / "bm25.run.zst").write_bytes(pack(run))
    expected = "run\tquery\tmeasure\tvalue\n{}\tall\tAP\t0.5000\n"
    from_file = call(tmp_path, "evaluate", "--quiet", "-m", "AP", "qrels", "bm25.run.zst")
    assert from_file == (0, expected.format("bm25"), "")
    piped = call(tmp_path, "evaluate", "--quiet", "-m", "AP", "qrels", "-", stdin=pack(run))
    assert piped == (0, expected.format("stdin"), "")


def test_without_the_package_zstd_says_what_to_install(tmp_path: Path) -> None:
    put(tmp_path, qrels="1 0 d1 1")
    (tmp_path / "run").write_bytes(PACKERS["zstd"](b"1 Q0 d1 1 2 t\n"))
    with mock.patch.dict(sys.modules, {"compression.zstd": None, "backports.zstd": None}):
        refused = call(tmp_path, "evaluate", "qrels", "run")
    assert (refused.code, refused.out) == (2, "")
    assert "unpacking zstd needs an optional package: pip install 'irevalcli[zstd]'" in refused.err


def large_window_zstd(text: bytes) -> bytes:
    packer = zstd.ZstdCompressor(options={zstd.CompressionParameter.window_log: 30})
    return bytes(packer.compress(text) + packer.flush())


def large_window_xz(text: bytes) -> bytes:
    return lzma.compress(text, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}])


@pytest.mark.parametrize("pack", [large_window_xz, large_window_zstd], ids=["xz", "zstd"])
def test_a_file_that_claims_a_gigabyte_to_be_unpacked_is_refused(pack: Pack) -> None:
    assert "emory" in refusal(pack(TEXT))


def test_settings_for_the_smallest_files_are_read() -> None:
    assert read(lzma.compress(TEXT, preset=9 | lzma.PRESET_EXTREME)) == TEXT
    assert read(zstd.compress(TEXT, 22)) == TEXT


# The program in a process of its own that may not have a gigabyte, and tells the most memory it held, in KiB.
BOUNDED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
leave = os._exit
def spy(code):
    sys.stdout.flush()
    with open("/proc/self/status") as status:
        print(*(line.split()[1] for line in status if line.startswith("VmHWM")), flush=True)
    leave(code)
os._exit = spy
sys.argv[0] = "irevalcli"
from irevalcli.__main__ import main
main()
"""
MEGABYTE = 1 << 20


def many(block: bytes, times: int) -> bytes:
    """A bzip2 file of `block` over and over."""
    return bz2.compress(block) * times


BOMBS = {
    "newlines": lambda: many(b"\n" * (45 * MEGABYTE), 20),
    "one line": lambda: many(b"a" * (45 * MEGABYTE), 20),
    "zeros": lambda: many(bytes(45 * MEGABYTE), 20),
    "gzip": lambda: gzip.compress(b"q Q0 d 1 1 t\n" * 100_000),
    "zstd": lambda: zstd.compress(b"a" * (200 * MEGABYTE)),
    "xz": lambda: lzma.compress(b"q 0 d 1\nr 0 d 1\n" * 300_000),
    "alternating": lambda: lzma.compress(b"q Q0 d 1 1 t\nr Q0 d 1 1 t\n" * 300_000),
}


@pytest.mark.parametrize("kind", BOMBS)
@pytest.mark.parametrize("as_run", [True, False], ids=["run", "qrels"])
def test_a_small_file_never_claims_a_gigabyte(kind: str, as_run: bool, tmp_path: Path) -> None:
    put(tmp_path, qrels="q 0 d 1", run="q Q0 d 1 1 t")
    packed = BOMBS[kind]()
    assert len(packed) < 30_000
    (tmp_path / "bomb").write_bytes(packed)
    files = ["qrels", "bomb"] if as_run else ["bomb", "run"]
    command = [sys.executable, "-c", BOUNDED, "evaluate", "-m", "AP", *files]
    ended = subprocess.run(command, capture_output=True, cwd=tmp_path, env=environment(), check=False, timeout=300)
    assert (b"bug" in ended.stderr, b"out of memory" in ended.stderr) == (False, False), ended
    assert ended.returncode == (3 if b"error[" in ended.stderr else 0)
    assert int(ended.stdout.splitlines()[-1]) < 700 * 1024
