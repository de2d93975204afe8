"""``irevalcli check`` as a command: exit codes, what is read and written, and what must never look like a pass."""

from __future__ import annotations

import gzip
import json
import os
import re
import shlex
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from calls import call, put
from gate_files import OLD, write_run, write_world
from test_process import PROGRAM, SECONDS, environ, process

if TYPE_CHECKING:
    from pathlib import Path

WORSE = [rank + 3 for rank in OLD]
RULE = ["--max-drop", "RR=0.02"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with judgments and the runs ``old`` and ``worse``."""
    write_world(tmp_path, old=OLD, worse=WORSE)
    return tmp_path


def files(folder: Path, run: str) -> list[str]:
    return ["check", "--quiet", str(folder / "qrels"), str(folder / run), "--baseline", str(folder / "old"), *RULE]


def test_the_report_ends_with_the_numbers_and_the_command_that_shows_more(folder: Path) -> None:
    got = call(folder, "check", "qrels", "worse", "--baseline", "old", *RULE, "--assert", "RR >= 0.1")
    assert got.code == 1
    last = got.out.splitlines()[-1]
    assert last == "1 failed, 1 passed            details: irevalcli diff qrels old worse -m RR"
    assert call(folder, "check", "qrels", "old", *RULE, "--baseline", "old").out.splitlines()[-1] == "1 passed"


def test_the_command_that_shows_more_can_be_pasted_into_a_shell(folder: Path) -> None:
    (folder / "it's new").write_bytes((folder / "worse").read_bytes())
    got = call(
        folder, "check", "qrels", "run=it's new", "--baseline", "old", "--max-drop", "AP(rel=1)@5=0.02",
        "--max-drop", "P(rel=2)@1=0.5", "--missing", "skip", "--exclude-self",
    )  # fmt: skip
    words = shlex.split(got.out.partition("details: ")[2])
    assert words[:5] == ["irevalcli", "diff", "qrels", "old", "run=it's new"]
    assert call(folder, *words[1:]).code == 0
    assert "AP@5" in words
    assert {"--missing", "--exclude-self"} < set(words)
    bound = call(folder, "check", "qrels", "worse", "--assert", "P(rel=2)@1 >= 0.5")
    again = shlex.split(bound.out.partition("details: ")[2])
    assert again == ["irevalcli", "evaluate", "qrels", "worse", "-m", "P(rel=2)@1", "-q"]
    assert call(folder, *again[1:]).code == 0


DECISIVE = [
    "--depth 1",
    "-l 0.5",
    "--missing skip",
    "--queries q001,q003,q004",
    "--judged-only --depth 2",
    "--ties file",
]


@pytest.mark.parametrize("baseline", ["", "--baseline old", "--baseline old.json"])
@pytest.mark.parametrize("options", DECISIVE)
def test_the_command_that_shows_more_shows_the_same_numbers(folder: Path, options: str, baseline: str) -> None:
    put(folder, irevalcli_toml="collection-size = 9\n")
    write_run(folder / "part", dict(zip([f"q{place:03}" for place in range(1, 10)], [3, 4, *OLD[2:]], strict=False)))
    call(folder, "evaluate", "qrels", "old", "-m", "RR", *options.split(), "--collection-size", "9", "-e", "old.json")
    rule = ["--max-drop", "RR=0.001"] if baseline else ["--assert", "RR >= 0.999"]
    words = ["check", "--quiet", "qrels", "part", *rule, *baseline.split(), *options.split(), "-f", "json"]
    (run,) = json.loads(call(folder, *words).out)["suites"][0]["runs"]
    again = process([], f"cd {folder} && {run['follow_up']}".replace("irevalcli ", '"$@" '))
    assert again.returncode == 0, again.stderr
    header, *rows = [line.split("\t") for line in again.stdout.decode().splitlines()]
    shown = [dict(zip(header, row, strict=True)) for row in rows]
    if baseline:
        found = sum(float(row["second"]) for row in shown) / len(shown)
    else:
        found = next(float(row["value"]) for row in shown if row["query"] == "all")
    assert found == pytest.approx(run["rules"][0]["value"], abs=1e-4)


def test_the_report_repeats_the_command_line(folder: Path) -> None:
    words = ["check", "qrels", "old", "--assert", "RR >= 0.1", "-f", "json"]
    assert json.loads(call(folder, *words).out)["command"] == f"irevalcli {shlex.join(words)}"


@pytest.mark.parametrize(("run", "code"), [("old", 0), ("worse", 1)])
@pytest.mark.parametrize(
    "shell", ['"$@" | true; exit ${PIPESTATUS[0]}', '"$@" >&-', '"$@" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}']
)
def test_the_verdict_stays_whoever_reads_it(folder: Path, run: str, code: int, shell: str) -> None:
    done = process(files(folder, run), shell)
    assert (done.returncode, done.stderr) == (code, b"")


def test_an_interrupt_while_reading_is_130_and_no_verdict(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    started = subprocess.Popen(
        [*PROGRAM, *files(folder, "pipe")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ()
    )
    writer = os.open(folder / "pipe", os.O_WRONLY)
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=SECONDS)
    os.close(writer)
    assert (started.returncode, out, err) == (130, b"", b"")


def test_runs_and_baselines_may_come_through_pipes(folder: Path) -> None:
    rule = shlex.join(RULE)
    for names in ("- --baseline old", "<(cat worse) --baseline <(cat old)", "worse --baseline -"):
        text = (
            f'cd {folder} && cat {"old" if names.endswith("-") else "worse"} | "$@" check --quiet qrels {names} {rule}'
        )
        done = process([], text)
        assert done.returncode == 1, done.stderr
        assert b"1 failed" in done.stdout
    twice = call(folder, "check", "qrels", "-", "--baseline", "-", *RULE)
    assert twice.code == 2


@pytest.mark.parametrize("which", ["qrels", "run", "baseline"])
@pytest.mark.parametrize("kind", ["absent", "empty", "folder", "packed"])
def test_a_file_that_cannot_be_used_is_no_pass(folder: Path, which: str, kind: str) -> None:
    odd = folder / "odd"
    if kind == "empty":
        odd.touch()
    elif kind == "folder":
        odd.mkdir()
    elif kind == "packed":
        odd.write_bytes(gzip.compress(b""))
    names = {"qrels": "qrels", "run": "old", "baseline": "old"} | {which: "odd"}
    got = call(folder, "check", names["qrels"], names["run"], "--baseline", names["baseline"], *RULE)
    assert (got.code, got.out) == (3, "")
    assert "Traceback" not in got.err


def test_no_query_in_common_is_exit_3(folder: Path) -> None:
    write_run(folder / "other", {"Q001": 1})
    got = call(folder, "check", "qrels", "other", "--assert", "RR >= 0.1")
    assert (got.code, got.out) == (3, "")
    assert "no query in common" in got.err


def test_swapped_arguments_are_said_with_the_right_call(folder: Path) -> None:
    got = call(folder, "check", "old", "qrels", "--assert", "RR >= 0.1")
    assert got.code == 2
    assert "look swapped" in got.err
    assert "check qrels old" in got.err


def test_files_are_opened_before_the_work_and_all_or_none_are_written(folder: Path) -> None:
    got = call(folder, "check", "absent", "old", "--assert", "RR >= 0.1", "--export", "no/such/gate.json")
    assert got.code == 2
    assert "--export no/such/gate.json" in got.err
    failed = call(folder, "check", "absent", "old", "--assert", "RR >= 0.1", "--export", "gate.json")
    assert failed.code == 3
    assert not list(folder.glob("*gate*"))
    done = call(folder, "check", "qrels", "old", "--assert", "RR >= 0.9", "-e", "gate.json", "-e", "junit:gate.xml")
    assert done.code == 1
    assert json.loads((folder / "gate.json").read_bytes())["passed"] is False
    assert b"<testsuite" in (folder / "gate.xml").read_bytes()


def test_hashes_are_in_the_json(folder: Path) -> None:
    got = json.loads(call(folder, "check", "qrels", "old", "--assert", "RR >= 0.1", "-f", "json").out)
    assert re.fullmatch("[0-9a-f]{64}", got["suites"][0]["qrels"]["sha256"])
    assert re.fullmatch("[0-9a-f]{64}", got["suites"][0]["runs"][0]["sha256"])


def test_arguments_are_needed_where_no_file_names_them(folder: Path) -> None:
    for words, lacking in (([], "QRELS"), (["qrels"], "RUN")):
        got = call(folder, "check", *words, "--assert", "RR >= 0.1")
        assert (got.code, got.out) == (2, "")
        assert f"{lacking} is missing" in got.err
        assert "irevalcli.toml" in got.err


def test_a_single_argument_is_the_run_where_the_file_names_the_judgments(folder: Path) -> None:
    put(folder, irevalcli_toml='qrels = "qrels"\n[check]\nbaseline = "old"\n')
    assert call(folder, "check", "worse", *RULE).code == 1
    assert call(folder, "check", "old", *RULE).code == 0


def test_several_runs_have_their_labels(folder: Path) -> None:
    (folder / "a").mkdir()
    for name in ("a/x.run", "x.run"):
        (folder / name).write_bytes((folder / "old").read_bytes())
    clash = call(folder, "check", "qrels", "a/x.run", "x.run", "--assert", "RR >= 0.1")
    assert clash.code == 2
    assert "LABEL=PATH" in clash.err
    got = call(folder, "check", "--quiet", "qrels", "first=a/x.run", "second=x.run", "--assert", "RR >= 0.1")
    assert got.code == 0
    assert got.out.count("PASS") == 2
    assert "first\n" in got.out


def test_what_the_terminal_cannot_show_is_spelt_in_ascii(folder: Path) -> None:
    done = process(files(folder, "worse"), PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert done.stdout.isascii()


def test_the_environment_of_a_job_changes_no_byte_of_a_report_in_a_file(folder: Path) -> None:
    plain = process(files(folder, "worse"))
    shell = f'"$@" > {folder}/out; code=$?; cat {folder}/out; exit $code'
    job = {"FORCE_COLOR": "1", "CI": "true", "COLUMNS": "40", "LC_ALL": "de_DE.UTF-8"}
    forced = process(files(folder, "worse"), shell, **job)
    assert (forced.stdout, forced.returncode) == (plain.stdout, 1)


def test_unknown_choices_are_refused_with_a_suggestion(folder: Path) -> None:
    for words, meant in (
        (["--decide", "pont"], "did you mean point?"),
        (["--undecided", "fial"], "did you mean fail?"),
        (["--format", "junitt"], "did you mean junit?"),
        (["--max-drops", "RR=1"], "--max-drop"),
    ):
        got = call(folder, "check", "qrels", "old", "--assert", "RR >= 0.1", *words)
        assert got.code == 2
        assert meant in got.err


def test_a_bug_is_no_verdict(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irevalcli.analysis.gate.gate.decide_bound", lambda *_, **__: 1 // 0)
    got = call(folder, "check", "qrels", "old", "--assert", "RR >= 0.1")
    assert (got.code, got.out) == (70, "")
    assert "Traceback" not in got.err
