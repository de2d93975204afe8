"""The last line of defence: whatever happens becomes a message and an exit code. Imports neither click nor numpy."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, NoReturn

from irevalcli.cli.console import Console, cannot_write, complain
from irevalcli.cli.exits import ExitCode
from irevalcli.errors import IrevalError

if TYPE_CHECKING:
    from collections.abc import Callable


def guarded(work: Callable[[], int], *, debug: bool = False) -> int:  # noqa: PLR0911  (a way out for each end)
    """The exit code of `work`; everything that it raises is turned into a message.

    Args:
        work: returns an exit code.
        debug: show the traceback of a bug.
    """
    try:
        return work()
    except IrevalError as error:
        report(error)
        return error.exit_code
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return ExitCode.READER_GONE
    except MemoryError:
        complain("error: out of memory")
        return ExitCode.INPUT
    except OSError as error:
        if error.errno is None:
            return _bug(error, debug=debug)
        where = f"{error.filename}: " if error.filename else ""
        complain(f"error: {where}{os.strerror(error.errno)}")
        return ExitCode.INPUT
    except Exception as error:  # noqa: BLE001  (the last line of defence)
        return _bug(error, debug=debug)


def report(error: IrevalError) -> None:
    """Say on standard error what is wrong and what to do."""
    from irevalcli.cli.problems import error_lines  # noqa: PLC0415  (start-up: errors are rare)

    for line in error_lines(error, Console.decide()):
        complain(line)


def _bug(error: Exception, *, debug: bool) -> int:
    if debug:
        import traceback  # noqa: PLC0415

        complain("".join(traceback.format_exception(error)).rstrip())
    what = " ".join(f"{type(error).__name__}: {error}".split())
    complain(f"error: this is a bug in irevalcli, sorry ({what}; {_place(error)})")
    return ExitCode.BUG


def _place(error: Exception) -> str:
    """Where an error was raised: the innermost line of this package."""
    place, trace = "place unknown", error.__traceback__
    package = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120  (start-up: pathlib is not needed)
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(package):
            place = f"{os.path.relpath(path, package)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place


def leave(code: int) -> NoReturn:
    """Flush and end the process at once: tearing the interpreter down takes longer than a small evaluation."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = code or ExitCode.READER_GONE
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except OSError as error:
        if not code:
            problem = cannot_write(error)
            report(problem)
            code = problem.exit_code
    os._exit(code)
