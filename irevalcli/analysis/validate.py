"""Looking for faults and oddities in qrels and runs, file by file; a fault of one file does not keep others from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.analysis.validate_found import Checks
from irevalcli.analysis.validate_qrels import qrels_report
from irevalcli.analysis.validate_run import run_report
from irevalcli.analysis.validation import Validation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.reading.opening import Source

__all__ = ["Checks", "validate"]


def validate(
    qrels: str | None,
    runs: Sequence[NamedRun],
    checks: Checks,
    watch: Callable[[Source], None] | None = None,
) -> Validation:
    """What is wrong or odd in each file, and in each run beside the qrels. The qrels are read once.

    Lines with a fault are reported and passed over, so that the rest of the file is looked at, too.

    Args:
        qrels: the judgments, a path or ``-``; None to look at runs alone.
        runs: the runs.
        checks: what is looked for.
        watch: called whenever some of a file was read, or None.

    Raises:
        MissingExtra: an optional package is needed to read a file.
    """
    reports = []
    judged = None
    if qrels is not None:
        report, judged = qrels_report(qrels, checks, watch)
        reports.append(report)
    reports += [run_report(run.path, judged, checks, watch) for run in runs]
    return Validation(tuple(reports))
