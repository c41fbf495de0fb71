"""How a limb hangs on what is above it: the space it is solved in, whatever its root bone inherits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from elbowroom.rig import affine
from elbowroom.rig.affine import IDENTITY
from elbowroom.rig.pose import Pose
from elbowroom.rig.skeleton import CHANNELS, INHERIT
from elbowroom.solve.geometry import NOISE, Array, Mask, along, angle, linear, norm, place, turned

UNSCALED = INHERIT.index("noScale")  # from this code on a bone takes over no more than a direction


@dataclass(frozen=True)
class Hung:
    """The space in which a limb's root bone turns.

    frame : (..., 2, 3) the bone in the world is frame · rotation · own scale and shear; the identity where flat
    flat : (...) bool, where there is no way back from the world: squashed to a line or a point
    slant : (..., 2, 3) from the bone's own direction to the one it has in the frame. They differ where `loose`, (...)
            bool: a bone that takes over the direction that a stretched parent gives it, but not the stretch
    """

    frame: Array
    flat: Mask
    slant: Array
    loose: Mask

    @classmethod
    def of(cls, pose: Pose, world: Array, bone: int) -> Hung:
        """A bone of a pose whose transforms (..., n, 2, 3) so far are `world`."""
        above, codes = pose.skeleton.parents[bone], pose.inherit[..., bone]
        frame = parent = world[..., above, :, :] if above >= 0 else np.broadcast_to(IDENTITY, (*pose.shape, 2, 3))
        own = above < 0 or not codes.any()
        if not own:
            frame = np.where(_wide(codes == 0), parent, _bare(pose, world, bone))
        flat = affine.singular(frame)
        frame = np.where(_wide(flat), IDENTITY, frame)
        if own or not (loose := codes >= UNSCALED).any():
            return cls(frame, flat, IDENTITY, np.zeros(pose.shape, dtype=np.bool_))
        slant = affine.compose(affine.invert(linear(frame)), linear(np.where(_wide(loose & ~flat), parent, frame)))
        stuck = affine.singular(slant)
        frame, slant = (np.where(_wide(stuck), IDENTITY, m) for m in (frame, slant))
        return cls(frame, flat | stuck, slant, loose)

    def goal(self, here: Array, goal_world: Array) -> tuple[Array, Mask]:
        """A goal (..., 2) as the frame has it, and where it leaves the limb's root `here` no direction to aim."""
        inverse = affine.invert(self.frame)
        goal = affine.apply(inverse, goal_world)
        on_root = norm(goal - here) <= NOISE * (norm(here) + norm(inverse[..., 2]))
        return np.where(on_root[..., np.newaxis], here, goal), on_root | self.flat

    def inner(self, rotation: Array) -> Array:
        """The bone's own rotation (...) [rad] as the frame has it."""
        return self._through(self.slant, rotation)

    def outer(self, rotation: Array) -> Array:
        """The way back."""
        return self._through(affine.invert(self.slant), rotation) if self.loose.any() else rotation

    def _through(self, slant: Array, rotation: Array) -> Array:
        if not self.loose.any():
            return rotation
        direction = turned(np.array([1.0, 0.0]), rotation)
        return np.where(self.loose, angle(affine.apply(slant, direction)), rotation)


def _bare(pose: Pose, world: Array, bone: int) -> Array:
    """The frame a bone would have without rotation, scale and shear of its own; its place counts as in the parent."""
    bare = {}
    for name in CHANNELS[2:]:
        values = np.array(getattr(pose, name))
        values[..., bone] = 1.0 if name.startswith("scale") else 0.0
        bare[name] = values
    frame = np.array(pose.replace(**bare).refresh(world, [bone])[..., bone, :, :])
    frame[..., 2] -= along(frame, place(pose, bone))
    return frame


def _wide(mask: Mask) -> Mask:
    """(...) as (..., 1, 1)."""
    return mask[..., np.newaxis, np.newaxis]
