"""elbowroom bench: how fast it is, beside what is possible."""

from __future__ import annotations

from importlib import import_module

import click

from elbowroom.cli.kinds import not_yet

TABLES = ("kernel", "limits", "noise", "chain", "walk", "file")
READY = ("kernel", "limits", "noise")


@click.command("bench")
@click.argument("table", type=click.Choice(TABLES), default="kernel")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str, as_json: bool) -> int:
    """Measure how fast it is: PASS or FAIL a line.

    Exit 1 if a line fails.

    \b
    Example:
      elbowroom bench kernel
    """
    if table not in READY:
        not_yet(f"bench {table}")
    code: int = import_module(f"elbowroom.bench.{table}").run(as_json=as_json)
    return code
