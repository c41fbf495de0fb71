"""softness: a limb is eased too little or too much before it is straight.

What it means
  The elbow of a limb without softness snaps as its target leaves the reach, and shakes with every bit of noise near
  it. A limb with a lot of softness stops short of targets that it could get to, and never looks straight. What is
  looked at is the setting; limbs of two bones only, since others are not eased. Severity: info.

Threshold
  Softness outside 3 to 8 % of the reach. `thresholds={"softness": FRACTION}` replaces the 3 %: with 0 a hard limb is
  fine.

What causes it, and how to cure it
  "softness" in the constraint: 0.05 suits most limbs. At 3, 5 and 8 % an arm of 150 and 125 turns its elbow by at
  most 1.7, 1.3 and 1.1 degrees for each unit that the target moves. A mechanical arm, or a leg that has to be straight
  on the beat, may be meant to be hard.
"""

from __future__ import annotations

from collections.abc import Iterator

from elbowroom.checks.kind import Check
from elbowroom.checks.report import Finding, short
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.rig import Rig

LEAST, MOST = 0.03, 0.08  # [fraction of reach]


def find(rig: Rig, threshold: float | None) -> Iterator[Finding]:
    """A finding for each limb of two bones that is too hard or too soft."""
    least = LEAST if threshold is None else threshold
    keyed = _keyed(rig)
    for limb in rig.constraints:
        if len(limb.bones) == 2 and limb.name not in keyed and not least <= limb.softness <= max(MOST, least):
            yield _finding(limb, least)


def _keyed(rig: Rig) -> set[str]:
    """The limbs whose softness a Spine file keys: the setup value alone says nothing of them."""
    if rig.runtime is None:
        return set()
    return {name for each in rig.animations.values() for name in each.keyed(rig.skeleton).get("softness", [])}


def _finding(limb: IKConstraint, least: float) -> Finding:
    hard = limb.softness < least
    if limb.softness == 0.0:
        what, hint = "no softness, so its elbow snaps where the limb gets straight", "set softness to 0.05"
    elif hard:
        what, hint = "little softness, so its elbow is quick to turn near the end of its reach", "raise it to 0.05"
    else:
        what, hint = "much softness, so it stops short of targets it could get to", "lower it to 0.05"
    return Finding(
        code="softness",
        severity="info",
        message=f"{limb.name}: {what} ({short(100.0 * limb.softness)} % of its reach)",
        hint=hint,
        constraint=limb.name,
        value=limb.softness,
        limit=least if hard else max(MOST, least),
        unit="of the reach",
    )


CHECK = Check(code="softness", page=__doc__, of_rig=find)
