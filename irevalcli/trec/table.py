"""trec_eval's table of measures: order, names, kinds and parameters, each tied to a measure of the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from irevalcli.measures.families import measure_named
from irevalcli.measures.nicknames import CUTOFFS, MULTIPLES_OF_R, RECALL_POINTS, SETS
from irevalcli.measures.registry import MeasureSpec
from irevalcli.trec import gains, interpolated
from irevalcli.trec.argv import Stop
from irevalcli.trec.parameters import integer_cutoffs, pairs, real_cutoffs, real_suffix, reals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

    Compute = Callable[[Ranking], Floats | list[str]]

Group = Literal["", "qrels", "qrels_jg", "preferences"]
Parameters = Literal["", "integer cutoffs", "real cutoffs", "reals", "pairs"]

_BEYOND_LONG = 2.0**63


class Setting(NamedTuple):
    """The options that measures look at.

    Attributes:
        level: lowest grade that counts as relevant.
        collection_size: number of documents in the collection.
        release_10: behave as release 10.0, else as 9.0.8.
    """

    level: int = 1
    collection_size: int = 0
    release_10: bool = True


class Row(NamedTuple):
    """A measure of trec_eval.

    Attributes:
        name: as in ``-m``.
        measure: the registry's name.
        group: the format of judgments that it needs; "" if any.
        parameters: how its parameters are read.
        default: parameters that apply if none are given.
        fixed: parameter values of the registry's measure.
        takes: the registry's parameter that the cutoff sets.
        integer: prints as a whole number.
        aggregate: ``mean``, ``sum``, ``geometric`` or ``none``.
        per_query, in_summary: where its lines are printed.
        since_10: unknown to release 9.
    """

    name: str
    measure: str
    group: Group = "qrels"
    parameters: Parameters = ""
    default: str = ""
    fixed: dict[str, Any] = {}  # noqa: RUF012  (read only)
    takes: str = "cutoff"
    integer: bool = False
    aggregate: Literal["mean", "sum", "geometric", "none"] = "mean"
    per_query: bool = True
    in_summary: bool = True
    since_10: bool = False


class Column(NamedTuple):
    """One printed name with the function that computes its values."""

    name: str
    row: Row
    compute: Compute


def _cut(name: str, measure: str, default: str = CUTOFFS, **fixed: Any) -> Row:  # noqa: ANN401
    return Row(name, measure, parameters="integer cutoffs", default=default, fixed=fixed)


def _count(name: str, measure: str) -> Row:
    return Row(name, measure, integer=True, aggregate="sum")


def _preference(name: str) -> Row:
    return Row(name, name, "preferences")


ROWS = (
    Row("runid", "", "", aggregate="none", per_query=False),
    Row("num_q", "NumQ", "", integer=True, aggregate="none", per_query=False),
    _count("num_ret", "NumRet"),
    _count("num_rel", "NumRel"),
    _count("num_rel_ret", "NumRelRet"),
    Row("map", "AP"),
    Row("gm_map", "GMAP", aggregate="geometric", per_query=False),
    Row("Rprec", "Rprec"),
    Row("bpref", "Bpref"),
    Row("recip_rank", "RR"),
    Row("iprec_at_recall", "IPrec", parameters="real cutoffs", default=RECALL_POINTS),
    _cut("P", "P"),
    Row("relstring", "relstring", parameters="reals", default="10", aggregate="none", in_summary=False),
    _cut("recall", "R"),
    Row("infAP", "infAP"),
    Row("gm_bpref", "GMBpref", aggregate="geometric", per_query=False),
    Row("Rprec_mult", "Rprec_mult", parameters="real cutoffs", default=MULTIPLES_OF_R, takes="multiple"),
    Row("utility", "Utility", parameters="reals", default="1,-1,0,0"),
    Row("11pt_avg", "11ptAvg", parameters="reals", default=RECALL_POINTS),
    Row("binG", "binG"),
    Row("G", "G", parameters="pairs"),
    Row("dcg", "DCG", parameters="pairs", since_10=True),
    Row("ideal_dcg", "IDCG", parameters="pairs", since_10=True),
    Row("ndcg", "nDCG", parameters="pairs"),
    Row("ndcg_rel", "ndcg_rel", parameters="pairs"),
    Row("Rndcg", "Rndcg", parameters="pairs"),
    _cut("ndcg_cut", "nDCG"),
    _cut("map_cut", "AP"),
    _cut("relative_P", "R", capped=True),
    _cut("success", "Success", "1,5,10"),
    Row("set_P", "SetP"),
    Row("set_relative_P", "SetRelP"),
    Row("set_recall", "SetR"),
    Row("set_map", "SetAP"),
    Row("set_F", "SetF", parameters="reals", default="1.0"),
    _count("num_nonrel_judged_ret", "NumJudgedNonRelRet"),
    *(
        Row(name, name, "preferences", integer=True, aggregate="sum")
        for name in ("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret")
    ),
    *(
        _preference(f"prefs_{name}")
        for name in (
            "simp", "pair", "avgjg", "avgjg_Rnonrel",
            "simp_ret", "pair_ret", "avgjg_ret", "avgjg_Rnonrel_ret",
            "simp_imp", "pair_imp", "avgjg_imp",
        )
    ),
    Row("map_avgjg", "AP_avgjg", "qrels_jg"),
    Row("P_avgjg", "P_avgjg", "qrels_jg", "integer cutoffs", CUTOFFS),
    Row("Rprec_mult_avgjg", "Rprec_mult_avgjg", "qrels_jg", "real cutoffs", MULTIPLES_OF_R, takes="multiple"),
    Row("yaap", "yaap"),
    Row("rbp", "RBP", parameters="pairs", since_10=True),
    Row("rbp_resid", "RBPResid", parameters="pairs", since_10=True),
    _cut("unj", "Unjudged", "5,10,20")._replace(since_10=True),
)  # fmt: skip


def _known(release_10: bool) -> set[str]:
    return {row.name for row in ROWS if release_10 or not row.since_10}


def split(argument: str) -> tuple[str, str | None]:
    """Name and parameters of a ``-m`` argument; no parameters is None."""
    name, dot, parameters = argument.partition(".")
    return name, parameters if dot else None


def check(argument: str, *, release_10: bool) -> None:
    """Refuse what trec_eval calls an illegal measure.

    Raises:
        Stop: with its message and exit code 1.
    """
    name, parameters = split(argument)
    improper = f"trec_eval: improper measure in parameter '{name}'\n" if parameters == "" else ""
    if improper or not (name in SETS or name in _known(release_10)):
        raise Stop(1, stderr=f"{improper}trec_eval: illegal measure '{name}'\n")


class Marked(NamedTuple):
    """A measure that was asked for, with the text of its parameters; None if it has its defaults."""

    row: Row
    parameters: str | None


def marked(arguments: tuple[str, ...], *, release_10: bool) -> list[Marked]:
    """The measures that ``-m`` arguments (all checked) ask for, in the order of the table."""
    names: set[str] = set()
    parameters: dict[str, str] = {}
    for argument in arguments:
        name, given = split(argument)
        names.update(SETS.get(name, (name,)))
        if given is not None:
            parameters.setdefault(name, given)
    known = _known(release_10)
    return [Marked(row, parameters.get(row.name)) for row in ROWS if row.name in names and row.name in known]


def columns(asked: Marked, setting: Setting) -> Iterator[Column]:
    """The printed names of a measure with their computations.

    Raises:
        BadParameters: the parameters cannot be read.
    """
    row, given = asked
    text = row.default if given is None else given
    if not row.measure:
        return
    if row.parameters == "integer cutoffs":
        for cutoff in integer_cutoffs(text):
            yield Column(f"{row.name}_{cutoff}", row, _registered(row, setting, **{row.takes: cutoff}))
    elif row.parameters == "real cutoffs":
        for point in real_cutoffs(text):
            compute: Compute
            if row.name == "iprec_at_recall":
                compute = interpolated.column(point, setting)
            else:
                compute = _registered(row, setting, **{row.takes: point})
            yield Column(f"{row.name}_{real_suffix(point)}", row, compute)
    else:
        name = row.name if given is None or not row.parameters else f"{row.name}_{given}"
        yield Column(name, row, _single(row, given, setting))


def _single(row: Row, given: str | None, setting: Setting) -> Compute:
    if row.parameters == "pairs":
        return gains.column(row.name, pairs(given) if given is not None else [], setting)
    values = reals(row.default if given is None else given) if row.parameters else []
    if row.name == "11pt_avg":
        return interpolated.mean_column(values, setting)
    if row.name == "utility":
        names = ("a", "b", "c", "d")
        known = dict(zip(names, values, strict=False))
        return _registered(row, setting, **known, collection_size=setting.collection_size)
    if row.name == "relstring":
        # A number that a C long cannot hold becomes the lowest one.
        return _registered(row, setting, length=int(values[0]) if 0 < values[0] < _BEYOND_LONG else 0)
    if row.name == "set_F":
        return _registered(row, setting, x=values[0])
    return _registered(row, setting)


def _registered(row: Row, setting: Setting, **values: Any) -> Compute:  # noqa: ANN401
    record = measure_named(row.measure)
    if record.uses_level:
        values["rel"] = setting.level
    spec = MeasureSpec.of(record, **row.fixed, **values)
    return spec.compute
