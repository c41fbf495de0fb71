"""How far a finished pose is from its targets, and why."""

from __future__ import annotations

import numpy as np

from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.solution import Solution, Why
from elbowroom.rig import affine
from elbowroom.rig.pose import Pose
from elbowroom.solve.geometry import Array, Flags, Mask, angle, between, norm
from elbowroom.solve.limb import Posed

ASKED = int(Why.FAR | Why.NEAR)  # said of the target, whether the answer is taken or not


def joints_of(pose: Pose, world: Array, bones: list[int]) -> Array:
    """Where the bones of a limb begin and the last one ends, (..., n+1, 2), for world transforms (..., m, 2, 3)."""
    tip = affine.apply(world[..., bones[-1], :, :], np.stack([pose.skeleton.lengths[bones[-1]], 0.0]))
    return np.stack([*(world[..., i, :, 2] for i in bones), tip], axis=-2)


def hits(joints: Array, goal: Array) -> Mask:
    """Whether the end of a limb is on its target, (...): within 1e-9 of the limb's length as it stands."""
    reach = norm(joints[..., 1:, :] - joints[..., :-1, :]).sum(axis=-1)
    on: Mask = norm(joints[..., -1, :] - goal) <= TOLERANCE * reach
    return on


def measured(joints: Array, goal: Array, posed: Posed, mix: Array, hit: Mask) -> Solution:
    """The solution as the finished pose has it, in the world.

    joints : (..., n+1, 2) by full forward kinematics;  goal : (..., 2);  mix : (...)
    hit : (...) bool, whether the limb was on its target when it had just been solved
    """
    segments = joints[..., 1:, :] - joints[..., :-1, :]
    reached = hits(joints, goal)
    return Solution(
        joints=joints, angles=_relative(segments), error=norm(joints[..., -1, :] - goal), reached=reached,
        why=_why(posed, mix, hit, reached), over=_over(posed, mix), stretch=posed.stretch,
        iterations=np.broadcast_to(np.asarray(posed.iterations, dtype=np.int64), reached.shape),
        direction=posed.direction,
    )  # fmt: skip


def _over(posed: Posed, mix: Array) -> Array:
    acted = (mix > 0.0) & ~posed.held
    return np.where(acted[..., np.newaxis], posed.over, 0.0)


def _why(posed: Posed, mix: Array, hit: Mask, reached: Mask) -> Flags:
    """What acted. A miss is never without a flag.

    MIX also where a later constraint has moved the limb off its target (its answer is not all there is in the pose),
    DEGENERATE also where the limb as a whole can not be solved exactly (bones that do not inherit everything).
    """
    solved = np.where(posed.held, int(Why.DEGENERATE), posed.why)
    why = np.where(mix > 0.0, solved, posed.why & ASKED) | np.where(mix < 1.0, int(Why.MIX), 0)
    unsaid = np.where(hit, int(Why.MIX), int(Why.DEGENERATE))
    found: Flags = np.where((why == 0) & ~reached, unsaid, why)
    return found


def _relative(segments: Array) -> Array:
    """Angles (..., n) [rad] of segments (..., n, 2), each from the one before, the first from the x axis."""
    first = angle(segments[..., :1, :])
    return np.concatenate([first, between(segments[..., :-1, :], segments[..., 1:, :])], axis=-1)
