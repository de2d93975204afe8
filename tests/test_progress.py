"""The progress bar: on a terminal's standard error only, and gone at the end."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILES = [str(ROOT / "sample_qrels" / "sample.qrels"), str(ROOT / "sample_runs" / "bm25.run")]
# The sample is read in no time, so the bar must not wait for a second.
AT_ONCE = """
import sys
import irevalcli.cli.progress
irevalcli.cli.progress.PATIENCE = 0.0
from irevalcli.cli.main import run
sys.exit(run(["evaluate", *sys.argv[1:], "-m", "AP"]))
"""


def said(*options: str, terminal: bool) -> tuple[bytes, bytes]:
    """Standard output and standard error, the latter a terminal or a pipe."""
    command = [sys.executable, "-c", AT_ONCE, *FILES, *options]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    if not terminal:
        ended = subprocess.run(command, capture_output=True, check=True, env=environment)
        return ended.stdout, ended.stderr
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as running:
        os.close(theirs)
        shown = b""
        while True:
            try:
                block = os.read(ours, 4096)
            except OSError:
                break
            if not block:
                break
            shown += block
        out = running.stdout.read() if running.stdout else b""
    os.close(ours)
    assert running.returncode == 0
    return out, shown


def test_a_long_evaluation_shows_the_file_that_is_read_and_erases_it() -> None:
    out, shown = said(terminal=True)
    assert b"bm25.run" in shown
    assert b"100%" in shown
    erased = shown.rindex(b"\x1b[2K")
    assert b"100%" not in shown[erased:]
    assert out == said(terminal=False)[0]


def test_a_pipe_and_whoever_wants_none_gets_no_bar() -> None:
    assert b"%" not in said(terminal=False)[1]
    assert b"%" not in said("--no-progress", terminal=True)[1]
    assert b"%" not in said("--quiet", terminal=True)[1]
