"""What click says about a wrong call, in our words."""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from irevalcli.cli.argument_types import meant

if TYPE_CHECKING:
    from collections.abc import Iterable


_NO_NUMBER = re.compile(r"a valid (integer|float)(?: range)?$")
_NUMBERS = {"integer": "a whole number", "float": "a number"}


def usage_lines(error: click.UsageError, commands: Iterable[str], arguments: list[str]) -> list[str]:
    """The lines of a usage error, what to do below it.

    Args:
        error: as click raised it.
        commands: the names of all commands.
        arguments: the command line that was wrong.
    """
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return [error.format_message()]
    lines = [f"error: {_message(error, commands)}"]
    if error.ctx is None:
        return lines
    program = error.ctx.find_root().info_name
    if error.ctx.parent is None and _looks_like_evaluation(error, arguments):
        lines.append(f"  try: {program} evaluate {shlex.join(arguments)}")
    lines.append(f"  {error.ctx.get_usage()}" if isinstance(error, click.MissingParameter) else "")
    lines.append(f"  help: {error.ctx.command_path} --help")
    return [line for line in lines if line]


def _message(error: click.UsageError, commands: Iterable[str]) -> str:
    match error:
        case click.exceptions.NoSuchCommand():
            return f"unknown command '{error.command_name}'{meant(error.command_name, commands)}"
        case click.NoSuchOption():
            suggestions = error.possibilities or ()
            return f"unknown option {error.option_name}{meant(error.option_name, suggestions)}"
        case click.MissingParameter(param=click.Option() as missing):
            return f"{missing.opts[-1]} is missing"
        case click.MissingParameter() if error.param is not None:
            return f"{error.param.make_metavar(error.ctx) if error.ctx else error.param.name} is missing"
        case click.BadParameter() if error.param is not None:
            message = _NO_NUMBER.sub(lambda kind: _NUMBERS[kind[1]], error.message.rstrip("."))
            return f"{_name(error.param, error.ctx)} {message}"
        case _:
            message = error.format_message()
            return message[:1].lower() + message[1:].rstrip(".")


def _name(param: click.Parameter, ctx: click.Context | None) -> str:
    """The parameter as the user gave it: a variable of the environment, an option or an argument."""
    source = None if ctx is None or param.name is None else ctx.get_parameter_source(param.name)
    if source is ParameterSource.ENVIRONMENT:
        return f"{param.envvar}:"
    return param.opts[-1] if isinstance(param, click.Option) else param.human_readable_name


def _looks_like_evaluation(error: click.UsageError, arguments: list[str]) -> bool:
    """Whether only the command seems to be missing: trec_eval has none."""
    match error:
        case click.exceptions.NoSuchCommand():
            return os.path.exists(error.command_name)  # noqa: PTH110  (start-up: pathlib is not needed)
        case click.NoSuchOption():
            return error.option_name in ("-m", "-q", "-l", "-J", "-M") and len(arguments) > 1
        case _:
            return False
