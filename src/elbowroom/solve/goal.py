"""Where each limb should reach, in the world: declared position, smoothing, space."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, RigError, closest
from elbowroom.kernel.smooth import smooth
from elbowroom.rig import affine
from elbowroom.rig.animation import TargetKeys
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.space import check_handed, point_world, world_from_space
from elbowroom.rig.target import Target
from elbowroom.rig.track import SampledTrack
from elbowroom.solve.geometry import Array

Goal: TypeAlias = Target | SampledTrack
Resolve: TypeAlias = Callable[[str], Array]


@dataclass(frozen=True)
class Spaces:
    """The resolver of one solve: every space of the rig, its frames at the clip's times, the caller's frames."""

    rig: Rig
    pose: Pose
    frames: Mapping[str, Array]

    @cached_property
    def local(self) -> dict[str, tuple[str, Array]]:
        """The rig's own frames, sampled once: name -> (parent, parent_from_frame)."""
        local = self.rig.local_frames(self.pose.times if isinstance(self.pose, Clip) else None)
        return {name: (parent, in_time(matrix, 2, self.pose)) for name, (parent, matrix) in local.items()}

    def carrier(self, space: str) -> int | None:
        """Index of the bone a space moves with, if any."""
        while space in self.rig.frames and space not in self.frames:
            space = self.rig.frames[space].parent
        bones = self.rig.skeleton
        return bones.root if space == "character" else bones.index(space) if space in bones.names else None

    def at(self, world: Array) -> Resolve:
        """name -> world_from_space, halfway through a solve: `world` is what is posed so far."""
        return lambda name: world_from_space(
            name, self.pose, world=world, frames=self.frames, local_frames=self.local
        )


def spaces(rig: Rig, pose: Pose, frames: Mapping[str, npt.ArrayLike] | None) -> Spaces:
    """The resolver, its arguments checked: InputError for a frame that is none, or not one for each frame."""
    check_handed(frames or {}, rig.skeleton.names)
    handed = {name: in_time(np.asarray(matrix, dtype=np.float64), 2, pose) for name, matrix in (frames or {}).items()}
    for name, matrix in handed.items():
        if not _fits(matrix.shape[:-2], pose.shape):
            given = np.shape((frames or {})[name])
            raise InputError(f'frames: "{name}" has shape {given} (give (2, 3) or {(*pose.shape, 2, 3)})')
    return Spaces(rig, pose, handed)


def in_time(values: Array, width: int, pose: Pose) -> Array:
    """Values with one row a frame, spread over a clip's further axes; anything else as it is.

    width : number of axes of one value
    """
    more = len(pose.shape) - 1
    if not isinstance(pose, Clip) or values.ndim != width + 1 or more < 1:
        return values
    return values.reshape(len(values), *[1] * more, *values.shape[1:])


def goals(known: Spaces, targets: Mapping[str, Any] | None) -> dict[str, Goal]:
    """{constraint: what it reaches for}: the caller's target, else the clip's keys, else the record's own.

    Raises InputError for unknown names and for targets that are none, RigError for a limb with no target at all, and
    for one that would reach into a space that it moves itself.
    """
    check_names(known.rig, targets or {})
    limbs = known.rig.constraints
    found = {limb.name: _goal(limb, known.pose, (targets or {}).get(limb.name)) for limb in limbs}
    for limb in limbs:
        _check_free(found[limb.name], limb, known)
    return found


def check_names(rig: Rig, targets: Mapping[str, Any]) -> None:
    """Raise InputError if a target is for a constraint that does not exist."""
    names = [limb.name for limb in rig.constraints]
    for name in targets:
        if name not in names:
            raise InputError(f'targets: constraint "{name}" does not exist{closest(name, names)}')


def _check_free(goal: Goal, constraint: IKConstraint, known: Spaces) -> None:
    moved = known.rig.skeleton.below([known.rig.skeleton.index(constraint.bones[0])])
    used = (goal.space,) if isinstance(goal, Target) else (*(goal.space or ()), *(goal.before_space or ()))
    for space in dict.fromkeys(used):
        bone = known.carrier(space)
        if bone is not None and moved[bone]:
            moves = f'space "{space}" moves with bone "{constraint.bones[0]}"'
            raise RigError(f"{_where(constraint)}: {moves}, which this target drives (use a space outside the limb)")


def _goal(constraint: IKConstraint, pose: Pose, given: Any) -> Goal:
    if given is not None:
        return as_goal(given, pose, constraint)
    keyed = pose.tracks.get(constraint.name) if isinstance(pose, Clip) else None
    if keyed is not None and keyed.position is not None:
        return keyed
    if constraint.target is None:
        raise RigError(f'constraint "{constraint.name}" has no target (give one in the rig, the clip or the call)')
    return constraint.target


def as_goal(given: Any, pose: Pose, constraint: IKConstraint) -> Goal:
    """A Target, a SampledTrack, TargetKeys, or a bare position (2,) or (frames, 2) in the world."""
    where = _where(constraint)
    if isinstance(given, Target):
        return given
    if isinstance(given, TargetKeys):
        if not isinstance(pose, Clip):
            raise InputError(f"{where}: keys need a clip to play on (give one position for a pose)")
        return SampledTrack(**given.sample(pose.times, constraint.target))
    if isinstance(given, SampledTrack):
        if given.position is None or not isinstance(pose, Clip) or len(given) != len(pose):
            raise InputError(f"{where}: a track of {len(given)} samples does not fit {pose!r}")
        return given
    try:
        return Target(given)
    except InputError as error:
        raise InputError(f"{where}: {error} (a Target, or a position in the world)") from None


def point(goal: Goal, constraint: IKConstraint, pose: Pose, resolve: Resolve) -> Array:
    """The world point (..., 2) of a goal for every frame, smoothed in the space it is declared in."""
    if isinstance(goal, SampledTrack):
        here = in_time(point_world(_smoothed(goal, constraint, pose), resolve), 1, pose)
        return np.broadcast_to(here, (*pose.shape, 2))
    position = goal.position
    if isinstance(pose, Clip) and position.shape[:-1] and len(position) == len(pose):
        position = in_time(_filtered(position, constraint, pose), 1, pose)
    if position.shape[-1] != 2 or not _fits(position.shape[:-1], pose.shape):
        wanted = " or ".join(str(shape) for shape in dict.fromkeys([(2,), (*pose.shape, 2)]))
        raise InputError(f"{_where(constraint)}: shape {goal.position.shape} does not fit the pose (give {wanted})")
    return np.broadcast_to(affine.apply(resolve(goal.space), position), (*pose.shape, 2))


def _smoothed(track: SampledTrack, constraint: IKConstraint, pose: Pose) -> SampledTrack:
    """The track with its positions filtered, run by run: a filter never reaches across a change of space.

    What a blend comes from is moved along with the end of the run before it, so that it still begins there.
    """
    if constraint.smooth is None or track.position is None or track.before is None:
        return track
    position, before = np.array(track.position), np.array(track.before)
    for run in (runs := list(_runs(track))):
        position[run] = _filtered(position[run], constraint, pose, run)
    for run, after in pairwise(runs):
        before[after] += position[run][-1] - track.position[run][-1]
    return SampledTrack(position, track.space, before, track.before_space, track.weight, track.mix, track.bend)


def _filtered(points: Array, constraint: IKConstraint, pose: Pose, run: slice = slice(None)) -> Array:
    chosen = constraint.smooth
    if chosen is None or not isinstance(pose, Clip):
        return points
    options: Mapping[str, Any] = {"method": chosen} if isinstance(chosen, str) else chosen
    try:
        for name in {"points", "fps", "times"} & set(options):
            raise InputError(f"smooth {name}: the clip has its own (leave it out)")
        return np.asarray(smooth(points, times=pose.times[run], **options))
    except InputError as error:
        raise RigError(f'constraint "{constraint.name}": {error}') from None


def _runs(track: SampledTrack) -> Iterator[slice]:
    """The stretches of samples between one change of space and the next; where a blend starts over, there was one."""
    names, weight = np.array(track.space), np.asarray(track.weight)
    changes = np.flatnonzero((names[1:] != names[:-1]) | (weight[1:] < weight[:-1])) + 1
    edges = [0, *changes.tolist(), len(names)]
    return (slice(a, b) for a, b in pairwise(edges))


def _fits(shape: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to the whole."""
    try:
        return np.broadcast_shapes(shape, whole) == whole
    except ValueError:
        return False


def _where(constraint: IKConstraint) -> str:
    return f'target of "{constraint.name}"'
