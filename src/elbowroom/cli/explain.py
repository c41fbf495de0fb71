"""elbowroom explain: the page of a check."""

from __future__ import annotations

import click

from elbowroom.cli.say import quoted
from elbowroom.errors import closest


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Print the page of a check, or what it says of a cause; without CODE, list the checks.

    A page says what a finding means, what causes it and how to cure it. Several at once with | between them.

    \b
    Example:
      elbowroom explain reach
      elbowroom explain FAR
      elbowroom explain 'FAR|SOFT'
    """
    from elbowroom.checks import CHECKS

    if code is None:
        click.echo("\n".join(check.title for check in CHECKS.values()))
        return
    words = [word.strip() for word in code.split("|")]
    click.echo("\n\n".join([_told(word) for word in words]))


def _told(word: str) -> str:
    """The page of a check, or what the pages say of a cause; BadParameter for neither."""
    from elbowroom.checks import CHECKS

    if word in CHECKS:
        return CHECKS[word].page.strip()
    causes = {check.code: text for check in CHECKS.values() if (text := check.about(word.upper()))}
    if causes:
        return "\n\n".join(f"{text}\n\n(from the page of {c}: elbowroom explain {c})" for c, text in causes.items())
    known = [*CHECKS, *dict.fromkeys(cause for check in CHECKS.values() for cause in check.causes)]
    near = closest(word, known)
    near = near if "did you mean" in near else f" (known: {', '.join(known)})"
    raise click.BadParameter(f"there is no check or cause {quoted(word)}{near}", param_hint="CODE")
