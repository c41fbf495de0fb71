"""keep.py for NumPy: all limbs as if unlimited, then those that do not fit, gathered."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.kernel import keep
from elbowroom.kernel.batch import PARTS, Array, full_rows
from elbowroom.kernel.engine import lanes, rows
from elbowroom.kernel.limits import F_LIMIT, FREE, NEVER


def limited_rows(values: tuple[Any, ...], ends: tuple[Any, ...], count: int) -> Array:
    """keep.limited of every element, (10, n). values : arguments of full_limb;  ends : of both ranges, ten."""
    dx, dy, a, b, bend, softness, inner, curve, stretch, fx, fy = spread(values, count)
    whole = spread(ends, count)
    first = np.where(bend == 0.0, 1.0, bend)
    settings = (softness, inner, curve, np.zeros(count), fx, fy)
    out = full_rows((dx, dy, a, b, first, *settings), count)
    odd = np.flatnonzero(~_fits(out, first, whole))
    if odd.size:
        some = [v[odd] for v in (dx, dy, a, b, bend, *settings)]
        out[:, odd] = _kept(out[:, odd], some, [v[odd] for v in whole])
    left = np.maximum(np.abs(out[2] - dx), np.abs(out[3] - dy))
    for i in np.flatnonzero((stretch > 0.0) & (left > keep.HIT * (a + b))).tolist():
        every = (dx, dy, a, b, bend, softness, inner, curve, stretch, fx, fy, *whole)
        out[:, i] = keep.limited(*(float(v[i]) for v in every))
    return out


def limited_lanes(values: tuple[Any, ...], ends: tuple[Any, ...], count: int) -> Array:
    """The same by Numba."""
    out = np.empty((PARTS, count))
    lanes().limited_loop(*spread(values, count), np.stack(spread(ends, count)), out)
    return out


def spread(values: tuple[Any, ...], count: int) -> list[Array]:
    """Every argument as an array (n,)."""
    return [np.ascontiguousarray(np.broadcast_to(np.asarray(v, dtype=np.float64), count)) for v in values]


def _fits(parts: Array, bend: Array, ends: list[Array]) -> NDArray[np.bool_]:
    return np.asarray(rows().fits(*parts[4:8], bend, *ends))


def _kept(free: Array, values: list[Array], ends: list[Array]) -> Array:
    """keep.limited_limb of elements whose unlimited answer `free` does not fit."""
    dx, dy, a, b, bend, *settings = values
    *_, fx, fy = settings
    first, either = np.where(bend == 0.0, 1.0, bend), bend == 0.0
    gx, gy = rows().sought(dx, dy, free[2], free[3], free[9])
    up = rows().scale(rows().size(rows().size(gx, gy), a + b))
    sized = (gx * up, gy * up, a * up, b * up)
    best = _nearest(sized, first, fx, fy, ends)
    if either.any():
        best = _better(best, _nearest(sized, -first, fx, fy, ends), either)
    shut = best[0] == NEVER
    if shut.any():
        best = _better(best, _nearest(sized, 0.0 * first, fx, fy, ends), shut)
    out = np.empty_like(free)
    out[:8] = rows().bent(a, b, *best[1:], first)
    out[8], out[9] = 1.0, free[9] + F_LIMIT
    asked = np.flatnonzero(either | shut)
    if asked.size:
        some = [v[asked] for v in (dx, dy, a, b, -first, *settings)]
        other = full_rows(tuple(some), len(asked))
        hits = _fits(other, -first[asked], [v[asked] for v in ends])
        other[6], to = -other[6], asked[hits]
        out[:, to] = other[:, hits]
        out[9, to] = np.where(shut[to] & ~either[to], free[9, to] + F_LIMIT, other[9, hits])
    return out


def _nearest(sized: Any, side: Array, fx: Array, fy: Array, ends: list[Array]) -> Array:
    """keep.nearest: squared distance, u and w, (5, n)."""
    x, y, a, b = sized
    ax, ay, bx, by, w1, cx, cy, ex, ey, w2 = ends
    leaves, n = rows(), len(x)
    best = np.stack([np.full(n, NEVER), np.ones(n), np.zeros(n), np.ones(n), np.zeros(n)])
    first, last, straight, folded = leaves.elbow_ends(side, cx, cy, ex, ey, w2)
    some = first | last | straight | folded
    for px, py in ((ax, ay), (bx, by)):
        vx, vy = leaves.lower_at(x, y, a, px, py, side, cx, cy, ex, ey, w2, first, last, straight, folded)
        best = _improved(best, sized, (px, py, vx, vy), some & (w1 != FREE))
    one, none = np.ones(n), np.zeros(n)
    for vx, vy, allowed in ((cx, cy, first), (ex, ey, last), (one, none, straight), (-one, none, folded)):
        px, py = leaves.upper_at(x, y, a, b, vx, vy, ax, ay, bx, by, w1, fx, fy)
        best = _improved(best, sized, (px, py, vx, vy), allowed)
    return best


def _improved(best: Array, sized: Any, pose: Any, allowed: Any) -> Array:
    q = np.where(allowed, rows().off(*sized, *pose), NEVER)
    return _better(best, np.stack([q, *pose]), np.ones(len(q), dtype=np.bool_))


def _better(best: Array, other: Array, where: NDArray[np.bool_]) -> Array:
    return np.where(where & (other[0] < best[0]), other, best)
