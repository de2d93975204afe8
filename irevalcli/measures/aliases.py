"""Names and parameters as other tools spell them, one row each.

Plain one-to-one names (``map`` for ``AP``) are not here: the records' `aliases` and `equivalents` carry them.
"""

from __future__ import annotations

from typing import NamedTuple

from irevalcli.measures.nicknames import CUTOFFS, MULTIPLES_OF_R, RECALL_POINTS


class Alias(NamedTuple):
    """A name that stands for a measure with some parameters set, or that takes values in its own notation.

    Attributes:
        name: as the other tool spells it.
        target: the measure in our grammar; its parameters hold unless others are written.
        values: parameters set by the list behind ``.`` or ``_``; ``@`` stands for that of ``@``. One parameter that
            takes a single number makes as many measures as there are values; several are set in order.
        pairs: parameters set by ``key=value`` behind ``.`` or ``_``; grades are the keys of a map of gains.
        defaults: the values taken if there are none.
        whole: the measure in our grammar without a cutoff, if that is another one.
        decimals: the digits behind the dot are those behind a decimal point.
    """

    name: str
    target: str
    values: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    defaults: str = ""
    whole: str = ""
    decimals: bool = False

    @property
    def measure(self) -> str:
        """Canonical name of the measure, without parameters."""
        return self.target.partition("(")[0]


AT = ("@",)
"""Stands in `Alias.values` for the parameter of ``@``."""

_GAINS = ("gains",)

TREC_EVAL = (
    Alias("P", "P", values=AT, defaults=CUTOFFS),
    Alias("recall", "R", values=AT, defaults=CUTOFFS),
    Alias("relative_P", "R(capped=True)", values=AT, defaults=CUTOFFS),
    Alias("success", "Success", values=AT, defaults="1,5,10"),
    Alias("map_cut", "AP", values=AT, defaults=CUTOFFS),
    Alias("ndcg_cut", "nDCG", values=AT, defaults=CUTOFFS),
    Alias("unj", "Unjudged", values=AT, defaults="5,10,20"),
    Alias("iprec_at_recall", "IPrec", values=AT, defaults=RECALL_POINTS),
    Alias("Rprec_mult", "Rprec_mult", values=AT, defaults=MULTIPLES_OF_R),
    Alias("P_avgjg", "P_avgjg", values=AT, defaults=CUTOFFS),
    Alias("Rprec_mult_avgjg", "Rprec_mult_avgjg", values=AT, defaults=MULTIPLES_OF_R),
    Alias("11pt_avg", "11ptAvg", values=("points",)),
    Alias("relstring", "relstring", values=("length",)),
    Alias("set_F", "SetF", values=("x",)),
    Alias("utility", "Utility", values=("a", "b", "c", "d")),
    Alias("G", "G", pairs=_GAINS),
    Alias("dcg", "DCG", pairs=_GAINS),
    Alias("ideal_dcg", "IDCG", pairs=_GAINS),
    Alias("ndcg", "nDCG", pairs=_GAINS),
    Alias("ndcg_rel", "ndcg_rel", pairs=_GAINS),
    Alias("Rndcg", "Rndcg", pairs=_GAINS),
    Alias("rbp", "RBP(p=0.9,gain=scaled,scale=query)", pairs=("p",)),
    Alias("rbp_resid", "RBPResid(p=0.9)", pairs=("p",)),
)

RANX = (
    Alias("dcg_burges", "DCG(gain=exp)"),
    Alias("ndcg_burges", "nDCG(gain=exp)"),
    Alias("f1", "F", whole="SetF"),
    Alias("hits", "Hits", whole="NumRelRet"),
    Alias("precision", "P", whole="SetP"),
    Alias("rbp", "RBP(gain=raw)", values=("p",), decimals=True),
)

RECOMMENDER = (
    Alias("HitRate", "Success"),
    Alias("HitRatio", "Success"),
    Alias("HR", "Success"),
    Alias("apk", "AP(denom=min)"),
    Alias("mapk", "AP(denom=min)"),
    Alias("map_at_k", "AP(denom=min)"),
    Alias("mrr_at_k", "RR"),
)

LITERATURE = (
    Alias("RelP", "R(capped=True)"),
    Alias("MSnDCG", "nDCG"),
    Alias("nDCG_JK", "nDCG(discount=jk)"),
    Alias("NDCG-k", "SDCG"),
    Alias("P+", "PPlus"),
)

ALIASES = TREC_EVAL + RANX + RECOMMENDER + LITERATURE


class ForeignParameter(NamedTuple):
    """A parameter that another tool gives to a measure of ours.

    Attributes:
        measure: name of our measure.
        parameter: the other tool's parameter.
        value: the value of which the row speaks, or "" for any.
        target: the measure in our grammar that the two make together; ``{}`` is the value.
    """

    measure: str
    parameter: str
    value: str
    target: str


FOREIGN_PARAMETERS = (
    ForeignParameter("NumRet", "rel", "", "NumRelRet(rel={})"),
    ForeignParameter("SetF", "beta", "", "SetF(x={})"),
    ForeignParameter("SetP", "relative", "True", "SetRelP"),
    ForeignParameter("SetP", "relative", "False", "SetP"),
    ForeignParameter("nDCG", "dcg", "log2", "nDCG"),
    ForeignParameter("nDCG", "dcg", "exp-log2", "nDCG(gain=exp)"),
)
