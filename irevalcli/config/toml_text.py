"""TOML files: their text and their contents, or a problem with its line."""

from __future__ import annotations

import os
import re
from typing import Any

from irevalcli.errors import UsageProblem

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PLACE = r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$"


def read_toml(path: str) -> str:
    """The text of a file, without a byte order mark.

    Raises:
        UsageProblem: it cannot be read, or is not UTF-8.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (start-up: pathlib is not needed)
            raw = file.read().removeprefix(_BYTE_ORDER_MARK)
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
        raise UsageProblem(f"{path}: {reason}", hints=("a configuration file was expected there",)) from None
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UsageProblem(f"{path}:{line}: not UTF-8", hints=("TOML is UTF-8; save it as such",)) from None


def parsed(text: str, path: str) -> dict[str, Any]:
    """The contents of TOML.

    Raises:
        UsageProblem: it is none; with the line.
    """
    import tomllib  # noqa: PLC0415  (start-up: needed only if there is a file)

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_problem(str(error), text, path) from None
    except ValueError:
        raise UsageProblem(f"{path}: a number in it is too long") from None
    except RecursionError:
        raise UsageProblem(f"{path}: values in it are nested too deeply") from None


def _syntax_problem(message: str, text: str, path: str) -> UsageProblem:
    lines = text.rstrip("\n").split("\n")
    place = re.search(_PLACE, message)
    number = int(place["line"]) if place and place["line"] else len(lines)
    what = message[: place.start()] if place else message
    excerpt = lines[number - 1].strip() if number <= len(lines) else ""
    hints = (f"the line is: {excerpt}",) if excerpt else ()
    return UsageProblem(f"{path}:{number}: no valid TOML: {what[:1].lower()}{what[1:]}", hints=hints)
