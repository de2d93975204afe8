"""Judgments and runs with known values: every query has one relevant document, so that RR says where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

OLD = [1, 2, 1, 1, 2, 1, 4, 1, 2, 1]
"""Ranks of the relevant document in a baseline of ten queries: RR .775, P@1 .6."""


def write_world(folder: Path, **runs: Sequence[int]) -> None:
    """Files ``qrels`` and one for each run, whose relevant documents stand at these ranks; 0 is a query left out."""
    queries = max(map(len, runs.values()))
    (folder / "qrels").write_text("".join(f"q{place:03} 0 good 1\n" for place in range(1, queries + 1)), "utf-8")
    for name, ranks in runs.items():
        write_run(folder / name, {f"q{place:03}": rank for place, rank in enumerate(ranks, 1)})


def write_run(path: Path, ranks: Mapping[str, int]) -> None:
    """A run in which the only relevant document of each query stands at this rank."""
    lines = []
    for qid, rank in ranks.items():
        docids = [*(f"bad{place}" for place in range(1, rank)), "good"] if rank else []
        lines += [f"{qid} Q0 {docid} {place} {-place} t\n" for place, docid in enumerate(docids, 1)]
    path.write_text("".join(lines), "utf-8")
