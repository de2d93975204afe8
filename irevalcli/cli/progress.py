"""A progress bar for long evaluations: on a terminal's standard error, after the first second, erased at the end."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

    from irevalcli.reading.opening import Source

PATIENCE = 1.0
"""Seconds before there is a bar."""


class Progress:
    """Called with a source whenever some of it was read. The bar lives as long as the block.

    Args:
        wanted: whether there may be a bar at all.
    """

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted and sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:  # noqa: PYI034  (no subclasses)
        return self

    def __call__(self, source: Source) -> None:
        """Show how much of the source has been read."""
        if not self._wanted or time.monotonic() - self._started < PATIENCE:
            return
        if self._bar is None:
            self._bar, self._task = _started_bar()
        share = source.share_read
        total = None if share is None else 1.0
        # The name is data, not markup.
        self._bar.update(self._task, completed=share or 0.0, total=total, name=source.name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()


def _started_bar() -> tuple[Any, Any]:
    from rich.console import Console  # noqa: PLC0415  (start-up: most evaluations are over before)
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn  # noqa: PLC0415

    columns = (TextColumn("{task.fields[name]}", markup=False), BarColumn(), TaskProgressColumn())
    bar = Progress(*columns, console=Console(stderr=True, emoji=False, markup=False, highlight=False), transient=True)
    bar.start()
    return bar, bar.add_task("", total=1.0, name="")
