"""Applied local values of a bone from its world transform: what a runtime keeps when a constraint wrote the world.

Up to 4.2 the way back is not exact: shear shortens the y axis, reflections and the turns of three inherit modes are
lost. This shows where such a bone is evaluated again, and is kept as it is.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elbowroom.kernel.degrees import Row, Where, angle_deg, size
from elbowroom.solve.spine.frames import NO_ROTATION, NO_SCALE, ONLY_TRANSLATION, Columns, Frames

NAMES = ("rotation", "scale_x", "scale_y", "shear_x", "shear_y")
QUARTER = (-2.3205103380768674e-8, 0.9999999999999997)  # cosine and sine of ½π̂, the runtime's quarter turn
Five = tuple[Row, Row, Row, Row, Row]  # values in the order of NAMES


def derive(frames: Frames, bone: int, where: Where | None = None) -> None:
    """Applied local values of a bone from its world and its parent's, at frames `where` (T,) or all.

    A parent whose axes are parallel gives infinities or NaN, as in the runtime.
    """
    parent = int(frames.parents[bone])
    exact = frames.version >= (4, 3)
    with np.errstate(all="ignore"):
        x, y = _root_origin(frames, bone) if parent < 0 else _origin(frames, bone, parent)
        if parent < 0:
            values = _exact_parts(_unscaled(frames, bone)) if exact else _root_parts(frames.world_matrix(bone))
        elif exact:
            values = _by_mode(frames, bone, lambda mode: _exact(frames, bone, parent, mode))
        else:
            values = _by_mode(frames, bone, lambda mode: _older(frames, bone, parent, mode))
    for name, row in zip(("x", "y", *NAMES), (x, y, *values), strict=True):
        frames.put(name, bone, row, where)


def _by_mode(frames: Frames, bone: int, found: Callable[[int], Five]) -> Five:
    """Values by the inherit mode each frame has; most bones keep one."""
    modes = frames.inherit[bone]
    first, *more = np.unique(modes).tolist()
    values = found(first)
    for mode in more:
        r, sx, sy, hx, hy = (np.where(modes == mode, new, old) for new, old in zip(found(mode), values, strict=True))
        values = (r, sx, sy, hx, hy)
    return values


def _root_origin(frames: Frames, bone: int) -> tuple[Row, Row]:
    offset = (frames.ox, frames.oy) if frames.version >= (4, 0) else (0.0, 0.0)
    sx, sy = (frames.sx, frames.sy) if frames.version >= (4, 3) else (1.0, 1.0)
    return (frames.wx[bone] - offset[0]) / sx, (frames.wy[bone] - offset[1]) / sy


def _origin(frames: Frames, bone: int, parent: int) -> tuple[Row, Row]:
    pa, pb, pc, pd = frames.world_matrix(parent)
    x, y = frames.wx[bone] - frames.wx[parent], frames.wy[bone] - frames.wy[parent]
    area = pa * pd - pb * pc
    return (x * pd - y * pb) / area, (y * pa - x * pc) / area


def _unscaled(frames: Frames, bone: int) -> Columns:
    """World matrix without the skeleton's scale."""
    a, b, c, d = frames.world_matrix(bone)
    return a / frames.sx, b / frames.sx, c / frames.sy, d / frames.sy


def _root_parts(matrix: Columns) -> Five:
    a, b, c, d = matrix
    shear = angle_deg(a * b + c * d, a * d - b * c)
    return angle_deg(c, a), size(a, c), size(b, d), np.zeros_like(a), shear


def _older(frames: Frames, bone: int, parent: int, mode: int) -> Five:
    """Up to 4.2; before it no inherit mode counts and the shear has the other sign."""
    heeds = frames.version >= (4, 2)
    a, b, c, d = _relative(frames, bone, parent, mode) if heeds else _within(frames, bone, parent)
    length, area = size(a, c), a * d - b * c
    good = length > 1e-4
    shear = angle_deg(a * b + c * d, area) * (-1.0 if heeds else 1.0)
    rotation = np.where(good, angle_deg(c, a), 90.0 - angle_deg(d, b))
    scale_y = np.where(good, area / length, size(b, d))
    return rotation, np.where(good, length, 0.0), scale_y, np.zeros_like(a), np.where(good, shear, 0.0)


def _within(frames: Frames, bone: int, parent: int) -> Columns:
    """P⁻¹M."""
    return _solved(frames.world_matrix(parent), frames.world_matrix(bone))


def _solved(outer: Columns, matrix: Columns) -> Columns:
    """outer⁻¹·matrix."""
    (oa, ob, oc, od), (a, b, c, d) = outer, matrix
    area = oa * od - ob * oc
    return (od * a - ob * c) / area, (od * b - ob * d) / area, (oa * c - oc * a) / area, (oa * d - oc * b) / area


def _relative(frames: Frames, bone: int, parent: int, mode: int) -> Columns:
    """What 4.2 takes the values from, by inherit mode."""
    if mode == 0:
        return _within(frames, bone, parent)
    if mode == ONLY_TRANSLATION:
        return frames.world_matrix(bone)
    if mode == NO_ROTATION:
        return _unrotated(frames, bone, parent)
    return _solved(_quarter_frame(frames, bone, parent, mode), frames.world_matrix(bone))


def _unrotated(frames: Frames, bone: int, parent: int) -> Columns:
    """noRotationOrReflection: the upper row by a frame without the parent's turn, the lower by the parent itself."""
    pa, pb, pc, pd = frames.world_matrix(parent)
    s = np.abs(pa * pd - pb * pc) / (pa * pa + pc * pc)
    upright = (pa, -pc * s * frames.sx / frames.sy, pc, pa * s * frames.sy / frames.sx)
    a, b, _, _ = _solved(upright, frames.world_matrix(bone))
    _, _, c, d = _within(frames, bone, parent)
    return a, b, c, d


def _quarter_frame(frames: Frames, bone: int, parent: int, mode: int) -> Columns:
    """noScale and noScaleOrReflection: by the posed rotation, its second axis a runtime's quarter turn ahead."""
    x, _, y, _ = frames.unscaled(parent, frames.pose_rotation[bone], False)
    side = _side(frames, parent) if mode == NO_SCALE else np.ones_like(x)
    cosine, sine = QUARTER
    return x, (x * cosine - y * sine) * side, y, (x * sine + y * cosine) * side


def _side(frames: Frames, parent: int) -> Row:
    """−1 where the parent is a mirror image and the whole skeleton is not, or the other way round; else 1."""
    pa, pb, pc, pd = frames.world_matrix(parent)
    return np.where(((pa * pd - pb * pc) < 0.0) != (frames.sx * frames.sy < 0.0), -1.0, 1.0)


def _exact(frames: Frames, bone: int, parent: int, mode: int) -> Five:
    """4.3, which gives back what was evaluated, by inherit mode."""
    if mode == 0:
        return _exact_parts(_within(frames, bone, parent))
    if mode == ONLY_TRANSLATION:
        return _exact_parts(_unscaled(frames, bone))
    if mode == NO_ROTATION:
        return _exact_unrotated(frames, bone, parent)
    return _exact_unscaled(frames, bone, parent, mode)


def _exact_unrotated(frames: Frames, bone: int, parent: int) -> Five:
    pa, pb, pc, pd = frames.world_matrix(parent)
    a, b, c, d = _unscaled(frames, bone)
    qx, qy = pa / frames.sx, pc / frames.sy
    square, area = qx * qx + qy * qy, np.abs((pa * pd - pb * pc) / (frames.sx * frames.sy))
    along = ((qx * a + qy * c) / square, (qx * b + qy * d) / square)
    across = ((qx * c - qy * a) / area, (qx * d - qy * b) / area)
    rotation, sx, sy, hx, hy = _exact_parts((*along, *across))
    return rotation + angle_deg(qy, qx), sx, sy, hx, hy


def _exact_unscaled(frames: Frames, bone: int, parent: int, mode: int) -> Five:
    pa, pb, pc, pd = frames.world_matrix(parent)
    a, b, c, d = frames.world_matrix(bone)
    flip = np.where(pa * pd - pb * pc < 0.0, -1.0, 1.0)
    rotation = angle_deg((pa * c - pc * a) * flip, (pd * a - pb * c) * flip)
    x, _, y, _ = frames.unscaled(parent, rotation, False)
    side = _side(frames, parent) if mode == NO_SCALE else np.ones_like(x)
    a, b, c, d = _unscaled(frames, bone)
    a, b, c, d = x * a + y * c, x * b + y * d, (x * c - y * a) * side, (x * d - y * b) * side
    length = size(a, c)
    good = length * length > 1e-10
    scale_y, shear_y = _exact_y((a, b, c, d), np.zeros_like(a))
    return rotation, np.where(good, length, 0.0), scale_y, np.where(good, angle_deg(c, a), 0.0), shear_y


def _exact_parts(matrix: Columns) -> Five:
    a, b, c, d = matrix
    length, other = size(a, c), size(b, d)
    good = length * length > 1e-10
    turn = angle_deg(c, a)
    scale_y, shear_y = _exact_y(matrix, turn)
    without = np.where(other * other > 1e-10, angle_deg(d, b) - 90.0, 0.0)
    rotation = np.where(good, turn, without)
    zero = np.zeros_like(a)
    return rotation, np.where(good, length, zero), np.where(good, scale_y, other), zero, np.where(good, shear_y, zero)


def _exact_y(matrix: Columns, turn: Row) -> tuple[Row, Row]:
    """Scale and shear of the y axis, seen from an x axis that is turned by `turn` [deg]."""
    a, b, c, d = matrix
    length, whole = size(b, d), a * d - b * c >= 0.0
    shear = angle_deg(d, b) - turn + np.where(whole, -90.0, 90.0)
    shear = np.where(shear <= -180.0, shear + 360.0, np.where(shear > 180.0, shear - 360.0, shear))
    return np.where(whole, length, -length), np.where(length * length > 1e-10, shear, 0.0)
