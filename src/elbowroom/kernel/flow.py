"""A call of two_bone from its arguments to its answer: one limb, nested lists of them, or arrays."""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.anywhere import length, limb_angles, unit
from elbowroom.kernel.engine import check_engine
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.keep import displaced, limited
from elbowroom.kernel.limits import fits, limited_angles, overs
from elbowroom.kernel.loops import full_limb
from elbowroom.kernel.ranges import range_ends
from elbowroom.kernel.reach import curve_code
from elbowroom.kernel.reading import MOST_TURN, nested
from elbowroom.kernel.solution import Solution, Why
from elbowroom.kernel.two_bone import NUMBERS, bones_of, place, plain_full, plain_limb

TURNS = 1e6  # [rad]: ordinary limits
TOLERANCE = 1e-9  # of reach: below this a closed form has reached


def solve_limbs(
    root: Any, target: Any, upper: Any, lower: Any, bend: Any, softness: Any, curve: str, inner_softness: Any,
    limits: Any, max_stretch: Any, base: Any, fallback: Any, engine: str,
) -> Solution:  # fmt: skip
    """Every call of two_bone that is not the plain one: checks, broadcasting, batches."""
    call = Call("two_bone")
    call.point("root", root)
    call.point("target", target)
    call.number("upper", upper, low=0.0)
    call.number("lower", lower, low=0.0)
    call.side("bend", bend)
    call.number("softness", softness, low=0.0, high=1.0)
    call.number("inner_softness", inner_softness, low=0.0, high=1.0)
    call.constant(curve_code(curve))
    call.number("max_stretch", max_stretch, low=0.0)
    call.number("base", base, -MOST_TURN, MOST_TURN)
    call.direction("fallback", fallback)
    check_engine(engine)
    if limits is not None:
        call.ranges("limits", limits, 2)
    if call.plain:
        one = solve_limb if limits is None else limited_one
        return gather([one(*element) for element in zip(*call.columns, strict=True)], call.shape)
    from elbowroom.kernel.batch import LimbBatch

    return LimbBatch(call.columns, call.shape, engine).solution()


def solve_limb(
    rx: float, ry: float, tx: float, ty: float, a: float, b: float, bend: float, softness: float, inner: float,
    curve: float, stretch: float, base: float, fx: float, fy: float,
) -> Solution:  # fmt: skip
    """One limb of plain numbers."""
    bend = bend if bend else 1.0
    dx, dy = tx - rx, ty - ry
    parts = full_limb(dx, dy, a, b, bend, softness, inner, curve, stretch, fx, fy)
    ex, ey, gx, gy, px, py, sp, sq, k, flags = parts
    error = length(gx - dx, gy - dy)
    end = place(rx, gx, dx, tx), place(ry, gy, dy, ty)
    return Solution(
        _limb_later, (px, py, sp, sq, bend, base, dx, dy, fx, fy), joints=((rx, ry), (rx + ex, ry + ey), end),
        error=error, reached=error <= TOLERANCE * (a + b), why=Why(int(flags)), over=(0.0, 0.0), stretch=k,
        iterations=0,
    )  # fmt: skip


def limited_one(
    rx: float, ry: float, tx: float, ty: float, a: float, b: float, bend: float, softness: float, inner: float,
    curve: float, stretch: float, base: float, fx: float, fy: float,
    low_1: float, high_1: float, low_2: float, high_2: float,
) -> Solution:  # fmt: skip
    """One limb of plain numbers within the ranges of its joints."""
    dx, dy = tx - rx, ty - ry
    ranges = (low_1, high_1, low_2, high_2)
    ends = range_ends(base, *ranges)
    setting = (dx, dy, a, b, bend, softness, inner, curve)
    ex, ey, gx, gy, px, py, sp, sq, k, flags = limited(*setting, stretch, fx, fy, *ends)
    end = place(rx, gx, dx, tx), place(ry, gy, dy, ty)
    state = (px, py, sp, sq), bend if bend else 1.0, base, ranges, setting, fx, fy, gx, gy, k, flags
    return Solution(_limited_later, state, joints=((rx, ry), (rx + ex, ry + ey), end))


def limited_plain(
    limits: Any, rx: float, ry: float, tx: float, ty: float, a: float, b: float, bend: float
) -> Solution | None:
    """The plain single call of two_bone with limits; None for limits that need a closer look."""
    try:
        (low_1, high_1), (low_2, high_2) = limits
        kinds = {type(low_1), type(high_1), type(low_2), type(high_2)}
        right = kinds <= NUMBERS and -TURNS <= low_1 <= high_1 <= TURNS and -TURNS <= low_2 <= high_2 <= TURNS
    except (TypeError, ValueError):
        return None
    if not right:
        return None
    ranges, dx, dy = (low_1 + 0.0, high_1 + 0.0, low_2 + 0.0, high_2 + 0.0), tx - rx, ty - ry
    ends, first = range_ends(0.0, *ranges), bend if bend else 1.0
    found = plain_full(dx, dy, *plain_limb(dx, dy, first, *bones_of(a, b)))
    if not fits(*found[4:8], first, *ends):
        found = displaced(found, dx, dy, a, b, bend, 0.0, 0.0, 0.0, 1.0, 0.0, *ends)
    ex, ey, gx, gy, px, py, sp, sq, k, flags = found
    answer = Solution()
    answer.joints = (rx, ry), (rx + ex, ry + ey), (place(rx, gx, dx, tx), place(ry, gy, dy, ty))
    setting = (dx, dy, a, b, bend, 0.0, 0.0, 0.0)
    answer._later = _limited_later
    answer._state = (px, py, sp, sq), first, 0.0, ranges, setting, 1.0, 0.0, gx, gy, k, flags
    return answer


def _limited_later(state: tuple[Any, ...], name: str) -> Any:
    (px, py, sp, sq), bend, base, ranges, (dx, dy, a, b, _, softness, inner, curve), fx, fy, gx, gy, k, flags = state
    if name == "angles":
        return limited_angles(px, py, sp, sq, bend, base, *ranges)
    if name == "over":
        free = full_limb(dx, dy, a, b, bend, softness, inner, curve, 0.0, fx, fy)
        return overs(*free[4:8], bend, base, *ranges)
    if name == "direction":
        return unit(dx, dy, fx, fy)
    if name == "error":
        return length(gx - dx, gy - dy)
    if name == "reached":
        return length(gx - dx, gy - dy) <= TOLERANCE * (a + b)
    return {"why": Why(int(flags)), "stretch": k, "iterations": 0}[name]


def _limb_later(state: tuple[float, ...], name: str) -> Any:
    return limb_angles(*state[:6]) if name == "angles" else unit(*state[6:])


def plain_field(
    name: str, dx: float, dy: float, ex: float, ey: float, k: float, p: float, q: float, bend: float, a: float, b: float
) -> Any:
    """A field of the plain single call of two_bone."""
    if name == "angles":
        return limb_angles(ex, ey, sqrt(p if p > 0.0 else 0.0), sqrt(q if q > 0.0 else 0.0), bend, 0.0)
    if name == "direction":
        return unit(dx, dy, 1.0, 0.0)
    if name == "error":
        return length(k * dx - dx, k * dy - dy)
    if name == "reached":
        return length(k * dx - dx, k * dy - dy) <= TOLERANCE * (a + b)
    if name == "why":
        return Why.FAR if p < 0.0 else (Why.NEAR if q < 0.0 else Why(0))
    return {"over": (0.0, 0.0), "stretch": 1.0, "iterations": 0}[name]


def gather(parts: list[Solution], shape: tuple[int, ...]) -> Solution:
    """Solutions of single elements as one solution of nested tuples."""
    if not shape:
        return parts[0]
    return Solution(_gather_later, (parts, shape))


def _gather_later(state: tuple[list[Solution], tuple[int, ...]], name: str) -> Any:
    parts, shape = state
    return nested([getattr(part, name) for part in parts], shape)
