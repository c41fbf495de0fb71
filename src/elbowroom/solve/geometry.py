"""What a limb measures in the space it hangs in, and how its bones' own rotations make its shape."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.kernel.engine import rows
from elbowroom.rig import affine
from elbowroom.rig.pose import Pose
from elbowroom.rig.skeleton import CHANNELS

Array: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Flags: TypeAlias = npt.NDArray[np.int64]

NOISE = 1e-14  # what is so much smaller than what it was made of is nothing, rounding aside
EVEN = 1e-15  # by how much axes may differ from equal and upright ones, rounding aside


@dataclass(frozen=True)
class Limb:
    """The measures of a limb of one or two bones, in the space its root bone hangs in.

    first : (..., 2) [length] from the root to the next joint while the root bone's rotation is 0
    lengths : (...) [length] of the segments;  rests : (...) [rad] where a segment lies while its bone's rotation is 0,
              against the segment before
    axes : (..., 2, 3) the root bone's own scale and shear
    offset, tip : (..., 2) [length] the two segments in the root bone's space, each while its rotation is 0
    side : (...) −1 where the root bone is mirrored by its own scale: what hangs on it turns the other way
    uneven : (...) bool, where the root bone's own scale and shear change the shape of what hangs on it
    """

    first: Array
    lengths: tuple[Array, ...]
    rests: tuple[Array, ...]
    axes: Array
    offset: Array
    tip: Array
    side: Array
    uneven: Mask

    @classmethod
    def of(cls, pose: Pose, bones: list[int]) -> Limb:
        """Measured on a pose; a bone's segment goes to the next joint, the last one's is its own length."""
        root, last = (own_axes(pose, i) for i in (bones[0], bones[-1]))
        tip = along(last, np.array([pose.skeleton.lengths[bones[-1]], 0.0]))
        if len(bones) == 1:
            even = np.zeros(pose.shape, dtype=np.bool_)
            return cls(tip, (norm(tip),), (angle(tip),), root, tip, tip, np.ones(pose.shape), even)
        offset = place(pose, bones[1])
        first = affine.apply(root, offset)
        area = affine.determinant(root)
        lengths = (norm(first), np.sqrt(np.abs(area)) * norm(tip))
        rests = (angle(first), angle(tip) - angle(offset))
        return cls(first, lengths, rests, root, offset, tip, np.where(area < 0.0, -1.0, 1.0), _uneven(root))

    def pick(self, which: Mask) -> Limb:
        """Only the limbs where `which` (...) is true, k of them."""
        lengths, rests = (tuple(part[which] for part in parts) for parts in (self.lengths, self.rests))
        first, axes, offset, tip = (part[which] for part in (self.first, self.axes, self.offset, self.tip))
        return Limb(first, lengths, rests, axes, offset, tip, self.side[which], self.uneven[which])

    def rotations(self, angles: Array) -> list[Array]:
        """The bones' own rotations from the angles (..., n) of the solved segments, each against the one before."""
        turned = [angles[..., 0] - self.rests[0]]
        return turned if len(self.rests) == 1 else [*turned, self.side * angles[..., 1] - self.rests[1]]

    def ranges(self, limits: Sequence[tuple[float, float]] | None) -> Array | None:
        """Limits (n, 2) [rad] of the bones' own rotations as limits (..., n, 2) of the segments' angles."""
        if limits is None:
            return None
        low, high = (limits[0][i] + self.rests[0] for i in (0, 1))
        pairs = [np.stack([low, high], axis=-1)]
        if len(self.rests) == 2:
            low, high = (limits[1][i] + self.rests[1] for i in (0, 1))
            mirrored = self.side < 0.0
            pairs.append(np.stack([np.where(mirrored, -high, low), np.where(mirrored, -low, high)], axis=-1))
        return np.stack(pairs, axis=-2)

    def own(self, over: Array) -> Array:
        """What segments exceed (..., n) as what the bones' own rotations do: a mirrored root bone turns the second."""
        return over if len(self.rests) == 1 else np.stack([over[..., 0], self.side * over[..., 1]], axis=-1)

    def ahead(self, rotations: list[Array]) -> Array:
        """The unit vector (..., 2) from root to end at the bones' own rotations, n of (...); (1, 0) if folded up."""
        straight = self.first
        if len(rotations) == 2:
            straight = affine.apply(self.axes, self.offset + turned(self.tip, rotations[1]))
        folded = norm(straight) <= NOISE * norm(self.first)
        straight = np.where(folded[..., np.newaxis], 0.0, turned(straight, rotations[0]))
        return unit(straight, (1.0, 0.0))


def place(pose: Pose, bone: int) -> Array:
    """Where a bone begins, in its parent's space: (..., 2) [length]."""
    return np.stack([pose.x[..., bone], pose.y[..., bone]], axis=-1)


def along(axes: Array, vector: Array) -> Array:
    """A vector (..., 2) of the inner space, written in the outer one: no matter where the origin is."""
    return affine.apply(linear(axes), vector)


def linear(matrix: Array) -> Array:
    """A transform without its shift."""
    out = np.array(matrix)
    out[..., 2] = 0.0
    return out


def turned(vector: Array, by: Array) -> Array:
    """A vector (..., 2) turned by an angle (...) [rad]."""
    s, c = rows().sincos(by)
    x, y = vector[..., 0], vector[..., 1]
    return np.stack([x * c - y * s, x * s + y * c], axis=-1)


def norm(vector: Array) -> Array:
    """Length (...) of a vector (..., 2)."""
    length: Array = rows().length(vector[..., 0], vector[..., 1])
    return length


def angle(vector: Array) -> Array:
    """Angle (...) [rad] of a vector (..., 2) from the x axis; 0 for the zero vector."""
    found: Array = rows().atan2(vector[..., 1] + 0.0, vector[..., 0] + 0.0)
    return found


def unit(vector: Array, otherwise: Any) -> Array:
    """A vector (..., 2) at length 1; `otherwise` (..., 2) at length 1 where it is zero."""
    fallback = np.asarray(otherwise, dtype=np.float64)
    parts = rows().unit(vector[..., 0], vector[..., 1], fallback[..., 0], fallback[..., 1])
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def between(start: Array, to: Array) -> Array:
    """The angle (...) [rad] that turns one vector (..., 2) to another."""
    x, y, u, v = start[..., 0], start[..., 1], to[..., 0], to[..., 1]
    return angle(np.stack([x * u + y * v, x * v - y * u], axis=-1))


def own_axes(pose: Pose, bone: int) -> Array:
    """What a bone's own scale and shear do, (..., 2, 3)."""
    return affine.from_parts(0.0, 0.0, 0.0, *(getattr(pose, c)[..., bone] for c in CHANNELS[3:]))


def _uneven(axes: Array) -> Mask:
    a, b, _, c, d, _ = affine.entries(axes)
    along_x, along_y, across = a * a + c * c, b * b + d * d, a * b + c * d
    most = EVEN * (along_x + along_y)
    off: Mask = (np.abs(along_x - along_y) > most) | (np.abs(across) > most)
    return off
