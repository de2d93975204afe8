"""What fuzzing has found (see fuzz/README.md), a test for each kind of find."""

from __future__ import annotations

import bz2
import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from hypothesis import given
from hypothesis import strategies as st
from most_memory import measured

from irevalcli.reading.json_objects import MOST_LOCATED, Document, queries
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.rules import RUN_SCORE
from irevalcli.reading.run_formats import RUN_FORMATS
from irevalcli.reading.unpacking import FREELY

if TYPE_CHECKING:
    from pathlib import Path

RUN = b"q Q0 d 1 1 t\n"
REFUSED = {"prels", "sampled", "parquet"}
"""Formats that are refused by name, or are damaged without a byte."""


@pytest.mark.parametrize("command", ["evaluate", "validate"])
def test_json_in_which_every_number_is_a_string_is_refused_without_locating_each(command: str, tmp_path: Path) -> None:
    # Each place was looked for from the beginning of the text, which took hours for a file like this.
    run = b'{"q":{' + b",".join(b'"d%d":"1.5"' % number for number in range(60_000)) + b"}}"
    put(tmp_path, qrels="q 0 d1 1", run=run)
    result = call(tmp_path, command, "qrels", "run")
    assert result.code == (3 if command == "evaluate" else 1)
    assert "run:1:12" in result.out + result.err
    assert "not a number" in result.out + result.err


def test_of_many_faults_in_json_the_first_are_located_and_all_are_counted() -> None:
    text = "{" + ",\n".join(f'"q{number}":{{"a":"x","b":1}}' for number in range(MOST_LOCATED + 10)) + "}"
    found = list(queries(Document(text, "run", RUN_SCORE, infinite=True)))
    assert [fault.line for query in found for fault in query.faults] == list(range(1, MOST_LOCATED + 1))
    assert sum(query.dropped for query in found) == MOST_LOCATED + 10


@given(text=st.text(st.sampled_from("a\u00e9\U0001f600\udc80\n\r ")), places=st.lists(st.integers(0, 30), max_size=6))
def test_a_place_in_json_does_not_depend_on_the_places_asked_for_before(text: str, places: list[int]) -> None:
    document = Document(text, "run", RUN_SCORE, infinite=True)
    for place in places:
        position = min(place, len(text))
        before = text[:position].encode("utf-8", "surrogateescape")
        line, at = before.count(b"\n") + 1, len(before) - (before.rfind(b"\n") + 1)
        found = document.finding(RUN_SCORE, "", position, 1)
        lines = text.encode("utf-8", "surrogateescape").split(b"\n")
        assert (found.line, found.column, found.excerpt) == (line, at + 1, lines[line - 1].rstrip(b"\r"))


@pytest.mark.parametrize("end", ["", "\n", "\n \n"])
@pytest.mark.parametrize("text", ['{"q": {"d": 1}', '{"q":', '{"q": {"d": 1},'])
def test_json_that_ends_too_early_is_reported_where_its_last_character_stands(
    text: str, end: str, tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_text("\n" + text + end)
    put(tmp_path, run=RUN)
    result = call(tmp_path, "evaluate", "qrels", "run")
    assert result.code == 3
    assert f"qrels:2:{len(text) + 1}" in result.err


@pytest.mark.parametrize("line", [b"\n", b",,\n"], ids=ascii)
def test_a_small_packed_file_of_the_shortest_lines_claims_no_gigabyte(line: bytes, tmp_path: Path) -> None:
    # As qrels, which are held as a whole; of a run, less.
    head = b"qid,docid,score\n" if line == b",,\n" else b""
    packed = bz2.compress(head + line * ((FREELY - len(head)) // len(line)))
    assert len(packed) < 1000
    (tmp_path / "packed").write_bytes(packed)
    put(tmp_path, run=RUN)
    ended = measured(tmp_path, "irevalcli", "evaluate", "-m", "AP", "packed", "run")
    assert ended.code == 3
    assert ended.peak < 1 << 30


def test_a_packed_file_of_more_than_a_thousand_times_its_size_is_refused(tmp_path: Path) -> None:
    put(tmp_path, qrels="q 0 d 1", run=bz2.compress(b"\n" * (FREELY + FREELY // 2)))
    result = call(tmp_path, "evaluate", "qrels", "run")
    assert result.code == 3
    assert "more than 1000 times its size" in result.err


@pytest.mark.parametrize("text", [b"", b"\n", b"\n  \n\r\n"], ids=["no byte", "a line end", "blanks"])
@pytest.mark.parametrize("name", [name for name in QRELS_FORMATS if name not in REFUSED])
def test_qrels_of_no_line_hold_no_judgments_in_any_format(name: str, text: bytes, tmp_path: Path) -> None:
    put(tmp_path, qrels=text, run=RUN)
    result = call(tmp_path, "evaluate", "--qrels-format", name, "-m", "NumQ", "qrels", "run")
    assert (result.code, "error[INP004]" in result.err) == (3, True), result.err


@pytest.mark.parametrize("text", [b"", b"\n", b"\n  \n\r\n"], ids=["no byte", "a line end", "blanks"])
@pytest.mark.parametrize("name", [name for name in RUN_FORMATS if name not in REFUSED])
def test_a_run_of_no_line_holds_no_results_in_any_format(name: str, text: bytes, tmp_path: Path) -> None:
    put(tmp_path, qrels="q 0 d 1", run=text)
    result = call(tmp_path, "evaluate", "--run-format", name, "-m", "NumQ", "qrels", "run")
    assert (result.code, "error[INP004]" in result.err) == (3, True), result.err


@pytest.mark.parametrize("rank", ["1e999", "-1e999", "9" * 400], ids=["high", "low", "long"])
def test_a_rank_too_large_for_64_bits_is_no_rank_to_break_ties_by(rank: str, tmp_path: Path) -> None:
    # It was refused only if something else was wrong with the run, too.
    put(tmp_path, qrels="q 0 d 1", run=f"q Q0 d 1 1 t\nq Q0 e {rank} 1 t")
    assert call(tmp_path, "evaluate", "-m", "AP", "qrels", "run").code == 0
    result = call(tmp_path, "evaluate", "-m", "AP", "--ties", "rank", "qrels", "run")
    assert (result.code, "error[RUN005]" in result.err, "run:2:8" in result.err) == (3, True, True), result.err


@pytest.mark.parametrize(
    "record", [b"\xff\xff\xff\xff", b"no blank", b"", b"9", b" ", b"0 a=b\n", b"-5 a=b\n", b"99 path=a\n"], ids=ascii
)
def test_an_extended_header_of_nonsense_ends_the_reading_of_a_tar_archive(record: bytes, tmp_path: Path) -> None:
    # Without a blank in it, reading went on for ever.
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.PAX_FORMAT) as archive:
        member = tarfile.TarInfo("a" * 150)
        member.size = len(RUN)
        archive.addfile(member, io.BytesIO(RUN))
    whole = bytearray(held.getvalue())
    whole[512 : 512 + len(record)] = record
    put(tmp_path, qrels="q 0 d 1", run_tar=bytes(whole))
    result = call(tmp_path, "evaluate", "-m", "AP", "qrels", "run.tar")
    assert (result.code, "extended header is damaged" in result.err) == ((3, True) if record else (0, False))


def test_an_archive_of_several_runs_is_not_converted_to_one(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a", RUN)
        archive.writestr("b", RUN)
    put(tmp_path, runs_zip=held.getvalue())
    result = call(tmp_path, "convert", "runs.zip", "-", "--to", "trec")
    assert (result.code, result.out) == (2, ""), result.err
    assert "runs.zip::a" in result.err


def test_a_query_whose_name_begins_as_bzip2_does_is_no_compressed_file(tmp_path: Path) -> None:
    put(tmp_path, qrels="BZh9 0 d 1", run="BZh9 Q0 d 1 1 t")
    assert call(tmp_path, "evaluate", "-m", "AP", "--format", "tsv", "qrels", "run").values == {"all AP": "1.0000"}


@pytest.mark.parametrize("level", range(1, 10))
def test_bzip2_of_every_level_is_unpacked_and_so_is_a_member_without_a_byte(level: int, tmp_path: Path) -> None:
    put(tmp_path, qrels="q 0 d 1", run=bz2.compress(b"", level) + bz2.compress(RUN, level))
    result = call(tmp_path, "evaluate", "-m", "AP", "--format", "tsv", "qrels", "run")
    assert (result.code, result.values) == (0, {"all AP": "1.0000"}), result.err


def test_a_member_without_a_name_does_not_break_an_archive(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(zipfile.ZipInfo("xy"), RUN)
    put(tmp_path, qrels="q 0 d 1", run_zip=held.getvalue().replace(b"xy", b"\0y"))
    result = call(tmp_path, "evaluate", "-m", "AP", "--format", "tsv", "qrels", "run.zip")
    assert (result.code, result.values) == (0, {"all AP": "1.0000"})
