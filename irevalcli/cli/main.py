"""The command line: commands found by name and imported when used, errors turned into messages and exit codes."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import click

from irevalcli import __version__
from irevalcli.cli.console import Console, complain
from irevalcli.cli.exits import ExitCode
from irevalcli.cli.problems import error_lines
from irevalcli.errors import IrevalError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HELP_WIDTH = 100
CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": HELP_WIDTH}


class CommandEntry(NamedTuple):
    """A command that is imported only when it is used: its module below `irevalcli.cli`, and one line of help."""

    module: str
    summary: str


COMMANDS = {
    "evaluate": CommandEntry("evaluate", "Score runs against relevance judgments."),
    "trec": CommandEntry("trec", "Do what trec_eval does, to the byte."),
    "measures": CommandEntry("measures", "List the measures, or show one in full."),
    "completion": CommandEntry("completion", "Print the completion script of a shell."),
}


class LazyGroup(click.Group):
    """A group whose commands live in modules of their own."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of `COMMANDS`."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        del ctx
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command: click.Command = import_module(f"irevalcli.cli.{entry.module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands with their one-line help, without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in COMMANDS.items()])


EXAMPLES = """\
\b
Examples:
  irevalcli evaluate qrels.txt bm25.run
  irevalcli evaluate qrels.txt bm25.run colbert.run -m nDCG@10 -m 'AP(rel=2)'
  irevalcli trec -q -m map qrels.txt bm25.run
  irevalcli measures nDCG
"""


@click.group(
    cls=LazyGroup,
    context_settings=CONTEXT,
    help=f"Measure search quality from TREC run and qrels files.\n\n{EXAMPLES}",
    epilog="Exit status: 0 done, 1 the answer is no, 2 usage, 3 unusable input, 70 a bug in irevalcli.",
)
@click.version_option(__version__, prog_name="irevalcli", message="%(prog)s %(version)s")
def irevalcli() -> None:
    """Measure search quality."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; nothing is raised, whatever happens."""
    return guarded(lambda: irevalcli.main(args=arguments, prog_name="irevalcli", standalone_mode=False))


def guarded(work: Callable[[], object]) -> int:
    """The exit code of `work`, with everything that it raises turned into a message."""
    try:
        result = work()
    except IrevalError as error:
        for line in error_lines(error, Console.decide()):
            complain(line)
        return error.exit_code
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        _usage(error)
        return ExitCode.USAGE
    except click.ClickException as error:
        complain(f"error: {error.format_message()}")
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        return ExitCode.READER_GONE
    except Exception as error:  # noqa: BLE001  (the last line of defence)
        return _bug(error)
    return result if isinstance(result, int) else ExitCode.DONE


def _usage(error: click.UsageError) -> None:
    if error.ctx is not None:
        complain(error.ctx.get_usage())
    complain(f"error: {error.format_message()}")
    if error.ctx is not None:
        complain(f"  try: {error.ctx.command_path} --help")


def _bug(error: Exception) -> int:
    if isinstance(error, OSError) and error.errno is not None:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"error: {where}{os.strerror(error.errno)}")
        return ExitCode.INPUT
    if "--debug" in sys.argv:
        import traceback  # noqa: PLC0415

        complain(traceback.format_exc().rstrip())
    complain(f"error: this is a bug in irevalcli, sorry ({type(error).__name__}: {error}); --debug shows where")
    return ExitCode.BUG


def main() -> NoReturn:
    """The console script: run and leave at once with the exit code."""
    code = run()
    leave(code)


def leave(code: int) -> NoReturn:
    """Flush what can be flushed and end the process."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except BrokenPipeError:
            code = code or ExitCode.READER_GONE
        except OSError as error:
            complain(f"error: cannot write the output: {os.strerror(error.errno or 0)}")
            code = code or ExitCode.INPUT
    os._exit(code)
