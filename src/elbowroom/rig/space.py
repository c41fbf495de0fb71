"""The spaces a target can be written in, and the way from each of them to the world.

"world"      the identity
"character"  the frame of the first bone without a parent, after the root motion
a bone       its frame, by name
a frame      named in the record, hung on one of these or on another frame, or handed in by the caller
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError, RigError, closest
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig import affine
from elbowroom.rig.affine import Array
from elbowroom.rig.channels import frozen
from elbowroom.rig.pose import Pose
from elbowroom.rig.track import SampledTrack
from elbowroom.rig.tree import loop_faults

FIXED = ("world", "character")
Frames: TypeAlias = Mapping[str, npt.ArrayLike]
LocalFrames: TypeAlias = Mapping[str, tuple[str, npt.ArrayLike]]

_LISTED = 24  # known names shown in an error


def world_from_space(
    space: str,
    pose: Pose,
    *,
    world: Array | None = None,
    frames: Frames | None = None,
    local_frames: LocalFrames | None = None,
) -> Array:
    """The transform (..., 2, 3) from a space to the world; its batch axes broadcast to the pose's.

    world : (..., n, 2, 3) world_from_bone instead of pose.world(), such as that halfway through a solve
    frames : name -> world_from_frame (..., 2, 3), from the caller; goes before a frame of the record
    local_frames : name -> (name of the parent space, parent_from_frame (..., 2, 3)), from the record
    Raises RigError for an unknown space (listing the known ones), for frames that hang on each other
    (naming the loop) and for a frame squashed to a line; InputError for a frame of the wrong shape.
    """
    line: list[Array] = []
    here, passed = space, [space]
    handed, hung = frames or {}, local_frames or {}
    while here in hung and here not in handed:
        parent, matrix = hung[here]
        line.append(frame_matrix(here, matrix))
        if parent in passed:
            ring = " -> ".join([*passed[passed.index(parent) :], parent])
            raise RigError(f"frames hang on each other: {ring} (one of them needs another parent)")
        passed.append(parent)
        here = parent
    if here in handed:
        found = frame_matrix(here, handed[here])
    else:
        found = _fixed(here, pose, world, (*hung, *handed))
    with np.errstate(over="ignore", invalid="ignore"):
        for inner in reversed(line):
            found = affine.compose(found, inner)
    if line and not (np.abs(found) <= BIGGEST).all():
        raise RigError(f'space "{space}": its world transform exceeds {BIGGEST:g} (use smaller values)')
    return found


def space_from_world(
    space: str,
    pose: Pose,
    *,
    world: Array | None = None,
    frames: Frames | None = None,
    local_frames: LocalFrames | None = None,
) -> Array:
    """The transform (..., 2, 3) from the world to a space; arguments as in `world_from_space`.

    Raises RigError naming the bone or space that is squashed to a line or a point and has no inverse.
    """
    there = world_from_space(space, pose, world=world, frames=frames, local_frames=local_frames)
    kind = "bone" if space in pose.skeleton.names else "space"
    return affine.invert(there, f'{kind} "{space}"')


def point_world(track: SampledTrack, resolve: Callable[[str], Array]) -> Array:
    """World points (T, 2) [length] of a keyed target, changes of space included.

    resolve : name of a space -> world_from_space, (2, 3) or (T, ..., 2, 3)
    Further axes of the spaces come back as (T, ..., 2). Where the weight is 0 this is exactly the old point,
    where it is 1 exactly the new one; between them (1 − w)·before + w·position.
    """
    if track.position is None or track.space is None:
        raise InputError("track: no position is keyed")
    if track.before is None or track.before_space is None or track.weight is None:
        return _carried(track.position, track.space, np.ones(len(track), dtype=np.bool_), resolve)
    w = track.weight
    now = _carried(track.position, track.space, w > 0.0, resolve)
    if not (w < 1.0).any():
        return now
    old = _carried(track.before, track.before_space, w < 1.0, resolve)
    more = (1,) * (max(now.ndim, old.ndim) - 2)
    now, old = (p.reshape(len(w), *more, 2) if p.ndim == 2 else p for p in (now, old))
    w = w.reshape(-1, *more, 1)
    return (1.0 - w) * old + w * now


def check_frames(local_frames: LocalFrames, names: Sequence[str]) -> tuple[str, ...]:
    """Every fault of a record's frames, as sentences: unknown parents, loops, name clashes, no inverse.

    names : of the bones
    """
    faults = []
    known = (*FIXED, *names, *local_frames)
    for name, (parent, matrix) in local_frames.items():
        if name in FIXED or name in names:
            what = "a bone" if name in names else "a fixed space"
            faults.append(f'frame "{name}": the name is taken by {what} (choose another)')
        if parent not in known:
            faults.append(f'frame "{name}": parent "{parent}" does not exist{_known(parent, known)}')
        try:
            frame_matrix(name, matrix)
        except (RigError, InputError) as fault:
            faults.append(str(fault))
    parents = {name: parent for name, (parent, _) in local_frames.items()}
    return (*faults, *loop_faults(parents, "frames"))


def check_handed(frames: Frames, names: Sequence[str]) -> None:
    """Raise InputError if a caller's frame has the name of a bone or of a fixed space, or is no transform."""
    for name, matrix in frames.items():
        if name in FIXED or name in names:
            raise InputError(f'frames: "{name}" is a space already (choose another name)')
        frame_matrix(name, matrix)


def frame_matrix(name: str, matrix: npt.ArrayLike) -> Array:
    """A frame's transform (..., 2, 3), checked: InputError for shape and numbers, RigError if squashed."""
    array = frozen(matrix, f'space "{name}"')
    if array.shape[-2:] != (2, 3):
        wanted = "(..., 2, 3) was expected: [[a, b, x], [c, d, y]]"
        raise InputError(f'space "{name}": shape {array.shape} ({wanted})')
    if not (np.abs(array) <= BIGGEST).all():
        raise InputError(f'space "{name}": not all entries are finite numbers (at most {BIGGEST:g})')
    affine.check_invertible(array, f'space "{name}"')
    return array


def _fixed(space: str, pose: Pose, world: Array | None, frames: Sequence[str]) -> Array:
    """The transform of a space that hangs on nothing else."""
    if space == "world":
        return affine.IDENTITY
    bones = pose.skeleton.names
    if space != "character" and space not in bones:
        raise RigError(f'space "{space}" does not exist{_known(space, (*FIXED, *frames, *bones))}')
    index = pose.skeleton.root if space == "character" else pose.skeleton.index(space)
    at: Array = (pose.world() if world is None else world)[..., index, :, :]
    return at


def _known(name: str, known: Sequence[str]) -> str:
    """' (did you mean "x"? known: …)': the closest and the list."""
    names = list(dict.fromkeys(known))
    near = closest(name, names) if isinstance(name, str) else ""
    guess = f"{near[2:-1]} " if "did you mean" in near else ""
    more = ", …" if len(names) > _LISTED else ""
    return f" ({guess}known: {', '.join(names[:_LISTED])}{more})"


def _carried(
    points: Array, spaces: Sequence[str], wanted: npt.NDArray[np.bool_], resolve: Callable[[str], Array]
) -> Array:
    """Each wanted point (T, 2) taken to the world out of its own space; one product for each space."""
    names, count = np.array(spaces), len(points)
    used = {name: np.asarray(resolve(name)) for name in dict.fromkeys(names[wanted].tolist())}
    used = {name: there[np.newaxis] if there.ndim == 2 else there for name, there in used.items()}
    axes = np.broadcast_shapes(*(there.shape[1:-2] for there in used.values()))
    local = points.reshape(count, *(1,) * len(axes), 2)
    out = np.broadcast_to(local, (count, *axes, 2)).copy()
    for name, there in used.items():
        at = np.flatnonzero(wanted & (names == name))
        every = np.broadcast_to(there, (count, *axes, 2, 3))
        out[at] = affine.apply(every[at], local[at])
    return out
