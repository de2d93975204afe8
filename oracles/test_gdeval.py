"""The numbers of gdeval 1.3, the Perl script inside ir_measures, to the five digits that it prints."""

from __future__ import annotations

import subprocess
from importlib import resources
from typing import TYPE_CHECKING

import pytest
from evaluated import values_of
from worlds import world

if TYPE_CHECKING:
    from pathlib import Path

    from worlds import World

SEEDS = (1, 2, 3)
POOLED = (-1, 0, 0, 0, 1, 1, 2, 3, 4)
HALF_A_DIGIT = 0.5e-5 + 1e-9


def printed(folder: Path, cutoff: int) -> dict[str, tuple[float, float]]:
    """Its nDCG and ERR, by qid as it prints it: the digits alone, without the zero in front."""
    script = str(resources.files("ir_measures") / "bin" / "gdeval.pl")
    command = ["perl", script, str(folder / "qrels"), str(folder / "run"), str(cutoff)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split(",") for line in lines[1:]]
    return {qid: (float(ndcg), float(err)) for _, qid, ndcg, err in rows}


def numbered(files: World) -> World:
    """The same with numbers for qids and for the groups of qrels, which is all that gdeval takes."""
    judged = tuple(row._replace(qid=row.qid.removeprefix("q"), group="0", level=int(row.level)) for row in files.judged)
    return files._replace(judged=judged, run={qid.removeprefix("q"): scores for qid, scores in files.run.items()})


@pytest.mark.parametrize("cutoff", [1, 5, 10, 20, 100])
@pytest.mark.parametrize("seed", SEEDS)
def test_gdeval_has_the_same_values_with_ties(tmp_path: Path, seed: int, cutoff: int) -> None:
    files = numbered(world("hits", seed, grades=POOLED))
    ndcg = values_of(tmp_path, files, f"nDCG(preset=gdeval)@{cutoff}")
    err = values_of(tmp_path, files, f"ERR(preset=gdeval)@{cutoff}")
    theirs = printed(tmp_path, cutoff)
    assert len(theirs) > 20
    for qid, values in theirs.items():
        assert (ndcg[qid], err[qid]) == pytest.approx(values, rel=0, abs=HALF_A_DIGIT)
    # It leaves out queries without relevant documents.
    assert {ndcg[qid] for qid in ndcg if qid not in theirs} == {0}


def test_gdeval_counts_a_document_twice_that_is_listed_twice(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n")
    assert printed(tmp_path, 10)["1"][0] == 1.63093
