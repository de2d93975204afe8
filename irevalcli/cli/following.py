"""The command line that shows more about what a gate found."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from click.core import ParameterSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.gate.baseline import StoredBaseline
    from irevalcli.analysis.gate.gate import SuiteAsked
    from irevalcli.analysis.gate.verdicts import RunVerdicts, Verdict

_SHARED = frozenset({
    "level", "missing", "no_relevant", "queries", "ties", "negative", "judged_only", "exclude_self", "qrels_format",
    "run_format", "on_error",
})  # fmt: skip
"""The options that ``diff`` and ``evaluate`` have, too, and with the same meaning."""


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
    measure, options = ["-m", first.measure], list(decisive_options(ctx))
    if first.margin is None or suite.baseline is None:
        return shlex.join(["irevalcli", "evaluate", suite.qrels, run.argument, *measure, *options, "-q"])
    old = suite.baseline.argument
    if stored is None:
        return shlex.join(["irevalcli", "diff", suite.qrels, old, run.argument, *measure, *options])
    inner = shlex.join(["irevalcli", "evaluate", "-q", "-f", "json", suite.qrels, run.argument, *measure, *options])
    return f"irevalcli diff {shlex.quote(old)} <({inner}) {shlex.join(measure)}"


def _rank(verdict: Verdict) -> int:
    """What comes first: failures, then what is undecided; of these, drops before others."""
    return 2 * ("fail", "undecided", "warn").index(verdict.outcome) + (verdict.margin is None)


def decisive_options(ctx: click.Context) -> Iterator[str]:
    """The words of the options that decide numbers, as far as they were given in any way."""
    for param in ctx.command.params:
        if param.name not in _SHARED or ctx.get_parameter_source(param.name) is ParameterSource.DEFAULT:
            continue
        value = ctx.params[param.name]
        if value is None or value is False:
            continue
        yield max(param.opts, key=len)
        if value is not True:
            yield f"{value:g}" if isinstance(value, float) else str(value)
