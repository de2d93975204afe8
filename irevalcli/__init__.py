"""Search quality from TREC run and qrels files."""

from __future__ import annotations

__version__ = "0.1.0"
