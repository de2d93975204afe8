"""What `validate` finds in texts, without the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from irevalcli.analysis.evaluate import NamedRun
from irevalcli.analysis.validate import Checks, validate

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.analysis.validation import FileReport
    from irevalcli.errors import Finding


def reports(folder: Path, qrels: bytes | None, *runs: bytes, **checks: Any) -> list[FileReport]:  # noqa: ANN401
    """The reports on qrels, if there are any, and on runs called run.1 and so on."""
    paths = []
    for number, run in enumerate(runs, 1):
        paths.append(folder / f"run.{number}")
        paths[-1].write_bytes(run)
    named = [NamedRun(path.name, str(path), str(path)) for path in paths]
    judged = None
    if qrels is not None:
        judged = folder / "qrels"
        judged.write_bytes(qrels)
    return list(validate(None if judged is None else str(judged), named, Checks(**checks)).files)


def report(folder: Path, run: bytes, qrels: bytes | None = None, **checks: Any) -> FileReport:  # noqa: ANN401
    """The report on one run."""
    return reports(folder, qrels, run, **checks)[-1]


def judged(folder: Path, qrels: bytes, **checks: Any) -> FileReport:  # noqa: ANN401
    """The report on qrels."""
    return reports(folder, qrels, **checks)[0]


def codes(found: FileReport) -> list[str]:
    """The codes of the rules that are broken, sorted."""
    return [count.rule for count in found.counts]


def number_of(found: FileReport, code: str) -> int:
    """How many findings there are under a code."""
    return sum(count.number for count in found.counts if count.rule == code)


def places(found: FileReport, code: str) -> list[tuple[int, int]]:
    """Lines and columns of the findings under a code."""
    return [(finding.line, finding.column) for finding in found.findings if finding.rule == code]


def the(found: FileReport, code: str) -> Finding:
    """The one finding under a code."""
    (finding,) = [each for each in found.findings if each.rule == code]
    return finding
