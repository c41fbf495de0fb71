"""Flows that keep a limb within its joint limits. They decide; the arithmetic is in limits.py.

As in loops.py these are interpreted for a single call and compiled by Numba for batches.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.anywhere import scale, size
from elbowroom.kernel.limits import (
    F_LIMIT,
    FREE,
    NEVER,
    bent,
    elbow_ends,
    fits,
    heading,
    lower_wish,
    nearest_end,
    off,
    sought,
    upper_wish,
)  # fmt: skip
from elbowroom.kernel.loops import full_limb

FLOWS = (
    "nearest", "kept_limb", "displaced", "limited_limb", "crossing", "radius", "ratio", "stretched_limb", "limited",
)  # fmt: skip
LOOPS = ("limited_loop",)
F_STRETCH = 16.0
HIT = 1e-9  # of reach


def nearest(
    tx: float, ty: float, a: float, b: float, side: float, fx: float, fy: float,
    ax: float, ay: float, bx: float, by: float, w1: float,
    cx: float, cy: float, ex: float, ey: float, w2: float,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Squared distance and directions u, w of the best of four arcs on a side (0: either); NEVER if there is none."""
    best, ux, uy, wx, wy = NEVER, 1.0, 0.0, 1.0, 0.0
    first, last, straight, folded = elbow_ends(side, cx, cy, ex, ey, w2)
    if w1 != FREE and (first or last or straight or folded):
        for px, py in ((ax, ay), (bx, by)):
            vx, vy, allowed = lower_wish(tx, ty, a, px, py, side, cx, cy, ex, ey, w2)
            if not allowed:
                vx, vy = nearest_end(vx, vy, cx, cy, ex, ey, first, last, straight, folded)
            q = off(tx, ty, a, b, px, py, vx, vy)
            if q < best:
                best, ux, uy, wx, wy = q, px, py, vx, vy
    gx, gy = heading(tx, ty, fx, fy)
    for vx, vy, allowed in ((cx, cy, first), (ex, ey, last)):
        if allowed:
            px, py, turns = upper_wish(gx, gy, a, b, vx, vy, ax, ay, bx, by, w1)
            if turns:  # where it does not, the nearest point is an end of that arc: it lies on one of the two above
                q = off(tx, ty, a, b, px, py, vx, vy)
                if q < best:
                    best, ux, uy, wx, wy = q, px, py, vx, vy
    return best, ux, uy, wx, wy


def kept_limb(
    gx: float, gy: float, a: float, b: float, bend: float, fx: float, fy: float,
    ax: float, ay: float, bx: float, by: float, w1: float,
    cx: float, cy: float, ex: float, ey: float, w2: float,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """`nearest` on the bend's side (0: the nearer one, +1 where both are as near), at any size of limb."""
    up = scale(size(size(gx, gy), a + b))
    x, y, a, b = gx * up, gy * up, a * up, b * up
    side = bend if bend != 0.0 else 1.0
    best, ux, uy, wx, wy = nearest(x, y, a, b, side, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2)
    if bend == 0.0:
        q, px, py, vx, vy = nearest(x, y, a, b, -1.0, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2)
        if q < best:
            best, ux, uy, wx, wy = q, px, py, vx, vy
    return best, ux, uy, wx, wy


def limited_limb(
    dx: float, dy: float, a: float, b: float, bend: float,
    softness: float, inner: float, curve: float, fx: float, fy: float,
    ax: float, ay: float, bx: float, by: float, w1: float,
    cx: float, cy: float, ex: float, ey: float, w2: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """full_limb without stretch, within the ranges a to b of the upper bone and c to e of the lower one."""
    first = bend if bend != 0.0 else 1.0
    free = full_limb(dx, dy, a, b, first, softness, inner, curve, 0.0, fx, fy)
    if fits(free[4], free[5], free[6], free[7], first, ax, ay, bx, by, w1, cx, cy, ex, ey, w2):
        return free
    return displaced(
        free, dx, dy, a, b, bend, softness, inner, curve, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2
    )  # fmt: skip


def displaced(
    free: Any, dx: float, dy: float, a: float, b: float, bend: float,
    softness: float, inner: float, curve: float, fx: float, fy: float,
    ax: float, ay: float, bx: float, by: float, w1: float,
    cx: float, cy: float, ex: float, ey: float, w2: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """limited_limb where full_limb's answer `free` does not fit."""
    first = bend if bend != 0.0 else 1.0
    gx, gy = sought(dx, dy, free[2], free[3], free[9])
    flags = free[9] + F_LIMIT
    best, ux, uy, wx, wy = kept_limb(gx, gy, a, b, bend, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2)
    if bend == 0.0 or best == NEVER:  # the other side may reach it
        other = full_limb(dx, dy, a, b, -first, softness, inner, curve, 0.0, fx, fy)
        if fits(other[4], other[5], other[6], other[7], -first, ax, ay, bx, by, w1, cx, cy, ex, ey, w2):
            s, c = -other[6], other[7]
            moved = flags if best == NEVER and bend != 0.0 else other[9]
            return (
                other[0], other[1], other[2], other[3], other[4], other[5], s, c, other[8], moved
            )  # fmt: skip
    if best == NEVER:
        up = scale(size(size(gx, gy), a + b))
        best, ux, uy, wx, wy = nearest(
            gx * up, gy * up, a * up, b * up, 0.0, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2
        )
    x, y, hx, hy, px, py, s, c = bent(a, b, ux, uy, wx, wy, first)
    return x, y, hx, hy, px, py, s, c, 1.0, flags


def crossing(tx: float, ty: float, d: float, a: float, b: float, ux: float, uy: float, sign: float) -> float:
    """Where the ray to the target crosses the circle of the lower bone with the upper one along u; -1 if nowhere."""
    safe = d if d > 0.0 else 1.0
    along = a * (tx * ux + ty * uy) / safe
    across = a * (tx * uy - ty * ux) / safe
    rest = b * b - across * across
    return along + sign * sqrt(rest) if rest >= 0.0 and d > 0.0 else -1.0


def radius(a: float, b: float, wx: float, wy: float) -> float:
    """How far the end is from the root with the elbow along w."""
    x, y = a + b * wx, b * wy
    return sqrt(x * x + y * y)


def ratio(d: float, r: float) -> float:
    """d / r, or -1 where r is no distance."""
    return d / r if r > 0.0 else -1.0


def stretched_limb(
    dx: float, dy: float, a: float, b: float, bend: float, stretch: float, fx: float, fy: float,
    ax: float, ay: float, bx: float, by: float, w1: float,
    cx: float, cy: float, ex: float, ey: float, w2: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """The scale k nearest 1 within 1 +- stretch that brings the limited limb to its target, else the better end.

    Candidates are the ends and every crossing of the ray to the target with an arc.
    """
    d = sqrt(dx * dx + dy * dy)
    fewest = 1.0 - stretch if stretch < 1.0 else 1e-3
    chosen, left = 1.0, -1.0
    parts = limited_limb(dx, dy, a, b, bend, 0.0, 0.0, 0.0, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2)
    for k in (
        1.0, fewest, 1.0 + stretch,
        ratio(d, crossing(dx, dy, d, a, b, ax, ay, 1.0)), ratio(d, crossing(dx, dy, d, a, b, ax, ay, -1.0)),
        ratio(d, crossing(dx, dy, d, a, b, bx, by, 1.0)), ratio(d, crossing(dx, dy, d, a, b, bx, by, -1.0)),
        ratio(d, radius(a, b, cx, cy)), ratio(d, radius(a, b, ex, ey)),
        ratio(d, radius(a, b, 1.0, 0.0)), ratio(d, radius(a, b, -1.0, 0.0)),
    ):  # fmt: skip
        if k < fewest or k > 1.0 + stretch:
            continue
        tried = limited_limb(
            dx / k, dy / k, a, b, bend, 0.0, 0.0, 0.0, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2
        )
        x, y = tried[2] * k - dx, tried[3] * k - dy
        q = sqrt(x * x + y * y)
        near, was = q <= HIT * (a + b), left >= 0.0 and left <= HIT * (a + b)
        closer = (k - 1.0) * (k - 1.0) < (chosen - 1.0) * (chosen - 1.0)
        if left < 0.0 or (near and (not was or closer)) or (not near and not was and q < left):
            chosen, left, parts = k, q, tried
    flags = parts[9] + (F_STRETCH if chosen != 1.0 else 0.0)
    k = chosen
    return (
        parts[0] * k, parts[1] * k, parts[2] * k, parts[3] * k, parts[4], parts[5], parts[6], parts[7], k, flags
    )  # fmt: skip


def limited(
    dx: float, dy: float, a: float, b: float, bend: float,
    softness: float, inner: float, curve: float, stretch: float, fx: float, fy: float,
    ax: float, ay: float, bx: float, by: float, w1: float,
    cx: float, cy: float, ex: float, ey: float, w2: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """full_limb within two ranges of angles, stretch included."""
    kept = limited_limb(dx, dy, a, b, bend, softness, inner, curve, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2)
    x, y = kept[2] - dx, kept[3] - dy
    left = size(x, y)
    if stretch == 0.0 or left <= HIT * (a + b):
        return kept
    first = bend if bend != 0.0 else 1.0
    free = full_limb(dx, dy, a, b, first, softness, inner, curve, stretch, fx, fy)
    if fits(free[4], free[5], free[6], free[7], first, ax, ay, bx, by, w1, cx, cy, ex, ey, w2):
        return free
    return stretched_limb(dx, dy, a, b, bend, stretch, fx, fy, ax, ay, bx, by, w1, cx, cy, ex, ey, w2)


def limited_loop(
    dx: Any, dy: Any, a: Any, b: Any, bend: Any, softness: Any, inner: Any, curve: Any, stretch: Any,
    fx: Any, fy: Any, ends: Any, out: Any,
) -> None:  # fmt: skip
    """`limited` of every element; every argument an array (n,), ends (10, n), out (10, n)."""
    for i in range(dx.size):
        (out[0, i], out[1, i], out[2, i], out[3, i], out[4, i], out[5, i], out[6, i], out[7, i], out[8, i],
         out[9, i]) = limited(
            dx[i], dy[i], a[i], b[i], bend[i], softness[i], inner[i], curve[i], stretch[i], fx[i], fy[i],
            ends[0, i], ends[1, i], ends[2, i], ends[3, i], ends[4, i],
            ends[5, i], ends[6, i], ends[7, i], ends[8, i], ends[9, i],
        )  # fmt: skip
