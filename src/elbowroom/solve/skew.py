"""Limbs whose root bone is scaled unevenly or sheared: the lower bone's end runs on an ellipse, not on a circle.

In the space the limb hangs in, with the root bone not turned yet, the end lies at E(u) = p + u_x·e + u_y·f for a
unit vector u: p the elbow, e and f the images of the lower bone straight on and turned by 90° to the side of the
bend. The half circle u_y ≥ 0, from straight (1, 0) to folded (−1, 0), is that side: straight stays straight under
any scale and shear. How far and how near E gets on it are the limb's reach and its dead zone. Both, and the u whose
|E| is the softened distance, are found by halving arcs down to the spacing of doubles, without trigonometry, every
element on its own: a batch has the bits of its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from elbowroom.kernel.engine import rows
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.reach import curve_code
from elbowroom.kernel.solution import Solution, Why
from elbowroom.rig.constraint import IKConstraint
from elbowroom.solve.geometry import Array, Flags, Limb, Mask, along, angle, between, norm, turned, unit

ARCS = 32  # the half circle is searched for turning points in so many parts
HALVINGS = 56  # of an arc, down to less than the spacing of doubles


@dataclass(frozen=True)
class Ellipse:
    """E(u) of the module's text for k limbs: p, e, f (k, 2)."""

    p: Array
    e: Array
    f: Array

    @classmethod
    def of(cls, limb: Limb, bend: Array, up: Array) -> Ellipse:
        """For bend (k,) −1 or 1, all lengths times `up` (k,)."""
        ahead, size = unit(limb.offset, (1.0, 0.0)), (norm(limb.tip) * up)[:, np.newaxis]
        aside = np.stack([ahead[:, 1], -ahead[:, 0]], axis=-1) * bend[:, np.newaxis]
        return cls(limb.first * up[:, np.newaxis], along(limb.axes, size * ahead), along(limb.axes, size * aside))

    def at(self, u: Array, which: Any = slice(None)) -> Array:
        """E (..., 2) of the limbs `which`, for unit vectors u (..., 2)."""
        return np.asarray(self.p[which] + u[..., :1] * self.e[which] + u[..., 1:] * self.f[which])

    def grows(self, u: Array, which: Any = slice(None)) -> Mask:
        """Whether |E| grows (...) when u turns toward the fold."""
        end, ahead = self.at(u, which), u[..., :1] * self.f[which] - u[..., 1:] * self.e[which]
        return np.asarray(end[..., 0] * ahead[..., 0] + end[..., 1] * ahead[..., 1] > 0.0)

    def bounds(self) -> tuple[Array, Array]:
        """The u (k, 2) with the nearest and with the farthest end on the half circle."""
        s, c = rows().sincos(np.arange(1, ARCS) * (np.pi / ARCS))
        marks = np.array([(1.0, 0.0), *zip(c, s, strict=True), (-1.0, 0.0)])
        each = np.arange(len(self.p))
        growing = self.grows(marks, (each, np.newaxis))
        limb, arc = np.nonzero(growing[:, :-1] != growing[:, 1:])
        start = growing[limb, arc]
        tried = np.tile(np.concatenate([marks, marks[1:]]), (len(each), 1, 1))
        tried[limb, ARCS + 1 + arc] = _halved(lambda u: self.grows(u, limb) == start, marks[arc], marks[arc + 1])
        sizes = norm(self.at(tried, (each, np.newaxis)))
        return tried[each, sizes.argmin(axis=-1)], tried[each, sizes.argmax(axis=-1)]

    def misses(self, asked: Array) -> Array:
        """How far (k,) the distances asked are out of the reach."""
        hole, most = (norm(self.at(u)) for u in self.bounds())
        return np.maximum(np.maximum(asked - most, hole - asked), 0.0)

    def eased(self, asked: Array, constraint: IKConstraint, softness: Array) -> tuple[Array, Array, Flags]:
        """The u (k, 2) of the softened distance, that distance (k,), and the flags FAR, NEAR and SOFT."""
        nearest, farthest = self.bounds()
        hole, most = (norm(self.at(u)) for u in (nearest, farthest))
        bands = rows().bands(most, hole, softness, constraint.inner_softness)
        distance, _, zone = rows().soft(asked, most, hole, *bands, curve_code(constraint.curve))
        u = _halved(lambda u: norm(self.at(u)) < distance, nearest, farthest)
        far, near, soft = (mask.astype(np.int64) for mask in (asked > most, asked < hole, zone != 0.0))
        return u, distance, far * int(Why.FAR) + near * int(Why.NEAR) + soft * int(Why.SOFT)


def uneven_limbs(
    limb: Limb, step: Array, fallback: Array, bend: Array, softness: Array, constraint: IKConstraint, *, stretch: float
) -> Solution:
    """Solve k limbs as `two_bone` does from the root (0, 0); `limb.rotations` reads the angles.

    step : (k, 2) [length] from root to target;  fallback : (k, 2) where to aim if that is 0;  bend : (k,) −1, 0 or 1
    softness : (k,) [fraction of reach]
    stretch : most change of length, as a fraction
    """
    size = limb.lengths[0] + limb.lengths[1]
    up = rows().scale(size + norm(step))
    asked = norm(step) * up
    curve = Ellipse.of(limb, bend := _sides(limb, bend, up, asked), up)
    u, distance, why = curve.eased(asked, constraint, softness)
    moved = (why != 0) & (distance > 0.0)
    k = np.where(moved, asked / np.where(moved, distance, 1.0), 1.0).clip(max(1.0 - stretch, 0.0), 1.0 + stretch)
    idle = (step == 0.0).all(axis=-1) | (limb.lengths[0] == 0.0) | (norm(limb.tip) == 0.0)
    why = why | np.where(k != 1.0, int(Why.STRETCH), 0) | np.where(idle, int(Why.DEGENERATE), 0)
    aim = unit(step, fallback)
    turn = between(unit(curve.at(u), (1.0, 0.0)), aim)
    elbow, end = turned(limb.first, turn) * k[:, np.newaxis], aim * (distance * k / up)[:, np.newaxis]
    error, angles = norm(end - step), [turn + limb.rests[0], -bend * limb.side * angle(u)]
    return Solution(
        joints=np.stack([np.zeros_like(end), elbow, end], axis=-2), angles=np.stack(angles, axis=-1), error=error,
        reached=error <= TOLERANCE * size, why=why, over=np.zeros_like(end), stretch=k, direction=aim, iterations=0,
    )  # fmt: skip


def _sides(limb: Limb, bend: Array, up: Array, asked: Array) -> Array:
    """(k,) −1 or 1: where either side will do the one that misses less, 1 if both are as good."""
    if (bend != 0).all():
        return bend
    left, right = (Ellipse.of(limb, np.full(len(up), side), up).misses(asked) for side in (1.0, -1.0))
    return np.where(bend == 0, np.where(right < left - TOLERANCE * asked, -1.0, 1.0), bend)


def _halved(stays: Callable[[Array], Mask], low: Array, high: Array) -> Array:
    """The far end of the last of ever shorter arcs between unit vectors (..., 2): `stays` holds at low, not at high."""
    for _ in range(HALVINGS):
        middle = low + high
        size = np.sqrt(middle[..., :1] * middle[..., :1] + middle[..., 1:] * middle[..., 1:])
        middle = np.where(size > 0.0, middle / np.where(size > 0.0, size, 1.0), (0.0, 1.0))
        inside = stays(middle)[..., np.newaxis]
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return high
