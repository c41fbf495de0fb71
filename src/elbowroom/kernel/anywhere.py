"""One limb, any numbers: softness, stretch, zero-length bones, the target on the root, 1e-300 to 1e150.

The same geometry as two_bone.py, written so that nothing overflows and nothing divides by zero. It costs more, so the
flow sends only those elements here that need it.
"""

from __future__ import annotations

from math import sqrt

from elbowroom.kernel.exact import two_sum
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.reach import bands, soft
from elbowroom.kernel.trig import atan2, wrap
from elbowroom.kernel.two_bone import brackets, limb

PI = 3.141592653589793
UP_1, UP_2, DOWN = 2.0**300, 2.0**800, 2.0**-300
MANY = 4096.0  # times the reach: farther targets differ in direction only (the soft curves end within 1500)
F_FAR, F_NEAR, F_SOFT, F_STRETCH, F_DEGENERATE = 1.0, 2.0, 4.0, 16.0, 128.0  # the values of Why


@leaf
def size(x: float, y: float) -> float:
    """The larger magnitude."""
    x = x if x > 0.0 else -x
    y = y if y > 0.0 else -y
    return (x if x > y else y) + 0.0


@leaf
def scale(m: float) -> float:
    """A power of two that brings m into the range where squares are safe."""
    return DOWN if m > 1e60 else (1.0 if m >= 1e-60 else (UP_1 if m >= 1e-150 else UP_2))


@leaf
def unit(x: float, y: float, fx: float, fy: float) -> tuple[float, float]:
    """(x, y) at length 1; (fx, fy) at length 1 where (x, y) is zero."""
    zero = x == 0.0 and y == 0.0
    x = fx if zero else x
    y = fy if zero else y
    grow = scale(size(x, y))
    x, y = x * grow, y * grow
    r = sqrt(x * x + y * y)
    return x / r + 0.0, y / r + 0.0


@leaf
def length(x: float, y: float) -> float:
    """sqrt(x^2 + y^2) without overflow."""
    m = size(x, y)
    safe = m if m > 0.0 else 1.0
    x, y = x / safe, y / safe
    return m * sqrt(x * x + y * y)


@leaf
def any_limb(
    dx: float, dy: float, a: float, b: float, bend: float,
    softness: float, inner: float, curve: float, stretch: float, fx: float, fy: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float]:  # fmt: skip
    """Elbow and end (x, y) from the root, direction of the upper bone, sqrt P, sqrt Q, bone scale k, flags.

    A bone so short that the reach does not notice it (a + b = b) counts as one of length zero: it has no angle.
    """
    at_root = dx == 0.0 and dy == 0.0
    ux, uy = unit(dx, dy, fx, fy)
    up = scale(a + b)
    a, b = a * up, b * up
    reach, rr, rr_lo, hh, hh_lo, hr, hr_lo = limb(a, b)
    flat = reach <= a or reach <= b
    hole = a - b if a > b else b - a
    least = a if a < b else b
    asked = length(dx, dy) * up
    beyond = asked > MANY * reach
    x = MANY * reach * ux if beyond else dx * up
    y = MANY * reach * uy if beyond else dy * up
    dd, dd_lo, p, q = brackets(x, y, rr, rr_lo, hh, hh_lo)
    d = length(x, y)
    far, near = p < 0.0 or beyond, q < 0.0
    s, i = bands(reach, hole, softness, inner)
    f, root, zone = soft(d, reach, hole, s, i, curve)
    f = reach if zone == 0.0 and far else (hole if zone == 0.0 and near else f)
    gap = root * root if zone != 0.0 else 0.0
    wide = zone > 0.0 and f < 0.5 * reach  # f has all its digits; elsewhere f - |l| would lose those of a short bone
    left = f - hole if wide else 2.0 * least - gap
    kept = f + hole if wide else 2.0 * (reach - least) + (gap if zone < 0.0 else -gap)
    rest = sqrt(left if left > 0.0 else 0.0) * sqrt(kept if kept > 0.0 else 0.0)
    sp = root * sqrt(2.0 * reach - gap) if zone > 0.0 else (rest if zone < 0.0 else sqrt(p if p > 0.0 else 0.0))
    open_q = sqrt(q if q > 0.0 else 0.0) if hole > 0.0 else d
    sq = rest if zone > 0.0 else (root * sqrt(2.0 * hole + gap) if zone < 0.0 else open_q)
    exact = zone == 0.0 and not (far or near)
    folded = f <= 0.0
    over = 1.0 if folded else f
    twice = 2.0 * over
    u, u_lo = two_sum(dd, hr)
    u = (u + (u_lo + (dd_lo + hr_lo))) / twice
    soft_u = a * ((a - b) / over) + sq * (sq / twice)  # the same from Q: f was rounded to L's last place, Q was not
    u = 0.0 if folded else (u if exact else (a if far and zone == 0.0 else soft_u))
    v = bend * (a if folded else sp * (sq / twice))
    moved = zone != 0.0 or far or near
    k = asked / over if moved and stretch > 0.0 and not folded else 1.0
    most = 1.0 + stretch
    fewest = 1.0 - stretch if stretch < 1.0 else 0.0
    capped = most if k > most else (fewest if k < fewest else k)
    hits = exact or (stretch > 0.0 and capped == k and not folded)
    down = 1.0 / up
    arm = capped * down
    flags = (F_FAR if far else 0.0) + (F_NEAR if near else 0.0) + (F_SOFT if zone != 0.0 else 0.0)
    flags = flags + (F_STRETCH if capped != 1.0 else 0.0) + (F_DEGENERATE if at_root or flat else 0.0)
    ex, ey = (u * ux - v * uy) * arm, (u * uy + v * ux) * arm
    gx = dx if hits else f * ux * arm
    gy = dy if hits else f * uy * arm
    u, v = u * scale(a), v * scale(a)
    px = ux if flat else u * ux - v * uy
    py = uy if flat else u * uy + v * ux
    return ex, ey, gx, gy, px, py, 0.0 if flat else sp, 1.0 if flat else sq, capped, flags


@leaf
def limb_angles(px: float, py: float, sp: float, sq: float, bend: float, base: float) -> tuple[float, float]:
    """Upper angle from `base` and lower angle from the upper bone, both in (-pi, pi]."""
    upper = wrap(atan2(py + 0.0, px + 0.0) - base)
    lower = -bend * (2.0 * atan2(sp, sq)) + 0.0
    return upper, PI if lower <= -PI else lower
