"""Two-bone IK as the runtimes of Spine compute it, 3.7 to 4.3, for many poses at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from elbowroom.kernel.degrees import DEG, PI, Row, Where, angle, arccos, sincos, size, wrap_once_deg
from elbowroom.kernel.spine import Local, Matrix, Outcome, Settings, one_bone, thickness, to_local


def two_bones(
    settings: Settings,
    bones: tuple[Local, Local],
    lengths: tuple[float | Row, float | Row],
    parent: Matrix,
    target: tuple[Row, Row],
    *,
    world: Matrix,
) -> Outcome:
    """Two bones that reach for a target in the world.

    lengths : at setup;  parent : what the upper bone hangs on;  world : of the upper bone
    """
    with np.errstate(all="ignore"):
        limb = _limb(settings, bones, lengths[1], parent, world, target)
        asked, reach = size(limb.tx, limb.ty), limb.l1 + limb.l2 * limb.p
        dead = np.abs(limb.l1 - limb.l2 * limb.p)
        limb, soft = _softened(settings, limb)
        even, uneven = _even(settings, limb), _uneven(settings, limb)
        f = np.where(limb.even, _stretch(settings, limb), 1.0)
        first, second = (np.where(limb.even, e, u) for e, u in zip(even, uneven, strict=True))
        solved = _written(settings, bones, limb, (first, second, f))
        aimed = _stump(settings, bones, lengths[0], limb, parent, target, (world.x, world.y))
        stump = limb.l1 < settings.small if settings.version >= (3, 8) else limb.l1 == 0.0
        chosen = tuple(_either(stump, a, s) for a, s in zip(aimed.bones, solved, strict=True))
    far, near = np.where(stump, aimed.far, asked > reach), np.where(stump, aimed.near, asked < dead)
    return Outcome(chosen, np.where(stump, aimed.stretch, f), far, near, soft & ~stump, stump | (asked == 0.0))


def _either(where: Where, one: Local, other: Local) -> Local:
    return Local(*(np.where(where, a, b) for a, b in zip(one, other, strict=True)))


@dataclass(frozen=True)
class _Limb:
    """Two bones as the upper one's parent sees them, (...) each.

    l1, l2 : lengths, the second before the upper bone's scale;  p, v : sizes of the upper's scales, k of the lower's
    tx, ty : target from the upper bone;  cx, cy : where the lower bone sits;  even : p and v are one
    """

    l1: Row
    l2: Row
    p: Row
    v: Row
    k: Row
    tx: Row
    ty: Row
    cx: Row
    cy: Row
    even: Where


def _limb(
    settings: Settings,
    bones: tuple[Local, Local],
    length: float | Row,
    parent: Matrix,
    world: Matrix,
    target: tuple[Row, Row],
) -> _Limb:
    upper, lower = bones
    p, v, k = np.abs(upper.scale_x), np.abs(upper.scale_y), np.abs(lower.scale_x)
    even = np.abs(p - v) <= settings.small
    keeps = even & ~settings.stretch if settings.version >= (4, 0) else even
    cx, cy = lower.x, np.where(keeps, lower.y, 0.0)
    ex = world.a * cx + world.b * cy + world.x - parent.x
    ey = world.c * cx + world.d * cy + world.y - parent.y
    ex, ey = to_local(settings, parent, ex, ey)
    tx, ty = to_local(settings, parent, target[0] - parent.x, target[1] - parent.y)
    l1 = size(ex - upper.x, ey - upper.y)
    return _Limb(l1, length * k, p, v, k, tx - upper.x, ty - upper.y, cx, cy, even)


def _softened(settings: Settings, limb: _Limb) -> tuple[_Limb, Where]:
    """The target pulled in where it comes near the reach, and where that was; on the root there is nothing to pull."""
    none = np.zeros(np.shape(limb.l1), dtype=np.bool_)
    if settings.version < (3, 8):
        return limb, none
    soft, asked = settings.softness * limb.p * (limb.k + 1.0) / 2.0, size(limb.tx, limb.ty)
    over = asked - limb.l1 - limb.l2 * limb.p + soft
    h = np.minimum(1.0, over / (soft * 2.0)) - 1.0
    acts = (settings.softness != 0.0) & (over > 0.0) & (asked > 0.0)
    factor = np.where(acts, 1.0 - (over - soft * (1.0 - h * h)) / asked, 1.0)
    return replace(limb, tx=limb.tx * factor, ty=limb.ty * factor), none | acts


def _even(settings: Settings, limb: _Limb) -> tuple[Row, Row]:
    """Angles [rad] of the bones, the second from the first, where the upper keeps the limb's shape."""
    cosine = np.minimum(np.maximum(_cosine(limb), -1.0), 1.0)
    long = limb.l2 * limb.p
    second = settings.bend * arccos(cosine)
    along, aside = limb.l1 + long * cosine, long * sincos(second)[0]
    return angle(limb.ty * along - limb.tx * aside, limb.tx * along + limb.ty * aside), second


def _cosine(limb: _Limb) -> Row:
    """Cosine of the bend that gives the distance, beyond ±1 where none does; 1 where the lower bone has no length."""
    long = limb.l2 * limb.p
    cosine = (limb.tx * limb.tx + limb.ty * limb.ty - limb.l1 * limb.l1 - long * long) / (2.0 * limb.l1 * long)
    return np.where(np.isnan(cosine), 1.0, cosine)


def _stretch(settings: Settings, limb: _Limb) -> Row:
    """The factor on the upper bone where the target is beyond the reach."""
    reach = limb.l1 + limb.l2 * limb.p
    acts = settings.stretch & (_cosine(limb) > 1.0) & ((reach > settings.small) | (settings.version > (3, 7)))
    far = size(limb.tx, limb.ty) / np.where(reach > 0.0, reach, 1.0)
    return np.where(acts & (reach > 0.0), 1.0 + settings.mix * (far - 1.0), 1.0)


def _uneven(settings: Settings, limb: _Limb) -> tuple[Row, Row]:
    """The same under an uneven scale: the lower bone's tip runs round an ellipse, of half axes A and B."""
    a, b, l1 = limb.p * limb.l2, limb.v * limb.l2, limb.l1
    square = limb.tx * limb.tx + limb.ty * limb.ty
    c0, c1, c2 = b * b * l1 * l1 + a * a * square - a * a * b * b, -2.0 * b * b * l1, b * b - a * a
    inside = c1 * c1 - 4.0 * c2 * c0
    root = np.sqrt(np.maximum(inside, 0.0))
    q = -(c1 + np.where(c1 < 0.0, -root, root)) / 2.0
    one, other = q / c2, c0 / q
    r = np.where(np.abs(one) < np.abs(other), one, other)
    rest = square - r * r
    met = (inside >= 0.0) & (rest >= 0.0)
    y = settings.bend * np.sqrt(np.where(met, rest, 0.0))
    r = np.where(met, r, 0.0)
    # y/v over (r − l1)/p is the angle of y·p over (r − l1)·v, which no zero scale divides by zero
    found = angle(y, r), angle(y * limb.p, (r - l1) * limb.v)
    point, turn = _extreme(limb, a, b)
    first = np.where(met, found[0], angle(point[1] * settings.bend, point[0]))
    return angle(limb.ty, limb.tx) - first, np.where(met, found[1], turn * settings.bend)


def _extreme(limb: _Limb, a: Row, b: Row) -> tuple[tuple[Row, Row], Row]:
    """The nearest or the farthest point of the ellipse, whichever suits the target better, and its angle [rad]."""
    l1, square = limb.l1, limb.tx * limb.tx + limb.ty * limb.ty
    m = -a * l1 / (a * a - b * b)
    valid = np.abs(m) <= 1.0
    alpha = arccos(np.where(valid, m, 0.0))
    sine, cosine = sincos(alpha)
    x, y = l1 + a * cosine, b * sine
    own = x * x + y * y
    low, high = (l1 - a) * (l1 - a), (l1 + a) * (l1 + a)
    nearer, farther = valid & (own < low), valid & (own > high)
    low, high = np.where(nearer, own, low), np.where(farther, own, high)
    close = square <= (low + high) / 2.0
    taken = np.where(close, nearer, farther)
    end, turn = np.where(close, l1 - a, l1 + a), np.where(close, PI, 0.0)
    return (np.where(taken, x, end), np.where(taken, y, 0.0)), np.where(taken, alpha, turn)


def _written(
    settings: Settings, bones: tuple[Local, Local], limb: _Limb, solved: tuple[Row, Row, Row]
) -> tuple[Local, Local]:
    """Both bones with the angles [rad] and the factor that were found."""
    upper, lower = bones
    first, second, f = solved
    side = np.where(np.sign(upper.scale_x) * np.sign(upper.scale_y) < 0.0, -1.0, 1.0)
    off, at_minus = side * angle(limb.cy, limb.cx), settings.version >= (4, 3)
    turn = (first - off) * DEG + np.where(upper.scale_x < 0.0, 180.0, 0.0) - upper.rotation
    fold = ((second + off) * DEG - lower.shear_x) * side + np.where(lower.scale_x < 0.0, 180.0, 0.0) - lower.rotation
    turn, fold = wrap_once_deg(turn, at_minus=at_minus), wrap_once_deg(fold, at_minus=at_minus)
    thick = thickness(settings.scale if settings.version >= (4, 0) else "none", f)
    keeps_shear = 1.0 if at_minus else 0.0
    one = Local(
        upper.x, upper.y, upper.rotation + turn * settings.mix, upper.scale_x * f, upper.scale_y * thick,
        upper.shear_x * keeps_shear, upper.shear_y * keeps_shear,
    )  # fmt: skip
    return one, lower._replace(y=limb.cy, rotation=lower.rotation + fold * settings.mix)


def _stump(
    settings: Settings,
    bones: tuple[Local, Local],
    length: float | Row,
    limb: _Limb,
    parent: Matrix,
    target: tuple[Row, Row],
    origin: tuple[Row, Row],
) -> Outcome:
    """What is left where the upper bone has no length: it aims alone, and the lower one is straight."""
    alone = replace(settings, scale="none", compress=np.zeros_like(settings.compress))
    aimed = one_bone(alone, bones[0], length, parent, target, origin=origin)
    straight = bones[1]._replace(y=limb.cy, rotation=np.zeros_like(bones[1].rotation))
    return replace(aimed, bones=(aimed.bones[0], straight))
