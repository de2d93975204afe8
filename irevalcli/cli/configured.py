"""The configuration file and a command: options that say which file, defaults from it, notes about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from click.core import ParameterSource

from irevalcli.cli.argument_types import FileType
from irevalcli.cli.commands import GroupedOption, option
from irevalcli.config.configuration import NO_FILE, load_configuration

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

    from irevalcli.cli.commands import Command
    from irevalcli.config.configuration import Configuration
    from irevalcli.config.sections import Setting

CONFIGURATION = "irevalcli.configuration"
"""Under this name a context knows the configuration."""

_GIVEN = "irevalcli.given"
"""Likewise the words of the command line, by option, before they are read."""

configuration_options = (
    option(
        "General",
        "--config",
        type=FileType(),
        metavar="FILE",
        expose_value=False,
        help="Configuration file.  [default: the nearest irevalcli.toml, or [tool.irevalcli] in pyproject.toml]",
    ),
    option("General", "--isolated", is_flag=True, expose_value=False, help="Read no configuration file."),
    option(
        "General",
        "--show-config",
        is_flag=True,
        expose_value=False,
        help="Print what each option is and where that comes from, and exit.",
    ),
)
"""The options that say which file is read."""


def configuration_of(ctx: click.Context) -> Configuration:
    """The configuration of a command that is running."""
    configuration: Configuration = ctx.meta.get(CONFIGURATION, NO_FILE)
    return configuration


def configure(command: Command, ctx: click.Context, asked: dict[str, Any]) -> None:
    """Give the context the configuration and the defaults in it.

    Args:
        command: which it is.
        ctx: before the command line is read.
        asked: the words of the command line, by option.

    Raises:
        UsageProblem: the file cannot be used.
    """
    configuration = load_configuration(asked.get("config"), isolated=bool(asked.get("isolated")))
    ctx.meta[CONFIGURATION] = configuration
    ctx.meta[_GIVEN] = asked
    ctx.default_map = {
        str(param.name): setting.value
        for param, setting in _settings(command, configuration).items()
        if _applies(command, param)
    }
    ctx.allow_extra_args = bool(asked.get("show_config"))


def is_wanted(ctx: click.Context, param: click.Parameter) -> bool:
    """Whether a call must or may have the parameter: to show the configuration, no argument and no option is needed."""
    if not ctx.allow_extra_args:
        return True
    return isinstance(param, GroupedOption) and (not param.required or param.name in ctx.meta[_GIVEN])


def given_options(ctx: click.Context) -> frozenset[str]:
    """The names of the parameters that were given on the command line."""
    return frozenset(name for name in ctx.params if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE)


def given_value(ctx: click.Context, param: click.Parameter) -> Any:  # noqa: ANN401  (values are of many kinds)
    """The value of an option that call or file gave, also of one that the command itself does not see."""
    name = str(param.name)
    if name in ctx.params:
        return ctx.params[name]
    setting = setting_of(param, configuration_of(ctx))
    return ctx.meta[_GIVEN][name] if name in ctx.meta[_GIVEN] or setting is None else setting.value


def colour_variable() -> str:
    """The environment variable of all programs that decides about colour, or ""."""
    return next((name for name in ("NO_COLOR", "FORCE_COLOR") if os.environ.get(name)), "")


def _applies(command: Command, param: GroupedOption) -> bool:
    """Whether the command takes this option from the file. The environment goes before it, also about colour."""
    if param.key is None or (param.key.name == "color" and colour_variable()):
        return False
    return command.applies_numbers or param.key.purpose == "presentation"


def _settings(command: Command, configuration: Configuration) -> dict[GroupedOption, Setting]:
    """What the file says about options of the command, whether they apply or not."""
    found = {}
    for param in command.params:
        setting = setting_of(param, configuration)
        if setting is not None and isinstance(param, GroupedOption):
            found[param] = setting
    return found


def setting_of(param: click.Parameter, configuration: Configuration) -> Setting | None:
    """What the file says about an option, or None."""
    if not isinstance(param, GroupedOption) or param.key is None:
        return None
    section = configuration.check if param.key.purpose == "gate" else configuration.top
    return section.settings.get(param.key.name)


def configuration_notes(command: Command, ctx: click.Context) -> Iterator[str]:
    """What is to be said once: which keys of the file do not apply, and which format the command has not."""
    configuration = configuration_of(ctx)
    settings = _settings(command, configuration)
    idle = {
        param: setting
        for param, setting in settings.items()
        if param.key is not None
        and param.key.purpose == "numbers"
        and not command.applies_numbers
        and setting.value != param.key.default
        and ctx.get_parameter_source(str(param.name)) is not ParameterSource.COMMANDLINE
    }
    if idle:
        names = ", ".join(str(param.key.name) for param in idle if param.key)
        place = configuration.origin(min(setting.line for setting in idle.values()))
        yield f"{place}: {ctx.command_path} does not apply {names}: only check takes from a file what changes numbers"
    for param in command.params:
        if isinstance(param, GroupedOption) and param.key is not None:
            for value, origin in _defaults_for_all(param, configuration):
                source = ctx.get_parameter_source(str(param.name))
                if source is ParameterSource.DEFAULT and param.lacks(value):
                    yield f"{ctx.command_path} has no {param.key.name} {value}, which {origin} asks for"
                    break


def _defaults_for_all(param: GroupedOption, configuration: Configuration) -> Iterator[tuple[Any, str]]:
    """The values that environment and file have for an option, with their origins; the first goes before the other."""
    variable = param.key.variable if param.key else ""
    if os.environ.get(variable):
        yield os.environ[variable], variable
    setting = setting_of(param, configuration)
    if setting is not None:
        yield setting.value, configuration.origin(setting.line)
