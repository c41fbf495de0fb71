"""space: a foot is carried along while it stands.

What it means
  A foot that stands should stay where it is. The target of this one is written in a space that moves with the
  character, "character" or one of its bones, and while the foot is on the ground that space carries it along: it skates
  with every sway of the hip. Severity: warning.

Threshold
  More than 2 % of the leg's reach in one contact, measured along the way the space goes, without the first and the
  last sixth of the contact. `thresholds={"space": U}` replaces it by a length in rig units.
  Which limbs: those of "legs"; in a rig without legs every limb of two bones or more whose end gets within 8 % of its
  reach to the lowest point of the character.
  When a foot stands: it is low (4 % of the leg above its lowest point, until 6 %), and it rests in the world or keeps
  its speed seen from its hip (within 0.25 leg lengths a second, until 0.5), for 0.1 s or longer.
  Files of Spine are left to the check "slide": there every target is a bone, and moves as its keys say.
  A walk on the spot in a space that stays is none, nor is a foot whose keys make up for the way of the body. Frames
  whose mix is below 1 are not looked at.

What causes it, and how to cure it
  The target is keyed in the wrong space. Write the contacts in "world", or in the frame of what the foot stands on,
  with keys of "space" and a "blend" for the swings. If it stands on something that moves with the character, a
  skateboard or a pedal, the space is right and the finding can be ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from elbowroom.checks.contacts import contacts, reach_of
from elbowroom.checks.kind import FULL, Array, Check, Take
from elbowroom.checks.report import Finding, counted, short
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.track import SampledTrack
from elbowroom.solve.geometry import norm

SHARE = 0.02  # [fraction of reach]
LOWEST = 0.08  # [fraction of reach] an end so near to the lowest point belongs to a foot
TRIM = 6  # such a part of a contact is left out at either end


@dataclass(frozen=True)
class Ride:
    """Part of a contact in one space that moves with the character: how far it carries the foot, and at which frame."""

    start: int
    stop: int
    space: str
    way: float
    frame: int


def find(take: Take, threshold: float | None) -> Iterator[Finding]:
    """A finding for each foot that is carried along while it stands."""
    if take.rig.runtime is not None:  # there a target is a bone, whose own keys are the way of the foot
        return
    for limb in feet(take):
        names = spaces_of(take, limb)
        if (names == "").all():
            continue
        joints = take.joints(limb)
        reach = reach_of(joints)
        bound = SHARE * reach if threshold is None else threshold
        runs = contacts(joints[:, -1], joints[:, 0], take.keyed.times, reach)
        riding = [r for start, stop in runs for r in rides(take, joints[:, -1], names, (int(start), int(stop)))]
        if carried := [ride for ride in riding if ride.way > bound]:
            yield _finding(take, limb, carried, bound)


def feet(take: Take) -> list[IKConstraint]:
    """The limbs that stand: the rig's legs, or those that get down to the lowest point of the character."""
    limbs = [limb for limb in take.rig.constraints if len(limb.bones) > 1]
    if take.rig.legs:
        return [limb for limb in limbs if limb.name in {leg.constraint for leg in take.rig.legs}]
    lowest = min(take.posed.world()[..., 1, 2].min(), take.posed.tips()[..., 1].min())
    return [x for x in limbs if take.joints(x)[:, -1, 1].min() - lowest <= LOWEST * reach_of(take.joints(x))]


def spaces_of(take: Take, limb: IKConstraint) -> Array:
    """(T,) the name of the space a target is in, where it moves with the character and the mix is full; else ''."""
    goal, size = take.goals[limb.name], len(take.keyed)
    if isinstance(goal, SampledTrack):
        names = np.array(goal.space or ("world",) * size, dtype=object)
        blending = np.zeros(size) if goal.weight is None else goal.weight < 1.0
    else:
        names, blending = np.full(size, goal.space, dtype=object), np.zeros(size)
    skeleton = take.rig.skeleton
    own = skeleton.below([skeleton.root])
    for name in set(names):
        bone = take.spaces.carrier(name)
        if bone is None or not own[bone]:
            names[names == name] = ""
    return np.where((blending != 0) | (take.mixes[limb.name] < FULL), "", names)


def rides(take: Take, foot: Array, names: Array, contact: tuple[int, int]) -> Iterator[Ride]:
    """The parts of a contact that are in one space each, and how far that carries the foot (T, 2) along."""
    trim = (contact[1] - contact[0]) // TRIM
    start, stop = contact[0] + trim, contact[1] - trim
    changes = np.flatnonzero(names[start + 1 : stop] != names[start : stop - 1]) + start + 1
    edges = [start, *changes.tolist(), stop]
    for first, last in pairwise(edges):
        if names[first] and last - first > 1:
            way = carry(take, foot, str(names[first]), slice(first, last))
            worst = int(np.abs(way).argmax())
            yield Ride(*contact, str(names[first]), float(abs(way[worst])), first + worst)


def carry(take: Take, foot: Array, space: str, part: slice) -> Array:
    """(m,) [length] how far a foot has come along the way on which the space carries its first position."""
    there = take.spaces.at(take.posed.world())(space)
    there = np.broadcast_to(there, (len(take.keyed), 2, 3))[part]
    if affine.singular(there[0]):  # squashed: no place in it
        return np.zeros(len(there))
    held = affine.apply(affine.invert(there[0], f'space "{space}"'), foot[part.start])
    ride, moved = affine.apply(there, held) - foot[part.start], foot[part] - foot[part.start]
    size = norm(ride)
    along = (ride * moved).sum(axis=-1) / np.where(size > 0.0, size, 1.0)
    return np.where(size > 0.0, np.clip(along, -size, size), 0.0)


def _finding(take: Take, limb: IKConstraint, carried: list[Ride], bound: float) -> Finding:
    worst = max(carried, key=lambda ride: ride.way)
    frames = sum(stop - start for start, stop in {(ride.start, ride.stop) for ride in carried})
    times = f", {counted(len(carried), 'contact')} in all" if len(carried) > 1 else ""
    with_it = "the character" if worst.space == "character" else f'the bone or frame "{worst.space}"'
    return take.finding(
        limb,
        worst.frame,
        code="space",
        severity="warning",
        message=f'{limb.name} {take.place}: the foot at the end of "{limb.bones[-1]}" stands from frame {worst.start} '
        f"to {worst.stop - 1} and is carried along by {short(worst.way)} units{times}; its target is in "
        f'"{worst.space}", which moves with the character',
        hint=f'try space "world" for the contacts, so that the foot stays while {with_it} moves on',
        frames=frames,
        value=worst.way,
        limit=bound,
        unit="units",
    )


CHECK = Check(code="space", page=__doc__, of_take=find)
