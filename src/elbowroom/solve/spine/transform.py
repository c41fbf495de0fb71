"""Transform constraints up to 4.2: bones that follow a bone, in the world or in their own parents' frames."""

from __future__ import annotations

import numpy as np

from elbowroom.kernel.degrees import PI, RAD, Row, Where, angle, sincos, size, wrap_once
from elbowroom.rig.spine.records import SpineTransform
from elbowroom.solve.spine.derive import derive
from elbowroom.solve.spine.frames import Columns, Frames

ROTATE, X, Y, SCALE_X, SCALE_Y, SHEAR = range(6)  # columns of mixes and offsets
LOCAL = ("rotation", "x", "y", "scale_x", "scale_y", "shear_y")  # of Frames, in that order
TURN_BIAS, TURN_OFFSET = 16384.499999999996, 16384.0  # the runtime's way to a whole number of turns


def apply(frames: Frames, constraint: SpineTransform, mixes: Row) -> None:
    """Let the bones follow as far as `mixes` (T, 6), in the order of PROPERTIES, say."""
    where = acting(frames, mixes)
    if not where.any():
        return
    rows = np.ascontiguousarray(mixes.T)
    with np.errstate(all="ignore"):
        if constraint.local:
            _all_local(frames, constraint, rows, where)
        else:
            _all_world(frames, constraint, rows, where)


def acting(frames: Frames, mixes: Row) -> Where:
    """Frames (T,) whose mixes (T, 6) let anything happen; 3.7 and 3.8 do not ask, 4.0 forgets scale y."""
    if frames.version < (4, 0):
        return np.ones(len(mixes), dtype=np.bool_)
    asked = mixes if frames.version >= (4, 1) else np.delete(mixes, SCALE_Y, axis=1)
    return np.asarray((asked != 0.0).any(axis=1))


def rotated(matrix: Columns, radians: Row) -> Columns:
    """Both axes turned counterclockwise by (T,) [rad]."""
    a, b, c, d = matrix
    sine, cosine = sincos(radians)
    return cosine * a - sine * c, cosine * b - sine * d, sine * a + cosine * c, sine * b + cosine * d


def announce(frames: Frames, bone: int, where: Where) -> None:
    """Before a world is written: 4.3 drops what depends on it; the world it gets is valid, the local values not."""
    if frames.version >= (4, 3):
        frames.changed_world(bone, where)
        frames.fresh[bone] |= where


def settle(frames: Frames, bone: int, where: Where) -> None:
    """After a world was written: the local values follow at once, or (up to 3.8, 4.3) when they are asked for."""
    if frames.version < (4, 0):
        frames.stale[bone] |= where
    elif frames.version < (4, 3):
        derive(frames, bone, where)


def _all_world(frames: Frames, constraint: SpineTransform, mixes: Row, where: Where) -> None:
    old = frames.version < (4, 0)
    goal = tuple(row.copy() for row in frames.world_matrix(constraint.target))
    some = (mixes[:SCALE_X] != 0.0).any(axis=0) | (mixes[SCALE_X:] > 0.0).any(axis=0)
    done = where & some if old else where
    for bone in constraint.bones:
        _turn(frames, constraint, bone, (goal, mixes, where))
        _move(frames, constraint, bone, mixes, where)
        _scale(frames, constraint, bone, (goal, mixes, where))
        _shear(frames, constraint, bone, (goal, mixes, where))
        settle(frames, bone, done)


Work = tuple[tuple[Row, ...], Row, Where]  # the target's matrix, mixes (6, T), frames (T,)


def _write(frames: Frames, bone: int, matrix: Columns, where: Where) -> None:
    for name, row in zip("abcd", matrix, strict=True):
        frames.put(name, bone, row, where)


def _way(goal: tuple[Row, ...]) -> Row:
    """[rad] of a degree of offset, against the sense where the target is a mirror image."""
    a, b, c, d = goal
    return np.where(a * d - b * c > 0.0, RAD, -RAD)


def _turn(frames: Frames, constraint: SpineTransform, bone: int, work: Work) -> None:
    goal, mixes, where = work
    where = where & (mixes[ROTATE] != 0.0)
    if not where.any():
        return
    a, b, c, d = frames.world_matrix(bone)
    r = angle(goal[2], goal[0]) + constraint.offsets[ROTATE] * _way(goal)
    r = r if constraint.relative else r - angle(c, a)
    _write(frames, bone, rotated((a, b, c, d), wrap_once(r) * mixes[ROTATE]), where)


def _move(frames: Frames, constraint: SpineTransform, bone: int, mixes: Row, where: Where) -> None:
    where = where & ((mixes[X] != 0.0) | (mixes[Y] != 0.0))
    if not where.any():
        return
    a, b, c, d = frames.world_matrix(constraint.target)  # as it is now: it may be one of the bones
    ox, oy = constraint.offsets[X], constraint.offsets[Y]
    x, y = a * ox + b * oy + frames.wx[constraint.target], c * ox + d * oy + frames.wy[constraint.target]
    wx, wy = frames.wx[bone], frames.wy[bone]
    dx, dy = (x, y) if constraint.relative else (x - wx, y - wy)
    frames.put("wx", bone, wx + dx * mixes[X], where)
    frames.put("wy", bone, wy + dy * mixes[Y], where)


def _scale(frames: Frames, constraint: SpineTransform, bone: int, work: Work) -> None:
    goal, mixes, where = work
    old = frames.version < (4, 0)
    for which, (along, across) in ((SCALE_X, ("a", "c")), (SCALE_Y, ("b", "d"))):
        mix, at = mixes[which], which - SCALE_X
        now = where & ((mix > 0.0) if old else (mix != 0.0))
        if not now.any():
            continue
        x, y = getattr(frames, along)[bone], getattr(frames, across)[bone]
        wanted = size(goal[at], goal[at + 2])
        offset = constraint.offsets[which]
        if constraint.relative:
            factor = 1.0 + (wanted - 1.0 + offset) * mix
        else:
            length = size(x, y)
            enough = length > 1e-5 if old else length != 0.0
            factor = np.where(enough, (length + (wanted - length + offset) * mix) / length, length)
        frames.put(along, bone, x * factor, now)
        frames.put(across, bone, y * factor, now)


def _shear(frames: Frames, constraint: SpineTransform, bone: int, work: Work) -> None:
    goal, mixes, where = work
    where = where & (mixes[SHEAR] > 0.0)
    if not where.any():
        return
    a, b, c, d = frames.world_matrix(bone)
    beta, between = angle(d, b), angle(goal[3], goal[1]) - angle(goal[2], goal[0])
    if constraint.relative:
        r = wrap_once(between) - PI / 2.0
    else:
        r = wrap_once(between - (beta - angle(c, a)))
    sine, cosine = sincos(beta + (r + constraint.offsets[SHEAR] * _way(goal)) * mixes[SHEAR])
    length = size(b, d)
    frames.put("b", bone, cosine * length, where)
    frames.put("d", bone, sine * length, where)


def _all_local(frames: Frames, constraint: SpineTransform, mixes: Row, where: Where) -> None:
    change = _relative if constraint.relative else _absolute
    for bone in constraint.bones:
        if frames.version < (4, 0):
            frames.derived(constraint.target, where)
            frames.derived(bone, where)
        change(frames, constraint, bone, (mixes, where))
        frames.update(bone, where)


def turned(difference: Row) -> Row:
    """Degrees in [−180, 180), by the runtime's own rounding."""
    return difference - 360.0 * (TURN_OFFSET - np.floor(TURN_BIAS - difference / 360.0))


def _absolute(frames: Frames, constraint: SpineTransform, bone: int, work: tuple[Row, Where]) -> None:
    mixes, where = work
    for which, name in enumerate(LOCAL):
        mix = mixes[which]
        rows = getattr(frames, name)
        value = rows[bone]
        difference = rows[constraint.target] - value + constraint.offsets[which]
        if which in (SCALE_X, SCALE_Y):  # by its own scale, as the runtime has it
            now = where & _scales(frames, mix, value)
            changed = (value + difference * mix) / value
        else:
            now = where & (mix != 0.0)
            wraps = which in (ROTATE, SHEAR) and frames.version < (4, 2)
            changed = value + (turned(difference) if wraps else difference) * mix
        if which == SHEAR and frames.version < (4, 0):  # to the pose: it shows where the bone comes up again
            pose = frames.pose_shear_y
            np.copyto(pose[bone], pose[bone] + (changed - value), where=now)
        elif now.any():
            frames.put(name, bone, changed, now)


def _relative(frames: Frames, constraint: SpineTransform, bone: int, work: tuple[Row, Where]) -> None:
    mixes, where = work
    for which, name in enumerate(LOCAL):
        rows, mix = getattr(frames, name), mixes[which]
        value, goal = rows[bone], rows[constraint.target] + constraint.offsets[which]
        if which in (SCALE_X, SCALE_Y):
            now = where & _scales(frames, mix, value) if frames.version < (4, 0) else where
            frames.put(name, bone, value * (1.0 + (goal - 1.0) * mix), now)
        else:
            frames.put(name, bone, value + goal * mix, where)


def _scales(frames: Frames, mix: Row, scale: Row) -> Where:
    """Frames whose local scale a mix changes."""
    if frames.version < (4, 0):
        return np.asarray((mix > 0.0) & (scale > 1e-5))
    return np.asarray((mix != 0.0) & (scale != 0.0))
