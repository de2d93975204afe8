"""A command in a process of its own, and the most memory that it ever held."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

from drop_in import environment

if TYPE_CHECKING:
    from pathlib import Path

# The process says last how much it held, in KiB.
_MEASURED = """
import os, sys
leave = os._exit
def spy(code):
    with open("/proc/self/status") as status:
        print(*(line.split()[1] for line in status if line.startswith("VmHWM")), file=sys.stderr, flush=True)
    leave(code)
os._exit = spy
from irevalcli.__main__ import main
sys.argv[0] = {program!r}
main()
"""


class Measured(NamedTuple):
    """What a command came to; `peak` is in bytes."""

    code: int
    stdout: bytes
    peak: int


def measured(folder: Path, program: str, *argv: str) -> Measured:
    """What ``program argv…`` comes to in a folder."""
    command = [sys.executable, "-c", _MEASURED.format(program=program), *argv]
    ended = subprocess.run(command, capture_output=True, cwd=folder, env=environment(), check=False)
    return Measured(ended.returncode, ended.stdout, int(ended.stderr.splitlines()[-1]) * 1024)
