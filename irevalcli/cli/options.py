"""Options and argument types that commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., Any]")


class MeasureType(click.ParamType):
    """A measure string; completes to measure names."""

    name = "measure"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so."""
        del ctx, param
        from irevalcli.measures.families import all_measures  # noqa: PLC0415

        return [
            CompletionItem(record.name + ("@" if record.at else ""), help=record.title)
            for record in all_measures().values()
            if record.name.lower().startswith(incomplete.lower())
        ]


class Suggested(click.Choice[str]):
    """A choice that says what was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The choice itself."""
        from difflib import get_close_matches  # noqa: PLC0415

        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            close = get_close_matches(str(value), [str(choice) for choice in self.choices], 1)
            if close:
                error.message = f"{error.message} Did you mean {close[0]!r}?"
            raise


class Digits(click.ParamType):
    """A number of decimals, or ``full``."""

    name = "N|full"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:  # noqa: ANN401
        """The number, None for full precision."""
        if value == "full" or value is None:
            return None
        if isinstance(value, int) or (isinstance(value, str) and value.isdecimal() and int(value) <= MOST_DIGITS):
            return int(value)
        self.fail(f"{value!r} is neither a number from 0 to {MOST_DIGITS} nor 'full'", param, ctx)


MOST_DIGITS = 17


def presentation_options(command: F) -> F:
    """The options on how results look; each has an environment variable."""
    for option in (
        click.option(
            "--color",
            type=Suggested(["auto", "always", "never"]),
            default="auto",
            envvar="IREVALCLI_COLOR",
            help="Colour; auto: on a terminal, and as NO_COLOR and FORCE_COLOR say.",
        ),
        click.option("--quiet", is_flag=True, envvar="IREVALCLI_QUIET", help="Say nothing but errors on stderr."),
        click.option("--debug", is_flag=True, help="Show the traceback of a bug."),
    ):
        command = option(command)
    return command
