"""loop: a clip does not end as it began, and pops when it starts over.

What it means
  The last frame of a clip that loops is its first one again. Where the end of a limb is somewhere else in the two, it
  jumps each time the clip comes round. Severity: warning.

Which clips loop
  Those whose "loop" is true. Files of Spine do not say it: there a clip is taken for a loop if at least 80 % of the
  bones that move in it come back to where they were, within 0.5 % of their way to the root bone. Somebody who falls or
  draws a weapon ends in another pose, so such clips are not looked at; nor are clips of one frame.

Threshold
  The end of a limb is more than 0.5 % of the limb's reach away from where it was; `thresholds={"loop": U}` replaces
  this by a length in rig units. In a rig without constraints every last bone of a chain counts, with the length of its
  chain. A clip that carries its root bone along by more than a tenth of that is compared as seen from the root bone.

What causes it, and how to cure it
  the last keys    A key at the end was not copied from the start. Copy the first keys of the limb, its target and all
                   it hangs on to the last frame.
  a short clip     The keys of a limb end before the clip does, or after: its cycle has another length. Stretch it.
  side or mix      The limb ends with another "bend" or "mix" than it has at the start. Key it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from elbowroom.checks.contacts import reach_of
from elbowroom.checks.kind import Array, Check, Mask, Take
from elbowroom.checks.report import Finding, short
from elbowroom.rig.constraint import IKConstraint
from elbowroom.solve.geometry import norm

SHARE = 0.005  # [fraction of reach]
BACK = 0.8  # such a part of what moves comes back in a loop
CARRIED = 0.1  # [fraction of reach] the root bone goes on by


def find(take: Take, threshold: float | None) -> Iterator[Finding]:
    """A finding for each limb that jumps when the clip starts over."""
    if not loops(take):
        return
    for limb in take.rig.constraints:
        joints = take.joints(limb)
        reach = reach_of(joints)
        bound = SHARE * reach if threshold is None else threshold
        gap = gap_of(take, joints[:, -1], reach)
        if gap > bound:
            yield _finding(take, limb, gap, bound)
    if not take.rig.constraints:
        yield from _bones(take, threshold)


def loops(take: Take) -> bool:
    """Whether a clip is meant to start over: it says so, or, in a file of Spine, it looks so."""
    if len(take.keyed) < 2:
        return False
    return take.keyed.loop or (take.rig.runtime is not None and repeats(take))


def repeats(take: Take) -> bool:
    """Whether most of what moves in a clip comes back to where it was."""
    tips, size = take.posed.tips(), _sizes(take)
    carried = _travel(take)
    moved = norm(tips - tips[:1]).max(axis=0) > SHARE * size
    gaps = norm(tips[-1] - tips[0] - np.where((norm(carried) > CARRIED * size)[:, np.newaxis], carried, 0.0))
    return bool(moved.any() and (gaps[moved] <= SHARE * size[moved]).mean() >= BACK)


def gap_of(take: Take, tip: Array, reach: float) -> float:
    """How far the end of a limb, (T, 2), is from where it was [length], beside what the root bone carries it along."""
    carried = _travel(take)
    along = carried if norm(carried) > CARRIED * reach else np.zeros(2)
    return float(norm(tip[-1] - tip[0] - along))


def _travel(take: Take) -> Array:
    """(2,) [length] how far the root bone gets."""
    root = take.posed.world()[:, take.rig.skeleton.root, :, 2]
    return np.asarray(root[-1] - root[0])


def _sizes(take: Take) -> Array:
    """(n,) [length] of the chain from the root bone to the end of each bone, at rest."""
    skeleton = take.rig.skeleton
    steps = norm(np.stack([skeleton.rest["x"], skeleton.rest["y"]], axis=-1))
    line = np.where(skeleton.parents < 0, 0.0, steps)
    for level in skeleton.levels[1:]:
        line[level] += line[skeleton.parents[level]]
    return np.asarray(line + skeleton.lengths)


def _last(take: Take) -> Mask:
    """(n,) bones with a length that nothing hangs on."""
    skeleton = take.rig.skeleton
    alone = np.ones(len(skeleton), dtype=np.bool_)
    alone[skeleton.parents[skeleton.parents >= 0]] = False
    return alone & (skeleton.lengths > 0.0)


def _bones(take: Take, threshold: float | None) -> Iterator[Finding]:
    """One finding for the worst bone of a rig without limbs."""
    tips, size = take.posed.tips(), _sizes(take)
    gaps = [gap_of(take, tips[:, bone], float(size[bone])) for bone in range(len(size))]
    bounds = SHARE * size if threshold is None else np.full(len(size), threshold)
    off = np.flatnonzero(_last(take) & (np.array(gaps) > bounds))
    if len(off):
        worst = int(max(off, key=lambda bone: gaps[bone]))
        more = f" (and {len(off) - 1} more)" if len(off) > 1 else ""
        name = take.rig.skeleton.names[worst]
        fields = _fields(take, f'"{name}"{more}', gaps[worst], float(bounds[worst]))
        last = len(take.keyed) - 1
        yield Finding(**fields, animation=take.animation, frame=last, time=float(take.keyed.times[-1]))


def _finding(take: Take, limb: IKConstraint, gap: float, bound: float) -> Finding:
    fields = _fields(take, f'{limb.name}: the tip of "{limb.bones[-1]}"', gap, bound)
    bends, mixes = take.bends[limb.name], take.mixes[limb.name]
    if bends[0] != bends[-1]:
        fields["message"] += "; it ends with another bend"
    elif abs(mixes[-1] - mixes[0]) > 1e-6:
        fields["message"] += "; it ends with another mix"
    return take.finding(limb, len(take.keyed) - 1, **fields)


def _fields(take: Take, what: str, gap: float, bound: float) -> dict[str, Any]:
    last = len(take.keyed) - 1
    return {
        "code": "loop",
        "severity": "warning",
        "message": f"{what} {take.place} ends {short(gap)} units from where it began (frames 0 and {last}), so it "
        "jumps each time the clip starts over",
        "hint": f"copy the keys of frame 0 to frame {last}: of the limb, its target and what it hangs on",
        "frames": 1,
        "value": gap,
        "limit": bound,
        "unit": "units",
    }


CHECK = Check(code="loop", page=__doc__, of_take=find)
