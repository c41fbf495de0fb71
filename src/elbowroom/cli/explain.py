"""elbowroom explain: the page of a check."""

from __future__ import annotations

import click

from elbowroom.cli.say import quoted
from elbowroom.errors import closest


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print the page of a check; without CODE, list the checks.

    A page says what a finding means, what causes it and how to cure it.

    \b
    Example:
      elbowroom explain reach
    """
    from elbowroom.checks import CHECKS

    if code is None:
        click.echo("\n".join(check.title for check in CHECKS.values()))
    elif code not in CHECKS:
        raise click.BadParameter(f"there is no check {quoted(code)}{closest(code, CHECKS)}", param_hint="CODE")
    else:
        click.echo(CHECKS[code].page.strip())
