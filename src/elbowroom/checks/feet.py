"""Which limbs are feet, and where a foot touches the ground.

A foot rolls: it is put down with the heel and lifted with the ball. So it is followed at two points, where its bone
begins and where it ends, and at each moment by whichever of them is nearer to the lowest it gets in the clip: how high
an ankle is above the sole differs from rig to rig.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from elbowroom.checks.contacts import reach_of
from elbowroom.checks.kind import Array, Take
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.skeleton import Skeleton

LOWEST = 0.15  # [leg lengths] a foot gets so near to the lowest one of the clip
MOST = 3  # bones of a leg that is known by its foot's name

_WORD = re.compile(r"foot|feet|paw|hoof", re.IGNORECASE)
_HELPER = re.compile(r"target|ctrl|control|pole|goal|constraint|attach|print|(?<![a-z])ik(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Foot:
    """One foot of a solved animation of T frames.

    name : the constraint that moves its leg, or its bone;  bone : the name of its highest bone
    hip : (T, 2) [length] where the leg begins;  leg : [length] its reach
    track : (T, 2) [length] x follows the point that touches, so it has that point's speed; y is how high that point is
            above the lowest it gets;  height : (T,) [length] of the lowest point in the world
    times : (T,) [s];  first : the frame of the animation that these begin with
    """

    name: str
    bone: str
    limb: IKConstraint | None
    hip: Array
    leg: float
    track: Array
    height: Array
    times: Array
    first: int = 0

    def frame(self, index: int) -> int:
        """Which frame of the animation an index into these is."""
        return (index + self.first) % (len(self.times) - 1) if self.first else index

    def turned(self) -> Foot:
        """The same foot of a cycle, beginning where it is highest, so that no contact is cut in two."""
        first, count = int(self.track[:-1, 1].argmax()), len(self.times) - 1
        order = (np.arange(count + 1) + first) % count

        def rolled_on(values: Array) -> Array:
            return np.asarray(values[first] + np.append(0.0, np.cumsum(np.roll(np.diff(values), -first))))

        track = np.stack([rolled_on(self.track[:, 0]), self.track[order, 1]], axis=-1)
        hip = np.stack([rolled_on(self.hip[:, 0]), self.hip[order, 1]], axis=-1)
        times = rolled_on(self.times)
        return replace(self, hip=hip, track=track, height=self.height[order], times=times, first=first)


def feet_of(take: Take) -> list[Foot]:
    """The rig's legs; else the limbs that get to the ground; else bones that are called feet, on legs of two or more.

    Feet that stay well above the lowest one are left out: they carry a rider, or hang.
    """
    legs = {leg.constraint: leg for leg in take.rig.legs}
    if legs:
        return [foot for limb in take.rig.constraints if limb.name in legs for foot in _leg(take, limb)]
    feet = [foot for limb in _limbs(take) for foot in _leg(take, limb)]
    named = list(_named(take))
    return _low(feet, _bottom(take)) or _low(named, min((foot.height.min() for foot in named), default=0.0))


def rolled(points: Array) -> Array:
    """(T, 2) [length] the way of whichever of some points (T, k, 2) is nearest to its own lowest place.

    x is the sum of its steps: the mean of two points' where another one takes over between two frames; y is the height
    above its lowest place.
    """
    height = points[:, :, 1] - points[:, :, 1].min(axis=0)
    touching = height.argmin(axis=1)
    steps, row = np.diff(points[:, :, 0], axis=0), np.arange(len(points) - 1)
    passed = (steps[row, touching[:-1]] + steps[row, touching[1:]]) / 2.0
    x = points[0, touching[0], 0] + np.append(0.0, np.cumsum(passed))
    return np.stack([x, height.min(axis=1)], axis=-1)


def _low(feet: list[Foot], bottom: float) -> list[Foot]:
    return [foot for foot in feet if foot.height.min() - bottom <= LOWEST * foot.leg]


def _limbs(take: Take) -> list[IKConstraint]:
    """Limbs with an elbow that do not hang on another one."""
    skeleton = take.rig.skeleton
    limbs = [limb for limb in take.rig.constraints if len(limb.bones) > 1]
    moved = {limb.name: skeleton.below([skeleton.index(limb.bones[-1])]) for limb in limbs}
    return [x for x in limbs if not any(moved[y.name][skeleton.index(x.bones[0])] for y in limbs if y is not x)]


def _leg(take: Take, limb: IKConstraint) -> Iterator[Foot]:
    joints, skeleton = take.joints(limb), take.rig.skeleton
    leg, bone = reach_of(joints), _hung(skeleton, skeleton.index(limb.bones[-1]))
    if leg > 0.0:
        points, times = _sole(take, limb, bone), take.keyed.times
        name = skeleton.names[bone] if bone >= 0 else limb.bones[-1]
        yield Foot(limb.name, name, limb, joints[:, 0], leg, rolled(points), points[:, :, 1].min(axis=1), times)


def _sole(take: Take, limb: IKConstraint, bone: int) -> Array:
    """(T, k, 2) heel and toe where a leg names them, else both ends of its foot, else the end of the limb."""
    skeleton = take.rig.skeleton
    leg = next((leg for leg in take.rig.legs if leg.constraint == limb.name), None)
    if leg is not None and (leg.heel or leg.toe):
        last = take.posed.world()[:, skeleton.index(limb.bones[-1])]
        return np.stack([affine.apply(last, np.asarray(point)) for point in take.rig.sole(leg)], axis=1)
    return _ends(take, bone) if bone >= 0 else take.joints(limb)[:, -1:]


def _ends(take: Take, bone: int) -> Array:
    """(T, 2, 2) where a bone begins and ends in the world."""
    return np.stack([take.posed.world()[:, bone, :, 2], take.posed.tips()[:, bone]], axis=1)


def _hung(skeleton: Skeleton, last: int) -> int:
    """The foot of a leg: the highest bone of that name below its last one, that one itself, or the first with a length.

    −1 for none.
    """
    below = np.flatnonzero(skeleton.below([last]))
    named = [bone for bone in below if _is_foot(skeleton.names[bone])]
    long = [bone for bone in below if skeleton.parents[bone] == last and skeleton.lengths[bone] > 0.0]
    return int(next(iter([*named, *(b for b in long if not _HELPER.search(skeleton.names[b]))]), -1))


def _is_foot(name: str) -> bool:
    return _WORD.search(name) is not None and _HELPER.search(name) is None


def _named(take: Take) -> Iterator[Foot]:
    """The highest bones called feet, each with the bones with a length above it for a leg."""
    skeleton = take.rig.skeleton
    named = {i for i, name in enumerate(skeleton.names) if _is_foot(name)}
    for bone in sorted(named):
        line = _above(skeleton, bone)
        if len(line) > 1 and not named.intersection(line):
            joints = take.posed.world()[:, [*line[::-1], bone]][..., 2]
            leg, points, name, times = reach_of(joints), _ends(take, bone), skeleton.names[bone], take.keyed.times
            if leg > 0.0:
                yield Foot(name, name, None, joints[:, 0], leg, rolled(points), points[:, :, 1].min(axis=1), times)


def _above(skeleton: Skeleton, bone: int) -> list[int]:
    """The bones with a length that a bone hangs on, nearest first, three at most."""
    line: list[int] = []
    at = int(skeleton.parents[bone])
    while at >= 0 and skeleton.lengths[at] > 0.0 and len(line) < MOST:
        line.append(at)
        at = int(skeleton.parents[at])
    return line


def _bottom(take: Take) -> float:
    """The lowest point of the bones with a length."""
    long = take.rig.skeleton.lengths > 0.0
    ends = np.concatenate([take.posed.tips()[:, long], take.posed.world()[:, long][..., 2]], axis=1)
    return float(ends[..., 1].min()) if ends.size else 0.0
