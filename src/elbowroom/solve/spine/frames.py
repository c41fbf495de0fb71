"""The working set of an evaluation: every bone's values at many frames, and world transforms from them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.spine.records import Spine
from elbowroom.solve.spine.degrees import Row, Where, angle_deg, sincos_deg, size

LOCAL = ("x", "y", "rotation", "scale_x", "scale_y", "shear_x", "shear_y")
WORLD = ("a", "b", "c", "d", "wx", "wy")
ONLY_TRANSLATION, NO_ROTATION, NO_SCALE = (INHERIT.index(m) for m in INHERIT[1:4])
Columns = tuple[Row, Row, Row, Row]  # a, b, c, d of a matrix: x axis (a, c), y axis (b, d)


class Frames:
    """Mutable, a row of T frames for each of n bones; degrees and lengths of the file, y up.

    x, y, rotation, scale_x, scale_y, shear_x, shear_y : (n, T) applied local values: what constraints change
    inherit : (n, T) int8, index into INHERIT
    posed : {channel: (n, T)} before any constraint;  pose_rotation, pose_shear_y : of these
    a, b, c, d, wx, wy : (n, T) world: x axis (a, c), y axis (b, d), origin (wx, wy)
    fresh, stale : (n, T) bool, 4.3: the world is valid; the local values are to be derived from it
    lengths, parents : (n,);  children : lists of indexes;  version : (major, minor)
    sx, sy, ox, oy : scale and offset of the skeleton;  count : T
    """

    def __init__(self, skeleton: Skeleton, spine: Spine, local: dict[str, Row], inherit: npt.NDArray[np.int8]) -> None:
        """Take posed local values {channel: (n, T)} [deg]; no world is valid."""
        self.posed = local
        now = {name: rows.copy() for name, rows in local.items()}
        self.x, self.y, self.rotation = now["x"], now["y"], now["rotation"]
        self.scale_x, self.scale_y = now["scale_x"], now["scale_y"]
        self.shear_x, self.shear_y = now["shear_x"], now["shear_y"]
        self.inherit = inherit
        self.pose_rotation, self.pose_shear_y = local["rotation"], local["shear_y"]
        shape = self.x.shape
        self.a, self.b, self.c, self.d, self.wx, self.wy = (np.zeros(shape) for _ in WORLD)
        self.fresh, self.stale = np.zeros(shape, dtype=np.bool_), np.zeros(shape, dtype=np.bool_)
        self.lengths, self.parents = skeleton.lengths, skeleton.parents
        self.children: list[list[int]] = [[] for _ in range(len(skeleton))]
        for bone, parent in enumerate(skeleton.parents.tolist()):
            if parent >= 0:
                self.children[parent].append(bone)
        self.version = spine.version
        (self.sx, self.sy), (self.ox, self.oy) = spine.scale, spine.offset
        self.count = shape[1]

    def update(self, bone: int, where: Where | None = None) -> None:
        """World transform of a bone from its applied local values and its parent's world, at frames `where` (T,)."""
        parent = int(self.parents[bone])
        with np.errstate(all="ignore"):
            found = (*self._root(bone),) if parent < 0 else (*self._matrix(bone, parent), *self._origin(bone, parent))
        for name, values in zip(WORLD, found, strict=True):
            self.put(name, bone, values, where)

    def put(self, name: str, bone: int, values: Row | float, where: Where | None = None) -> None:
        """Write one row, at frames `where` (T,) alone if they are given."""
        np.copyto(getattr(self, name)[bone], values, where=True if where is None else where)

    def restart(self, bone: int, where: Where | None = None) -> None:
        """Local values as they were posed, whatever constraints have done."""
        for name in LOCAL:
            self.put(name, bone, self.posed[name][bone], where)
        self.stale[bone] &= False if where is None else ~where

    def local_matrix(self, bone: int, rotation: Row) -> Columns:
        """Axes of a bone in its parent's frame, turned by `rotation` (T,) [deg]."""
        sine_x, cosine_x = sincos_deg(rotation + self.shear_x[bone])
        sine_y, cosine_y = sincos_deg(rotation + 90.0 + self.shear_y[bone])
        sx, sy = self.scale_x[bone], self.scale_y[bone]
        return cosine_x * sx, cosine_y * sy, sine_x * sx, sine_y * sy

    def world_matrix(self, bone: int) -> Columns:
        """a, b, c, d (T,) of a bone as it stands."""
        return self.a[bone], self.b[bone], self.c[bone], self.d[bone]

    def matrices(self) -> Row:
        """world_from_bone (T, n, 2, 3) of all bones."""
        world = np.empty((self.count, len(self.parents), 2, 3))
        for name, i, j in (("a", 0, 0), ("b", 0, 1), ("wx", 0, 2), ("c", 1, 0), ("d", 1, 1), ("wy", 1, 2)):
            world[:, :, i, j] = getattr(self, name).T
        return world

    def changed_local(self, bone: int, where: Where | None = None) -> None:
        """4.3, before local values are written: they are made valid, the world is dropped, and all below it."""
        mask = self._mask(where)
        self.derived(bone, mask)
        self.fresh[bone] &= ~mask
        self._drop(bone, mask)

    def changed_world(self, bone: int, where: Where | None = None) -> None:
        """4.3, before a world is written: the local values are to be derived from it, worlds below are dropped."""
        mask = self._mask(where)
        self.stale[bone] |= mask
        self._drop(bone, mask)

    def derived(self, bone: int, where: Where | None = None) -> None:
        """4.3: derive the applied local values where only the world is valid."""
        mask = self.stale[bone] & self._mask(where)
        if mask.any():
            from elbowroom.solve.spine.derive import derive  # it works on Frames

            derive(self, bone, mask)
            self.stale[bone] &= ~mask

    def _mask(self, where: Where | None) -> Where:
        return np.ones(self.count, dtype=np.bool_) if where is None else where

    def _drop(self, bone: int, mask: Where) -> None:
        """Valid worlds below, down to the first that is not; their local values first, by the world the parent has."""
        waiting = [(child, mask) for child in self.children[bone]]
        while waiting:
            child, above = waiting.pop()
            had = above & self.fresh[child]
            if had.any():
                self.derived(child, had)
                self.fresh[child] &= ~had
                waiting += [(each, had) for each in self.children[child]]

    def _root(self, bone: int) -> tuple[Row, ...]:
        a, b, c, d = self._scaled(self.local_matrix(bone, self.rotation[bone]))
        return a, b, c, d, self.x[bone] * self.sx + self.ox, self.y[bone] * self.sy + self.oy

    def _origin(self, bone: int, parent: int) -> tuple[Row, Row]:
        a, b, c, d = self.world_matrix(parent)
        x, y = self.x[bone], self.y[bone]
        return a * x + b * y + self.wx[parent], c * x + d * y + self.wy[parent]

    def _matrix(self, bone: int, parent: int) -> Columns:
        """By the mode each frame has; most bones keep one."""
        modes = self.inherit[bone]
        first, *more = np.unique(modes).tolist()
        found = self._by_mode(first, bone, parent)
        for mode in more:
            other = self._by_mode(mode, bone, parent)
            a, b, c, d = (np.where(modes == mode, new, old) for new, old in zip(other, found, strict=True))
            found = (a, b, c, d)
        return found

    def _by_mode(self, mode: int, bone: int, parent: int) -> Columns:
        if mode == 0:
            return times(self.world_matrix(parent), self.local_matrix(bone, self.rotation[bone]))
        if mode == ONLY_TRANSLATION:
            return self._scaled(self.local_matrix(bone, self.rotation[bone]))
        if mode == NO_ROTATION:
            frame, turned = self._unrotated(parent)
            return self._scaled(times(frame, self.local_matrix(bone, self.rotation[bone] - turned)))
        frame = self.unscaled(parent, self.rotation[bone], mode == NO_SCALE)
        return self._scaled(times(frame, self.local_matrix(bone, np.zeros(self.count))))

    def _scaled(self, matrix: Columns) -> Columns:
        a, b, c, d = matrix
        return a * self.sx, b * self.sx, c * self.sy, d * self.sy

    def _unrotated(self, parent: int) -> tuple[Columns, Row]:
        """Frame of noRotationOrReflection and the parent's turn in it [deg]."""
        pa, pb, pc, pd = self.world_matrix(parent)
        whole = self.version == (3, 7)
        qx, qy = (pa, pc) if whole else (pa / self.sx, pc / self.sy)
        exact = self.version >= (4, 2)
        square = qx * qx + qy * qy if exact else pa * pa + pc * pc
        area = np.abs(pa * pd - pb * pc) / (abs(self.sx * self.sy) if exact else 1.0)
        good = square > (1e-10 if self.version >= (4, 3) else 1e-4)
        s = np.where(good, area / square, 0.0)
        turned = np.where(good, angle_deg(qy, qx), 90.0 - angle_deg(pd, pb))
        frame = (
            np.where(good, qx, 0.0), np.where(good, -qy * s, -pb), np.where(good, qy, 0.0), np.where(good, qx * s, pd)
        )  # fmt: skip
        return frame, turned

    def unscaled(self, parent: int, rotation: Row, reflects: bool, smallest: float = 1e-5) -> Columns:
        """Frame of noScale (reflects) and noScaleOrReflection for a bone turned by `rotation` (T,) [deg]."""
        pa, pb, pc, pd = self.world_matrix(parent)
        sine, cosine = sincos_deg(rotation)
        x, y = (pa * cosine + pb * sine) / self.sx, (pc * cosine + pd * sine) / self.sy
        length = size(x, y)
        smallest = 0.0 if self.version >= (4, 3) else smallest  # 4.3 has no guard: NaN there, nothing here
        factor = np.where(length > smallest, 1.0 / length, length)
        x, y = x * factor, y * factor
        mirrored = ((pa * pd - pb * pc) < 0.0) != (self.sx * self.sy < 0.0)
        side = np.where(mirrored, -1.0, 1.0) if reflects else 1.0
        return x, -y * side, y, x * side


def times(one: Columns, other: Columns) -> Columns:
    """one·other."""
    a, b, c, d = one
    e, f, g, h = other
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h
