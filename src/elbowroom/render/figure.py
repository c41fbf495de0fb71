"""Bones of one frame as tapered shapes, joints as circles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elbowroom.render.page import Page
from elbowroom.render.shots import Shot
from elbowroom.render.style import FAINT, FAR_LIMB, LIMB, MIDDLE, NEAR_LIMB, RULE, side
from elbowroom.rig.rig import Rig

BULGE = 0.16  # [fraction of the bone] where it is widest
THICK = 0.11  # [fraction of the bone's length] half its thickness
THINNEST, THICKEST = 0.006, 0.026  # [fraction of the figure's size] the bounds of that
STOUT = 1.5  # how much thicker a body is than its limbs


class Figure:
    """How the bones of one rig look: colours, order and thickness, the same in every frame."""

    def __init__(self, rig: Rig, extent: float) -> None:
        """`extent` [length] of the figure, which thicknesses are measured by."""
        skeleton = rig.skeleton
        solved = {bone for constraint in rig.constraints for bone in constraint.bones}
        sides = [side(name, rig.facing) for name in skeleton.names]
        self.colors = [_color(s, name in solved) for s, name in zip(sides, skeleton.names, strict=True)]
        self.order = sorted(range(len(skeleton)), key=lambda i: sides[i])
        self.round = [name.lower() == "head" for name in skeleton.names]
        stout = np.where(np.array(sides) == 0, STOUT if any(sides) else 1.0, 1.0)
        self.half = np.clip(skeleton.lengths * THICK, THINNEST * extent, THICKEST * extent) * stout
        self.jointed = skeleton.lengths > 0.0

    def draw(self, page: Page, shot: Shot, *, opacity: float | None = None) -> None:
        """The borders of the art, and on them all bones, the far side first."""
        page.group(stroke_linejoin="round", opacity=opacity)
        for points in shot.art:
            border = [page.point(point) for point in points]
            page.path(border, closed=True, class_="art", fill=RULE, fill_opacity=0.35, stroke=FAINT, stroke_width=0.6)
        for i in self.order:
            a, b = page.point(shot.starts[i]), page.point(shot.tips[i])
            half = max(float(self.half[i]) * page.scale, 1.0)
            if self.round[i]:
                _head(page, a, b, self.colors[i])
            elif self.jointed[i]:
                page.path(taper(a, b, half), closed=True, fill=self.colors[i], stroke="#ffffff", stroke_width=1.0)
            handle = bool(shot.art) and not self.jointed[i]  # what art is moved by, and no joint of a limb
            if not self.round[i] and not handle:
                page.circle(a, max(half * 0.62, 1.4), fill="#ffffff", stroke=self.colors[i], stroke_width=1.2)
        page.end()


def _color(which: int, solved: bool) -> str:
    if which:
        return NEAR_LIMB if which > 0 else FAR_LIMB
    return LIMB if solved else MIDDLE


def taper(a: Sequence[float], b: Sequence[float], half: float) -> list[tuple[float, float]]:
    """Corners of a bone from a to b [px]: a point, widest a little on, and narrow at its tip."""
    (ax, ay), (bx, by) = a, b
    length = float(np.hypot(bx - ax, by - ay))
    ux, uy = ((bx - ax) / length, (by - ay) / length) if length > 0.0 else (1.0, 0.0)
    profile = [(0.0, 0.55), (BULGE, 1.0), (1.0, 0.45)]
    left = [(t * length, w * half) for t, w in profile]
    outline = left + [(t, -w) for t, w in reversed(left)]
    return [(ax + t * ux - w * uy, ay + t * uy + w * ux) for t, w in outline]


def _head(page: Page, a: Sequence[float], b: Sequence[float], color: str) -> None:
    """A head is round: from its joint to its tip."""
    middle = ((a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0)
    radius = max(float(np.hypot(b[0] - a[0], b[1] - a[1])) / 2.0, 1.0)
    page.circle(middle, radius, fill=color, stroke="#ffffff", stroke_width=1.0)
