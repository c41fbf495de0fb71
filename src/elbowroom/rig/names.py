"""What can be referred to in a rig record, and what hangs on what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from elbowroom.rig import record
from elbowroom.rig.paths import MOST_LINES, Log, Path, among, quote
from elbowroom.rig.space import FIXED
from elbowroom.rig.tree import loops


@dataclass(frozen=True)
class Names:
    """The names of a record, each with what it stands for (of two with one name the first).

    sure_bones, sure_constraints : False where some names could not be read, so none can be called unknown
    """

    bones: Mapping[str, record.Bone]
    constraints: Mapping[str, record.Constraint]
    frames: Mapping[str, record.Frame]
    sure_bones: bool = True
    sure_constraints: bool = True

    @classmethod
    def of(cls, rig: record.RigRecord, log: Log | None = None) -> Names:
        """All names of a rig; `log` knows what could not be read."""
        log = log or Log()
        bones = {b.name: b for b in reversed(rig.bones) if b.name}
        constraints = {c.name: c for c in reversed(rig.constraints) if c.name}
        return cls(
            dict(reversed(bones.items())),
            dict(reversed(constraints.items())),
            rig.frames,
            bool(rig.bones) and all(b.name for b in rig.bones) and not log.unread(("bones",)),
            all(c.name for c in rig.constraints) and not log.unread(("constraints",)),
        )

    def check_bone(self, path: Path, name: str, log: Log) -> bool:
        """Note a bone that does not exist; True when it does."""
        return log.name(path, "bone", name, self.bones) if self.sure_bones else name in self.bones

    def check_constraint(self, path: Path, name: str, log: Log) -> bool:
        """Note a constraint that does not exist; True when it does."""
        known = self.constraints
        return log.name(path, "constraint", name, known) if self.sure_constraints else name in known

    @property
    def spaces(self) -> tuple[str, ...]:
        """Everything a position can be written in."""
        return (*FIXED, *self.frames, *self.bones)

    def is_space(self, name: str) -> bool:
        """Can a position be written in it?"""
        return name in FIXED or name in self.frames or name in self.bones

    def line(self, bone: str | None) -> Iterator[str]:
        """A bone and all it hangs on; ends in a loop, too."""
        seen = set()
        while bone is not None and bone in self.bones and bone not in seen:
            seen.add(bone)
            yield bone
            bone = self.bones[bone].parent

    def rooted(self, bone: str) -> bool:
        """Does the line above a bone end at a bone without a parent, not at an unknown name or in a loop?"""
        last = [*self.line(bone)][-1:]
        return bool(last) and self.bones[last[0]].parent is None

    def carrier(self, space: str) -> str | None:
        """The bone a space moves with, if any."""
        seen = set()
        while space in self.frames and space not in seen:
            seen.add(space)
            space = self.frames[space].parent
        if space == "character":
            return next((name for name, bone in self.bones.items() if bone.parent is None), None)
        return space if space in self.bones else None

    def check_space(self, path: Path, space: str, log: Log, limb: record.Constraint | None = None) -> None:
        """Note a space that does not exist, or that moves with the limb that is to reach into it."""
        if not self.is_space(space):
            if self.sure_bones:
                hint = among(space, self.spaces) if len(log.faults) < MOST_LINES else ""
                log.add(path, f"space {quote(space)} does not exist{hint}")
        elif limb is not None and limb.bones and limb.bones[0] in self.line(self.carrier(space)):
            log.add(path, f"space {quote(space)} moves with bone {quote(limb.bones[0])}, which this target drives")


def ring_text(ring: list[str], what: str) -> str:
    """'the bones hang on each other: a -> b -> a (one of them needs another parent)'."""
    names = " -> ".join(ring) if len(ring) <= 12 else " -> ".join([*ring[:10], "…", ring[-1]])
    return f"the {what} hang on each other: {names} (one of them needs another parent)"


def check_frames(names: Names, log: Log, path: Path = ("frames",)) -> None:
    """Note parents that do not exist, loops and names that are taken (values: `fault_keys.check_frame`)."""
    for name, frame in names.frames.items():
        if not name:
            log.add((*path, name), "empty (a name of its own)")
        elif name in FIXED or name in names.bones:
            what = "a bone" if name in names.bones else "a fixed space"
            log.add((*path, name), f"the name is taken by {what} (choose another)")
        if not names.is_space(frame.parent):
            names.check_space((*path, name, "parent"), frame.parent, log)
    for ring in loops({name: frame.parent for name, frame in names.frames.items()}):
        log.add((*path, ring[0], "parent"), ring_text(ring, "frames"))
