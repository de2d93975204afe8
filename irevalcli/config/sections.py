"""What a configuration file says, with its places. Every command imports this, also where there is no file."""

from __future__ import annotations

from typing import Any, NamedTuple


class Setting(NamedTuple):
    """A value of the file.

    Attributes:
        value: as the program takes it; a `Section` for a table, a tuple of them where there may be several.
        line: where its key stands.
    """

    value: Any
    line: int


class Section(NamedTuple):
    """A table of the file, checked.

    Attributes:
        settings: what it holds, by the names of the keys.
        line: where it begins.
    """

    settings: dict[str, Setting]
    line: int

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401  (values are of many kinds)
        """The value of a key; `default` if it is not there."""
        setting = self.settings.get(name)
        return default if setting is None else setting.value
