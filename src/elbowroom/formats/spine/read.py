"""A rig out of the sections of a Spine file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as File
from typing import Any

import msgspec

from elbowroom.errors import FormatError, RigError
from elbowroom.formats.jsontext import parse
from elbowroom.formats.spine import layout_version
from elbowroom.formats.spine.faults import Reading, refuse, show
from elbowroom.formats.spine.keys import SpineFault
from elbowroom.formats.spine.layout_text import SMALL, Parts, Raw, decode, has_doubled
from elbowroom.formats.spine.readbones import Bones, header, read_slots
from elbowroom.formats.spine.readconstraints import kind_of, of, read_constraints
from elbowroom.formats.spine.readik import note_oddities, to_constraint
from elbowroom.formats.spine.readkept import Kept
from elbowroom.formats.spine.skins import read_skins
from elbowroom.formats.spine.timelines import read_animations
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.record import Foreign
from elbowroom.rig.rig import Rig
from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.animation import SpineAnimation
from elbowroom.rig.spine.records import Spine, SpineConstraint, SpineIK, SpinePath, SpineTransform, Unsimulated

PathLike = str | os.PathLike[str]


def read(path: PathLike, raw: bytes, parts: Parts) -> tuple[Rig, Reading]:
    """The rig of a file, and what was odd about it.

    raw : its bytes without a byte order mark;  parts : its sections
    Raises FormatError that lists every fault of the skeleton, or the first one of the animations.
    """
    reading = Reading()
    animations = _cut(reading, parts.get("animations"))
    if has_doubled(raw, parts, animations):
        refuse(path, parse(path, raw.decode())[1])
    sections = {key: decode(part) for key, part in parts.items() if key != "animations"}
    written = _settle(reading, sections, animations)
    refuse(path, reading.log.faults)
    skeleton, spine = _setup(path, reading, sections, written)
    moving = _animate(path, reading, animations, skeleton, spine)
    kept = Kept(raw, parts)
    spine = replace(spine, notes=tuple(text for text, _ in reading.notes))
    rig = Rig(
        skeleton,
        _limbs(path, spine, skeleton),
        moving,
        name=File(path).stem,
        foreign=Foreign(format="spine", version=written, data=kept),
        runtime=spine,
        checked=True,
    )
    kept.read_as(rig)
    return rig, reading


def _limbs(path: PathLike, spine: Spine, skeleton: Skeleton) -> tuple[IKConstraint, ...]:
    """The IK constraints in the order they are posed."""
    try:
        return tuple(to_constraint(ik, skeleton) for ik in sorted(spine.ik, key=lambda ik: ik.order))
    except RigError as error:  # a bone without a name, the one thing a limb does not take
        raise FormatError(path, "$.bones", f"{error}") from None


def _cut(reading: Reading, section: Raw | None) -> dict[str, Raw]:
    """The animations by name, not read yet."""
    if section is None:
        return {}
    try:
        found: dict[str, Raw] = msgspec.json.decode(section, type=dict[str, Raw])
    except msgspec.ValidationError:
        reading.log.add(("animations",), f"{show(decode(section))} (an object was expected)")
        return {}
    return found


def _settle(reading: Reading, sections: Mapping[str, Any], animations: Mapping[str, Raw]) -> str:
    """Find the version; returns what the file says of it."""
    written = header(reading, sections.get("skeleton")).get("spine")
    layout_version.settle(reading, sections, _groups(reading, animations), written)
    return written if isinstance(written, str) else "" if written is None else str(written)


def _groups(reading: Reading, animations: Mapping[str, Raw]) -> dict[str, Parts]:
    """The parts of the animations, unless there is too much of them."""
    found: dict[str, Parts] = {}
    if sum(len(memoryview(section)) for section in animations.values()) > SMALL:
        return found
    for name, section in animations.items():
        try:
            found[name] = msgspec.json.decode(section, type=Parts)
        except msgspec.ValidationError:
            reading.log.add(("animations", name), f"{show(decode(section))} (an object was expected)")
    return found


def _setup(path: PathLike, reading: Reading, sections: Mapping[str, Any], written: str) -> tuple[Skeleton, Spine]:
    """All that does not move; raises every fault in it."""
    if "bones" not in sections:
        raise FormatError(path, "$.bones", "bones is missing (a skeleton has at least one bone)")
    bones = Bones(reading, sections["bones"])
    if not bones.names and not reading.log.faults:
        reading.log.add(("bones",), "there are none (a skeleton has at least one bone)")
    slots = read_slots(reading, sections.get("slots", []))
    constraints = read_constraints(reading, sections, bones)
    skins = read_skins(reading, sections.get("skins", []), [(kind_of(each), each.name) for each in constraints])
    refuse(path, reading.log.faults)
    skeleton = bones.skeleton()
    note_oddities(reading, of(SpineIK, constraints), skeleton)
    spine = Spine(
        version=reading.version,
        written=written,
        **_by_kind(constraints),
        constraints=constraints,
        slots=slots,
        skins=skins,
        skin_bones=bones.skin,
    )
    return skeleton, spine


def _by_kind(constraints: tuple[SpineConstraint, ...]) -> dict[str, Any]:
    return {
        "ik": of(SpineIK, constraints),
        "transform": of(SpineTransform, constraints),
        "path": of(SpinePath, constraints),
        "unsimulated": of(Unsimulated, constraints),
    }


def _animate(
    path: PathLike, reading: Reading, animations: Mapping[str, Raw], skeleton: Skeleton, spine: Spine
) -> dict[str, SpineAnimation]:
    try:
        return read_animations(animations, skeleton, spine, reading.note)
    except SpineFault as fault:
        raise FormatError(path, fault.where, fault.problem) from None
