"""A call of two_bone from its arguments to its answer: one limb, nested lists of them, or arrays."""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.errors import InputError
from elbowroom.kernel.anywhere import length, limb_angles, unit
from elbowroom.kernel.engine import check_engine
from elbowroom.kernel.inputs import Call, nested
from elbowroom.kernel.loops import full_limb
from elbowroom.kernel.reach import curve_code
from elbowroom.kernel.solution import Solution, Why
from elbowroom.kernel.two_bone import place

MOST_TURN = 1e15  # [rad]: beyond, a float cannot tell directions apart
TOLERANCE = 1e-9  # of reach: below this a closed form has reached


def solve_limbs(
    root: Any, target: Any, upper: Any, lower: Any, bend: Any, softness: Any, curve: str, inner_softness: Any,
    limits: Any, max_stretch: Any, base: Any, fallback: Any, engine: str,
) -> Solution:  # fmt: skip
    """Every call of two_bone that is not the plain one: checks, broadcasting, batches."""
    if limits is not None:
        raise InputError("two_bone limits: not supported yet in this version (leave limits=None)")
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
    if call.plain:
        return gather([solve_limb(*element) for element in zip(*call.columns, strict=True)], call.shape)
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
