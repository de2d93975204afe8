"""What runs and queries are named on the command line."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.reading.parts import BETWEEN, JOIN, archive_and_member, files_in, is_input, part_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.evaluate import NamedRun

STDIN = "-"
RUN_ENDINGS = (".run", ".txt", ".trec", ".res", ".tsv", ".csv", ".json", ".jsonl", ".parquet")
PACKED_ENDINGS = (".gz", ".bz2", ".xz", ".zst")
_TAG = 5
_GRADES_NAME = re.compile(r"[^\W\d][\w.-]*")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class _Argument(NamedTuple):
    """A run as it stands on the command line: the text, and the label (or "") and path in it."""

    text: str
    label: str
    path: str


def named_runs(texts: Sequence[str], *others: str, by_path: bool = False, one_each: bool = False) -> list[NamedRun]:
    """The runs with their labels: the given one, else the file's stem, else (where stems clash) the file's run tag.

    An archive without a label stands for one run for each file in it, with a label for one run.

    Args:
        texts: the arguments. One that names an existing file is a path as a whole, else it is LABEL=PATH.
        others: the paths of the other files of the call.
        by_path: call runs by their paths where they would still have one label, and by numbers if a path comes twice.
        one_each: an argument has to be one run.

    Raises:
        UsageProblem: two runs would have one label, standard input is named twice, or an argument is several runs.
        InputProblem: an archive cannot be used.
        MissingExtra: an optional package is needed to unpack it.
    """
    from irevalcli.analysis.evaluate import NamedRun  # noqa: PLC0415  (numpy)

    arguments = [argument for text in texts for argument in _arguments(text, one_each=one_each)]
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


def _arguments(text: str, *, one_each: bool) -> list[_Argument]:
    """The runs that an argument stands for."""
    label, equals, path = text.partition("=")
    if text != STDIN and not is_input(text) and equals and label and path:
        return [_Argument(text, label, path)]
    names = files_in(text)
    if names is None:
        return [_Argument(text, "", text)]
    if one_each and len(names) > 1:
        hints = *(f"irevalcli reads one of them as {name}" for name in names[:2]), f"or all as one run: LABEL={text}"
        raise UsageProblem(f"{text} holds {len(names)} runs, and one is wanted", hints=hints)
    return [_Argument(name, "", name) for name in names]


def _stem(path: str) -> str:
    if path == STDIN:
        return "stdin"
    return JOIN.join(map(_file_stem, part_names(path)))


def _file_stem(path: str) -> str:
    sides = None if os.path.exists(path) else archive_and_member(path)  # noqa: PTH110  (any text, NUL too)
    name = Path(path if sides is None else sides[1]).name
    for ending in PACKED_ENDINGS:
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix in RUN_ENDINGS else name


def _tag(path: str) -> str:
    """The run tag of a file's first line; "" if it has none, or cannot be read twice."""
    from irevalcli.reading.heads import Head  # noqa: PLC0415  (numpy, which --help does without)
    from irevalcli.reading.opening import Source  # noqa: PLC0415

    if not all(os.path.isfile(name) or BETWEEN in name for name in part_names(path)):  # noqa: PTH113
        return ""
    try:
        with Source(path) as source:
            fields = Head.of(source).first
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
