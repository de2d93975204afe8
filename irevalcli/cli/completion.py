"""``irevalcli completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish", "powershell"]))
def command(shell: str) -> None:
    """Print the completion script of a shell.

    \b
    Examples:
      irevalcli completion bash >> ~/.bashrc
      irevalcli completion zsh  >> ~/.zshrc
      irevalcli completion fish > ~/.config/fish/completions/irevalcli.fish
    """
    from irevalcli.cli.main import irevalcli  # noqa: PLC0415  (the group imports this module)

    script = get_completion_class(shell)
    if script is None:
        raise click.UsageError(f"this version of click has no completion for {shell}")
    click.echo(script(irevalcli, {}, "irevalcli", "_IREVALCLI_COMPLETE").source())
