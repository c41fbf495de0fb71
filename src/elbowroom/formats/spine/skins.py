"""Skins and what they hang on slots: regions, meshes, paths and the like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from elbowroom.errors import closest
from elbowroom.formats.spine.faults import Fields, Reading, name_of, objects, show, twice
from elbowroom.formats.spine.readvertices import numbers, read_vertices
from elbowroom.rig.paths import Path, quote
from elbowroom.rig.spine.records import Array, Attachment, Skin

KINDS = ("region", "mesh", "linkedmesh", "boundingbox", "path", "point", "clipping")
_LISTS = ("ik", "transform", "path", "physics", "slider")

Key = tuple[str, int, str]


class _Link(NamedTuple):
    """A linked mesh that waits for the one it borrows from: where it is, whose, and whether that one's keys move it."""

    fields: Fields
    key: Key
    source: Key
    follows: bool


class _Skins:
    """The skins of a file as they are read."""

    def __init__(self, reading: Reading, constraints: Iterable[tuple[str, str]]) -> None:
        self.reading = reading
        self.constraints = frozenset(constraints)
        self.attachments: dict[Key, Attachment] = {}
        self.links: list[_Link] = []

    def read(self, name: str, path: Path, data: Mapping[str, Any]) -> Skin:
        """One skin; the attachments of its linked meshes are settled later."""
        fields = Fields(self.reading, path, data, f"skin {quote(name)}")
        old = self.reading.version < (3, 8)
        slots = data if old else data.get("attachments", {})
        before = len(self.attachments)
        self._slots(fields, name, path if old else (*path, "attachments"), slots)
        keys = list(self.attachments)[before:]
        return Skin(
            name,
            bones=() if old else fields.indexes("bones", self.reading.bones, "bone", needed=False),
            constraints=frozenset(() if old else self._listed(fields)),
            attachments={(slot, placeholder): self.attachments[_, slot, placeholder] for _, slot, placeholder in keys},
        )

    def settled(self, skin: Skin) -> Skin:
        """A skin with what its linked meshes borrow."""
        found = {key: self.attachments[skin.name, *key] for key in skin.attachments}
        return replace(skin, attachments=found)

    def _listed(self, fields: Fields) -> Iterator[tuple[str, str]]:
        for kind in _LISTS:
            for i, name in enumerate(fields.items(kind, needed=False)):
                if not isinstance(name, str):
                    fields.fault(f"{kind} is {show(name)} (a name in quotes was expected)", kind, i)
                elif (kind, name) not in self.constraints:
                    known = [each for other, each in self.constraints if other == kind]
                    text = f"{kind} constraint {quote(name)} does not exist{self.reading.log.hint(name, sorted(known))}"
                    fields.fault(text, kind, i)
                else:
                    yield kind, name

    def _slots(self, fields: Fields, skin: str, path: Path, slots: object) -> None:
        for slot, items in _entries(self.reading, path, slots):
            index = Fields(self.reading, path, {}, fields.who).find(slot, self.reading.slots, "slot", slot)
            for placeholder, data in _entries(self.reading, (*path, slot), items):
                if index >= 0 and isinstance(data, dict):
                    who = f"attachment {quote(placeholder)} of slot {quote(slot)} in {fields.who}"
                    each = Fields(self.reading, (*path, slot, placeholder), data, who)
                    self.attachments[skin, index, placeholder] = self._attachment(each, (skin, index, placeholder))
                elif index >= 0:
                    self.reading.log.add((*path, slot, placeholder), f"{show(data)} (an object was expected)")

    def _attachment(self, fields: Fields, key: Key) -> Attachment:
        kind = _kind(fields)
        found = Attachment(fields.text("name") or key[2], kind, fields.data, timelines=key)
        if kind == "linkedmesh":
            self._link(fields, key)
        elif kind == "mesh":
            return replace(found, vertices=read_vertices(fields, len(fields.items("uvs")) // 2))
        elif kind in ("boundingbox", "clipping"):
            return replace(found, vertices=read_vertices(fields, fields.whole("vertexCount")))
        elif kind == "path":
            return _path(fields, found)
        return found

    def _link(self, fields: Fields, key: Key) -> None:
        newest = self.reading.version >= (4, 3)
        word = "source" if newest else "parent"
        parent = fields.text(word)
        if parent is None:
            fields.fault(f"{word} is missing (the mesh it borrows from)", word)
            return
        slot = key[1]
        if newest and fields.data.get("slot") is not None:
            slot = fields.index("slot", self.reading.slots, "slot")
        follows = fields.flag("timelines" if self.reading.version >= (4, 0) else "deform", True)
        self.links.append(_Link(fields, key, (fields.text("skin") or "default", slot, parent), follows))

    def link(self) -> None:
        """Give every linked mesh the vertices of its source, which may be linked itself."""
        waiting = {link.key: link for link in self.links}
        for link in self.links:
            source, line = link.source, {link.key}
            while source in waiting and source not in line:
                line.add(source)
                source = waiting[source].source
            self._borrow(link, source, round_and_round=source in line)

    def _borrow(self, link: _Link, source: Key, round_and_round: bool) -> None:
        own, mesh = self.attachments[link.key], self.attachments.get(source)
        word = "source" if self.reading.version >= (4, 3) else "parent"
        if round_and_round:
            link.fields.fault("linked meshes borrow from each other in a ring (one needs vertices of its own)", word)
        elif mesh is None or mesh.kind != "mesh":
            known = [name for skin, slot, name in self.attachments if (skin, slot) == source[:2]]
            where = f"mesh {quote(source[2])} of skin {quote(source[0])} does not exist"
            link.fields.fault(f"{where}{closest(source[2], known)}", word)
        else:
            keys = link.source if link.follows else link.key
            self.attachments[link.key] = replace(own, vertices=mesh.vertices, timelines=keys)


def read_skins(reading: Reading, section: object, constraints: Iterable[tuple[str, str]]) -> dict[str, Skin]:
    """The skins by name, in the file's order. constraints : (kind, name) of all there are."""
    skins = _Skins(reading, constraints)
    found = [skins.read(name, path, data) for name, path, data in _named(reading, section)]
    skins.link()
    return {skin.name: skins.settled(skin) for skin in found}


def _named(reading: Reading, section: object) -> list[tuple[str, Path, Mapping[str, Any]]]:
    if isinstance(section, dict):  # 3.7; of other versions the layout was refused, or it is empty
        return [(name, ("skins", name), data) for name, data in section.items() if isinstance(data, dict)]
    entries = objects(reading, ("skins",), section)
    named = [(i, name_of(reading, ("skins", i), data, "skin"), data) for i, data in entries]
    twice(reading, ("skins",), [(i, name) for i, name, _ in named if name is not None], "skin")
    unique = {name: (i, data) for i, name, data in reversed(named) if name is not None}
    return [(name, ("skins", i), data) for name, (i, data) in reversed(unique.items())]


def _entries(reading: Reading, path: Path, value: object) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        reading.log.add(path, f"{show(value)} (an object was expected)")
        return []
    return list(value.items())


def _kind(fields: Fields) -> str:
    """The type; what is none of those known is kept and noted."""
    value = fields.data.get("type", "region")
    for kind in KINDS if isinstance(value, str) else ():
        if value == kind or (fields.reading.version < (4, 0) and value.lower() == kind):
            return kind
    if not isinstance(value, str):
        fields.fault(f"type is {show(value)} (one of: {', '.join(KINDS)})", "type")
        return "region"
    fields.reading.note(f"{fields.who}: type {quote(value)} is unknown{closest(value, KINDS)}; kept, but not shown")
    return value


def _path(fields: Fields, found: Attachment) -> Attachment:
    count = fields.whole("vertexCount")
    if count % 3 or not count:
        fields.fault(f"vertexCount is {count} (three vertices for each knot)", "vertexCount")
    vertices = read_vertices(fields, count)
    return replace(
        found,
        vertices=vertices,
        closed=fields.flag("closed"),
        constant_speed=fields.flag("constantSpeed", True),
        lengths=_lengths(fields, count // 3 if vertices is not None else 0),
    )


def _lengths(fields: Fields, knots: int) -> Array:
    """(V/3,) where each curve ends [length]; what is missing is 0."""
    written = numbers(fields, "lengths")
    found = np.zeros(knots)
    found[: len(written)] = written[:knots]
    found.setflags(write=False)
    return found
