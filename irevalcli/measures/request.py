"""A measure with the parameters that were written for it, on the way to a `MeasureSpec`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple, cast

from irevalcli.errors import UsageProblem
from irevalcli.measures.aliases import FOREIGN_PARAMETERS, TREC_EVAL
from irevalcli.measures.compared import compared_name
from irevalcli.measures.intent_aware import record_of
from irevalcli.measures.presets import PRESET, presets_of
from irevalcli.measures.registry import BOUND, JUDGED_ONLY, REL, REQUIRED, Measure, MeasureSpec, Param, Value
from irevalcli.measures.values import read_value, split_outside, unquoted

if TYPE_CHECKING:
    from irevalcli.measures.registry import Bound

_OPTIONS = (JUDGED_ONLY, BOUND)
"""What any measure may be asked for beside its own parameters, as far as it suits it."""

_CANONICAL = re.compile(r"(?P<head>[^(@]+)(\((?P<inside>.*)\)\s*)?(@(?P<at>.*))?", re.DOTALL)


class Written(NamedTuple):
    """The parts of a name in our grammar, unread.

    Attributes:
        head: the name.
        arguments: what stands in brackets, as pairs of parameter and value.
        at: what stands behind ``@``, or None.
    """

    head: str
    arguments: tuple[tuple[str, str], ...]
    at: str | None


def written(text: str) -> Written | None:
    """The parts of `text`, or None if it hasn't the form ``Name(param=value,…)@x``.

    Raises:
        UsageProblem: something in the brackets is no ``param=value``.
    """
    parts = _CANONICAL.fullmatch(text)
    if parts is None:
        return None
    head = parts["head"].strip()
    arguments = []
    for item in split_outside(parts["inside"], ",") if parts["inside"] else ():
        name, equals, value = item.partition("=")
        if not equals:
            raise UsageProblem(f"{head}: parameters are written as name=value, not '{item}'")
        arguments.append((name.strip(), value.strip()))
    return Written(head, tuple(arguments), parts["at"])


class Request(NamedTuple):
    """A measure and the values written for its parameters.

    Attributes:
        measure: the record.
        given: texts by the name of the parameter.
        implied: likewise, those that the measure's name brings with it; what is given goes before.
        options: likewise, what is asked for beside the parameters.
    """

    measure: Measure
    given: dict[str, str]
    implied: dict[str, str]
    options: dict[str, str]

    @classmethod
    def of(cls, target: str) -> Request:
        """What a name stands for, which the tables of aliases write in our grammar."""
        name, arguments = _parts(target)
        return cls(record_of(name), {}, arguments, {})

    def with_at(self, text: str) -> Request:
        """The request with `text` behind the ``@``."""
        if not self.measure.at:
            raise UsageProblem(f"{self.measure.name} takes nothing behind @ ({_parameters_of(self.measure)})")
        return self.with_value(self.measure.at, text)

    def with_value(self, name: str, text: str) -> Request:
        """The request with one more parameter, which may be one of another tool's.

        Raises:
            UsageProblem: the measure has no such parameter, or it has been given already.
        """
        if name == "gain" and text.startswith("{"):
            name = "gains"
        if name in self.given or name in self.options:
            raise UsageProblem(f"{self.measure.name}: {name} is given twice")
        if self.measure.parameter(name) is not None:
            return self._replace(given={**self.given, name: text})
        if any(option.name == name for option in _OPTIONS):
            return self._replace(options={**self.options, name: text})
        return self._with_foreign(name, text)

    def _with_foreign(self, name: str, text: str) -> Request:
        if name == PRESET:
            return self._with_preset(unquoted(text))
        rows = [row for row in FOREIGN_PARAMETERS if (row.measure, row.parameter) == (self.measure.name, name)]
        if not rows:
            close = get_close_matches(name, _taken_by(self.measure), n=1, cutoff=0.5)
            meant = f"; did you mean {close[0]}?" if close else ""
            raise UsageProblem(f"{self.measure.name} has no parameter '{name}' ({_parameters_of(self.measure)}){meant}")
        value = unquoted(text)
        meaning = next((row for row in rows if row.value.casefold() in {"", value.casefold()}), None)
        if meaning is None:
            known = " or ".join(row.value for row in rows)
            raise UsageProblem(f"{self.measure.name}: {name} must be {known}, not '{value}'")
        measure, arguments = _parts(meaning.target.format(text))
        request = self._replace(measure=record_of(measure))
        for parameter, argument in arguments.items():
            request = request.with_value(parameter, argument)
        return request

    def _with_preset(self, name: str) -> Request:
        presets = presets_of(self.measure.name)
        if name not in presets:
            known = f"has the presets {', '.join(presets)}" if presets else "has no presets"
            raise UsageProblem(f"{self.measure.name} {known}, not '{name}'")
        return self._replace(implied={**self.implied, **_parts(presets[name].target)[1]})

    def spec(self, level: float | None) -> MeasureSpec:
        """The measure with all its values.

        Args:
            level: the lowest grade that counts as relevant if none was written.

        Raises:
            UsageProblem: a value is missing, of the wrong type or out of bounds.
        """
        texts = self.implied | self.given
        values = [self._value(param, texts.get(param.name)) for param in self.measure.parameters]
        values = [
            compared_name(self.measure, str(value), level) if param.type == "measure" else value
            for param, value in zip(self.measure.parameters, values, strict=True)
        ]
        spec = self._with_options(MeasureSpec(self.measure, tuple(values)))
        if REL.name in self.given and _binary_rel(spec.measure) and not asks_for_level(spec):
            raise UsageProblem(f"{self.measure.name}: {REL.name} means nothing with gain={spec.parameters['gain']}")
        return spec if level is None or REL.name in texts else with_level(spec, level)

    def _with_options(self, spec: MeasureSpec) -> MeasureSpec:
        owner = self.measure.name
        asked = {
            option.name: read_value(owner, option, self.options[option.name])
            for option in _OPTIONS
            if option.name in self.options
        }
        judged_only = bool(asked.get(JUDGED_ONLY.name))
        if judged_only and not self.measure.sees_single_judgments:
            raise UsageProblem(f"{owner}: {JUDGED_ONLY.name} is not for measures of {self.measure.needs}")
        if BOUND.name not in asked:
            return spec._replace(judged_only=judged_only)
        if judged_only:
            raise UsageProblem(f"{owner}: with judged_only=True there is nothing unjudged that bound= is about")
        from irevalcli.measures.bounds import check_bound  # noqa: PLC0415  (start-up: rare)

        check_bound(spec)
        return spec._replace(bound=cast("Bound", asked[BOUND.name]))

    def _value(self, param: Param, text: str | None) -> Value:
        if text is not None:
            return read_value(self.measure.name, param, text)
        if param.default == REQUIRED:
            raise UsageProblem(
                f"{self.measure.name} needs a {param.name}, such as {_complete(self.measure, param)}",
                hints=tuple(
                    f"all of trec_eval's: {row.name}.{row.defaults}"
                    for row in TREC_EVAL
                    if row.target == self.measure.name and row.defaults
                ),
            )
        return param.default


def asks_for_level(spec: MeasureSpec) -> bool:
    """Whether the measure asks which documents are relevant.

    Graded gains do not: where ``rel`` is None by default it takes away gains.
    """
    return _binary_rel(spec.measure) and spec.parameters.get("gain", "binary") == "binary"


def with_level(spec: MeasureSpec, level: float) -> MeasureSpec:
    """`spec` with `level` as the lowest grade that counts as relevant, if it `asks_for_level`."""
    if not asks_for_level(spec):
        return spec
    values = [
        float(level) if param.name == REL.name else value
        for param, value in zip(spec.measure.parameters, spec.values, strict=True)
    ]
    return spec._replace(values=tuple(values))


def _binary_rel(measure: Measure) -> bool:
    param = measure.parameter(REL.name)
    return param is not None and param.default is not None


def _parts(target: str) -> tuple[str, dict[str, str]]:
    """Name and arguments of a measure in our grammar that stands in a table, and so is well-formed."""
    parts = written(target)
    return (target, {}) if parts is None else (parts.head, dict(parts.arguments))


def _taken_by(measure: Measure) -> list[str]:
    """The names of all that may stand in the brackets of a measure."""
    return [param.name for param in (*measure.parameters, *measure.options)]


def _parameters_of(measure: Measure) -> str:
    names = _taken_by(measure)
    return "it has: " + ", ".join(names) if names else "it has none"


def _complete(measure: Measure, missing: Param) -> str:
    """A spelling of the measure that lacks nothing."""
    if missing.name == measure.at and missing.type == "int":
        return f"{measure.name}@10"
    return min((example.measure for example in measure.examples), key=len, default=measure.name)
