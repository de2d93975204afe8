"""What the author of a plugin needs; these names are kept stable. How a plugin is made: docs/plugins.md.

A measure is a function under the decorator `measure` (all queries at once, from a `Ranking`) or `per_query_measure`
(one query at a time, from a `QueryView`). The arguments of both are the fields of the record, `Measure`.
"""

from __future__ import annotations

from irevalcli.errors import InputProblem, UsageProblem
from irevalcli.index.ranking import Ranking, Relevant
from irevalcli.measures.adapter import QueryView, per_query_measure
from irevalcli.measures.arithmetic import log2_table, powers, ratio, running_products, running_sums, sums
from irevalcli.measures.gains import GainRule, gained
from irevalcli.measures.registry import (
    CUTOFF,
    OPTIONAL_CUTOFF,
    REL,
    REQUIRED,
    Equivalent,
    Example,
    Measure,
    Param,
    measure,
)

__all__ = [
    "CUTOFF",
    "OPTIONAL_CUTOFF",
    "REL",
    "REQUIRED",
    "Equivalent",
    "Example",
    "GainRule",
    "InputProblem",
    "Measure",
    "Param",
    "QueryView",
    "Ranking",
    "Relevant",
    "UsageProblem",
    "gained",
    "log2_table",
    "measure",
    "per_query_measure",
    "powers",
    "ratio",
    "running_products",
    "running_sums",
    "sums",
]
