"""Files that results are written to besides standard output: opened before the work, complete or not there at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from irevalcli.cli.argument_types import meant
from irevalcli.cli.console import OutputProblem
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType


class Destination(NamedTuple):
    """A format, the path to write it to, and the option that named it."""

    format: str
    path: str
    option: str = "--export"


def parse_export(text: str, formats: Iterable[str], suffixes: dict[str, str]) -> Destination:
    """``FORMAT:PATH``, or a path whose ending tells the format.

    Raises:
        UsageProblem: the format cannot be told, or there is no path.
    """
    known = list(formats)
    head, colon, rest = text.partition(":")
    explicit = bool(colon) and head in known
    path = rest if explicit else text
    if path in ("", "-"):
        raise UsageProblem(f"--export {text}: no file is named", hints=("standard output has --format",))
    if explicit:
        return Destination(head, path)
    suffix = Path(path).suffix.lower()
    if suffix in suffixes:
        return Destination(suffixes[suffix], path)
    like = meant(head if colon else suffix[1:], known)
    raise UsageProblem(
        f"--export {text}: its ending tells no format{like}",
        hints=(f"write FORMAT:PATH; formats: {', '.join(known)}",),
    )


def refuse_inputs(destinations: Iterable[Destination], inputs: Iterable[str]) -> None:
    """Nothing, if no destination is a file that the call reads.

    Args:
        destinations: what is written.
        inputs: what is read, as PATH or LABEL=PATH.

    Raises:
        UsageProblem: one would be overwritten.
    """
    paths = (path for text in inputs for path in (text, text.partition("=")[2]))
    read = {os.path.realpath(path) for path in paths if os.path.isfile(path)}  # noqa: PTH113  (a path may be "")
    for destination in destinations:
        if os.path.realpath(destination.path) in read:
            raise UsageProblem(
                f"{destination.option} {destination.path}: is read by the same call, and would be overwritten",
                hints=("name another file",),
            )


class _Part(NamedTuple):
    """A file being written: where, and under what name it ends up; one name for both if it is no regular file."""

    destination: Destination
    path: Path
    final: Path


class Exports:
    """The open files; what was written takes its place under the final name when the block ends well."""

    def __init__(self, destinations: list[Destination]) -> None:
        self._destinations = destinations
        self._parts: list[_Part] = []

    def __enter__(self) -> Self:
        try:
            for destination in self._destinations:
                part = _part(destination, self._parts)
                self._parts.append(part)
                _create(part)
        except BaseException:
            self._discard()
            raise
        return self

    def write(self, destination: Destination, chunks: Iterable[bytes]) -> None:
        """Fill the file of a destination.

        Raises:
            OutputProblem: the device is full, or fails.
        """
        part = next(part for part in self._parts if part.destination == destination)
        try:
            with part.path.open("wb") as out:
                out.writelines(chunks)
        except OSError as error:
            raise OutputProblem(f"{destination.option} {destination.path}: {os.strerror(error.errno or 0)}") from None

    def drop(self, destination: Destination) -> None:
        """Leave what stands at a destination as it is."""
        part = next(part for part in self._parts if part.destination == destination)
        self._parts.remove(part)
        if part.path != part.final:
            with suppress(OSError):
                part.path.unlink()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._discard()
            return
        for part in self._parts:
            if part.path != part.final:
                part.path.replace(part.final)

    def _discard(self) -> None:
        for part in self._parts:
            if part.path != part.final:
                with suppress(OSError):
                    part.path.unlink()


def _part(destination: Destination, others: list[_Part]) -> _Part:
    # What a link to a pipe points to, such as /dev/fd/63, has no name that can be opened.
    path = Path(destination.path)
    odd = path.exists() and not path.is_file()
    # Any other link stays a link: what it points to is replaced.
    final = path if odd else Path(os.path.realpath(path))
    if final.is_dir():
        raise UsageProblem(f"{destination.option} {destination.path}: is a directory, not a file")
    if any(final == other.final for other in others):
        raise UsageProblem(f"{destination.option} {destination.path}: named twice")
    if odd:
        return _Part(destination, final, final)
    return _Part(destination, final.with_name(f".{final.name}.part{os.getpid()}"), final)


def _create(part: _Part) -> None:
    """Create the file, with the permissions of the one that it will replace.

    Raises:
        UsageProblem: nothing can be written there.
    """
    try:
        if part.path == part.final:
            return
        part.path.open("xb").close()
        if part.final.exists():
            part.final.open("ab").close()
            part.path.chmod(part.final.stat().st_mode & 0o777)
    except OSError as error:
        raise UsageProblem(
            f"{part.destination.option} {part.destination.path}: {os.strerror(error.errno or 0)}"
        ) from None
