"""Solve clips and write the answer as keys: what any player shows without inverse kinematics."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, RigError
from elbowroom.kernel.angles import unwrap
from elbowroom.rig.animation import Animation, TargetKeys, sample_times
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.keys import Track
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.rig.target import Target
from elbowroom.rig.track import SampledTrack
from elbowroom.rig.units import RADIANS, degrees
from elbowroom.solve.geometry import Array, norm, place
from elbowroom.solve.goal import check_names
from elbowroom.solve.limb import hold
from elbowroom.solve.order import Done, run_through, sampled
from elbowroom.solve.reduce import reduced

WRITTEN: Mapping[str, str] = {"rotation": "rotation_deg", "x": "x", "y": "y", "scale_x": "scale_x"}
STRETCHED = ("x", "y", "scale_x")
AT_REST = "targets"  # what the animation of a rig without any is called
TIGHTER = 0.5  # what the tolerance of single channels is multiplied by while the tips are off by too much
TRIES = 12


@dataclasses.dataclass(frozen=True)
class Options:
    """How to bake, as `bake` takes it."""

    targets: Mapping[str, Any]
    frames: Mapping[str, npt.ArrayLike] | None
    fps: float
    tolerance: float
    keep_constraints: bool
    match: bool


def bake(
    rig: Rig,
    clip_name: str | Iterable[str] | None = None,
    *,
    targets: Mapping[str, Any] | None = None,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    fps: float = 60,
    tolerance: float = 0.1,
    keep_constraints: bool = False,
    match: bool = False,
) -> Rig:
    """A rig whose animations hold the solved pose as keys of the bones.

    clip_name : one animation, several, or None for all; a rig without animations is baked at rest, as "targets",
                for as long as the targets last
    targets, frames : as in `solve`; TargetKeys are sampled on each clip's clock
    fps : [1/s] samples; tolerance : [length] most that any bone's tip may lie off the solved pose at a sample; 0 keeps
          every sample as a key
    keep_constraints : leave the constraints and their keys in the rig, `targets` among them, and the animations that
          were not baked. A player that solves again then starts from the solved angles; stretching is left to it, and
          where a mix lies between 0 and 1 it pulls a second time. Otherwise the constraints, the legs made of them and
          those animations go, and nothing in the rig is left to solve
    match : where a mix ends, go on from the pose of the last full-mix frame instead of the keyed one, so that
          switching off changes nothing
    Returns a new Rig; one without constraints comes back as it is. Raises InputError, RigError.
    """
    if rig.runtime is not None:
        raise RigError(
            f'bake: "{rig.name}" is a Spine rig, and those are not baked yet by this version (native rigs are)'
        )
    if not (isinstance(tolerance, int | float) and 0.0 <= tolerance <= 1e150):
        raise InputError(f"tolerance: {tolerance!r} (a length, 0 or more)")
    sample_times(0.0, fps)
    check_names(rig, targets or {})
    options = Options(targets or {}, frames, fps, tolerance, keep_constraints, match)
    names = rig.clips if clip_name is None else (clip_name,) if isinstance(clip_name, str) else tuple(clip_name)
    for name in names:
        rig.animation(name)
    if not rig.constraints:
        return rig
    if not names:
        rig, keys = at_rest(rig, options.targets, fps)
        options, names = dataclasses.replace(options, targets=keys), (AT_REST,)
    baked = {name: _baked(rig, name, options) for name in names}
    if keep_constraints:
        return dataclasses.replace(rig, animations={**rig.animations, **baked})
    return dataclasses.replace(rig, constraints=(), legs=(), animations=baked)


def at_rest(rig: Rig, targets: Mapping[str, Any], fps: float) -> tuple[Rig, Mapping[str, TargetKeys]]:
    """A rig without animations gets one that holds its rest pose while the targets move; these as its keys."""
    keys = {name: _as_keys(name, given, fps) for name, given in targets.items()}
    return dataclasses.replace(rig, animations={AT_REST: Animation(AT_REST, fps=fps, targets=keys)}), keys


def _as_keys(name: str, given: Any, fps: float, times: Array | None = None) -> TargetKeys:
    """A target of any kind as keys, at the given times or one a frame."""
    if isinstance(given, TargetKeys):
        return given
    if isinstance(given, SampledTrack):
        raise InputError(f'target of "{name}": a sampled track is no keys (give TargetKeys, a Target or positions)')
    target = given if isinstance(given, Target) else Target(given)
    points = np.atleast_2d(target.position)
    clock = np.arange(len(points)) / fps if times is None or len(points) == 1 else times
    return TargetKeys(Track(clock, points), np.zeros(1), (target.space,))


def _cut(keys: TargetKeys, times: Array) -> TargetKeys:
    """Keys that outlast a clip, ended with it: a kept target must not make the clip longer."""
    if keys.position is None or max([*keys.position.times, *keys.space_times]) <= times[-1]:
        return keys
    inside = keys.space_times <= times[-1]
    names = tuple(name for name, kept in zip(keys.space_names, inside, strict=True) if kept)
    return TargetKeys(Track(times, keys.sample(times)["position"]), keys.space_times[inside], names, keys.blend)


@dataclasses.dataclass(frozen=True)
class Solved:
    """A clip as it is written: what was solved, the pose that came out, and what each constraint did."""

    start: Clip
    posed: Clip
    steps: Mapping[str, Done]


def solve_for_keys(
    rig: Rig,
    keyed: Clip,
    targets: Mapping[str, Any],
    *,
    frames: Mapping[str, npt.ArrayLike] | None = None,
    match: bool = False,
) -> Solved:
    """The pose that `bake` writes; arguments as in `bake`."""
    posed, steps = run_through(rig, keyed, targets, frames=frames)
    if not match:
        return Solved(keyed, posed, steps)
    start = matched(rig, keyed, posed)
    back = _moved_back(rig, keyed, start)
    return Solved(start, *run_through(_resting_roots(rig), start, targets, frames=frames, back=back))


def _moved_back(rig: Rig, keyed: Clip, start: Clip) -> Array | None:
    """(T, 2) by how much the first bone of a matched clip stands shifted, which "character" does not follow."""
    first = rig.skeleton.root
    if all(limb.root != rig.skeleton.names[first] or "move_root" not in limb.on_miss for limb in rig.constraints):
        return None
    return place(start, first) - place(keyed, first)


def _baked(rig: Rig, name: str, options: Options) -> Animation:
    keyed = rig.clip(name, options.fps)
    animation = cast("Animation", rig.animation(name))
    found = solve_for_keys(rig, keyed, options.targets, frames=options.frames, match=options.match)
    solved = found.posed
    if options.keep_constraints:  # a stretch that is keyed would be stretched again
        solved = solved.replace(**{channel: getattr(found.start, channel) for channel in STRETCHED})
    bones = {bone: dict(tracks) for bone, tracks in animation.bones.items()}
    for bone, tracks in keys_of(rig, keyed, solved, options.tolerance).items():
        bones.setdefault(bone, {}).update(tracks)
    fields: dict[str, Any] = {"fps": float(options.fps), "bones": bones, "targets": {}, "mix": {}, "bend": {}}
    if options.keep_constraints:
        targets = {limb: _as_keys(limb, at, options.fps, keyed.times) for limb, at in options.targets.items()}
        targets = {limb: _cut(keys, keyed.times) for limb, keys in targets.items()}
        fields |= {"targets": {**animation.targets, **targets}, "mix": animation.mix, "bend": animation.bend}
    return _lasting(dataclasses.replace(animation, **fields), rig, float(keyed.times[-1]))


def _lasting(animation: Animation, rig: Rig, end: float) -> Animation:
    """The animation, made to last as long as before: what held it open may have been a key of a target or a mix."""
    if animation.duration >= end:
        return animation
    name = rig.constraints[0].bones[0]
    tracks = dict(animation.bones.get(name, {}))
    rest = degrees(float(rig.skeleton.rest["rotation"][rig.skeleton.index(name)]))
    track = tracks.get("rotation_deg", Track(np.zeros(1), np.array([rest])))
    curves = (*track.curves[:-1], None, None)
    tracks["rotation_deg"] = Track(np.append(track.times, end), np.vstack([track.values, track.values[-1:]]), curves)
    return dataclasses.replace(animation, bones={**animation.bones, name: tracks})


def matched(rig: Rig, keyed: Clip, solved: Clip) -> Clip:
    """The keyed clip with every limb, from the last frame of full mix on, as it was solved in that frame.

    Roots are shifted as they were solved, and keep the last shift where all their limbs have left full mix.
    """
    values = {name: np.array(getattr(keyed, name)) for name in WRITTEN}
    left: dict[str, list[Any]] = {}
    for constraint in rig.constraints:
        mix = sampled(constraint, keyed, 1.0)[1]
        gaps = (mix < 1.0) & (np.maximum.accumulate(mix, axis=0) >= 1.0)
        for name in WRITTEN:
            for bone in (rig.skeleton.index(b) for b in constraint.bones):
                held = hold(getattr(solved, name)[..., bone], gaps)
                values[name][..., bone] = np.where(gaps, held, values[name][..., bone])
        if constraint.root and "move_root" in constraint.on_miss:
            left.setdefault(constraint.root, []).append(gaps)
    for root, each in left.items():
        bone, gaps = rig.skeleton.index(root), np.logical_and.reduce(each)
        for name in ("x", "y"):
            shift = getattr(solved, name)[..., bone] - getattr(keyed, name)[..., bone]
            values[name][..., bone] += np.where(gaps, hold(shift, gaps), shift)
    return keyed.replace(**values)


def _resting_roots(rig: Rig) -> Rig:
    """The rig without root moves: a matched clip has them already."""

    def resting(limb: IKConstraint) -> IKConstraint:
        left = tuple(word for word in limb.on_miss if word != "move_root")
        return limb if left == limb.on_miss else dataclasses.replace(limb, on_miss=left or ("accept",))

    return dataclasses.replace(rig, constraints=tuple(map(resting, rig.constraints)))


def keys_of(rig: Rig, keyed: Clip, solved: Clip, tolerance: float) -> dict[str, dict[str, Track]]:
    """Bone -> channel -> Track for every channel that solving changed, thinned out within the tolerance."""
    changed = [(name, bone) for name in WRITTEN for bone in _changed(rig.constraints, keyed, solved, name)]
    share = tolerance
    for _ in range(TRIES if tolerance > 0.0 else 0):
        tracks = {(name, bone): _track(solved, name, bone, share) for name, bone in changed}
        if _farthest(solved, tracks) <= tolerance:
            break
        share *= TIGHTER
    else:
        tracks = {(name, bone): _track(solved, name, bone, 0.0) for name, bone in changed}
    out: dict[str, dict[str, Track]] = {}
    for (name, bone), track in tracks.items():
        out.setdefault(rig.skeleton.names[bone], {})[WRITTEN[name]] = track
    return out


def _changed(constraints: Iterable[IKConstraint], keyed: Clip, solved: Clip, name: str) -> list[int]:
    driven = (bone for c in constraints for bone in ((*c.bones, c.root) if c.root else c.bones))
    bones = [solved.skeleton.index(bone) for bone in driven]
    was, now = getattr(keyed, name), getattr(solved, name)
    return [b for b in dict.fromkeys(bones) if (was[:, b] != now[:, b]).any()]


def _track(solved: Clip, name: str, bone: int, tolerance: float) -> Track:
    """One channel's keys; the tolerance of an angle or a scale is what moves the farthest tip below it by that much."""
    values = getattr(solved, name)[:, bone]
    if name == "rotation":
        values, tolerance = unwrap(values) / RADIANS, tolerance / (_lever(solved, bone) * RADIANS)
    elif name == "scale_x":
        tolerance *= float(np.abs(values).max()) / _lever(solved, bone)
    return reduced(solved.times, values, tolerance)


def _lever(solved: Clip, bone: int) -> float:
    """The farthest that anything hanging on a bone gets from it [length]."""
    world, below = solved.world(), np.flatnonzero(solved.skeleton.below([bone]))
    arms = solved.tips()[:, below] - world[:, bone, :, 2][:, np.newaxis]
    return max(float(norm(arms).max()), 1e-300)


def _farthest(solved: Clip, tracks: Mapping[tuple[str, int], Track]) -> float:
    """How far the keys put any tip off the solved pose, over all samples [length]."""
    values = {name: np.array(getattr(solved, name)) for name in WRITTEN}
    for (name, bone), track in tracks.items():
        found = track.sample(solved.times)[:, 0]
        values[name][:, bone] = found * RADIANS if name == "rotation" else found
    return float(norm(solved.replace(**values).tips() - solved.tips()).max())
