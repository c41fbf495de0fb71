"""The equal-bend arc: every joint after the first bends alike, the first aims. For bones of any lengths.

The distance of the end falls from the reach of the straight chain; the bend wanted is the first at which it is that of
the target. A scan finds two bends around it, the secant method of Illinois (M. Dowell and P. Jarratt, 1971) narrows
them. Unequal bones may not get near enough so: then the arc that comes nearest is turned, bit by bit, into the triangle
before, at and after the bone in the middle of the chain. That triangle closes, or folds flat where that bone is longer
than all others together, so every distance that the chain reaches is passed on the way.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.trig import PI, atan2, sincos, wrap

SCAN = 4  # samples a bone


def bent_end(
    u: float, bones: Any, start: float, stop: float, middle: int, first: float, second: float
) -> tuple[float, float]:
    """End (x, y) of the chain whose first bone lies on the x axis.

    Every further joint bends by start + u (stop − start), and those before and after the bone `middle` by u·first and
    u·second more [rad].
    """
    x, y, turn = 0.0, 0.0, 0.0
    for i in range(len(bones)):
        if i > 0:
            turn = turn + joint_bend(i, u, start, stop, middle, first, second)
        sine, cosine = sincos(turn)
        x, y = x + bones[i] * cosine, y + bones[i] * sine
    return x, y


def joint_bend(i: int, u: float, start: float, stop: float, middle: int, first: float, second: float) -> float:
    """Bend of joint i > 0 [rad], as bent_end has it."""
    more = first if i == middle else (second if i == middle + 1 else 0.0)
    return start + u * (stop - start) + u * more


def excess(
    u: float, bones: Any, d: float, start: float, stop: float, middle: int, first: float, second: float
) -> float:
    """How much farther than d the end of that chain is from its root."""
    x, y = bent_end(u, bones, start, stop, middle, first, second)
    return sqrt(x * x + y * y) - d


def narrowed(
    a: float, b: float, bones: Any, d: float, start: float, stop: float, middle: int, first: float, second: float
) -> tuple[float, int]:
    """The u between a, where the end is too far, and b where it is not, at which it is at d; steps used."""
    fa = excess(a, bones, d, start, stop, middle, first, second)
    fb = excess(b, bones, d, start, stop, middle, first, second)
    used, side = 0, 0
    while used < 60 and fa > 0.0 and fb < 0.0 and b - a > 1e-16:
        used += 1
        m = (a * fb - b * fa) / (fb - fa)
        m = m if m > a and m < b else 0.5 * (a + b)
        fm = excess(m, bones, d, start, stop, middle, first, second)
        if fm > 0.0:
            fb = 0.5 * fb if side > 0 else fb
            a, fa, side = m, fm, 1
        else:
            fa = 0.5 * fa if side < 0 else fa
            b, fb, side = m, fm, -1
    return (a if fa <= 0.0 else b), used


def scan(bones: Any, d: float) -> tuple[float, float, bool]:
    """Two shares of half a turn between which the arc's end passes d for the first time; else the nearest, twice."""
    samples = SCAN * len(bones)
    best, least = 0.0, excess(0.0, bones, d, 0.0, PI, 0, 0.0, 0.0)
    if least <= 0.0:
        return 0.0, 0.0, True
    for k in range(samples):
        off = excess((k + 1) / samples, bones, d, 0.0, PI, 0, 0.0, 0.0)
        if off <= 0.0:
            return k / samples, (k + 1) / samples, True
        if off < least:
            best, least = (k + 1) / samples, off
    return best, best, False


def triangle(bones: Any) -> tuple[int, float, float]:
    """The bone in the middle of the chain, and the bends before and after it that close the chain, or fold it flat."""
    whole, before, middle = 0.0, 0.0, 0
    for i in range(len(bones)):
        whole += bones[i]
    while middle + 1 < len(bones) and before + bones[middle] < 0.5 * whole:
        before += bones[middle]
        middle += 1
    bone = bones[middle]
    after = whole - before - bone
    after = after if after > 0.0 else 0.0
    return middle, PI - corner(before, bone, after), PI - corner(bone, after, before)


def corner(one: float, other: float, across: float) -> float:
    """Angle of a triangle between two sides [rad]: 0 where the two leave no triangle, or one of them is missing."""
    part = (across - one + other) * (across + one - other)
    part = part if part > 0.0 and one > 0.0 and other > 0.0 else 0.0
    rest = (one + other - across) * (one + other + across)
    return 2.0 * atan2(sqrt(part), sqrt(rest if rest > 0.0 else 0.0))


def arc_pose(tx: float, ty: float, bones: Any, bend: float, q: Any) -> int:
    """The arc to the target, on the side of `bend` (+1: to the left of root -> target), into q; steps used."""
    d = sqrt(tx * tx + ty * ty)
    a, b, found = scan(bones, d)
    start, stop, middle, first, second = 0.0, PI, 0, 0.0, 0.0
    if not found:
        middle, first, second = triangle(bones)
        start, stop, a, b = PI * a, 0.0, 0.0, 1.0
    u, used = narrowed(a, b, bones, d, start, stop, middle, first, second)
    x, y = bent_end(u, bones, start, stop, middle, first, second)
    side = -1.0 if bend >= 0.0 else 1.0
    q[0] = wrap(atan2(ty, tx) - side * atan2(y, x))
    for i in range(1, len(bones)):
        q[i] = side * wrap(joint_bend(i, u, start, stop, middle, first, second))
    return used
