"""The scalar flow, and the loops that Numba compiles around the leaves.

`full_limb` is interpreted for a single call and compiled for batches. The loops hold no arithmetic of their own; they
run over component arrays in blocks, as slices, which is what lets the compiler use vector instructions.
"""

from __future__ import annotations

from typing import Any

from elbowroom.kernel.anywhere import any_limb
from elbowroom.kernel.two_bone import HUGE, TINY, limb, place, plain_full, plain_limb

FLOWS = ("full_limb",)
LOOPS = ("full_loop", "plain_loop", "plain_rows")
LANE = 256  # elements a block


def full_limb(
    dx: float, dy: float, a: float, b: float, bend: float,
    softness: float, inner: float, curve: float, stretch: float, fx: float, fy: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Elbow and end (x, y) from the root, direction of the upper bone, sqrt P, sqrt Q, bone scale, flags."""
    far = (dx if dx > 0.0 else -dx) + (dy if dy > 0.0 else -dy)
    off = softness == 0.0 and inner == 0.0 and stretch == 0.0
    if off and far > TINY and far < HUGE and a + b > a and a + b > b:
        reach, rr, rr_lo, hh, hh_lo, hr, hr_lo = limb(a, b)
        if reach > TINY and reach < HUGE:
            ex, ey, k, p, q = plain_limb(dx, dy, bend, rr, rr_lo, hh, hh_lo, hr, hr_lo)
            return plain_full(dx, dy, ex, ey, k, p, q)
    return any_limb(dx, dy, a, b, bend, softness, inner, curve, stretch, fx, fy)


def full_loop(
    dx: Any, dy: Any, a: Any, b: Any, bend: Any, softness: Any, inner: Any, curve: Any, stretch: Any,
    fx: Any, fy: Any, out: Any,
) -> None:  # fmt: skip
    """full_limb of every element; every argument an array (n,), out (10, n)."""
    for i in range(dx.size):
        (out[0, i], out[1, i], out[2, i], out[3, i], out[4, i], out[5, i], out[6, i], out[7, i], out[8, i],
         out[9, i]) = full_limb(
            dx[i], dy[i], a[i], b[i], bend[i], softness[i], inner[i], curve[i], stretch[i], fx[i], fy[i]
        )  # fmt: skip


def plain_loop(
    tx: Any, ty: Any, rx: float, ry: float, bend: float,
    rr: float, rr_lo: float, hh: float, hh_lo: float, hr: float, hr_lo: float,
    ex: Any, ey: Any, gx: Any, gy: Any,
) -> int:  # fmt: skip
    """Positions of one limb for many targets, as component arrays; returns how many targets are not plain."""
    odd = 0
    for start in range(0, tx.size, LANE):
        stop = min(start + LANE, tx.size)
        x, y = tx[start:stop], ty[start:stop]
        px, py, qx, qy = ex[start:stop], ey[start:stop], gx[start:stop], gy[start:stop]
        for i in range(x.size):
            dx, dy = x[i] - rx, y[i] - ry
            far = (dx if dx > 0.0 else -dx) + (dy if dy > 0.0 else -dy)
            odd += 0 if far > TINY and far < HUGE else 1
            u, v, k, _, _ = plain_limb(dx, dy, bend, rr, rr_lo, hh, hh_lo, hr, hr_lo)
            px[i], py[i] = rx + u, ry + v
            qx[i], qy[i] = place(rx, k * dx, dx, x[i]), place(ry, k * dy, dy, y[i])
    return odd


def plain_rows(
    target: Any, rx: float, ry: float, bend: float,
    rr: float, rr_lo: float, hh: float, hh_lo: float, hr: float, hr_lo: float, out: Any, width: int, scratch: Any,
) -> int:  # fmt: skip
    """The same for targets (n, 2) into rows (n, width) of elbow and end, by way of components.

    width : 4, or 6 for rows that begin with the root;  scratch : (6, LANE)
    """
    odd = 0
    x, y, ex, ey, gx, gy = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]
    for start in range(0, target.shape[0], LANE):
        rows = target[start : start + LANE]
        into = out[start : start + LANE]
        count = rows.shape[0]
        for i in range(count):
            x[i], y[i] = rows[i, 0], rows[i, 1]
        odd += plain_loop(x[:count], y[:count], rx, ry, bend, rr, rr_lo, hh, hh_lo, hr, hr_lo, ex, ey, gx, gy)
        if width == 4:
            for i in range(count):
                into[i, 0], into[i, 1], into[i, 2], into[i, 3] = ex[i], ey[i], gx[i], gy[i]
        else:
            for i in range(count):
                into[i, 0], into[i, 1], into[i, 2] = rx, ry, ex[i]
                into[i, 3], into[i, 4], into[i, 5] = ey[i], gx[i], gy[i]
    return odd
