"""keep.py for NumPy: all limbs as if unlimited, then those that do not fit, gathered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elbowroom.kernel import keep
from elbowroom.kernel.batch import BLOCK, PARTS, Array, full_rows
from elbowroom.kernel.engine import lanes, rows
from elbowroom.kernel.limits import F_LIMIT, FREE, NEVER


def limited_rows(values: tuple[Any, ...], ends: tuple[Any, ...], count: int) -> Array:
    """keep.limited of every element, (10, n). values : arguments of full_limb;  ends : of both ranges, ten."""
    every = [float(v) if np.ndim(v) == 0 else v for v in (*values, *ends)]
    out = np.empty((PARTS, count))
    for start in range(0, count, BLOCK):
        block = slice(start, min(start + BLOCK, count))
        out[:, block] = _block(_pick(every, block), block.stop - start)
    return out


def limited_lanes(values: tuple[Any, ...], ends: tuple[Any, ...], count: int) -> Array:
    """The same by Numba."""
    out = np.empty((PARTS, count))
    lanes().limited_loop(*_spread(values, count), np.stack(_spread(ends, count)), out)
    return out


def _spread(values: Sequence[Any], count: int) -> list[Array]:
    """Every argument as an array (n,)."""
    return [np.ascontiguousarray(np.broadcast_to(np.asarray(v, dtype=np.float64), count)) for v in values]


def _pick(values: Sequence[Any], where: Any) -> list[Any]:
    """Some elements of every argument; one number for all of them stays as it is."""
    return [v[where] if np.ndim(v) else v for v in values]


def _block(every: list[Any], count: int) -> Array:
    dx, dy, a, b, bend, *settings, stretch, fx, fy = every[:11]
    ends, values = every[11:], (dx, dy, a, b, bend, *settings, 0.0, fx, fy)
    first = _side(bend)
    out = full_rows((dx, dy, a, b, first, *values[5:]), count)
    odd = np.flatnonzero(~_fits(out, first, ends))
    if odd.size:
        out[:, odd] = _kept(out[:, odd], _pick(values, odd), _pick(ends, odd))
    left = np.maximum(np.abs(out[2] - dx), np.abs(out[3] - dy))
    for i in np.flatnonzero((stretch > 0.0) & (left > keep.HIT * (a + b))).tolist():
        out[:, i] = keep.limited(*(float(v) for v in _pick(every, i)))
    return out


def _side(bend: Any) -> Any:
    """`bend`, with +1 for either."""
    return np.where(bend == 0.0, 1.0, bend) if np.ndim(bend) else bend or 1.0


def _fits(parts: Array, bend: Any, ends: list[Any]) -> NDArray[np.bool_]:
    return np.asarray(rows().fits(*parts[4:8], bend, *ends))


def _kept(free: Array, values: list[Any], ends: list[Any]) -> Array:
    """keep.limited_limb of elements whose unlimited answer `free` does not fit."""
    dx, dy, a, b, bend, *settings = values
    *_, fx, fy = settings
    first, either = _side(bend), np.broadcast_to(np.asarray(bend == 0.0), free[0].shape)
    gx, gy = rows().sought(dx, dy, free[2], free[3], free[9])
    up = rows().scale(rows().size(rows().size(gx, gy), a + b))
    sized = (gx * up, gy * up, a * up, b * up)
    best = _nearest(sized, first, fx, fy, ends)
    if either.any():
        best = _better(best, _nearest(sized, -first, fx, fy, ends), either)
    shut = best[0] == NEVER
    if shut.any():
        best = _better(best, _nearest(sized, 0.0, fx, fy, ends), shut)
    out = np.empty_like(free)
    out[:8] = rows().bent(a, b, *best[1:], first)
    out[8], out[9] = 1.0, free[9] + F_LIMIT
    asked = np.flatnonzero(either | shut)
    if asked.size:
        other = full_rows(tuple(_pick((dx, dy, a, b, -first, *settings), asked)), len(asked))
        hits = _fits(other, _pick([-first], asked)[0], _pick(ends, asked))
        other[6], to = -other[6], asked[hits]
        out[:, to] = other[:, hits]
        out[9, to] = np.where(shut[to] & ~either[to], free[9, to] + F_LIMIT, other[9, hits])
    return out


def _nearest(sized: Any, side: Any, fx: Any, fy: Any, ends: list[Any]) -> Array:
    """keep.nearest: squared distance, u and w, (5, n)."""
    x, y, a, b = sized
    *upper, w1, cx, cy, ex, ey, w2 = ends
    ax, ay, bx, by = upper
    leaves = rows()
    best = np.empty((5, len(x)))
    best[0], best[1:] = NEVER, [[1.0], [0.0], [1.0], [0.0]]
    found = leaves.elbow_ends(side, cx, cy, ex, ey, w2)
    some = (w1 != FREE) & np.logical_or.reduce(np.broadcast_arrays(*found))
    for px, py in ((ax, ay), (bx, by)) if np.any(some) else ():
        rx, ry, fits = leaves.lower_wish(x, y, a, px, py, side, cx, cy, ex, ey, w2)
        vx, vy = leaves.nearest_end(rx, ry, cx, cy, ex, ey, *found)
        _improve(best, sized, (px, py, np.where(fits, rx, vx), np.where(fits, ry, vy)), some)
    gx, gy = leaves.heading(x, y, fx, fy)
    for vx, vy, allowed in ((cx, cy, found[0]), (ex, ey, found[1])):
        if np.any(allowed):
            px, py, turns = leaves.upper_wish(gx, gy, a, b, vx, vy, *upper, w1)
            _improve(best, sized, (px, py, vx, vy), allowed & turns)
    return best


def _improve(best: Array, sized: Any, pose: Any, allowed: Any) -> None:
    q = rows().off(*sized, *pose)
    better = allowed & (q < best[0])
    for row, value in zip(best, (q, *pose), strict=True):
        np.copyto(row, value, where=better)


def _better(best: Array, other: Array, where: NDArray[np.bool_]) -> Array:
    return np.where(where & (other[0] < best[0]), other, best)
