"""The drop-in as a real process: a warm parent forks one child per command line.

A child has everything a process has (its own descriptors, exit code and signals, and it may end with ``os._exit``)
without starting Python and importing numpy anew, which would take most of the time of a test.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 60
"""After so long a command is killed."""


class Outcome(NamedTuple):
    """What a command left behind; `code` is negative if a signal ended it."""

    code: int
    stdout: bytes
    stderr: bytes


def command(
    argv: Sequence[str], *, program: str = "trec_eval", cwd: Path = ROOT, stdin: bytes = b"", piped: bool = False
) -> Outcome:
    """What ``program argv…`` does.

    Args:
        argv: arguments; undecodable bytes as surrogates.
        program: the name it is called by, and first argument of the process.
        cwd: working directory.
        stdin: bytes for standard input.
        piped: give them through a pipe (up to its capacity, 64 KiB) instead of a file.
    """
    return _server().run(argv, program, cwd, stdin, piped=piped)


def environment() -> dict[str, str]:
    """The environment in which the project's modules are found, for processes that tests start."""
    inherited = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join([str(ROOT), *filter(None, [inherited])])
    return {**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}


class _Server:
    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [sys.executable, __file__, self._folder.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(),
        )
        atexit.register(self.close)

    def run(self, argv: Sequence[str], program: str, cwd: Path, stdin: bytes, *, piped: bool) -> Outcome:
        folder = Path(self._folder.name)
        (folder / "stdin").write_bytes(stdin)
        request = json.dumps({"argv": [program, *argv], "cwd": str(cwd), "piped": piped})
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            raise RuntimeError("the parent of the drop-in has no pipes")
        to.write(request.encode() + b"\n")
        to.flush()
        code = int(back.readline())
        return Outcome(code, (folder / "stdout").read_bytes(), (folder / "stderr").read_bytes())

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()
        self._folder.cleanup()


@cache
def _server() -> _Server:
    return _Server()


def _serve(folder: Path) -> None:
    """The parent: a request a line on standard input, an exit code a line on standard output."""
    import importlib  # noqa: PLC0415  (only the parent needs it)
    import pkgutil  # noqa: PLC0415

    for part in ("reading", "index", "measures", "trec"):
        package = importlib.import_module(f"irevalcli.{part}")
        for module in pkgutil.iter_modules(package.__path__, f"irevalcli.{part}."):
            importlib.import_module(module.name)
    importlib.import_module("irevalcli.__main__")
    answers = os.dup(1)
    while request := sys.stdin.buffer.readline():
        child = os.fork()
        if child == 0:
            os.close(answers)
            _become(json.loads(request), folder)
        _, status = os.waitpid(child, 0)
        os.write(answers, b"%d\n" % os.waitstatus_to_exitcode(status))


def _become(request: dict[str, object], folder: Path) -> None:
    """Turn this process into the command; never returns."""
    import signal  # noqa: PLC0415
    import traceback  # noqa: PLC0415

    from irevalcli.__main__ import main  # noqa: PLC0415

    signal.alarm(SECONDS)
    given = os.open(folder / "stdin", os.O_RDONLY)
    if request["piped"]:
        read, write = os.pipe()
        os.write(write, (folder / "stdin").read_bytes())
        os.close(write)
        os.dup2(read, given)
        os.close(read)
    os.dup2(given, 0)
    os.close(given)
    for descriptor, name in ((1, "stdout"), (2, "stderr")):
        opened = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.chdir(str(request["cwd"]))
    sys.argv = list(request["argv"])  # type: ignore[call-overload]
    code = 70
    try:
        main()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:  # noqa: BLE001  (as the interpreter would show it)
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
