"""Nearest poses: damped least squares on the end's distance, and sweeps of one joint after the other.

The first is the method of K. Levenberg (1944) and D. Marquardt (1963), which in two dimensions needs a 2 x 2 system
(flex.py); close to a pose that cannot reach, the chain's own curvature makes it Newton's. The second is cyclic
coordinate descent (L.-C. T. Wang and C. C. Chen, 1991) from the root to the tip, each joint at its exact best.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.chainflow import within
from elbowroom.kernel.flex import HELD, flex, hold, trace, turn_by, widest
from elbowroom.kernel.trig import atan2, sincos, wrap

WIDE = 1.0  # [rad] the most a bone turns in one step
STILL = 1e-10  # [rad] a step this small ends the search


def approach(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, most: int, tolerance: float, work: Any
) -> tuple[int, float]:
    """Bring the end as near to the target as this way leads, at most `most` steps: steps used, distance left."""
    count, before = len(bones), work[13]
    damping, used, slow = 1e-3, 0, False
    x, y = trace(bones, q, work)
    gap_x, gap_y = tx - x, ty - y
    left = sqrt(gap_x * gap_x + gap_y * gap_y)
    while used < most and left > tolerance and damping < 1e6:
        used += 1
        _damp(q, low, high, limited, damping, gap_x, gap_y, work, count)
        for i in range(count):
            before[i] = q[i]
        _damped_step(q, bones, low, high, limited, gap_x, gap_y, slow, work)
        wide = widest(work, count)
        moved = turn_by(1.0 if wide <= WIDE else WIDE / wide, q, low, high, limited, work, count)
        x, y = trace(bones, q, work)
        now = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
        if now < left:
            slow, damping = now > 0.3 * left, (0.2 * damping if damping > 1e-8 else damping)
            left, gap_x, gap_y = now, tx - x, ty - y
        else:
            for i in range(count):
                q[i] = before[i]
            trace(bones, q, work)
            slow, damping = True, 8.0 * damping
        if moved < STILL:
            break
    return used, left


def _damp(
    q: Any, low: Any, high: Any, limited: Any, damping: float, gap_x: float, gap_y: float, work: Any, count: int
) -> None:
    """Springs to where the joints are; those that push against the end of their range are held there."""
    springs, wishes, held, across, along = work[2], work[3], work[8], work[9], work[10]
    for i in range(count):
        springs[i], wishes[i], held[i] = damping, 0.0, 0.0
        if limited[i] and (q[i] <= low[i] or q[i] >= high[i]):
            push = gap_x * across[i] + gap_y * along[i]
            if (q[i] <= low[i] and push <= 0.0) or (q[i] >= high[i] and push >= 0.0):
                held[i], springs[i] = 1.0, HELD


def _damped_step(
    q: Any, bones: Any, low: Any, high: Any, limited: Any, gap_x: float, gap_y: float, slow: bool, work: Any
) -> None:
    """The step to row 5, with more joints held until none leaves its range."""
    pull_x, pull_y = (gap_x, gap_y) if slow else (0.0, 0.0)
    for _ in range(8):
        _, _, good = flex(bones, gap_x, gap_y, pull_x, pull_y, 1.0, False, work)
        if not good:
            flex(bones, gap_x, gap_y, pull_x, pull_y, 1.0, True, work)
        if hold(q, low, high, limited, work, len(bones)) == 0:
            break


def sweep(tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, work: Any) -> None:
    """Turn each joint, root to tip, to where it brings the end nearest to the target; linear in the bones."""
    count, rest_x, rest_y = len(bones), work[15], work[16]
    trace(bones, q, work)
    x, y = 0.0, 0.0
    for j in range(count):
        i = count - 1 - j
        x, y = x + bones[i] * work[1][i], y + bones[i] * work[0][i]
        rest_x[i], rest_y[i] = x, y
    turned, x, y = 0.0, 0.0, 0.0
    for i in range(count):
        sine, cosine = sincos(turned)
        ex, ey = rest_x[i] * cosine - rest_y[i] * sine, rest_x[i] * sine + rest_y[i] * cosine
        dx, dy = tx - x, ty - y
        was = q[i]
        wish = was + atan2(ex * dy - ey * dx, ex * dx + ey * dy)
        q[i] = within(wish, low[i], high[i]) if limited[i] else wrap(wish)
        turned = turned + (q[i] - was)
        sine, cosine = sincos(turned)
        bx, by = bones[i] * work[1][i], bones[i] * work[0][i]
        x, y = x + bx * cosine - by * sine, y + bx * sine + by * cosine
