"""What users put into their pipelines: the action for GitHub, the job for GitLab, the hook for pre-commit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from calls import call

from irevalcli.output.gate_formats import FORMATS

ROOT = Path(__file__).resolve().parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, CHECK = ACTION["runs"]["steps"]
PROGRAMS = Path(sys.executable).parent
EXPRESSION = re.compile(r"\$\{\{ *([\w.-]+) *\}\}")


class Ended(NamedTuple):
    """What a step left behind."""

    code: int
    out: str
    err: str
    outputs: dict[str, str]
    summary: str


def run_step(
    step: dict[str, Any],
    folder: Path,
    temporary: Path,
    inputs: dict[str, str],
    *,
    programs: str = "",
    variables: dict[str, str] | None = None,
) -> Ended:
    """Run a step of the action as GitHub does: expressions filled in, and the script given to bash."""
    given = {name: str(record.get("default", "")) for name, record in ACTION["inputs"].items()} | inputs
    values = {f"inputs.{name}": value for name, value in given.items()}
    values["steps.install.outputs.programs"] = programs

    def filled(text: str) -> str:
        return EXPRESSION.sub(lambda match: values[match[1]], text)

    temporary.mkdir(exist_ok=True)
    output, summary = temporary / "output", temporary / "summary"
    for file in (output, summary):
        file.write_bytes(b"")
    script = temporary / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("IREVALCLI_", "GIT", "CI"))}
    environment = {
        **inherited,
        "CI": "true",
        "GITHUB_ACTIONS": "true",
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_WORKSPACE": str(folder),
        "RUNNER_TEMP": str(temporary),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
        **{key: filled(value) for key, value in step["env"].items()},
        **(variables or {}),
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=folder / filled(step.get("working-directory", ".")),
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    pairs = dict(line.split("=", 1) for line in output.read_text(encoding="utf-8").splitlines())
    return Ended(done.returncode, done.stdout, done.stderr, pairs, summary.read_text(encoding="utf-8"))


def check(folder: Path, *, programs: Path = PROGRAMS, variables: dict[str, str] | None = None, **inputs: str) -> Ended:
    """Run the second step in `folder`, an underscore in a name of an input standing for a hyphen."""
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    return run_step(CHECK, folder, folder / ".runner", given, programs=str(programs), variables=variables)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with judgments and two runs."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    shutil.copy(ROOT / "sample_qrels" / "sample.qrels", tmp_path / "qrels.txt")
    shutil.copy(ROOT / "sample_runs" / "bm25.run", tmp_path / "bm25.run")
    shutil.copy(ROOT / "sample_runs" / "chargram.run", tmp_path / "chargram.run")
    return tmp_path


def test_the_action_has_the_keys_that_github_knows() -> None:
    assert set(ACTION) <= {"name", "description", "author", "branding", "inputs", "outputs", "runs"}
    assert ACTION["runs"]["using"] == "composite"
    assert all(set(entry) <= {"description", "default", "required"} for entry in ACTION["inputs"].values())
    assert all(set(entry) == {"description", "value"} for entry in ACTION["outputs"].values())
    for step in ACTION["runs"]["steps"]:
        assert set(step) <= {"id", "shell", "env", "run", "working-directory"}
        assert step["shell"] == "bash"


def test_no_input_is_written_into_the_text_of_a_script() -> None:
    assert not any("${{" in step["run"] for step in ACTION["runs"]["steps"])


def test_every_expression_names_something_that_is_there_and_every_input_is_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    found = set(EXPRESSION.findall(text))
    assert {name.removeprefix("inputs.") for name in found if name.startswith("inputs.")} == set(ACTION["inputs"])
    assert {name for name in found if name.startswith("steps.")} == {
        "steps.install.outputs.programs", "steps.check.outputs.verdict", "steps.check.outputs.exit-code",
    }  # fmt: skip


def test_an_old_python_is_refused_with_an_annotation(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = run_step(INSTALL, tmp_path, tmp_path, {"python": str(old)})
    assert done.code == 2
    assert done.out.startswith("::error title=irevalcli::Python 3.11 or later is needed")


def test_the_action_installs_itself_and_a_good_run_passes(repository: Path) -> None:
    # What irevalcli needs comes from the environment of the tests, so that no registry is asked.
    needed = {"PYTHONPATH": sysconfig.get_path("purelib")}
    offline = needed | {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}
    installed = run_step(INSTALL, repository, repository / ".runner", {"python": sys.executable}, variables=offline)
    assert installed.code == 0, installed.err
    programs = Path(installed.outputs["programs"])
    assert programs == repository / ".runner" / "irevalcli" / "bin"
    limits = {"assert": "nDCG@10 >= 0.3\nAP >= 0.2\n"}
    done = check(repository, programs=programs, variables=needed, qrels="qrels.txt", runs="bm25.run", **limits)
    assert done.code == 0, done.err
    assert done.outputs == {"verdict": "passed", "exit-code": "0"}
    assert "PASS  nDCG@10 ≥ 0.3 " in done.out
    assert done.summary.startswith("**The retrieval gate passed:** 2 passed")
    assert "::error" not in done.err


def test_a_bad_run_fails_the_action_with_annotations_a_summary_and_files(repository: Path) -> None:
    done = check(
        repository, qrels="qrels.txt", runs="chargram.run", baseline="bm25.run", max_drop="nDCG@10=0.02",
        export="junit:gate.xml\ngate.json", arguments="--max-query-drop\nnDCG@10=0.1\n",
    )  # fmt: skip
    assert done.code == 1, done.err
    assert done.outputs == {"verdict": "failed", "exit-code": "1"}
    assert "FAIL  no query loses more than 0.1 nDCG@10" in done.out
    assert re.search(r"^::error title=chargram%3A no query loses more than 0.1 nDCG@10::fail: ", done.err, re.MULTILINE)
    assert done.summary.startswith("**The retrieval gate failed:**")
    assert (repository / "gate.xml").exists()
    assert (repository / "gate.json").exists()


def test_inputs_are_never_run_as_shell_text(repository: Path) -> None:
    evil = "$(touch hacked)`touch hacked`; touch hacked #\" ' && touch hacked"
    done = check(repository, qrels=evil, runs=evil, baseline=evil, arguments=evil, max_drop=evil, export=evil)
    assert done.code in (2, 3)
    assert done.outputs == {"verdict": "", "exit-code": str(done.code)}
    assert not (repository / "hacked").exists()


def test_without_inputs_the_action_takes_everything_from_the_configuration(repository: Path) -> None:
    (repository / "search").mkdir()
    (repository / "search" / "irevalcli.toml").write_text(
        'qrels = "../qrels.txt"\n[check]\nruns = ["../bm25.run"]\n[[check.rules]]\nmeasure = "nDCG@10"\nmin = 0.3\n'
    )
    done = check(repository, working_directory="search")
    assert done.code == 0, done.err
    assert "PASS  nDCG@10 ≥ 0.3 " in done.out


def test_the_gitlab_job_keeps_every_report_that_it_writes() -> None:
    (job,) = yaml.safe_load((ROOT / "docs" / "gitlab-ci.yml").read_text(encoding="utf-8")).values()
    (command,) = job["script"]
    program, name, *options = shlex.split(command)
    assert (program, name) == ("irevalcli", "check")
    assert set(options[::2]) == {"--export"}
    written = dict(option.split(":", 1) for option in options[1::2])
    assert set(written) <= set(FORMATS)
    kept = job["artifacts"]["reports"]
    assert kept == {
        "junit": written["junit"], "metrics": written["openmetrics"], "codequality": written["gitlab"],
    }  # fmt: skip
    assert job["artifacts"]["when"] == "always"


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("irevalcli-validate-runs", ("a.run", "runs/b.run.gz")),
        ("irevalcli-validate-qrels", ("eval/dl20.qrels", "x.qrels.zst", "eval/qrels.txt")),
    ],
)
def test_a_pre_commit_hook_takes_its_files_and_runs_a_command_that_is_there(
    name: str, taken: tuple[str, ...], repository: Path
) -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (hook,) = (hook for hook in hooks if hook["id"] == name)
    assert hook["language"] == "python"
    pattern = re.compile(hook["files"])
    assert all(pattern.search(path) for path in taken)
    assert not any(pattern.search(path) for path in ("run.py", "a.running", "irevalcli.toml", "baseline.json"))
    program, *arguments = shlex.split(hook["entry"])
    assert program == "irevalcli"
    good, bad = ("bm25.run", "bad.run") if name.endswith("runs") else ("qrels.txt", "bad.qrels")
    (repository / bad).write_text("not a line of either\n")
    assert call(repository, *arguments, good).code == 0
    assert call(repository, *arguments, good, bad).code == 1
