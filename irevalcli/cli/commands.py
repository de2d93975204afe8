"""Commands whose options stand in groups, with a long help (``--help``) and one that fits on a screen (``-h``)."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

F = TypeVar("F", bound="Callable[..., Any]")

Section = Literal["Input", "Method", "Measures", "Statistics", "Output", "General"]
SECTIONS: tuple[Section, ...] = get_args(Section)
HELP_WIDTH = 100


class GroupedOption(click.Option):
    """An option that knows its place in the help."""

    def __init__(self, *args: Any, section: Section = "General", **attributes: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **attributes)
        self.section = section


def option(section: Section, *names: str, **attributes: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """The decorator of an option in a group of the help; otherwise as `click.option`."""
    return click.option(*names, cls=GroupedOption, section=section, **attributes)


def with_options(command: F, *options: Callable[[Any], Any]) -> F:
    """The command with these options, which stand in its help in this order."""
    for decorate in reversed(options):
        command = decorate(command)
    return command


class Command(click.Command):
    """A command with its options in groups. The examples in its help keep their lines."""

    def __init__(self, name: str | None, *, help: str, **attributes: Any) -> None:  # noqa: A002, ANN401
        # click wraps a paragraph unless it begins with a backspace.
        super().__init__(name, help=inspect.cleandoc(help).replace("Examples:", "\b\nExamples:"), **attributes)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, one list for each group."""
        for section, options in self._by_section(ctx):
            records = [record for record in (entry.get_help_record(ctx) for entry in options) if record]
            with formatter.section(section):
                formatter.write_dl(records)

    def screenful(self, ctx: click.Context) -> str:
        """Usage, examples, and the names of the options."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        formatter.write_paragraph()
        names = [
            (section, "  ".join("/".join(entry.opts) for entry in options))
            for section, options in self._by_section(ctx)
        ]
        with formatter.indentation():
            formatter.write_dl(names)
        formatter.write_paragraph()
        formatter.write_text(f"What they mean: {ctx.command_path} --help")
        return formatter.getvalue().rstrip("\n")

    def _by_section(self, ctx: click.Context) -> Iterator[tuple[Section, list[click.Option]]]:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        for section in SECTIONS:
            members = [entry for entry in options if getattr(entry, "section", "General") == section]
            if members:
                yield section, members


def print_short_help(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the short help of a `Command` and end; the callback of ``-h``."""
    del param
    if wanted and isinstance(ctx.command, Command) and not ctx.resilient_parsing:
        click.echo(ctx.command.screenful(ctx))
        ctx.exit()
