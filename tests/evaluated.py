"""What this program makes of judgments and a run that were made up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.api import evaluate

if TYPE_CHECKING:
    from pathlib import Path

    from worlds import World


def qrels_of(files: World) -> dict[str, dict[str, int]]:
    """The judgments as other tools take them: grades by docid, by qid; docids rise."""
    qrels: dict[str, dict[str, int]] = {}
    for row in files.judged:
        qrels.setdefault(row.qid, {})[row.docid] = int(row.level)
    return {qid: dict(sorted(grades.items())) for qid, grades in qrels.items()}


def values_of(folder: Path, files: World, measure: str, **policy: object) -> dict[str, float]:
    """What the run is worth, by qid: for the queries that it answers.

    Args:
        folder: where the files are written.
        files: the judgments and the run.
        measure: one, in any spelling.
        **policy: the options that decide numbers.
    """
    (folder / "qrels").write_text("\n".join(files.qrels_lines()))
    (folder / "run").write_text("\n".join(files.run_lines()))
    result = evaluate(folder / "qrels", folder / "run", measure, missing="skip", **policy)
    (name,) = result.aggregate
    return {qid: float(values[name]) for qid, values in result.per_query.items()}
