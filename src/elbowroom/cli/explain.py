"""elbowroom explain: the page of a check."""

from __future__ import annotations

import click

from elbowroom.cli.say import quoted
from elbowroom.errors import closest


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print the page of a check, or what it says of a cause; without CODE, list the checks.

    A page says what a finding means, what causes it and how to cure it.

    \b
    Example:
      elbowroom explain reach
      elbowroom explain FAR
    """
    from elbowroom.checks import CHECKS

    if code is None:
        click.echo("\n".join(check.title for check in CHECKS.values()))
        return
    causes = {check.code: text for check in CHECKS.values() if (text := check.about(code.upper()))}
    if code in CHECKS:
        click.echo(CHECKS[code].page.strip())
    elif causes:
        for name, text in causes.items():
            click.echo(f"{text}\n\n(from the page of {name}: elbowroom explain {name})")
    else:
        raise click.BadParameter(f"there is no check {quoted(code)}{closest(code, CHECKS)}", param_hint="CODE")
