"""irevalcli as a process of its own: signals, closed and full streams, terminals, encodings, completion, examples."""

from __future__ import annotations

import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from calls import call
from drop_in import environment

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
QRELS = str(ROOT / "sample_qrels" / "sample.qrels")
BM25, QL = (str(ROOT / "sample_runs" / f"{name}.run") for name in ("bm25", "ql"))
PROGRAM = [sys.executable, "-m", "irevalcli"]
NATIVE = ["evaluate", "-q", "-m", "all_trec", QRELS, QL]
DROP_IN = ["trec", "-q", "-m", "all_trec", QRELS, QL]
BOTH = pytest.mark.parametrize("arguments", [NATIVE, DROP_IN], ids=["native", "drop-in"])
SECONDS = 60


def environ(**variables: str) -> dict[str, str]:
    """A plain environment that finds the package."""
    kept = {name: value for name, value in environment().items() if not name.startswith(("IREVALCLI_", "PYTHONIO"))}
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL", "LANG", "PYTHONUTF8"):
        kept.pop(name, None)
    return {**kept, **variables}


def process(arguments: Sequence[str], shell: str = '"$@"', **variables: str) -> subprocess.CompletedProcess[bytes]:
    """What a shell line does in which ``"$@"`` is the command."""
    return subprocess.run(
        ["bash", "-c", shell, "bash", *PROGRAM, *arguments],
        capture_output=True,
        timeout=SECONDS,
        env=environ(**variables),
        stdin=subprocess.DEVNULL,
        check=False,
    )


@pytest.mark.parametrize("arguments", [["evaluate", "--quiet", "-q"], ["trec", "-q"]], ids=["native", "drop-in"])
def test_a_reader_that_goes_away_ends_the_process_with_141_and_no_word(arguments: list[str], tmp_path: Path) -> None:
    # More than a pipe holds, so that something remains to be written when the reader is gone.
    (tmp_path / "qrels").write_text("".join(f"{qid} 0 d 1\n" for qid in range(9000)), "utf-8")
    (tmp_path / "run").write_text("".join(f"{qid} Q0 d 1 1 s\n" for qid in range(9000)), "utf-8")
    asked = [*arguments, "-m", "map", "-m", "recip_rank", f"{tmp_path}/qrels", f"{tmp_path}/run"]
    done = process(asked, '"$@" | head -1; exit ${PIPESTATUS[0]}')
    assert done.stdout.count(b"\n") == 1
    assert done.returncode == 141
    assert done.stderr == b""


@BOTH
def test_an_interrupt_while_reading_ends_the_process_with_130_and_no_word(arguments: list[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run")
    started = subprocess.Popen(
        [*PROGRAM, *arguments[:-1], str(tmp_path / "run")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environ(),
    )
    # Opening waits until the process opens the other end.
    writer = os.open(tmp_path / "run", os.O_WRONLY)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=SECONDS)
    os.close(writer)
    assert (started.returncode, out, err) == (130, b"", b"")


@BOTH
def test_closed_and_full_streams_are_no_traceback(arguments: list[str]) -> None:
    for shell, code, said in (
        ('"$@" >&-', 141, ""),
        ('"$@" >/dev/full', 3, "error: cannot write to standard output: No space left on device\n"),
        ('"$@" 2>&- >/dev/null', 0, ""),
        ('"$@" 2>/dev/full >/dev/null', 0, ""),
        ('"$@" <&- >/dev/null', 0, ""),
    ):
        done = process(arguments, shell)
        assert done.returncode == code, shell
        assert [line for line in done.stderr.decode().splitlines(keepends=True) if "error" in line] == [said][
            : bool(said)
        ]
        assert b"Traceback" not in done.stderr


def test_errors_without_a_standard_error_keep_their_exit_code() -> None:
    for arguments, code in ((["evaluate", QRELS, "absent"], 3), (["evaluate"], 2)):
        for redirection in ("2>&-", "2>/dev/full"):
            assert process(arguments, f'"$@" {redirection}').returncode == code
    assert process(["trec", QRELS, "absent"], '"$@" 2>&-').returncode == 2


def test_a_closed_standard_input_is_said() -> None:
    done = process(["evaluate", QRELS, "-"], '"$@" <&-')
    assert done.returncode == 3
    assert b"standard input is closed" in done.stderr


def test_a_bug_in_the_drop_in_is_exit_70_and_one_line() -> None:
    broken = "import irevalcli.trec.command as command; command.run = lambda *_, **__: 1 // 0"
    code = f"{broken}; from irevalcli.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "trec", "q", "r"], capture_output=True, env=environ(), check=False
    )  # fmt: skip
    assert done.returncode == 70
    assert done.stderr.startswith(b"error: this is a bug in irevalcli, sorry (ZeroDivisionError: ")
    assert done.stderr.count(b"\n") == 1


def test_the_module_is_called_by_its_own_name_and_the_scripts_by_theirs(tmp_path: Path) -> None:
    assert process(["--help"]).stdout.startswith(b"Usage: python -m irevalcli [OPTIONS] COMMAND")
    assert b"  help: python -m irevalcli evaluate --help\n" in process(["evaluate"]).stderr
    assert process(["trec", "-y"]).stderr.startswith(b"python -m irevalcli trec: invalid option -- 'y'\n")
    for name, function in (("irevalcli", "main"), ("irevalcli-trec", "main_trec"), ("trec_eval", "main")):
        script = tmp_path / name
        script.write_text(f"#!{sys.executable}\nfrom irevalcli.__main__ import {function}\n{function}()\n", "utf-8")
        script.chmod(0o755)
        done = subprocess.run([script, "-y"], capture_output=True, env=environ(), check=False)
        assert name.encode() in done.stderr
        assert done.returncode == (2 if name == "irevalcli" else 1)


def terminal(arguments: Sequence[str], typed: bytes = b"", **variables: str) -> str:
    """What a command writes to a terminal on which something is typed."""
    child, descriptor = pty.fork()
    if child == 0:
        os.execve(sys.executable, [*PROGRAM, *arguments], environ(TERM="xterm", **variables))  # noqa: S606
    os.write(descriptor, typed)
    written = b""
    while True:
        try:
            block = os.read(descriptor, 65536)
        except OSError:
            break
        if not block:
            break
        written += block
    os.close(descriptor)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, written
    return written.decode().replace("\r\n", "\n")


def test_a_narrow_terminal_gets_blocks_and_whole_ids(tmp_path: Path) -> None:
    label = "a-label-as-long-as-a-street" * 2
    text = terminal(["evaluate", QRELS, f"{label}={BM25}", f"ql={QL}", "-m", "official"], COLUMNS="40", NO_COLOR="1")
    assert text.count(label) > 1
    assert "…" not in text
    plain = call(tmp_path, "evaluate", QRELS, f"{label}={BM25}", f"ql={QL}", "-m", "official")
    assert {row[3] for row in plain.rows} <= set(text.split())
    narrow = terminal(["evaluate", QRELS, BM25, "-m", "official"], COLUMNS="40", NO_COLOR="1").split("19 of 19")[0]
    table = [line for line in narrow.splitlines() if not line.startswith(("note:", "warning:"))]
    assert max(map(len, table)) <= 40


def test_a_terminal_gets_a_table_in_colour_unless_told_otherwise() -> None:
    arguments = ["evaluate", QRELS, BM25, QL, "-m", "AP"]
    assert "\x1b[1m" in terminal(arguments)
    assert terminal(arguments).count("\n") > 3
    assert "\x1b" not in terminal(arguments, NO_COLOR="1")
    assert "\x1b" not in terminal([*arguments, "--color", "never"])
    assert "\x1b" in terminal([*arguments, "--color", "always"], NO_COLOR="1")
    assert "run\tquery\tmeasure\tvalue" in terminal([*arguments, "-f", "tsv"])


def test_a_terminal_as_input_is_announced() -> None:
    text = terminal(["evaluate", "-m", "RR", QRELS, "-"], b"q01 Q0 tyre-01 1 1 typed\n\x04")
    assert "note:    reading from the terminal (-); Ctrl-D ends the input\n" in text
    assert "stdin   0.0526" in text


def test_a_pipe_takes_forced_colour_but_no_other_layout() -> None:
    arguments = ["evaluate", "--quiet", QRELS, BM25, QL, "-m", "AP"]
    assert process(arguments).stdout.startswith(b"run\tquery")
    assert process(arguments, FORCE_COLOR="1").stdout == process(arguments).stdout
    table = [*arguments, "-f", "table"]
    assert b"\x1b" in process(table, FORCE_COLOR="1").stdout
    assert b"\x1b" not in process(table, FORCE_COLOR="1", NO_COLOR="1").stdout
    assert b"\x1b" not in process(table, '"$@" | cat', FORCE_COLOR="").stdout
    assert process(table, FORCE_COLOR="1", COLUMNS="20").stdout == process(table, FORCE_COLOR="1").stdout


@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_an_ascii_environment_changes_no_id(tmp_path: Path, variables: dict[str, str]) -> None:
    (tmp_path / "qrels").write_text("é 0 ü 1\nö 0 ü 1\n", "utf-8")
    (tmp_path / "run").write_text("é Q0 ü 1 1 s\n", "utf-8")
    arguments = ["evaluate", "-q", "-m", "AP", f"{tmp_path}/qrels", f"{tmp_path}/run"]
    done = process(arguments, **variables)
    assert done.returncode == 0
    assert "run\té\tAP\t1.0000\n".encode() in done.stdout
    for name in ("table", "json", "markdown"):
        assert process([*arguments, "-f", name], **variables).returncode == 0
    assert process(["measures", "nDCG"], **variables).returncode == 0
    assert process(["trec", *arguments[1:2], *arguments[4:], "-c"], **variables).returncode == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_a_completion_script_is_printed(tmp_path: Path, shell: str) -> None:
    result = call(tmp_path, "completion", shell)
    assert result.code == 0
    assert "_IREVALCLI_COMPLETE" in result.out
    assert "irevalcli" in result.out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("irevalcli ev", "plain,evaluate"),
        ("irevalcli evaluate -m nDC", "plain,nDCG@"),
        ("irevalcli evaluate -m AP,nDC", "plain,AP,nDCG@"),
        ("irevalcli measures ndc", "plain,nDCG"),
        ("irevalcli evaluate -f js", "plain,jsonl"),
        ("irevalcli evaluate --sort va", "plain,value"),
        ("irevalcli evaluate --missing sk", "plain,skip"),
        ("irevalcli evaluate --per", "plain,--per-query"),
        ("irevalcli evaluate qr", "file,qr"),
        ("irevalcli evaluate q ru", "file,ru"),
    ],
)
def test_words_are_completed(words: str, expected: str) -> None:
    done = process(
        [], _IREVALCLI_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(len(words.split()) - 1)
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == b""
    assert any(line.startswith(expected) for line in done.stdout.decode().splitlines())


def examples() -> list[str]:
    """The example lines of every help text."""
    lines = []
    for command in ([], ["evaluate"], ["compare"], ["diff"], ["power"], ["measures"], ["completion"]):
        text = process([*command, "--help"]).stdout.decode()
        block = re.search(r"^  Examples:\n((?:    .+\n)+)", text, re.MULTILINE)
        assert block, text
        lines += [line.strip() for line in block[1].splitlines()]
    return lines


def test_every_example_of_the_help_runs(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / ".config/fish/completions").mkdir(parents=True)
    shutil.copy(QRELS, tmp_path / "qrels.txt")
    for name in ("bm25.run", "out/run17.gz"):
        shutil.copy(BM25, tmp_path / name)
    shutil.copy(QL, tmp_path / "colbert.run")
    subprocess.run(["gzip", "-k", "bm25.run"], cwd=tmp_path, check=True)
    script = tmp_path / "irevalcli"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m irevalcli "$@"\n', "utf-8")
    script.chmod(0o755)
    found = examples()
    assert len(found) > 12
    for line in found:
        done = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line}"],
            cwd=tmp_path,
            env=environ(PATH=f"{tmp_path}:{os.environ['PATH']}", HOME=str(tmp_path)),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        assert done.stdout or ">" in line
    assert (tmp_path / "scores.csv").is_file()
