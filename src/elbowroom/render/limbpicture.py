"""The picture of one solution: its triangle, its ring, its soft band, its target."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from elbowroom.errors import InputError
from elbowroom.kernel.angles import wrap
from elbowroom.kernel.solution import Solution
from elbowroom.render import reachmarks, stops
from elbowroom.render.figure import taper
from elbowroom.render.heat import heat as heat_ring
from elbowroom.render.page import Array, Box, Page, View
from elbowroom.render.shots import Limb, inferred
from elbowroom.render.style import FAINT, INK, NEAR_LIMB, measure

HALF = 7.0  # [px] half the thickness of a bone
FOOTER = 40.0  # [px] the two lines below the picture


def draw_limb(
    solution: Solution,
    target: Sequence[float] | None = None,
    *,
    softness: float = 0.0,
    curve: str = "exponential",
    limits: object = None,
    bend: int = 1,
    base: float = 0.0,
    heat: bool = False,
    size: tuple[int, int] = (480, 400),
    view: View | None = None,
    title: str = "",
) -> str:
    """One solved limb as SVG: bones, ring, soft band, target, the angle inside each joint, miss and causes.

    solution : of a single call, such as two_bone((0, 0), (300, 0), 150, 125)
    target : (2,) [length] what was asked for; None: as far as the solution tells
    softness [fraction of reach], curve, limits (n, 2) [rad], bend, base [rad] : as given to the solver. Limits are
           drawn: at each joint the angles its bone may have, and the region that the end can reach
    heat : colour the ring by how far the elbow turns for each unit the target comes nearer or goes away
    size [px];  view : None: the whole ring
    Raises InputError for a batch, and for limits of another shape.
    """
    limb = dataclasses.replace(_limb(solution, target, softness), curve=curve)
    if limits is not None:
        angles = np.asarray(solution.angles, dtype=np.float64)
        limb = dataclasses.replace(limb, stops=stops.of_limb(limits, limb.lengths, angles, bend=bend, base=base))
    page = Page(size, title or "limb")
    low = limb.joints[0] - limb.reach
    seen = np.concatenate([limb.joints, [limb.goal, low, limb.joints[0] + limb.reach]])
    wide, high = page.size
    page.aim(view or View.around(seen, margin=0.03), Box(10.0, 28.0 if title else 10.0, wide - 10.0, high - FOOTER))
    if title:
        page.text((10.0, 18.0), title, color=FAINT, room=wide - 20.0)
    if heat:
        heat_ring(page, limb)
    reachmarks.ring(page, limb, band=not heat, heated=heat)
    reachmarks.limits(page, limb, over=False)
    page.line(page.point(limb.joints[0]), page.point(limb.joints[-1]), stroke=FAINT, stroke_width=1.0,
              stroke_dasharray="1 3")  # fmt: skip
    _bones(page, limb.joints)
    reachmarks.limits(page, limb, over=True)
    reachmarks.goals(page, [limb])
    _inner_angles(page, limb.joints, solution)
    _footer(page, limb)
    return page.svg()


def _limb(solution: Solution, target: Sequence[float] | None, softness: float) -> Limb:
    joints = np.asarray(solution.joints, dtype=np.float64)
    if joints.ndim != 2 or joints.shape[1] != 2:
        raise InputError(f"draw_limb: joints of shape {joints.shape} (one limb in 2D: (n+1, 2))")
    error, why = float(solution.error), int(solution.why)
    if target is None:
        aim = np.asarray([solution.direction], dtype=np.float64)
        goal = inferred(joints[np.newaxis], np.array([error]), np.array([why]), aim)[0]
    else:
        goal = np.asarray(target, dtype=np.float64)
    if goal.shape != (2,) or not np.isfinite(goal).all():
        raise InputError(f"draw_limb: target {target!r} (two finite numbers)")
    return Limb("limb", joints, goal, error, why, float(solution.stretch), softness)


def _bones(page: Page, joints: Array) -> None:
    places = [page.point(joint) for joint in joints]
    for a, b in pairwise(places):
        page.path(taper(a, b, HALF), closed=True, fill=NEAR_LIMB, stroke="#ffffff", stroke_width=1.0)
    for place in places:
        page.circle(place, 4.0, fill="#ffffff", stroke=NEAR_LIMB, stroke_width=2.0)


def _inner_angles(page: Page, joints: Array, solution: Solution) -> None:
    """The angle inside every joint but the first and last, written on the side away from the bones."""
    angles = np.asarray(solution.angles, dtype=np.float64)
    for i in range(1, len(joints) - 1):
        middle = (np.asarray(page.point(joints[i - 1])) + np.asarray(page.point(joints[i + 1]))) / 2.0
        x, y = page.point(joints[i])
        out = np.array([x, y]) - middle
        away = float(np.hypot(*out))
        ux, uy = out / away if away > 1.0 else (0.0, -1.0)
        text = f"{180.0 - abs(math.degrees(wrap(float(angles[i])))):.1f}°"
        page.text((x + 28.0 * ux, y + 22.0 * uy + 4.0), text, anchor="middle", weight=1.2, halo=True)


def _footer(page: Page, limb: Limb) -> None:
    top = page.box.bottom + 16.0
    said = "  ".join(f"{measure(float(length))}" for length in limb.lengths)
    about = f"bones {said}   reach {measure(limb.hole)} to {measure(limb.reach)}"
    page.text((10.0, top), about, color=INK, room=page.size[0] - 20.0)
    reachmarks.caption(page, [limb], 10.0, top + 16.0, columns=1, rows=1)
