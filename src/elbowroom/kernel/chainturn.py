"""Chains as unit vectors: bone directions, ranges of joints, and the way back to angles. For ccd.py and fabrik.py.

A relative angle is the quotient of two directions, w = conj(u) v; a range is the two unit vectors of its ends.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.chainflow import within
from elbowroom.kernel.limits import ends, inside
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.trig import atan2, sincos

# rows of the work space: directions, ends of ranges and their widths, which end a joint is held at (-1, 0, +1),
# the best pose so far, what a solver keeps a joint, and the directions one iteration ago
UX, UY, AX, AY, BX, BY, WIDTH, HELD, BEST_X, BEST_Y, BEST_HELD, KEEP_X, KEEP_Y, LAST_X, LAST_Y = range(15)
STRAIGHT = 1e-6  # sine below which bones lie on one line
SMALL = 1e-30  # [reach] a distance, or a product of two, without a direction
LEAST_BEND = 0.01  # [rad] half of what a straight chain is bent by at least


@leaf
def renew(x: float, y: float) -> tuple[float, float]:
    """A unit vector whose length has drifted by some roundings, at length 1 again (one step of Newton's)."""
    f = 1.5 - 0.5 * (x * x + y * y)
    return x * f, y * f


def prepare(q: Any, low: Any, high: Any, limited: Any, work: Any) -> None:
    """Directions of the bones, and the ends of the ranges."""
    # rows are fetched once: for compiled code each fetch counts a reference
    ux, uy, last_x, last_y, held = work[UX], work[UY], work[LAST_X], work[LAST_Y], work[HELD]
    ax, ay, bx, by, wide = work[AX], work[AY], work[BX], work[BY], work[WIDTH]
    turn = 0.0
    for i in range(len(q)):
        turn = turn + q[i]
        sine, cosine = sincos(turn)
        ux[i], uy[i], last_x[i], last_y[i], held[i] = cosine, sine, cosine, sine, 0.0
        if limited[i]:
            ax[i], ay[i], bx[i], by[i], wide[i] = ends(low[i], high[i])


@leaf
def cut(
    wx: float, wy: float, ax: float, ay: float, bx: float, by: float, wide: float
) -> tuple[float, float, float]:  # fmt: skip
    """A relative direction, or the nearer end of the range from a to b; and which end it is (-1, +1; 0: inside)."""
    fits = inside(wx, wy, ax, ay, bx, by, wide)
    first = wx * ax + wy * ay >= wx * bx + wy * by
    return (
        wx if fits else (ax if first else bx),
        wy if fits else (ay if first else by),
        0.0 if fits else (-1.0 if first else 1.0),
    )


def places(bones: Any, work: Any) -> tuple[float, float]:
    """Where the end is; where each bone begins goes to the rows KEEP."""
    ux, uy, at_x, at_y = work[UX], work[UY], work[KEEP_X], work[KEEP_Y]
    x, y = 0.0, 0.0
    for i in range(len(bones)):
        at_x[i], at_y[i] = x, y
        x, y = x + bones[i] * ux[i], y + bones[i] * uy[i]
    return x, y


def read_angles(q: Any, low: Any, high: Any, limited: Any, work: Any) -> None:
    """Angles of the directions; a joint held by a limit is at it exactly."""
    ux, uy, held = work[UX], work[UY], work[HELD]
    x, y = 1.0, 0.0
    for i in range(len(q)):
        angle = atan2(x * uy[i] - y * ux[i], x * ux[i] + y * uy[i])
        if limited[i]:
            angle = low[i] if held[i] < 0.0 else (high[i] if held[i] > 0.0 else within(angle, low[i], high[i]))
        q[i] = angle
        x, y = ux[i], uy[i]


def save(count: int, work: Any) -> None:
    """Keep the pose as the best."""
    x, y, end, ux, uy, held = work[BEST_X], work[BEST_Y], work[BEST_HELD], work[UX], work[UY], work[HELD]
    for i in range(count):
        x[i], y[i], end[i] = ux[i], uy[i], held[i]


def recall(count: int, work: Any) -> None:
    """Back to the best pose."""
    x, y, end, ux, uy, held = work[BEST_X], work[BEST_Y], work[BEST_HELD], work[UX], work[UY], work[HELD]
    for i in range(count):
        ux[i], uy[i], held[i] = x[i], y[i], end[i]


def unlimited(limited: Any) -> bool:
    """Whether no joint has a range."""
    for i in range(len(limited)):  # noqa: SIM110 - `all` would not compile
        if limited[i]:
            return False
    return True


def collinear(count: int, work: Any) -> bool:
    """Whether there are several bones, all on one line."""
    ux, uy = work[UX], work[UY]
    for i in range(1, count):
        sine = ux[0] * uy[i] - uy[0] * ux[i]
        if sine > STRAIGHT or sine < -STRAIGHT:
            return False
    return count > 1


def unbend(tx: float, ty: float, bones: Any, limited: Any, bend: float, most: float, work: Any) -> None:
    """Bend a straight chain, which no solver of this kind can, to the side of `bend`.

    It is aimed at the target and bent evenly, to about the arc that spans the distance: sin(h) / h = d for the half h
    of all bends. Where the ranges leave none of that side, it bends to the other. most : largest turn of a joint [rad]
    """
    count = len(bones)
    d = sqrt(tx * tx + ty * ty)
    half = sqrt(6.0 * (1.0 - d)) if d < 1.0 else 0.0
    half = half if half > LEAST_BEND else LEAST_BEND
    step = 2.0 * half / count
    step = step if step < most else most
    for side in (bend, -bend):
        aim(tx, ty, bones, limited, most, 0.5 * side * step * (count - 1), work)
        if bend_by(-side * step, limited, work, count):
            break


def aim(tx: float, ty: float, bones: Any, limited: Any, most: float, ahead: float, work: Any) -> None:
    """Turn the whole chain until its end lies in the direction of the target, and by `ahead` [rad] more."""
    count = len(bones)
    x, y = places(bones, work)
    angle = atan2(x * ty - y * tx, x * tx + y * ty)
    sine, cosine = sincos((angle if angle < most and angle > -most else (most if angle > 0.0 else -most)) + ahead)
    ux, uy = work[UX], work[UY]
    if limited[0]:
        wx, wy = ux[0] * cosine - uy[0] * sine, ux[0] * sine + uy[0] * cosine
        wx, wy, work[HELD][0] = cut(wx, wy, work[AX][0], work[AY][0], work[BX][0], work[BY][0], work[WIDTH][0])
        cosine, sine = ux[0] * wx + uy[0] * wy, ux[0] * wy - uy[0] * wx
    for i in range(count):
        ux[i], uy[i] = ux[i] * cosine - uy[i] * sine, ux[i] * sine + uy[i] * cosine


def bend_by(angle: float, limited: Any, work: Any, count: int) -> bool:
    """Turn every joint but the first by `angle` [rad] within its range; whether one turned."""
    sine, cosine = sincos(angle)
    ux, uy, held = work[UX], work[UY], work[HELD]
    ax, ay, bx, by, wide = work[AX], work[AY], work[BX], work[BY], work[WIDTH]
    bent, old_x, old_y = False, ux[0], uy[0]
    for i in range(1, count):
        wx, wy = old_x * ux[i] + old_y * uy[i], old_x * uy[i] - old_y * ux[i]
        vx, vy = wx * cosine - wy * sine, wx * sine + wy * cosine
        if limited[i]:
            vx, vy, held[i] = cut(vx, vy, ax[i], ay[i], bx[i], by[i], wide[i])
        across = wx * vy - wy * vx
        bent = bent or across > STRAIGHT or across < -STRAIGHT
        old_x, old_y = ux[i], uy[i]
        ux[i], uy[i] = renew(ux[i - 1] * vx - uy[i - 1] * vy, ux[i - 1] * vy + uy[i - 1] * vx)
    return bent
