"""Pictures of single frames: a posed rig, or one limb alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.kernel.solution import Solution
from elbowroom.render import reachmarks
from elbowroom.render.figure import Figure
from elbowroom.render.heat import heat as heat_ring
from elbowroom.render.page import Box, Page, View, checked_size
from elbowroom.render.shots import Shot, largest, shots
from elbowroom.render.style import FAINT, GROUND
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig

EDGE, LINE, COLUMN = 10.0, 15.0, 250.0  # [px] page edge, height of a caption line, width of a column
ROWS = 4  # lines of captions at most


def draw(
    rig: Rig,
    pose: Pose,
    *,
    solutions: Mapping[str, Solution] | None = None,
    targets: Mapping[str, Any] | None = None,
    frame: int | None = None,
    size: tuple[int, int] = (640, 480),
    view: View | None = None,
    ground: float | None = None,
    rings: bool = True,
    heat: bool = False,
    caption: bool = True,
    title: str | None = None,
) -> str:
    """A pose as SVG: bones, and for every solved limb its ring, its target, and how far it misses.

    pose : one frame, or with `frame` a clip;  solutions : what `solve` returned with that pose or clip
    targets : what `solve` was given, where that was not the rig's own
    size : (width, height) [px];  view : the part of the world shown; None: all of this frame (View.around
           several frames gives one that stands still)
    ground : height of a ground line [length], or None;  rings : draw what limbs can reach, and the limits of
           their joints;  heat : colour the rings by gain;  caption : a line a limb
    title : text at the top; None: the rig's name, and the time in a clip
    Identical input gives identical bytes. Raises InputError naming the argument.
    """
    if pose.shape and frame is None:
        raise InputError(f"draw: a pose of {pose.shape[0]} frames (say which: frame=0, or use strip)")
    shot = shots(rig, pose, solutions, targets=targets, frames=[frame or 0])[0]
    name = title if title is not None else _title(rig, pose, shot)
    look = Look(size, view or View.around(_seen(shot, rings, ground)), ground, rings, caption, heat)
    return frame_page(Figure(rig, largest([shot])), [shot], look, name).svg()


@dataclass(frozen=True)
class Look:
    """How frames are drawn; the same for all frames of a film."""

    size: tuple[int, int]
    view: View
    ground: float | None = None
    rings: bool = True
    caption: bool = True
    heat: bool = False


def frame_page(figure: Figure, trail: Sequence[Shot], look: Look, title: str) -> Page:
    """One frame: the last shot of `trail` with all marks, the earlier ones as fading bones behind it."""
    shot = trail[-1]
    lines = _caption_lines(look, len(shot.limbs))
    wide, high = checked_size(look.size)
    top, bottom = (LINE + EDGE if title else EDGE), LINE * lines + EDGE
    box = Box(EDGE, min(top, high / 3.0), wide - EDGE, max(high - bottom, high / 2.0))
    page = Page(look.size, title or "pose", view=look.view, box=box)
    if title:
        page.text((EDGE, EDGE + 8.0), title, color=FAINT, room=wide - 2.0 * EDGE)
    for limb in shot.limbs if look.heat else ():
        heat_ring(page, limb)
    for limb in shot.limbs if look.rings else ():
        reachmarks.ring(page, limb, heated=look.heat)
        reachmarks.limits(page, limb, over=False)
    if look.ground is not None:
        reachmarks.ground(page, look.ground, GROUND)
    for i, earlier in enumerate(trail[:-1]):
        figure.draw(page, earlier, opacity=0.12 + 0.38 * (i + 1) / len(trail))
    figure.draw(page, shot)
    for limb in shot.limbs if look.rings else ():
        reachmarks.limits(page, limb, over=True)
    reachmarks.goals(page, shot.limbs)
    if lines:
        reachmarks.caption(page, shot.limbs, EDGE, high - bottom + EDGE + 6.0, columns=_columns(look), rows=lines)
    return page


def _columns(look: Look) -> int:
    return max(1, int(look.size[0] // COLUMN))


def _caption_lines(look: Look, limbs: int) -> int:
    return min(ROWS, -(-limbs // _columns(look))) if look.caption else 0


def _title(rig: Rig, pose: Pose, shot: Shot) -> str:
    if isinstance(pose, Clip) and shot.time is not None:
        return " · ".join(part for part in (rig.name, pose.name, f"{shot.time:.2f} s") if part)
    return rig.name


def _seen(shot: Shot, rings: bool, ground: float | None) -> npt.NDArray[np.float64]:
    points = shot.points(rings)
    return points if ground is None else np.concatenate([points, [(points[0, 0], ground)]])
