"""The ``console`` blocks of the documentation: found, run, compared with what they show, rewritten.

In such a block a line that begins with ``$ `` is a command, and what follows is what it writes, standard output and
standard error together. A line ``…`` stands for any lines, at most once in an output. The commands of a page run one
after the other in one folder that holds copies of the sample files, so a command may use what an earlier one wrote.
"""
# ruff: noqa: INP001  (a folder of pages and the scripts that make them, no package)

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ("sample_qrels", "sample_runs", "benchmarks/samples", "docs/example_plugin")
ELISION = "…"
_FENCE, _OPENING, _PROMPT = "```", "```console", "$ "
_AWAY_FROM_THE_PAGE = re.compile(r"irevalcli evaluate .*[|>]|irevalcli validate ")
_TIMEOUT = 60
_BUG = 70


class Step(NamedTuple):
    """A command with what the page shows of its output.

    Attributes:
        line: where the command stands in the page, from 1.
        command: without the prompt.
        shown: the lines below it.
    """

    line: int
    command: str
    shown: list[str]


def pages() -> list[Path]:
    """The pages whose ``console`` blocks are kept true."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def steps(text: str) -> list[Step]:
    """The commands of a page, in order.

    Raises:
        ValueError: a block does not begin with a command.
    """
    found: list[Step] = []
    inside = begun = False
    for number, line in enumerate(text.splitlines(), 1):
        if not inside:
            inside, begun = line == _OPENING, False
        elif line == _FENCE:
            inside = False
        elif line.startswith(_PROMPT):
            found.append(Step(number, line.removeprefix(_PROMPT), []))
            begun = True
        elif begun:
            found[-1].shown.append(line)
        else:
            raise ValueError(f"line {number}: a console block begins with a command, '{_PROMPT}…'")
    return found


def prepare(folder: Path) -> None:
    """Fill a folder with what the commands of a page work on."""
    for name in SAMPLES:
        shutil.copytree(ROOT / name, folder / name.removeprefix("docs/"), dirs_exist_ok=True)


def outputs(commands: list[str], folder: Path) -> list[list[str]]:
    """What each command writes, line by line. ``irevalcli`` is the one beside this Python.

    Raises:
        RuntimeError: irevalcli met a bug, which must not get into a page.
    """
    written = []
    status = 0
    for command in commands:
        # A page can ask for the exit status of the command before by ``echo $?``.
        done = subprocess.run(  # noqa: S603  (the commands of our own pages)
            ["bash", "-c", f"(exit {status})\n{command}"],  # noqa: S607
            cwd=folder, env=_environment(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=_TIMEOUT, check=False,
        )  # fmt: skip
        status = done.returncode
        if status == _BUG:
            raise RuntimeError(f"{command}: {done.stdout.decode('utf-8', 'backslashreplace')}")
        written.append(done.stdout.decode("utf-8", "backslashreplace").splitlines())
    return written


def _environment(command: str) -> dict[str, str]:
    """An environment that is the same everywhere, and like a terminal's for what shows on the page."""
    removed = (
        "NO_COLOR", "FORCE_COLOR", "POSIXLY_CORRECT", "PYTHONPATH", "GITHUB_ACTIONS", "GITLAB_CI", "GIT_DIR",
        "GIT_WORK_TREE", "GIT_INDEX_FILE",
    )  # fmt: skip
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in removed and not name.startswith(("IREVALCLI_", "LC_"))
    }
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    fixed = {"PATH": programs, "PYTHONUTF8": "1", "LC_ALL": "C", "COLUMNS": "100", "TERM": "dumb"}
    fixed |= {f"GIT_{who}_{what}": "reader" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    fixed |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    # On a terminal, evaluate prints a table; in a pipe or a file, tab-separated lines. validate has no table.
    style = {} if _AWAY_FROM_THE_PAGE.search(command) else {"IREVALCLI_FORMAT": "table"}
    return inherited | fixed | style


def agrees(shown: list[str], written: list[str]) -> bool:
    """Whether a command wrote what the page shows."""
    if ELISION not in shown:
        return shown == written
    head, tail = _around(shown)
    enough = len(head) + len(tail) <= len(written)
    return enough and written[: len(head)] == head and written[len(written) - len(tail) :] == tail


def _around(shown: list[str]) -> tuple[list[str], list[str]]:
    place = shown.index(ELISION)
    return shown[:place], shown[place + 1 :]


def renewed(shown: list[str], written: list[str]) -> list[str]:
    """The new lines for the page: as many around a ``…`` as before."""
    if agrees(shown, written):
        return shown
    if ELISION not in shown:
        return written
    head, tail = _around(shown)
    if len(head) + len(tail) >= len(written):
        return written
    return [*written[: len(head)], ELISION, *written[len(written) - len(tail) :]]


def rewritten(text: str, written: list[list[str]]) -> str:
    """The page with the outputs of its commands, one list of lines for each of its `steps`."""
    lines = text.splitlines()
    for step, output in reversed(list(zip(steps(text), written, strict=True))):
        lines[step.line : step.line + len(step.shown)] = renewed(step.shown, output)
    return "\n".join(lines) + "\n"
