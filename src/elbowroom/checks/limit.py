"""limit: a joint limit holds a limb back.

What it means
  To get to its target a bone would have to turn past one of its "limits_deg", and it stops there. The check names the
  bone that would have to go furthest, the frame, and by how many degrees its free answer lies outside the range.
  Severity: info, because this is what limits are for; what is missed by it is told by the check "reach".

Threshold
  More than 0 degrees. `thresholds={"limit": DEGREES}` lets small ones pass.

What causes it, and how to cure it
  The target asks for more than the joint may do. Widen the range in "limits_deg", move the target or the body, or let
  the limb make up for it with "on_miss". If the range is right and the limb arrives all the same, there is nothing to
  do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from elbowroom.checks.kind import Array, Check, Take
from elbowroom.checks.report import Finding, counted, short
from elbowroom.kernel.solution import Why
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.units import RADIANS

NOTHING = 1e-9  # [deg] rounding


def find(take: Take, threshold: float | None) -> Iterator[Finding]:
    """A finding for each limb with limits that holds one of its bones back."""
    bound = 0.0 if threshold is None else threshold
    for limb in take.rig.constraints:
        if limb.limits is not None:
            over = held_back(take, limb)
            if (np.abs(over) > max(bound, NOTHING)).any():
                yield _finding(take, limb, over, bound)


def held_back(take: Take, limb: IKConstraint) -> Array:
    """(T, n) [deg] how far outside its range each bone would go, signed; 0 where no limit moved the answer."""
    binds = (take.why(limb) & int(Why.LIMIT)) != 0
    over = np.asarray(take.solutions[limb.name].over, dtype=np.float64) / RADIANS
    return np.where(binds[:, np.newaxis], over, 0.0)


def _finding(take: Take, limb: IKConstraint, over: Array, bound: float) -> Finding:
    off = np.abs(over) > max(bound, NOTHING)
    frame, joint = (int(i) for i in np.unravel_index(np.abs(over).argmax(), over.shape))
    worst, bone = float(over[frame, joint]), limb.bones[joint]
    end = (limb.limits or ())[joint][1 if worst > 0.0 else 0] / RADIANS
    which = "upper" if worst > 0.0 else "lower"
    others = [(name, int(off[:, i].sum())) for i, name in enumerate(limb.bones) if i != joint]
    also = "".join(f'; a limit of "{name}" too, {counted(count, "frame")}' for name, count in others if count)
    return take.finding(
        limb,
        frame,
        code="limit",
        severity="info",
        message=f'{limb.name} {take.place}: "{bone}" stops at its {which} limit of {short(end)}°, {short(abs(worst))}° '
        f"before where it would go {take.when(frame)}{take.often(int(off[:, joint].sum()))}{also}",
        hint=f'widen limits_deg of "{bone}", or move the target to where the joint may go',
        frames=int(off.any(axis=-1).sum()),
        value=abs(worst),
        limit=bound,
        unit="deg",
    )


CHECK = Check(code="limit", page=__doc__, of_take=find)
