r"""OpenMetrics' text: families of gauges. Knows nothing of what they measure.

Source: the OpenMetrics specification 1.0. Values have a fixed number of decimals, because GitLab compares reports as
text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from irevalcli.output.id_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


class Sample(NamedTuple):
    """A value with what tells it from the others of its family."""

    labels: Mapping[str, str]
    value: float


class Gauge(NamedTuple):
    """A family of values.

    Attributes:
        name: of letters, digits and underscores.
        help: what the values are, in a line.
        samples: finite, no two with the same labels.
        decimals: of every value; none for counts.
    """

    name: str
    help: str
    samples: list[Sample]
    decimals: int = 6


def openmetrics_lines(gauges: Iterable[Gauge]) -> Iterator[str]:
    r"""The lines, with their ends, up to ``# EOF``; families without values are left out.

    Control characters, and bytes that were no UTF-8, are spelt out in labels as ``\uXXXX``.
    """
    for gauge in gauges:
        if gauge.samples:
            yield f"# TYPE {gauge.name} gauge\n# HELP {gauge.name} {gauge.help.translate(_ESCAPES)}\n"
            for sample in gauge.samples:
                labels = ",".join(f'{key}="{_label(value)}"' for key, value in sample.labels.items())
                yield f"{gauge.name}{f'{{{labels}}}' if labels else ''} {sample.value:z.{gauge.decimals}f}\n"
    yield "# EOF\n"


def _label(text: str) -> str:
    return visible(text).translate(_ESCAPES)
