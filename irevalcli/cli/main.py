"""The command line: commands found by name and imported when used."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

import click

from irevalcli import __version__
from irevalcli.cli.commands import HELP_WIDTH
from irevalcli.cli.console import complain
from irevalcli.cli.exits import ExitCode
from irevalcli.cli.guard import guarded
from irevalcli.cli.usage import usage_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "irevalcli"
COMPLETION_VARIABLE = "_IREVALCLI_COMPLETE"
CONTEXT = {"max_content_width": HELP_WIDTH}


class CommandEntry(NamedTuple):
    """A command that is imported only when it is used: its module below `irevalcli.cli`, and one line of help."""

    module: str
    summary: str


COMMANDS = {
    "evaluate": CommandEntry("evaluate", "Score runs against relevance judgments."),
    "trec": CommandEntry("trec", "Do what trec_eval does, to the byte."),
    "validate": CommandEntry("validate", "Look for faults and oddities in runs and qrels."),
    "compare": CommandEntry("compare", "Compare runs: differences, intervals, tests, paired by query."),
    "diff": CommandEntry("diff", "Show which queries and documents changed between two runs."),
    "check": CommandEntry("check", "Fail when retrieval quality drops: the gate for CI."),
    "power": CommandEntry("power", "Say how many queries a difference needs, or what so many queries show."),
    "explain": CommandEntry("explain", "Show how a measure of one query came about, rank by rank."),
    "correlate": CommandEntry("correlate", "Show how much rankings agree, of documents or of runs."),
    "fuse": CommandEntry("fuse", "Make one run out of several."),
    "pool": CommandEntry("pool", "List the documents at the top of runs, for judging."),
    "convert": CommandEntry("convert", "Write a run or qrels in another format."),
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
    context_settings={**CONTEXT, "help_option_names": ["-h", "--help"]},
    help=f"Measure search quality from TREC run and qrels files.\n\n{EXAMPLES}",
    epilog="Exit status: 0 done, 1 the answer is no, 2 usage, 3 unusable input, 70 a bug in irevalcli.",
)
@click.version_option(__version__, prog_name=PROGRAM, message="%(prog)s %(version)s")
def irevalcli() -> None:
    """Measure search quality."""


def run(arguments: Sequence[str] | None = None, *, program: str = PROGRAM) -> int:
    """Run a command line and return its exit code; nothing is raised, whatever happens.

    Args:
        arguments: without the program's name; None takes them from the process.
        program: what the user called, for usage and help.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: _run(given, program), debug="--debug" in given)


def _run(arguments: list[str], program: str) -> int:
    """The exit code of a command line. click's own `main` would turn a closed pipe into exit 1."""
    try:
        if COMPLETION_VARIABLE in os.environ:
            irevalcli.main(arguments, PROGRAM, COMPLETION_VARIABLE)
        with irevalcli.make_context(program, list(arguments)) as context:
            result = irevalcli.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        for line in usage_lines(error, COMMANDS, arguments):
            complain(line)
        return ExitCode.USAGE
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else ExitCode.DONE
    return result if isinstance(result, int) else ExitCode.DONE
