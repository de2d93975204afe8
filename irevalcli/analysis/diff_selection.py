"""Which queries of a difference are shown, and in what order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from irevalcli.analysis.diff import Change, Difference
    from irevalcli.analysis.likeness import Likeness
    from irevalcli.reading.arrays import Floats, Positions

By = Literal["measure", "overlap", "rbo", "tau"]
Only = Literal["better", "worse", "changed"]


class View(NamedTuple):
    """What part of a difference is wanted.

    Attributes:
        by: what queries are ordered by: the change of the measure, worst first; or how alike rankings are, least first.
        only: the queries that are shown; None for all.
        top: how many at either end of the order by change, or twice that at the beginning of another; None for all.
    """

    by: By = "measure"
    only: Only | None = None
    top: int | None = None


class Selection(NamedTuple):
    """The queries that are shown.

    Attributes:
        places: of a change the places in its arrays, without a change those of the difference's queries; in order.
        gap: before which of these queries others are left out; None if none are.
        left_out: how many.
    """

    places: Positions
    gap: int | None = None
    left_out: int = 0


def select(difference: Difference, change: Change | None, view: View) -> Selection:
    """The queries of one measure, or of a difference without measures.

    Raises:
        UsageProblem: the view needs what the difference does not have.
    """
    if change is None:
        return _of_rankings(difference, view)
    improvement = change.improvement
    places = np.arange(improvement.size)
    match view.only:
        case "better":
            places = places[change.verdict > 0]
        case "worse":
            places = places[change.verdict < 0]
        case "changed":
            places = places[change.verdict != 0]
    if view.by != "measure":
        keys = likeness_by(_known(difference.likeness), view.by)[change.row]
        return _first(places[np.argsort(keys[places], kind="stable")], view.top)
    direction = -1 if view.only == "better" else 1
    places = places[np.argsort(direction * improvement[places], kind="stable")]
    if view.only in {"better", "worse"}:
        return _first(places, None if view.top is None else view.top / 2)
    return _both_ends(places, change.verdict[places], view.top)


def _of_rankings(difference: Difference, view: View) -> Selection:
    alike = _known(difference.likeness)
    if view.only in {"better", "worse"}:
        raise UsageProblem(f"--only {view.only}: without qrels no ranking is better than another")
    places = np.arange(len(difference.qids))
    if view.only == "changed":
        places = places[~alike.same]
    keys = likeness_by(alike, "rbo" if view.by == "measure" else view.by)
    return _first(places[np.argsort(keys[places], kind="stable")], view.top)


def _known(alike: Likeness | None) -> Likeness:
    if alike is None:
        raise UsageProblem("--by: how alike rankings are needs the runs; outputs of evaluations have values alone")
    return alike


def likeness_by(alike: Likeness, by: By) -> Floats:
    """How alike the rankings of each query are, by overlap, RBO or τ_AP; NaN where it is not defined."""
    if by == "overlap":
        with np.errstate(invalid="ignore"):
            share: Floats = alike.overlap / alike.size
        return share
    return alike.tau_ap if by == "tau" else alike.rbo


def _first(places: Positions, top: float | None) -> Selection:
    """The first places, as many as two ends would have."""
    if top is None or places.size <= 2 * top:
        return Selection(places)
    shown = int(2 * top)
    return Selection(places[:shown], shown, places.size - shown)


def _both_ends(places: Positions, verdict: Positions, top: int | None) -> Selection:
    """The worst and the best; what is the same only if there is room for all."""
    if top is None or places.size <= 2 * top:
        return Selection(places)
    worse = places[verdict < 0][:top]
    better = places[verdict > 0]
    better = better[max(better.size - top, 0) :]
    return Selection(np.concatenate([worse, better]), worse.size, places.size - worse.size - better.size)
