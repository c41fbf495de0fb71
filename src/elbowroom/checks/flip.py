"""flip: an elbow changes its side without a key.

What it means
  An elbow or knee bends to one side of the line from the limb's root to its end. It is on the other side a frame
  later, and no key of "bend" asked for that. The side is measured on the solved pose, in the limb's own space, so that
  mirroring a character is no flip. Frames in which the limb is straight or folded up, within 1e-6 of its reach, belong
  to both sides and are passed over; so are frames whose mix is 0. Severity: warning.

Threshold
  Any change counts. `thresholds={"flip": DEGREES}` lets those pass in which the elbow turns by no more than that.

What causes it, and how to cure it
  bend is 0           Either side will do, and the one that the limits allow or that is nearer wins. Set "bend" to 1 or
                      -1, or key it.
  the mix is partial  Keys and inverse kinematics share the limb, and the keyed pose bends the other way. Key it on the
                      side of "bend", or change "bend".
  something else      A constraint solved later turns the limb over. Key "bend" where the side should change.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from elbowroom.checks.kind import FULL, Array, Check, Indexes, Take
from elbowroom.checks.report import Finding, counted, short
from elbowroom.kernel.engine import rows
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.units import RADIANS
from elbowroom.solve.geometry import norm

EDGE = 1e-6  # [fraction of reach] this near to straight or folded there is no side


def find(take: Take, threshold: float | None) -> Iterator[Finding]:
    """A finding for each limb whose elbow changes its side by itself."""
    bound = 0.0 if threshold is None else threshold
    for limb in take.elbows:
        before, after = flips(take, limb)
        lower = take.turns(limb.bones[1])
        turn = np.abs(rows().wrap(lower[after] - lower[before])) / RADIANS
        kept = turn > bound
        if kept.any():
            yield _finding(take, limb, np.stack([before[kept], after[kept]]), turn[kept], bound)


def sides(take: Take, limb: IKConstraint) -> Array:
    """(T,) 1 where the elbow is to the left of root -> end in the limb's own space, −1 to the right, 0 neither."""
    joints = take.joints(limb)
    upper, lower = joints[:, 1] - joints[:, 0], joints[:, 2] - joints[:, 1]
    a, b, d = norm(upper), norm(lower), norm(joints[:, 2] - joints[:, 0])
    clear = (a + b - d > EDGE * (a + b)) & (d - np.abs(a - b) > EDGE * (a + b))
    cross = upper[:, 0] * lower[:, 1] - upper[:, 1] * lower[:, 0]
    mirrored = affine.determinant(take.posed.world()[:, take.rig.skeleton.index(limb.bones[0])])
    return np.where(clear, -np.sign(cross) * np.sign(mirrored), 0.0)


def flips(take: Take, limb: IKConstraint) -> tuple[Indexes, Indexes]:
    """(k,), (k,) frames before and after each change of side that no key asked for."""
    side, bend, off = sides(take, limb), take.bends[limb.name], take.mixes[limb.name] == 0.0
    keys = np.cumsum(np.diff(bend, prepend=bend[:1]) != 0.0)
    seen = np.flatnonzero((side != 0.0) & ~off)
    before, after = seen[:-1], seen[1:]
    idle = np.cumsum(off)
    alone = (keys[before] == keys[after]) & (idle[before] == idle[after])
    changed = (side[before] != side[after]) & alone
    return before[changed], after[changed]


def _finding(take: Take, limb: IKConstraint, pairs: Indexes, turn: Array, bound: float) -> Finding:
    worst = int(turn.argmax())
    before, frame = (int(i) for i in pairs[:, worst])
    cause, hint = _cause(take, limb, before, frame)
    count = len(turn)
    often = f", {counted(count, 'time')} in all" if count > 1 else ""
    return take.finding(
        limb,
        frame,
        code="flip",
        severity="warning",
        message=f'{limb.name} {take.place}: the elbow at "{limb.bones[1]}" flips to the other side {take.when(frame)} '
        f"without a key of bend, turning {short(float(turn[worst]))}°{often}; {cause}",
        hint=hint,
        frames=count,
        value=float(turn[worst]),
        limit=bound,
        unit="deg",
    )


def _cause(take: Take, limb: IKConstraint, before: int, frame: int) -> tuple[str, str]:
    """What lets it flip, and what to do about it."""
    mix, pair = take.mixes[limb.name], [before, frame]
    if (take.bends[limb.name][pair] == 0.0).any():
        return "bend is 0, so the nearer side wins", "set bend to 1 or -1, or key it where the side should change"
    if (mix[pair] < FULL).any():
        text = "the mix is below 1 and the keyed pose bends the other way"
        return text, f'key "{limb.bones[1]}" on the side that bend names, or change bend'
    return "what is solved after it turns it over", "key bend where the side should change"


CHECK = Check(code="flip", page=__doc__, of_take=find)
