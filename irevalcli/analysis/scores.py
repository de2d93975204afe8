"""Scores: what an evaluation comes to. Analysis and output consume this and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from irevalcli.measures.registry import MeasureSpec
    from irevalcli.reading.arrays import Floats


class Note(NamedTuple):
    """Something the reader of a score should know.

    Attributes:
        severity: ``warning`` if numbers may be other than expected, else ``note``.
        text: one sentence without a final stop.
        hint: the option that changes it, or "".
    """

    severity: Literal["warning", "note"]
    text: str
    hint: str = ""


class Coverage(NamedTuple):
    """Which queries were scored.

    Attributes:
        judged: number of queries in the qrels (after ``--queries``).
        missing: judged queries that the run lacks, in byte order.
        unknown: number of queries of the run that the qrels lack.
        without_relevant: number of judged queries without a relevant document at the level in force.
    """

    judged: int
    missing: tuple[bytes, ...]
    unknown: int
    without_relevant: int


class Spread(NamedTuple):
    """How the values of a run vary over queries, and how far its mean is known.

    Attributes:
        mean: of the values.
        low: lower end of Student's interval of the mean, or None for a single query.
        high: its upper end, or None.
        confidence: of both intervals, in (0, 1).
        deviation: sample standard deviation, or None for a single query.
        minimum: the lowest value.
        quartiles: the values below which a quarter, a half and three quarters of the queries lie.
        maximum: the highest value.
        bca: ends of the bootstrap interval of the mean (bias-corrected and accelerated), None where there are none.
        resamples: number of bootstrap samples.
        seed: of the samples.
    """

    mean: float
    low: float | None
    high: float | None
    confidence: float
    deviation: float | None
    minimum: float
    quartiles: tuple[float, float, float]
    maximum: float
    bca: tuple[float | None, float | None]
    resamples: int
    seed: int


class Column(NamedTuple):
    """One measure of one run.

    Attributes:
        spec: the measure and its parameters.
        given: the measure as the user spelt it.
        values: one per counted query: float64, or text.
        aggregate: over the counted queries; None if the measure has no aggregate.
        spread: of the values, if it was asked for and the aggregate is their mean; else None.
    """

    spec: MeasureSpec
    given: str
    values: Floats | list[str]
    aggregate: float | None
    spread: Spread | None = None


class Scores(NamedTuple):
    """One run, scored.

    Attributes:
        label: the name of the run in the output.
        path: the file, as the user named it.
        tag: the run tag of the file's last line.
        sha256: of the file's bytes as they lie on disk, in hexadecimal, or None if not asked for.
        qids: the counted queries in byte order.
        columns: the measures in the order in which they were asked for.
        coverage: which queries were scored.
        notes: what should be known about these scores.
        left_out: queries that met all other conditions and have no standardised score, in byte order.
    """

    label: str
    path: str
    tag: bytes
    sha256: str | None
    qids: tuple[bytes, ...]
    columns: tuple[Column, ...]
    coverage: Coverage
    notes: tuple[Note, ...]
    left_out: tuple[bytes, ...] = ()


class InputFile(NamedTuple):
    """A file that was read beside qrels and runs.

    Attributes:
        option: by which it was given.
        name: what the call calls its contents.
        path: the file, as the user named it.
        sha256: of the file, or None if not asked for.
    """

    option: str
    name: str
    path: str
    sha256: str | None


class Evaluation(NamedTuple):
    """All runs of one call, scored against the same judgments.

    Attributes:
        qrels_path: the qrels, as the user named them.
        qrels_sha256: of the qrels file, or None if not asked for.
        options: the options that decided the numbers, by their names on the command line.
        runs: in the order of the command line.
        notes: what should be known about the judgments.
        further: what was read beside qrels and runs.
    """

    qrels_path: str
    qrels_sha256: str | None
    options: dict[str, str | int | float | bool | dict[str, str] | None]
    runs: tuple[Scores, ...]
    notes: tuple[Note, ...]
    further: tuple[InputFile, ...] = ()
