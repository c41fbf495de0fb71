"""Targets the caller gives instead of target bones: where they are in the world when a constraint's turn comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.target import Target
from elbowroom.solve import goal
from elbowroom.solve.geometry import Array
from elbowroom.solve.spine.degrees import Row


@dataclass(frozen=True, eq=False)
class Goals:
    """Given goals by constraint, and the spaces they are in.

    handed : frames the caller knows, by name
    """

    rig: Rig
    pose: Pose
    given: Mapping[str, tuple[IKConstraint, goal.Goal]]
    handed: Mapping[str, Array]

    @classmethod
    def of(cls, rig: Rig, pose: Pose, targets: Mapping[str, Any], frames: Mapping[str, npt.ArrayLike] | None) -> Goals:
        """Checked: InputError for unknown constraints and for targets that are none."""
        goal.check_names(rig, targets)
        known = goal.spaces(rig, pose, frames)
        limbs = {limb.name: limb for limb in rig.constraints}
        given = {
            name: _smooth(goal.as_goal(wanted, pose, limbs[name]), limbs[name], pose)
            for name, wanted in targets.items()
            if wanted is not None
        }
        return cls(rig, pose, given, known.frames)

    @property
    def names(self) -> frozenset[str]:
        """Constraints whose target is given."""
        return frozenset(self.given)

    def picked(self, span: slice, piece: Pose) -> Goals:
        """Of the frames of one part of the pose."""
        if piece is self.pose:
            return self
        lead = len(self.pose)
        given = {name: (limb, _part(wanted, span, lead)) for name, (limb, wanted) in self.given.items()}
        handed = {n: m[span] if m.ndim > 2 and len(m) == lead else m for n, m in self.handed.items()}
        return Goals(self.rig, piece, given, handed)

    def at(self, name: str, world: Callable[[], Array]) -> tuple[Row, Row]:
        """x, y (T,) of a goal, for the world (..., n, 2, 3) as it stands."""
        limb, wanted = self.given[name]
        resolve = goal.Spaces(self.rig, self.pose, self.handed).at(world())
        found = goal.point(wanted, limb, self.pose, resolve).reshape(-1, 2)
        return np.ascontiguousarray(found[:, 0]), np.ascontiguousarray(found[:, 1])


def _smooth(wanted: goal.Goal, limb: IKConstraint, pose: Pose) -> tuple[IKConstraint, goal.Goal]:
    """A goal filtered along the whole clip, before it is cut into parts."""
    if limb.smooth is None or not isinstance(pose, Clip):
        return limb, wanted
    if not isinstance(wanted, Target):
        wanted = goal._smoothed(wanted, limb, pose)
    elif wanted.position.ndim > 1 and len(wanted.position) == len(pose):
        wanted = Target(goal._filtered(wanted.position, limb, pose), wanted.space)
    return replace(limb, smooth=None), wanted


def _part(wanted: goal.Goal, span: slice, lead: int) -> goal.Goal:
    if not isinstance(wanted, Target):
        return wanted[span]
    position = wanted.position
    return Target(position[span], wanted.space) if position.ndim > 1 and len(position) == lead else wanted
