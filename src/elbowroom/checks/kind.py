"""What a check is, and what it is given to look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.checks.report import Finding, Measure, Skip, counted
from elbowroom.kernel.solution import Solution, Why
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig
from elbowroom.solve.goal import Goal, Spaces, point

Array: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Flags: TypeAlias = npt.NDArray[np.int64]
Indexes: TypeAlias = npt.NDArray[np.intp]

FULL = 1.0 - 1e-6  # a mix of this much is full


@dataclass(frozen=True, eq=False)
class Take:
    """One animation, solved.

    keyed, posed : Clip of T samples before and after inverse kinematics
    solutions : constraint -> Solution in the world;  mixes : constraint -> (T,) effective mix
    bends : constraint -> (T,) declared side, −1, 0 or 1;  goals : constraint -> what it reaches for
    spaces : the spaces of the rig and the caller;  ground : [length] its height, or None
    """

    rig: Rig
    keyed: Clip
    posed: Clip
    solutions: Mapping[str, Solution]
    mixes: Mapping[str, Array]
    bends: Mapping[str, Array]
    goals: Mapping[str, Goal]
    spaces: Spaces
    ground: float | None = None

    @property
    def elbows(self) -> tuple[IKConstraint, ...]:
        """The limbs with an elbow: those of two bones."""
        return tuple(limb for limb in self.rig.constraints if len(limb.bones) == 2)

    def why(self, limb: IKConstraint) -> Flags:
        """(T,) the flags of Why."""
        return np.asarray(self.solutions[limb.name].why)

    def joints(self, limb: IKConstraint) -> Array:
        """(T, n+1, 2) [length] in the world."""
        return np.asarray(self.solutions[limb.name].joints)

    def turns(self, bone: str) -> Array:
        """(T,) [rad] a bone's own rotation, solved."""
        return np.asarray(self.posed.rotation[:, self.rig.skeleton.index(bone)])

    def goal(self, limb: IKConstraint) -> Array:
        """(T, 2) [length] where it should reach, in the world."""
        return np.asarray(point(self.goals[limb.name], limb, self.keyed, self.spaces.at(self.posed.world())))

    @property
    def animation(self) -> str | None:
        """Its name; None for the setup pose."""
        return self.keyed.name or None

    @property
    def place(self) -> str:
        """'in "walk"', for a message."""
        return f'in "{self.animation}"' if self.animation else "in the setup pose"

    def when(self, frame: int) -> str:
        """'at frame 31 (0.517 s)', for a message."""
        return f"at frame {frame} ({self.keyed.times[frame]:.3f} s)" if len(self.keyed) > 1 else "there"

    def often(self, count: int) -> str:
        """', 12 frames of 61', for a message."""
        return f", {counted(count, 'frame')} of {len(self.keyed)}" if len(self.keyed) > 1 else ""

    def finding(self, limb: IKConstraint, frame: int, **more: Any) -> Finding:
        """A finding about a limb at its worst frame; `more` are the other fields."""
        acted = tuple(flag.name or "" for flag in Why if int(self.why(limb)[frame]) & flag)
        time = float(self.keyed.times[frame])
        told = {"animation": self.animation, "constraint": limb.name, "frame": frame, "time": time, "why": acted}
        return Finding(**(told | more))

    def skip(self, code: str, reason: str) -> Skip:
        """What a check could not look at in this animation."""
        return Skip(code, reason, self.animation)


@dataclass(frozen=True, kw_only=True)
class Check:
    """A check: its code, its page, and what it looks at: the rig as such, or each animation.

    The last argument of both functions is the threshold that replaces the check's own, or None.
    """

    code: str
    page: str
    of_rig: Callable[[Rig, float | None], Iterable[Finding]] | None = None
    of_take: Callable[[Take, float | None], Iterable[Finding | Skip | Measure]] | None = None

    @property
    def title(self) -> str:
        """The first line of its page."""
        return self.page.strip().splitlines()[0]

    @property
    def causes(self) -> tuple[str, ...]:
        """The causes its page tells about, such as FAR."""
        return tuple(re.findall(r"^  ([A-Z]{3,})  ", self.page, re.MULTILINE))

    def about(self, cause: str) -> str:
        """What its page says of a cause such as FAR; '' if it is none of this check's."""
        found = re.search(rf"^  {re.escape(cause)}  .*(?:\n {{8,}}.*)*", self.page, re.MULTILINE)
        return found[0] if found and cause.isupper() else ""
