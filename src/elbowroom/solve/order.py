"""Every constraint of a rig in its order, on one pose or along a clip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.kernel.solution import Solution
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.target import Target
from elbowroom.solve import limb
from elbowroom.solve.geometry import Array, Mask
from elbowroom.solve.goal import goals, point, spaces
from elbowroom.solve.measure import hits, joints_of, measured
from elbowroom.solve.orient import orientation
from elbowroom.solve.root import Roots


@dataclass(frozen=True)
class Done:
    """A constraint after its turn: its bones, its goal in the world, what it wrote, whether it was on the goal then."""

    bones: list[int]
    goal: Array
    posed: limb.Posed
    mix: Array
    hit: Mask


def solve(
    rig: Rig,
    pose: Pose,
    targets: Mapping[str, Any] | None = None,
    *,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    mix: float | None = None,
    parity: bool | None = None,
    engine: str = "auto",
) -> tuple[Any, dict[str, Solution]]:
    """Make the limbs of a pose, or of every frame of a clip, reach for their targets.

    pose : the keyed Pose or Clip, before inverse kinematics
    targets : {constraint: Target, or world position (2,) or (frames, 2), or TargetKeys on a clip}; a constraint
              that is not named takes the clip's keys, else the record's own target. Many positions for one Pose
              pose it once for each of them
    frames : {name: world_from_frame (..., 2, 3)}, spaces the caller knows (a door, a weapon)
    mix : factor on every constraint's mix; 0 switches inverse kinematics off
    parity : None poses a file of Spine as its runtime would, False solves its limbs by our kernel; native rigs: None
    engine : "auto", "numpy" or "numba": the same bits
    Returns the posed Pose or Clip, and {constraint: Solution} in the world, measured by full forward kinematics of
    what is returned. Without smoothing, frame i of a clip equals frame i alone, except where it has to remember: with
    the target on the root or the parent squashed it goes on from the frame before (DEGENERATE).
    Limbs with "move_root" have their root shifted before the first of them is solved; the shift is in the root bone's
    channels (`elbowroom.solve.root.shifts` reads it), smoothed along a clip by the constraint's shift_half_life.
    A miss is never without a flag: MIX also where a later constraint moved the limb off its target, DEGENERATE also
    for a limb whose last bone does not inherit everything: it is solved as if it did.
    Raises InputError, RigError.
    """
    if not isinstance(rig, Rig):
        raise InputError(f"solve: {rig!r} is no rig (give a Rig, such as elbowroom.load(path))")
    _check_pose(rig, pose)
    if parity is not None and not isinstance(parity, bool):
        raise InputError(f"parity: {parity!r} (None, True or False)")
    if rig.runtime is not None:
        from elbowroom.solve.spine.run import run  # NumPy work that native rigs never need

        return run(rig, _spread(pose, targets or {}), targets, frames=frames, mix=_factor(mix), ours=parity is False)
    if parity:
        raise InputError("parity: True has no meaning for a native rig (leave it None)")
    pose = _spread(pose, targets or {})
    now, done = run_through(rig, pose, targets, frames=frames, factor=_factor(mix), engine=engine)
    return now, {name: measure(now, step) for name, step in done.items()}


def run_through(
    rig: Rig,
    pose: Pose,
    targets: Mapping[str, Any] | None = None,
    *,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    factor: float = 1.0,
    engine: str = "auto",
    back: Array | None = None,
) -> tuple[Any, dict[str, Done]]:
    """The posed Pose or Clip and what each constraint did, for arguments as `solve` takes them.

    back : (..., 2) [length] by how much the pose's first bone stands shifted already: "character" is where it was
    """
    known = spaces(rig, pose, frames)
    wanted = goals(known, targets)
    sides = {constraint.name: sampled(constraint, pose, factor) for constraint in rig.constraints}
    roots = Roots(known, wanted, sides, back)
    now, world = pose, pose.world()
    done: dict[str, Done] = {}
    for constraint in rig.constraints:
        now, world = applied(now, world, roots.before(constraint, now, world))
        bones = [rig.skeleton.index(name) for name in constraint.bones]
        bend, amount = sides[constraint.name]
        goal = point(wanted[constraint.name], constraint, pose, roots.at(world))
        posed, before = limb.solve_limb(constraint, now, world, goal, bend, amount, engine), world
        now, world = applied(now, world, posed.channels)
        done[constraint.name] = Done(bones, goal, posed, amount, hits(joints_of(now, world, bones), goal))
        look = (constraint, now, (before, world), amount, wanted[constraint.name], roots.at(before))
        now, world = applied(now, world, orientation(*look))
    return now, done


def measure(pose: Pose, step: Done) -> Solution:
    """What a constraint did, as it stands in a finished pose."""
    joints = joints_of(pose, pose.world(), step.bones)
    return measured(joints, step.goal, step.posed, step.mix, step.hit)


def _check_pose(rig: Rig, pose: Pose) -> None:
    if not isinstance(pose, Pose):
        raise InputError(f"solve: {pose!r} is no pose (give a Pose or a Clip, such as rig.clip(name))")
    own, its = rig.skeleton, pose.skeleton
    if own is not its and not _same(own, its):
        raise InputError("solve: the pose belongs to another skeleton (pose the rig's own, rig.clip or rig.skeleton)")


def _spread(pose: Pose, targets: Mapping[str, Any]) -> Pose:
    """A Pose held for every position of its targets; a Clip has its frames already."""
    if isinstance(pose, Clip):
        return pose
    points = [target.position if isinstance(target, Target) else target for target in targets.values()]
    leads = [np.shape(point)[:-1] for point in points if isinstance(point, np.ndarray | list | tuple)]
    try:
        shape = np.broadcast_shapes(pose.shape, *leads)
    except ValueError:
        return pose  # said where the target is read
    return pose if shape == pose.shape else pose.replace(x=np.broadcast_to(pose.x, (*shape, len(pose.skeleton))))


def _same(one: Skeleton, other: Skeleton) -> bool:
    arrays = ((one.parents, other.parents), (one.lengths, other.lengths))
    return one.names == other.names and all(np.array_equal(a, b) for a, b in arrays)


def _factor(mix: float | None) -> float:
    if mix is None:
        return 1.0
    if isinstance(mix, bool) or not isinstance(mix, int | float | np.number) or not 0.0 <= mix <= 1.0:
        raise InputError(f"mix: {mix!r} is out of range (give a factor from 0 to 1)")
    return float(mix)


def sampled(constraint: IKConstraint, pose: Pose, factor: float) -> tuple[Any, Any]:
    """Bend side and effective mix (...) of a constraint for every frame."""
    track = pose.tracks.get(constraint.name) if isinstance(pose, Clip) else None
    bend = constraint.bend if track is None or track.bend is None else _lead(track.bend, pose)
    mix = constraint.mix if track is None or track.mix is None else _lead(track.mix, pose)
    mix = np.minimum(np.maximum(mix, 0.0), 1.0)  # between its keys a curve may overshoot
    return np.broadcast_to(bend, pose.shape), np.broadcast_to(mix * factor, pose.shape)


def _lead(values: npt.NDArray[Any], pose: Pose) -> npt.NDArray[Any]:
    """(T,) along the time axis of a pose (T, ...)."""
    return values.reshape(-1, *[1] * (len(pose.shape) - 1))


def applied(pose: Any, world: Any, channels: Mapping[str, Mapping[int, Any]]) -> tuple[Any, Any]:
    """The pose with some channels of some bones exchanged, and its world transforms."""
    if not channels:
        return pose, world
    values = {}
    for name, columns in channels.items():
        table = np.array(getattr(pose, name))
        for bone, column in columns.items():
            table[..., bone] = column
        values[name] = table
    changed = {bone for columns in channels.values() for bone in columns}
    now = pose.replace(**values)
    return now, now.refresh(world, changed)
