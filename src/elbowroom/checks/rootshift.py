"""Why a limb whose root may be moved still misses: the shift is capped, or smoothed along time."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from elbowroom.checks.kind import Take
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.paths import quote
from elbowroom.rig.rig import Rig
from elbowroom.solve import solve
from elbowroom.solve.geometry import norm
from elbowroom.solve.limb import strategies
from elbowroom.solve.root import shifts

NEARLY = 1.0 - 1e-9  # a shift of this part of its cap is capped


def held_back(take: Take, limb: IKConstraint, frame: int, bound: float) -> tuple[str, str] | None:
    """What keeps the root from closing a miss in a frame, and what to do; None where it is neither of the two.

    bound : [length] a miss that counts as none
    """
    if "move_root" not in strategies(limb):
        return None
    together = [each for each in take.rig.constraints if each.root == limb.root and "move_root" in strategies(each)]
    shift = norm(shifts(take.rig, take.keyed, take.posed)[str(limb.root)][frame])
    tightest = min(together, key=lambda each: each.max_shift)
    if shift >= tightest.max_shift * NEARLY:
        words = f"{quote(str(limb.root))} is shifted as far as max_shift lets it"
        return words, f"raise max_shift{_of(tightest, limb)}{_stretch(take, limb, frame)}"
    slowest = max(together, key=lambda each: each.shift_half_life)
    if slowest.shift_half_life > 0.0 and _unsmoothed(take, limb, together, frame) <= bound:
        words = f"the shift of {quote(str(limb.root))} is smoothed along time, which leaves a rest here"
        return words, f"lower shift_half_life{_of(slowest, limb)} (0: no smoothing){_stretch(take, limb, frame)}"
    return None


def used_up(take: Take, limb: IKConstraint) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """(T,) whether a limb is stretched as far as it may be."""
    if "stretch" not in strategies(limb):
        return np.zeros(len(take.keyed), dtype=np.bool_)
    by = np.abs(np.asarray(take.solutions[limb.name].stretch) - 1.0)
    return np.asarray(by >= limb.max_stretch * NEARLY)


def _of(other: IKConstraint, limb: IKConstraint) -> str:
    return "" if other.name == limb.name else f" of {quote(other.name)}"


def _stretch(take: Take, limb: IKConstraint, frame: int) -> str:
    return ", or raise max_stretch" if used_up(take, limb)[frame] else ""


def _unsmoothed(take: Take, limb: IKConstraint, together: Sequence[IKConstraint], frame: int) -> float:
    """The miss [length] in a frame if the shift were not smoothed."""
    bare = {each.name: dataclasses.replace(each, shift_half_life=0.0) for each in together}
    limbs = tuple(bare.get(each.name, each) for each in take.rig.constraints)
    rig: Rig = dataclasses.replace(take.rig, constraints=limbs, checked=True)
    found = solve(rig, take.keyed, take.goals, frames=take.spaces.frames)[1][limb.name]
    return float(np.asarray(found.error)[frame])
