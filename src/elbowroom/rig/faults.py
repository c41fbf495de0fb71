"""Everything that is wrong with a rig record, not only the first thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from elbowroom.rig import shape
from elbowroom.rig.advice import advice
from elbowroom.rig.fault_clips import check_clips
from elbowroom.rig.fault_keys import check_frame
from elbowroom.rig.fault_limbs import check_constraints, check_legs, own_name
from elbowroom.rig.names import Names, check_frames, ring_text
from elbowroom.rig.paths import Fault, Log, Path, quote, refuse
from elbowroom.rig.record import RigRecord
from elbowroom.rig.space import FIXED
from elbowroom.rig.tree import loops

__all__ = ["advice", "check", "find", "semantic"]


def check(data: object, source: str = "", known: Iterable[Fault] = ()) -> RigRecord:
    """The record that plain JSON data is; RigError listing every fault if there are any.

    source : what to call it in the message (a file's name);  known : faults the reader of the text has found
    """
    rig, faults = find(data)
    refuse([*known, *faults], source)
    return rig


def find(data: object) -> tuple[RigRecord, list[Fault]]:
    """The record that plain JSON data is, and its faults: of shape first, then of meaning."""
    rig, misfits = shape.read(data, RigRecord)
    return rig, semantic(rig, misfits)


def semantic(rig: RigRecord, misfits: Iterable[Fault] = ()) -> list[Fault]:
    """All faults of a record; places that could not be read (`misfits`) are not judged again."""
    log = Log(misfits)
    names = Names.of(rig, log)
    _check_bones(rig, names, log)
    check_constraints(rig, names, log)
    check_legs(rig, names, log)
    check_frames(names, log)
    for name, frame in rig.frames.items():
        check_frame(frame, ("frames", name), log)
    check_clips(rig, names, log)
    return log.faults


def _check_bones(rig: RigRecord, names: Names, log: Log) -> None:
    if not rig.bones:
        log.add(("bones",), "empty (a rig has at least one bone)")
    first: dict[str, int] = {}
    for i, bone in enumerate(rig.bones):
        path: Path = ("bones", i)
        own_name(bone.name, first, path, log)
        if bone.name in FIXED:
            log.add((*path, "name"), f"{quote(bone.name)} is the name of a fixed space (choose another)")
        if bone.parent == bone.name:
            log.add((*path, "parent"), f"bone {quote(bone.name)} hangs on itself (null, or another bone)")
        elif bone.parent is not None:
            names.check_bone((*path, "parent"), bone.parent, log)
    parents: Mapping[str, Any] = {name: bone.parent for name, bone in names.bones.items()}
    for ring in loops(parents):
        if len(ring) > 2:
            log.add(("bones", first[ring[0]], "parent"), ring_text(ring, "bones"))
