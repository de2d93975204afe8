"""Loading runs without judgments, as strictly as with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.inputs import duplicates_problem, refuse_unusable
from irevalcli.analysis.notes import run_notes
from irevalcli.analysis.policy import DEFAULTS, Policy, run_rules
from irevalcli.index.ranked_lists import WHOLE, read_lists
from irevalcli.reading.opening import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.analysis.scores import Note
    from irevalcli.index.ranked_lists import RankedLists


class LoadedLists(NamedTuple):
    """A run, and what was noticed about its file.

    Attributes:
        run: its name and path.
        lists: its ranked documents.
        infinite: lines with an infinite score.
        tags: distinct run tags, the last line's at the end; none if the format has none.
        notes: what its reader should know.
    """

    run: NamedRun
    lists: RankedLists
    infinite: int
    tags: tuple[bytes, ...]
    notes: tuple[Note, ...]


def load_lists(
    run: NamedRun, policy: Policy = DEFAULTS, *, depth: int | None = None, watch: Callable[[Source], None] | None = None
) -> LoadedLists:
    """The ranked documents of a run.

    Args:
        run: the file, or ``-``.
        policy: how to break ties, and whether to leave out documents with the id of their query.
        depth: how many documents of a query are kept; all if None.
        watch: called whenever some of the run was read, or None.

    Raises:
        InputProblem: the file is unreadable or malformed, lists a document twice for a query, or has no line.
    """
    with Source(run.path) as source:
        source.watch = watch
        rules = run_rules(policy, source)
        lists, report, qids = read_lists(source, rules, WHOLE if depth is None else depth)
        refuse_unusable(source.name, report, rules)
        if report.duplicates:
            raise duplicates_problem(source, qids, report)
        notes = tuple(run_notes(run.label, report, policy.ties, qids))
    return LoadedLists(run, lists, report.infinite, tuple(report.tags), notes)
