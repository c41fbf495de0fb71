"""Path constraints: bones that lie along the path a slot shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.degrees import RAD, Row, Where, angle, size, wrap_once
from elbowroom.rig.spine.records import Attachment, Indexes, Spine, SpinePath, Vertices
from elbowroom.rig.spine.state import PathState
from elbowroom.solve.spine.frames import Frames
from elbowroom.solve.spine.pathpoints import Path, Points, path, walk
from elbowroom.solve.spine.transform import announce, rotated, settle

SHORT = 1e-5  # [length] of a bone that counts as none
Shown = tuple[tuple[str, ...], npt.NDArray[np.intp]]
Deforms = Mapping[tuple[str, int, str], tuple[Where, Row]]


@dataclass(frozen=True, eq=False)
class Some:
    """Some of the frames, those that show one attachment.

    at : (K,) indexes of frames;  position, spacing (K,), mixes (3, K) rotate, x, y
    """

    frames: Frames
    constraint: SpinePath
    at: Indexes
    position: Row
    spacing: Row
    mixes: Row

    def rows(self, *names: str, bone: int) -> tuple[Row, ...]:
        """Values of a bone (K,), copies."""
        return tuple(getattr(self.frames, name)[bone, self.at] for name in names)

    @property
    def points(self) -> int:
        """How many points of the path are wanted."""
        return len(self.constraint.bones) + (self.constraint.rotate_mode != "tangent")


def apply(
    frames: Frames, spine: Spine, constraint: SpinePath, state: PathState, shown: Shown, *, deforms: Deforms,
    skin: str | None,
) -> None:  # fmt: skip
    """Lay the bones along the path, as far as the mixes of `state` say, where the slot shows one.

    shown : names and the (T,) index of what the slot shows into them, −1 for nothing
    deforms : as in SpineState;  skin : what is worn
    """
    names, which = shown
    moves = _acting(frames, state.mixes)
    for index, name in enumerate(names):
        at = np.flatnonzero(moves & (which == index))
        attachment = spine.attachment(skin, constraint.slot, name) if len(at) else None
        if attachment is None or attachment.kind != "path" or attachment.vertices is None:
            continue
        some = Some(frames, constraint, at, state.position[at], state.spacing[at], state.mixes[at].T)
        with np.errstate(all="ignore"):
            _lay(some, spine.slots[constraint.slot].bone, attachment, _deform(attachment, deforms, at))


def _acting(frames: Frames, mixes: Row) -> Where:
    return np.asarray((mixes > 0.0).any(axis=1) if frames.version < (4, 0) else (mixes != 0.0).any(axis=1))


def _deform(attachment: Attachment, deforms: Deforms, at: Indexes) -> tuple[Where, Row] | None:
    """Deform keys in force, (K,) and (m, K)."""
    found = None if attachment.timelines is None else deforms.get(attachment.timelines)
    return None if found is None or not found[0][at].any() else (found[0][at], found[1][at].T)


def _lay(some: Some, slot_bone: int, attachment: Attachment, deform: tuple[Where, Row] | None) -> None:
    vertices = attachment.vertices
    if vertices is None or len(vertices.numbers if vertices.counts is None else vertices.counts) < _fewest(attachment):
        return
    x, y = placed(some.frames, slot_bone, vertices, some.at, deform)
    resets = some.frames.version >= (4, 3)
    along = path(
        x, y, attachment.lengths, closed=attachment.closed, even=attachment.constant_speed, resets=resets
    )  # fmt: skip
    spaces, lengths = _spaces(some)
    points = walk(along, _distances(some, along, attachment, spaces))
    a, b, c, d = some.rows("a", "b", "c", "d", bone=slot_bone)
    way = np.where(a * d - b * c > 0.0, RAD, -RAD) * some.constraint.rotation
    _move(some, points, spaces, (lengths, way))


def _fewest(attachment: Attachment) -> int:
    """How many vertices make a curve."""
    return 3 if attachment.closed else 6


def placed(
    frames: Frames, bone: int, vertices: Vertices, at: Indexes, deform: tuple[Where, Row] | None = None
) -> tuple[Row, Row]:
    """World x, y (V, K) of vertices on a slot's bone at the frames `at` (K,), deformed where keys are in force."""
    numbers = vertices.numbers[:, :, np.newaxis]
    if deform is not None:
        on, values = deform
        values = values.reshape(-1, 2, len(at))
        numbers = np.where(on, values if vertices.counts is None else numbers + values, numbers)
    x, y = numbers[:, 0], numbers[:, 1]
    if vertices.counts is None or vertices.bones is None or vertices.weights is None:
        return _carried(frames, np.full(1, bone), at, (x, y))
    px, py = _carried(frames, vertices.bones, at, (x, y))
    weights = vertices.weights[:, np.newaxis]
    return _summed(px * weights, vertices.counts), _summed(py * weights, vertices.counts)


def _carried(frames: Frames, bones: Indexes, at: Indexes, points: tuple[Row, Row]) -> tuple[Row, Row]:
    """Points (k, K) of bones (k,) or of one in the world."""
    x, y = points
    a, b, c, d, wx, wy = (getattr(frames, name)[bones[:, np.newaxis], at] for name in ("a", "b", "c", "d", "wx", "wy"))
    return a * x + b * y + wx, c * x + d * y + wy


def _summed(values: Row, counts: Indexes) -> Row:
    """Sums (V, K) of so many rows of values each."""
    sums = np.zeros((len(counts), values.shape[1]))
    starts = np.cumsum(counts) - counts
    for k in range(int(counts.max(initial=0))):
        has = counts > k
        sums[has] += values[starts[has] + k]
    return sums


def _spaces(some: Some) -> tuple[Row, Row]:
    """The space before each point (N, K), and the bones' lengths in the world (m, K), 0 where they have none."""
    mode, bones = some.constraint.spacing_mode, some.constraint.bones
    old = some.frames.version < (4, 0)
    spaces, lengths = np.zeros((some.points, len(some.at))), np.zeros((len(bones), len(some.at)))
    for i, bone in enumerate(bones):
        length = float(some.frames.lengths[bone])
        short = length < SHORT
        if not short:
            lengths[i] = length * size(*some.rows("a", "c", bone=bone))
        if i + 1 < some.points:
            space = some.spacing if short or mode == "percent" else _space(some, length, lengths[i])
            scaled = mode != "percent" or some.constraint.rotate_mode == "chainScale"
            spaces[i + 1] = 0.0 if short and old and scaled else space
    if mode == "proportional":
        total = lengths[: some.points - 1].sum(axis=0)
        spaces *= np.where(total > 0.0, some.points * some.spacing / total, 1.0)
    return spaces, lengths


def _space(some: Some, length: float, now: Row) -> Row:
    """The space after a bone of some length, `now` (K,) in the world."""
    mode, spacing = some.constraint.spacing_mode, some.spacing
    if mode == "proportional":
        return now
    if mode == "fixed":
        return np.asarray(spacing * now / length)
    wanted = length + spacing
    return np.asarray((np.maximum(0.0, wanted) if some.frames.version >= (4, 3) else wanted) * now / length)


def _distances(some: Some, along: Path, attachment: Attachment, spaces: Row) -> Row:
    """Where on the path the points lie, (N, K) [length] from its start."""
    constraint, total = some.constraint, along.total
    q = some.position * total if constraint.position_mode == "percent" else some.position
    if constraint.position_mode == "fixed" and some.frames.version < (4, 0) and attachment.constant_speed:
        last = len(along.ends) - 1
        q = q * total / (attachment.lengths[last] if last < len(attachment.lengths) else 0.0)
    factor = {"percent": total, "proportional": total / some.points}.get(constraint.spacing_mode, 1.0)
    return np.asarray(q + np.cumsum(spaces * factor, axis=0))


def _move(some: Some, points: Points, spaces: Row, others: tuple[Row, Row]) -> None:
    """Bones onto the points, one after the other."""
    (lengths, way), constraint = others, some.constraint
    where = np.zeros(some.frames.count, dtype=np.bool_)
    where[some.at] = True
    tip = constraint.rotate_mode == "chain" and constraint.rotation == 0.0
    x, y = points.x[0], points.y[0]
    for i, bone in enumerate(constraint.bones):
        announce(some.frames, bone, where)
        _place(some, bone, x, y)
        j = min(i + 1, some.points - 1)
        dx, dy = points.x[j] - x, points.y[j] - y
        if constraint.rotate_mode == "chainScale":
            _stretch(some, bone, size(dx, dy), lengths[i])
        x, y = points.x[j], points.y[j]
        if constraint.rotate_mode == "tangent":
            wanted = points.tangent[i]
        else:
            wanted = np.where(spaces[j] == 0.0, points.tangent[j], angle(dy, dx))
        vx, vy = _turn(some, bone, wanted, None if tip else way)
        if tip:
            turns = np.where(some.mixes[0] > 0.0, some.mixes[0], 0.0)
            x, y = x + (vx - dx) * turns, y + (vy - dy) * turns
        settle(some.frames, bone, where)


def _place(some: Some, bone: int, x: Row, y: Row) -> None:
    frames, at = some.frames, some.at
    _, mix_x, mix_y = some.mixes
    frames.wx[bone, at] += (x - frames.wx[bone, at]) * mix_x
    frames.wy[bone, at] += (y - frames.wy[bone, at]) * mix_y


def _stretch(some: Some, bone: int, wanted: Row, length: Row) -> None:
    """The x axis to reach the next point."""
    factor = np.where(length != 0.0, 1.0 + (wanted / length - 1.0) * some.mixes[0], 1.0)
    some.frames.a[bone, some.at] *= factor
    some.frames.c[bone, some.at] *= factor


def _turn(some: Some, bone: int, wanted: Row, way: Row | None) -> tuple[Row, Row]:
    """Turn a bone towards an angle [rad], `way` more; where its tip would be at full mix, from its origin."""
    a, b, c, d = some.rows("a", "b", "c", "d", bone=bone)
    mix, length = some.mixes[0], float(some.frames.lengths[bone])
    r = wanted - angle(c, a)
    ta, _, tc, _ = rotated((a, b, c, d), r)
    matrix = rotated((a, b, c, d), mix * wrap_once(r if way is None else r + way))
    for name, old, new in zip("abcd", (a, b, c, d), matrix, strict=True):
        getattr(some.frames, name)[bone, some.at] = np.where(mix > 0.0, new, old)
    return length * ta, length * tc
