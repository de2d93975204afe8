"""The judgments and the run of the worked examples: queries 101 to 104, of which the run lacks the last.

In query 102 ``d11`` and ``d13`` have the same score, and so have ``d12`` and ``x11``; query 103 finds nothing relevant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.api import evaluate

if TYPE_CHECKING:
    from pathlib import Path

    from irevalcli.api import Result

QRELS = """\
101 0 d01 3
101 0 d02 2
101 0 d03 1
101 0 d04 0
101 0 d05 0
101 0 d06 2
101 0 d07 1
101 0 d08 -1
101 0 d09 0
101 0 d10 1
102 0 d11 1
102 0 d12 1
102 0 d13 0
103 0 d21 2
103 0 d22 0
104 0 d31 1
"""

RUN = """\
101 Q0 d02 1 9.5 t
101 Q0 d05 2 9.0 t
101 Q0 d01 3 8.5 t
101 Q0 x01 4 8.0 t
101 Q0 d03 5 7.5 t
101 Q0 d04 6 7.0 t
101 Q0 d08 7 6.5 t
101 Q0 d06 8 6.0 t
101 Q0 x02 9 5.5 t
101 Q0 x03 10 5.0 t
102 Q0 d11 1 5.0 t
102 Q0 d13 2 5.0 t
102 Q0 d12 3 4.0 t
102 Q0 x11 4 4.0 t
103 Q0 x21 1 3.0 t
103 Q0 d22 2 2.0 t
105 Q0 d41 1 9.0 t
"""

SUBTOPICS = """\
101 1 d01 1
101 1 d02 1
101 2 d01 1
101 2 d03 1
101 2 d06 1
101 3 d06 1
101 3 d07 1
101 3 d04 0
101 1 d05 0
102 1 d11 1
102 2 d12 1
102 1 d13 0
103 1 d21 1
103 1 d22 0
104 1 d31 1
"""

GROUPS = """\
101 u1 d01 1
101 u1 d02 1
101 u1 d05 0
101 u1 d07 1
101 u2 d05 1
101 u2 d02 0
101 u2 d01 1
"""

PREFERENCES = """\
101 u1 s1 d01 3.0
101 u1 s1 d02 2.0
101 u1 s1 d05 0.0
101 u1 s1 d07 1.0
101 u2 s1 d05 2.0
101 u2 s1 d02 1.0
101 u2 s1 d09 0.0
"""

FILES = {"qrels": QRELS, "subtopics": SUBTOPICS, "qrels_jg": GROUPS, "prefs": PREFERENCES, "run": RUN}


def written(folder: Path) -> Path:
    """The folder, with the files in it."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def scored(folder: Path, measure: str, qrels: str = "qrels", **policy: object) -> Result:
    """What the run is worth against one of the judgments.

    Args:
        folder: with the files.
        measure: in any spelling.
        qrels: name of the judgments.
        **policy: the options that decide numbers.
    """
    if qrels in {"qrels_jg", "prefs"}:
        policy["qrels_format"] = qrels
    if "grades" in policy:
        policy["grades"] = tuple((name, str(folder / file)) for name, file in dict(policy["grades"]).items())  # type: ignore[call-overload]
    return evaluate(folder / qrels, folder / "run", measure, **policy)


def shown(value: float | str | None, wanted: str) -> str:
    """The value with as many digits as what is wanted; a text as it is."""
    if value is None or isinstance(value, str):
        return str(value)
    return f"{value:.{len(wanted.partition('.')[2])}f}"


def plain(wanted: str) -> str:
    """A printed number with its zero before the point."""
    return wanted.replace("-.", "-0.") if wanted.startswith("-") else f"0{wanted}" if wanted.startswith(".") else wanted
