"""What is needed to draw single frames: joints of the bones, and of every limb its joints, goal and miss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, RigError, closest
from elbowroom.kernel.solution import Solution, Why
from elbowroom.kernel.trig import atan2
from elbowroom.render.stops import Stops, of_pose
from elbowroom.render.style import measure
from elbowroom.rig import affine
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.space import point_world, world_from_space
from elbowroom.rig.spine.outlines import outlines
from elbowroom.rig.target import Target
from elbowroom.rig.track import SampledTrack
from elbowroom.rig.units import RADIANS
from elbowroom.solve.order import sampled

Array = npt.NDArray[np.float64]
SAME = 1e-6  # [fraction of the limb] a goal farther from its error than this is not the one that was solved
ASIDE = 1e-4  # [deg] less is rounding


def lengths(vectors: Array) -> Array:
    """(...) of vectors (..., 2)."""
    found: Array = np.hypot(vectors[..., 0], vectors[..., 1])
    return found


@dataclass(frozen=True)
class Limb:
    """A solved limb in one frame: joints (n+1, 2), goal (2,), both in the world; error [length], Why flags.

    stops : its joint limits, if it has any
    mix : how much of the answer is taken; at 0 the limb is not drawn as one
    """

    name: str
    joints: Array
    goal: Array
    error: float
    why: int
    stretch: float
    softness: float
    curve: str = "exponential"
    stops: Stops | None = None
    mix: float = 1.0

    @property
    def missed(self) -> bool:
        """Does it end off its goal, or if it aims point past it, by more than rounding?"""
        return self.off > ASIDE if self.aims else self.error > SAME * self.reach

    @property
    def aims(self) -> bool:
        """Whether it is one bone, which points at its goal and does not reach for it."""
        return len(self.joints) == 2

    @property
    def off(self) -> float:
        """The angle between its first bone and its goal [deg]."""
        (ax, ay), (bx, by) = self.joints[1] - self.joints[0], self.goal - self.joints[0]
        return abs(atan2(float(ax * by - ay * bx) + 0.0, float(ax * bx + ay * by) + 0.0)) / RADIANS

    @property
    def miss(self) -> str:
        """How far it misses, in words: "16" units, "12°"."""
        return f"{measure(self.off)}°" if self.aims else measure(self.error)

    @property
    def lengths(self) -> Array:
        """(n,) of its bones without stretch [length]."""
        return lengths(np.diff(self.joints, axis=0)) / self.stretch

    @property
    def reach(self) -> float:
        """The sum of its bones without stretch [length]."""
        return float(self.lengths.sum())

    @property
    def hole(self) -> float:
        """The radius it cannot fold into [length]."""
        longest = float(self.lengths.max())
        return max(0.0, 2.0 * longest - self.reach)


@dataclass(frozen=True)
class Shot:
    """One frame: where every bone begins and ends (n, 2), the limbs that were solved, the borders of the art (k, 2)."""

    starts: Array
    tips: Array
    limbs: tuple[Limb, ...]
    time: float | None = None
    art: tuple[Array, ...] = ()

    def points(self, rings: bool = True) -> Array:
        """Everything a view has to show, (k, 2)."""
        found = [self.starts, self.tips, *self.art]
        for limb in self.limbs:
            found += [limb.joints, limb.goal[np.newaxis]]
            if rings and len(limb.joints) > 2:
                found.append(limb.joints[0] + limb.reach * np.array([(-1.0, -1.0), (1.0, 1.0)]))
        return np.concatenate(found)

    def shifted(self, by: Array) -> Shot:
        """The same frame elsewhere, by (2,) [length]."""
        limbs = tuple(replace(limb, joints=limb.joints + by, goal=limb.goal + by) for limb in self.limbs)
        return Shot(self.starts + by, self.tips + by, limbs, self.time, tuple(points + by for points in self.art))


def largest(some: Sequence[Shot]) -> float:
    """The larger side of what the bones span in the frame where that is most [length]; 1 where they span nothing."""
    spans = [np.ptp(np.concatenate([shot.starts, shot.tips]), axis=0).max() for shot in some]
    return float(max(spans)) or 1.0


def shots(
    rig: Rig,
    pose: Pose,
    solutions: Mapping[str, Solution] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    frames: Sequence[int] | None = None,
) -> list[Shot]:
    """Frames of a clip, or the one frame of a pose.

    frames : which; None: all.  targets : as given to `solve`, where something else than the rig's own was solved
    Raises InputError for frames the clip does not have, and solutions that are not of this pose.
    """
    single = not pose.shape
    if len(pose.shape) > 1:
        raise InputError(f"draw: a pose of shape {pose.shape} (one frame, or a clip: take pose[:, 0])")
    world, tips = (a[np.newaxis] if single else a for a in (pose.world(), pose.tips()))
    limbs = _limbs(rig, pose, solutions or {}, targets or {}, len(world))
    times = pose.times.tolist() if isinstance(pose, Clip) else [None] * len(world)
    wanted = range(len(world)) if frames is None else [_frame(i, len(world)) for i in frames]
    return [
        Shot(
            world[i, :, :, 2],
            tips[i],
            tuple(limb[i] for limb in limbs),
            times[i],
            _art(rig, pose if single else pose[i]),
        )
        for i in wanted
    ]


def _art(rig: Rig, pose: Pose) -> tuple[Array, ...]:
    """The borders of what the slots of a Spine rig show."""
    return () if rig.runtime is None else tuple(outlines(rig.runtime, pose))


def _frame(i: int, count: int) -> int:
    if not -count <= i < count:
        raise InputError(f"frame {i} (0 to {count - 1})")
    return i % count


def _limbs(
    rig: Rig, pose: Pose, solutions: Mapping[str, Solution], targets: Mapping[str, Any], count: int
) -> list[list[Limb]]:
    """For every solved constraint, a Limb for every frame."""
    known = [c.name for c in rig.constraints]
    for name in solutions:
        if name not in known:
            raise InputError(f'solutions: constraint "{name}" does not exist{closest(name, known)}')
    solved = [c for c in rig.constraints if c.name in solutions]
    return [_limb(rig, c, pose, solutions[c.name], targets, count=count) for c in solved]


def _limb(
    rig: Rig, constraint: IKConstraint, pose: Pose, solution: Solution, targets: Mapping[str, Any], *, count: int
) -> list[Limb]:
    joints = np.asarray(solution.joints, dtype=np.float64)
    if joints.shape != (*pose.shape, len(constraint.bones) + 1, 2):
        raise InputError(
            f'solutions: "{constraint.name}" has joints of shape {joints.shape} '
            f"({(*pose.shape, len(constraint.bones) + 1, 2)} for this pose)"
        )
    joints = joints.reshape(count, -1, 2)
    error, why, stretch, aim = (
        np.broadcast_to(np.asarray(getattr(solution, name)), (*pose.shape, *more)).reshape(count, *more)
        for name, more in (("error", ()), ("why", ()), ("stretch", ()), ("direction", (2,)))
    )
    goal = _goals(rig, constraint, pose, targets, joints=joints, error=error)
    goal = np.where(np.isnan(goal), inferred(joints, error, why, aim), goal)
    bends, mixes = (np.broadcast_to(each, (count,)) for each in sampled(constraint, pose, 1.0))
    return [
        Limb(constraint.name, joints[i], goal[i], float(error[i]), int(why[i]), float(stretch[i]), constraint.softness,
             constraint.curve, _stops(constraint, pose[i] if pose.shape else pose, int(bends[i]), float(stretch[i])),
             float(mixes[i]))
        for i in range(count)
    ]  # fmt: skip


def _stops(constraint: IKConstraint, pose: Pose, bend: int, stretch: float) -> Stops | None:
    """The joint limits of one solved pose, for the limb as long as it is without its stretch."""
    found = of_pose(constraint, pose, bend)
    return None if found is None else found.stretched(1.0 / stretch)


def _goals(
    rig: Rig, constraint: IKConstraint, pose: Pose, targets: Mapping[str, Any], *, joints: Array, error: Array
) -> Array:
    """(T, 2): the declared goal, in the frames where its distance is the error; else NaN."""
    keyed = pose.tracks.get(constraint.name) if isinstance(pose, Clip) else None
    keyed = keyed if keyed is not None and keyed.position is not None else None
    found = np.full((len(joints), 2), np.nan)
    reach = lengths(np.diff(joints, axis=1)).sum(axis=-1)
    for declared in (targets.get(constraint.name), keyed, constraint.target):
        point = None if declared is None else _resolved(rig, pose, declared)
        if point is None or point.shape not in ((2,), (1, 2), (len(joints), 2)):
            continue
        point = np.broadcast_to(point, (len(joints), 2))
        apart = lengths(joints[:, -1] - point)
        right = np.isnan(found[:, 0]) & (np.abs(apart - error) <= SAME * reach)
        found[right] = point[right]
    return found


def _resolved(rig: Rig, pose: Pose, declared: Any) -> Array | None:
    """A declared goal in the world of the solved pose, or None where only the solve could know it."""
    local = rig.local_frames(pose.times if isinstance(pose, Clip) else None)
    try:
        if isinstance(declared, Target):
            there = world_from_space(declared.space, pose, local_frames=local)
            return affine.apply(there, declared.position)
        if hasattr(declared, "before_space"):
            return point_world(declared, lambda name: world_from_space(name, pose, local_frames=local))
        if isinstance(declared, TargetKeys) and isinstance(pose, Clip):
            return _resolved(rig, pose, SampledTrack(**declared.sample(pose.times)))
        return np.asarray(declared, dtype=np.float64)
    except (RigError, TypeError, ValueError):
        return None  # a space of the caller's own, or keys: `inferred` will do


def inferred(joints: Array, error: Array, why: npt.NDArray[Any], aim: Array) -> Array:
    """Goals (T, 2) from answers alone: on the ray from the root along `aim`, `error` from the end.

    Of the two such points the farther, but the nearer one where the limb could not fold enough (NEAR).
    """
    end = joints[:, -1] - joints[:, 0]
    along = (end * aim).sum(axis=-1)
    across = np.abs(end[:, 0] * aim[:, 1] - end[:, 1] * aim[:, 0])
    off = np.sqrt(np.maximum(error - across, 0.0)) * np.sqrt(error + across)
    near = (why & int(Why.NEAR)) != 0
    goals: Array = joints[:, 0] + (along + np.where(near, -off, off))[:, np.newaxis] * aim
    return goals
