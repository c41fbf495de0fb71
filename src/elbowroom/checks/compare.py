"""A file of Spine solved by its runtime's rules and by our kernel: which of them misses by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.checks.kind import FULL, Array, Take
from elbowroom.checks.reach import aiming
from elbowroom.kernel.solution import Solution
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.units import RADIANS
from elbowroom.solve import solve
from elbowroom.solve.geometry import norm


@dataclass(frozen=True)
class Difference:
    """One constraint in one animation, at its worst, where its mix is full [length].

    parity, ours : the miss by the runtime's rules, and by our kernel;  gain : by how much ours is smaller
    apart : how far apart the two ends of the limb are at most, at any mix
    """

    animation: str | None
    constraint: str
    parity: float
    ours: float
    apart: float

    @property
    def gain(self) -> float:
        """How much smaller the worst miss gets; negative where it grows."""
        return self.parity - self.ours

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        names = ("animation", "constraint", "parity", "ours", "gain", "apart")
        return {name: getattr(self, name) for name in names}


def differences(
    take: Take, targets: Mapping[str, Any] | None, frames: Mapping[str, npt.ArrayLike] | None
) -> Iterator[Difference]:
    """How every limb of an animation differs; nothing for a native rig, which has only our kernel."""
    if take.rig.runtime is None:
        return
    _, solved = solve(take.rig, take.keyed, targets, frames=frames, parity=False)
    for limb in take.rig.constraints:
        full = take.mixes[limb.name] >= FULL
        apart = norm(np.asarray(solved[limb.name].joints)[:, -1] - take.joints(limb)[:, -1])
        parity, ours = (_worst(_miss(limb, each[limb.name]), full) for each in (take.solutions, solved))
        yield Difference(take.animation, limb.name, parity, ours, float(apart.max(initial=0.0)))


def _miss(limb: IKConstraint, solution: Solution) -> Array:
    """(T,) [length] from the end of a limb to its target; of a bone that aims, the arc it is off by."""
    if len(limb.bones) > 1:
        return np.asarray(solution.error)
    joints = np.asarray(solution.joints)
    return np.asarray(aiming(solution).value * RADIANS * norm(joints[:, 1] - joints[:, 0]))


def _worst(error: Array, full: npt.NDArray[np.bool_]) -> float:
    return float(error.max(where=full, initial=0.0))


def worst(found: tuple[Difference, ...]) -> list[Difference]:
    """One for each constraint: the animation in which the runtime misses most."""
    names = dict.fromkeys(each.constraint for each in found)
    return [max((x for x in found if x.constraint == name), key=lambda x: (x.parity, x.apart)) for name in names]
