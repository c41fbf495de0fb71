"""What the timelines of a Spine animation set, at full mix onto the setup, at given times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.curves import Keys
from elbowroom.rig.spine.records import Array, Slot, SpineIK, SpinePath, SpineTransform
from elbowroom.rig.spine.state import IKState, PathState
from elbowroom.rig.units import radians

Place = tuple[str, int, str]  # skin, slot index, placeholder
RIDE = ("position", "spacing", "rotate", "x", "y")  # the columns of a path constraint's keys


@dataclass(frozen=True, eq=False)
class BoneKeys:
    """Keys of one bone.  channels : of a Pose, one for each value ([deg], [length], factors; codes that are held)."""

    bone: int
    channels: tuple[str, ...]
    keys: Keys


@dataclass(frozen=True, eq=False)
class Timelines:
    """All keys of an animation that pose something.

    ik : name -> (keys of mix and softness, held keys of bend ±1, compress, stretch)
    transform : name -> keys of six mixes
    path : name -> [(columns of RIDE, keys)], later ones win
    shown : slot index -> (names, held keys of an index into them, −1 for nothing)
    deforms : of path attachments and others -> what makes keys of their numbers, as in SpineState
    """

    bones: tuple[BoneKeys, ...] = ()
    ik: Mapping[str, tuple[Keys, Keys]] = field(default_factory=dict)
    transform: Mapping[str, Keys] = field(default_factory=dict)
    path: Mapping[str, list[tuple[slice, Keys]]] = field(default_factory=dict)
    shown: Mapping[int, tuple[tuple[str, ...], Keys]] = field(default_factory=dict)
    deforms: Mapping[Place, Callable[[], Keys]] = field(default_factory=dict)


def pose(bones: tuple[BoneKeys, ...], skeleton: Skeleton, times: Array) -> dict[str, npt.NDArray[Any]]:
    """The keyed channels of a Pose, (T, n) each, angles in radians."""
    out: dict[str, npt.NDArray[Any]] = {}
    for line in bones:
        for channel in line.channels:
            rest = skeleton.inherit if channel == "inherit" else skeleton.rest[channel]
            if channel not in out:
                out[channel] = np.tile(rest, (len(times), 1))
        neutral = [_neutral(channel, skeleton, line.bone) for channel in line.channels]
        values = line.keys.sample(times, neutral)
        for column, channel in enumerate(line.channels):
            out[channel][:, line.bone] = _onto(channel, skeleton, line.bone, values[:, column])
    return out


def _neutral(channel: str, skeleton: Skeleton, bone: int) -> float:
    """The key that leaves the setup as it is."""
    if channel == "inherit":
        return float(skeleton.inherit[bone])
    return 1.0 if channel.startswith("scale") else 0.0


def _onto(channel: str, skeleton: Skeleton, bone: int, values: Array) -> Array:
    if channel == "inherit":
        return values
    rest = float(skeleton.rest[channel][bone])
    if channel.startswith("scale"):
        return rest * values
    return rest + (values if channel in ("x", "y") else radians(values))


def reach(setup: SpineIK, keys: tuple[Keys, Keys], times: Array) -> IKState:
    """The settings of an IK constraint."""
    numbers = keys[0].sample(times, [setup.mix, setup.softness])
    flags = keys[1].sample(times, [setup.bend, setup.compress, setup.stretch])
    return IKState(numbers[:, 0], numbers[:, 1], flags[:, 0], flags[:, 1] != 0.0, flags[:, 2] != 0.0)


def follow(setup: SpineTransform, keys: Keys, times: Array) -> Array:
    """The six mixes (T, 6) of a transform constraint."""
    return keys.sample(times, setup.mixes)


def ride(setup: SpinePath, lines: list[tuple[slice, Keys]], times: Array) -> PathState:
    """The settings of a path constraint."""
    start = np.array([setup.position, setup.spacing, *setup.mixes])
    table = np.tile(start, (len(times), 1))
    for columns, keys in lines:
        table[:, columns] = keys.sample(times, start[columns])
    return PathState(table[:, 0], table[:, 1], table[:, 2:])


def shown(
    setup: Slot, names: tuple[str, ...], keys: Keys, times: Array
) -> tuple[tuple[str, ...], npt.NDArray[np.intp]]:
    """What a slot shows: names, and an index (T,) into them, −1 for nothing."""
    if setup.attachment is not None and setup.attachment not in names:
        names = (*names, setup.attachment)
    start = -1 if setup.attachment is None else names.index(setup.attachment)
    return names, keys.sample(times, [start])[:, 0].astype(np.intp)
