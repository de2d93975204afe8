"""Every key of the configuration file, one record each, which checking, help and docs/config.md read."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from irevalcli.reading.formats import AUTO
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.run_formats import RUN_FORMATS

Kind = Literal[
    "text", "texts", "choice", "switch", "number", "count", "share or number", "decimals", "path", "paths", "run",
    "runs", "queries", "order", "date", "table", "tables", "table or tables",
]  # fmt: skip
Purpose = Literal["presentation", "numbers", "gate"]

VARIABLES = "IREVALCLI_"
"""What the names of environment variables begin with that stand for options."""
MOST_DIGITS = 17
ORDERS = ("run", "measure", "query", "value")
"""What results may be sorted by; a measure may follow ``value``."""
STDIN = "-"


class Key(NamedTuple):
    """A key.

    Attributes:
        name: as it stands in the file.
        kind: of its value; `irevalcli.config.kinds` has a record for each.
        meaning: what it says, a sentence for help and documentation.
        default: the value if it is not given; None is none.
        values: those of a choice.
        least: lowest number.
        most: highest number.
        inclusive: whether `least` and `most` themselves are allowed.
        option: the long option that it stands for, or "".
        purpose: ``presentation`` changes no number and holds for every command; ``numbers`` may change them, and
            ``gate`` is about the gate alone: both hold for ``check`` alone.
        required: whether its table must have it.
        table: name of the table in `TABLES` that describes the keys inside, or "".
    """

    name: str
    kind: Kind
    meaning: str
    default: str | float | bool | None = None
    values: tuple[str, ...] = ()
    least: float = -math.inf
    most: float = math.inf
    inclusive: bool = True
    option: str = ""
    purpose: Purpose = "gate"
    required: bool = False
    table: str = ""

    @property
    def variable(self) -> str:
        """The environment variable that stands for it, or ""."""
        return VARIABLES + self.name.upper() if self.purpose == "presentation" else ""


FORMATS = (
    "auto", "table", "trec", "tsv", "csv", "json", "jsonl", "markdown", "latex", "junit", "github", "gitlab",
    "openmetrics", "concise", "full",
)  # fmt: skip
"""Every format of a command whose ``--format`` may be ``auto``."""

_PRESENTATION = (
    Key(
        "format", "choice", "How results are written, by every command that has this format.", "auto", FORMATS,
        option="--format", purpose="presentation",
    ),
    Key(
        "digits", "decimals", "Decimals. JSON always has them all.", 4, option="--digits", purpose="presentation",
    ),
    Key(
        "names", "choice", "Measure names: ours, trec_eval's, or as you wrote them.", None,
        ("canonical", "trec", "given"), option="--names", purpose="presentation",
    ),
    Key(
        "sort", "order", "By run, measure, query, value or value:MEASURE (best first).", option="--sort",
        purpose="presentation",
    ),
    Key(
        "color", "choice", "auto: on a terminal, and as NO_COLOR and FORCE_COLOR say.", "auto",
        ("auto", "always", "never"), option="--color", purpose="presentation",
    ),
    Key(
        "quiet", "switch", "Say nothing but errors on stderr.", default=False, option="--quiet",
        purpose="presentation",
    ),
    Key(
        "progress", "switch", "Show a bar on a terminal when reading takes longer than a second.", default=True,
        option="--progress", purpose="presentation",
    ),
)  # fmt: skip

_NUMBERS = (
    Key("qrels", "path", "The file of relevance judgments.", purpose="numbers"),
    Key("measures", "texts", "What is measured.", option="--measure", purpose="numbers"),
    Key(
        "relevance", "number", "Lowest grade that counts as relevant. Graded measures such as nDCG don't ask.", 1,
        option="--relevance", purpose="numbers",
    ),
    Key(
        "missing", "choice", "A judged query that the run lacks counts as 0, is left out, or is an error.", "zero",
        ("zero", "skip", "error"), option="--missing", purpose="numbers",
    ),
    Key(
        "no-relevant", "choice", "A query without relevant documents counts as 0, or is left out.", "zero",
        ("zero", "skip"), option="--no-relevant", purpose="numbers",
    ),
    Key(
        "queries", "queries", "Only these queries: separated by commas, or one a line in FILE.", option="--queries",
        purpose="numbers",
    ),
    Key(
        "depth", "count", "Keep the first K ranks of a ranking.", least=1, option="--depth", purpose="numbers",
    ),
    Key(
        "ties", "choice",
        "Order of equal scores: by document id, as trec_eval; by rank column or file; best, worst, average.",
        "docid-desc", ("docid-desc", "docid-asc", "rank", "file", "best", "worst", "average"), option="--ties",
        purpose="numbers",
    ),
    Key(
        "negative", "choice", "What a negative grade means: unjudged, as in trec_eval, or judged and not relevant.",
        "unjudged", ("unjudged", "nonrelevant"), option="--negative", purpose="numbers",
    ),
    Key(
        "judged-only", "switch", "Leave unjudged documents out of the rankings.", default=False,
        option="--judged-only", purpose="numbers",
    ),
    Key(
        "exclude-self", "switch", "Leave out documents whose id is that of the query.", default=False,
        option="--exclude-self", purpose="numbers",
    ),
    Key(
        "qrels-format", "choice", "How the qrels are written; auto looks at the first lines.", AUTO,
        (AUTO, *QRELS_FORMATS), option="--qrels-format", purpose="numbers",
    ),
    Key(
        "run-format", "choice", "How the runs are written; auto looks at the first lines.", AUTO,
        (AUTO, *RUN_FORMATS), option="--run-format", purpose="numbers",
    ),
    Key(
        "on-error", "choice",
        "A faulty line makes a file unusable, or is left out and counted; of duplicates the first counts.", "stop",
        ("stop", "skip"), option="--on-error", purpose="numbers",
    ),
    Key(
        "collection-size", "count", "Documents in the collection, for measures that need it.", 0, least=0,
        option="--collection-size", purpose="numbers",
    ),
    Key(
        "plugins", "paths", "Python files that register measures of your own (docs/plugins.md).", option="--plugin",
        purpose="numbers",
    ),
)  # fmt: skip

_DECIDE = ("auto", "point", "no-significant-drop", "non-inferior")
_BASELINE = Key(
    "baseline", "run", "What runs are compared with: a run, or JSON of evaluate --export.", option="--baseline"
)
_RUNS = Key("runs", "runs", "The runs that are checked: paths, or LABEL=PATH.")
_RULES = Key("rules", "tables", "What must hold.", table="rules")

_CHECK = (
    _BASELINE,
    _RUNS,
    Key(
        "undecided", "choice", "What it means if the queries decide neither.", "warn", ("pass", "warn", "fail"),
        option="--undecided",
    ),
    Key(
        "decide", "choice", "How drops are decided. auto: non-inferior if the baseline has values of queries.",
        "auto", _DECIDE, option="--decide",
    ),
    Key(
        "alpha", "number", "Error rate of decisions, one-sided.", 0.05, least=0, most=0.5, inclusive=False,
        option="--alpha",
    ),
    _RULES,
)  # fmt: skip

DEMANDS = (
    Key("min", "number", "The mean is not below this."),
    Key("max", "number", "The mean is not above this."),
    Key(
        "max-drop", "share or number", "The mean does not fall below the baseline's by more than this, such as 0.02; "
        '"2%" is a share of the baseline\'s.',
    ),
    Key("max-query-drop", "number", "No single query loses more than this against the baseline.", least=0),
    Key("min-judged", "text", 'Share of the first documents that must be judged, such as "10=0.95".'),
    Key("max-missing", "count", "How many judged queries the run may lack.", least=0),
)  # fmt: skip
"""A rule has one of these."""

WITHOUT_MEASURE = ("min-judged", "max-missing")
"""Demands that are about no measure."""

_RULE = (
    Key("measure", "text", f"What is measured. Not with {' and '.join(WITHOUT_MEASURE)}."),
    *DEMANDS,
    Key("decide", "choice", "For this max-drop: see above.", None, _DECIDE),
    Key("alpha", "number", "For this max-drop: see above.", least=0, most=0.5, inclusive=False),
    Key(
        "level", "choice", "What a breach means: error fails the gate, warn is told, off is not looked at.", "error",
        ("error", "warn", "off"),
    ),
    Key("allow", "table or tables", "Exceptions, for max-query-drop: one table, or a list of them.", table="allow"),
)  # fmt: skip

_ALLOW = (
    Key("queries", "texts", "The qids that the rule passes over.", required=True),
    Key("reason", "text", "Why.", required=True),
    Key("until", "date", "The last day on which it holds, such as 2027-03-01."),
)

_SUITE = (
    Key("name", "text", "How it is called in reports.", required=True),
    Key("qrels", "path", "Its judgments."),
    Key("baseline", "run", "Its baseline."),
    Key("runs", "runs", "Its runs."),
    Key("measures", "texts", "What is measured."),
    _RULES,
)


class Table(NamedTuple):
    """A table of the file.

    Attributes:
        heading: how it is written in the file, or "" for the top.
        meaning: what it is about.
        keys: what it may hold.
    """

    heading: str
    meaning: str
    keys: tuple[Key, ...]


TABLES = {
    "": Table(
        "",
        "The top of the file",
        (
            *_PRESENTATION,
            *_NUMBERS,
            Key("check", "table", "The gate.", table="check"),
            Key("suite", "tables", "Sets of runs.", table="suite"),
        ),
    ),
    "check": Table("[check]", "The gate", _CHECK),
    "rules": Table("[[check.rules]]", "A rule", _RULE),
    "allow": Table("allow = { … }", "Exceptions from a rule", _ALLOW),
    "suite": Table("[[suite]]", "A set of judgments with its runs", _SUITE),
}
"""Every table by the name that `Key.table` gives it."""

OF_OPTIONS = {key.option: key for table in ("", "check") for key in TABLES[table].keys if key.option}
"""The key that stands for each option, by the option's long name."""
