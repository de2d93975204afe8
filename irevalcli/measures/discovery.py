"""Where measures that are not built in are found: entry points of installed distributions, and files."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from irevalcli.measures.intent_aware import SUFFIX
from irevalcli.measures.plugged import PluginProblem, plugging, unplug
from irevalcli.measures.registry import PLUGGED, Origin

GROUP = "irevalcli.measures"
"""The group of entry points. The name of an entry point should be that of a measure, its value is a module."""

_NAME = re.compile(r"\w[\w-]*")


class Plugin(NamedTuple):
    """An entry point.

    Attributes:
        name: of the entry point.
        origin: the distribution that has it.
        entry: the entry point itself.
    """

    name: str
    origin: Origin
    entry: metadata.EntryPoint

    @property
    def key(self) -> tuple[Origin, str]:
        """What is loaded once, however many entry points name it."""
        return self.origin, self.entry.value


_tried: dict[tuple[Origin, str], PluginProblem | None] = {}


def load_for(name: str) -> bool:
    """Load the plugins that may have a measure of that name; whether more measures are known then.

    Those whose entry points have the name come first, and alone if one of them has it. Of the others those that cannot
    be loaded are passed over; `broken` has them.

    Raises:
        PluginProblem: a plugin whose entry point has the name cannot be loaded.
    """
    if not _NAME.fullmatch(name):
        return False
    known = set(PLUGGED)
    wanted = {name.casefold(), name.casefold().removesuffix(SUFFIX.casefold())}
    namesakes = [plugin for plugin in _installed(tuple(sys.path)) if plugin.name.casefold() in wanted]
    for plugin in namesakes:
        problem = _load(plugin)
        if problem is not None:
            raise problem
    if set(PLUGGED) == known:
        load_all()
    return set(PLUGGED) != known


def load_all() -> None:
    """Load every installed plugin. Those that cannot be loaded are passed over; `broken` has them."""
    for plugin in _installed(tuple(sys.path)):
        _load(plugin)


def broken() -> list[PluginProblem]:
    """Why plugins could not be loaded, one problem for each."""
    return [problem for problem in _tried.values() if problem is not None]


def load_file(path: str) -> None:
    """Run a Python file that registers measures. One that has been loaded before is run anew.

    Raises:
        PluginProblem: it cannot be read, fails, or registers no measure.
    """
    origin = Origin(path)
    unplug({name for name, record in PLUGGED.items() if record.origin == origin})
    module = ModuleType(re.sub(r"\W", "_", f"irevalcli_plugin_{Path(path).stem}"))
    module.__file__ = path
    known = set(PLUGGED)
    with plugging(origin):
        # Compiled here, because the import system would leave a __pycache__ beside the file.
        code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
        sys.modules[module.__name__] = module
        exec(code, module.__dict__)  # noqa: S102  (the user names the file in order to have it run)
    if set(PLUGGED) == known:
        raise PluginProblem(f"plugin {origin} registers no measure", hints=("see docs/plugins.md",))


def _load(plugin: Plugin) -> PluginProblem | None:
    """Load a plugin unless that has been tried before; why it cannot be loaded, or None."""
    if plugin.key not in _tried:
        known = set(PLUGGED)
        imported = plugin.entry.module in sys.modules
        try:
            with plugging(plugin.origin):
                plugin.entry.load()
        except PluginProblem as problem:
            _tried[plugin.key] = problem
        else:
            empty = set(PLUGGED) == known and not imported
            _tried[plugin.key] = PluginProblem(f"plugin {plugin.origin} registers no measure") if empty else None
    return _tried[plugin.key]


@lru_cache(maxsize=1)
def _installed(path: tuple[str, ...]) -> tuple[Plugin, ...]:
    """The entry points of all distributions on the path; to look for them takes as long as to start."""
    del path
    plugins = []
    for entry in metadata.entry_points(group=GROUP):
        distribution = entry.dist
        name = distribution.name if distribution is not None else entry.module
        origin = Origin(name, distribution.version if distribution is not None else "")
        plugins.append(Plugin(entry.name, origin, entry))
    return tuple(plugins)
