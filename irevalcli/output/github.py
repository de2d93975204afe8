"""Annotations of GitHub Actions: lines in a step's log that the runner shows beside the change.

The runner obeys them on standard output and on standard error alike. It shows ten of each kind for a step and drops the
others without a word. Source: "Workflow commands for GitHub Actions" in GitHub's documentation, and the runner's
`ActionCommand.cs` for what is escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.output.id_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Kind = Literal["error", "warning", "notice"]

MOST_ANNOTATIONS = 10
"""How many of a kind the runner shows for a step."""

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


class Annotation(NamedTuple):
    """Something to show beside the change.

    Attributes:
        kind: ``error``, ``warning`` or ``notice``.
        message: what there is to say; may have several lines.
        title: heading, or "".
        file: path from the top of the repository, or "" if it belongs to no file.
        line: from 1, or 0 for the whole file.
        column: from 1, or 0 for the whole line.
    """

    kind: Kind
    message: str
    title: str = ""
    file: str = ""
    line: int = 0
    column: int = 0


def annotation_lines(annotations: Iterable[Annotation]) -> Iterator[str]:
    r"""A line without its end for each annotation, errors first, otherwise in their order.

    Of each kind there are at most `MOST_ANNOTATIONS`; the message of the last then ends in ``… and 7 more``. A message
    is one line whatever it holds: ``%`` and line ends are escaped, as the runner wants it, and control characters
    spelt out as ``\uXXXX``.
    """
    listed = list(annotations)
    for kind in ("error", "warning", "notice"):
        alike = [annotation for annotation in listed if annotation.kind == kind]
        more = len(alike) - MOST_ANNOTATIONS
        for place, annotation in enumerate(alike[:MOST_ANNOTATIONS], 1):
            last = place == MOST_ANNOTATIONS and more > 0
            yield _line(annotation._replace(message=f"{annotation.message}\n… and {more} more") if last else annotation)


def _line(annotation: Annotation) -> str:
    properties = {
        "file": annotation.file,
        "line": str(annotation.line or ""),
        "col": str(annotation.column or ""),
        "title": annotation.title,
    }
    given = ",".join(f"{key}={escaped_property(value)}" for key, value in properties.items() if value)
    return f"::{annotation.kind}{' ' * bool(given)}{given}::{escaped_data(annotation.message)}"


def escaped_data(text: str) -> str:
    """The text as the message of a workflow command."""
    return visible(text.translate(_DATA))


def escaped_property(text: str) -> str:
    """The text as the value of a property, which colons and commas would end."""
    return visible(text.translate(_PROPERTY))
