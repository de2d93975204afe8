"""Exit codes, the same in every command but ``trec``."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process exit status says."""

    DONE = 0
    """Done; a verdict, if one was asked for, is yes."""
    NO = 1
    """The verdict is no. Nothing else ends with 1."""
    USAGE = 2
    """Asked wrongly: options, configuration, unknown measure, missing extra."""
    INPUT = 3
    """Input unusable: unreadable, malformed, nothing in common."""
    BUG = 70
    """A bug in irevalcli."""
    INTERRUPTED = 130
    """Interrupted by Ctrl-C."""
    READER_GONE = 141
    """The reader of standard output went away."""
