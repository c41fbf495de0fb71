"""The lines of `elbowroom bench chain` on the limb in space: exactness, same bits, and its cost beside the plane's."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from elbowroom.bench.table import Line, ratios
from elbowroom.kernel import batch, batch_3d
from elbowroom.kernel.engine import has_lanes
from elbowroom.kernel.two_bone import limb, two_bone
from elbowroom.kernel.two_bone_3d import two_bone_3d

A, B = 150.0, 125.0
COUNT = 1_000_000


def lines() -> list[Line]:
    """What `bench chain` prints of two_bone_3d."""
    return [*exactness(), *same_bits(), *speed()]


def _limbs(count: int, seed: int = 4) -> tuple[Any, Any]:
    """Targets in the ball of 1.05 of the reach and poles (count, 3)."""
    rng = np.random.default_rng(seed)
    way, pole = rng.normal(size=(2, count, 3))
    d = 1.05 * (A + B) * np.cbrt(rng.random(count))
    return way * (d / np.sqrt((way * way).sum(axis=-1)))[:, None], 200.0 * pole


def exactness(count: int = 100_000) -> list[Line]:
    """Lengths of the bones, ends in reach, the half-plane, and the 2D answer."""
    target, pole = _limbs(count)
    found = two_bone_3d((0.0, 0.0, 0.0), target, A, B, pole)
    upper, lower = found.joints[:, 1], found.joints[:, 2] - found.joints[:, 1]
    off = [np.abs(np.sqrt((bone * bone).sum(axis=-1)) - size).max() for bone, size in ((upper, A), (lower, B))]
    normal = np.cross(target, pole)
    out = (upper * normal).sum(axis=-1) / np.sqrt((normal * normal).sum(axis=-1))
    left = pole[:, 1] * target[:, 0] >= pole[:, 0] * target[:, 1]
    flat = two_bone((0.0, 0.0), target[:, :2], A, B, bend=np.where(left, 1.0, -1.0))
    level = (1.0, 1.0, 0.0)
    laid = two_bone_3d((0.0, 0.0, 0.0), target * level, A, B, pole * level)
    reach, group = A + B, f"Two bones in space, {count} targets, shares of the reach"
    wrong = (upper * pole).sum(axis=-1) - (upper * found.direction).sum(-1) * (pole * found.direction).sum(-1)
    return [
        Line(group, "largest end error in reach", float(found.error[found.reached].max()) / reach, bound=1e-13),
        Line(group, "largest change of a bone's length", float(max(off)) / reach, bound=1e-13),
        Line(group, "elbow farthest out of the pole's plane", float(np.abs(out).max()) / reach, bound=1e-13),
        Line(group, "elbows on the far side of the line", float((wrong < -1e-9).sum()), bound=0.0),
        Line(group, "all in one plane: farthest from the 2D answer",
             float(np.abs(laid.joints[..., :2] - flat.joints).max()) / reach, bound=1e-15),
    ]  # fmt: skip


def same_bits(count: int = 20_000) -> list[Line]:
    """Values that differ between the engines."""
    target, pole = _limbs(count, 5)
    rows = two_bone_3d((1.0, 2.0, 3.0), target, A, B, pole, engine="numpy").joints
    few = slice(0, count // 10)
    singles = two_bone_3d((1.0, 2.0, 3.0), target[few].tolist(), A, B, pole[few].tolist()).joints
    group = f"Same bits in space, {count} targets: values that differ from NumPy's"
    found = [Line(group, f"floats (the first {count // 10})", float((np.array(singles) != rows[few]).sum()), bound=0.0)]
    if has_lanes():
        lanes = two_bone_3d((1.0, 2.0, 3.0), target, A, B, pole, engine="numba").joints
        found.append(Line(group, "Numba", float((lanes != rows).sum()), bound=0.0))
    return found


def speed() -> list[Line]:
    """What space costs beside the plane: the compiled loops, and whole calls with their checks and copies."""
    target, pole = _limbs(COUNT, 6)
    flat = np.ascontiguousarray(target[:, :2])
    group = f"Speed in space, {COUNT} targets and poles, multiples of 2D"
    found = loops(group, target, pole, flat) if has_lanes() else []
    engines = [("Numba", {"engine": "numba"})] if has_lanes() else []
    for name, options in [*engines, ("NumPy", {"engine": "numpy"})]:
        plane = functools.partial(two_bone, (0.0, 0.0), flat, A, B, **options)
        space = functools.partial(two_bone_3d, (0.0, 0.0, 0.0), target, A, B, pole, **options)
        found.append(Line(group, f"a whole call, {name}", ratios(plane, space, rounds=5)[0], unit="x"))
    return found


def loops(group: str, target: Any, pole: Any, flat: Any) -> list[Line]:
    """The loops that Numba compiles: one plain limb, and limbs with softness."""
    bones, count = limb(A, B)[1:], len(target)
    level, joints = np.empty((count, 3, 2)), np.empty((count, 9))
    plane = functools.partial(batch.plain_lanes, flat, (0.0, 0.0), 1.0, bones, level)
    space = functools.partial(batch_3d.plain_lanes, target, pole, (0.0, 0.0, 0.0), bones, joints)
    (dx, dy, dz), (px, py, pz) = np.ascontiguousarray(target.T), np.ascontiguousarray(pole.T)
    soft = (dx, dy, A, B, 1.0, 0.05, 0.0, 0.0, 0.0, 1.0, 0.0)
    soft_3d = (dx, dy, dz, px, py, pz, A, B, 0.05, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    softened = functools.partial(batch.full_lanes, soft, count)
    softened_3d = functools.partial(batch_3d.full_lanes, soft_3d, count)
    return [
        Line(group, "one limb, Numba", ratios(plane, space)[0], bound=3.0, unit="x"),
        Line(group, "softened, Numba", ratios(softened, softened_3d, rounds=5)[0], bound=3.0, unit="x"),
    ]
