"""The registry of measures: what a measure is, and the table of all of them.

A record is the one source for a measure: help, `irevalcli measures`, the documentation, the JSON and the tests read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

import numpy as np

from irevalcli.errors import IrevalError, UsageProblem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from irevalcli.index.ranking import Ranking
    from irevalcli.measures.terms import Decomposition
    from irevalcli.reading.arrays import Floats

    Compute = Callable[..., Floats | list[str]]
    Pool = Callable[..., float]

Function = TypeVar("Function", bound="Compute")
Kind = Literal["per_query", "summary", "text", "comparison"]
Aggregation = Literal["mean", "sum", "geometric", "pooled", "none"]
Needs = Literal[
    "any", "hits", "groups", "subtopics", "preferences", "further_grades", "document_lists", "runs", "baseline"
]
Value = int | float | bool | str | dict[float, float] | tuple[float, ...] | None
Bound = Literal["low", "high", "width"]

REQUIRED: Value = "<required>"
"""The default of a parameter that has none."""


class Param(NamedTuple):
    """A parameter of a measure.

    Attributes:
        name: as in ``AP(rel=2)``.
        type: ``int``, ``float``, ``bool``, ``str`` (one of `choices`), ``gains`` (a map grade: gain), ``floats``,
            ``word`` (a name that the user has given something) or ``measure`` (the name of a measure).
        default: the value when not given; `REQUIRED` if it must be given.
        meaning: one clause.
        choices: the allowed words of a ``str``.
        low: lowest allowed number, or None.
        high: highest allowed number, or None.
        optional: ``none`` is a value too, although it is not the default.
    """

    name: str
    type: Literal["int", "float", "bool", "str", "gains", "floats", "word", "measure"]
    default: Value
    meaning: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    optional: bool = False


class Example(NamedTuple):
    """A worked example: a query, a spelling of the measure, the value.

    Attributes:
        measure: the measure with its parameters, such as ``AP@5``.
        ranking: grades in rank order, ``-`` for a document that is not in the qrels. With groups of judgments one such
            list for each group, separated by ``|``, all over the same documents. Of a measure that needs document
            lists, the documents shown, by query. Of a comparison, the values of the measure that is compared, by run:
            first the run that has the value, then the baseline, then others.
        unretrieved: grades of the judged documents that were not retrieved.
        value: as printed by the source, to as many digits as it gives (a string for text measures).
        source: where the number comes from.
        further: the further grades of the retrieved documents in rank order, ``-`` for one without; of a measure of
            popularity, how often each document was chosen, ``a:3 b:1``.
    """

    measure: str
    ranking: str
    unretrieved: str
    value: str
    source: str = ""
    further: str = ""


class Equivalent(NamedTuple):
    """The same number in another tool."""

    tool: str
    name: str


class Origin(NamedTuple):
    """Where a measure that is not built in comes from.

    Attributes:
        name: the distribution, the file, or the module that registered it.
        version: of the distribution, or "".
    """

    name: str
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()


class Measure(NamedTuple):
    """The record of a measure.

    Attributes:
        name: canonical name.
        title: the full name in words.
        summary: what the measure answers, one line.
        formula: the definition in plain text.
        parameters: in the order in which they are printed; that of ``@`` first, if there is one.
        at: name of the parameter that ``@x`` sets, or "".
        low, high: the range of values with default parameters; None means unbounded. `note` has the parameters that
            lead out of it. Of a geometric mean it is the range of the mean, whose logarithms `compute` gives.
        higher_is_better: the direction; None if neither.
        kind: ``per_query``, ``summary`` (no per-query value is shown), ``text`` (strings, per query only) or
            ``comparison`` (of runs by their values of another measure; no per-query value is shown).
        integer: values are whole numbers and print as such.
        aggregation: how per-query values become one; ``pooled`` if `pool` makes it without them.
        needs: what the judgments must offer; or, besides them, the documents that the run shows, other runs or a
            baseline.
        no_relevant: value of a query without relevant documents (see `low`); None if it has no fixed value.
        monotone: moving a relevant document up, past one that is not relevant, never lowers the value.
        references: papers and programs that define it, as `measures.references` has them.
        since: version of irevalcli that first had it; "" for a plugin's.
        examples: worked examples; they run as tests.
        equivalents: names of the same number in other tools.
        aliases: further names accepted on input.
        note: traps and decisions, or "".
        compute: the function ``(ranking, **parameters)`` to one value per query. Of a comparison the function
            ``(values, **parameters)`` to one value per run, NaN where there is none: `values` are those of the measure
            that is compared, float64[runs, queries]; if a baseline is needed, it is the first run.
        pool: the function ``(ranking, queries, **parameters)`` to one value of the queries that count (bool[queries]),
            for measures over all documents of all queries; None for those that aggregate the values by query.
        origin: the plugin that it belongs to; None if it is built in.
    """

    name: str
    title: str
    summary: str
    formula: str
    parameters: tuple[Param, ...]
    at: str
    low: float | None
    high: float | None
    higher_is_better: bool | None
    kind: Kind
    integer: bool
    aggregation: Aggregation
    needs: Needs
    no_relevant: float | None
    monotone: bool
    references: tuple[str, ...]
    since: str
    examples: tuple[Example, ...]
    equivalents: tuple[Equivalent, ...]
    aliases: tuple[str, ...]
    note: str
    compute: Compute
    pool: Pool | None = None
    origin: Origin | None = None

    @property
    def uses_level(self) -> bool:
        """Whether the measure is defined through *relevant* documents, so that ``--relevance`` acts on it."""
        param = self.parameter("rel")
        return param is not None and param.default is not None

    def scales_by_highest_grade(self, values: Mapping[str, Value]) -> bool:
        """Whether the measure, with these parameters, looks for the highest grade in the qrels.

        That grade is then part of what the number means, and of the measure's printed name.
        """
        asks = "max_rel" in values and values["max_rel"] is None
        return asks and values.get("gain", "scaled") == "scaled" and values.get("scale", "qrels") == "qrels"

    @property
    def terms(self) -> Decomposition | None:
        """The function ``(ranking, **parameters)`` that takes the value apart by rank; None if it is no such sum."""
        from irevalcli.measures.terms import decomposition  # noqa: PLC0415  (start-up: only explanations need it)

        return decomposition(self.compute)

    @property
    def tie_average(self) -> Compute | None:
        """The function that averages over all orders of tied documents; None if no closed form is known."""
        from irevalcli.measures.tie_averages import average_of  # noqa: PLC0415  (start-up: only --ties average needs it)

        return average_of(self.compute)

    @property
    def has_bounds(self) -> bool:
        """Whether ``bound=`` says what unjudged documents leave open."""
        from irevalcli.measures.bounds import has_bounds  # noqa: PLC0415  (start-up: only bound= needs it)

        return has_bounds(self)

    @property
    def sees_single_judgments(self) -> bool:
        """Whether documents are judged one by one for it, so that ``judged_only`` can leave the others out."""
        return self.needs in {"hits", "subtopics", "further_grades"}

    @property
    def options(self) -> tuple[Param, ...]:
        """What the measure may be asked for beside its own parameters."""
        return (JUDGED_ONLY,) * self.sees_single_judgments + (BOUND,) * self.has_bounds

    def parameter(self, name: str) -> Param | None:
        """The parameter of that name, or None."""
        return next((param for param in self.parameters if param.name == name), None)


REL = Param("rel", "float", 1, "lowest grade that counts as relevant", low=0)
CUTOFF = Param("cutoff", "int", REQUIRED, "ranks looked at, from the top", low=1)
OPTIONAL_CUTOFF = CUTOFF._replace(default=None)
JUDGED_ONLY = Param("judged_only", "bool", default=False, meaning="leave unjudged documents out of the ranking first")
BOUND = Param(
    "bound",
    "str",
    "",
    "instead of the value the lowest or highest that unjudged documents allow, or their difference",
    choices=("low", "high", "width"),
)

MEASURES: dict[str, Measure] = {}
"""Every built-in measure whose family has been imported, by its canonical name, in order of registration."""

PLUGGED: dict[str, Measure] = {}
"""The measures of plugins that have been loaded, likewise."""


_BUILT_IN = __name__.rpartition(".")[0] + "."


def measure(
    name: str,
    *,
    title: str,
    summary: str,
    formula: str,
    reference: str | tuple[str, ...],
    examples: tuple[Example, ...],
    equivalents: tuple[Equivalent, ...] = (),
    parameters: tuple[Param, ...] = (),
    at: str = "",
    low: float | None = 0,
    high: float | None = 1,
    higher_is_better: bool | None = True,
    kind: Kind = "per_query",
    integer: bool = False,
    aggregation: Aggregation = "mean",
    needs: Needs = "hits",
    no_relevant: float | None = 0.0,
    monotone: bool = True,
    since: str = "0.1",
    aliases: tuple[str, ...] = (),
    note: str = "",
    pool: Pool | None = None,
) -> Callable[[Function], Function]:
    """A decorator that registers a function as a measure. The arguments are the fields of `Measure`.

    Raises:
        IrevalError: the name of a built-in measure is taken.
        UsageProblem: the measure belongs to a plugin, and its record is incomplete or a name is taken.
    """

    def register(compute: Function) -> Function:
        references = (reference,) if isinstance(reference, str) else reference
        record = Measure(
            name, title, summary, formula, parameters, at, low, high, higher_is_better, kind, integer, aggregation,
            needs, no_relevant, monotone, references, since, examples, equivalents, aliases, note, compute, pool,
        )  # fmt: skip
        if not compute.__module__.startswith(_BUILT_IN):
            from irevalcli.measures.plugged import plug  # noqa: PLC0415  (rare, and it imports this module)

            plug(record)
        elif name in MEASURES:
            raise IrevalError(f"measure {name} is registered twice: {MEASURES[name].compute} and {compute}")
        else:
            MEASURES[name] = record
        return compute

    return register


class MeasureSpec(NamedTuple):
    """A measure with the values of all its parameters: what a measure string such as ``nDCG@10`` stands for.

    Attributes:
        measure: the record.
        values: of the record's parameters, in their order.
        judged_only: unjudged documents are left out of the ranking first.
        bound: what is asked for instead of the value; None for the value.
    """

    measure: Measure
    values: tuple[Value, ...]
    judged_only: bool = False
    bound: Bound | None = None

    @classmethod
    def of(cls, measure: Measure, /, **values: Any) -> MeasureSpec:  # noqa: ANN401
        """The measure with the given parameters and its defaults for the others; values are taken as they are."""
        return cls(measure, tuple(values.get(param.name, param.default) for param in measure.parameters))

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameter values by name, defaults included."""
        return {param.name: value for param, value in zip(self.measure.parameters, self.values, strict=True)}

    @property
    def name(self) -> str:
        """The canonical name: parameters in the record's order, defaults left out, `at` behind the ``@``."""
        inside = []
        suffix = ""
        for param, value in zip(self.measure.parameters, self.values, strict=True):
            if param.name == self.measure.at:
                suffix = "" if value is None else f"@{_shown(value)}"
            elif value != param.default:
                inside.append(f"{param.name}={_shown(value)}")
        inside += [f"{name}={value}" for name, value in self.options.items()]
        return self.measure.name + (f"({','.join(inside)})" if inside else "") + suffix

    @property
    def options(self) -> dict[str, Value]:
        """What was asked for beside the parameters of the measure, by name."""
        asked = {JUDGED_ONLY.name: self.judged_only, BOUND.name: self.bound}
        return {name: value for name, value in asked.items() if value}

    @property
    def higher_is_better(self) -> bool | None:
        """The direction; None if neither."""
        return False if self.bound == "width" else self.measure.higher_is_better

    def seen(self, ranking: Ranking) -> Ranking:
        """The ranking that the measure looks at."""
        return ranking.judged_only() if self.judged_only else ranking

    def compute(self, ranking: Ranking) -> Floats | list[str]:
        """One value per query of the judgments."""
        if self.bound is not None:
            from irevalcli.measures.bounds import bound  # noqa: PLC0415  (start-up: rare)

            return bound(self, ranking)
        return self.measure.compute(self.seen(ranking), **self.parameters)

    def average_over_ties(self, ranking: Ranking) -> Floats | list[str]:
        """One value per query: the mean over all orders of documents with equal scores.

        Raises:
            UsageProblem: no closed form is known.
        """
        average = self.measure.tie_average
        if average is None or self.bound is not None:
            raise UsageProblem(f"{self.name}: no closed form of the mean over tied documents is known")
        return average(self.seen(ranking), **self.parameters)


def _shown(value: Value) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{_shown(key)}:{_shown(gain)}" for key, gain in sorted(value.items())) + "}"
    if isinstance(value, tuple):
        return "[" + ",".join(_shown(number) for number in value) + "]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def sequential_sum(values: Floats) -> float:
    """The sum in the order of the array, one addition after the other as a C loop does it, beginning with 0.0."""
    return 0.0 + float(np.add.accumulate(values)[-1]) if values.size else 0.0
