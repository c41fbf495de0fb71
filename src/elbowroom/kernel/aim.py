"""One bone that looks at its target."""

from __future__ import annotations

from typing import Any

from elbowroom.kernel.anywhere import F_DEGENERATE, F_FAR, F_NEAR, length, scale, size, unit
from elbowroom.kernel.exact import square, two_sum
from elbowroom.kernel.flow import TOLERANCE, gather
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.limits import F_LIMIT, beyond, ends, inside, turned_into, within
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.reading import MOST_TURN
from elbowroom.kernel.solution import Solution, Why
from elbowroom.kernel.trig import PI, atan2, wrap
from elbowroom.kernel.two_bone import place

FREE_TURN = ((-PI, PI),)  # what an angle without limits is: a whole turn, in (-pi, pi]


@leaf
def aim_bone(
    rx: float, ry: float, tx: float, ty: float, bone: float, base: float, fx: float, fy: float, low: float, high: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """Tip (x, y), direction (x, y), angle from base within low to high, error, flags, how far outside it would be."""
    dx, dy = tx - rx, ty - ry
    free_x, free_y = unit(dx, dy, fx, fy)
    ax, ay, bx, by, width = ends(low + base, high + base)
    ux, uy = turned_into(free_x, free_y, ax, ay, bx, by, width)
    kept = inside(free_x, free_y, ax, ay, bx, by, width)
    asked = wrap(atan2(free_y, free_x) - base)
    angle = within(wrap(atan2(uy, ux) - base), low, high)
    gx, gy = bone * ux, bone * uy
    up = scale(size(size(dx, dy), bone))
    xx, xx_lo = square(dx * up)
    yy, yy_lo = square(dy * up)
    bb, bb_lo = square(bone * up)
    dd, dd_lo = two_sum(xx, yy)
    more, more_lo = two_sum(dd, -bb)
    more = more + (more_lo + (dd_lo + (xx_lo + yy_lo) - bb_lo))
    idle = (dx == 0.0 and dy == 0.0) or bone <= 0.0
    flags = (F_FAR if more > 0.0 else (F_NEAR if more < 0.0 else 0.0)) + (F_DEGENERATE if idle else 0.0)
    flags = flags + (0.0 if kept else F_LIMIT)
    hits = more == 0.0 and kept
    gx, gy = dx if hits else gx, dy if hits else gy
    tip_x, tip_y = place(rx, gx, dx, tx), place(ry, gy, dy, ty)
    over = 0.0 if kept else beyond(asked, low, high)
    return tip_x, tip_y, free_x, free_y, angle, length(gx - dx, gy - dy), flags, over


def aim(
    root: Any, target: Any, length: Any, *, limits: Any = None, base: Any = 0.0, fallback: Any = (1.0, 0.0)
) -> Solution:
    """Turn one bone toward a target.

    root, target : (..., 2) [length]; length : (...) [length] >= 0; base : (...) [rad]
    limits : (1, 2) or (..., 1, 2) [rad]  low, high of the angle, modulo a turn
    fallback : (..., 2)  where to look when the target is exactly on the root
    Returns Solution with joints (..., 2, 2) and angles (..., 1). `error` is the distance from the tip to the target:
    FAR or NEAR unless the bone is exactly as long as the target is far. Raises InputError.

    >>> aim((3, 4), (3, 9), 5).joints
    ((3.0, 4.0), (3.0, 9.0))
    """
    call = Call("aim")
    call.point("root", root)
    call.point("target", target)
    call.number("length", length, low=0.0)
    call.number("base", base, -MOST_TURN, MOST_TURN)
    call.direction("fallback", fallback)
    call.ranges("limits", FREE_TURN if limits is None else limits, 1)
    if call.plain:
        return gather([_aim_one(*element) for element in zip(*call.columns, strict=True)], call.shape)
    return _aim_rows(call.columns, call.shape)


def _aim_one(rx: float, ry: float, *rest: float) -> Solution:
    x, y, ux, uy, angle, error, flags, over = aim_bone(rx, ry, *rest)
    reached = error <= TOLERANCE * rest[2]
    return Solution(
        joints=((rx, ry), (x, y)), angles=(angle,), error=error, reached=reached, why=Why(int(flags)), over=(over,),
        stretch=1.0, iterations=0, direction=(ux, uy),
    )  # fmt: skip


def _aim_rows(columns: list[Any], shape: tuple[int, ...]) -> Solution:
    import numpy as np

    from elbowroom.kernel.engine import rows

    found = rows().aim_bone(*columns)
    rx, ry, x, y, ux, uy, angle, error, flags, over = (np.broadcast_to(v, shape).reshape(shape) if np.ndim(v) == 0 else
                                                 v.reshape(shape) for v in (*columns[:2], *found))  # fmt: skip
    return Solution(
        joints=np.stack([np.stack([rx, ry], -1), np.stack([x, y], -1)], -2), angles=angle[..., None], error=error,
        reached=np.asarray(error <= TOLERANCE * np.reshape(columns[4], shape if np.ndim(columns[4]) else ())),
        why=flags.astype(np.int64), over=over[..., None], stretch=np.ones(shape),
        iterations=np.zeros(shape, dtype=np.int64), direction=np.stack([ux, uy], -1),
    )  # fmt: skip
