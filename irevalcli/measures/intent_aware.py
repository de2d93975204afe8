"""Intent-aware means: any measure of relevance to a query, taken sub-topic by sub-topic.

``nDCG_IA@10`` is the mean of nDCG@10 over the sub-topics. Such a measure needs no entry in the registry: its record is
made from that of the measure that it averages.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from irevalcli.index.subtopics import POSITIVE, num_subtopics
from irevalcli.measures.arithmetic import sums
from irevalcli.measures.registry import MEASURES, PLUGGED, Measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from irevalcli.index.ranking import Ranking
    from irevalcli.reading.arrays import Floats

SUFFIX = "_IA"
AGRAWAL = "agrawal2009"
AVERAGED: dict[Callable[..., Floats], Measure] = {}
"""The measures of which the functions of intent-aware records take means, by function."""
MEAN = "(1/M) · Σ over the M sub-topics with a relevant document"
BY_SUBTOPIC = (
    "Each sub-topic is judged by itself: a document that only others judge is unjudged. All sub-topics with a relevant "
    "document weigh the same; the others are left out."
)


def intent_aware_mean(
    ranking: Ranking, compute: Callable[..., Floats], parameters: dict[str, Any], *, otherwise: float = 0.0
) -> Floats:
    """Per query, the mean of a measure over the sub-topics that have a relevant document.

    Args:
        ranking: of judgments with sub-topics.
        compute: the measure.
        parameters: its parameters. ``rel``, if there is one, says what is relevant; otherwise every positive grade is.
        otherwise: the value of a query without such a sub-topic.
    """
    grouped = ranking.by_group()
    level = parameters.get("rel")
    level = POSITIVE if level is None else level
    values = compute(grouped.ranking, **parameters)
    counted = grouped.ranking.judgments.num_relevant(level) > 0
    total = sums(grouped.query[counted], values[counted], ranking.num_queries)
    number = num_subtopics(ranking, level)
    total[number == 0] = otherwise
    mean: Floats = total / number.clip(1)
    return mean


def has_intent_aware_mean(base: Measure) -> bool:
    """Whether the measure is one of a ranked list and its judgments, so that it can be averaged over sub-topics."""
    return (base.kind, base.needs, base.aggregation) == ("per_query", "hits", "mean")


def record_of(name: str) -> Measure:
    """The record of a measure by its canonical name, made up if it is that of an intent-aware mean.

    Raises:
        KeyError: there is no such measure.
    """
    return _plain(name) or intent_aware(name.removesuffix(SUFFIX))


def _plain(name: str) -> Measure | None:
    return MEASURES.get(name) or PLUGGED.get(name)


@cache
def intent_aware(name: str) -> Measure:
    """The record of the intent-aware mean of a measure.

    Raises:
        KeyError: there is no such measure.
    """
    base = _plain(name)
    if base is None:
        raise KeyError(name)
    otherwise = base.no_relevant or 0.0
    averaged = cast("Callable[..., Floats]", base.compute)

    def compute(ranking: Ranking, **parameters: Any) -> Floats:  # noqa: ANN401
        return intent_aware_mean(ranking, averaged, parameters, otherwise=otherwise)

    AVERAGED[compute] = base
    return base._replace(
        name=base.name + SUFFIX,
        title=f"{base.title}, intent-aware",
        summary=f"The mean over sub-topics of {base.name}.",
        formula=f"{MEAN} of {base.name}; {base.name} = {base.formula}",
        needs="subtopics",
        no_relevant=otherwise,
        monotone=False,
        references=(AGRAWAL, *base.references),
        examples=(),
        equivalents=(),
        aliases=(),
        note=f"{BY_SUBTOPIC} {base.note}".strip(),
        compute=compute,
    )
