"""The search of `least_change`: the pull from the drawn pose, and what is tried where that does not reach.

First the pull (pull.py). Where limits stop it, damped steps from the drawn pose, then sweeps and damped steps from it,
from the nearest pose so far, from both equal-bend arcs, from the corners of the ranges and from poses spread over them,
until one reaches or the budget is spent; a pose that reaches is pulled to the drawn one. Nothing is kept from one call
to the next, so a target that comes back finds its pose again.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.arc import arc_pose
from elbowroom.kernel.chainflow import within
from elbowroom.kernel.flex import trace
from elbowroom.kernel.lm import approach, sweep
from elbowroom.kernel.pull import pull
from elbowroom.kernel.trig import PI, atan2, wrap

FIRST = 30  # steps of the first pull and of the first damped approach
SWEEPS = 6
LATER = 24  # steps of every further approach
STRAIGHT = 1e-6  # sine of the bends below which the drawn chain counts as straight
THERE = 1e-14  # of reach: the pose drawn is the answer
EXACT = 1e-6  # of the tolerance: a chain that cannot reach is as straight as can be
SAME = 5e-7  # of reach: a pose that comes no nearer than by this is no reason to change sides
GOLDEN = 0.6180339887498949


def solve_least(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float,
    iterations: int, tolerance: float, settings: Any, work: Any,
) -> int:  # fmt: skip
    """The pose that reaches (tx, ty) with least change from q, into q: a core as chainflow.core describes it."""
    count = len(bones)
    x, y = trace(bones, q, work)
    if (tx - x) * (tx - x) + (ty - y) * (ty - y) <= THERE * THERE:
        return 0
    begin(tx, ty, bones, q, low, high, limited, bend, work)
    used, left = first_pull(tx, ty, bones, q, low, high, limited, iterations, tolerance, work)
    if left > tolerance:
        least = unavoidable(tx, ty, bones)
        goal = least + (EXACT * tolerance if least > 0.0 else tolerance)
        used, left = search(tx, ty, bones, q, low, high, limited, bend, iterations, used, left, goal, work)
        if left <= tolerance:
            used += settle(tx, ty, bones, q, low, high, limited, iterations - used, tolerance, work)
    for i in range(count):
        q[i] = q[i] if limited[i] else wrap(q[i])
    return used


def first_pull(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any,
    iterations: int, tolerance: float, work: Any,
) -> tuple[int, float]:  # fmt: skip
    """The pull from the pose drawn, which also is the best so far: steps used, distance left."""
    used = 0
    x, y = trace(bones, q, work)
    left = sqrt((tx - x) * (tx - x) + (ty - y) * (ty - y))
    if sqrt(tx * tx + ty * ty) <= 1.0 + tolerance:
        most = FIRST if iterations > FIRST else iterations
        used, left = pull(tx, ty, bones, q, low, high, limited, most, tolerance, work)
    _copy(q, work[12], len(bones))
    return used, left


def unavoidable(tx: float, ty: float, bones: Any) -> float:
    """How far from the target the end stays even without limits: the target beyond the reach, or in the dead zone."""
    longest, whole = 0.0, 0.0
    for i in range(len(bones)):
        longest = bones[i] if bones[i] > longest else longest
        whole += bones[i]
    d = sqrt(tx * tx + ty * ty)
    far, near = d - whole, (longest - (whole - longest)) - d
    return far if far > 0.0 else (near if near > 0.0 else 0.0)


def begin(tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float, work: Any) -> None:
    """Keep the pose drawn in row 11 and turn it towards the target; a straight one is bent to the side of `bend`."""
    count, drawn = len(bones), work[11]
    _copy(q, drawn, count)
    aim_first(tx, ty, bones, q, low, high, limited, work)
    _copy(q, work[14], count)
    if straight(bones, q, work):
        for side in (bend, -bend if bend != 0.0 else -1.0):
            if straight(bones, q, work):
                arc_pose(tx, ty, bones, side, q)
                clip(q, low, high, limited, count)


def aim_first(tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, work: Any) -> None:
    """Turn the first joint so that the end lies in the direction of the target, as far as its range allows."""
    x, y = trace(bones, q, work)
    if (x != 0.0 or y != 0.0) and (tx != 0.0 or ty != 0.0):
        wish = q[0] + (atan2(ty, tx) - atan2(y, x))
        q[0] = within(wish, low[0], high[0]) if limited[0] else wrap(wish)


def straight(bones: Any, q: Any, work: Any) -> bool:
    """Whether all bones lie on one line."""
    trace(bones, q, work)
    sines, cosines = work[0], work[1]
    for i in range(1, len(bones)):
        across = sines[i] * cosines[0] - cosines[i] * sines[0]
        if across > STRAIGHT or across < -STRAIGHT:
            return False
    return True


def search(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float,
    iterations: int, used: int, left: float, tolerance: float, work: Any,
) -> tuple[int, float]:  # fmt: skip
    """The nearest pose of several approaches, the best so far in row 12, into q: steps used in all, distance left."""
    count, best = len(bones), work[12]
    attempt = 0
    while used < iterations and left > tolerance and attempt < 64:
        seed(attempt, tx, ty, bones, q, low, high, limited, bend, work)
        sweeps = 0
        while attempt > 0 and sweeps < SWEEPS and used < iterations:
            sweep(tx, ty, bones, q, low, high, limited, work)
            sweeps += 1
            used += 1
        most = FIRST if attempt == 0 else LATER
        most = most if most < iterations - used else iterations - used
        steps, now = approach(tx, ty, bones, q, low, high, limited, most, tolerance, work)
        used += steps
        if now < left - (SAME if attempt > 0 else 0.0) or now <= tolerance:
            left = now
            _copy(q, best, count)
        attempt += 1
    _copy(best, q, count)
    return used, left


def seed(
    attempt: int, tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float, work: Any
) -> None:
    """The pose that an attempt starts from."""
    count = len(bones)
    side = bend if bend != 0.0 else 1.0
    if attempt < 2:
        _copy(work[14], q, count)
    elif attempt == 2:
        _copy(work[12], q, count)
    elif attempt < 5:
        arc_pose(tx, ty, bones, side if attempt == 3 else -side, q)
        clip(q, low, high, limited, count)
    else:
        for i in range(count):
            lowest, widest = (low[i], high[i] - low[i]) if limited[i] else (-0.5 * PI, PI)
            q[i] = lowest + widest * _share(attempt - 5, i)
        aim_first(tx, ty, bones, q, low, high, limited, work)


def _share(attempt: int, i: int) -> float:
    """Where in its range joint i is: corners first, then spread evenly."""
    if attempt < 2:
        return 1.0 - attempt
    if attempt < 4:
        return float((i + attempt) % 2)
    spot = GOLDEN * (attempt * (i + 1) + i * i)
    return spot - int(spot)


def settle(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, most: int, tolerance: float, work: Any
) -> int:  # fmt: skip
    """Pull a pose that reaches to the one drawn; it stays as it was where the pull loses the target. Steps used."""
    count, drawn, best = len(bones), work[11], work[12]
    for i in range(1, count):
        q[i] = q[i] if limited[i] else drawn[i] + wrap(q[i] - drawn[i])
    _copy(q, best, count)
    used, left = pull(tx, ty, bones, q, low, high, limited, most, tolerance, work)
    if not left <= tolerance:
        _copy(best, q, count)
    return used


def clip(q: Any, low: Any, high: Any, limited: Any, count: int) -> None:
    """Every joint into its range."""
    for i in range(count):
        if limited[i]:
            q[i] = within(q[i], low[i], high[i])


def _copy(one: Any, other: Any, count: int) -> None:
    for i in range(count):
        other[i] = one[i]
