"""The written values of parameters: splitting a list, and reading one value as its parameter's type."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from irevalcli.errors import UsageProblem

if TYPE_CHECKING:
    from irevalcli.measures.registry import Param, Value

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
WORD = re.compile(r"[^\W\d][\w.-]*")
"""What a name may look like that the user gives something, so that it can stand in a measure."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TRUTH = {"true": True, "false": False}
_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "gains": "a map from grades to gains such as {1:1,2:3}",
    "floats": "a list of numbers such as [0.2,0.5]",
}

# Beyond this, doubles no longer hold every whole number.
_LARGEST = 2**53


def split_outside(text: str, separator: str) -> list[str]:
    """The pieces of `text` between separators that stand outside brackets and quotes, without blanks around them.

    Raises:
        UsageProblem: a bracket or quote has no partner.
    """
    pieces = []
    start = 0
    waiting: list[str] = []
    for position, character in enumerate(text):
        if waiting and waiting[-1] in "'\"":
            if character == waiting[-1]:
                waiting.pop()
        elif character in "'\"":
            waiting.append(character)
        elif character in _CLOSING:
            waiting.append(_CLOSING[character])
        elif character in ")]}":
            if not waiting or waiting.pop() != character:
                raise UsageProblem(f"'{character}' without an opening bracket in '{text}'")
        elif character == separator and not waiting:
            pieces.append(text[start:position].strip())
            start = position + 1
    if waiting:
        raise UsageProblem(f"{waiting[-1]} is missing in '{text}'")
    return [*pieces, text[start:].strip()]


def read_value(owner: str, param: Param, text: str) -> Value:
    """`text` as a value of the parameter, inside its bounds.

    Args:
        owner: name of the measure, for messages.
        param: type, bounds and choices.
        text: a literal as Python writes it, or a bare word; whole numbers do where a real number is meant.

    Raises:
        UsageProblem: the text is no such value, or is out of bounds.
    """
    if (param.default is None or param.optional) and text.lower() == "none":
        return None
    value: Value
    if param.type == "gains":
        value = _gains(text)
    elif param.type == "floats":
        value = _floats(text)
    elif param.type == "str":
        return _choice(owner, param, unquoted(text))
    elif param.type in {"word", "measure"}:
        return _word(owner, param, unquoted(text))
    elif param.type == "bool":
        value = _TRUTH.get(unquoted(text).lower())
    else:
        value = _number(text)
        if param.type == "int" and value is not None:
            value = int(value) if value.is_integer() else None
    if value is None:
        raise UsageProblem(f"{owner}: {param.name} must be {_EXPECTED[param.type]}, not '{text}'")
    _check_bounds(owner, param, value)
    return value


def unquoted(text: str) -> str:
    """`text` without the quotes around it, if there are any."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _number(text: str) -> float | None:
    """The number, or None if `text` is none or lies outside what doubles hold exactly."""
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) <= _LARGEST else None


def _gains(text: str) -> dict[float, float] | None:
    if not (text.startswith("{") and text.endswith("}")):
        return None
    gains: dict[float, float] = {}
    for item in split_outside(text[1:-1], ","):
        grade, colon, gain = item.partition(":")
        key, value = _number(unquoted(grade.strip())), _number(gain.strip())
        if not colon or key is None or value is None or key in gains:
            return None
        gains[key] = value
    return gains


def _floats(text: str) -> tuple[float, ...] | None:
    if text[:1] + text[-1:] not in {"[]", "()"}:
        return None
    numbers = [_number(item) for item in split_outside(text[1:-1], ",")]
    return None if None in numbers else tuple(number for number in numbers if number is not None)


def _choice(owner: str, param: Param, word: str) -> str:
    if param.choices and word not in param.choices:
        close = get_close_matches(word, param.choices, n=1, cutoff=0.5)
        meant = f"; did you mean {close[0]}?" if close else ""
        raise UsageProblem(f"{owner}: {param.name} must be {' or '.join(param.choices)}, not '{word}'{meant}")
    return word


def _word(owner: str, param: Param, word: str) -> str:
    if param.type == "word" and not WORD.fullmatch(word):
        raise UsageProblem(f"{owner}: {param.name} must be a name of letters, digits, '_', '-' and '.', not '{word}'")
    return word


def _check_bounds(owner: str, param: Param, value: Value) -> None:
    """Refuses numbers, also those inside maps and lists, that are lower or higher than the parameter allows."""
    numbers = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
    for number in numbers:
        if not isinstance(number, int | float):
            continue
        too_low = param.low is not None and number < param.low
        too_high = param.high is not None and number > param.high
        if too_low or too_high:
            if param.low is None:
                allowed = f"at most {param.high:g}"
            elif param.high is None:
                allowed = f"at least {param.low:g}"
            else:
                allowed = f"between {param.low:g} and {param.high:g}"
            raise UsageProblem(f"{owner}: {param.name} must be {allowed}, not {number:g}")
