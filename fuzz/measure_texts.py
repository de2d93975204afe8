"""Measure names made up from the records, so that most of them have the right form and many the right values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from irevalcli.measures.aliases import ALIASES, FOREIGN_PARAMETERS
from irevalcli.measures.families import all_measures
from irevalcli.measures.nicknames import SETS
from irevalcli.measures.presets import PRESETS
from irevalcli.measures.registry import BOUND, JUDGED_ONLY

if TYPE_CHECKING:
    from atheris import FuzzedDataProvider

    from irevalcli.measures.registry import Measure, Param

RECORDS = list(all_measures().values())
NUMBERS = [
    "1",
    "0",
    "10",
    "0.5",
    ".1",
    "1.",
    "-1",
    "+2",
    "1e3",
    "1E-7",
    "9007199254740992",
    "1e300",
    "0x1",
    "1_0",
    "²",
    "nan",
]
BLANKS = ["", "", "", " ", "\t", "\n"]


def made_up(choose: FuzzedDataProvider) -> str:
    """A list of one or two names in our grammar or in another tool's."""
    names = [_name(choose) for _ in range(1 + choose.ConsumeBool())]
    return ("," + choose.PickValueInList(BLANKS)).join(names)


def _name(choose: FuzzedDataProvider) -> str:
    if choose.ConsumeIntInRange(0, 7) == 7:
        return _foreign(choose)
    record = choose.PickValueInList(RECORDS)
    head = choose.PickValueInList([record.name, record.name.lower(), record.name + "_IA", *record.aliases])
    blank = choose.PickValueInList(BLANKS)
    inside = ",".join(blank + _argument(record, choose) for _ in range(choose.ConsumeIntInRange(0, 3)))
    at = f"@{_number(choose)}" if choose.ConsumeBool() else ""
    level = f"-l{choose.ConsumeIntInRange(0, 30)}" if choose.ConsumeIntInRange(0, 9) == 9 else ""
    return head + (f"({inside})" if inside else "") + at + level


def _foreign(choose: FuzzedDataProvider) -> str:
    """A name with values behind a dot or underscore, or a set of measures."""
    if choose.ConsumeIntInRange(0, 9) == 9:
        return choose.PickValueInList(list(SETS))
    alias = choose.PickValueInList(list(ALIASES))
    items = [_number(choose) for _ in range(choose.ConsumeIntInRange(0, 4))]
    if choose.ConsumeBool():
        items = [f"{choose.PickValueInList(['p', 'a', '1', '2', '-1'])}={item}" for item in items]
    return alias.name + choose.PickValueInList([".", "_"]) + ",".join(items)


def _argument(record: Measure, choose: FuzzedDataProvider) -> str:
    kind = choose.ConsumeIntInRange(0, 9)
    if kind == 8:
        return "preset=" + choose.PickValueInList(list(PRESETS)).name
    if kind == 9:
        row = choose.PickValueInList(list(FOREIGN_PARAMETERS))
        return f"{row.parameter}={row.value or _number(choose)}"
    param = choose.PickValueInList([*record.parameters, JUDGED_ONLY, BOUND])
    return f"{param.name}={_value(param, choose)}"


def _value(param: Param, choose: FuzzedDataProvider) -> str:
    """A value of the parameter's type, now and then of another one."""
    kind = param.type if choose.ConsumeIntInRange(0, 9) < 9 else "word"
    numbers = [_number(choose) for _ in range(choose.ConsumeIntInRange(0, 4))]
    if kind == "gains":
        return "{" + ",".join(f"{grade}:{_number(choose)}" for grade in numbers) + "}"
    if kind == "floats":
        return "[" + ",".join(numbers) + "]"
    if kind == "measure":
        return choose.PickValueInList(RECORDS).name + choose.PickValueInList(["", "@10", "(rel=2)"])
    if kind == "word":
        return choose.ConsumeUnicode(8)
    words = {"str": list(param.choices), "bool": ["True", "False", "true", "'false'"]}.get(kind) or ["none", *numbers]
    quote = choose.PickValueInList(["", "", "", "'", '"'])
    return quote + choose.PickValueInList(words) + quote


def _number(choose: FuzzedDataProvider) -> str:
    kind = choose.ConsumeIntInRange(0, 3)
    if kind == 0:
        return choose.PickValueInList(NUMBERS)
    if kind == 1:
        return repr(choose.ConsumeRegularFloat())
    return str(choose.ConsumeIntInRange(-2, 1200)) if kind == 2 else repr(choose.ConsumeProbability())
