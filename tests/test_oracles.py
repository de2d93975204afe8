"""The numbers of pytrec_eval, on files with ties, negative grades, queries without finds, and missing queries.

pytrec_eval keeps scores in single precision and has the recall levels of trec_eval 9: scores are halves here, which it
holds exactly, and `IPrec` and `11ptAvg` are asked for with rounding=up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import pytrec_eval
from worlds import world

from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from worlds import World

    Qrels = dict[str, dict[str, int]]
    Run = dict[str, dict[str, float]]

SEEDS = (1, 2, 3, 4)
LEVELS = (1, 2, 3)
POOLED = (-1, 0, 0, 1, 1, 2, 3)
NEAR = 1e-12

CUTOFFS = "5,10,15,20,30,100,200,500,1000"
PYTREC = (
    f"map,gm_map,Rprec,bpref,gm_bpref,infAP,recip_rank,P.{CUTOFFS},recall.{CUTOFFS},relative_P.{CUTOFFS},"
    f"map_cut.{CUTOFFS},ndcg_cut.{CUTOFFS},success.1,5,10,Rprec_mult.0.2,0.4,0.6,0.8,1,1.2,1.4,1.6,1.8,2,"
    "binG,G,ndcg,ndcg_rel,set_P,set_recall,set_relative_P,set_map,set_F,utility,"
    "num_ret,num_rel,num_rel_ret,num_nonrel_judged_ret,num_q"
)
"""Measures under trec_eval's names, as both understand them."""

RECALLS = "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1"


def as_dicts(files: World) -> tuple[Qrels, Run]:
    qrels: Qrels = {}
    for row in files.judged:
        qrels.setdefault(row.qid, {})[row.docid] = int(row.level)
    return qrels, files.run


def our_values(text: str, files: World, level: float) -> dict[str, list[float]]:
    """Values of the queries that the run answers, in order of qid, by name."""
    ranking = files.ranking()
    found = {}
    for spec in parse_measures(text, level=level):
        found[spec.name] = np.asarray(spec.compute(ranking))[ranking.answered].tolist()
    return found


def in_pytrec_eval(names: list[str], files: World, level: int) -> list[list[float]]:
    """Likewise in pytrec_eval, whose names are those with an underscore; in the order asked for."""
    qrels, run = as_dicts(files)
    values = pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)
    printed = [name for spelled in names for name in printed_names(spelled)]
    return [[values[qid][name] for qid in sorted(values)] for name in printed]


def printed_names(spelled: str) -> list[str]:
    name, dot, given = spelled.partition(".")
    if not dot:
        return [name]
    decimals = name in {"Rprec_mult", "iprec_at_recall"}
    return [f"{name}_{float(value):.2f}" if decimals else f"{name}_{value}" for value in given.split(",")]


def spellings(text: str) -> list[str]:
    """The measures of a list, one item for each family."""
    items: list[str] = []
    for item in text.split(","):
        if items and item[0].isdigit():
            items[-1] += f",{item}"
        else:
            items.append(item)
    return items


def assert_near(ours: list[float], theirs: list[float], name: str) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=NEAR, atol=NEAR, err_msg=name)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_pytrec_eval_has_the_same_values(seed: int, level: int) -> None:
    files = world("hits", seed, grades=POOLED)
    ours = our_values(PYTREC, files, level)
    theirs = in_pytrec_eval(spellings(PYTREC), files, level)
    assert len(ours) == len(theirs) > 70
    for (name, values), other in zip(ours.items(), theirs, strict=True):
        assert_near(values, other, name)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_pytrec_eval_has_the_same_recall_levels_with_rounding_up(seed: int, level: int) -> None:
    files = world("hits", seed, grades=POOLED)
    ours = our_values(f"IPrec(rounding=up)@{RECALLS},11ptAvg(rounding=up)", files, level)
    theirs = in_pytrec_eval([f"iprec_at_recall.{RECALLS}", "11pt_avg"], files, level)
    for (name, values), other in zip(ours.items(), theirs, strict=True):
        assert_near(values, other, name)


@pytest.mark.parametrize(("spelled", "printed"), [("set_F.0.5", "set_F"), ("set_F.2", "set_F"), ("Rndcg", "Rndcg")])
def test_pytrec_eval_has_the_same_values_at_its_own_level(spelled: str, printed: str) -> None:
    # Of a higher level it makes a condition for Rndcg, which is of graded relevance; to set_F it gives one name.
    for seed in SEEDS:
        files = world("hits", seed, grades=POOLED)
        ((name, ours),) = our_values(spelled, files, 1).items()
        qrels, run = as_dicts(files)
        values = pytrec_eval.RelevanceEvaluator(qrels, [spelled]).evaluate(run)
        assert_near(ours, [values[qid][printed] for qid in sorted(values)], name)


def test_every_measure_of_pytrec_eval_is_compared() -> None:
    asked = {item.partition(".")[0] for item in spellings(PYTREC)} | {"iprec_at_recall", "11pt_avg", "Rndcg"}
    assert pytrec_eval.supported_measures - asked == {"runid", "relstring"}
