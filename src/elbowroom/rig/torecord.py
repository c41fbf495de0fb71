"""A rig as the record that is written to a file."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from elbowroom.errors import RigError
from elbowroom.rig import record
from elbowroom.rig.animation import CHANNELS, Animation, TargetKeys
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.frames import FrameSpec
from elbowroom.rig.keys import Track
from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.target import Target
from elbowroom.rig.units import degrees

if TYPE_CHECKING:
    from elbowroom.rig.rig import Rig

_PLAIN = ("bend", "softness", "curve", "inner_softness", "mix", "max_stretch", "root", "shift_half_life")
_PLAIN_TOO = ("solver", "iterations", "tolerance", "orientation")
_ALWAYS = {record.Aim: ("space",), record.Frame: ("parent",)}  # no position without its space
_OPAQUE = ("kept", "data")  # passed on as they are
NO_SOURCE = record.RigRecord(bones=[])


def to_record(rig: Rig, *, clips: bool = True) -> record.RigRecord:
    """The record of a rig: what `save` writes, and what its faults are told by; without clips on request.

    Comments, and degrees as they were written, come from the record the rig was read from.
    """
    source = rig.source or NO_SOURCE
    limbs = {limb.name: limb for limb in source.constraints}
    return record.RigRecord(
        name=rig.name,
        bones=_bones(rig.skeleton, {bone.name: bone for bone in source.bones}),
        constraints=[_constraint(c, limbs.get(c.name)) for c in rig.constraints],
        legs=list(rig.legs),
        body=rig.body,
        facing=1 if rig.facing == 1 else -1,
        frames={name: _frame(frame, source.frames.get(name)) for name, frame in rig.frames.items()},
        clips=_clips(rig, source) if clips else {},
        foreign=rig.foreign,
        kept=source.kept,
    )


def _clips(rig: Rig, source: record.RigRecord) -> dict[str, record.Clip]:
    """Those of our own; a Spine rig is written with its file."""
    own = {name: a for name, a in rig.animations.items() if isinstance(a, Animation)}
    return {name: _clip(animation, source.clips.get(name)) for name, animation in own.items()}


def _kept(source: record.Entry | None) -> dict[str, Any]:
    return source.kept if source is not None else {}


def _bones(skeleton: Skeleton, written: Mapping[str, record.Bone]) -> list[record.Bone]:
    out = []
    for i, name in enumerate(skeleton.names):
        source = written.get(name)
        values: dict[str, Any] = {}
        for key, channel in CHANNELS.items():
            if channel != "inherit":
                value = float(skeleton.rest[channel][i])
                was = [float(getattr(source, key))] if source else []
                values[key] = degrees(value, was) if key.endswith("_deg") else value
        parent = int(skeleton.parents[i])
        values["parent"] = skeleton.names[parent] if parent >= 0 else None
        values["inherit"] = INHERIT[int(skeleton.inherit[i])]
        out.append(record.Bone(name=name, length=float(skeleton.lengths[i]), kept=_kept(source), **values))
    return out


def _constraint(limb: IKConstraint, source: record.Constraint | None) -> record.Constraint:
    values: dict[str, Any] = {field: getattr(limb, field) for field in (*_PLAIN, *_PLAIN_TOO)}
    smooth = limb.smooth
    return record.Constraint(
        name=limb.name,
        bones=list(limb.bones),
        on_miss=limb.on_miss[0] if len(limb.on_miss) == 1 else list(limb.on_miss),  # type: ignore[arg-type]
        target=_aim(limb, source.target if source else None),
        limits_deg=_limits(limb, source),
        max_shift=None if math.isinf(limb.max_shift) else limb.max_shift,
        smooth=smooth if smooth is None or isinstance(smooth, str) else dict(smooth),  # type: ignore[arg-type]
        kept=_kept(source),
        **values,
    )


def _aim(limb: IKConstraint, source: record.Aim | None) -> record.Aim | None:
    target: Target | None = limb.target
    if target is None:
        return None
    if target.position.shape != (2,):
        raise RigError(f'constraint "{limb.name}": its own target is one point (x, y); a clip keys one that moves')
    x, y = target.position.tolist()
    return record.Aim(position=(x, y), space=target.space, kept=_kept(source))


def _limits(limb: IKConstraint, source: record.Constraint | None) -> list[record.Pair] | None:
    if limb.limits is None:
        return None
    pairs = (source.limits_deg if source else None) or []
    written: list[tuple[float, ...]] = [*pairs, *((),) * len(limb.limits)]
    return [
        (degrees(low, was[:1]), degrees(high, was[1:])) for (low, high), was in zip(limb.limits, written, strict=False)
    ]


def _frame(frame: FrameSpec, source: record.Frame | None) -> record.Frame:
    def plain(value: Any) -> Any:
        if isinstance(value, Track):
            return value.to_keys()
        return [float(v) for v in value] if isinstance(value, tuple | list) else float(value)

    values = {name: plain(getattr(frame, name)) for name in ("x", "y", "rotation_deg", "scale")}
    return record.Frame(parent=frame.parent, kept=_kept(source), **values)


def _clip(animation: Animation, source: record.Clip | None) -> record.Clip:
    bones, targets = (source.bones, source.targets) if source else ({}, {})
    return record.Clip(
        fps=float(animation.fps),
        loop=animation.loop,
        bones={name: _bone_keys(tracks, bones.get(name)) for name, tracks in animation.bones.items()},
        targets={name: _aim_keys(keys, targets.get(name)) for name, keys in animation.targets.items()},
        mix={name: track.to_keys() for name, track in animation.mix.items()},
        bend={name: track.to_keys(plain="stepped") for name, track in animation.bend.items()},
        kept=_kept(source),
    )


def _bone_keys(tracks: Mapping[str, Track], source: record.BoneKeys | None) -> record.BoneKeys:
    values: dict[str, Any] = {name: track.to_keys() for name, track in tracks.items() if name != "inherit"}
    if "inherit" in tracks:
        keys = tracks["inherit"].to_keys()
        values["inherit"] = [(key[0], INHERIT[int(key[1])]) for key in keys]
    return record.BoneKeys(**values, kept=_kept(source))


def _aim_keys(keys: TargetKeys, source: record.AimKeys | None) -> record.AimKeys:
    return record.AimKeys(
        position=keys.position.to_keys() if keys.position is not None else [],
        space=list(zip(keys.space_times.tolist(), keys.space_names, strict=True)),
        blend=float(keys.blend),
        kept=_kept(source),
    )


def plain_data(rig: record.RigRecord) -> dict[str, Any]:
    """The record as plain JSON data: format first, defaults left out, everyone's own keys back in place."""
    return {"format": record.FORMAT, **_plain(rig)}


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        always = _ALWAYS.get(type(value), ())
        data = {
            key: item if name in _OPAQUE else _plain(item)
            for key, name, default in _fields(type(value))
            if (item := getattr(value, name)) != default or name in always
        }
        return data | data.pop(record.KEPT, {})
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list) and value and isinstance(value[0], msgspec.Struct):
        return [_plain(item) for item in value]
    return value


@functools.cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str, Any], ...]:
    """Key, field and default of a record's fields."""
    return tuple(
        (f.encode_name, f.name, f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory())
        for f in msgspec.structs.fields(kind)
    )
