"""Several frames of a clip in one picture: beside each other, or as an onion skin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from elbowroom.errors import InputError
from elbowroom.kernel.solution import Solution, Why
from elbowroom.render import reachmarks
from elbowroom.render.figure import Figure
from elbowroom.render.page import Box, Page, View, checked_size
from elbowroom.render.shots import Shot, largest, shots
from elbowroom.render.style import FAINT, GROUND, RULE
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig

EDGE, LINE = 10.0, 18.0  # [px]


def strip(
    rig: Rig,
    clip: Clip,
    solutions: Mapping[str, Solution] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    frames: int = 8,
    onion: bool = False,
    size: tuple[int, int] = (960, 320),
    view: View | None = None,
    ground: float | None = None,
    title: str | None = None,
) -> str:
    """Frames of a clip, evenly spread from the first to the last, as one SVG.

    Where a limb misses at full mix, the frame of the largest miss takes the place of the one next to it.

    frames : how many;  onion : False: side by side, each moved back by the way of its root; True: all in one world,
             the earlier the fainter
    view : what of the world is shown, for side by side: around the root; None: all
    Other arguments as in `draw`. Raises InputError naming the argument.
    """
    if not isinstance(frames, int) or frames < 1:
        raise InputError(f"strip: frames is {frames!r} (a whole number, 1 or more)")
    picked = _picked(len(clip), frames, worst(solutions or {}))
    taken = shots(rig, clip, solutions, targets=targets, frames=picked)
    name = title if title is not None else " · ".join(part for part in (rig.name, clip.name) if part)
    page = Page(checked_size(size), name or "strip")
    figure = Figure(rig, largest(taken))
    if name:
        page.text((EDGE, EDGE + 8.0), name, color=FAINT, room=page.size[0] - 2.0 * EDGE)
    if onion:
        _onion(page, figure, taken, view, ground)
    else:
        _side_by_side(page, figure, taken, root=rig.skeleton.root, view=view, ground=ground)
    return page.svg()


def worst(solutions: Mapping[str, Solution]) -> int | None:
    """The frame in which a limb of two bones or more misses by most at full mix; None if none does."""
    found: list[tuple[float, int]] = []
    for solution in solutions.values():
        missed = ~np.asarray(solution.reached) & ((np.asarray(solution.why) & int(Why.MIX)) == 0)
        if np.shape(solution.joints)[-2] > 2 and missed.any():
            error = np.where(missed, solution.error, -1.0)
            found.append((float(error.max()), -int(error.argmax())))
    return -max(found)[1] if found else None


def _picked(count: int, frames: int, worst: int | None) -> list[int]:
    """Indices spread over a clip, with the worst frame in place of the nearest that is not an end."""
    found: list[int] = np.unique(np.rint(np.linspace(0.0, count - 1.0, frames)).astype(int)).tolist()
    if worst is None or worst in found or len(found) < 3:
        return found
    nearest = min(found[1:-1], key=lambda i: abs(i - worst))
    return sorted({worst, *found} - {nearest})


def _onion(page: Page, figure: Figure, taken: list[Shot], view: View | None, ground: float | None) -> None:
    wide, high = page.size
    view = view or _around(taken, ground)
    page.aim(view, Box(EDGE, LINE + EDGE, wide - EDGE, high - EDGE))
    if ground is not None:
        reachmarks.ground(page, ground, GROUND)
    for i, shot in enumerate(taken):
        figure.draw(page, shot, opacity=0.15 + 0.85 * ((i + 1) / len(taken)) ** 2)
        _marks(page, shot, label=i == len(taken) - 1)


def _side_by_side(
    page: Page, figure: Figure, taken: list[Shot], *, root: int, view: View | None, ground: float | None
) -> None:
    wide, high = page.size
    step = (wide - 2.0 * EDGE) / len(taken)
    still = [shot.shifted(np.array([-shot.starts[root, 0], 0.0])) for shot in taken]
    view = view or _around(still, ground)
    for i, shot in enumerate(still):
        left = EDGE + i * step
        page.aim(view, Box(left, LINE + EDGE, left + step, high - LINE - EDGE))
        if ground is not None:
            reachmarks.ground(page, ground, GROUND)
        figure.draw(page, shot)
        _marks(page, shot, label=step > 90.0)
        if i:
            page.line((left, LINE + EDGE), (left, high - EDGE), stroke=RULE, stroke_width=1.0)
        page.text((left + step / 2.0, high - EDGE), f"{shot.time:.2f} s", color=FAINT, anchor="middle", room=step)


def _marks(page: Page, shot: Shot, *, label: bool) -> None:
    reachmarks.goals(page, shot.limbs, size=3.0, label=label, shortest=1.0)


def _around(taken: list[Shot], ground: float | None) -> View:
    points = np.concatenate([shot.points(rings=False) for shot in taken])
    if ground is not None:
        points = np.concatenate([points, [(points[0, 0], ground)]])
    return View.around(points)
