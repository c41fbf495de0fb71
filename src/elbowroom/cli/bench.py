"""elbowroom bench: how fast it is, beside what is possible."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from elbowroom.cli.kinds import FILE, not_yet

TABLES = ("kernel", "limits", "noise", "chain", "walk", "file")
READY = ("kernel", "limits", "noise", "chain", "file")


@click.command("bench")
@click.argument("table", type=click.Choice(TABLES), default="kernel")
@click.argument("rig", type=FILE, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(table: str, rig: str | None, as_json: bool) -> int:
    """Measure how fast it is: PASS or FAIL a line.

    Exit 1 if a line fails. RIG is for the table "file": a rig of your own to pose.

    \b
    Example:
      elbowroom bench kernel
      elbowroom bench file hero.json
    """
    if table not in READY:
        not_yet(f"bench {table}")
    if rig is not None and table != "file":
        raise click.UsageError(f"{table}: takes no rig (bench file {rig} does)")
    more: dict[str, Any] = {} if rig is None else {"path": rig}
    code: int = import_module(f"elbowroom.bench.{table}").run(as_json=as_json, **more)
    return code
