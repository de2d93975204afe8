"""Fusing run files: read each once, then make the fused ranking some queries at a time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from irevalcli.analysis.fuse import METHODS, Fusing, fuse
from irevalcli.analysis.lists import load_lists
from irevalcli.analysis.notes import counted, some
from irevalcli.analysis.policy import DEFAULTS, Policy, tie_rule
from irevalcli.analysis.scores import Note
from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.candidates import Runs
from irevalcli.index.order import Rows, TieRule
from irevalcli.index.top_documents import top_order
from irevalcli.reading.faults import quoted
from irevalcli.reading.words import token_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from irevalcli.analysis.evaluate import NamedRun
    from irevalcli.index.candidates import Candidates
    from irevalcli.reading.arrays import Floats, Positions
    from irevalcli.reading.opening import Source


class Fused(NamedTuple):
    """The fused ranking of some queries.

    Attributes:
        qids: the queries, ascending.
        sizes: per query, its number of documents.
        docids: in order of query, then rank.
        scores: likewise.
    """

    qids: list[bytes]
    sizes: Positions
    docids: list[bytes]
    scores: Floats


class Inputs(NamedTuple):
    """Runs that will be fused.

    Attributes:
        runs: side by side.
        queries: the indices of those queries of theirs that were asked for.
        names: of the runs.
        notes: what should be known about them.
    """

    runs: Runs
    queries: Positions
    names: tuple[str, ...]
    notes: tuple[Note, ...]

    def one_way(self, fusing: Fusing) -> tuple[tuple[Fusing, ...], Positions]:
        """One way to fuse all queries, as `fused_batches` wants it."""
        return (fusing,), np.zeros(len(self.runs.qids), np.int64)


def load_inputs(
    runs: Sequence[NamedRun],
    policy: Policy = DEFAULTS,
    *,
    depth: int | None = None,
    watch: Callable[[Source], None] | None = None,
) -> Inputs:
    """The runs, read as strictly as for an evaluation.

    Args:
        runs: the files.
        policy: how to break ties, which queries count, and whether documents with the id of their query are left out.
        depth: how many documents of each ranking are looked at; all if None.
        watch: called whenever some of a run was read, or None.

    Raises:
        InputProblem: a file cannot be used.
        UsageProblem: a query that was asked for is in no run.
    """
    loaded = [load_lists(run, policy, depth=depth, watch=watch) for run in runs]
    together = Runs([each.lists for each in loaded])
    queries = np.arange(len(together.qids))
    if policy.queries is not None:
        strangers = sorted(set(policy.queries) - set(together.qids))
        if strangers:
            number = counted(len(strangers), "query is", "queries are")
            raise UsageProblem(f"--queries: {number} in none of the runs: {some(strangers)}")
        wanted = set(policy.queries)
        queries = np.array([place for place, qid in enumerate(together.qids) if qid in wanted], np.int64)
    notes = [note for each in loaded for note in each.notes]
    for each in loaded:
        lacking = sorted(set(together.qids) - set(each.lists.qids))
        if lacking:
            number = counted(len(lacking), "query", "queries")
            notes.append(Note("warning", f"{each.run.label} lacks {number} of the other runs ({some(lacking)})"))
    return Inputs(together, queries, tuple(run.label for run in runs), tuple(notes))


def check_fusing(fusing: Fusing, num_runs: int) -> None:
    """Nothing, if the options go together.

    Raises:
        UsageProblem: they do not.
    """
    method = METHODS[fusing.method]
    if fusing.norm != "none" and not method.scores:
        raise UsageProblem(
            f"--norm {fusing.norm}: {fusing.method} sees ranks, not scores",
            hints=(f"methods that combine scores: {', '.join(name for name, each in METHODS.items() if each.scores)}",),
        )
    if fusing.weights is None:
        return
    if not method.weights:
        names = ", ".join(name for name, each in METHODS.items() if each.weights)
        raise UsageProblem(f"--weights: {fusing.method} has none", hints=(f"methods with weights: {names}",))
    if len(fusing.weights) != num_runs:
        raise UsageProblem(f"--weights: {counted(len(fusing.weights), 'weight')} for {counted(num_runs, 'run')}")


def fused_batches(
    inputs: Inputs, fusing: Sequence[Fusing], which: Positions, depth: int, policy: Policy = DEFAULTS
) -> Iterator[Fused]:
    """The fused ranking, some queries at a time, in byte order of the qids.

    Args:
        inputs: what to fuse.
        fusing: one way to fuse, or several.
        which: per query of the inputs, which of the ways is its own.
        depth: how many documents of a query.
        policy: how to break ties of fused scores; the rank column and the file order, which they lack, by docid.

    Raises:
        InputProblem: scores are infinite, or too large to be combined.
    """
    rule = TieRule(docid_descending=tie_rule(policy).docid_descending)
    for batch in inputs.runs.batches(inputs.queries):
        candidates = inputs.runs.candidates(batch)
        scores = np.zeros(candidates.size)
        own = which[batch][candidates.query]
        for number in np.unique(own).tolist():
            mine = own == number
            scores[mine] = fuse(candidates, fusing[number])[mine]
        refuse_infinite(scores, candidates, [inputs.runs.qids[place] for place in batch.tolist()], inputs.names)
        row, query, _ = ranked(candidates, scores, depth, rule)
        docids = candidates.docids.at(row)
        yield Fused(
            [inputs.runs.qids[place] for place in batch.tolist()],
            np.bincount(query, minlength=batch.size),
            token_list(candidates.data, docids.start, docids.end),
            scores[row],
        )


def ranked(candidates: Candidates, scores: Floats, depth: int, rule: TieRule) -> tuple[Positions, Positions, Positions]:
    """The first candidates of every query by their scores, the query of each, and its rank."""
    new = np.flatnonzero(np.diff(candidates.query, prepend=-1))
    rows = Rows(candidates.data, candidates.docids, scores, new, np.append(new[1:], candidates.size))
    top = top_order(rows, candidates.query[new], depth, rule)
    return top.row, top.query, top.rank


def refuse_infinite(scores: Floats, candidates: Candidates, qids: Sequence[bytes], names: Sequence[str]) -> None:
    """Nothing, if every fused score is a number.

    Raises:
        InputProblem: one is not.
    """
    bad = np.flatnonzero(~np.isfinite(scores))
    if not bad.size:
        return
    infinite = [
        name for name, listed in zip(names, candidates.lists, strict=True) if not np.isfinite(listed.score).all()
    ]
    query = quoted(qids[int(candidates.query[bad[0]])])
    if infinite:
        message = f"{infinite[0]} has an infinite score, which cannot be combined with others (query {query})"
    else:
        message = f"the scores of query {query} are too large to be combined"
    raise InputProblem(message, hints=("--norm rank, and methods such as rrf, see nothing but ranks",))


def run_lines(batches: Iterator[Fused], tag: bytes) -> Iterator[bytes]:
    """The fused ranking as lines of a run, one string of bytes for each batch."""
    line = partial(b"%b Q0 %b %d %b %b\n".__mod__)
    for fused in batches:
        texts = map(str.encode, map(repr, fused.scores.tolist()))
        rows = iter(zip(fused.docids, texts, strict=True))
        yield b"".join(
            line((qid, docid, rank, text, tag))
            for qid, size in zip(fused.qids, fused.sizes.tolist(), strict=True)
            for rank, (docid, text) in zip(range(1, size + 1), rows, strict=False)
        )
