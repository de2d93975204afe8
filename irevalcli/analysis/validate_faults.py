"""Findings about lines of a run that cannot be read: located by reading the file again, as far as needed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from irevalcli.reading.rules import RUN_FIELDS, RUN_HEADER, RUN_SCORE
from irevalcli.reading.run_rows import Wanted

if TYPE_CHECKING:
    from irevalcli.analysis.validate_found import Found
    from irevalcli.analysis.validate_seen import SeenRun
    from irevalcli.errors import Finding
    from irevalcli.reading.opening import Source

_OF_NUMBERS = frozenset({RUN_SCORE.code, RUN_HEADER.code})


def note_faults(found: Found, source: Source, run: SeenRun, most: int) -> None:
    """Faults of lines: the first `most` of each rule located, all counted.

    Raises:
        InputProblem: the source cannot be read again.
    """
    if not run.dropped:
        return
    unreadable = run.dropped - run.misshapen
    faults: list[Finding] = []
    wanted = Wanted(ranks="seen", skip=True, of_each=most)
    source.rewind()
    pieces = run.format.pieces(source, [])
    for piece, (lines_before, dropped) in zip(pieces, run.dropped_by_piece, strict=False):
        if not dropped:
            continue
        faults += [
            fault._replace(line=fault.line + lines_before if fault.line else 0)
            for fault in run.format.faults(piece, source.name, wanted)
        ]
        of_numbers = sum(fault.rule in _OF_NUMBERS for fault in faults)
        if of_numbers >= min(unreadable, most) and len(faults) - of_numbers >= min(run.misshapen, most):
            break
    found.add(faults)
    # The others were counted, not looked at; what they have to do with is known.
    located = Counter(fault.rule for fault in faults)
    if located[RUN_FIELDS.code]:
        found.count_more(RUN_FIELDS, run.misshapen - located[RUN_FIELDS.code])
    if located[RUN_SCORE.code]:
        found.count_more(RUN_SCORE, unreadable - located[RUN_SCORE.code] - located[RUN_HEADER.code])
