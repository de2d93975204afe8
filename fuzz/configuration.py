"""Configuration files: refused with a UsageProblem that names a line of the file, or read with a line for every key."""

from __future__ import annotations

import re
import tempfile
import tomllib
from pathlib import Path

from campaign import fuzz

from irevalcli.config.configuration import load_configuration
from irevalcli.config.gate_suites import suites_of
from irevalcli.config.positions import lines_of_keys
from irevalcli.errors import UsageProblem

PLACE = re.compile(r"\.toml:(\d+): ")


def check(data: bytes) -> None:
    """The whole of the bytes is the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "irevalcli.toml"
        path.write_bytes(data)
        try:
            configuration = load_configuration(str(path))
            suites_of(configuration)
        except UsageProblem as problem:
            lines = [int(line) for line in PLACE.findall("\n".join((problem.message, *problem.hints)))]
            if any(not 1 <= line <= data.count(b"\n") + 1 for line in lines):
                raise AssertionError(f"no such line: {problem.message} {problem.hints}") from problem
    check_lines(data.removeprefix(b"\xef\xbb\xbf"))


def check_lines(data: bytes) -> None:
    """Every key of valid TOML has a line, on which its name stands."""
    try:
        text = data.decode()
        table = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    places = lines_of_keys(text)
    lines = text.split("\n")
    for path in paths(table):
        if path not in places:
            raise AssertionError(f"no line for {path}")
        name = path[-1]
        if isinstance(name, str) and name.isidentifier() and name.isascii():
            line = lines[places[path] - 1]
            if name not in line and "\\" not in line:
                raise AssertionError(f"{name!r} is not in line {places[path]}: {line!r}")


def paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The paths of all keys below a value."""
    if isinstance(value, dict):
        items: list[tuple[str | int, object]] = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    else:
        return []
    return [below for key, inner in items for below in ((*path, key), *paths(inner, (*path, key)))]


if __name__ == "__main__":
    fuzz(check)
