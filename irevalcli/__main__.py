"""The two console scripts. The drop-in is told apart before click is imported."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

# A thread of OpenBLAS would spin on the other core for nothing while numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> NoReturn:
    """``irevalcli``, and ``trec_eval`` if it is called by that name."""
    program = os.path.basename(sys.argv[0])  # noqa: PTH119  (start-up: pathlib is not needed)
    if program in ("trec_eval", "irevalcli-trec"):
        main_trec()
    if sys.argv[1:2] == ["trec"]:
        del sys.argv[1]
        _trec(f"{program} trec")
    from irevalcli.cli.main import main as command_line  # noqa: PLC0415

    command_line()


def main_trec() -> NoReturn:
    """``irevalcli-trec``."""
    _trec(os.path.basename(sys.argv[0]))  # noqa: PTH119


def _trec(program: str) -> NoReturn:
    import gc  # noqa: PLC0415

    gc.disable()
    from irevalcli.trec.command import run  # noqa: PLC0415

    leave(run(sys.argv[1:], program=program))


def leave(code: int) -> NoReturn:
    """Flush and end the process at once: tearing the interpreter down takes longer than a small evaluation."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
