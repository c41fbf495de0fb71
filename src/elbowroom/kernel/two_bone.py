"""The two-bone limb in closed form. Read this file first: everything else serves it.

              elbow                    a, b    upper and lower bone            L = a + b    reach
             /     \\                   d       root to target                  l = a - b    (|l|: the dead zone)
          a /       \\ b               gamma   angle inside the elbow
           /         \\                 alpha   angle between upper bone and root-target line
        root - - d - - target

The law of cosines, without acos. Everything comes from two brackets that are exact where they vanish:

    P = L^2 - d^2   0 at full extension        Q = d^2 - l^2   0 at full fold

    elbow bend        pi - gamma = 2 atan2(sqrt P, sqrt Q)          lower angle = -bend (pi - gamma)
    elbow position    along the line (d^2 + l L) / 2d, across it bend sqrt(P Q) / 2d

The lower angle has the *opposite* sign of the shoulder offset: upper = phi + bend alpha, lower = -bend (pi - gamma).
acos would lose half the digits at both ends; squares carried as hi + lo (exact.py) keep them all. `bend` is the
caller's state, +1 for an elbow left of root -> target (y up), and is never read from a pose, so it cannot flip.

Here is the plain case: hard clamp, ordinary magnitudes, target off the root. Softness, stretch, degenerate and huge
or tiny limbs take the leaf in anywhere.py; flow.py sends each element to the right one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import sqrt
from typing import Any

from elbowroom.kernel.exact import product, square, two_sum
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.solution import Solution

NUMBERS, PAIRS = {int, float}, (tuple, list)
DEFAULTS = (0.0, 0.0, 0.0, 0.0, (1.0, 0.0), "exponential", "auto")
TINY, HUGE = 1e-60, 1e60  # outside: squares would leave the range of floats


@leaf
def limb(a: float, b: float) -> tuple[float, float, float, float, float, float, float]:
    """What depends on the bones alone: L, then L^2, l^2 and l L, each as hi + lo."""
    reach, reach_lo = two_sum(a, b)
    hole, hole_lo = two_sum(a, -b)
    rr, rr_lo = square(reach)
    hh, hh_lo = square(hole)
    hr, hr_lo = product(hole, reach)
    rr_lo = rr_lo + 2.0 * (reach * reach_lo)
    hh_lo = hh_lo + 2.0 * (hole * hole_lo)
    hr_lo = hr_lo + (hole * reach_lo + hole_lo * reach)
    return reach, rr, rr_lo, hh, hh_lo, hr, hr_lo


@leaf
def brackets(
    dx: float, dy: float, rr: float, rr_lo: float, hh: float, hh_lo: float
) -> tuple[float, float, float, float]:
    """d^2 as hi + lo, P and Q: negative where the target is too far or too near."""
    xx, xx_lo = square(dx)
    yy, yy_lo = square(dy)
    dd, dd_lo = two_sum(xx, yy)
    dd_lo = dd_lo + (xx_lo + yy_lo)
    p, p_lo = two_sum(rr, -dd)
    q, q_lo = two_sum(dd, -hh)
    return dd, dd_lo, p + (p_lo + (rr_lo - dd_lo)), q + (q_lo + (dd_lo - hh_lo))


@leaf
def elbow(
    dx: float, dy: float, bend: float, c: float, c_lo: float, k: float, pq: float, hr: float, hr_lo: float
) -> tuple[float, float]:
    """Elbow (x, y) from the root: c = d^2 after clamping, k the factor that clamps d, pq = P Q or 0."""
    h = k / (2.0 * c)
    u, u_lo = two_sum(c, hr)
    u = (u + (u_lo + (c_lo + hr_lo))) * h
    v = bend * (sqrt(pq) * h)
    return u * dx - v * dy, u * dy + v * dx


@leaf
def plain_limb(
    dx: float, dy: float, bend: float, rr: float, rr_lo: float, hh: float, hh_lo: float, hr: float, hr_lo: float
) -> tuple[float, float, float, float, float]:
    """Elbow (x, y) from the root, the factor k that clamps the target to the annulus, P and Q."""
    dd, dd_lo, p, q = brackets(dx, dy, rr, rr_lo, hh, hh_lo)
    far, near = p < 0.0, q < 0.0
    c = rr if far else (hh if near else dd)
    c_lo = rr_lo if far else (hh_lo if near else dd_lo)
    k = sqrt(c / dd)
    ex, ey = elbow(dx, dy, bend, c, c_lo, k, 0.0 if far or near else p * q, hr, hr_lo)
    return ex, ey, k, p, q


@leaf
def plain_full(
    dx: float, dy: float, ex: float, ey: float, k: float, p: float, q: float
) -> tuple[float, float, float, float, float, float, float, float, float, float]:
    """What any_limb returns, from the results of plain_limb."""
    flags = 1.0 if p < 0.0 else (2.0 if q < 0.0 else 0.0)
    sp, sq = sqrt(p if p > 0.0 else 0.0), sqrt(q if q > 0.0 else 0.0)
    return ex, ey, k * dx, k * dy, ex, ey, sp, sq, 1.0, flags


@leaf
def place(root: float, step: float, asked: float, target: float) -> float:
    """root + step, or the target itself where the step is exactly what was asked."""
    return target if step == asked else root + step


@lru_cache(maxsize=256)
def bones_of(a: float, b: float) -> tuple[float, ...]:
    """`limb` without L, remembered: a rig has few limbs and many targets."""
    return limb(a, b)[1:]


def two_bone(
    root: Any,
    target: Any,
    upper: Any,
    lower: Any,
    *,
    bend: Any = 1,
    softness: Any = 0.0,
    curve: str = "exponential",
    inner_softness: Any = 0.0,
    limits: Any = None,
    max_stretch: Any = 0.0,
    base: Any = 0.0,
    fallback: Any = (1.0, 0.0),
    engine: str = "auto",
) -> Solution:
    """Solve an arm or a leg: where is the elbow when the hand reaches for the target, and how far does it miss?

    root, target : (..., 2) [length]            in one space, y up
    upper, lower : (...) [length]               bone lengths, >= 0
    bend : (...) +1 elbow left of root -> target, -1 right; 0 either side (without limits: as +1)
    softness, inner_softness : (...) [fraction of reach]  0..1; curve: "exponential", "cubic", "quadratic"
    limits : (2, 2) or (..., 2, 2) [rad]        radians, not degrees: low, high of the upper bone's angle and of the
                                                lower one's against it, such as np.radians([(-120, 20), (-150, 0)]),
                                                modulo a turn. The answer is the reachable point nearest to the target;
                                                the elbow keeps to the bend's side while its range leaves any of it
    max_stretch : (...) [fraction]              bones may be scaled within 1 +- max_stretch to close the miss
    base : (...) [rad]                          direction that the first angle is measured from
    fallback : (..., 2)                         where to aim when the target is exactly on the root
    engine : "auto", "numpy" or "numba"         for batches; all give the same bits
    Returns Solution; plain numbers in give plain numbers out. A miss is an answer (.error, .why), never an exception.
    Raises InputError for NaN, infinite or > 1e150 numbers, wrong shapes, values out of range.
    Source: law of cosines in the bracket form above; accuracy as W. Kahan's triangle formulas.

    >>> hand = two_bone((0, 0), (300, 0), upper=150, lower=125)
    >>> hand.error, hand.why
    (25.0, <Why.FAR: 1>)
    """
    try:
        (rx, ry), (tx, ty) = root, target
        kinds = {type(rx), type(ry), type(tx), type(ty), type(upper), type(lower), type(bend)}
        rx, ry, tx, ty, a, b = rx + 0.0, ry + 0.0, tx + 0.0, ty + 0.0, upper + 0.0, lower + 0.0
        dx, dy = tx - rx, ty - ry
        far = (dx if dx > 0.0 else -dx) + (dy if dy > 0.0 else -dy)
        plain = (
            kinds <= NUMBERS
            and TINY < far < HUGE
            and a < a + b > b
            and TINY < a + b < HUGE
            and type(root) in PAIRS
            and type(target) in PAIRS
            and type(softness) is type(inner_softness) is type(max_stretch) is type(base) is float
            and (softness, inner_softness, max_stretch, base, fallback, curve, engine) == DEFAULTS
            and (bend == 1 or bend == -1)
        )
    except (TypeError, ValueError, OverflowError):
        plain = False  # a batch, or something that is no number: said where everything is checked
    if plain and limits is not None and type(limits) in PAIRS:
        found = _limited_plain()(limits, rx, ry, tx, ty, a, b, bend)
        if found is not None:
            return found
    if plain and limits is None:
        ex, ey, k, p, q = plain_limb(dx, dy, bend, *bones_of(a, b))
        gx, gy = k * dx, k * dy
        answer = Solution()
        answer.joints = (rx, ry), (rx + ex, ry + ey), (place(rx, gx, dx, tx), place(ry, gy, dy, ty))
        answer._later, answer._state = _later, (dx, dy, ex, ey, k, p, q, bend, a, b)
        return answer
    from elbowroom.kernel.flow import solve_limbs

    return solve_limbs(root, target, upper, lower, bend, softness, curve, inner_softness, limits, max_stretch,
                       base, fallback, engine)  # fmt: skip


@cache
def _limited_plain() -> Callable[..., Solution | None]:
    """The flow of the plain call with limits; an import in every call would cost a tenth of it."""
    from elbowroom.kernel.flow import limited_plain

    return limited_plain


def _later(state: tuple[Any, ...], name: str) -> Any:
    """A field of the plain single call, when somebody asks for it."""
    from elbowroom.kernel.flow import plain_field

    return plain_field(name, *state)
