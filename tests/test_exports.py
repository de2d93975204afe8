"""Files that results are written to: never one that is read, and also what is no file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from calls import call
from gate_files import OLD, write_world
from test_process import process

if TYPE_CHECKING:
    from pathlib import Path

READING = {
    "evaluate": "evaluate qrels old new -e",
    "compare": "compare qrels old new -e",
    "diff": "diff qrels old new -e",
    "diff-without-qrels": "diff old new -e",
    "check": "check qrels new --baseline old --max-drop RR=0.1 -e",
    "validate": "validate qrels old new -e",
    "fuse": "fuse old new -o",
}


@pytest.mark.parametrize("name", READING)
def test_no_file_that_is_read_is_overwritten(name: str, tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD, new=OLD)
    (tmp_path / "link").symlink_to("old")
    before = (tmp_path / "old").read_bytes()
    for path in ("old", "./old", "link"):
        words = READING[name].replace(" old ", " label=old ", 1).split() if path == "link" else READING[name].split()
        got = call(tmp_path, *words, path if name == "fuse" else f"json:{path}")
        assert (got.code, got.out) == (2, "")
        assert f"{path}: is read by the same call, and would be overwritten" in got.err
        assert (tmp_path / "old").read_bytes() == before


def test_results_go_into_pipes_under_whatever_name_the_shell_gives_them(tmp_path: Path) -> None:
    write_world(tmp_path, old=OLD)
    words = ["evaluate", "--quiet", str(tmp_path / "qrels"), str(tmp_path / "old"), "-m", "RR", "-e"]
    done = process(words, '"$@" json:>(cat > /dev/null)')
    assert (done.returncode, done.stderr) == (0, b"")
    piped = process(words, '"$@" json:/dev/stderr 2>&1 >/dev/null | cat')
    assert piped.stdout.startswith(b'{\n  "schema": 1')
