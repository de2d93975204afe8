"""``irevalcli convert``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from irevalcli.cli.argument_types import FileType, Suggested, Tag, meant
from irevalcli.cli.arguments import STDIN, named_runs
from irevalcli.cli.asking import announce_typing, policy_of
from irevalcli.cli.commands import Command, key_option, option
from irevalcli.cli.console import Console, stdout, write_all
from irevalcli.cli.exports import Destination, Exports
from irevalcli.cli.options import general_options
from irevalcli.cli.problems import note_line
from irevalcli.cli.progress import Progress
from irevalcli.cli.single_options import progress_option
from irevalcli.errors import UsageProblem
from irevalcli.output.packing import PACKINGS, packed
from irevalcli.reading.formats import AUTO
from irevalcli.reading.qrels_formats import QRELS_FORMATS
from irevalcli.reading.run_formats import RUN_FORMATS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from irevalcli.analysis.scores import Note

ALL_FORMATS = list(dict.fromkeys([*RUN_FORMATS, *QRELS_FORMATS]))


@click.command("convert", cls=Command, epilog="Exit status: 0 done, 2 usage, 3 unusable input.")
@click.argument("source", metavar="IN", type=FileType())
@click.argument("target", metavar="OUT", type=FileType())
@option(
    "Input",
    "--from",
    "source_format",
    type=Suggested([AUTO, *ALL_FORMATS]),
    default=AUTO,
    show_default=True,
    help="How IN is written; auto looks at its first lines.",
)
@option("Input", "--qrels", "is_qrels", is_flag=True, help="IN holds judgments, where that cannot be seen.")
@key_option("Input", "--on-error")
@option(
    "Output",
    "--to",
    "target_format",
    type=Suggested(ALL_FORMATS),
    help="How OUT is to be written.  [default: as its ending says, such as .csv, .json, .run.gz]",
)
@option("Output", "--tag", type=Tag(), metavar="T", help="The run tag.  [default: that of IN, or its name]")
@progress_option
@general_options
def command(**options: Any) -> None:  # noqa: ANN401
    """Write a run or qrels in another format.

    Documents come in ranking order, queries in the order of their ids. What the new format has no place for is said.
    OUT - is standard output. An ending .gz, .bz2 or .xz compresses.

    Examples:
      irevalcli convert run.json run.trec
      irevalcli convert bm25.run bm25.tsv.gz --to msmarco
      irevalcli convert qrels.txt qrels.tsv --to beir
      irevalcli convert part1.run+part2.run whole.run
    """
    from irevalcli.analysis.swapped import is_qrels  # noqa: PLC0415  (numpy, which --help does without)

    console = Console.decide(options["color"], quiet=options["quiet"])
    source, target = options["source"], options["target"]
    if target == STDIN:
        stdout()
    announce_typing(console, [source])
    judged = options["is_qrels"] or _only_qrels(options) or is_qrels(source)
    writers = _writers(judged=judged)
    name = _format(options, writers, judged=judged)
    destination = Destination(name, target, "OUT")
    with Exports([] if target == STDIN else [destination]) as files:
        conversion = _of_qrels(options, name) if judged else _of_run(options, name)
        for note in conversion.notes:
            console.say(note_line(note, console))
        for text in conversion.losses:
            console.say(f"note:    left out, as {name} has no place for it: {text}")
        chunks = packed(conversion.chunks, os.path.splitext(target)[1])  # noqa: PTH122
        if target == STDIN:
            write_all(chunks)
        else:
            files.write(destination, chunks)


class _Conversion(NamedTuple):
    """What is written, what is not, and what was noticed in reading."""

    chunks: Iterator[bytes]
    losses: list[str]
    notes: tuple[Note, ...]


def _only_qrels(options: dict[str, Any]) -> bool:
    """Whether a format was named that only qrels have."""
    named = {options["source_format"], options["target_format"]} - {AUTO, None}
    return bool(named & (QRELS_FORMATS.keys() - RUN_FORMATS.keys()))


def _writers(*, judged: bool) -> dict[str, tuple[str, ...]]:
    """The formats in which qrels or runs are written, with the endings of file names that choose them."""
    if judged:
        from irevalcli.output.qrels_writers import QRELS_WRITERS  # noqa: PLC0415  (numpy)

        return {name: writer.endings for name, writer in QRELS_WRITERS.items()}
    from irevalcli.output.run_writers import RUN_WRITERS  # noqa: PLC0415  (numpy)

    return {name: writer.endings for name, writer in RUN_WRITERS.items()}


def _format(options: dict[str, Any], writers: dict[str, tuple[str, ...]], *, judged: bool) -> str:
    """The format of the output.

    Raises:
        UsageProblem: none is named and the ending says none, or it cannot be written.
    """
    what = "qrels" if judged else "runs"
    known = (f"{what} can be written as {', '.join(writers)}",)
    name: str | None = options["target_format"]
    if name == "trec" and judged:
        return "qrels"
    if name is not None:
        if name not in writers:
            raise UsageProblem(f"--to {name}: {what} cannot be written so{meant(name, list(writers))}", hints=known)
        return name
    if options["target"] == STDIN:
        raise UsageProblem("standard output has no ending that tells a format", hints=("name it by --to", *known))
    stem, ending = os.path.splitext(options["target"])  # noqa: PTH122
    if ending in PACKINGS:
        ending = os.path.splitext(stem)[1]  # noqa: PTH122
    found = next((name for name, endings in writers.items() if ending.lower() in endings), None)
    if found is None:
        raise UsageProblem(f"OUT {options['target']}: its ending tells no format", hints=("name it by --to", *known))
    return found


def _of_run(options: dict[str, Any], name: str) -> _Conversion:
    from irevalcli.analysis.conversion import load_run_content, run_losses  # noqa: PLC0415  (numpy)
    from irevalcli.output.run_writers import RUN_WRITERS  # noqa: PLC0415

    writer = RUN_WRITERS[name]
    policy = policy_of({"on_error": options["on_error"], "run_format": _source_format(options, RUN_FORMATS, "a run")})
    (run,) = named_runs([options["source"]], one_each=True)
    with Progress(wanted=options["progress"] and not options["quiet"]) as progress:
        content = load_run_content(run, policy, tag=options["tag"] or "", watch=progress)
    return _Conversion(writer.write(content), run_losses(content, writer.room), content.notes)


def _of_qrels(options: dict[str, Any], name: str) -> _Conversion:
    from irevalcli.analysis.conversion import load_qrels_content, qrels_losses  # noqa: PLC0415  (numpy)
    from irevalcli.output.qrels_writers import QRELS_WRITERS  # noqa: PLC0415

    writer = QRELS_WRITERS[name]
    layout = _source_format(options, QRELS_FORMATS, "qrels")
    content = load_qrels_content(
        options["source"], policy_of({"on_error": options["on_error"], "qrels_format": layout})
    )
    return _Conversion(writer.write(content), qrels_losses(content, writer.room), content.notes)


def _source_format(options: dict[str, Any], formats: Collection[str], what: str) -> str:
    name: str = options["source_format"]
    if name != AUTO and name not in formats:
        raise UsageProblem(f"--from {name}: not a format of {what}", hints=(f"formats: {', '.join(formats)}",))
    return name
