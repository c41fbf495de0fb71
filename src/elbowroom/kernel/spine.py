"""One-bone IK as the runtimes of Spine compute it, 3.7 to 4.3, for many poses at once; two bones: `spine_two`.

Angles are degrees. What a runtime leaves as NaN (a target on the root under a softness beyond the reach, a lower bone
of no length at exactly the upper's, a parent without inverse before 4.1) gets a finite answer here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.degrees import Row, Where, angle_deg, size, wrap_once_deg

ONLY_TRANSLATION, NO_ROTATION, NO_SCALE = 1, 2, 3  # codes of inherit modes; from NO_SCALE on scale is not inherited
VOLUME_BELOW, VOLUME_BASE, VOLUME_SLOPE = 0.7, 0.25, 0.642857


class Local(NamedTuple):
    """Local values of a bone (...): lengths, degrees, factors."""

    x: Row
    y: Row
    rotation: Row
    scale_x: Row
    scale_y: Row
    shear_x: Row
    shear_y: Row


class Matrix(NamedTuple):
    """World of a bone (...): x axis (a, c), y axis (b, d), origin (x, y)."""

    a: Row
    b: Row
    c: Row
    d: Row
    x: Row
    y: Row


@dataclass(frozen=True)
class Settings:
    """Of one constraint, (...) each but the first two.

    version : (major, minor);  scale : "none", "uniform", "volume", what stretching does to scale y
    mix : 0 to 1;  bend : ±1, +1 turns the lower bone counterclockwise;  softness : [length]
    """

    version: tuple[int, int]
    scale: str
    mix: Row
    bend: Row
    softness: Row
    compress: Where
    stretch: Where

    @property
    def small(self) -> float:
        """Below which a length or a determinant counts as nothing."""
        return 1e-5 if self.version >= (4, 3) else 1e-4


@dataclass(frozen=True)
class Outcome:
    """What a solve wrote and what happened in it.

    bones : the changed local values, upper first
    stretch : (...) factor;  far, near, soft, lost : (...) bool: asked beyond the reach, within the dead zone, distance
    changed by softness, no direction to be had
    """

    bones: tuple[Local, ...]
    stretch: Row
    far: Where
    near: Where
    soft: Where
    lost: Where


def one_bone(
    settings: Settings,
    bone: Local,
    length: float | Row,
    parent: Matrix,
    target: tuple[Row, Row],
    *,
    origin: tuple[Row, Row],
    inherit: npt.NDArray[np.int8] | int = 0,
    skeleton: tuple[float, float] = (1.0, 1.0),
) -> Outcome:
    """One bone that aims at a target in the world, and stretches or shrinks to it where it may.

    length : at setup;  origin : (x, y) (...) of the bone in the world;  inherit : (...) code
    skeleton : scale of the whole skeleton
    """
    with np.errstate(all="ignore"):
        tx, ty, extra = _aim(settings, bone, parent, target, origin, np.asarray(inherit), skeleton)
        turn = -bone.shear_x - bone.rotation + extra + angle_deg(ty, tx) + np.where(bone.scale_x < 0.0, 180.0, 0.0)
        turn = wrap_once_deg(turn, at_minus=settings.version >= (4, 3))
        if settings.version >= (3, 8):
            unscaled = np.asarray(inherit) >= NO_SCALE
            tx, ty = np.where(unscaled, target[0] - origin[0], tx), np.where(unscaled, target[1] - origin[1], ty)
        asked, own = size(tx, ty), length * bone.scale_x
        f = _sized(settings, asked, own)
        scale_y = bone.scale_y * thickness(settings.scale, f)
    changed = bone._replace(rotation=bone.rotation + turn * settings.mix, scale_x=bone.scale_x * f, scale_y=scale_y)
    far, near = asked > np.abs(own), asked < np.abs(own)
    return Outcome((changed,), f, far, near, np.zeros_like(far), asked == 0.0)


def to_local(settings: Settings, parent: Matrix, x: Row, y: Row) -> tuple[Row, Row]:
    """Directions (x, y) of the world in a parent's frame; (0, 0) where it has no inverse."""
    determinant = parent.a * parent.d - parent.b * parent.c
    guard = settings.small if settings.version >= (4, 1) else 0.0
    inverse = np.where(np.abs(determinant) <= guard, 0.0, 1.0 / determinant)
    return (x * parent.d - y * parent.b) * inverse, (y * parent.a - x * parent.c) * inverse


def _aim(
    settings: Settings,
    bone: Local,
    parent: Matrix,
    target: tuple[Row, Row],
    origin: tuple[Row, Row],
    inherit: npt.NDArray[np.integer],
    skeleton: tuple[float, float],
) -> tuple[Row, Row, Row]:
    """Where the target is, seen from the bone, and what the bone's own frame is turned by [deg]."""
    sx, sy = skeleton
    unturned = (inherit == NO_ROTATION) & (settings.version >= (3, 8))
    qx, qy = parent.a / sx, parent.c / sy
    square = parent.a * parent.a + parent.c * parent.c
    least = settings.small if settings.version >= (4, 1) else 0.0
    s = np.abs(parent.a * parent.d - parent.b * parent.c) / np.maximum(least, square)
    b, d = np.where(unturned, -qy * s * sx, parent.b), np.where(unturned, qx * s * sy, parent.d)
    tx, ty = _seen(settings, parent._replace(b=b, d=d), bone, target)
    signs = (np.sign(sx), np.sign(sy)) if settings.version >= (4, 1) else (1.0, 1.0)
    straight = (inherit == ONLY_TRANSLATION) & (settings.version >= (3, 8))
    tx = np.where(straight, (target[0] - origin[0]) * signs[0], tx)
    ty = np.where(straight, (target[1] - origin[1]) * signs[1], ty)
    return tx, ty, np.where(unturned, angle_deg(qy, qx), 0.0)


def _seen(settings: Settings, parent: Matrix, bone: Local, target: tuple[Row, Row]) -> tuple[Row, Row]:
    """The target from the bone, in its parent's frame; (0, 0) where that has no inverse (4.1 and later)."""
    x, y = to_local(settings, parent, target[0] - parent.x, target[1] - parent.y)
    guard = settings.small if settings.version >= (4, 1) else 0.0
    flat = ~(np.abs(parent.a * parent.d - parent.b * parent.c) > guard)
    return np.where(flat, 0.0, x - bone.x), np.where(flat, 0.0, y - bone.y)


def _sized(settings: Settings, asked: Row, own: Row) -> Row:
    """The factor a single bone is stretched or shrunk by."""
    long = own > settings.small
    shrinks = settings.compress & (asked < own)
    grows = settings.stretch & (asked > own)
    acts = (shrinks & (long | (settings.version <= (4, 1)))) | (grows & long)
    return np.where(acts, 1.0 + settings.mix * (asked / np.where(own == 0.0, 1.0, own) - 1.0), 1.0)


def thickness(scale: str, f: Row) -> Row:
    """The factor on scale y that goes with f on scale x."""
    if scale == "uniform":
        return f
    if scale == "volume":
        return 1.0 / np.where(f < VOLUME_BELOW, VOLUME_BASE + VOLUME_SLOPE * f, f)
    return np.ones_like(f)
