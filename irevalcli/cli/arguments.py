"""What runs and queries are named on the command line."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import InputProblem, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.evaluate import NamedRun

STDIN = "-"
RUN_ENDINGS = (".run", ".txt", ".trec", ".res", ".tsv")
PACKED_ENDINGS = (".gz", ".bz2", ".xz", ".zst")
_TAG = 5
_GRADES_NAME = re.compile(r"[^\W\d][\w.-]*")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Argument(NamedTuple):
    """A run as it stands on the command line: the text, and the label (or "") and path in it."""

    text: str
    label: str
    path: str


def named_runs(texts: Sequence[str], *others: str, by_path: bool = False) -> list[NamedRun]:
    """The runs with their labels: the given one, else the file's stem, else (where stems clash) the file's run tag.

    Args:
        texts: the arguments. One that names an existing file is a path as a whole, else it is LABEL=PATH.
        others: the paths of the other files of the call.
        by_path: call runs by their paths where they would still have one label, and by numbers if a path comes twice.

    Raises:
        UsageProblem: two runs would have one label, or standard input is named twice.
    """
    from irevalcli.analysis.evaluate import NamedRun  # noqa: PLC0415  (numpy)

    arguments = [_argument(text) for text in texts]
    if [*others, *(argument.path for argument in arguments)].count(STDIN) > 1:
        raise UsageProblem("standard input (-) can be read once only")
    labels = [argument.label or _stem(argument.path) for argument in arguments]
    clashing = {label for label in labels if labels.count(label) > 1}
    for place, argument in enumerate(arguments):
        if labels[place] in clashing and not argument.label:
            labels[place] = _tag(argument.path) or labels[place]
    if by_path and len(set(labels)) < len(labels):
        labels = [argument.label or argument.path for argument in arguments]
        same = not any(argument.label for argument in arguments) and len(set(labels)) < len(labels)
        labels = [f"{label} ({place})" for place, label in enumerate(labels, 1)] if same else labels
    for label in labels:
        if labels.count(label) > 1:
            paths = [argument.path for argument, name in zip(arguments, labels, strict=True) if name == label]
            raise UsageProblem(
                f"{len(paths)} runs are called {label}: {', '.join(paths)}",
                hints=("give each a label of its own: LABEL=PATH",),
            )
    return [NamedRun(label, path, text) for (text, _, path), label in zip(arguments, labels, strict=True)]


def _argument(text: str) -> _Argument:
    label, equals, path = text.partition("=")
    if text == STDIN or os.path.exists(text) or not (equals and label and path):  # noqa: PTH110  (any text, NUL too)
        return _Argument(text, "", text)
    return _Argument(text, label, path)


def _stem(path: str) -> str:
    if path == STDIN:
        return "stdin"
    name = Path(path).name
    for ending in PACKED_ENDINGS:
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix in RUN_ENDINGS else name


def _tag(path: str) -> str:
    """The run tag of a file's first line; "" if it has none, or cannot be read twice."""
    from irevalcli.reading.faults import first_fields  # noqa: PLC0415

    if not os.path.isfile(path):  # noqa: PTH113
        return ""
    try:
        fields = first_fields(path)
    except InputProblem:
        return ""
    return os.fsdecode(fields[_TAG]) if len(fields) > _TAG else ""


def named_grades(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The names and files of ``--qrels NAME=FILE``.

    Raises:
        UsageProblem: a name or a file is missing, a name cannot stand in a measure, or two are the same.
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not (equals and path and _GRADES_NAME.fullmatch(name)):
            raise UsageProblem(
                f"--qrels {text}: not of the form NAME=FILE",
                hints=(
                    "NAME is made of letters, digits, '_', '-' and '.'; the qrels themselves are given without --qrels",
                ),
            )
        if name in found:
            raise UsageProblem(f"--qrels: two files are called {name}: {found[name]}, {path}")
        found[name] = path
    return tuple(found.items())


def listed_queries(text: str | None) -> tuple[bytes, ...] | None:
    """The qids of ``--queries``, each once; None if it was not given.

    Raises:
        UsageProblem: the list is empty, or its file cannot be read.
    """
    if text is None:
        return None
    if text.startswith("@"):
        try:
            listed = Path(text[1:]).read_bytes().removeprefix(_BYTE_ORDER_MARK).split()
        except (OSError, ValueError) as error:
            reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
            raise UsageProblem(f"--queries {text}: {reason}") from None
    else:
        listed = [os.fsencode(qid) for qid in re.split(r"[,\s]+", text) if qid]
    if not listed:
        raise UsageProblem(f"--queries {text}: no query is named")
    return tuple(dict.fromkeys(listed))
