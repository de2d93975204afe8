"""Command lines run inside this process, with its descriptors 0, 1 and 2 exchanged for files."""

from __future__ import annotations

import io
import os
import sys
import tempfile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple
from unittest import mock

from irevalcli.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

VARIABLES = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")


class Call(NamedTuple):
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def values(self) -> dict[str, str]:
        """The values of a single run, printed as tsv, by ``query measure``; the aggregates as ``all measure``."""
        return {f"{query} {measure}": value for _, query, measure, value in self.rows}

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of a tsv: run, query, measure, value."""
        head, *lines = self.out.splitlines()
        if head != "run\tquery\tmeasure\tvalue":
            raise ValueError(f"no tsv header: {head}\n{self.err}")
        return [tuple(line.split("\t")) for line in lines]


def put(folder: Path, **files: str | bytes) -> None:
    """Write files; of a text, lines are stripped of their indentation. An underscore in a name stands for a dot."""
    for name, content in files.items():
        raw = content
        if isinstance(raw, str):
            raw = "".join(line.strip(" ") + "\n" for line in raw.strip().splitlines()).encode()
        (folder / name.replace("_", ".")).write_bytes(raw)


def call(folder: Path, *arguments: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Call:
    """What ``irevalcli ARGUMENTS`` does in `folder`; `env` is added to the environment."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("IREVALCLI_")}
    for name in VARIABLES:
        clean.pop(name, None)
    kept_streams = sys.stdin, sys.stdout, sys.stderr
    kept = [os.dup(descriptor) for descriptor in range(3)]
    home = os.getcwd()  # noqa: PTH109
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        for descriptor, file in enumerate((given, out, err)):
            os.dup2(file.fileno(), descriptor)
        sys.stdin, sys.stdout, sys.stderr = (_text(descriptor) for descriptor in range(3))
        os.chdir(folder)
        try:
            with mock.patch.dict(os.environ, clean | dict(env or {}), clear=True):
                code = run(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os.chdir(home)
            sys.stdin, sys.stdout, sys.stderr = kept_streams
            for descriptor, copy in enumerate(kept):
                os.dup2(copy, descriptor)
                os.close(copy)
        return Call(code, _content(out), _content(err))


def _text(descriptor: int) -> io.TextIOWrapper:
    mode = "rb" if descriptor == 0 else "wb"
    return io.TextIOWrapper(open(descriptor, mode, closefd=False), "utf-8")


def _content(file: BinaryIO) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "surrogateescape")
