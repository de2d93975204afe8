"""Paths as a CI service wants them: from the top of the repository, whatever folder the command ran in."""

from __future__ import annotations

import os
from pathlib import Path

_TOPS = ("CI_PROJECT_DIR", "GITHUB_WORKSPACE")
"""The environment variables in which GitLab and GitHub say where the repository is checked out."""


def project_root() -> str:
    """The top of the repository as the CI service names it; the current folder outside of one."""
    return next((os.environ[name] for name in _TOPS if os.environ.get(name)), ".")


def project_path(path: str, root: str | None = None) -> str:
    """The path of a file from the top of the repository, with ``/`` between its parts.

    Args:
        path: as the user named it; relative ones start from the current folder.
        root: top of the repository; None is `project_root`.

    Returns:
        A relative path without ``./`` in front. A file outside the repository keeps the path that it was given.
    """
    # Links are followed, as the two may name the same folder by different ways.
    top, place = Path(os.path.realpath(root or project_root())), Path(os.path.realpath(path))
    return place.relative_to(top).as_posix() if place.is_relative_to(top) else path
