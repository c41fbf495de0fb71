"""FABRIK: the chain is laid out from the target back to the root, then from the root to the target, and again.

Each sweep keeps the lengths exactly and one end in place. Limits are kept in both sweeps: a bone that leaves its range
against its neighbour is turned back to the nearer end. With limits the method can stall short of a target that is
within reach; the best pose is kept and what is missing is told.

Source: A. Aristidou and J. Lasenby, FABRIK: A fast, iterative solver for the inverse kinematics problem (2011).
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.chain import chain
from elbowroom.kernel.chainturn import (
    AX,
    AY,
    BX,
    BY,
    HELD,
    KEEP_X,
    KEEP_Y,
    LAST_X,
    LAST_Y,
    SMALL,
    UX,
    UY,
    WIDTH,
    collinear,
    cut,
    places,
    prepare,
    read_angles,
    recall,
    renew,
    save,
    unbend,
    unlimited,
)  # fmt: skip
from elbowroom.kernel.solution import Solution
from elbowroom.kernel.trig import PI

STALLED = 1e-7  # widest move of a direction in an iteration: below, the chain may be on a line with its target
STUCK = 1e-11  # the same: below, limits have trapped the chain
STILL = 1e-14  # the same: below, nothing moves any more


def fabrik(
    root: Any,
    target: Any,
    lengths: Any,
    angles: Any,
    *,
    bend: Any = 1,
    limits: Any = None,
    base: Any = 0.0,
    iterations: int = 50,
    tolerance: float = 1e-6,
    engine: str = "auto",
) -> Solution:
    """Solve a chain by FABRIK, from the pose it is in. Best without limits: a rope, a tail, a tentacle.

    root, target : (..., 2) [length]     in one space, y up
    lengths : (..., n) [length], >= 0    any number of bones, one and two as well
    angles : (..., n) [rad]              the pose to start from, each relative to the bone before, the first to `base`
    bend : (...) +1 or -1                side that a straight chain bends to (+1: left of root -> target); 0 as +1
    limits : (n, 2) or (..., n, 2) [rad] low, high of each angle, modulo a turn; a width of a turn or more is free
    base : (...) [rad]                   direction that the first angle is measured from
    iterations                           the most pairs of sweeps, one backward and one forward
    tolerance [fraction of reach]        error below which the target is reached
    engine : "auto", "numpy" or "numba"  for arrays; all give the same bits
    Returns Solution. A target out of reach is answered at once by the straight chain (FAR), one in the dead zone by the
    folded chain (NEAR), where limits allow; with limits that hold the end back, by the best pose found (LIMIT).
    `over` is how far the answer without limits, from the same pose, lies outside each range.
    Raises InputError for NaN, infinite or > 1e150 numbers, wrong shapes, values out of range.

    >>> rope = fabrik((0, 0), (100, 70), [60, 60, 60], [0.0, 0.5, 0.5])
    >>> rope.reached, rope.why
    (True, <Why: 0>)
    """
    return chain(
        "fabrik", solve_fabrik, root, target, lengths, angles, bend=bend, limits=limits, base=base,
        iterations=iterations, tolerance=tolerance, engine=engine,
    )  # fmt: skip


def solve_fabrik(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float,
    iterations: int, tolerance: float, settings: Any, work: Any,
) -> int:  # fmt: skip
    """The core (see chainflow.core): pairs of sweeps used."""
    count, used = len(bones), 0
    prepare(q, low, high, limited, work)
    x, y = places(bones, work)
    left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
    least, tries, stalled, stuck, free = left, 0, True, False, unlimited(limited)
    save(count, work)
    while left > tolerance and used < iterations:
        # limits can trap a chain that began on the wrong side: bending it anew frees most
        if stalled and tries < 2 and (collinear(count, work) or (used > 0 and stuck)):
            unbend(tx, ty, bones, limited, bend, PI, work)
            tries += 1
        backward(tx, ty, bones, limited, work)
        x, y, moved = forward(tx, ty, bones, limited, work)
        used += 1
        left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
        stalled, stuck = moved < STALLED, moved < STUCK and not free
        if left < least:
            least = left
            save(count, work)
        if moved < STILL and (tries == 2 or (free and not collinear(count, work))):
            break
    if used > 0:
        if least < left:
            recall(count, work)
        read_angles(q, low, high, limited, work)
    return used


def backward(tx: float, ty: float, bones: Any, limited: Any, work: Any) -> None:
    """Lay the bones out from the target to the root; where each begins goes to the rows KEEP."""
    ux, uy, from_x, from_y = work[UX], work[UY], work[KEEP_X], work[KEEP_Y]
    ax, ay, bx, by, wide = work[AX], work[AY], work[BX], work[BY], work[WIDTH]
    count = len(bones)
    places(bones, work)
    x, y = tx, ty
    for k in range(count):
        i = count - 1 - k
        vx, vy = towards(x - from_x[i], y - from_y[i], ux[i], uy[i])
        if i + 1 < count and limited[i + 1]:
            nx, ny = ux[i + 1], uy[i + 1]
            c = i + 1
            wx, wy, held = cut(vx * nx + vy * ny, vx * ny - vy * nx, ax[c], ay[c], bx[c], by[c], wide[c])
            if held != 0.0:
                vx, vy = renew(nx * wx + ny * wy, ny * wx - nx * wy)
        x, y = x - bones[i] * vx, y - bones[i] * vy
        ux[i], uy[i], from_x[i], from_y[i] = vx, vy, x, y


def forward(tx: float, ty: float, bones: Any, limited: Any, work: Any) -> tuple[float, float, float]:
    """Lay the bones out from the root to the target: the end (x, y), the widest turn of a bone since the last time."""
    ux, uy, from_x, from_y, held = work[UX], work[UY], work[KEEP_X], work[KEEP_Y], work[HELD]
    ax, ay, bx, by, wide = work[AX], work[AY], work[BX], work[BY], work[WIDTH]
    count, last_x, last_y = len(bones), work[LAST_X], work[LAST_Y]
    x, y, px, py, most = 0.0, 0.0, 1.0, 0.0, 0.0
    for i in range(count):
        gx, gy = (from_x[i + 1], from_y[i + 1]) if i + 1 < count else (tx, ty)
        vx, vy = towards(gx - x, gy - y, ux[i], uy[i])
        if limited[i]:
            wx, wy = px * vx + py * vy, px * vy - py * vx
            wx, wy, held[i] = cut(wx, wy, ax[i], ay[i], bx[i], by[i], wide[i])
            if held[i] != 0.0:
                vx, vy = renew(px * wx - py * wy, px * wy + py * wx)
        across = last_x[i] * vy - last_y[i] * vx
        size = 1.0 if last_x[i] * vx + last_y[i] * vy < 0.0 else (across if across > 0.0 else -across)
        most = size if size > most else most
        x, y = x + bones[i] * vx, y + bones[i] * vy
        ux[i], uy[i], last_x[i], last_y[i], px, py = vx, vy, vx, vy, vx, vy
    return x, y, most


def towards(dx: float, dy: float, ux: float, uy: float) -> tuple[float, float]:
    """The direction of d; that of u where d has none: joints that fall together stay as they were."""
    n = sqrt(dx * dx + dy * dy)
    if n <= SMALL:
        return ux, uy
    return dx / n, dy / n
