"""Bones and slots: a Skeleton in radians, slots by index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from elbowroom.formats.spine.faults import Fields, Reading, name_of, objects, show, twice
from elbowroom.rig.paths import quote
from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.spine.records import Slot
from elbowroom.rig.tree import loops
from elbowroom.rig.units import radians

CHANNEL_OF = {
    "x": "x",
    "y": "y",
    "rotation": "rotation",
    "scaleX": "scale_x",
    "scaleY": "scale_y",
    "shearX": "shear_x",
    "shearY": "shear_y",
}
_ANGLES = ("rotation", "shearX", "shearY")


class Bones:
    """The bones of a file as they are read; `skeleton` only when nothing was wrong with them.

    names, parents (−1: none), setup (key -> values as in the file), lengths, inherit, skin : one entry a bone
    """

    def __init__(self, reading: Reading, section: object) -> None:
        self.reading = reading
        entries = objects(reading, ("bones",), section)
        found = [(i, name_of(reading, ("bones", i), bone, "bone"), bone) for i, bone in entries]
        named = [(i, name, bone) for i, name, bone in found if name is not None]
        twice(reading, ("bones",), [(i, name) for i, name, _ in named], "bone")
        self.names = [name for _, name, _ in named]
        for place, name in enumerate(self.names):
            reading.bones.setdefault(name, place)
        self.fields = [Fields(reading, ("bones", i), bone, f"bone {quote(name)}") for i, name, bone in named]
        self.parents = self._parents()
        self.whole = not reading.log.faults
        self.lengths = [fields.number("length", 0.0, low=0.0) for fields in self.fields]
        self.setup = {key: [fields.number(key, _neutral(key)) for fields in self.fields] for key in CHANNEL_OF}
        self.inherit = [self._inherit(fields) for fields in self.fields]
        self.skin = np.array([fields.flag("skin") for fields in self.fields], dtype=np.bool_)

    def skeleton(self) -> Skeleton:
        """The bones as a Skeleton; to be called when there are no faults."""
        rest = {
            channel: radians(self.setup[key]) if key in _ANGLES else self.setup[key]
            for key, channel in CHANNEL_OF.items()
        }
        return Skeleton(
            self.names, np.array(self.parents, dtype=np.intp), self.lengths, rest, np.array(self.inherit, dtype=np.int8)
        )

    def under(self, bone: int, above: int) -> bool:
        """Whether a bone is another one or hangs on it."""
        while bone >= 0 and bone != above:
            bone = self.parents[bone]
        return bone == above

    def _inherit(self, fields: Fields) -> int:
        key = "inherit" if self.reading.version >= (4, 2) else "transform"
        return INHERIT.index(fields.word(key, INHERIT[0], INHERIT, any_case=self.reading.version < (4, 0)))

    def _parents(self) -> list[int]:
        """The parent of each bone; −1 for none, and for one that is wrong."""
        wanted = [self._parent(fields) for fields in self.fields]
        named = {name: self.names[parent] for name, parent in zip(self.names, wanted, strict=True) if parent >= 0}
        rings = loops(named)
        for ring in rings:
            at = self.fields[self.reading.bones[ring[0]]]
            at.fault(f"bones hang on each other: {' -> '.join(map(quote, ring))} (one needs another parent)", "parent")
        if not rings:
            self._check_order(wanted)
        roots = [i for i, fields in enumerate(self.fields) if fields.data.get("parent") is None]
        if len(roots) > 1:
            self.reading.note(
                f"{len(roots)} bones have no parent: {', '.join(quote(self.names[i]) for i in roots[:6])}"
            )
        return wanted if not self.reading.log.faults else [p if p < i else -1 for i, p in enumerate(wanted)]

    def _parent(self, fields: Fields) -> int:
        if fields.data.get("parent") is None:
            return -1
        if fields.data["parent"] == fields.data.get("name"):
            fields.fault("is its own parent (name another bone, or none for the root)", "parent")
            return -1
        return fields.find(fields.data["parent"], self.reading.bones, "parent", "parent")

    def _check_order(self, parents: Sequence[int]) -> None:
        for i, parent in enumerate(parents):
            if parent > i:
                text = f"stands before its parent {quote(self.names[parent])} (parents first: move it behind)"
                self.fields[i].fault(text, "parent")


def _neutral(key: str) -> float:
    return 1.0 if key.startswith("scale") else 0.0


def read_slots(reading: Reading, section: object) -> tuple[Slot, ...]:
    """The slots, in draw order."""
    entries = objects(reading, ("slots",), section)
    named = [(i, name_of(reading, ("slots", i), slot, "slot"), slot) for i, slot in entries]
    twice(reading, ("slots",), [(i, name) for i, name, _ in named if name is not None], "slot")
    found: list[Slot] = []
    for i, name, slot in named:
        if name is not None:
            fields = Fields(reading, ("slots", i), slot, f"slot {quote(name)}")
            reading.slots.setdefault(name, len(found))
            found.append(Slot(name, fields.index("bone", reading.bones, "bone"), fields.text("attachment")))
    return tuple(found)


def header(reading: Reading, section: object) -> Mapping[str, Any]:
    """The object "skeleton" at the top, empty where there is none."""
    if section is None or isinstance(section, dict):
        return section or {}
    reading.log.add(("skeleton",), f"{show(section)} (an object was expected)")
    return {}
