"""A rig out of its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from elbowroom.rig import record
from elbowroom.rig.animation import CHANNELS, Animation, TargetKeys
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.fault_keys import scale_width
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.target import Target
from elbowroom.rig.torecord import to_record
from elbowroom.rig.units import RADIANS

__all__ = ["from_record", "to_record"]

_SAME = ("bend", "softness", "curve", "inner_softness", "mix", "max_stretch", "root", "shift_half_life")
_SAME_TOO = ("solver", "iterations", "tolerance", "orientation", "smooth")


def from_record(rig: record.RigRecord) -> Rig:
    """The rig of a record without faults (`faults.check` gives one); bones are sorted parents first."""
    return Rig(
        Skeleton.from_bones(_bone(bone) for bone in rig.bones),
        tuple(_constraint(limb) for limb in rig.constraints),
        {name: _animation(name, clip) for name, clip in rig.clips.items()},
        {name: frame_spec(frame) for name, frame in rig.frames.items()},
        name=rig.name,
        legs=tuple(rig.legs),
        body=rig.body,
        facing=rig.facing,
        foreign=rig.foreign,
        source=_without_keys(rig),
        checked=True,
    )


def _without_keys(rig: record.RigRecord) -> record.RigRecord:
    """What a rig keeps of its record: all but the keys and the foreign part, which it holds itself."""
    clips = {
        name: record.Clip(
            kept=clip.kept,
            bones={bone: record.BoneKeys(kept=keys.kept) for bone, keys in clip.bones.items() if keys.kept},
            targets={
                limb: record.AimKeys(kept=keys.kept) for limb, keys in clip.targets.items() if keys.kept
            },
        )
        for name, clip in rig.clips.items()
    }
    return msgspec.structs.replace(rig, clips=clips, foreign=None)


def _bone(bone: record.Bone) -> dict[str, Any]:
    values = {
        channel: getattr(bone, key) * RADIANS if key.endswith("_deg") else getattr(bone, key)
        for key, channel in CHANNELS.items()
    }
    return {"name": bone.name, "parent": bone.parent, "length": bone.length, **values}


def _constraint(limb: record.Constraint) -> IKConstraint:
    limits = None
    if limb.limits_deg is not None:
        limits = tuple((low * RADIANS, high * RADIANS) for low, high in limb.limits_deg)
    return IKConstraint(
        limb.name,
        limb.bones,
        None if limb.target is None else Target(limb.target.position, limb.target.space),
        limb.on_miss,
        limits=limits,
        max_shift=float("inf") if limb.max_shift is None else limb.max_shift,
        **{field: getattr(limb, field) for field in (*_SAME, *_SAME_TOO)},
    )


def frame_spec(frame: record.Frame) -> FrameSpec:
    """The frame of a record, its keys as tracks."""

    def value(written: float | list[record.Key]) -> float | Track:
        return Track.from_keys(written, 1) if isinstance(written, list) else written

    return FrameSpec(
        frame.parent, value(frame.x), value(frame.y), value(frame.rotation_deg), _scale(frame.scale)
    )


def _scale(scale: float | Sequence[Any]) -> float | tuple[float, float] | Track:
    if isinstance(scale, float):
        return scale
    if isinstance(scale[0], list):
        return Track.from_keys(scale, scale_width(scale))
    return scale[0], scale[1]


def _animation(name: str, clip: record.Clip) -> Animation:
    return Animation(
        name,
        fps=clip.fps,
        loop=clip.loop,
        bones={bone: _tracks(keys) for bone, keys in clip.bones.items()},
        targets={limb: _target_keys(keys) for limb, keys in clip.targets.items()},
        mix={limb: Track.from_keys(keys, 1) for limb, keys in clip.mix.items() if keys},
        bend={limb: Track.from_keys(keys, 1, plain="stepped") for limb, keys in clip.bend.items() if keys},
    )


def _tracks(keys: record.BoneKeys) -> dict[str, Track]:
    tracks = {
        name: Track.from_keys(getattr(keys, name), 1)
        for name in CHANNELS
        if name != "inherit" and getattr(keys, name)
    }
    if keys.inherit:
        codes = [[time, float(INHERIT.index(word))] for time, word in keys.inherit]
        tracks["inherit"] = Track.from_keys(codes, 1, plain="stepped")
    return tracks


def _target_keys(keys: record.AimKeys) -> TargetKeys:
    return TargetKeys(
        Track.from_keys(keys.position, 2) if keys.position else None,
        np.array([time for time, _ in keys.space], dtype=np.float64),
        tuple(name for _, name in keys.space),
        keys.blend,
    )
