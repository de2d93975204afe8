"""Presets: under which parameters a measure is that of another tool, as ``nDCG(preset=gdeval)@20``."""

from __future__ import annotations

from typing import NamedTuple

PRESET = "preset"
"""Written like a parameter, but it belongs to no record: it sets those that do."""

_BOTH_FILES = "--missing skip; none for gdeval -c"
_AS_LISTED = "--ties rank"


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

    @property
    def equals(self) -> str:
        """Whose number it is: ``ndcg@k of gdeval 1.3``, and with which options."""
        return f"{self.prints} of {self.tool}" + (f", with {self.options}" if self.options else "")


PRESETS = (
    Preset("AP", "ntcir", "AP(denom=min)", "pyNTCIREVAL 0.0.3", "AP@k", _AS_LISTED),
    Preset("RR", "msmarco", "RR", "MS MARCO's script", "MRR @k", "--ties rank, or a run of three columns with ranks"),
    Preset("nDCG", "gdeval", "nDCG(gain=exp)", "gdeval 1.3", "ndcg@k", _BOTH_FILES),
    Preset("nDCG", "ntcir", "nDCG(discount=jk,base=2)", "pyNTCIREVAL 0.0.3", "nDCG@k", _AS_LISTED),
    Preset("ERR", "gdeval", "ERR", "gdeval 1.3", "err@k", _BOTH_FILES),
    Preset("ERR", "ntcir", "ERR(stop=linear,max_rel=none)", "pyNTCIREVAL 0.0.3", "ERR", _AS_LISTED),
    Preset("nERR", "ntcir", "nERR(stop=linear,max_rel=none)", "pyNTCIREVAL 0.0.3", "nERR@k", _AS_LISTED),
    Preset("RBP", "ntcir", "RBP(p=0.95,gain=scaled)", "pyNTCIREVAL 0.0.3", "RBP", _AS_LISTED),
    Preset("RBP", "trec_eval", "RBP(p=0.9,gain=scaled,scale=query)", "trec_eval 10", "rbp"),
)


def presets_of(measure: str) -> dict[str, Preset]:
    """The presets of a measure, by name."""
    return {row.name: row for row in PRESETS if row.measure == measure}
