"""The drop-in's command line: GNU ``getopt_long`` as trec_eval uses it, messages included.

The grammar is that of glibc: short options cluster and take attached values, long names may be cut to a
unique prefix, options and file names mix unless ``POSIXLY_CORRECT`` is set, and ``--`` ends the options.
The first fault from the left ends the program.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from irevalcli.trec.help import USAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

# Each release that can be followed, and what its -v prints: the tag 9.0.8 still calls itself 9.0.7.
_VERSIONS = {"10.0": "10.0-rc3", "9.0.8": "9.0.7"}

# Long names and their letters in the order in which an ambiguous prefix lists them.
_LONG = {
    "help": "h",
    "version": "v",
    "query_eval_wanted": "q",
    "measure": "m",
    "complete_rel_info_wanted": "c",
    "level_for_rel": "l",
    "nosummary": "n",
    "Debug_level": "D",
    "Judged_docs_only": "J",
    "Number_docs_in_coll": "N",
    "Max_retrieved_per_topic": "M",
    "Rel_info_format": "R",
    "Results_format": "T",
    "Output_old_results_format": "o",
    "Zscore": "Z",
}
_SHORT = frozenset(_LONG.values())
_SHORT_WITH_VALUE = frozenset("mlDNMRTZ")
_LONG_WITH_VALUE = _SHORT_WITH_VALUE | {"o"}

_FLAGS: dict[str, dict[str, object]] = {
    "h": {"help": True},
    "q": {"per_query": True},
    "c": {"complete": True},
    "n": {"summary": False},
    "J": {"judged_only": True},
}
_INTEGERS = {"l": "level", "N": "collection_size", "M": "depth"}
_NAMES = {"R": "rel_format", "T": "results_format", "Z": "zscores"}


class Stop(Exception):
    """The program ends here, with these outputs.

    Attributes:
        code: exit status.
        stdout: text for standard output; undecodable bytes are surrogates (``os.fsencode`` restores them).
        stderr: text for standard error, likewise.

    """

    def __init__(self, code: int, *, stdout: str = "", stderr: str = "") -> None:
        super().__init__(code, stdout, stderr)
        self.code = code
        self.stdout = stdout
        self.stderr = stderr


class TrecOptions(NamedTuple):
    """What the command line asks for.

    Attributes:
        qrels: name of the qrels file; with ``help``, empty if not given.
        run: name of the run file; with ``help``, empty if not given.
        per_query: print every query (``-q``).
        summary: print the ``all`` lines (no ``-n``).
        complete: evaluate every query of the qrels (``-c``).
        measures: the arguments of ``-m`` in order, each accepted by the caller's check.
        level: lowest grade that counts as relevant (``-l``), a signed 64-bit integer like the next two.
        collection_size: documents in the collection (``-N``), 0 if not given.
        depth: documents kept per ranking (``-M``).
        judged_only: drop unjudged documents from the rankings (``-J``).
        rel_format: name of the qrels format (``-R``), unchecked.
        results_format: name of the run format (``-T``), unchecked.
        zscores: name of the z-score file (``-Z``).
        only_query: the one query to evaluate (``-D N.qid``); ``b""`` is a query that no file can hold.
        help: print the help instead of evaluating (``-h``).
        compat: release to follow, ``10.0`` or ``9.0.8``.

    """

    qrels: str = ""
    run: str = ""
    per_query: bool = False
    summary: bool = True
    complete: bool = False
    measures: tuple[str, ...] = ()
    level: int = 1
    collection_size: int = 0
    depth: int = 2**31 - 1
    judged_only: bool = False
    rel_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    only_query: bytes | None = None
    help: bool = False
    compat: str = "10.0"

    @property
    def release_10(self) -> bool:
        """Whether to behave as release 10.0, else as 9.0.8."""
        return self.compat == "10.0"


def parse(argv: Sequence[str], *, program: str, check_measure: Callable[[str, str], None]) -> TrecOptions:
    """The options and file names of a command line.

    Args:
        argv: the arguments after the program's name, as ``sys.argv`` decodes them.
        program: the program's name, with which getopt's messages begin.
        check_measure: called with each ``-m`` argument when its turn comes, and the release to follow; raises `Stop` if
            it is unusable.

    Raises:
        Stop: ``-v`` was met (exit 0), or the command line is wrong (exit 1).

    """
    arguments, compat = _split_compat(argv, program)
    measures: list[str] = []
    operands: list[str] = []
    given: dict[str, Any] = {}
    for letter, value in _scan(arguments, operands, program):
        if letter == "v":
            raise Stop(0, stderr=f"trec_eval version {_VERSIONS[compat]}\n")
        if letter == "m":
            check_measure(value, compat)
            measures.append(value)
        else:
            given.update(_setting(letter, value))
    if "help" not in given:
        if len(operands) != 2:
            raise Stop(1, stderr=USAGE)
        given["qrels"], given["run"] = operands
    return TrecOptions(**given, measures=tuple(measures), compat=compat)


def _split_compat(argv: Sequence[str], program: str) -> tuple[list[str], str]:
    """The arguments without ``--compat``, and the release that it names.

    The option is ours, not the reference's: were it part of the table below, ``--comp`` would turn ambiguous.
    """
    arguments: list[str] = []
    compat = "10.0"
    rest = iter(argv)
    for argument in rest:
        if argument == "--":
            arguments += [argument, *rest]
        elif argument == "--compat" or argument.startswith("--compat="):
            name, attached, value = argument.partition("=")
            release = value if attached else next(rest, None)
            if release not in _VERSIONS:
                found = "nothing" if release is None else f"'{release}'"
                known = " or ".join(_VERSIONS)
                raise Stop(1, stderr=f"{program}: {name} takes {known}, not {found}\n")
            compat = release
        else:
            arguments.append(argument)
    return arguments, compat


def _setting(letter: str, value: str) -> dict[str, object]:
    """The fields of `TrecOptions` that an option sets; ``-o`` has had no effect for many releases."""
    if letter in _FLAGS:
        return _FLAGS[letter]
    if letter in _INTEGERS:
        from irevalcli.trec.parameters import atol  # noqa: PLC0415  (numpy, which -h and -v do without)

        return {_INTEGERS[letter]: atol(value)}
    if letter in _NAMES:
        return {_NAMES[letter]: value}
    _, dot, qid = value.partition(".")
    return {"only_query": os.fsencode(qid)} if letter == "D" and dot else {}


def _scan(arguments: list[str], operands: list[str], program: str) -> Iterator[tuple[str, str]]:
    """Letter and value (empty for flags) of each option in turn; file names are appended to ``operands``."""
    options_first = "POSIXLY_CORRECT" in os.environ
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            operands.extend(rest)
        elif argument.startswith("--"):
            yield _long_option(argument[2:], rest, program)
        elif argument.startswith("-") and argument != "-":
            yield from _cluster(argument[1:], rest, program)
        else:
            operands.append(argument)
            if options_first:
                operands.extend(rest)


def _long_option(text: str, rest: Iterator[str], program: str) -> tuple[str, str]:
    """Letter and value of the long option ``text`` (without dashes); the value may come from ``rest``."""
    given, attached, value = text.partition("=")
    names = [given] if given in _LONG else [name for name in _LONG if name.startswith(given)]
    if not names:
        raise _fault(program, f"unrecognized option '--{text}'")
    if len(names) > 1:
        possible = " ".join(f"'--{name}'" for name in names)
        raise _fault(program, f"option '--{text}' is ambiguous; possibilities: {possible}")
    (name,) = names
    letter = _LONG[name]
    if letter not in _LONG_WITH_VALUE:
        if attached:
            raise _fault(program, f"option '--{name}' doesn't allow an argument")
        return letter, ""
    if attached:
        return letter, value
    following = next(rest, None)
    if following is None:
        raise _fault(program, f"option '--{name}' requires an argument")
    return letter, following


def _cluster(text: str, rest: Iterator[str], program: str) -> Iterator[tuple[str, str]]:
    """Letters and values of the short options joined in ``text``; the last value may come from ``rest``."""
    for position, letter in enumerate(text, start=1):
        if letter not in _SHORT:
            raise _fault(program, f"invalid option -- '{_first_byte(letter)}'")
        if letter in _SHORT_WITH_VALUE:
            value = text[position:] or next(rest, None)
            if value is None:
                raise _fault(program, f"option requires an argument -- '{letter}'")
            yield letter, value
            return
        yield letter, ""


def _first_byte(character: str) -> str:
    """What getopt, which sees bytes, names of a character that it does not know."""
    return os.fsdecode(os.fsencode(character)[:1])


def _fault(program: str, message: str) -> Stop:
    """The end of a program whose options cannot be read."""
    return Stop(1, stderr=f"{program}: {message}\n{USAGE}")
