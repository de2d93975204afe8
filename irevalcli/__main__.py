"""The two console scripts. The drop-in is told apart before click is imported."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

# A thread of OpenBLAS would spin on the other core for nothing while numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> NoReturn:
    """``irevalcli``, and ``trec_eval`` if it is called by that name."""
    program = _program()
    if program in ("trec_eval", "irevalcli-trec"):
        main_trec()
    if sys.argv[1:2] == ["trec"]:
        _trec(sys.argv[2:], f"{program} trec")
    from irevalcli.cli.guard import guarded, leave  # noqa: PLC0415

    def work() -> int:
        from irevalcli.cli.main import run  # noqa: PLC0415

        return run(sys.argv[1:], program=program)

    leave(guarded(work))


def main_trec() -> NoReturn:
    """``irevalcli-trec``."""
    _trec(sys.argv[1:], _program())


def _program() -> str:
    """What the user called: the name of the script, or how a module is run."""
    name = os.path.basename(sys.argv[0])  # noqa: PTH119  (start-up: pathlib is not needed)
    return "python -m irevalcli" if name == "__main__.py" else name


def _trec(arguments: list[str], program: str) -> NoReturn:
    from irevalcli.cli.guard import guarded, leave  # noqa: PLC0415

    def work() -> int:
        import gc  # noqa: PLC0415

        gc.disable()
        if sys.stdout is None:
            raise BrokenPipeError
        if sys.stderr is None:
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  (lives as long as the process)
        from irevalcli.cli.console import cannot_write  # noqa: PLC0415
        from irevalcli.trec.command import run  # noqa: PLC0415

        try:
            return run(arguments, program=program)
        except BrokenPipeError:
            raise
        except OSError as error:
            # Files that cannot be read have been dealt with, under their names.
            raise cannot_write(error) from None

    leave(guarded(work))


if __name__ == "__main__":
    main()
