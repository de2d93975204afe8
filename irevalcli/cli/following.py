"""The command line that shows more about what a gate found."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from click.core import ParameterSource

from irevalcli.cli.commands import GroupedOption
from irevalcli.cli.configured import given_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.gate.baseline import StoredBaseline
    from irevalcli.analysis.gate.gate import SuiteAsked
    from irevalcli.analysis.gate.verdicts import RunVerdicts, Verdict

_DEPTH = "--depth"
_OF_VALUES = frozenset({"--missing", "--plugin"})
"""What ``diff`` must know of evaluations, too."""


def follow_up(
    ctx: click.Context, suite: SuiteAsked, run: NamedRun, verdicts: RunVerdicts, stored: StoredBaseline | None
) -> str:
    """The call that shows more about the first rule that does not hold; "" if all do, or there is nothing to show.

    Args:
        ctx: of the call.
        suite: what was checked.
        run: which of its runs.
        verdicts: on that run.
        stored: the baseline if it is the JSON of an evaluation, which is compared with another such.
    """
    broken = [verdict for verdict in verdicts.verdicts if verdict.outcome != "pass" and verdict.measure]
    if not broken:
        return ""
    first = min(broken, key=_rank)
    given = list(decisive_options(ctx))
    measure, options = ["-m", first.measure], [word for words in given for word in words]
    if first.margin is None or suite.baseline is None:
        return shlex.join(["irevalcli", "evaluate", suite.qrels, run.argument, *measure, *options, "-q"])
    old = suite.baseline.argument
    # The depth of diff is another one.
    if stored is None and not any(words[0] == _DEPTH for words in given):
        return shlex.join(["irevalcli", "diff", suite.qrels, old, run.argument, *measure, *options])

    def values(argument: str) -> str:
        words = ["irevalcli", "evaluate", "-q", "-f", "json", suite.qrels, argument, *measure, *options]
        return f"<({shlex.join(words)})"

    before = values(old) if stored is None else shlex.quote(old)
    asked = [*measure, *(word for words in given if words[0] in _OF_VALUES for word in words)]
    return f"irevalcli diff {before} {values(run.argument)} {shlex.join(asked)}"


def _rank(verdict: Verdict) -> int:
    """What comes first: failures, then what is undecided; of these, drops before others."""
    return 2 * ("fail", "undecided", "warn").index(verdict.outcome) + (verdict.margin is None)


def decisive_options(ctx: click.Context) -> Iterator[tuple[str, ...]]:
    """The words of each option that decides numbers and was given in any way; measures stand elsewhere."""
    for param in ctx.command.params:
        if not isinstance(param, GroupedOption) or param.key is None or param.key.purpose != "numbers":
            continue
        given = ctx.get_parameter_source(str(param.name)) is not ParameterSource.DEFAULT
        if not given or param.key.name == "measures":
            continue
        name, value = max(param.opts, key=len), given_value(ctx, param)
        for one in value if isinstance(value, tuple | list) else (value,):
            if one is True:
                yield (name,)
            elif one is not None and one is not False:
                yield name, f"{one:g}" if isinstance(one, float) else str(one)
