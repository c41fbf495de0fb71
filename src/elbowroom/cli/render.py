"""elbowroom render: a picture of an animation."""

from __future__ import annotations

import click

from elbowroom.cli.files import about, load_rig, load_tracks, remark_tracks, wrote
from elbowroom.cli.kinds import FILE, FPS, SIZE
from elbowroom.cli.say import note, progress


@click.command("render")
@click.argument("file", type=FILE)
@click.option("-o", "--out", type=FILE, required=True,
              help="The picture: .svg and .png stand still, .gif and .webp move.")  # fmt: skip
@click.option("--targets", type=FILE, help="Target tracks (.csv, .json) in place of the rig's own targets.")
@click.option("--animation", help="Which animation; a moving picture takes the first, a still one the setup pose.")
@click.option("--size", type=SIZE, help="In pixels, such as 640x480.")
@click.option("--fps", type=FPS, default=30.0, show_default=True, help="Frames a second of a moving picture.")
@click.option("--onion", is_flag=True, help="Earlier frames show through.")
@click.option("--skin", help="What a Spine character wears.")
def command(
    file: str, out: str, targets: str | None, animation: str | None, size: tuple[int, int] | None, fps: float,
    onion: bool, skin: str | None,
) -> None:  # fmt: skip
    """Draw an animation of a rig, solved.

    \b
    Example:
      elbowroom render scout.rig.json --animation walk -o walk.gif
      elbowroom render goblins-pro.json --animation walk --skin goblin -o walk.svg
      elbowroom render scout.rig.json -o scout.svg --size 640x480
    """
    from elbowroom.render.picture import picture, suffix_of

    rig, tracks = load_tracks(targets, load_rig(file))
    suffix_of(out)  # what is wrong with it is no fault of the rig
    if tracks and animation is None and rig.clips:
        animation = rig.clips[0]
        note(f'the target tracks are drawn over "{animation}" (--animation names another)')
    with about(file):
        remark_tracks(rig, (animation,) if animation else (), tracks, chosen=True)
        with progress("drawing") as tick:
            given = tracks.tracks if tracks else None
            picture(rig, animation, out, targets=given, size=size, fps=fps, onion=onion, skin=skin, progress=tick)
    wrote(out)
