"""``irevalcli completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from irevalcli.cli.argument_types import Suggested
from irevalcli.cli.commands import Command
from irevalcli.cli.options import general_options
from irevalcli.errors import UsageProblem


@click.command("completion", cls=Command, epilog="Exit status: 0 done, 2 usage.")
@click.argument("shell", type=Suggested(["bash", "zsh", "fish", "powershell"]), metavar="SHELL")
@general_options
def command(shell: str, color: str, quiet: bool, debug: bool) -> None:
    """Print the completion script of a shell: bash, zsh, fish or powershell.

    Examples:
      irevalcli completion bash >> ~/.bashrc
      irevalcli completion zsh >> ~/.zshrc
      irevalcli completion fish > ~/.config/fish/completions/irevalcli.fish
    """
    del color, quiet, debug
    from irevalcli.cli.main import COMPLETION_VARIABLE, PROGRAM, irevalcli  # noqa: PLC0415  (it imports this module)

    script = get_completion_class(shell)
    if script is None:
        raise UsageProblem(f"this version of click has no completion for {shell}")
    click.echo(script(irevalcli, {}, PROGRAM, COMPLETION_VARIABLE).source())
