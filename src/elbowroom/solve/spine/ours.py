"""IK constraints on the working set, by our own kernel: the same targets, and all that is keyed but Spine's stretch."""

from __future__ import annotations

from typing import Any

import numpy as np

from elbowroom.kernel.solution import Why
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.spine.records import SpineIK
from elbowroom.rig.spine.state import IKState
from elbowroom.rig.units import RADIANS
from elbowroom.solve.geometry import Array, norm
from elbowroom.solve.limb import Posed, solve_limb
from elbowroom.solve.spine import ik
from elbowroom.solve.spine.degrees import Where
from elbowroom.solve.spine.frames import LOCAL, Frames

ANGLES = ("rotation", "shear_x", "shear_y")


def apply(frames: Frames, rig: Rig, record: SpineIK, state: IKState, goal: ik.Goal | None = None) -> ik.Answer:
    """Let the bones reach for their target, or for a `goal` in the world, by `solve_limb`."""
    there = (frames.wx[record.target].copy(), frames.wy[record.target].copy()) if goal is None else goal
    acts = np.asarray(state.mix != 0.0)
    ik.put_back(frames, record, ~acts)
    limb = next((limb for limb in rig.constraints if limb.name == record.name), None)
    if limb is None or not acts.any() or frames.parents[record.bones[0]] < 0 or len(record.bones) > 2:
        ik.put_back(frames, record, acts)
        return ik.idle(frames, record, there)
    ik.ready(frames, record, acts)
    posed = _solved(frames, rig, limb, record, state, there)
    _write(frames, record, posed, acts)
    ahead = frames.wx[record.bones[0]], frames.wy[record.bones[0]]
    return ik.Answer(
        np.where(acts, state.mix, 0.0), np.where(posed.held, int(Why.DEGENERATE), posed.why),
        np.where(acts, posed.stretch, 1.0), ik.on_goal(frames, record.bones[-1], there), there,
        (there[0] - ahead[0], there[1] - ahead[1]),
    )  # fmt: skip


def _solved(frames: Frames, rig: Rig, limb: IKConstraint, record: SpineIK, state: IKState, goal: ik.Goal) -> Posed:
    pose, world = _standing(frames, rig)
    mix, soft = np.clip(state.mix, 0.0, 1.0), _softness(frames, record, state)
    return solve_limb(limb, pose, world, np.stack(goal, axis=-1), -state.bend, mix, "auto", softness=soft)


def _softness(frames: Frames, record: SpineIK, state: IKState) -> Array:
    """Spine's length (T,) as a fraction of the reach: it grows with the mean of the bones' scales."""
    first, last = record.bones[0], record.bones[-1]
    if first == last:
        return np.zeros_like(state.mix)
    along, across, own = (np.abs(rows) for rows in (frames.scale_x[first], frames.scale_y[first], frames.scale_x[last]))
    offset = np.stack([along * frames.x[last], across * frames.y[last]], axis=-1)
    reach = norm(offset) + frames.lengths[last] * own * along
    share = state.softness * along * (own + 1.0) / 2.0 / np.where(reach > 0.0, reach, 1.0)
    return np.where(reach > 0.0, np.clip(share, 0.0, 1.0), 0.0)


def _standing(frames: Frames, rig: Rig) -> tuple[Pose, Array]:
    """The pose as it stands, and its world (T, n, 2, 3)."""
    values: dict[str, Any] = {}
    for name in LOCAL:
        rows = getattr(frames, name).T
        rows = np.where(np.isfinite(rows), rows, frames.posed[name].T)
        values[name] = rows * RADIANS if name in ANGLES else rows
    pose = Pose(rig.skeleton, **values, inherit=frames.inherit.T)
    return pose, frames.matrices()


def _write(frames: Frames, record: SpineIK, posed: Posed, acts: Where) -> None:
    for bone in record.bones:
        rows = {name: posed.channels[name][bone] for name in posed.channels if bone in posed.channels[name]}
        for name, values in rows.items():
            frames.put(name, bone, values / RADIANS if name in ANGLES else values, acts)
    for bone in record.bones:
        frames.update(bone, acts)
