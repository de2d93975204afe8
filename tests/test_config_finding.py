"""Which configuration file a command reads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from calls import Call, call, put
from drop_in import environment
from test_imports import imported

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder below a repository, with ``qrels`` and ``run``; AP is a half, printed with as many digits as wanted."""
    folder = tmp_path / "repository" / "part"
    folder.mkdir(parents=True)
    put(folder, qrels="q 0 d 1\nq 0 e 0", run="q Q0 e 1 2 s\nq Q0 d 2 1 s")
    return folder


def scored(folder: Path, *options: str, **variables: str) -> Call:
    return call(folder, "evaluate", "-m", "AP", *options, "qrels", "run", env=variables)


def digits(folder: Path, *options: str) -> int:
    """With how many decimals the value was printed."""
    result = scored(folder, *options)
    assert result.code == 0, result.err
    return len(result.values["all AP"].partition(".")[2])


def test_the_nearest_file_upward_is_read(place: Path) -> None:
    assert digits(place) == 4
    put(place.parent.parent, irevalcli_toml="digits = 1")
    assert digits(place) == 1
    put(place.parent, irevalcli_toml="digits = 2")
    assert digits(place) == 2
    put(place, irevalcli_toml="digits = 3")
    assert digits(place) == 3


def test_nothing_is_searched_above_the_root_of_the_repository(place: Path) -> None:
    put(place.parent.parent, irevalcli_toml="digits = 1")
    (place.parent / ".git").mkdir()
    assert digits(place) == 4
    put(place.parent, irevalcli_toml="digits = 2")
    assert digits(place) == 2


def test_the_git_file_of_a_worktree_is_a_root_too(place: Path) -> None:
    put(place.parent.parent, irevalcli_toml="digits = 1")
    put(place.parent, _git="gitdir: elsewhere")
    assert digits(place) == 4


def test_a_table_of_pyproject_is_read_where_there_is_no_irevalcli_toml(place: Path) -> None:
    put(place, pyproject_toml="[project]\nname = 'x'\n[tool.irevalcli]\ndigits = 3")
    assert digits(place) == 3
    put(place.parent, irevalcli_toml="digits = 2")
    assert digits(place) == 2


@pytest.mark.parametrize(
    "written",
    [
        "[tool.irevalcli]\ndigits = 3",
        "[tool]\nirevalcli.digits = 3",
        "tool = {irevalcli = {digits = 3}}",
        '[tool . "irevalcli" ]\ndigits = 3',
    ],
    ids=["table", "dotted", "inline", "quoted"],
)  # fmt: skip
def test_the_table_of_pyproject_may_be_written_in_every_way_of_toml(written: str, place: Path) -> None:
    put(place, pyproject_toml=written)
    assert digits(place) == 3


def test_a_pyproject_without_our_table_is_passed_over_even_if_it_is_broken(place: Path) -> None:
    put(place.parent, pyproject_toml="[tool.irevalcli]\ndigits = 2")
    put(place, pyproject_toml="[project]\ndependencies = ['irevalcli>=0.1']")
    assert digits(place) == 2
    put(place, pyproject_toml="[project\nname =")
    assert digits(place) == 2


def test_a_broken_pyproject_that_names_us_is_an_error_with_its_line(place: Path) -> None:
    put(place, pyproject_toml="[project]\n[tool.irevalcli]\ndigits = = 3")
    result = scored(place)
    assert result.code == 2
    assert result.err.startswith("error: pyproject.toml:3: no valid TOML: ")


def test_a_folder_with_the_name_of_the_file_is_none(place: Path) -> None:
    (place / "irevalcli.toml").mkdir()
    (place / "pyproject.toml").mkdir()
    assert digits(place) == 4


def test_config_names_the_file_wherever_it_is_and_isolated_reads_none(place: Path) -> None:
    put(place, irevalcli_toml="digits = 3", other_toml="digits = 1", pyproject_toml="[tool.irevalcli]\ndigits = 2")
    assert digits(place, "--config", "other.toml") == 1
    assert digits(place, "--config", "pyproject.toml") == 2
    assert digits(place, "--isolated") == 4
    put(place, irevalcli_toml="nonsense")
    assert digits(place, "--isolated") == 4
    both = scored(place, "--config", "other.toml", "--isolated")
    assert both.code == 2
    assert "contradict" in both.err


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("missing.toml", "missing.toml: No such file or directory"),
        (".", ".: Is a directory"),
        ("plain/pyproject.toml", "has no table [tool.irevalcli]"),
    ],
)
def test_a_named_file_that_cannot_be_used_is_an_error(path: str, complaint: str, place: Path) -> None:
    (place / "plain").mkdir()
    put(place / "plain", pyproject_toml="[project]\nname = 'x'")
    result = scored(place, "--config", path)
    assert result.code == 2
    assert complaint in result.err


def test_a_file_may_come_through_a_pipe(place: Path) -> None:
    os.mkfifo(place / "pipe")
    writer = subprocess.Popen(["sh", "-c", "echo 'digits = 1' > pipe"], cwd=place)
    assert digits(place, "--config", "pipe") == 1
    assert writer.wait() == 0


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(place: Path) -> None:
    put(place, irevalcli_toml=b"\xef\xbb\xbfdigits = 1\r\nquiet = true\r\n")
    assert digits(place) == 1


def test_a_file_in_a_legacy_encoding_is_an_error_with_its_line(place: Path) -> None:
    put(place, irevalcli_toml="digits = 1\n# caf\xe9\n".encode("cp1252"))
    result = scored(place)
    assert (result.code, result.err.splitlines()[0]) == (2, "error: irevalcli.toml:2: not UTF-8")


@pytest.mark.parametrize(
    "text",
    [b"digits = " + b"1" * 5000, b"x = " + b"[" * 5000 + b"]" * 5000, b"", b"\n", b"x", b"x = \x00", b"\xff\xfe"],
    ids=["long-number", "deep", "empty", "blank", "word", "nul", "utf-16"],
)
def test_no_file_makes_the_program_fall_over(text: bytes, place: Path) -> None:
    put(place, irevalcli_toml=text)
    result = scored(place)
    assert result.code in {0, 2}
    assert (result.code == 0) == (not text.strip())
    assert "bug" not in result.err


def test_a_working_directory_that_is_gone_has_no_file(place: Path) -> None:
    files = [str(place / name) for name in ("qrels", "run")]
    gone = place / "gone"
    gone.mkdir()
    code = (
        "import os, shutil, sys; os.rmdir(os.getcwd()); from irevalcli.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "evaluate", "--quiet", *files],
        cwd=gone, env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_unreadable_file_is_an_error_that_says_so(place: Path) -> None:
    (place / "irevalcli.toml").symlink_to("/proc/self/mem")
    result = scored(place)
    shutil.rmtree(place)
    assert result.code == 2
    assert result.err.startswith("error: irevalcli.toml: ")


def test_toml_is_imported_only_where_there_is_a_file(place: Path) -> None:
    put(place, pyproject_toml="[project]\ndependencies = ['irevalcli>=0.1']")
    asked = ("evaluate", "qrels", "run")
    assert "tomllib" not in imported(place, *asked)
    put(place, irevalcli_toml="digits = 2")
    assert "tomllib" in imported(place, *asked)
    assert "tomllib" not in imported(place, *asked, "--isolated")
    assert imported(place, "evaluate", "--help").isdisjoint({"tomllib", "numpy", "rich"})


def test_help_needs_no_file_and_no_file_can_spoil_it(place: Path) -> None:
    put(place, irevalcli_toml="nonsense")
    for asked in (["--help"], ["-h"], ["--config", "missing", "--help"]):
        assert call(place, "evaluate", *asked).code == 0
    assert call(place, "--help").code == 0
    assert call(place, "--version").code == 0
