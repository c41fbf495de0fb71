"""The scalar source of every chain solver's beginning and end: interpreted for floats, compiled by Numba for batches.

Inside, a chain has its root at (0, 0), its base along x, and lengths that are shares of its reach; so one set of
constants serves limbs of 1e-150 and of 1e150. `core` is the solver between the two: chainlanes.py puts it in.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from elbowroom.kernel.anywhere import F_DEGENERATE, F_FAR, F_NEAR, length, size, unit
from elbowroom.kernel.limits import F_LIMIT
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.trig import PI, TURN, atan2, sincos, wrap

F_BUDGET = 64.0  # the value of Why.BUDGET
SLACK = 1e-15  # of reach: no more than this beyond a bound is rounding
OUTSIDE = 1e-12  # [rad] no more than this outside a range is rounding
MANY = 1048576.0  # times the reach: of farther targets only the direction counts
ROWS = 17  # of n numbers each, for the solvers to work in
RESULTS = 5  # error, flags, iterations, direction x and y


@leaf
def within(angle: float, low: float, high: float) -> float:
    """The angle of a range nearest to `angle` modulo a turn, as it counts within the range [rad]."""
    middle = 0.5 * (low + high)
    near = angle if angle >= low and angle <= high else wrap(angle - middle) + middle
    return low if near < low else (high if near > high else near)


@leaf
def outside(angle: float, low: float, high: float) -> float:
    """How far an angle lies outside a range, signed: negative below its low end, 0 inside [rad]."""
    middle = 0.5 * (low + high)
    near = angle if angle >= low and angle <= high else wrap(angle - middle) + middle
    off = near - low if near < low else (near - high if near > high else 0.0)
    return 0.0 if high - low >= TURN or (off <= OUTSIDE and off >= -OUTSIDE) else off


def core(
    tx: float, ty: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, bend: float,
    iterations: int, tolerance: float, settings: Any, work: Any,
) -> int:  # fmt: skip
    """Bring the end to (tx, ty) [reach] by turning q in place; iterations used.

    bones, tx, ty [reach];  q (n,) [rad]: each relative to the bone before, inside [low, high] where limited, otherwise
    in (-pi, pi], at the beginning and at the end;  settings: numbers of this solver;  work: ROWS rows of n numbers
    """
    raise NotImplementedError


def solve_row(
    rx: float, ry: float, tx: float, ty: float, base: float, bend: float, lengths: Any, q: Any, low: Any, high: Any,
    iterations: int, tolerance: float, settings: Any, bones: Any, limited: Any, work: Any, joints: Any, out: Any,
) -> None:  # fmt: skip
    """One chain from arguments to results: q, joints (n+1 rows of x, y) and out (RESULTS,) are written."""
    dx, dy = tx - rx, ty - ry
    reach, longest, void = shares(lengths, bones)
    moved = limit(q, low, high, limited)
    x, y, flags = asked(dx, dy, base, reach, longest)
    flags = flags + (F_DEGENERATE if void or (dx == 0.0 and dy == 0.0) else 0.0)
    used, spent = 0, False
    if reach > 0.0 and not settled(x, y, longest, bones, q, low, high, limited, work[0]):
        side = bend if bend != 0.0 else 1.0
        used = core(x, y, bones, q, low, high, limited, side, iterations, 0.999999 * tolerance, settings, work)
        spent = used >= iterations
    error, ex, ey = draw(rx, ry, dx, dy, base, lengths, q, joints)
    if moved or (used > 0 and at_end(q, low, high, limited)):
        flags = flags + F_LIMIT
    if not error <= tolerance * reach and (spent or flags == 0.0):
        flags = flags + F_BUDGET
    out[0], out[1], out[2] = error, flags, float(used)
    out[3], out[4] = unit(dx, dy, ex, ey)


def solve_rows(
    rx: Any, ry: Any, tx: Any, ty: Any, base: Any, bend: Any, lengths: Any, q: Any, low: Any, high: Any,
    iterations: int, tolerance: float, settings: Any, bones: Any, limited: Any, work: Any, joints: Any, out: Any,
) -> None:  # fmt: skip
    """solve_row of N chains: arrays (N,) and (N, n); joints (N, n+1, 2), out (N, RESULTS)."""
    for i in range(len(rx)):
        solve_row(
            rx[i], ry[i], tx[i], ty[i], base[i], bend[i], lengths[i], q[i], low[i], high[i],
            iterations, tolerance, settings, bones, limited, work, joints[i], out[i],
        )  # fmt: skip


def shares(lengths: Any, bones: Any) -> tuple[float, float, bool]:
    """Lengths as shares of their sum, into `bones`: the sum, the longest share, whether a bone has no length."""
    reach, longest, void = 0.0, 0.0, False
    for i in range(len(lengths)):
        reach = reach + lengths[i]
    for i in range(len(lengths)):
        bones[i] = lengths[i] / reach if reach > 0.0 else 0.0
        longest = bones[i] if bones[i] > longest else longest
        void = void or bones[i] <= SLACK * SLACK
    return reach, longest, void


def limit(q: Any, low: Any, high: Any, limited: Any) -> bool:
    """Bring every angle into its range; whether one was outside."""
    moved = False
    for i in range(len(q)):
        limited[i] = high[i] - low[i] < TURN
        if limited[i]:
            moved = moved or outside(q[i], low[i], high[i]) != 0.0
            q[i] = within(q[i], low[i], high[i])
        else:
            q[i] = wrap(q[i])
    return moved


def asked(dx: float, dy: float, base: float, reach: float, longest: float) -> tuple[float, float, float]:
    """Target (x, y) [reach] seen from the base, and the flags FAR and NEAR."""
    if not reach > 0.0:
        return 0.0, 0.0, (F_FAR if dx != 0.0 or dy != 0.0 else 0.0)
    if size(dx, dy) > MANY * reach:
        x, y = unit(dx, dy, 1.0, 0.0)
        x, y = MANY * x, MANY * y
    else:
        x, y = dx / reach, dy / reach
    d = sqrt(x * x + y * y)
    near = 2.0 * longest - 1.0 > 0.0 and d < 2.0 * longest - 1.0 - SLACK
    sine, cosine = sincos(base)
    return x * cosine + y * sine, y * cosine - x * sine, (F_FAR if d > 1.0 + SLACK else (F_NEAR if near else 0.0))


def settled(
    tx: float, ty: float, longest: float, bones: Any, q: Any, low: Any, high: Any, limited: Any, pose: Any
) -> bool:
    """Answer a target out of reach by the straight pose, one in the dead zone by the folded one, if limits allow."""
    d, hole = sqrt(tx * tx + ty * ty), 2.0 * longest - 1.0
    if d < 1.0 and not (hole > 0.0 and d <= hole):
        return False
    x, y = (tx, ty) if d > 0.0 else tip(bones, q)
    first = 0
    while d < 1.0 and bones[first] < longest:
        first += 1
    for i in range(len(bones)):
        pose[i] = PI if d < 1.0 and i > 0 and (i == first or i == first + 1) else 0.0
    pose[0] = wrap(atan2(y, x) + (PI if d < 1.0 and first > 0 else 0.0))
    for i in range(len(bones)):
        if limited[i] and outside(pose[i], low[i], high[i]) != 0.0:
            return False
    for i in range(len(bones)):
        q[i] = within(pose[i], low[i], high[i]) if limited[i] else pose[i]
    return True


def tip(bones: Any, q: Any) -> tuple[float, float]:
    """Where the end is."""
    turn, x, y = 0.0, 0.0, 0.0
    for i in range(len(bones)):
        turn = turn + q[i]
        sine, cosine = sincos(turn)
        x, y = x + bones[i] * cosine, y + bones[i] * sine
    return x, y


def draw(
    rx: float, ry: float, dx: float, dy: float, base: float, lengths: Any, q: Any, joints: Any
) -> tuple[float, float, float]:
    """Joints of the angles; the end's distance from the target, and the direction it lies in (x, y)."""
    turn, x, y = base, 0.0, 0.0
    joints[0][0], joints[0][1] = rx, ry
    for i in range(len(q)):
        turn = turn + q[i]
        sine, cosine = sincos(turn)
        x, y = x + lengths[i] * cosine, y + lengths[i] * sine
        joints[i + 1][0], joints[i + 1][1] = rx + x, ry + y
    at_root = x == 0.0 and y == 0.0
    return length(dx - x, dy - y), (1.0 if at_root else x), (0.0 if at_root else y)


def at_end(q: Any, low: Any, high: Any, limited: Any) -> bool:
    """Whether a joint stands at an end of its range."""
    for i in range(len(q)):  # noqa: SIM110 - `any` would not compile
        if limited[i] and (q[i] - low[i] <= OUTSIDE or high[i] - q[i] <= OUTSIDE):
            return True
    return False
