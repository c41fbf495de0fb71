"""Transform constraints of 4.3: properties of a source drive properties of bones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from elbowroom.kernel.degrees import DEG, PI, RAD, Row, Where, angle, angle_deg, sincos, size, wrap_once
from elbowroom.rig.spine.records import PROPERTIES, SpineTransform
from elbowroom.solve.spine.frames import Columns, Frames
from elbowroom.solve.spine.transform import LOCAL, announce, rotated

ROWS = dict(zip(PROPERTIES, LOCAL, strict=True))
HALF_PI = PI / 2.0


def apply(frames: Frames, constraint: SpineTransform, mixes: Row) -> None:
    """Drive the bones' properties as far as `mixes` (T, 6), in the order of PROPERTIES, say."""
    used = [PROPERTIES.index(to[0]) for mapped in constraint.properties for to in mapped.to]
    where = np.asarray((mixes[:, used] != 0.0).any(axis=1)) if used else np.zeros(len(mixes), dtype=np.bool_)
    if not where.any():
        return
    rows = np.ascontiguousarray(mixes.T)
    with np.errstate(all="ignore"):
        for bone in constraint.bones:
            _drive(frames, constraint, bone, (rows, where))


def _drive(frames: Frames, constraint: SpineTransform, bone: int, work: tuple[Row, Where]) -> None:
    mixes, where = work
    if constraint.local_source:
        frames.derived(constraint.target, where)
    if constraint.local_target:
        frames.changed_local(bone, where)
    else:
        announce(frames, bone, where)
    for mapped in constraint.properties:
        value = _source(frames, constraint, mapped.source) - mapped.offset
        for name, offset, most, scale in mapped.to:
            mix = mixes[PROPERTIES.index(name)]
            now = where & (mix != 0.0)
            if now.any():
                out = offset + value * scale
                out = np.clip(out, min(offset, most), max(offset, most)) if constraint.clamp else out
                change = _local if constraint.local_target else _world
                change(frames, bone, name, (out, mix, now, constraint.additive))


def _source(frames: Frames, constraint: SpineTransform, name: str) -> Row:
    """A property (T,) of the source, its offset added."""
    offset, bone = constraint.offsets[PROPERTIES.index(name)], constraint.target
    if constraint.local_source:
        return np.asarray(getattr(frames, ROWS[name])[bone] + offset)
    if name in ("x", "y"):
        return _source_origin(frames, constraint, name)
    a, b, c, d = _bare(frames, bone)
    if name == "rotate":
        whole = a * d - b * c > 0.0
        turn = angle_deg(c, a) + np.where(whole, offset, -offset)
        return np.where(turn < 0.0, turn + 360.0, turn)
    if name == "shearY":
        return np.asarray((angle(d, b) - angle(c, a)) * DEG - 90.0 + offset)
    return np.asarray((size(a, c) if name == "scaleX" else size(b, d)) + offset)


def _source_origin(frames: Frames, constraint: SpineTransform, name: str) -> Row:
    bone, (_, ox, oy, *_) = constraint.target, constraint.offsets
    if name == "x":
        return np.asarray((frames.a[bone] * ox + frames.b[bone] * oy + frames.wx[bone]) / frames.sx)
    return np.asarray((frames.c[bone] * ox + frames.d[bone] * oy + frames.wy[bone]) / frames.sy)


def _bare(frames: Frames, bone: int) -> Columns:
    """World matrix without the skeleton's scale."""
    a, b, c, d = frames.world_matrix(bone)
    return a / frames.sx, b / frames.sx, c / frames.sy, d / frames.sy


Drive = tuple[Row, Row, Where, bool]  # what is wanted, mix, frames, additive


def _world(frames: Frames, bone: int, name: str, drive: Drive) -> None:
    if name in ("x", "y"):
        _move(frames, bone, name, drive)
        return
    a, b, c, d = CHANGES[name](_bare(frames, bone), drive)
    for key, row in zip("abcd", (a * frames.sx, b * frames.sx, c * frames.sy, d * frames.sy), strict=True):
        frames.put(key, bone, row, drive[2])


def _move(frames: Frames, bone: int, name: str, drive: Drive) -> None:
    out, mix, where, additive = drive
    key, scale = ("wx", frames.sx) if name == "x" else ("wy", frames.sy)
    old = getattr(frames, key)[bone]
    frames.put(key, bone, old + mix * scale * (out if additive else out - old / scale), where)


def _turn(matrix: Columns, drive: Drive) -> Columns:
    out, mix, _, additive = drive
    r = out * RAD if additive else out * RAD - angle(matrix[2], matrix[0])
    return rotated(matrix, mix * wrap_once(r))


def _scale(matrix: Columns, drive: Drive, *, at: int) -> Columns:
    out, mix, _, additive = drive
    length = size(matrix[at], matrix[at + 2])
    factor = 1.0 + (out - 1.0) * mix if additive else 1.0 + (out - length) * mix / length
    factor = np.where(length != 0.0, factor, 1.0)
    a, b, c, d = (row * factor if i % 2 == at else row for i, row in enumerate(matrix))
    return a, b, c, d


def _shear(matrix: Columns, drive: Drive) -> Columns:
    out, mix, _, additive = drive
    a, b, c, d = matrix
    beta = angle(d, b)
    wanted = (out + 90.0) * RAD
    r = wanted - HALF_PI if additive else wrap_once(wanted - (beta - angle(c, a)))
    sine, cosine = sincos(beta + r * mix)
    length = size(b, d)
    return a, cosine * length, c, sine * length


CHANGES: Mapping[str, Callable[[Columns, Drive], Columns]] = {
    "rotate": _turn,
    "shearY": _shear,
    "scaleX": partial(_scale, at=0),
    "scaleY": partial(_scale, at=1),
}


def _local(frames: Frames, bone: int, name: str, drive: Drive) -> None:
    out, mix, where, additive = drive
    key = ROWS[name]
    old = getattr(frames, key)[bone]
    if name in ("scaleX", "scaleY"):
        grown = old * (1.0 + (out - 1.0) * mix)
        changed = grown if additive else np.where(old != 0.0, old + (out - old) * mix, old)
    else:
        changed = old + mix * (out if additive else out - old)
    frames.put(key, bone, changed, where)
