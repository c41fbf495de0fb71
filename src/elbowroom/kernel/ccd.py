"""Cyclic coordinate descent in linear time: one joint after the other turns the end towards the target.

Written down joint by joint, a sweep costs forward kinematics at every joint: n² work. In the plane it does not. From
the root to the tip a joint's turn carries all that follows, so the product of the turns so far, a unit complex number,
says where the next joint and the end are now; from the tip to the root no joint before the turning one has moved, so
its own turn is kept and the products are applied in one pass afterwards. Turns are unit vectors throughout, and so are
limits: a sweep has no sine and no arctangent, and angles cannot wind up.

Source: L.-C. T. Wang and C. C. Chen, A combined optimization method for solving the inverse kinematics problem of
mechanical manipulators (1991). The order from the root is the better one: it solves more targets in fewer sweeps.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.errors import InputError, closest
from elbowroom.kernel.chain import chain, one_number
from elbowroom.kernel.chainturn import (
    AX,
    AY,
    BX,
    BY,
    HELD,
    KEEP_X,
    KEEP_Y,
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
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.solution import Solution
from elbowroom.kernel.trig import PI, sincos

ORDERS = ("root_to_tip", "tip_to_root")
STALLED = 1e-7  # sine of the widest turn of a sweep: below, the chain may be on a line with its target
STILL = 1e-14  # the same: below, nothing moves any more


def ccd(
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
    order: str = "root_to_tip",
    damping: float | None = None,
    engine: str = "auto",
) -> Solution:
    """Solve a chain by cyclic coordinate descent, from the pose it is in.

    root, target : (..., 2) [length]     in one space, y up
    lengths : (..., n) [length], >= 0    any number of bones, one and two as well
    angles : (..., n) [rad]              the pose to start from, each relative to the bone before, the first to `base`
    bend : (...) +1 or -1                side that a straight chain bends to (+1: left of root -> target); 0 as +1
    limits : (n, 2) or (..., n, 2) [rad] low, high of each angle, modulo a turn; a width of a turn or more is free
    base : (...) [rad]                   direction that the first angle is measured from
    iterations                           the most sweeps over the chain
    tolerance [fraction of reach]        error below which the target is reached
    order                                "root_to_tip", or the classic "tip_to_root", which needs more sweeps
    damping [rad]                        the most that one joint turns in one sweep; None: no bound
    engine : "auto", "numpy" or "numba"  for arrays; all give the same bits
    Returns Solution. A target out of reach is answered at once by the straight chain (FAR), one in the dead zone by the
    folded chain (NEAR), where limits allow; with limits that hold the end back, by the best pose found (LIMIT).
    `over` is how far the answer without limits, from the same pose, lies outside each range.
    Raises InputError for NaN, infinite or > 1e150 numbers, wrong shapes, values out of range.

    >>> tail = ccd((0, 0), (100, 0), [40, 40, 40], [0.0, 0.0, 0.0])
    >>> tail.reached, tail.joints[1][1] > 0
    (True, True)
    """
    if order not in ORDERS:
        raise InputError(f'ccd order: "{order}" is none of {", ".join(ORDERS)}{closest(str(order), ORDERS)}')
    cap = PI if damping is None else one_number("ccd", "damping", damping, 1e-9)
    sine, cosine = sincos(cap if cap < PI else PI)
    settings = (1.0 if order == "tip_to_root" else 0.0, cosine if cap < PI else -2.0, sine, cap)
    return chain(
        "ccd", solve_ccd, root, target, lengths, angles, bend=bend, limits=limits, base=base,
        iterations=iterations, tolerance=tolerance, settings=settings, engine=engine,
    )  # fmt: skip


def solve_ccd(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float,
    iterations: int, tolerance: float, settings: Any, work: Any,
) -> int:  # fmt: skip
    """The core (see chainflow.core): sweeps used. settings: 1 for tip to root, cosine, sine and angle of the cap."""
    count, used, ux, uy, keep_x, keep_y = len(bones), 0, work[UX], work[UY], work[KEEP_X], work[KEEP_Y]
    prepare(q, low, high, limited, work)
    x, y = places(bones, work)
    left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
    least, tries, stalled, free = left, 0, True, unlimited(limited) and settings[1] < -1.0
    save(count, work)
    while left > tolerance and used < iterations:
        if stalled and tries < 2 and collinear(count, work):
            unbend(tx, ty, bones, limited, bend, settings[3], work)
            x, y = places(bones, work)
            tries += 1
        if settings[0] > 0.0:
            x, y, wide = sweep_in(tx, ty, x, y, bones, limited, bend, settings, ux, uy, keep_x, keep_y, work)
        elif free:
            x, y, wide = sweep_out(tx, ty, x, y, bones, ux, uy, keep_x, keep_y)
        else:
            x, y, wide = sweep_kept(tx, ty, x, y, bones, limited, bend, settings, ux, uy, keep_x, keep_y, work)
        used += 1
        left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
        stalled = wide < STALLED
        if left < least and (stalled or tries > 0 or not left > tolerance):
            least = left
            save(count, work)
        if wide < STILL and (tries == 2 or not collinear(count, work)):
            break
    if used > 0:
        if least < left:
            recall(count, work)
        read_angles(q, low, high, limited, work)
    return used


def sweep_out(
    tx: float, ty: float, ex: float, ey: float, bones: Any, ux: Any, uy: Any, at_x: Any, at_y: Any
) -> tuple[float, float, float]:  # fmt: skip
    """Turn every joint, root to tip: new end (x, y), sine of the widest turn (1 beyond a right angle).

    at_x, at_y : where the joints are, replaced by where they are then
    It is the target that is turned back, not the chain: then the way from each joint to the end is known beforehand,
    and from one joint to the next there is only |g| to wait for, the distance of the target from the joint.
    """
    gx, gy, px, py, rx, ry, wide = tx, ty, 0.0, 0.0, 1.0, 0.0, 0.0
    for i in range(len(bones)):
        bone, bx, by = bones[i], ux[i], uy[i]
        ax, ay = towards(ex - at_x[i], ey - at_y[i])
        n = sqrt(gx * gx + gy * gy)
        c, s = turn_of(ax, ay, gx, gy, n)
        hx, hy = ax * n, ay * n
        if n <= SMALL or (ax == 0.0 and ay == 0.0):
            hx, hy = gx, gy
        gx, gy = hx - bone * bx, hy - bone * by
        rx, ry = rx * c - ry * s, rx * s + ry * c
        bx, by = renew(rx * bx - ry * by, rx * by + ry * bx)
        ux[i], uy[i], at_x[i], at_y[i] = bx, by, px, py
        px, py = px + bone * bx, py + bone * by
        size = width(c, s)
        wide = size if size > wide else wide
    return px, py, wide


def sweep_kept(
    tx: float, ty: float, ex: float, ey: float, bones: Any, limited: Any, bend: float, settings: Any,
    ux: Any, uy: Any, at_x: Any, at_y: Any, work: Any,
) -> tuple[float, float, float]:  # fmt: skip
    """The same with ranges of joints and a cap on turns."""
    gx, gy, px, py, wide = tx, ty, 0.0, 0.0, 0.0
    rx, ry, old_x, old_y = 1.0, 0.0, 1.0, 0.0
    for i in range(len(bones)):
        bx, by = ux[i], uy[i]
        ax, ay = towards(ex - at_x[i], ey - at_y[i])
        c, s = turn_of(ax, ay, gx, gy, sqrt(gx * gx + gy * gy))
        c, s = capped(c, s, bend, settings)
        if limited[i]:
            c, s = kept(old_x * bx + old_y * by, old_x * by - old_y * bx, c, s, i, work)
        gx, gy = (c * gx + s * gy) - bones[i] * bx, (c * gy - s * gx) - bones[i] * by
        rx, ry = rx * c - ry * s, rx * s + ry * c
        old_x, old_y = bx, by
        ux[i], uy[i] = renew(rx * bx - ry * by, rx * by + ry * bx)
        at_x[i], at_y[i] = px, py
        px, py = px + bones[i] * ux[i], py + bones[i] * uy[i]
        size = width(c, s)
        wide = size if size > wide else wide
    return px, py, wide


def sweep_in(
    tx: float, ty: float, ex: float, ey: float, bones: Any, limited: Any, bend: float, settings: Any,
    ux: Any, uy: Any, turn_x: Any, turn_y: Any, work: Any,
) -> tuple[float, float, float]:  # fmt: skip
    """The same from tip to root; here it is the target's direction from each joint that is known beforehand."""
    count, wide = len(bones), 0.0
    px, py = ex, ey
    hx, hy = 0.0, 0.0
    for k in range(count):
        i = count - 1 - k
        bx, by = bones[i] * ux[i], bones[i] * uy[i]
        px, py = px - bx, py - by
        gx, gy = towards(tx - px, ty - py)
        hx, hy = hx + bx, hy + by
        n = sqrt(hx * hx + hy * hy)
        c, s = turn_of(hx, hy, gx, gy, n)
        fx, fy = gx * n, gy * n
        if c < settings[1] or limited[i] or n <= SMALL or (gx == 0.0 and gy == 0.0):
            c, s = capped(c, s, bend, settings)
            if limited[i]:
                vx, vy = (ux[i - 1], uy[i - 1]) if i > 0 else (1.0, 0.0)
                c, s = kept(vx * ux[i] + vy * uy[i], vx * uy[i] - vy * ux[i], c, s, i, work)
            fx, fy = hx * c - hy * s, hx * s + hy * c
        hx, hy = fx, fy
        turn_x[i], turn_y[i] = c, s
        size = width(c, s)
        wide = size if size > wide else wide
    px, py, rx, ry = 0.0, 0.0, 1.0, 0.0
    for i in range(count):
        rx, ry = rx * turn_x[i] - ry * turn_y[i], rx * turn_y[i] + ry * turn_x[i]
        ux[i], uy[i] = renew(rx * ux[i] - ry * uy[i], rx * uy[i] + ry * ux[i])
        px, py = px + bones[i] * ux[i], py + bones[i] * uy[i]
    return px, py, wide


@leaf
def towards(x: float, y: float) -> tuple[float, float]:
    """(x, y) at length 1; (0, 0) where it has no direction."""
    n = sqrt(x * x + y * y)
    grow = 1.0 / (n if n > SMALL else 1.0) if n > SMALL else 0.0
    return x * grow, y * grow


@leaf
def turn_of(ax: float, ay: float, gx: float, gy: float, n: float) -> tuple[float, float]:
    """Unit vector of the turn from a to g, n the product of their lengths; none where that is zero."""
    shrink = 1.0 / (n if n > SMALL else 1.0)
    c, s = (ax * gx + ay * gy) * shrink, (ax * gy - ay * gx) * shrink
    none = n <= SMALL or (c == 0.0 and s == 0.0)
    return 1.0 if none else c, 0.0 if none else s


@leaf
def width(c: float, s: float) -> float:
    """Size of a turn: its sine, 1 beyond a right angle."""
    return 1.0 if c < 0.0 else (s if s > 0.0 else -s)


def capped(c: float, s: float, bend: float, settings: Any) -> tuple[float, float]:
    """A turn no wider than the cap; half a turn goes to the side of `bend`."""
    if c >= settings[1]:
        return c, s
    return settings[1], (settings[2] if s > 0.0 or (s == 0.0 and bend > 0.0) else -settings[2])


def kept(wx: float, wy: float, c: float, s: float, i: int, work: Any) -> tuple[float, float]:
    """The part of a turn that keeps joint i, now at w, in its range; which end stops it is noted."""
    ax, ay, bx, by, wide = work[AX][i], work[AY][i], work[BX][i], work[BY][i], work[WIDTH][i]
    vx, vy, end = cut(wx * c - wy * s, wx * s + wy * c, ax, ay, bx, by, wide)
    work[HELD][i] = end
    return (c, s) if end == 0.0 else renew(wx * vx + wy * vy, wx * vy - wy * vx)
