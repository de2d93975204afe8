"""Worked examples of measures that look at more than judgments and one run, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from builders import example_ranking
from judged_groups import example_with_groups
from plain import judgments_in, run_in

from irevalcli.index.scan import RunRules
from irevalcli.measures.spec import parse_measures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.registry import Example, Measure


def lists_of(text: str) -> list[list[str]]:
    """The lists of an example: words, separated by bars."""
    return [part.split() for part in text.split("|")]


def with_further_grades(example: Example) -> Ranking:
    """The ranking of an example whose retrieved documents have further grades; the others have none."""
    ranking = example_ranking(example)
    retrieved = zip(example.ranking.split(), example.further.split(), strict=True)
    grades = [-1.0 if word == "-" else float(word) for grade, word in retrieved if grade != "-"]
    missed = [-1.0] * len(example.unretrieved.split())
    ranking.judgments.further_grades["other"] = np.array(grades + missed)
    return ranking


def shown(lists: list[list[str]], counts: Mapping[str, float]) -> Ranking:
    """The ranking of queries that show these documents; the judgments know none of them."""
    qids = [f"q{place:03}" for place in range(len(lists))]
    judgments = judgments_in("".join(f"{qid} 0 judged 1\n" for qid in qids).encode())
    lines = [
        f"{qid} Q0 {docid} 0 {-place} t\n"
        for qid, docids in zip(qids, lists, strict=True)
        for place, docid in enumerate(docids)
    ]
    ranking, _ = run_in("".join(lines).encode(), judgments, RunRules(top=10))
    return with_popularity(ranking, counts)


def with_popularity(ranking: Ranking, counts: Mapping[str, float]) -> Ranking:
    """The same ranking, with how often its documents were chosen."""
    top = ranking.top_documents
    assert top is not None
    total = sum(counts.values())
    names = [name.decode() for name in top.names(np.arange(top.docids.start.size))]
    share = np.array([counts[name] / total if name in counts else -1.0 for name in names])
    if counts:
        ranking.top_documents = top._replace(popularity=share)
    return ranking


def counts_of(example: Example) -> dict[str, float]:
    """How often each document was chosen."""
    pairs = (word.split(":") for word in example.further.split())
    return {docid: float(count) for docid, count in pairs}


def value_of(record: Measure, example: Example) -> float | str:
    """What the measure of an example comes to: of a run what is printed for it, otherwise the value of its query."""
    (spec,) = parse_measures(example.measure)
    if record.kind == "comparison":
        first, second, *others = [[float(word) for word in words] for words in lists_of(example.ranking)]
        # The function wants the baseline first, where the example has the run.
        return float(record.compute(np.array([second, first, *others]), **spec.parameters)[1])
    if record.needs == "document_lists":
        ranking = shown(lists_of(example.ranking), counts_of(example))
        if record.pool is not None:
            return record.pool(ranking, np.ones(ranking.num_queries, np.bool_), **spec.parameters)
    elif record.needs == "further_grades":
        ranking = with_further_grades(example)
    else:
        ranking = (example_ranking if record.needs == "hits" else example_with_groups)(example)
    (value,) = spec.compute(ranking)
    return value if isinstance(value, str) else float(value)
