"""From a rig and the name of an animation to a picture file."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from elbowroom.errors import InputError, closest
from elbowroom.kernel.solution import Solution
from elbowroom.render.figure import Figure
from elbowroom.render.page import View
from elbowroom.render.raster import to_gif, to_png, to_webp
from elbowroom.render.scene import LINE, ROWS, Look, draw, frame_page
from elbowroom.render.shots import Shot, largest, shots
from elbowroom.render.strip import strip
from elbowroom.rig.animation import Animation, TargetKeys
from elbowroom.rig.files import check_place, write_bytes
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.solve import solve

PathLike = str | os.PathLike[str]
MOVING, STILL = (".gif", ".webp"), (".svg", ".png")
TRAIL, APART = 4, 0.1  # onion skin of a moving picture: how many earlier frames, and the time between them [s]

Progress = Callable[[int, int], None]


def picture(
    rig: Rig,
    animation: str | None,
    out: PathLike,
    *,
    size: tuple[int, int] | None = None,
    targets: Mapping[str, TargetKeys] | None = None,
    fps: float = 30.0,
    onion: bool = False,
    skin: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Solve an animation and draw it to `out`: .svg and .png show a strip of frames, .gif and .webp move.

    animation : its name; None: the first, but a still picture without `onion` and `targets` shows the rig at rest
    targets : constraint -> keys in place of the rig's own; a rig without animations rests while they move
    size : (width, height) [px]; None: one that suits the kind;  fps : [1/s] of a moving picture
    onion : all frames of a strip in one world, the earlier the fainter; in a moving picture a fading trail
    skin : what a Spine character wears
    progress : called with (frames done, frames in all)
    Returns the path. Raises InputError for an unknown suffix, RigError for an unknown animation or what cannot be
    solved, FormatError where the file cannot be written.
    """
    moving = suffix_of(out) in MOVING
    check_place(out)  # before anything is solved for nothing
    rig = _moved(rig, targets)
    first = rig.clips[0] if rig.clips and (moving or onion or targets) else None
    name = first if animation is None else animation
    rig = with_targets(rig, name, targets or ())
    if name is None:
        return save_picture(out, draw_rest(rig, size or (640, 480), skin))
    clip, solutions = solve(rig, rig.clip(name, fps, skin=skin), targets)
    look: dict[str, Any] = {"targets": targets, "onion": onion, "ground": _ground(rig)}
    if not moving:
        return save_picture(out, strip(rig, clip, solutions, size=size or (960, 320), **look))
    frames = film(rig, clip, solutions, size=size, **look)
    return save_picture(out, _counted(frames, len(clip), progress), fps=fps)


def film(
    rig: Rig,
    clip: Clip,
    solutions: dict[str, Solution] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    size: tuple[int, int] | None = None,
    view: View | None = None,
    ground: float | None = None,
    rings: bool = True,
    onion: bool = False,
) -> Iterator[str]:
    """Every frame of a clip as SVG, all in one view that stands still; arguments as in `draw`.

    size : None: 640 px wide, and as high as the view asks for, from 240 to 640 px
    """
    taken = shots(rig, clip, solutions, targets=targets)
    view = view or _around(taken, rings, ground)
    look = Look(size or _fitting(view), view, ground, rings)
    figure = Figure(rig, largest(taken))
    back = max(1, round(APART * clip.fps))
    title = " · ".join(part for part in (rig.name, clip.name) if part)
    for i, shot in enumerate(taken):
        first = max(i - TRAIL * back, i % back)
        trail = taken[first : i + 1 : back] if onion else [shot]
        yield frame_page(figure, trail, look, f"{title} · {shot.time:.2f} s" if title else f"{shot.time:.2f} s").svg()


def save_picture(path: PathLike, frames: str | Iterable[str], *, fps: float = 30.0) -> Path:
    """Write one SVG or several as the kind of picture the path's suffix says: .svg, .png, .gif or .webp.

    The file appears whole or not at all. Raises InputError for another suffix, or several frames for a still one;
    FormatError where it cannot be written.
    """
    kind = suffix_of(path)
    check_place(path)  # before frames are drawn for nothing
    if kind in MOVING:
        pages = [frames] if isinstance(frames, str) else frames
        return to_gif(pages, path, fps) if kind == ".gif" else to_webp(pages, path, fps)
    pages = [frames] if isinstance(frames, str) else list(frames)
    if len(pages) != 1:
        raise InputError(f"{path}: {len(pages)} frames for a still picture (one; .gif and .webp take several)")
    if kind == ".png":
        return to_png(pages[0], path)
    write_bytes(path, pages[0].encode())
    return Path(path)


def suffix_of(path: PathLike) -> str:
    """The suffix of a picture's path in small letters; InputError for one that is none of ours."""
    kind, known = Path(path).suffix.lower(), (*STILL, *MOVING)
    if kind not in known:
        raise InputError(f'{path}: "{kind}" is no kind of picture{closest(kind, known)}')
    return kind


def with_targets(rig: Rig, animation: str | None, given: Iterable[str] = ()) -> Rig:
    """The rig without the constraints that have no target to go to: they are drawn as they are keyed."""
    keyed = {*given, *(() if animation is None else rig.animation(animation).keyed(rig.skeleton)["targets"])}
    kept = tuple(c for c in rig.constraints if c.target is not None or c.name in keyed)
    return rig if len(kept) == len(rig.constraints) else dataclasses.replace(rig, constraints=kept, checked=True)


def _moved(rig: Rig, targets: Mapping[str, TargetKeys] | None) -> Rig:
    """A rig without animations gets one that lasts as long as the targets."""
    if rig.clips or not targets:
        return rig
    return dataclasses.replace(rig, animations={"targets": Animation("targets", targets=dict(targets))}, checked=True)


def draw_rest(rig: Rig, size: tuple[int, int], skin: str | None = None) -> str:
    """The rig at rest, its limbs solved."""
    pose, solutions = solve(rig, rig.setup(skin=skin))
    return draw(rig, pose, solutions=solutions, size=size, ground=_ground(rig))


def _ground(rig: Rig) -> float | None:
    """Walkers stand on height 0; what does not walk has no ground."""
    return 0.0 if rig.legs else None


def _around(taken: list[Shot], rings: bool, ground: float | None) -> View:
    points = np.concatenate([shot.points(rings) for shot in taken])
    if ground is not None:
        points = np.concatenate([points, [(points[0, 0], ground)]])
    return View.around(points)


def _fitting(view: View) -> tuple[int, int]:
    """A size whose picture is as wide as its page."""
    high = 560.0 * (view.top - view.bottom) / (view.right - view.left) + 2.0 * LINE * ROWS
    return 640, 2 * int(min(max(high, 240.0), 640.0) / 2.0)


def _counted(frames: Iterable[str], total: int, progress: Progress | None) -> Iterator[str]:
    for done, svg in enumerate(frames, start=1):
        yield svg
        if progress is not None:
            progress(done, total)
