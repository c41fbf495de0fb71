"""elbowroom render: a picture of an animation."""

from __future__ import annotations

import click

from elbowroom.cli.files import about, load_rig
from elbowroom.cli.kinds import FILE, FPS, SIZE, later
from elbowroom.cli.say import progress


@click.command("render")
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, required=True,
              help="The picture: .svg and .png stand still, .gif and .webp move.")  # fmt: skip
@click.option("--animation", help="Which animation; a moving picture takes the first, a still one the setup pose.")
@click.option("--size", type=SIZE, help="In pixels, such as 640x480.")
@click.option("--fps", type=FPS, default=30.0, show_default=True, help="Frames a second of a moving picture.")
@click.option("--onion", is_flag=True, help="Earlier frames show through.")
@later("--skin")
def command(
    file: str, out: str, animation: str | None, size: tuple[int, int] | None, fps: float, onion: bool
) -> None:
    """Draw an animation of a rig, solved.

    \b
    Example:
      elbowroom render scout.rig.json --animation walk -o walk.gif
      elbowroom render scout.rig.json -o scout.svg --size 640x480
    """
    from elbowroom.render import picture

    rig = load_rig(file)
    with about(file), progress("drawing") as tick:
        picture(rig, animation, out, size=size, fps=fps, onion=onion, progress=tick)
    click.echo(f"wrote {out}")
