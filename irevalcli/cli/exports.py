"""Files that results are written to besides standard output: opened before the work, complete or not there at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType


class Destination(NamedTuple):
    """A format and the path to write it to."""

    format: str
    path: str


def parse_export(text: str, formats: Iterable[str], suffixes: dict[str, str]) -> Destination:
    """``FORMAT:PATH``, or a path whose ending tells the format.

    Raises:
        UsageProblem: the format cannot be told.
    """
    head, colon, rest = text.partition(":")
    if colon and head in formats:
        return Destination(head, rest)
    suffix = Path(text).suffix
    if suffix in suffixes:
        return Destination(suffixes[suffix], text)
    known = ", ".join(sorted(formats))
    raise UsageProblem(
        f"--export {text}: its ending tells no format", hints=(f"write FORMAT:PATH; formats: {known}",)
    )


class Exports:
    """The open files; what was written takes its place under the final name when the block ends well."""

    def __init__(self, destinations: list[Destination]) -> None:
        self._destinations = destinations
        self._parts: list[tuple[Path, Path]] = []

    def __enter__(self) -> Exports:
        for _, path in self._destinations:
            final = Path(path)
            part = final.with_name(f".{final.name}.part{os.getpid()}")
            try:
                part.open("wb").close()
            except OSError as error:
                self._discard()
                reason = os.strerror(error.errno or 0)
                raise UsageProblem(f"--export {path}: cannot write there: {reason}") from None
            self._parts.append((part, final))
        return self

    def write(self, index: int, chunks: Iterable[bytes]) -> None:
        """Fill the file of a destination."""
        with self._parts[index][0].open("wb") as out:
            out.writelines(chunks)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            for part, final in self._parts:
                part.replace(final)
        else:
            self._discard()

    def _discard(self) -> None:
        for part, _ in self._parts:
            part.unlink(missing_ok=True)
