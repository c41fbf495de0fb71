"""Numbers for a skeleton's bones, checked at the door of Pose and Clip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.errors import InputError
from elbowroom.kernel.reading import BIGGEST
from elbowroom.rig.skeleton import INHERIT, Array, Codes, Skeleton


def channel(skeleton: Skeleton, name: str, values: npt.ArrayLike | None) -> Array:
    """One channel (..., n), frozen; the rest values for None. InputError naming bone and frame otherwise."""
    if values is None:
        return skeleton.rest[name]
    array = _per_bone(skeleton, name, frozen(values, name))
    finite = np.abs(array) <= BIGGEST
    if not finite.all():
        bone, at, value = _first(skeleton, array, ~finite)
        raise InputError(f'bone "{bone}": {name}{at} is {value:g} (a finite number, at most {BIGGEST:g})')
    return array


def codes(skeleton: Skeleton, values: npt.ArrayLike | None) -> Codes:
    """Inherit codes (..., n) int8, frozen; those of the skeleton for None."""
    if values is None:
        return skeleton.inherit
    array = _per_bone(skeleton, "inherit", np.asarray(values))
    words = ", ".join(f"{i} {word}" for i, word in enumerate(INHERIT))
    if array.dtype.kind not in "iu":
        raise InputError(f"inherit: whole numbers were expected ({words})")
    odd = (array < 0) | (array >= len(INHERIT))
    if odd.any():
        bone, at, value = _first(skeleton, array, odd)
        raise InputError(f'bone "{bone}": inherit{at} is {value} ({words})')
    small = array if array.dtype == np.int8 and not array.flags.writeable else array.astype(np.int8)
    small.setflags(write=False)
    return small


def common_shape(arrays: Mapping[str, npt.NDArray[Any]]) -> tuple[int, ...]:
    """The shape all arrays broadcast to; InputError that lists the shapes if there is none."""
    try:
        return np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items() if array.ndim > 1)
        raise InputError(f"pose: leading axes do not fit each other: {shapes}") from None


def clip_times(times: npt.ArrayLike | None, frames: int, fps: float) -> Array:
    """(frames,) [s], rising, frozen; frame / fps for None."""
    clock = frozen(np.arange(frames) / fps if times is None else times, "times")
    if clock.shape != (frames,):
        raise InputError(f"times: shape {clock.shape} (one time for each of {frames} frames)")
    if not (np.abs(clock) <= BIGGEST).all():
        raise InputError(f"times: time {int(np.argmin(np.abs(clock) <= BIGGEST))} is not a finite number")
    back = np.flatnonzero(np.diff(clock) <= 0.0)
    if back.size:
        i = int(back[0])
        raise InputError(f"times: time {i + 1} is {clock[i + 1]:g} after {clock[i]:g} (times rise)")
    return clock


def frozen(values: npt.ArrayLike, what: str) -> Array:
    """A read-only float64 array: `values` itself where it is one, a copy otherwise."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (ValueError, TypeError):
        raise InputError(f"{what}: numbers were expected, in rows of one length") from None
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


def _per_bone(skeleton: Skeleton, name: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    n = len(skeleton)
    if array.ndim == 0:
        return np.broadcast_to(array, (n,))
    if array.shape[-1] != n:
        raise InputError(f"{name}: shape {array.shape} (the last axis is the bones, {n} of them)")
    return array


def _first(skeleton: Skeleton, array: npt.NDArray[Any], odd: npt.NDArray[np.bool_]) -> tuple[str, str, Any]:
    *frame, bone = np.argwhere(odd)[0].tolist()
    at = f" at frame {', '.join(map(str, frame))}" if frame else ""
    return skeleton.names[bone], at, array[(*frame, bone)]
