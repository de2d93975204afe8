"""Commands whose options stand in groups, with a long help (``--help``) and one that fits on a screen (``-h``)."""

from __future__ import annotations

import inspect
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

import click
from click.core import ParameterSource

from irevalcli.cli.argument_types import Suggested
from irevalcli.cli.console import complain
from irevalcli.config.keys import OF_OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from irevalcli.config.keys import Key

F = TypeVar("F", bound="Callable[..., Any]")

Section = Literal["Input", "Rules", "Method", "Measures", "Statistics", "Output", "General"]
SECTIONS: tuple[Section, ...] = get_args(Section)
HELP_WIDTH = 100
_GAP = 2
"""Columns between the names and the texts of a list in the help."""


class GroupedOption(click.Option):
    """An option that knows its place in the help, and the key of the configuration file that stands for it, if any."""

    def __init__(self, *args: Any, section: Section = "General", key: Key | None = None, **attributes: Any) -> None:  # noqa: ANN401
        if key is not None and key.variable:
            attributes["envvar"] = key.variable
        super().__init__(*args, **attributes)
        self.section = section
        self.key = key

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        """The value and where it comes from; a default that this command has no use for is passed over."""
        value, source = super().consume_value(ctx, opts)
        if source in {ParameterSource.ENVIRONMENT, ParameterSource.DEFAULT_MAP} and self.lacks(value):
            return self.default, ParameterSource.DEFAULT
        return value, source

    def lacks(self, value: object) -> bool:
        """Whether other commands have this value of a choice, and this one has not."""
        if self.key is None or not isinstance(self.type, click.Choice):
            return False
        return value in self.key.values and value not in self.type.choices


def option(section: Section, *names: str, **attributes: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """The decorator of an option in a group of the help; otherwise as `click.option`."""
    return click.option(*names, cls=GroupedOption, section=section, **attributes)


def key_option(section: Section, *names: str, **attributes: Any) -> Callable[[Any], Any]:  # noqa: ANN401
    """The same for an option that a key of the configuration file stands for, whose record tells what it means."""
    key = OF_OPTIONS[next(name for name in names if name.startswith("--")).partition("/")[0]]
    implied: dict[str, Any] = {"key": key, "help": key.meaning}
    if key.values:
        implied["type"] = Suggested(key.values)
    if key.kind == "switch":
        implied |= {"is_flag": True, "default": key.default}
    elif key.default is not None:
        implied |= {"default": key.default, "show_default": True}
    return option(section, *names, **implied | attributes)


def with_options(command: F, *options: Callable[[Any], Any]) -> F:
    """The command with these options, which stand in its help in this order."""
    for decorate in reversed(options):
        command = decorate(command)
    return command


class Command(click.Command):
    """A command with its options in groups. The examples in its help keep their lines.

    Attributes:
        applies_numbers: whether it takes from the configuration file what changes numbers, or only how they look.
    """

    def __init__(self, name: str | None, *, help: str, applies_numbers: bool = False, **attributes: Any) -> None:  # noqa: A002, ANN401
        self.applies_numbers = applies_numbers
        # click wraps a paragraph unless it begins with a backspace.
        super().__init__(name, help=inspect.cleandoc(help).replace("Examples:", "\b\nExamples:"), **attributes)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Arguments and options; where the configuration is to be shown, only what the call cannot lack by mistake."""
        from irevalcli.cli.configured import is_wanted  # noqa: PLC0415  (it imports this module)

        return [param for param in super().get_params(ctx) if is_wanted(ctx, param)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, with defaults from the configuration file; perhaps only show what they come to."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        from irevalcli.cli.configured import configure  # noqa: PLC0415

        asked, _, _ = self.make_parser(ctx).parse_args(list(args))
        if not any(asked.get(str(param.name)) for param in self.get_params(ctx) if _asks_for_help(param)):
            configure(self, ctx, asked)
        rest = super().parse_args(ctx, args)
        if asked.get("show_config"):
            from irevalcli.cli.show_config import show_config  # noqa: PLC0415  (rare)

            show_config(self, ctx, asked)
            ctx.exit()
        return rest

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401
        """Do the work, after what is to be said about the configuration."""
        from irevalcli.cli.configured import configuration_notes  # noqa: PLC0415

        if not ctx.params["quiet"]:
            for note in configuration_notes(self, ctx):
                complain(f"note:    {note}")
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, one list for each group."""
        for section, options in self._by_section(ctx):
            records = [record for record in (entry.get_help_record(ctx) for entry in options) if record]
            with formatter.section(section):
                formatter.write_dl(records)

    def screenful(self, ctx: click.Context) -> str:
        """Usage, examples, and the names of the options but those that ask for help."""
        formatter = ctx.make_formatter()
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        formatter.write_paragraph()
        names = {
            section: "  ".join("/".join(entry.opts) for entry in options if not _asks_for_help(entry))
            for section, options in self._by_section(ctx)
        }
        with formatter.indentation():
            taken = formatter.current_indent + max(map(len, names)) + _GAP
            formatter.write_dl([(section, _in_lines(text, formatter.width - taken)) for section, text in names.items()])
        formatter.write_paragraph()
        formatter.write_text(f"What they mean: {ctx.command_path} --help")
        return formatter.getvalue().rstrip("\n")

    def _by_section(self, ctx: click.Context) -> Iterator[tuple[Section, list[click.Option]]]:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        for section in SECTIONS:
            members = [entry for entry in options if getattr(entry, "section", "General") == section]
            if members:
                yield section, members


def _asks_for_help(entry: click.Parameter) -> bool:
    return not {"-h", "--help"}.isdisjoint(entry.opts)


def _in_lines(text: str, width: int) -> str:
    """Words in lines that click leaves as they are; it would break them at hyphens."""
    return "\b\n" + "\n".join(wrap(text, max(width, 1), break_on_hyphens=False, break_long_words=False))


def print_short_help(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    """Print the short help of a `Command` and end; the callback of ``-h``."""
    del param
    if wanted and isinstance(ctx.command, Command) and not ctx.resilient_parsing:
        click.echo(ctx.command.screenful(ctx))
        ctx.exit()
