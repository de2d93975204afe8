"""What commands that measure have in common: which measures, which options, what they say about their arguments."""

from __future__ import annotations

import shlex
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from irevalcli.cli.arguments import STDIN, listed_queries, named_grades
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import click

    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.cli.console import Console


def announce_typing(console: Console, paths: Sequence[str]) -> None:
    """Say so if what is to be read has to be typed, where a missing pipe would look like a hanging program."""
    if STDIN in paths and sys.stdin is not None and sys.stdin.isatty():
        console.say("note:    reading from the terminal (-); Ctrl-D ends the input")


def asked_measures(texts: Sequence[str], level: float) -> list[Asked]:
    """The measures in order, each once.

    Raises:
        UsageProblem: a measure is unknown or wrongly written.
    """
    from irevalcli.analysis.policy import Asked  # noqa: PLC0415
    from irevalcli.measures.spec import parse_spelled  # noqa: PLC0415

    found: dict[str, Asked] = {}
    for text in texts:
        for spec, spelling in parse_spelled(text, level=level):
            found.setdefault(spec.name, Asked(spec, spelling))
    return list(found.values())


def policy_of(options: dict[str, Any]) -> Policy:
    """The options of a command that decide numbers; those that it lacks have their defaults."""
    from irevalcli.analysis.policy import Policy  # noqa: PLC0415

    shared = {name: options[name] for name in Policy._fields if name in options and name not in {"queries", "grades"}}
    grades = named_grades(options.get("grades", ()))
    return Policy(**shared, queries=listed_queries(options.get("queries")), grades=grades)


@contextmanager
def suggesting_order(ctx: click.Context) -> Iterator[None]:
    """Swapped arguments become a complaint with the call that was meant.

    Raises:
        UsageProblem: they are swapped.
    """
    from irevalcli.analysis.swapped import SwappedArguments  # noqa: PLC0415  (numpy, which --help does without)

    try:
        yield
    except SwappedArguments as error:
        call = f"try: {ctx.command_path} {shlex.join(error.order)}"
        raise UsageProblem(error.message, hints=(*error.hints, call)) from None
