"""``--update-baseline``: the run that was checked becomes the baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from irevalcli.cli.arguments import STDIN
from irevalcli.cli.exports import Destination
from irevalcli.errors import UsageProblem
from irevalcli.output.registry import Layout, render

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from irevalcli.analysis.gate.gate import Checked, SuiteAsked
    from irevalcli.cli.console import Console
    from irevalcli.cli.exports import Exports

_OPTION = "--update-baseline"
_BLOCK = 1 << 20


def baseline_destinations(suites: Sequence[SuiteAsked]) -> list[Destination]:
    """The files that would be written anew, one for each suite.

    Raises:
        UsageProblem: a suite has no baseline or several runs, or a baseline or run is no file.
    """
    found = []
    for suite in suites:
        name = f"suite {suite.name}: " if suite.name else ""
        if suite.baseline is None:
            raise UsageProblem(f"{name}{_OPTION}: there is no baseline", hints=("name one: --baseline FILE",))
        if len(suite.runs) != 1:
            raise UsageProblem(f"{name}{_OPTION}: {len(suite.runs)} runs, of which only one can be the baseline")
        (run,) = suite.runs
        for path in (suite.baseline.path, run.path):
            if path == STDIN or (Path(path).exists() and not Path(path).is_file()):
                raise UsageProblem(f"{name}{_OPTION}: {path} is no file")
        found.append(Destination("json", suite.baseline.path, _OPTION))
    return found


def renew_baselines(
    files: Exports, destinations: Sequence[Destination], checked: Sequence[Checked], console: Console, *, force: bool
) -> None:
    """Write the baselines anew if all rules of level error hold in all suites, or if forced; else leave them.

    Args:
        files: holds the destinations, open.
        destinations: of `baseline_destinations`.
        checked: the suites, in the same order.
        console: for saying what was done.
        force: whatever the rules say.

    Raises:
        UsageProblem: a baseline holds other runs, too.
    """
    verdicts = [verdict for one in checked for run in one.report.runs for verdict in run.verdicts]
    open_ends = sum(verdict.rule.level == "error" and verdict.outcome in {"fail", "undecided"} for verdict in verdicts)
    if open_ends and not force:
        for destination in destinations:
            files.drop(destination)
        which = "a rule does" if open_ends == 1 else f"{open_ends} rules do"
        console.say(f"note:    baseline not updated: {which} not hold  [--force to update it all the same]")
        return
    for destination, one in zip(destinations, checked, strict=True):
        if one.stored is None:
            files.write(destination, _copied(one.evaluation.runs[0].path))
        elif one.stored.alone:
            files.write(destination, render(one.evaluation, "json", Layout(per_query=True)))
        else:
            raise UsageProblem(f"{_OPTION}: {destination.path} holds several runs", hints=("make it by evaluate",))
        console.say(f"note:    {destination.path} is now {one.evaluation.runs[0].path}")


def _copied(path: str) -> Iterator[bytes]:
    with Path(path).open("rb") as run:
        while block := run.read(_BLOCK):
            yield block
