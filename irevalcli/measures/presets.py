"""Presets: under which parameters a measure is that of another tool, as ``nDCG(preset=gdeval)@20``."""

from __future__ import annotations

from typing import NamedTuple

PRESET = "preset"
"""Written like a parameter, but it belongs to no record: it sets those that do."""

TREC_TIES = "-M at 1000 and ties by docid descending, which is our default"


class Preset(NamedTuple):
    """Parameters of a formula that are fixed by a name.

    Attributes:
        measure: name of our measure.
        name: of the preset.
        target: the measure in our grammar with the parameters that the preset fixes; what is given goes before.
        tool: the tool that has it, with its version.
        prints: what the number is called there.
        options: the options of the whole call that complete the tool's number; "" if the defaults do.
    """

    measure: str
    name: str
    target: str
    tool: str
    prints: str
    options: str = ""

    @property
    def written(self) -> str:
        """The measure with the preset."""
        return f"{self.measure}({PRESET}={self.name})"


PRESETS = (
    Preset("nDCG", "gdeval", "nDCG(gain=exp)", "gdeval 1.3", "ndcg@k"),
    Preset("ERR", "gdeval", "ERR", "gdeval 1.3", "err@k"),
    Preset("ERR", "ntcir", "ERR(stop=linear,max_rel=none)", "pyNTCIREVAL 0.0.3", "ERR", "--ties rank"),
    Preset("nERR", "ntcir", "nERR(stop=linear,max_rel=none)", "pyNTCIREVAL 0.0.3", "nERR@k", "--ties rank"),
    Preset(
        "RR", "msmarco", "RR", "the MS MARCO script", "MRR @k", "--ties rank, or a run of three columns with ranks"
    ),
)


def presets_of(measure: str) -> dict[str, Preset]:
    """The presets of a measure, by name."""
    return {row.name: row for row in PRESETS if row.measure == measure}
