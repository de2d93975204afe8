"""Files beside qrels and runs that some measures need: further grades of the documents, and their popularity."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.analysis.inputs import faulty, load_qrels
from irevalcli.analysis.notes import counted
from irevalcli.analysis.scores import InputFile, Note
from irevalcli.errors import Finding, InputProblem, UsageProblem
from irevalcli.index.further_grades import further_grades, name_of_grades
from irevalcli.reading.opening import Source
from irevalcli.reading.rules import NO_DATA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from irevalcli.analysis.policy import Asked, Policy
    from irevalcli.index.judgments import Judgments
    from irevalcli.index.popularity import Popularity
    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Bools

_TIES = ("docid-desc", "docid-asc", "rank", "file")
"""The tie rules that put all documents in an order, and not only those that the qrels list."""


class FurtherInputs(NamedTuple):
    """What was read beside qrels and runs.

    Attributes:
        popularity: how often documents were chosen, or None.
        files: what was read, for the record.
        notes: what should be known about it.
    """

    popularity: Popularity | None
    files: tuple[InputFile, ...]
    notes: tuple[Note, ...]


def check_further_inputs(measures: Sequence[Asked], policy: Policy) -> None:
    """Nothing, if the call has what measures need beside qrels and runs, and nothing that no measure looks at.

    Raises:
        UsageProblem: an option is missing, is idle, or does not go with a measure.
    """
    grades = dict(policy.grades)
    needs = {spec.measure.needs for spec, _ in measures}
    popularity = [spec.name for spec, _ in measures if spec.measure.name == "novelty"]
    for spec, _ in measures:
        if spec.measure.needs == "further_grades":
            name_of_grades(spec.measure.name, spec.parameters["grades"], grades)
        if spec.measure.needs == "document_lists" and policy.ties not in _TIES:
            raise UsageProblem(
                f"{spec.name}: --ties {policy.ties} says nothing about the order of documents without judgments",
                hints=(f"rules that do: {', '.join(_TIES)}",),
            )
    if grades and "further_grades" not in needs:
        raise UsageProblem(f"--qrels {next(iter(grades))}=…: no measure looks at further grades, as uRBP does")
    if policy.popularity is not None and not popularity:
        raise UsageProblem("--popularity: no measure looks at it, as novelty@10 does")
    if policy.popularity is None and popularity:
        raise UsageProblem(
            f"{popularity[0]} needs to know how popular the documents are", hints=("give counts by --popularity FILE",)
        )


def load_further_inputs(judgments: Judgments, policy: Policy, name: str, *, digest: bool) -> FurtherInputs:
    """The further inputs of a call; the judgments get the further grades.

    Args:
        judgments: the judgments of the call.
        policy: which files.
        name: what messages call the qrels.
        digest: also compute the SHA-256 of the files.

    Raises:
        InputProblem: a file cannot be used.
    """
    files: list[InputFile] = []
    notes: list[Note] = []
    for column, path in policy.grades:
        loaded = load_qrels(path, digest=digest)
        joined = further_grades(judgments, loaded.judgments)
        if joined.lacking == judgments.num_listed:
            raise InputProblem(f"{path}: no query and document in common with {name}")
        judgments.further_grades[column] = joined.grade
        files.append(InputFile("--qrels", column, path, loaded.sha256))
        notes += loaded.notes
        if joined.lacking:
            lacking = counted(joined.lacking, "document")
            text = f"{path}: {lacking} of {name} without a grade called {column}; no gain in it"
            notes.append(Note("note", text))
        if joined.unknown:
            unknown = counted(joined.unknown, "document")
            notes.append(Note("note", f"{path}: {unknown} that {name} does not list; ignored"))
    popularity = None
    if policy.popularity is not None:
        popularity, digest_of = _load_popularity(policy.popularity, digest=digest)
        files.append(InputFile("--popularity", "popularity", policy.popularity, digest_of))
    return FurtherInputs(popularity, tuple(files), tuple(notes))


def _load_popularity(path: str, *, digest: bool) -> tuple[Popularity, str | None]:
    from irevalcli.index.popularity import read_popularity  # noqa: PLC0415  (start-up: rare)

    with Source(path) as source:
        popularity, faults = read_popularity(source)
        if faults:
            raise faulty(source.name, faults)
        if popularity is None:
            raise InputProblem.of(Finding(NO_DATA.code, "no count above 0 in the file", source.name))
        return popularity, source.sha256() if digest else None


def deepest_list(measures: Sequence[Asked]) -> int:
    """Down to which rank measures look at documents whether judged or not; 0 if none does."""
    cutoffs = [spec.parameters["cutoff"] for spec, _ in measures if spec.measure.needs == "document_lists"]
    return max(cutoffs, default=0)


def with_popularity(ranking: Ranking, counted_queries: Bools, popularity: Popularity | None) -> None:
    """Reduce the documents that the ranking shows to those of the queries that count, and say how popular they are."""
    top = ranking.top_documents
    if top is None:
        return
    kept = counted_queries[top.query]
    top = top._replace(query=top.query[kept], rank=top.rank[kept], document=top.document[kept])
    if popularity is not None:
        top = top._replace(popularity=popularity.of(top.data, top.docids))
    ranking.top_documents = top
