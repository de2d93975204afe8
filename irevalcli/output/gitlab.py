"""GitLab's code quality report: a JSON list of issues, which it shows beside the change of a merge request.

Source: "Code Quality report format" in GitLab's documentation. A report is compared with that of the target branch by
fingerprints: an issue that the other lacks is new.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Literal, NamedTuple

from irevalcli.output.id_text import escaped, visible
from irevalcli.output.json_text import written

if TYPE_CHECKING:
    from collections.abc import Iterable

Severity = Literal["info", "minor", "major", "critical", "blocker"]


class Issue(NamedTuple):
    """One thing to look at.

    Attributes:
        check_name: the rule that found it.
        description: what was found, in a line.
        severity: ``info`` to ``blocker``.
        path: file, from the top of the repository (see `project_paths.project_path`).
        line: from 1; an issue with a whole file stands on its first line.
        identity: what makes it the same issue in another report. Leave out what changes when it stays the same issue,
            such as line numbers and values.
    """

    check_name: str
    description: str
    severity: Severity
    path: str
    line: int
    identity: tuple[str, ...]


def code_quality(issues: Iterable[Issue]) -> bytes:
    r"""The report; an empty list if there is no issue. An issue stands on one line.

    Fingerprints are SHA-256 sums of the identities, so they are the same in every report. Issues that share an identity
    are numbered, in their order, to keep them apart. Control characters, and bytes that were no UTF-8, are spelt out as
    ``\uXXXX``.
    """
    seen: dict[tuple[str, ...], int] = {}
    entries = []
    for issue in issues:
        seen[issue.identity] = number = seen.get(issue.identity, 0) + 1
        entries.append(written(_entry(issue, _fingerprint(issue.identity, number))))
    return escaped("[\n  " + ",\n  ".join(entries) + "\n]\n" if entries else "[]\n")


def _entry(issue: Issue, fingerprint: str) -> dict[str, object]:
    return {
        "type": "issue",
        "check_name": issue.check_name,
        "description": visible(issue.description),
        "severity": issue.severity,
        "fingerprint": fingerprint,
        "location": {"path": visible(issue.path), "lines": {"begin": max(issue.line, 1)}},
    }


def _fingerprint(identity: tuple[str, ...], number: int) -> str:
    # The lengths keep ("ab", "c") and ("a", "bc") apart.
    parts = (b"%d:%b" % (len(raw), raw) for raw in map(escaped, (str(number), *identity)))
    return sha256(b"".join(parts)).hexdigest()
