"""Faults of constraints and legs: bones that are no limb, settings that contradict each other."""

from __future__ import annotations

from elbowroom.rig import record
from elbowroom.rig.names import Names
from elbowroom.rig.paths import Log, Path, json_path, quote
from elbowroom.rig.record import MISS_CHOICES

_BONES_OF = {"aim": 1, "two_bone": 2}
_SMOOTHERS = ("savgol", "one_euro", "half_life")


def check_constraints(rig: record.RigRecord, names: Names, log: Log) -> None:
    """Note every fault of every constraint."""
    first: dict[str, int] = {}
    for i, limb in enumerate(rig.constraints):
        path: Path = ("constraints", i)
        own_name(limb.name, first, path, log)
        _check_bones(limb, names, path, log)
        _check_limits(limb, path, log)
        _check_miss(limb, names, path, log)
        _check_solver(limb, path, log)
        if limb.target is not None:
            names.check_space((*path, "target", "space"), limb.target.space, log, limb)


def own_name(name: str, first: dict[str, int], path: Path, log: Log) -> None:
    """Note an empty name, and one that an earlier entry of the same list has."""
    where = (*path, "name")
    if not name:
        log.add(where, "empty (a name of its own)")
    elif name in first:
        earlier = json_path((*path[:-1], first[name]))
        log.add(where, f"{quote(name)} is the name of {earlier} already (each has its own)")
    else:
        first[name] = int(path[-1])


def _check_bones(limb: record.Constraint, names: Names, path: Path, log: Log) -> None:
    if not limb.bones:
        log.add((*path, "bones"), "empty (list the bones from the limb's root to its tip)")
    above: str | None = None
    for k, bone in enumerate(limb.bones):
        known = names.check_bone((*path, "bones", k), bone, log)
        parent = names.bones[bone].parent if known else None
        told = parent is not None and parent not in names.bones  # a typing error that is a fault already
        if known and above in names.bones and parent != above and not told:
            has = f"its parent is {quote(parent)}" if parent is not None else "it has no parent"
            text = f"{quote(bone)} is no child of {quote(str(above))} ({has}; list a chain from root to tip)"
            log.add((*path, "bones", k), text)
        above = bone


def _check_limits(limb: record.Constraint, path: Path, log: Log) -> None:
    if limb.limits_deg is None:
        return
    where = (*path, "limits_deg")
    if len(limb.limits_deg) != len(limb.bones) > 0:
        count = f"{len(limb.limits_deg)} ranges for {len(limb.bones)} bones"
        log.add(where, f"{count} (one [low, high] for each)")
    for k, (low, high) in enumerate(limb.limits_deg):
        if low > high:
            log.add((*where, k), f"low {low:g} is above high {high:g} (write [{high:g}, {low:g}])")


def _check_miss(limb: record.Constraint, names: Names, path: Path, log: Log) -> None:
    where = (*path, "on_miss")
    sure = log.whole(where)
    words = [limb.on_miss] if isinstance(limb.on_miss, str) else limb.on_miss
    if not words:
        log.add(where, f"empty ({MISS_CHOICES})")
    for word in dict.fromkeys(words):
        if words.count(word) > 1 and sure:
            log.add(where, f"{quote(word)} is listed twice (each once, in the order to try them)")
    if "stretch" in words and limb.max_stretch == 0.0 and not log.unread((*path, "max_stretch")):
        log.add(where, '"stretch" needs "max_stretch" above 0 (0.1 lets the bones lengthen by a tenth)')
    if "move_root" in words and limb.root is None and not log.unread((*path, "root")):
        log.add(where, '"move_root" needs "root", the name of the bone to shift')
    if limb.root is not None:
        known = names.check_bone((*path, "root"), limb.root, log)
        first = limb.bones[0] if limb.bones else ""
        if known and names.rooted(first) and limb.root not in names.line(first):
            text = f"{quote(limb.root)} does not carry {quote(first)} (a bone the limb hangs on)"
            log.add((*path, "root"), text)


def _check_solver(limb: record.Constraint, path: Path, log: Log) -> None:
    wanted = _BONES_OF.get(limb.solver or "")
    if wanted is not None and limb.bones and len(limb.bones) != wanted:
        text = f"{quote(str(limb.solver))} takes {wanted} bone{'s' if wanted > 1 else ''}, not {len(limb.bones)}"
        log.add((*path, "solver"), f"{text} (ccd, fabrik and least_change take any number)")
    method = limb.smooth.get("method") if isinstance(limb.smooth, dict) else None
    if isinstance(limb.smooth, dict) and method not in _SMOOTHERS:
        near = log.hint(method, _SMOOTHERS) if isinstance(method, str) else ""
        near = near if "did you mean" in near else ""
        log.add((*path, "smooth", "method"), f"one of {', '.join(map(quote, _SMOOTHERS))} belongs here{near}")


def check_legs(rig: record.RigRecord, names: Names, log: Log) -> None:
    """Note every fault of `legs` and `body`."""
    first: dict[str, int] = {}
    for i, leg in enumerate(rig.legs):
        where = ("legs", i, "constraint")
        names.check_constraint(where, leg.constraint, log)
        if leg.constraint in first:
            log.add(
                where,
                f"{quote(leg.constraint)} is the leg of {json_path(('legs', first[leg.constraint]))} already",
            )
        first.setdefault(leg.constraint, i)
    if rig.body is not None:
        names.check_bone(("body",), rig.body, log)
