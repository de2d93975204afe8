"""``--show-config``: what each option is, and where that comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from click.core import ParameterSource

from irevalcli.cli.commands import GroupedOption
from irevalcli.cli.configured import colour_variable, configuration_of, setting_of
from irevalcli.cli.console import write_all
from irevalcli.config.keys import OF_OPTIONS
from irevalcli.config.sections import Section
from irevalcli.output.finding_text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

    from irevalcli.cli.commands import Command
    from irevalcli.config.configuration import Configuration
    from irevalcli.config.sections import Setting

Row = tuple[str, str, str]
"""Name, value and origin."""

_NOT_SHOWN = {"-h", "--config", "--isolated", "--show-config"}
"""They say which file is read, or that help is wanted, not how something is done."""


def show_config(command: Command, ctx: click.Context, asked: dict[str, Any]) -> None:
    """Print a line for each option of the command; for ``check``, also for what only the file can say.

    Args:
        command: which it is.
        ctx: after the command line was read.
        asked: the words of the command line, by option.
    """
    configuration = configuration_of(ctx)
    options = [
        param for param in command.params if isinstance(param, GroupedOption) and _NOT_SHOWN.isdisjoint(param.opts)
    ]
    rows = [("file", configuration.path or "none", ""), *(_row(command, ctx, param, asked) for param in options)]
    if command.applies_numbers:
        rows += _rows_of_section(configuration, configuration.top, "")
    first, second = (max(len(row[column]) for row in rows) for column in range(2))
    lines = (f"{name:<{first}}  {value:<{second}}  {origin}".rstrip() for name, value, origin in rows)
    write_all(f"{printable(line)}\n".encode("utf-8", "backslashreplace") for line in lines)


def _row(command: Command, ctx: click.Context, param: GroupedOption, asked: dict[str, Any]) -> Row:
    value, source = param.consume_value(ctx, asked)
    shown = value if isinstance(value, str | int | float | list | tuple) else ""
    return max(param.opts, key=len), _text(shown), _origin(command, ctx, param, source)


def _origin(command: Command, ctx: click.Context, param: GroupedOption, source: ParameterSource) -> str:
    """Where a value comes from; of a default, also why it stands in spite of the file."""
    configuration = configuration_of(ctx)
    setting = setting_of(param, configuration)
    place = configuration.origin(setting.line) if setting else ""
    match source:
        case ParameterSource.COMMANDLINE:
            return "command line"
        case ParameterSource.ENVIRONMENT if param.key:
            return param.key.variable
        case ParameterSource.DEFAULT_MAP:
            return place
        case _:
            return f"default{_why_not_file(command, param, setting, place)}"


def _why_not_file(command: Command, param: GroupedOption, setting: Setting | None, place: str) -> str:
    """Why a default stands in spite of what the file says, in brackets; "" if it says nothing."""
    if setting is None or param.key is None:
        return ""
    if param.lacks(setting.value):
        return f" ({command.name} has no {setting.value}, {place})"
    if param.key.purpose == "presentation":
        return f" ({colour_variable()} goes before {place})"
    return f" ({place} is for check)"


def _rows_of_section(configuration: Configuration, section: Section, before: str) -> Iterator[Row]:
    """What the file says that no option stands for; a rule or another table without tables in it on one line."""
    for name, setting in section.settings.items():
        path = f"{before}{name}"
        if isinstance(setting.value, Section):
            yield from _rows_of_section(configuration, setting.value, f"{path}.")
        elif name == "suite":
            for suite in setting.value:
                yield from _rows_of_section(configuration, suite, f"{path}.")
        elif isinstance(setting.value, tuple):
            for member in setting.value:
                yield path, _fields(member), configuration.origin(member.line)
        elif not _is_option(before, name):
            yield path, _text(setting.value), configuration.origin(setting.line)


def _is_option(before: str, name: str) -> bool:
    return before in {"", "check."} and any(key.name == name for key in OF_OPTIONS.values())


def _fields(section: Section) -> str:
    return ", ".join(f"{name} = {_value(setting)}" for name, setting in section.settings.items())


def _value(setting: Setting) -> str:
    if isinstance(setting.value, tuple):
        return "; ".join(f"{{{_fields(member)}}}" for member in setting.value)
    return _text(setting.value)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
