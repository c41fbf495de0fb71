"""Transform and path constraints, physics and sliders of a file, and the turn each has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from elbowroom.formats.spine.faults import Fields, Reading, name_of, objects, show, twice
from elbowroom.formats.spine.readbones import Bones
from elbowroom.formats.spine.readik import read_ik
from elbowroom.formats.spine.readmapped import read_mapped
from elbowroom.rig.paths import Path, quote
from elbowroom.rig.spine.records import (
    SpineConstraint,
    SpineIK,
    SpinePath,
    SpineTransform,
    Unsimulated,
)

KINDS = ("ik", "transform", "path", "physics")
KINDS_43 = (*KINDS, "slider")
_OFFSETS = ("rotation", "x", "y", "scaleX", "scaleY", "shearY")
_POSITIONS = ("percent", "fixed")
_SPACINGS = ("length", "fixed", "percent", "proportional")
_ROTATES = ("tangent", "chain", "chainScale")

T = TypeVar("T", bound=SpineConstraint)


def read_constraints(reading: Reading, sections: Mapping[str, Any], bones: Bones) -> tuple[SpineConstraint, ...]:
    """All of them: of a 4.3 file in its order, before that ik, transform, path, physics in turn."""
    if reading.version >= (4, 3):
        found = _listed(reading, sections.get("constraints", []), bones)
    else:
        found = [each for kind in KINDS for each in _of_kind(reading, kind, sections.get(kind, []), bones)]
        _note_orders(reading, found)
    still = [each for each in found if isinstance(each, Unsimulated)]
    for kind, plural in (("physics", "physics constraints"), ("slider", "sliders")):
        names = [quote(each.name) for each in still if each.kind == kind]
        if names:
            listed = f"{', '.join(names[:6])}{', …' if len(names) > 6 else ''}"
            reading.lossy(f"not simulated: {len(names)} {plural} (kept, but without effect): {listed}")
    return tuple(found)


def of(kind: type[T], constraints: Iterable[SpineConstraint]) -> tuple[T, ...]:
    """Those of one kind, in their order."""
    return tuple(each for each in constraints if isinstance(each, kind))


def _of_kind(reading: Reading, kind: str, section: object, bones: Bones) -> list[SpineConstraint]:
    entries = _named(reading, (kind,), section, lambda _: kind)
    names = [(int(fields.path[-1]), str(fields.data["name"])) for fields in entries]
    twice(reading, (kind,), names, f"{kind} constraint")
    found = (_READ[kind](fields, bones, fields.whole("order")) for fields in entries)
    return [each for each in found if each is not None]


def _listed(reading: Reading, section: object, bones: Bones) -> list[SpineConstraint]:
    entries = _named(reading, ("constraints",), section, lambda data: str(data.get("type", "constraint")))
    found: list[SpineConstraint] = []
    for known in KINDS_43:
        alike = [(int(f.path[-1]), str(f.data["name"])) for f in entries if f.data.get("type") == known]
        twice(reading, ("constraints",), alike, f"{known} constraint")
    for fields in entries:
        kind = fields.data.get("type")
        if not isinstance(kind, str) or kind not in KINDS_43:
            fields.fault(f"type is {'missing' if kind is None else show(kind)} (one of: {', '.join(KINDS_43)})", "type")
            continue
        each = _READ[kind](fields, bones, int(fields.path[-1]))
        found += [] if each is None else [each]
    return found


def _named(reading: Reading, path: Path, section: object, what: Callable[[Mapping[str, Any]], str]) -> list[Fields]:
    entries = objects(reading, path, section)
    named = [(i, name_of(reading, (*path, i), data, what(data)), data) for i, data in entries]
    empty = [(i, data) for i, name, data in named if name == ""]
    for i, data in empty:
        reading.log.add((*path, i, "name"), f"{what(data)} {i}: name is empty (a text of at least one letter)")
    return [Fields(reading, (*path, i), data, f"{what(data)} {quote(name)}") for i, name, data in named if name]


def _read_transform(fields: Fields, bones: Bones, order: int) -> SpineTransform | None:
    if fields.reading.version >= (4, 3):
        return read_mapped(fields, order)
    target = fields.index("target", fields.reading.bones, "bone")
    found = SpineTransform(
        name=str(fields.data["name"]),
        bones=fields.indexes("bones", fields.reading.bones, "bone"),
        target=target,
        order=order,
        skin=fields.flag("skin"),
        offsets=tuple(fields.number(key) for key in _OFFSETS),
        mixes=_six_mixes(fields),
        local=fields.flag("local"),
        relative=fields.flag("relative"),
    )
    return found if target >= 0 else None


def _six_mixes(fields: Fields) -> tuple[float, ...]:
    if fields.reading.version < (4, 0):
        rotate, move, scale, shear = (
            fields.number(key, 1.0) for key in ("rotateMix", "translateMix", "scaleMix", "shearMix")
        )
        return rotate, move, move, scale, scale, shear
    x, scale = fields.number("mixX", 1.0), fields.number("mixScaleX", 1.0)
    return (
        fields.number("mixRotate", 1.0),
        x,
        fields.number("mixY", x),
        scale,
        fields.number("mixScaleY", scale),
        fields.number("mixShearY", 1.0),
    )


def _read_path(fields: Fields, bones: Bones, order: int) -> SpinePath | None:
    old = fields.reading.version < (4, 0)
    slot = fields.index("slot" if fields.reading.version >= (4, 3) else "target", fields.reading.slots, "slot")
    found = SpinePath(
        name=str(fields.data["name"]),
        bones=fields.indexes("bones", fields.reading.bones, "bone"),
        slot=slot,
        order=order,
        skin=fields.flag("skin"),
        position_mode=fields.word("positionMode", "percent", _POSITIONS, any_case=old),
        spacing_mode=fields.word("spacingMode", "length", _SPACINGS[: 3 if old else 4], any_case=old),
        rotate_mode=fields.word("rotateMode", "tangent", _ROTATES, any_case=old),
        rotation=fields.number("rotation"),
        position=fields.number("position"),
        spacing=fields.number("spacing"),
        mixes=_three_mixes(fields),
    )
    return found if slot >= 0 else None


def _three_mixes(fields: Fields) -> tuple[float, float, float]:
    if fields.reading.version < (4, 0):
        move = fields.number("translateMix", 1.0)
        return fields.number("rotateMix", 1.0), move, move
    x = fields.number("mixX", 1.0)
    return fields.number("mixRotate", 1.0), x, fields.number("mixY", x)


def _read_physics(fields: Fields, bones: Bones, order: int) -> Unsimulated:
    bone = fields.index("bone", fields.reading.bones, "bone")
    return Unsimulated(str(fields.data["name"]), "physics", bone, order, fields.flag("skin"))


def _read_slider(fields: Fields, bones: Bones, order: int) -> Unsimulated:
    bone = fields.index("bone", fields.reading.bones, "bone") if fields.data.get("bone") is not None else -1
    return Unsimulated(str(fields.data["name"]), "slider", bone, order, fields.flag("skin"))


_READ: dict[str, Callable[[Fields, Bones, int], SpineConstraint | None]] = {
    "ik": read_ik,
    "transform": _read_transform,
    "path": _read_path,
    "physics": _read_physics,
    "slider": _read_slider,
}


def _note_orders(reading: Reading, constraints: list[SpineConstraint]) -> None:
    """Note each constraint whose turn never comes: the runtimes take the first of each order from 0 to n − 1."""
    taken: dict[int, str] = {}
    for each in constraints:
        who = f"{kind_of(each)} constraint {quote(each.name)}: order {each.order}"
        if each.order >= len(constraints):
            text = f"leaves a gap: with {len(constraints)} constraints the orders are 0 to {len(constraints) - 1}"
            reading.note(f"{who} {text}; Spine leaves it out, and so it is here")
        elif each.order in taken:
            reading.note(f"{who} is that of {taken[each.order]} too; Spine leaves this one out, and so it is here")
        taken.setdefault(each.order, quote(each.name))


def kind_of(constraint: SpineConstraint) -> str:
    """The word of the format for a constraint's kind."""
    if isinstance(constraint, Unsimulated):
        return constraint.kind
    return {SpineIK: "ik", SpineTransform: "transform", SpinePath: "path"}[type(constraint)]
