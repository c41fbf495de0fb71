"""In which order a runtime works: bones and constraints in one list, and which of them are active."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.rig.skeleton import Skeleton
from elbowroom.rig.spine.records import (
    Skin,
    Spine,
    SpineConstraint,
    SpineIK,
    SpinePath,
    SpineTransform,
    Unsimulated,
)

Step: TypeAlias = tuple[Literal["bone"], int] | tuple[Literal["constraint"], SpineConstraint]


@dataclass(frozen=True, eq=False)
class Schedule:
    """What is done in turn; a bone can have several.

    steps : ("bone", index) or ("constraint", record)
    active : (n,) bool, bones that are evaluated
    idle : why constraints never run, by (kind, name): "skin", "target" (inactive), "order" (none has its turn)
    """

    steps: tuple[Step, ...]
    active: npt.NDArray[np.bool_]
    idle: dict[tuple[str, str], str]


def schedule(skeleton: Skeleton, spine: Spine, skin: str | None = None) -> Schedule:
    """The list of an update.

    skin : what is worn; None is the skin "default"
    """
    worn = spine.skins.get("default" if skin is None else skin)
    active = active_bones(skeleton, spine, worn)
    listed = _Listed(skeleton, spine, active, worn)
    idle = {(kind_of(c), c.name): "order" for c in spine.constraints}
    for constraint in _turns(spine):
        reason = _asleep(constraint, spine, worn, active)
        idle[kind_of(constraint), constraint.name] = reason
        if not reason:
            listed.add(constraint)
    for bone in range(len(skeleton)):
        listed.place(bone)
    return Schedule(tuple(listed.steps), active, {key: reason for key, reason in idle.items() if reason})


def active_bones(skeleton: Skeleton, spine: Spine, worn: Skin | None) -> npt.NDArray[np.bool_]:
    """(n,) bool: all but those that belong to a skin which is not worn; with a skin's bones come their ancestors."""
    active = np.ones(len(skeleton), dtype=np.bool_)
    if spine.version == (3, 7) or not spine.skin_bones.size:
        return active
    active &= ~spine.skin_bones
    for start in () if worn is None else worn.bones:
        bone = start
        while bone >= 0:
            active[bone] = True
            bone = int(skeleton.parents[bone])
    return active


def kind_of(constraint: SpineConstraint) -> str:
    """ "ik", "transform", "path", "physics" or "slider"."""
    if isinstance(constraint, Unsimulated):
        return constraint.kind
    return "ik" if isinstance(constraint, SpineIK) else "path" if isinstance(constraint, SpinePath) else "transform"


def leader(constraint: SpineConstraint, spine: Spine) -> int:
    """Index of the bone without which a constraint does not run; −1 for none."""
    if isinstance(constraint, SpinePath):
        return spine.slots[constraint.slot].bone
    return constraint.bone if isinstance(constraint, Unsimulated) else constraint.target


def _asleep(constraint: SpineConstraint, spine: Spine, worn: Skin | None, active: npt.NDArray[np.bool_]) -> str:
    """Why a constraint does not run, empty if it does."""
    lead = leader(constraint, spine)
    if lead >= 0 and not active[lead]:
        return "target"
    listed = worn is not None and (kind_of(constraint), constraint.name) in worn.constraints
    return "" if listed or not constraint.skin or spine.version == (3, 7) else "skin"


def _turns(spine: Spine) -> Iterator[SpineConstraint]:
    """Constraints that get a turn: up to 4.2 the first of each order below their number, of ik, transform, path, …"""
    if spine.version >= (4, 3):
        yield from spine.constraints
        return
    first: dict[int, SpineConstraint] = {}
    every: tuple[SpineConstraint, ...] = (*spine.ik, *spine.transform, *spine.path, *spine.unsimulated)
    for constraint in every:
        first.setdefault(constraint.order, constraint)
    yield from (first[i] for i in range(len(every)) if i in first)


class _Listed:
    """The list as it grows: bones are placed before what reads them, and released after what moves them."""

    def __init__(self, skeleton: Skeleton, spine: Spine, active: npt.NDArray[np.bool_], worn: Skin | None) -> None:
        self.steps: list[Step] = []
        self.placed: list[bool] = (~active).tolist()
        self.active, self.spine, self.worn = active, spine, worn
        self.parents: list[int] = skeleton.parents.tolist()
        self.children: list[list[int]] = [[] for _ in self.parents]
        for bone, parent in enumerate(self.parents):
            if parent >= 0:
                self.children[parent].append(bone)

    def place(self, bone: int) -> None:
        """A bone and what it hangs on, from the first that is not placed."""
        line = []
        while bone >= 0 and not self.placed[bone]:
            self.placed[bone] = True
            line.append(bone)
            bone = self.parents[bone]
        self.steps += [("bone", each) for each in reversed(line)]

    def release(self, bones: Iterable[int]) -> None:
        """Placed bones, and all placed below them, are to be placed again."""
        waiting = list(bones)
        while waiting:
            bone = waiting.pop()
            if self.active[bone]:
                waiting += self.children[bone] if self.placed[bone] else []
                self.placed[bone] = False

    def add(self, constraint: SpineConstraint) -> None:
        """A constraint's turn."""
        if isinstance(constraint, SpineIK):
            self._ik(constraint)
        elif isinstance(constraint, SpineTransform):
            self._transform(constraint)
        elif isinstance(constraint, SpinePath):
            self._path(constraint)
        elif constraint.bone >= 0:
            self._unsimulated(constraint)
        else:
            self.steps.append(("constraint", constraint))

    def _ik(self, ik: SpineIK) -> None:
        first, last = ik.bones[0], ik.bones[-1]
        self.place(ik.target)
        self.place(first)
        if (4, 0) <= self.spine.version < (4, 3):
            self.place(last)
        self.steps.append(("constraint", ik))
        if self.spine.version >= (4, 3):
            self._clear(first)
        self.release(self.children[first])
        if self.spine.version < (4, 3) and (len(ik.bones) > 1 or self.spine.version < (4, 0)):
            self.placed[last] = True

    def _transform(self, transform: SpineTransform) -> None:
        new, local = self.spine.version >= (4, 3), transform.local
        if not (new and transform.local_source):
            self.place(transform.target)
        for bone in () if new and transform.local_target else transform.bones:
            self.place(self.parents[bone] if local and self.spine.version < (4, 0) else bone)
        self._moved(transform, transform.bones, marked=not (new and transform.local_target))

    def _path(self, path: SpinePath) -> None:
        for bone in self._carriers(path.slot):
            self.place(bone)
        for bone in path.bones:
            self.place(bone)
        self._moved(path, path.bones, marked=True)

    def _unsimulated(self, other: Unsimulated) -> None:
        self.place(other.bone)
        self.steps.append(("constraint", other))
        if other.kind == "physics":
            self.release(self.children[other.bone])
            if self.spine.version < (4, 3):
                self.placed[other.bone] = True

    def _moved(self, constraint: SpineConstraint, bones: tuple[int, ...], *, marked: bool) -> None:
        self.steps.append(("constraint", constraint))
        for bone in bones:
            self.release(self.children[bone])
        for bone in bones:
            if marked:
                self.placed[bone] = True
            else:
                self._clear(bone)

    def _clear(self, bone: int) -> None:
        if self.active[bone]:
            self.placed[bone] = False

    def _carriers(self, slot: int) -> Iterator[int]:
        """Bones that carry the paths a slot can show."""
        skins = (self.worn, self.spine.skins.get("default"), *self.spine.skins.values())
        for skin in skins[: 2 if self.spine.version >= (4, 3) else None]:
            for (where, _), attachment in () if skin is None else skin.attachments.items():
                if where == slot and attachment.kind == "path":
                    vertices = attachment.vertices
                    bones = None if vertices is None else vertices.bones
                    yield from (self.spine.slots[slot].bone,) if bones is None else bones.tolist()
