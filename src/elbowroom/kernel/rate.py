"""A limit on how fast a limb turns when its target passes the root.

A target that passes the root at distance h turns the limb by up to 1/h rad per unit it moves, and by half a turn at
once when h = 0: no solver can have both the target and a calm joint there. Here the direction may turn by
`step / radius` a frame, where `step` is how far the target moved against the root; the distance is kept. So the limb
leaves the target for a while and catches up on the far side.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from elbowroom.errors import InputError
from elbowroom.kernel.anywhere import length, unit
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.inputs import Call
from elbowroom.kernel.ops import leaf
from elbowroom.kernel.reading import is_array, nested
from elbowroom.kernel.solution import Solution, Why
from elbowroom.kernel.trig import PI, atan2, sincos
from elbowroom.kernel.two_bone import two_bone


class Limited(NamedTuple):
    """A track whose direction turns no faster than allowed.

    points : (T, ..., 2) [length]  where it was not turned, the very numbers that were given
    acted : (T, ...) bool          whether the limit turned it
    direction : (T, ..., 2) unit   from the root to each point, kept where they coincide: the solver's `fallback`
    """

    points: Any
    acted: Any
    direction: Any


@leaf
def turned(dx: float, dy: float, px: float, py: float, most: float) -> tuple[float, float, float, float, bool]:
    """(dx, dy) with its direction at most `most` [rad] from the unit vector p; its direction; whether it was turned."""
    ux, uy = unit(dx, dy, px, py)
    angle = atan2(px * uy - py * ux + 0.0, px * ux + py * uy + 0.0)
    held = most < (-angle if angle < 0.0 else angle)
    sine, cosine = sincos(most if held else 0.0)
    sine = -sine if angle < 0.0 else sine
    vx, vy = unit(cosine * px - sine * py, cosine * py + sine * px, px, py)
    d = length(dx, dy)
    return d * vx if held else dx, d * vy if held else dy, vx if held else ux, vy if held else uy, held


def limit_rate(
    root: Any,
    points: Any,
    radius: Any,
    *,
    most: Any = 0.0,
    fps: Any = None,
    times: Any = None,
    fallback: Any = (1.0, 0.0),
) -> Limited:
    """Let the direction from root to target turn only so fast, in a track of targets.

    root : (..., 2) or (T, ..., 2) [length];  points : (T, ..., 2) [length], the first axis is time
    radius : (...) [length]         a target that moves by s against the root turns the limb by s / radius at most;
                                    0.07 of the reach is a good start, 0 sets no limit. A target that keeps farther
                                    from the root than this is not touched
    most : (...) [rad/s]            how much more it may turn in a second. With 0, while the target rests the limb
                                    rests, too, even where it has not caught up; more needs fps or times
    fps, times : [1/s] or (T,) [s]  rate of the samples, or the time of each, rising
    fallback : (..., 2)             the direction of a first target that is on the root
    Returns Limited(points, acted, direction): points to solve for instead, at the same distance from the root. It looks
    back only: sample i does not depend on later ones, and the first is kept. Raises InputError.

    >>> limit_rate((0, 0), [(5, 1), (0, 1), (-5, 1)], radius=50).acted
    (False, True, True)
    """
    call = Call("limit_rate")
    call.point("root", root)
    call.point("points", points)
    call.number("radius", radius, low=0.0)
    call.number("most", most, low=0.0)
    call.direction("fallback", fallback)
    shape, columns = call.shape, _flat(call)
    if not shape:
        raise InputError(f"limit_rate points: {points!r} is one point (give a track, time first)")
    steps = _steps(fps, times, shape[0])
    if steps is None and any(columns[5]):
        raise InputError("limit_rate most: it is in rad a second (give fps=60 or times, too)")
    found, acted, way = _walk(columns, shape[0], steps or [0.0] * shape[0])
    if call.plain:
        return Limited(*(nested(part, shape) for part in (found, acted, way)))
    import numpy as np

    points, direction = (np.array(part).reshape(*shape, 2) for part in (found, way))
    return Limited(points, np.array(acted, dtype=bool).reshape(shape), direction)


def _flat(call: Call) -> list[list[float]]:
    """The columns of a call as lists: one sample depends on the one before, so nothing is gained from arrays."""
    count = 1
    for n in call.shape:
        count *= n
    return [c if isinstance(c, list) else c.tolist() if is_array(c) else [c] * count for c in call.columns]


def _walk(columns: list[list[float]], count: int, steps: list[float]) -> tuple[list[Any], list[bool], list[Any]]:
    """Every sample after the one before; steps [s] to each, the first unused."""
    rows = list(zip(*columns, strict=True))
    width = len(rows) // count if count else 0
    held: list[tuple[float, float]] = []
    points, acted = [], []
    for place, (rx, ry, tx, ty, radius, most, fx, fy) in enumerate(rows):
        dx, dy = tx - rx, ty - ry
        px, py = held[place - width] if place >= width else unit(dx, dy, fx, fy)
        was = rows[place - width] if place >= width else rows[place]
        moved = length(dx - (was[2] - was[0]), dy - (was[3] - was[1]))
        free = place < width or moved >= PI * radius
        limit = PI if free else moved / radius + most * steps[place // width]
        gx, gy, ux, uy, turn = turned(dx, dy, px, py, limit)
        held.append((ux, uy))
        points.append((rx + gx, ry + gy) if turn else (tx, ty))
        acted.append(turn)
    return points, acted, held


def _steps(fps: Any, times: Any, count: int) -> list[float] | None:
    """Seconds to each sample from the one before; None where nothing is known."""
    call = Call("limit_rate")
    if times is None:
        if fps is None:
            return None
        call.number("fps", fps)
        if call.shape or not call.columns[0][0] > 0.0:
            raise InputError(f"limit_rate fps: {fps!r} (give more than 0 samples per second, such as 60)")
        return [1.0 / call.columns[0][0]] * count
    call.number("times", times)
    if call.shape != (count,) or fps is not None:
        raise InputError(f"limit_rate times: shape {call.shape} (give one a sample, ({count},), and no fps)")
    moments = [float(t) for t in call.columns[0]]
    steps = [later - before for before, later in pairwise(moments)]
    for i, step in enumerate(steps, 1):
        if not step > 0.0:
            was = f"{moments[i]:.9g} is not after {moments[i - 1]:.9g}"
            raise InputError(f"limit_rate times[{i}]: {was} (give rising times)")
    return [0.0, *steps]


def follow(
    root: Any,
    targets: Any,
    upper: Any,
    lower: Any,
    *,
    steady: Any = 0.07,
    most: Any = 0.0,
    fps: Any = None,
    times: Any = None,
    inner_softness: Any = 0.05,
    **options: Any,
) -> Solution:
    """two_bone along a track whose target passes near the root: a calm limb, at the price of a miss.

    targets : (T, ..., 2) [length]       the first axis is time
    steady : (...) [fraction of reach]   the radius of `limit_rate`; 0 is off
    most, fps, times                     as in `limit_rate`
    inner_softness, options              as in `two_bone`
    Returns the Solution of the limited track, with `error`, `reached` and `why` told against the targets that were
    asked for: RATE where the direction was held back. Between two frames the joints turn by no more than
    1 / (steady reach) rad for each unit the target moves, and the gain of the softened distance. Raises InputError.

    >>> [str(why) for why in follow((0, 0), [(4, 0.5), (1, 0.5), (-2, 0.5)], 60, 60).why]
    ['reached', 'reached', 'RATE']
    """
    bones = Call("follow")
    bones.number("upper", upper, low=0.0)
    bones.number("lower", lower, low=0.0)
    bones.number("steady", steady, low=0.0)
    radius, reach = (_radius(bones, f) for f in (lambda a, b, s: s * (a + b), lambda a, b, s: a + b))
    start = options.pop("fallback", (1.0, 0.0))
    limited = limit_rate(root, targets, radius, most=most, fps=fps, times=times, fallback=start)
    options |= {"inner_softness": inner_softness, "fallback": limited.direction}
    answer = two_bone(root, limited.points, upper, lower, **options)
    return _told(answer, targets, limited.acted, reach)


def _radius(bones: Call, of: Any) -> Any:
    return bones.map(of) if bones.plain else bones.shaped(of(*bones.columns))


def _told(answer: Solution, targets: Any, acted: Any, reach: Any) -> Solution:
    """The answer, its error measured to what was asked for, RATE where the limit acted."""
    call = Call("follow")
    for name, value in (("joints", _ends(answer.joints)), ("targets", targets)):
        call.point(name, value)
    for name, value in (("error", answer.error), ("why", answer.why), ("reach", reach), ("acted", _numbers(acted))):
        call.number(name, value)
    if call.plain:
        error, why = call.map(_miss), call.map(_why)
        reached = call.map(lambda *v: _miss(*v) <= TOLERANCE * v[6])
        return answer.replace(error=error, why=why, reached=reached)
    import numpy as np

    from elbowroom.kernel.engine import rows

    ex, ey, tx, ty, found, why, bones, held = call.columns
    error = call.shaped(np.where(held, rows().length(ex - tx, ey - ty), found))
    told = call.shaped(why).astype(np.int64) | call.shaped(held).astype(np.int64) * int(Why.RATE)
    return answer.replace(error=error, why=told, reached=error <= TOLERANCE * call.shaped(bones))


def _ends(joints: Any) -> Any:
    """The last joint of every limb."""
    if is_array(joints):
        return joints[..., -1, :]
    return joints[-1] if isinstance(joints[0][0], float) else tuple(_ends(part) for part in joints)


def _numbers(flags: Any) -> Any:
    """True and false as 1.0 and 0.0."""
    if is_array(flags):
        return flags.astype(float)
    return float(flags) if isinstance(flags, bool) else tuple(_numbers(part) for part in flags)


def _miss(ex: float, ey: float, tx: float, ty: float, error: float, why: float, reach: float, acted: float) -> float:
    return length(ex - tx, ey - ty) if acted else error


def _why(ex: float, ey: float, tx: float, ty: float, error: float, why: float, reach: float, acted: float) -> Why:
    return Why(int(why)) | (Why.RATE if acted else Why(0))
