"""Which measures ranks can explain, and why the others are none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.errors import UsageProblem
from irevalcli.measures.families import all_measures

if TYPE_CHECKING:
    from irevalcli.measures.registry import MeasureSpec

_REASONS = {
    "GMAP": "it is the logarithm of AP, which can be explained",
    "GMBpref": "it is the logarithm of Bpref, which can be explained",
    "yaap": "it is a logarithm of the sum that AP divides by R; AP can be explained",
    "IPrec": "it is the highest precision from some rank on; P and AP can be explained",
    "11ptAvg": "it is a mean of highest precisions; AP can be explained",
    "SetAP": "it is SetP times SetR, which can be explained",
    "SetF": "it is a mean of SetP and SetR, which can be explained",
    "F": "it is a mean of precision and recall; P and R can be explained",
    "RMSE": "it is the root of a sum of squares; MAE can be explained",
    "ndcg_rel": "it is a mean of nDCG at many ranks; nDCG at each cutoff can be explained",
    "Rndcg": "it is a mean of nDCG at some ranks; nDCG at each cutoff can be explained",
    "IDCG": "it is a property of the qrels; nDCG shows it beside the ranking",
    "NumRel": "it is a property of the qrels",
    "NumQ": "it counts queries",
    "relstring": "it is a text, the grades of the ranks themselves",
}
_BY_NEED = {
    "preferences": "it counts pairs of documents",
    "document_lists": "it is about the documents of all queries together",
    "runs": "it compares runs over all queries",
    "baseline": "it compares runs over all queries",
}


def require_terms(spec: MeasureSpec) -> None:
    """Nothing, if the measure is a sum over the ranks of a query.

    Raises:
        UsageProblem: it is none, with the reason and with what can be explained.
    """
    if spec.bound is not None:
        raise UsageProblem(f"{spec.name}: a bound is no sum over ranks; the measure without bound= shows both bounds")
    record = spec.measure
    if record.terms is not None:
        return
    reason = _REASONS.get(record.name.removesuffix("_IA"), _BY_NEED.get(record.needs, ""))
    known = ", ".join(name for name, other in all_measures().items() if other.terms is not None)
    raise UsageProblem(
        f"{spec.name} is no sum over the documents of a ranking, so that ranks cannot explain it",
        hints=(*[reason] * bool(reason), f"measures that can be explained: {known}"),
    )
