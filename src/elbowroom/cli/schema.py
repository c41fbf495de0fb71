"""elbowroom schema: what a rig file may say."""

from __future__ import annotations

import click

from elbowroom.cli.say import show_json


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of the native rig record (*.rig.json).

    \b
    Example:
      elbowroom schema > rig.schema.json
    """
    from elbowroom.rig.record import schema

    show_json(schema())
