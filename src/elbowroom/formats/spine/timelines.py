"""Animations of a Spine file: every timeline read and checked, arrays made of its keys when they are first wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import lt
from typing import Any

import msgspec

from elbowroom.errors import closest
from elbowroom.formats.spine import keys as kinds
from elbowroom.formats.spine.arrays import Line, build
from elbowroom.formats.spine.keys import Group, Groups, Moment, SpineFault, decoded
from elbowroom.rig.paths import Path, json_path, quote
from elbowroom.rig.skeleton import INHERIT, Skeleton
from elbowroom.rig.spine.animation import SpineAnimation
from elbowroom.rig.spine.curves import single
from elbowroom.rig.spine.records import Spine
from elbowroom.rig.spine.sampling import RIDE

MOST_FRAMES = 1e8  # at 30 a second: nobody wants more of one animation
_OUTSIDE = 1e-3  # [s, or parts of the way] a handle may lie beside its span unmentioned: files round it

# timeline -> (its keys, the channels of a Pose they set)
_OLD_BONES: dict[str, tuple[type[Moment], tuple[str, ...]]] = {
    "rotate": (kinds.Angle, ("rotation",)),
    "translate": (kinds.OldPair, ("x", "y")),
    "scale": (kinds.OldFactors, ("scale_x", "scale_y")),
    "shear": (kinds.OldPair, ("shear_x", "shear_y")),
}
_BONES: dict[str, tuple[type[Moment], tuple[str, ...]]] = {
    "rotate": (kinds.Value, ("rotation",)),
    "translate": (kinds.Pair, ("x", "y")),
    "scale": (kinds.Factors, ("scale_x", "scale_y")),
    "shear": (kinds.Pair, ("shear_x", "shear_y")),
    "translatex": (kinds.Value, ("x",)),
    "translatey": (kinds.Value, ("y",)),
    "scalex": (kinds.Factor, ("scale_x",)),
    "scaley": (kinds.Factor, ("scale_y",)),
    "shearx": (kinds.Value, ("shear_x",)),
    "sheary": (kinds.Value, ("shear_y",)),
}
_INHERIT: dict[str, tuple[type[Moment], tuple[str, ...]]] = {"inherit": (kinds.Inherit, ("inherit",))}
_OLD_PATHS: dict[str, tuple[type[Moment], slice]] = {
    "position": (kinds.OldPosition, slice(0, 1)),
    "spacing": (kinds.OldSpacing, slice(1, 2)),
    "mix": (kinds.OldRide, slice(2, 5)),
}
_PATHS: dict[str, tuple[type[Moment], slice]] = {
    "position": (kinds.Value, slice(0, 1)),
    "spacing": (kinds.Value, slice(1, 2)),
    "mix": (kinds.Ride, slice(2, len(RIDE))),
}
_LOOKS = frozenset({"color", "rgba", "rgb", "alpha", "rgba2", "rgb2", "twoColor"})  # of slots; they pose nothing


def read_animations(
    raws: Mapping[str, msgspec.Raw], skeleton: Skeleton, spine: Spine, note: Callable[[str], None]
) -> dict[str, SpineAnimation]:
    """All animations of a file.

    raws : name -> its JSON;  note : takes what is odd but can be read
    Raises SpineFault for the first fault: its place, and what is wrong.
    """
    notes: dict[str, str] = {}
    out = {name: _Reader(name, skeleton, spine, notes).read(raw) for name, raw in raws.items()}
    for text in notes.values():
        note(text)
    return out


class _Reader:
    """One animation on its way in."""

    def __init__(self, name: str, skeleton: Skeleton, spine: Spine, notes: dict[str, str]) -> None:
        self.name, self.skeleton, self.spine, self.notes = name, skeleton, spine, notes
        self.lines: list[Line] = []
        self.last = 0.0
        self.bones = {bone: i for i, bone in enumerate(skeleton.names)}
        self.slots = {slot.name: i for i, slot in enumerate(spine.slots)}

    def read(self, raw: msgspec.Raw) -> SpineAnimation:
        root: Path = ("animations", self.name)
        for group, content in decoded(root, raw, Group).items():
            at: Path = (*root, group)
            if group == self._paths:
                self._path(at, decoded(at, content, Groups))
            elif group in ("bones", "slots", "ik", "transform", "attachments", "deform"):
                getattr(self, f"_{group}")(at, content)
            elif group in ("physics", "slider"):
                self._unsimulated(at, decoded(at, content, Groups))
            elif group in ("drawOrder", "draworder", "events"):
                self._keys(at, content, Moment)
            elif group != "drawOrderFolder":
                self._unknown(at)
        if self.last * 30.0 > MOST_FRAMES:
            problem = f"the last key at {self.last:g} s makes {self.last * 30.0:.3g} frames at 30 a second"
            raise SpineFault(json_path(root), f"{problem} (at most {MOST_FRAMES:g}; cut out the range you need)")
        load = partial(build, tuple(self.lines), self.spine.version)
        return SpineAnimation(self.name, float(single(self.last)), self.spine, load)

    @property
    def _old(self) -> bool:
        return self.spine.version < (4, 0)

    @property
    def _paths(self) -> str:
        return "paths" if self.spine.version < (3, 8) else "path"

    def _bones(self, at: Path, raw: msgspec.Raw) -> None:
        table = _OLD_BONES if self._old else _BONES
        table = table | _INHERIT if self.spine.version >= (4, 2) else table
        for bone, timelines in decoded(at, raw, Groups).items():
            self._known((*at, bone), "bone", bone, self.bones)
            for timeline, content in timelines.items():
                here = (*at, bone, timeline)
                if timeline not in table:
                    self._unknown(here)
                    continue
                kind, channels = table[timeline]
                self._add("bones", (self.bones[bone], channels), here, content, kind)

    def _slots(self, at: Path, raw: msgspec.Raw) -> None:
        for slot, timelines in decoded(at, raw, Groups).items():
            self._known((*at, slot), "slot", slot, self.slots)
            for timeline, content in timelines.items():
                here = (*at, slot, timeline)
                if timeline == "attachment":
                    self._add("slots", self.slots[slot], here, content, kinds.Shown)
                elif timeline in _LOOKS:
                    self._keys(here, content, Moment)
                else:
                    self._unknown(here)

    def _ik(self, at: Path, raw: msgspec.Raw) -> None:
        self._constraints(at, decoded(at, raw, Group), "ik", kinds.OldReach if self._old else kinds.Reach)

    def _transform(self, at: Path, raw: msgspec.Raw) -> None:
        kind = kinds.OldFollow if self._old else kinds.Follow
        self._constraints(at, decoded(at, raw, Group), "transform", kind)

    def _constraints(self, at: Path, group: Group, what: str, kind: type[Moment]) -> None:
        known = {each.name for each in getattr(self.spine, what)}
        label = "IK constraint" if what == "ik" else f"{what} constraint"
        for name, content in group.items():
            self._known((*at, name), label, name, known)
            self._add(what, name, (*at, name), content, kind)

    def _path(self, at: Path, groups: Groups) -> None:
        table = _OLD_PATHS if self._old else _PATHS
        for name, timelines in groups.items():
            self._known((*at, name), "path constraint", name, {each.name for each in self.spine.path})
            for timeline, content in timelines.items():
                here = (*at, name, timeline)
                if timeline not in table:
                    self._unknown(here)
                    continue
                kind, columns = table[timeline]
                self._add("path", (name, columns), here, content, kind)

    def _unsimulated(self, at: Path, groups: Groups) -> None:
        """Their keys count for the duration only; a physics timeline without a name is for all of them."""
        kind = str(at[-1])
        known = {each.name for each in self.spine.unsimulated if each.kind == kind}
        for name, timelines in groups.items():
            if name:
                self._known((*at, name), f"{kind} constraint", name, known)
            for timeline, content in timelines.items():
                self._keys((*at, name, timeline), content, Moment)
        if groups:
            self.notes[kind] = f"{kind} timelines are kept as they are: they are not simulated"

    def _attachments(self, at: Path, raw: msgspec.Raw) -> None:
        if self.spine.version < (4, 1):
            return self._unknown(at)
        for skin, slots in decoded(at, raw, dict[str, dict[str, Groups]]).items():
            for slot, attachments in slots.items():
                for name, timelines in attachments.items():
                    for timeline, content in timelines.items():
                        self._bent((*at, skin, slot, name, timeline), (skin, slot, name), timeline, content)
        return None

    def _deform(self, at: Path, raw: msgspec.Raw) -> None:
        if self.spine.version >= (4, 1):
            return self._unknown(at)
        for skin, slots in decoded(at, raw, dict[str, Groups]).items():
            for slot, attachments in slots.items():
                for name, content in attachments.items():
                    self._bent((*at, skin, slot, name), (skin, slot, name), "deform", content)
        return None

    def _bent(self, here: Path, place: tuple[str, str, str], timeline: str, raw: msgspec.Raw) -> None:
        skin, slot, name = place
        self._known((*here[:3], skin), "skin", skin, self.spine.skins)
        self._known((*here[:3], skin, slot), "slot", slot, self.slots)
        if timeline != "deform":
            self._keys(here, raw, Moment) if timeline == "sequence" else self._unknown(here)
            return
        found = self.spine.skins[skin].attachments.get((self.slots[slot], name))
        kind = kinds.OldDeform if self._old else kinds.Deform
        if found is None:
            gone = f"animation {quote(self.name)}: deform timeline for missing attachment {quote(name)} kept as it is"
            self.notes[gone] = gone
        if found is None or found.vertices is None:
            self._keys(here, raw, kind)
            return
        size = found.vertices.numbers.size
        for i, key in enumerate(
            self._add("deforms", ((skin, self.slots[slot], name), found.vertices), here, raw, kind)
        ):
            end = key.offset + len(key.vertices or ())
            if key.offset < 0 or end > size:
                raise SpineFault(json_path((*here, i)), f"numbers {key.offset} to {end} of {size} (inside them)")

    def _add(self, group: str, target: Any, here: Path, raw: msgspec.Raw, kind: type[Moment]) -> list[Any]:
        """Keep a timeline for later, and give its keys for now: they are many, and few of them are ever sampled."""
        keys = self._keys(here, raw, kind)
        if keys:
            self.lines.append(Line(group, target, here, raw, kind))
        return keys

    def _keys(self, here: Path, raw: msgspec.Raw, kind: type[Moment]) -> list[Any]:
        """The keys of a timeline, in order."""
        keys: list[Any] = decoded(here, raw, kind)
        if not keys:
            return keys
        times = [key.time for key in keys]
        if times[0] < 0.0:
            raise SpineFault(json_path((*here, 0)), f"the time of key 0 is {times[0]:g} s (0 or later)")
        if not all(map(lt, times, times[1:])):
            self._order(here, times)
        if times[-1] > self.last:
            self.last = times[-1]
        if kind is kinds.Inherit:
            for i, key in enumerate(keys):
                self._known((*here, i), "inherit mode", key.inherit[:1].lower() + key.inherit[1:], INHERIT)
        elif kind not in (Moment, kinds.Shown):
            self._handles(here, keys, times)
        return keys

    def _order(self, here: Path, times: Sequence[float]) -> None:
        for i, (time, following) in enumerate(pairwise(times)):
            if following < time:
                text = f"key {i + 1} at {following:g} s follows key {i} at {time:g} s (times rise)"
                raise SpineFault(json_path((*here, i + 1)), text)
            if following == time:
                self._note(here, f"keys {i} and {i + 1} are both at {time:g} s: the last one counts")

    def _handles(self, here: Path, keys: list[Any], times: list[float]) -> None:
        """Note curves whose handles are earlier or later than their keys; the last key's leads nowhere."""
        curves: Iterable[Any] = [key.curve for key in keys[:-1]]
        if self._old:
            parts = [(c, 0.0, key.c3) if type(c) is float else c for c, key in zip(curves, keys, strict=False)]
            bent = [(i, part, 0.0, 1.0) for i, part in enumerate(parts) if type(part) is tuple]
        else:
            bent = [(i, c, times[i], times[i + 1]) for i, c in enumerate(curves) if type(c) is tuple]
        outside: list[int] = []
        for k in range(0, len(bent[0][1]) if bent else 0, 2):  # a time, then a value
            odd = [each for each in bent if not each[2] <= each[1][k] <= each[3]]
            outside += [i for i, c, low, high in odd if not low - _OUTSIDE <= c[k] <= high + _OUTSIDE]
        if outside:
            found = sorted(set(outside))
            which = f"key {found[0]}" + (f" and {len(found) - 1} more" if len(found) > 1 else "")
            self._note(here, f"handles of {which} lie outside the time to the next key: the curve may run back in time")

    def _known(self, here: Path, what: str, name: str, known: Iterable[str]) -> None:
        if name not in known:
            raise SpineFault(json_path(here), f"{what} {quote(name)} does not exist{closest(name, known)}")

    def _unknown(self, here: Path) -> None:
        """Note a kind of timeline once, with the first place it is at."""
        kind = (
            f"timelines {quote(str(here[-1]))} of {here[2]}" if len(here) > 3 else f"timelines {quote(str(here[-1]))}"
        )
        text = f"{json_path(here)}: {kind} are not known to version {'.'.join(map(str, self.spine.version))}"
        self.notes.setdefault(kind, f"{text}; they are kept as they are and pose nothing")

    def _note(self, here: Path, text: str) -> None:
        """Note something about a timeline."""
        self.notes.setdefault(f"{json_path(here)}: {text}", f"{json_path(here)}: {text}")
