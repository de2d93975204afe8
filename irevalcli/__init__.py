"""Search quality from TREC run and qrels files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from irevalcli.api import Result, evaluate

__version__ = "0.1.0"
__all__ = ["Result", "__version__", "evaluate"]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """The API, imported when first asked for: the command line's help needs no numpy."""
    if name in __all__:
        from irevalcli import api  # noqa: PLC0415

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
