"""The program: its commands, imported on use, and what becomes of an error.

Exit codes: 0 clean · 1 findings · 2 our error, one line on stderr · 130 stopped with Ctrl-C
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn, TextIO

import click

from elbowroom import __version__
from elbowroom.cli.say import NAME, complain, one_line, quoted
from elbowroom.errors import ElbowroomError, closest

COMMANDS = {  # name -> module in this room
    "solve": "solve",
    "info": "info",
    "check": "check",
    "explain": "explain",
    "bake": "bake",
    "render": "render",
    "schema": "schema",
    "bench": "bench",
}
FAILED, STOPPED, CUT_OFF = 2, 130, 141  # 128 + SIGINT, 128 + SIGPIPE: what a shell would say


class App(click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of use, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, its module imported now."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"elbowroom.cli.{COMMANDS[cmd_name]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As Click does, with our words for a command that does not exist."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command {quoted(args[0])}{closest(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that went away (`| head`) ends it quietly."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            return CUT_OFF

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run, and leave with an exit code."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")  # a letter the terminal lacks is no reason to stop
        with warnings.catch_warnings():
            warnings.simplefilter("always", UserWarning)
            warnings.showwarning = _show_warning
            code = self._outcome(args, complete_var, windows_expand_args, extra)
        sys.exit(code if _flushed() else code or FAILED)

    def _outcome(self, args: Sequence[str] | None, complete: str | None, expand: bool, extra: dict[str, Any]) -> int:
        try:
            code = super().main(
                args, NAME, complete, standalone_mode=False, windows_expand_args=expand, **extra
            )
            return code if isinstance(code, int) else 0
        except click.Abort:
            return STOPPED
        except click.UsageError as error:
            complain(_usage(error, next((w for w in args or sys.argv[1:] if w in COMMANDS), "")))
        except click.ClickException as error:
            complain(error.format_message())
        except ElbowroomError as error:
            complain(str(error))
        except OSError as error:
            name = f"{error.filename}: " if error.filename else ""
            complain(f"{name}{error.strerror or error}")
        return FAILED


def _usage(error: click.UsageError, command: str) -> str:
    """A usage error of a command as 'command --option: what is wrong (what would be right)'."""
    path = error.ctx.command_path if error.ctx else f"{NAME} {command}".strip()
    example = f"({path} --help shows an example)"
    where = [path.removeprefix(NAME).strip(), _parameter(error)]
    if isinstance(error, click.MissingParameter):
        text = f"missing {example}"
    elif isinstance(error, click.BadOptionUsage):
        text = error.message.removeprefix(f"Option {error.option_name!r} ").rstrip(".")
    elif isinstance(error, click.NoSuchOption) and error.ctx:
        shown = [p for p in error.ctx.command.params if not getattr(p, "hidden", False)]
        text = f"there is no option {error.option_name}{closest(error.option_name, [p.opts[-1] for p in shown])}"
    else:
        text = error.message.rstrip(".") if where[1] else error.format_message().rstrip(".")
        text = _lower(text) if text.endswith(")") else f"{_lower(text)} {example}"
    return ": ".join(part for part in (" ".join(filter(None, where)), text) if part)


def _parameter(error: click.UsageError) -> str:
    """The option or argument an error is about, or ''."""
    if isinstance(error, click.BadOptionUsage):
        return error.option_name
    hint = getattr(error, "param_hint", None)
    parameter = getattr(error, "param", None)
    if hint is None and parameter is not None:
        hint = parameter.opts[-1] if isinstance(parameter, click.Option) else parameter.human_readable_name
    return hint if isinstance(hint, str) else " ".join(hint or ())


def _lower(text: str) -> str:
    """Without Click's capital letter."""
    return text[:1].lower() + text[1:] if text[:2].istitle() else text


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Warnings for people: what, and not which line of ours said so."""
    for text in str(message).splitlines():
        click.echo(f"{NAME}: warning: {one_line(text)}", err=True)


def _flushed() -> bool:
    """Whether all of stdout got where it should; if not, the rest goes nowhere, so that leaving does not fail."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


@click.version_option(__version__, prog_name=NAME, message="%(prog)s %(version)s")
@click.pass_context
def _app(ctx: click.Context) -> None:
    """Inverse kinematics for 2D characters that says how far every limb misses, and why.

    \b
    Examples:
      elbowroom solve --upper 150 --lower 125 --target 200,0
      elbowroom check scout.rig.json
      elbowroom bake scout.rig.json -o baked.rig.json
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


main = click.group(
    name=NAME,
    cls=App,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)(_app)
