"""What hangs together and yet is hardly meant: told when a rig is loaded or checked, never refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from elbowroom.kernel.trig import atan2
from elbowroom.rig import record
from elbowroom.rig.names import Names
from elbowroom.rig.paths import Fault, Path, quote
from elbowroom.rig.units import RADIANS

HALF_LIFE = 0.1  # [s] of a root shift, where the record does not say


def advice(rig: record.RigRecord) -> list[str]:
    """Sentences with JSON paths: limits that shut the side of the bend, settings that do nothing, colliding spaces."""
    names = Names.of(rig)
    found = [*_of_limbs(rig, names), *_of_clips(rig, names)]
    return [str(fault) for fault in found]


def _of_limbs(rig: record.RigRecord, names: Names) -> Iterator[Fault]:
    for i, limb in enumerate(rig.constraints):
        if shut(limb, limb.bend, names):
            yield Fault(("constraints", i, "limits_deg", 1), _shut_text(limb, limb.bend))
        yield from _of_miss(limb, ("constraints", i))


def _of_miss(limb: record.Constraint, path: Path) -> Iterator[Fault]:
    """What on_miss never comes to, and settings of a strategy that it does not list."""
    words = [limb.on_miss] if isinstance(limb.on_miss, str) else limb.on_miss
    if "accept" in words[:-1]:
        never = " and ".join(quote(word) for word in words[words.index("accept") + 1 :])
        text = f'"accept" ends the list, so {never} {"is" if words[-2] == "accept" else "are"} never tried'
        yield Fault((*path, "on_miss"), f'{text} (put "accept" last)')
    settings = {
        "max_stretch": ("stretch", limb.max_stretch != 0.0),
        "root": ("move_root", limb.root is not None),
        "max_shift": ("move_root", limb.max_shift is not None),
        "shift_half_life": ("move_root", limb.shift_half_life != HALF_LIFE),
    }
    for name, (word, given) in settings.items():
        if given and word not in words:
            text = f'does nothing, as "on_miss" does not list "{word}"'
            yield Fault((*path, name), f"{text} (list it, or leave this out)")
    if "move_root" in words and limb.root in limb.bones:
        text = f"{quote(limb.root)} is a bone of the limb itself, which comes off what it hangs on"
        yield Fault((*path, "root"), f"{text} (name a bone above it)")


def _of_clips(rig: record.RigRecord, names: Names) -> Iterator[Fault]:
    for name, clip in rig.clips.items():
        path: Path = ("clips", name)
        for limb, keys in clip.bend.items():
            for i, key in enumerate(keys):
                known = names.constraints.get(limb)
                if known is not None and key[1] != known.bend and shut(known, key[1], names):
                    text = _shut_text(known, key[1])
                    yield Fault((*path, "bend", limb, i), text)
        for limb, target in clip.targets.items():
            yield from _of_target(target, (*path, "targets", limb))


def _of_target(target: record.AimKeys, path: Path) -> Iterator[Fault]:
    times = [float(key[0]) for key in target.position]  # type: ignore[arg-type]
    for i, ((start, _), (end, _)) in enumerate(pairwise(target.space)):
        if end - start < target.blend:
            text = f"the next space key is {end - start:g} s later, within the blend of {target.blend:g} s"
            yield Fault((*path, "space", i + 1), f"{text} (it is cut short)")
    ends = [*(key[0] for key in target.space[1:]), float("inf")][: len(target.space)]
    for i, ((start, space), end) in enumerate(zip(target.space, ends, strict=True)):
        if len(times) > 1 and not any((start <= t or i == 0) and t < end for t in times):
            text = f"no position key is written in space {quote(space)}"
            yield Fault((*path, "space", i), f"{text} (the numbers before it are taken as they are; add a key)")


def shut(limb: record.Constraint, bend: object, names: Names) -> bool:
    """Do the limits of a two-bone limb leave nothing of the side it shall bend to?

    bend 1 needs a lower bone turned by 0 or less against the straight limb, −1 by 0 or more (modulo 360°); a side of
    which they leave the folded limb alone is shut as well.
    Limbs under a mirrored bone are not judged.
    """
    if not limb.limits_deg or len(limb.limits_deg) != 2 or len(limb.bones) != 2 or bend not in {1, -1}:
        return False
    if any(bone not in names.bones for bone in limb.bones):
        return False
    line = [names.bones[name] for name in names.line(limb.bones[1])]
    if any(bone.scale_x < 0.0 or bone.scale_y < 0.0 for bone in line):
        return False
    low, high = limb.limits_deg[1]
    straight = atan2(line[0].y, line[0].x) / RADIANS if line[0].y or line[0].x else 0.0
    start = (low - straight) % 360.0
    end = start + (high - low)
    return (start > 0.0 and end <= 180.0) if bend == 1 else (start >= 180.0 and end < 360.0)


def _shut_text(limb: record.Constraint, bend: object) -> str:
    low, high = limb.limits_deg[1] if limb.limits_deg else (0.0, 0.0)
    side, other = ("left", -1) if bend == 1 else ("right", 1)
    return (
        f"[{low:g}, {high:g}] leaves no room for the elbow on the {side}, where bend {bend:g} puts it; "
        f"the limits win (bend {other}, or other limits)"
    )
