"""Faults of clips: keys of what does not exist, values out of range, targets without a place."""

from __future__ import annotations

from elbowroom.errors import closest
from elbowroom.rig import record
from elbowroom.rig.fault_keys import check_keys, check_words
from elbowroom.rig.names import Names
from elbowroom.rig.paths import Log, Path, quote
from elbowroom.rig.skeleton import INHERIT

CHANNELS = ("x", "y", "rotation_deg", "scale_x", "scale_y", "shear_x_deg", "shear_y_deg")


def check_clips(rig: record.RigRecord, names: Names, log: Log) -> None:
    """Note every fault of every clip."""
    for name, clip in rig.clips.items():
        path: Path = ("clips", name)
        if not name:
            log.add(path, "empty (a name of its own)")
        for bone, keys in clip.bones.items():
            _check_bone(bone, keys, names, (*path, "bones", bone), log)
        for limb, target in clip.targets.items():
            _check_target(limb, target, names, (*path, "targets", limb), log)
        for limb, track in clip.mix.items():
            names.check_constraint((*path, "mix", limb), limb, log)
            check_keys(track, 1, (*path, "mix", limb), log, test=_mix)
        for limb, track in clip.bend.items():
            names.check_constraint((*path, "bend", limb), limb, log)
            check_keys(track, 1, (*path, "bend", limb), log, test=_bend, steps=True)


def _mix(value: float) -> str:
    return "" if 0.0 <= value <= 1.0 else f"{value:g} is outside 0 to 1"


def _bend(value: float) -> str:
    return "" if value in {-1.0, 0.0, 1.0} else f"{value:g} is no side (-1, 0 or 1)"


def _check_bone(bone: str, keys: record.BoneKeys, names: Names, path: Path, log: Log) -> None:
    names.check_bone(path, bone, log)
    for channel in CHANNELS:
        check_keys(getattr(keys, channel), 1, (*path, channel), log)

    def word(where: Path, text: str) -> None:
        if text not in INHERIT:
            log.add(where, f"{quote(text)} is no way to inherit{closest(text, INHERIT)}")

    check_words(keys.inherit, (*path, "inherit"), log, word)


def _check_target(name: str, target: record.AimKeys, names: Names, path: Path, log: Log) -> None:
    names.check_constraint(path, name, log)
    check_keys(target.position, 2, (*path, "position"), log)
    limb = names.constraints.get(name)

    def space(where: Path, text: str) -> None:
        names.check_space(where, text, log, limb)

    check_words(target.space, (*path, "space"), log, space)
    if not target.position and limb is not None and limb.target is None:
        log.add(
            path,
            f'no position keys, and constraint {quote(name)} has no "target" of its own (key a position)',
        )
