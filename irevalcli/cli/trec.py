"""``irevalcli trec`` as the group's help sees it; the process entry runs the drop-in before click is imported."""

from __future__ import annotations

import click


@click.command(
    "trec",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False, "help_option_names": []},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Do what trec_eval does, to the byte."""
    from irevalcli.trec.command import run  # noqa: PLC0415

    return run(arguments, program="irevalcli trec")
