"""A zip or tar file is so many runs, one of them, or one run in parts; nothing is ever written to disk."""

from __future__ import annotations

import gzip
import hashlib
import io
import random
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from calls import call
from drop_in import command
from packers import PACKERS

from irevalcli.errors import InputProblem
from irevalcli.reading.opening import Source
from irevalcli.reading.parts import files_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from calls import Call

    Pack = Callable[[Mapping[str, bytes]], bytes]

QRELS = b"1 0 d1 1\n2 0 d2 1\n"
FIRST = b"1 Q0 d1 1 2 A\n1 Q0 d2 2 1 A\n"
SECOND = b"2 Q0 d1 1 2 A\n2 Q0 d2 2 1 A"
BOTH = FIRST + SECOND + b"\n"
BETTER = b"1 Q0 d1 1 2 B\n2 Q0 d2 2 3 B\n"


def zipped(files: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def tarred(files: Mapping[str, bytes], layout: int = tarfile.PAX_FORMAT) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=layout) as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return held.getvalue()


ARCHIVES: dict[str, Pack] = {
    "zip": zipped,
    "zip stored": lambda files: zipped(files, zipfile.ZIP_STORED),
    "zip bzip2": lambda files: zipped(files, zipfile.ZIP_BZIP2),
    "tar": tarred,
    "tar ustar": lambda files: tarred(files, tarfile.USTAR_FORMAT),
    "tar gnu": lambda files: tarred(files, tarfile.GNU_FORMAT),
    **{f"tar {name}": lambda files, pack=pack: pack(tarred(files)) for name, pack in PACKERS.items()},  # type: ignore[misc]
}
EVERY = pytest.mark.parametrize("pack", ARCHIVES.values(), ids=ARCHIVES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").write_bytes(QRELS)
    return tmp_path


def evaluate(folder: Path, *runs: str, stdin: bytes = b"") -> Call:
    return call(folder, "evaluate", "--quiet", "-m", "AP", "qrels", *runs, stdin=stdin)


def scores(folder: Path, *runs: str, stdin: bytes = b"") -> dict[str, str]:
    result = evaluate(folder, *runs, stdin=stdin)
    assert result.code == 0, result.err
    return {label: value for label, _, _, value in result.rows}


def refusal(path: Path | str) -> tuple[str, str]:
    """The name and the message with which an input is refused because of its archive."""
    with pytest.raises(InputProblem) as caught, Source(str(path)) as source:
        source.read_all()
    (finding,) = caught.value.findings
    assert finding.rule == "INP012"
    return finding.path, finding.message


@EVERY
def test_every_file_in_an_archive_is_a_run_of_its_own(pack: Pack, folder: Path) -> None:
    (folder / "whatever.run").write_bytes(pack({"runs/bm25.run": BOTH, "runs/a/ql.txt": BETTER, "z": BOTH}))
    assert scores(folder, "whatever.run") == {"ql": "1.0000", "bm25": "0.7500", "z": "0.7500"}
    one = scores(folder, "whatever.run::runs/a/ql.txt", "other=whatever.run::z")
    assert one == {"ql": "1.0000", "other": "0.7500"}


@EVERY
def test_an_archive_with_a_label_is_one_run(pack: Pack, folder: Path) -> None:
    (folder / "parts").write_bytes(pack({"2": FIRST, "1": SECOND, ".hidden": b"junk\n"}))
    assert scores(folder, "whole=parts") == {"whole": "0.7500"}
    with Source(str(folder / "parts")) as source:
        assert bytes(source.read_all()) == SECOND + b"\n" + FIRST
        source.rewind()
        assert bytes(source.read_all()) == SECOND + b"\n" + FIRST
        assert source.sha256() == hashlib.sha256(SECOND + FIRST).hexdigest()


def test_what_systems_leave_in_archives_is_passed_over(folder: Path) -> None:
    junk = [".DS_Store", "__MACOSX/runs/._a.run", "runs/.git/config", "runs/Thumbs.db", "desktop.ini"]
    for name, pack in (("a.zip", zipped), ("a.tar", tarred)):
        (folder / name).write_bytes(pack({"./runs/a.run": BOTH, **dict.fromkeys(junk, b"junk")}))
        assert files_in(str(folder / name)) == [f"{folder / name}::runs/a.run"]


def test_links_and_folders_in_an_archive_are_no_runs(folder: Path) -> None:
    with tarfile.open(folder / "a.tar", "w") as archive:
        for name, kind in (("d", tarfile.DIRTYPE), ("s", tarfile.SYMTYPE), ("h", tarfile.LNKTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "a.run"
            archive.addfile(entry)
        entry = tarfile.TarInfo("d/a.run")
        entry.size = len(BOTH)
        archive.addfile(entry, io.BytesIO(BOTH))
    assert scores(folder, "a.tar") == {"a": "0.7500"}


@pytest.mark.parametrize("layout", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT], ids=["gnu", "pax"])
@pytest.mark.parametrize("name", ["x" * 99, "x" * 100, "x" * 101, "long/" * 60 + "run", "naïve-é.run", "a b\tc.run"])
def test_names_of_any_length_are_found_in_tar_files(name: str, layout: int, folder: Path) -> None:
    path = folder / "a.tar"
    path.write_bytes(tarred({name: BOTH, "second": BETTER}, layout))
    assert sorted(files_in(str(path)) or []) == sorted([f"{path}::{name}", f"{path}::second"])


def test_ustar_names_in_two_halves_are_put_together(folder: Path) -> None:
    name = "/".join(["folder" * 10] * 3) + "/a.run"
    (folder / "a.tar").write_bytes(tarred({name: BOTH}, tarfile.USTAR_FORMAT))
    assert files_in(str(folder / "a.tar")) == [f"{folder / 'a.tar'}::{name}"]


def test_names_that_lead_elsewhere_are_only_names(folder: Path) -> None:
    for archive, pack in (("a.zip", zipped), ("a.tar", tarred)):
        inner = folder / "inner"
        inner.mkdir(exist_ok=True)
        (inner / archive).write_bytes(pack({"../qrels": BETTER, "/etc/passwd": BOTH}))
        expected = {"qrels": "1.0000", "passwd": "0.7500"}
        assert scores(folder, f"inner/{archive}") == expected
        assert (folder / "qrels").read_bytes() == QRELS


def test_of_two_files_with_one_name_the_last_counts(folder: Path) -> None:
    (folder / "a.tar").write_bytes(tarred({"a": BOTH})[:1024] + tarred({"a": BETTER}))
    assert scores(folder, "a.tar") == {"a": "1.0000"}


def test_files_with_one_stem_are_called_by_their_tags(folder: Path) -> None:
    (folder / "a.zip").write_bytes(zipped({"x/run.txt": BOTH, "y/run.txt": BETTER}))
    assert scores(folder, "a.zip") == {"A": "0.7500", "B": "1.0000"}


@pytest.mark.parametrize("kind", PACKERS)
def test_files_in_an_archive_may_be_compressed_themselves(kind: str, folder: Path) -> None:
    packed = PACKERS[kind](BOTH)
    (folder / "a.tgz").write_bytes(gzip.compress(tarred({"bm25.run.gz": packed, "plain": BETTER})))
    (folder / "a.zip").write_bytes(zipped({"bm25.run.gz": packed}))
    assert scores(folder, "a.tgz") == {"bm25": "0.7500", "plain": "1.0000"}
    assert scores(folder, "a.zip") == {"bm25": "0.7500"}


@pytest.mark.parametrize("inner", [zipped, tarred], ids=["zip", "tar"])
def test_archives_in_archives_are_refused(inner: Pack, folder: Path) -> None:
    for outer in (zipped, tarred):
        path = folder / outer.__name__
        path.write_bytes(outer({"a.run": inner({"b.run": BOTH})}))
        assert refusal(path) == (f"{path}::a.run", "this is an archive inside an archive")


def test_an_archive_of_one_file_may_come_through_a_pipe_and_one_of_several_is_refused(folder: Path) -> None:
    for pack in ARCHIVES.values():
        assert scores(folder, "-", stdin=pack({"a": BOTH})) == {"stdin": "0.7500"}
        refused = evaluate(folder, "-", stdin=pack({"a": BOTH, "b": BETTER}))
        assert refused.code == 3
        assert "error[INP012]: <stdin>: the archive holds 2 files, and a pipe is one input" in refused.err
        assert "save it to a file" in refused.err


def test_several_files_are_one_run(folder: Path) -> None:
    (folder / "one").write_bytes(FIRST)
    (folder / "two.gz").write_bytes(gzip.compress(SECOND))
    (folder / "a.zip").write_bytes(zipped({"two": SECOND}))
    expected = {"one+two": "0.7500", "x": "0.7500", "y": "0.7500"}
    assert scores(folder, "one+two.gz", "x=two.gz+one", "y=one+a.zip::two") == expected
    (folder / "one+two.gz").write_bytes(BETTER)
    assert scores(folder, "one+two.gz") == {"one+two": "1.0000"}


def test_a_plus_may_belong_to_a_name(folder: Path) -> None:
    (folder / "c++").write_bytes(FIRST)
    (folder / "a+b").write_bytes(SECOND)
    assert scores(folder, "x=c+++a+b", "a+b+c++") == {"x": "0.7500", "a+b+c++": "0.7500"}


def test_the_part_that_is_missing_is_named(folder: Path) -> None:
    (folder / "one").write_bytes(FIRST)
    assert "error[INP001]: tow: No such file or directory" in evaluate(folder, "one+tow").err
    assert "error[INP001]: eno+tow: No such file or directory" in evaluate(folder, "eno+tow").err


def test_lines_of_parts_are_told_by_part_and_number(folder: Path) -> None:
    (folder / "a").write_bytes(b"1\n2")
    (folder / "empty").write_bytes(b"")
    (folder / "b").write_bytes(b"1\n2\n3\n")
    names = [str(folder / name) for name in ("a", "empty", "b")]
    with Source("+".join(names)) as source:
        assert source.parts == names
        for _ in range(2):
            assert bytes(source.read_all()) == b"1\n2\n1\n2\n3\n"
            places = [source.place(line) for line in range(1, 6)]
            assert places == [(names[0], 1), (names[0], 2), (names[2], 1), (names[2], 2), (names[2], 3)]
            assert source.place(0) == ("+".join(names), 0)
            source.rewind()
    with Source(names[2]) as source:
        assert source.place(3) == (names[2], 3)


def test_a_byte_order_mark_in_a_part_is_noted_with_its_name(folder: Path) -> None:
    (folder / "a").write_bytes(FIRST)
    (folder / "b").write_bytes(b"\xef\xbb\xbf" + SECOND)
    (folder / "c").write_bytes(SECOND.decode().encode("utf-16"))
    for name in ("b", "c"):
        with Source(f"{folder / 'a'}+{folder / name}") as source:
            assert bytes(source.read_all()) == FIRST + SECOND
            assert f"has a part, {folder / name}, that " in source.encoding_note


def test_commands_that_take_one_run_say_how_to_name_it(folder: Path) -> None:
    (folder / "a.zip").write_bytes(zipped({"x": BOTH, "y": BETTER}))
    refused = call(folder, "explain", "qrels", "a.zip", "--query", "1")
    assert refused.code == 2
    assert "a.zip holds 2 runs, and one is wanted" in refused.err
    assert "a.zip::x" in refused.err
    assert call(folder, "explain", "qrels", "a.zip::x", "--query", "1").code == 0


def test_a_file_that_is_not_in_the_archive_is_refused_with_those_that_are(folder: Path) -> None:
    (folder / "a.zip").write_bytes(zipped({"bm25.run": BOTH}))
    refused = evaluate(folder, "a.zip::bm52.run")
    assert refused.code == 3
    assert "error[INP012]: a.zip::bm52.run: no file of this name is in the archive" in refused.err
    assert "the archive has bm25.run" in refused.err
    assert refusal(f"{folder}/qrels::x")[1].endswith("qrels is no zip or tar file")


def test_an_archive_without_files_is_refused(folder: Path) -> None:
    for name, pack in (("zip", zipped), ("tar", tarred)):
        (folder / name).write_bytes(pack({".hidden": b""}))
        assert evaluate(folder, name).err.startswith(f"error[INP012]: {name}: the archive holds no file")
        (folder / name).write_bytes(pack({}) if name == "zip" else tarred({"a/": b""}))
        assert refusal(folder / name)[1] == "the archive holds no file"


def test_encrypted_files_and_unknown_methods_are_refused(folder: Path) -> None:
    path = folder / "a.zip"
    for place, value, said in ((8, 1, "encrypted"), (10, 9, "method 9 (deflate64)"), (10, 77, "method 77 (unknown)")):
        archive = bytearray(zipped({"a": BOTH}))
        archive[archive.index(b"PK\x01\x02") + place] = value
        path.write_bytes(archive)
        name, message = refusal(f"{path}::a")
        assert name == f"{path}::a"
        assert said in message
    path.write_bytes(zipped({"a": BOTH}, zipfile.ZIP_LZMA))
    assert "method 14 (lzma)" in refusal(f"{path}::a")[1]


def test_files_with_holes_are_refused(folder: Path) -> None:
    entry = tarfile.TarInfo("a")
    entry.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(1 << 60)}
    old = tarfile.TarInfo("b")
    old.type = tarfile.GNUTYPE_SPARSE
    path = folder / "a.tar"
    for one, layout in ((entry, tarfile.PAX_FORMAT), (old, tarfile.GNU_FORMAT)):
        with tarfile.open(path, "w", format=layout) as archive:
            archive.addfile(one)
        assert "sparse" in refusal(f"{path}::{one.name}")[1]


@pytest.mark.parametrize("size", [1 << 40, (1 << 62) + 5])
@pytest.mark.parametrize("kind", [b"0", b"L", b"x", b"S"])
def test_absurd_sizes_in_tar_headers_are_refused(size: int, kind: bytes, folder: Path) -> None:
    entry = tarfile.TarInfo("a")
    entry.size, entry.type = size, kind
    (folder / "a.tar").write_bytes(entry.tobuf(tarfile.GNU_FORMAT) + bytes(4096))
    (folder / "a.tgz").write_bytes(gzip.compress((folder / "a.tar").read_bytes()))
    for name in ("a.tar", "a.tgz"):
        assert "the archive ends too early" in refusal(folder / name)[1]


def test_a_zip_file_whose_member_unpacks_to_too_much_is_refused(folder: Path) -> None:
    bomb = b"\n" * (80 << 20)
    (folder / "a.zip").write_bytes(zipped({"a": bomb}, zipfile.ZIP_BZIP2))
    assert "more than 1000 times its size" in refusal(folder / "a.zip")[1]
    (folder / "a.tar.bz2").write_bytes(PACKERS["bzip2"](tarred({"a": bomb})))
    assert "more than 1000 times its size" in refusal(folder / "a.tar.bz2")[1]


def attempt(path: Path) -> str:
    """What is read, or the rule of the finding with which it is refused."""
    try:
        with Source(str(path)) as source:
            return bytes(source.read_all()).decode("latin-1")
    except InputProblem as problem:
        (finding,) = problem.findings
        return finding.rule


@EVERY
def test_an_archive_cut_off_anywhere_is_refused(pack: Pack, folder: Path) -> None:
    archive = pack({"a": BOTH, "b": BETTER})
    path = folder / "archive"
    # A tar file ends with empty blocks, of which one is enough.
    last = 2 * 1024 + 2 * 512 if archive[257:262] == b"ustar" else len(archive)
    for length in range(512 if last != len(archive) else 6, last - 512 if last != len(archive) else last, 7):
        path.write_bytes(archive[:length])
        assert attempt(path) in ("INP012", "INP003"), length


@EVERY
def test_an_archive_with_changed_bytes_is_read_or_refused(pack: Pack, folder: Path) -> None:
    choose = random.Random(5)
    original = pack({"a": BOTH, "b": BETTER})
    found = set()
    for number in range(150):
        archive = bytearray(original)
        for _ in range(choose.randrange(1, 4)):
            archive[choose.randrange(min(len(archive), 2500))] = choose.randrange(256)
        path = folder / f"{number}"
        path.write_bytes(archive)
        found.add(attempt(path))
    assert "INP012" in found


def test_compressed_files_in_an_archive_are_refused_like_others(folder: Path) -> None:
    path = folder / "a.tar"
    path.write_bytes(tarred({"a.gz": gzip.compress(BOTH)[:-5]}))
    with pytest.raises(InputProblem) as caught, Source(str(path)) as source:
        source.read_all()
    (finding,) = caught.value.findings
    assert (finding.rule, finding.path) == ("INP003", f"{path}::a.gz")


def test_the_drop_in_takes_names_and_archives_as_they_are(folder: Path) -> None:
    (folder / "one").write_bytes(FIRST)
    (folder / "a.zip").write_bytes(zipped({"a": BOTH}))
    for run in ("one+one", "a.zip", "a.zip::a"):
        refused = command(["qrels", run], cwd=folder)
        assert (refused.code, refused.stdout) == (2, b"")
