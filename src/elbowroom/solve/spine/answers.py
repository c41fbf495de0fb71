"""What an IK constraint came to, measured on the finished pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from elbowroom.kernel.solution import FIELDS, Solution, Why
from elbowroom.rig import affine
from elbowroom.rig.skeleton import Skeleton
from elbowroom.solve.geometry import Array, Flags, Mask, angle, between, norm, unit
from elbowroom.solve.spine.ik import Answer

ON = 1e-6  # of the reach: nearer than this is on the target; a runtime's π leaves about 1e-8
ASKED = int(Why.FAR | Why.NEAR)


def measured(skeleton: Skeleton, world: Array, bones: Sequence[int], goal: Array, answer: Answer) -> Solution:
    """The solution in the world.

    world : (T, n, 2, 3) of the finished pose;  goal : (T, 2) where the target is in it
    """
    tip = affine.apply(world[:, bones[-1]], np.array([skeleton.lengths[bones[-1]], 0.0]))
    joints = np.stack([*(world[:, bone, :, 2] for bone in bones), tip], axis=-2)
    segments = joints[..., 1:, :] - joints[..., :-1, :]
    error = norm(tip - goal)
    reached = error <= ON * norm(segments).sum(axis=-1)
    turns = [angle(segments[..., :1, :]), between(segments[..., :-1, :], segments[..., 1:, :])]
    return Solution(
        joints=joints, angles=np.concatenate(turns, axis=-1), error=error, reached=reached,
        why=_why(answer, reached), over=np.zeros(segments.shape[:-1]), stretch=answer.stretch,
        iterations=np.zeros(reached.shape, dtype=np.int64),
        direction=unit(np.stack(answer.ahead, axis=-1), (1.0, 0.0)),
    )  # fmt: skip


def joined(pieces: Sequence[Solution], shape: tuple[int, ...]) -> Solution:
    """Solutions of successive frames as one, of this batch shape."""
    fields: dict[str, Any] = {name: np.concatenate([getattr(piece, name) for piece in pieces]) for name in FIELDS}
    return Solution(**{name: rows.reshape((*shape, *rows.shape[1:]))[()] for name, rows in fields.items()})


def _why(answer: Answer, reached: Mask) -> Flags:
    """What acted; a miss is never without a flag. MIX also where a later constraint moved the limb off its target."""
    why = np.where(answer.mix > 0.0, answer.why, answer.why & ASKED)
    why = why | np.where(answer.mix < 1.0, int(Why.MIX), 0)
    unsaid = np.where(answer.hit, int(Why.MIX), int(Why.DEGENERATE))
    found: Flags = np.where((why == 0) & ~reached, unsaid, why)
    return found
