"""What a check is, and what it is given to look at."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from elbowroom.checks.report import Finding
from elbowroom.kernel.solution import Solution
from elbowroom.rig.pose import Clip
from elbowroom.rig.rig import Rig

Array: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Take:
    """One animation, solved.

    keyed, posed : Clip of T samples before and after inverse kinematics
    solutions : constraint -> Solution in the world;  mixes : constraint -> (T,) effective mix
    """

    rig: Rig
    keyed: Clip
    posed: Clip
    solutions: Mapping[str, Solution]
    mixes: Mapping[str, Array]

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


@dataclass(frozen=True, kw_only=True)
class Check:
    """A check: its code, its page, and what it looks at: the rig as such, or each animation.

    The last argument of both functions is the threshold that replaces the check's own, or None.
    """

    code: str
    page: str
    of_rig: Callable[[Rig, float | None], Iterable[Finding]] | None = None
    of_take: Callable[[Take, float | None], Iterable[Finding]] | None = None

    @property
    def title(self) -> str:
        """The first line of its page."""
        return self.page.strip().splitlines()[0]

    def about(self, cause: str) -> str:
        """What its page says of a cause such as FAR; '' if it is none of this check's."""
        found = re.search(rf"^  {re.escape(cause)}  .*(?:\n {{8,}}.*)*", self.page, re.MULTILINE)
        return found[0] if found and cause.isupper() else ""
