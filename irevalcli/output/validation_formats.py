"""The formats of what validation found, one record each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.registry import Format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from irevalcli.analysis.validation import Validation


class ValidationLayout(NamedTuple):
    """How findings are laid out.

    Attributes:
        colour: whether ANSI escapes may be written.
        unicode: whether more than ASCII can be shown.
        strict: warnings fail, too.
    """

    colour: bool = False
    unicode: bool = True
    strict: bool = False


FORMATS: dict[str, Format] = {
    "concise": Format("a line for each finding", "validation_concise", suffix=".txt"),
    "full": Format("findings with the lines they stand on, and what to do", "validation_full"),
    "json": Format("one object with every file, count and finding", "validation_json", suffix=".json"),
    "junit": Format("JUnit's XML: a suite for each file, a case for each rule", "validation_junit", suffix=".xml"),
    "github": Format("annotations of GitHub Actions", "validation_github"),
    "gitlab": Format("GitLab's code quality report", "validation_gitlab"),
}
"""Every format by its name in ``--format``, in the order of the help."""

STATISTICS = Format("a line for each rule that was broken", "validation_statistics")
"""What ``--statistics`` writes in place of ``concise`` and ``full``."""

SUFFIXES: dict[str, str] = {record.suffix: name for name, record in FORMATS.items() if record.suffix}
"""The format that a file name's suffix stands for."""


def render_validation(
    validation: Validation, name: str, layout: ValidationLayout, *, statistics: bool = False
) -> Iterator[bytes]:
    """What was found in the format called `name`, as pieces of the output in order.

    Args:
        validation: what was found.
        name: of the format.
        layout: how it is laid out.
        statistics: write numbers in place of findings, if the format is text.
    """
    record = STATISTICS if statistics and name in ("concise", "full") else FORMATS[name]
    renderer = getattr(import_module(f"irevalcli.output.{record.module}"), record.function)
    pieces: Iterator[bytes] = renderer(validation, layout)
    return pieces
