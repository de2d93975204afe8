"""The configuration as commands see it: values with their places."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from irevalcli.config.finding import found_at, found_upward
from irevalcli.config.sections import Section
from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from irevalcli.config.checking import Checker
    from irevalcli.config.finding import Found

MOST_FAULTS = 20
"""How many faults of a file are told."""


class Configuration(NamedTuple):
    """What the file says.

    Attributes:
        path: of the file, as it is shown; "" if there is none.
        top: the keys at its top; all others are inside.
    """

    path: str
    top: Section

    @property
    def check(self) -> Section:
        """The table ``check``; empty if there is none."""
        section: Section = self.top.get("check", NOTHING)
        return section

    def origin(self, line: int) -> str:
        """A place in the file, such as ``irevalcli.toml:12``."""
        return f"{self.path}:{line}"


NOTHING = Section({}, 0)
NO_FILE = Configuration("", NOTHING)
"""What holds without a configuration file."""


def load_configuration(path: str | None = None, *, isolated: bool = False) -> Configuration:
    """The configuration file of the working directory, checked.

    Args:
        path: the file, instead of the one that would be found.
        isolated: read none.

    Raises:
        UsageProblem: it cannot be read or is no TOML; a key is unknown, or a value is not of its kind.
    """
    if isolated:
        if path is not None:
            raise UsageProblem("--config and --isolated contradict each other", hints=("leave one of them out",))
        return NO_FILE
    found = found_upward() if path is None else found_at(path)
    return NO_FILE if found is None else _checked(found)


def _checked(found: Found) -> Configuration:
    from irevalcli.config.checking import Checker  # noqa: PLC0415  (start-up: most calls have no file)
    from irevalcli.config.positions import lines_of_keys  # noqa: PLC0415

    checker = Checker(lines_of_keys(found.text), os.path.dirname(found.path))  # noqa: PTH120
    top = checker.section(found.table, "", found.prefix)
    if checker.faults:
        raise _problem(found.path, checker)
    return Configuration(found.path, top)


def _problem(path: str, checker: Checker) -> UsageProblem:
    """All faults in one error: a single one with its hint, several one on a line."""
    first, *others = sorted(checker.faults, key=lambda fault: fault.line)
    if not others:
        return UsageProblem(f"{path}:{first.line}: {first.text}", hints=(first.hint,) if first.hint else ())
    lines = [
        f"{path}:{fault.line}: {fault.text}" + (f"; {fault.hint}" if fault.hint else "") for fault in [first, *others]
    ]
    more = [f"… and {len(lines) - MOST_FAULTS} more"] if len(lines) > MOST_FAULTS else []
    return UsageProblem(f"{path} has {len(lines)} faults", hints=(*lines[:MOST_FAULTS], *more))
