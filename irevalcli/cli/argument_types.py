"""Types of arguments and options that commands share."""

from __future__ import annotations

import math
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from irevalcli.config.keys import MOST_DIGITS, ORDERS

if TYPE_CHECKING:
    from collections.abc import Iterable


class MeasureType(click.ParamType[str]):
    """A measure string; completes to measure names, also at the end of a list."""

    name = "measure"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin so."""
        del ctx, param
        from irevalcli.measures.discovery import load_all  # noqa: PLC0415  (numpy)
        from irevalcli.measures.families import known_measures  # noqa: PLC0415

        load_all()
        before, comma, last = incomplete.rpartition(",")
        return [
            CompletionItem(before + comma + record.name + ("@" if record.at else ""), help=record.title)
            for record in known_measures().values()
            if record.name.lower().startswith(last.lower())
        ]


class FileType(click.ParamType[str]):
    """A path, which may stand behind a label; completes to file names."""

    name = "file"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Whatever the shell finds."""
        del ctx, param
        return [CompletionItem(incomplete, type="file")]


class Suggested(click.Choice[str]):
    """A choice that says what was probably meant."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The choice itself."""
        try:
            choice: str = super().convert(value, param, ctx)
        except click.BadParameter as error:
            known = list(self.choices)
            message = f"{value!r} is none of {', '.join(known)}{meant(str(value), known)}"
            raise click.BadParameter(message, ctx=ctx, param=param) from error
        return choice


def meant(word: str, known: Iterable[str]) -> str:
    """``; did you mean this?``, or nothing if no known word is like `word`."""
    close = get_close_matches(word.lower(), list(known), 1)
    return f"; did you mean {close[0]}?" if close else ""


class Digits(click.ParamType[int | None]):
    """A number of decimals, or ``full``."""

    name = "digits"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:  # noqa: ANN401
        """The number, None for full precision."""
        text = str(value)
        if text == "full":
            return None
        if text.isascii() and text.isdecimal() and int(text) <= MOST_DIGITS:
            return int(text)
        return self.fail(f"{value!r} is neither a number from 0 to {MOST_DIGITS} nor full", param, ctx)


class Level(click.ParamType[float]):
    """A grade."""

    name = "grade"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """The number, which is finite."""
        try:
            level = float(value)
        except ValueError:
            level = math.nan
        if not math.isfinite(level):
            self.fail(f"{value!r} is not a number", param, ctx)
        return level


class Sort(NamedTuple):
    """What results are ordered by: a key, and for ``value`` a measure ("" is the first one)."""

    key: str
    measure: str


class SortType(click.ParamType[Sort]):
    """``run``, ``measure``, ``query``, ``value`` or ``value:MEASURE``."""

    name = "sort"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Sort:  # noqa: ANN401
        """The key and the measure."""
        if isinstance(value, Sort):
            return value
        key, _, measure = str(value).partition(":")
        if key not in ORDERS:
            self.fail(f"{value!r} is none of {', '.join(ORDERS)}, value:MEASURE{meant(key, ORDERS)}", param, ctx)
        if measure and key != "value":
            self.fail(f"{value!r}: only value takes a measure", param, ctx)
        return Sort(key, measure)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The keys that begin so."""
        del ctx, param
        return [CompletionItem(key) for key in ORDERS if key.startswith(incomplete)]


class Tag(click.ParamType[str]):
    """The last column of a run."""

    name = "tag"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The text, which is one word."""
        text = str(value)
        if not text or text.split() != [text] or "\0" in text:
            self.fail(f"{value!r} cannot stand in a column: it is empty or holds a blank", param, ctx)
        return text
