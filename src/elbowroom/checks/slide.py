"""slide: a foot slides over the ground while it stands.

What it means
  Between the moment it is put down and the moment it is lifted, a foot should rest on the ground. Where the character
  moves through the world the ground rests. In a cycle on the spot the ground moves below the character instead, at one
  speed: whatever a planted foot does beside that is seen as skating once the character walks through a level.

What is measured
  ground speed  The median of the feet's own speed while they stand, over all of them. If the character travels on by
                half a leg or more, and by a quarter of its steps, the clip has its own way, and the ground rests. Below
                half a leg length a second there is none: somebody stands.
  share         How far the foot's speed is from the ground's, as a share of the ground speed: the median over a
                contact. The summary of the report has it for every animation with feet that stand.
  slide         How far the foot gets over the ground in one contact, without the first and last sixth of it [units].

Thresholds
  A share of more than 5 %. Severity: warning. For somebody who stands a slide of more than 2 % of the leg. Severity:
  info, since on a board or in a fall it may be meant; what the check "space" tells of such a foot is not told again.
  A clip on the spot that does not repeat, a start or a stop, has a ground speed that changes, so it is measured contact
  by contact, but not judged; nor are feet that swing with the hip.
  `--max-slide U`, or `thresholds={"slide": U}`, bounds the slide of all contacts in rig units instead. Severity: error.
  Which limbs: those of "legs"; else the limbs with an elbow whose foot gets within 15 % of their reach to the lowest
  point of the character; else bones called foot, feet, paw or hoof on a leg of two bones or more.
  What of a foot: heel and toe of "legs"; else where the bone called foot, or the first that hangs on the leg, begins
  and ends; whichever is nearer to the lowest it gets. So a foot that rolls is followed from heel to ball.
  When it stands: it is low (6 % of the leg above the lowest it gets, or above the ground that is given, until 10 %),
  and it goes the way of the ground, or rests in the world (at half to one and a half of its usual speed, until 0 to
  2), for 0.1 s or longer. A foot that skates is meant to be found, so this is much wider than for other checks.

What causes it, and how to cure it
  too fast, too slow   One foot goes at another speed than the other. Move its last key of the contact, so that it gets
                       over the ground as far as the other one does in that time.
  an uneven speed      The curves of the foot's keys ease in or out while it stands, or it has keys between. Make the
                       contact one straight line: two keys, linear.
  the target's space   The foot is keyed in a space that moves with the character. See the check "space".
  the root's speed     The root moves further or less far than the feet step. Scale its way by the share told here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from elbowroom.checks import space
from elbowroom.checks.contacts import Runs, Sense, contacts, spread, velocity
from elbowroom.checks.feet import Foot, feet_of
from elbowroom.checks.kind import Array, Check, Take
from elbowroom.checks.loop import repeats
from elbowroom.checks.report import Finding, Measure, counted, short

SHARE = 0.05  # [fraction of ground speed]
STAND = 0.02  # [leg lengths]
STILL = 0.5  # [leg lengths / s] whoever is slower stands
TRAVEL = 0.25  # [fraction of the speed seen from the hip]
FAR = 0.5  # [leg lengths] a way of the character
TRIM = 6  # such a part of a contact is left out at either end
OVER = 1.0 / 15.0  # [s] a speed is measured over
SENSE = Sense(height=(0.06, 0.1), speed=(0.5, 1.0), faster=(0.5, 1.0), rise=(1.0, 2.0))


@dataclass(frozen=True)
class Ground:
    """How the ground goes below the feet.

    level : [length / s] its speed in the world along x, 0 where it rests
    speed : [length / s] of the character over it, 0 where somebody stands
    known : False in a clip on the spot that does not repeat, or whose feet hang: every contact has its own
    """

    level: float
    speed: float
    known: bool = True


@dataclass(frozen=True, eq=False)
class Stand:
    """One contact: which foot, its frames, the ground, and how the foot goes over it.

    off : (m,) [length / s] the foot's speed beside the ground's;  slide : [length]
    """

    foot: Foot
    start: int
    stop: int
    ground: Ground
    off: Array
    slide: float

    @property
    def frames(self) -> tuple[int, int]:
        """Its first and last frame in the animation; the last is the smaller one where the clip starts over between."""
        last = len(self.foot.times) - 1
        if (self.start, self.stop - 1) == (0, last):  # never lifted
            return 0, last
        return self.foot.frame(self.start), self.foot.frame(self.stop - 1)

    @property
    def share(self) -> float:
        """The median of the speed over the ground, as a share of the ground's; 0 where somebody stands."""
        return float(np.median(np.abs(self.off))) / self.ground.speed if self.ground.speed else 0.0


def find(take: Take, threshold: float | None) -> Iterator[Finding | Measure]:
    """A finding for each foot that slides, and what was measured for all of them."""
    stands = standing(take)
    if stands:
        yield measure(take, stands)
    told = {f.constraint for f in space.find(take, None)} if threshold is None else set()
    for foot in dict.fromkeys(stand.foot for stand in stands):
        if foot.name in told and not stands[0].ground.speed:
            continue
        if sliding := [stand for stand in stands if stand.foot is foot and over(stand, threshold)]:
            yield _finding(take, sliding, threshold)


def over(stand: Stand, threshold: float | None) -> bool:
    """Whether a contact slides too far or too fast."""
    if threshold is not None:
        return stand.slide > threshold
    if stand.ground.speed:
        return stand.ground.known and stand.share > SHARE
    return stand.slide > STAND * stand.foot.leg


def standing(take: Take) -> list[Stand]:
    """Every contact of every foot of an animation; a foot that goes the other way than the ground only swings low."""
    if len(take.keyed) < 3:
        return []
    cycle = repeats(take)
    feet = [foot.turned() if cycle else foot for foot in feet_of(take)]
    down = [(foot, touching(foot, take.ground)) for foot in feet]
    if not any(len(runs) for _, runs in down):
        return []
    ground = ground_of(down, cycle)
    stands = [_stand(foot, run, ground) for foot, runs in down for run in runs]
    return [stand for stand in stands if stand.share <= 1.0]


def touching(foot: Foot, ground: float | None) -> Runs:
    """The contacts of a foot, by its own lowest place or by the ground's height."""
    track = foot.track if ground is None else np.stack([foot.track[:, 0], foot.height], axis=-1)
    level = np.full(len(track), 0.0 if ground is None else ground)
    hip = np.stack([foot.hip[:, 0], np.zeros(len(track))], axis=-1)
    return contacts(track, hip, foot.times, foot.leg, ground=level, sense=SENSE)


def ground_of(down: list[tuple[Foot, Runs]], cycle: bool) -> Ground:
    """The ground as the feet of all contacts have it."""
    first, leg = down[0][0], down[0][0].leg
    level = float(np.median(np.concatenate([_speeds(foot, foot.track[:, 0], runs) for foot, runs in down])))
    seen = [_speeds(foot, foot.track[:, 0] - foot.hip[:, 0], runs) for foot, runs in down]
    passing = abs(float(np.median(np.concatenate(seen))))
    took = float(first.times[-1] - first.times[0])
    way = abs(float(first.hip[-1, 0] - first.hip[0, 0]))
    travels = way > max(FAR * leg, TRAVEL * passing * took)
    speed = max(passing, way / took if travels else 0.0)
    if speed < STILL * leg:
        return Ground(0.0, 0.0)
    if travels:
        return Ground(0.0, speed)
    walks = abs(abs(level) - passing) <= TRAVEL * max(abs(level), passing)  # what swings takes its hip along
    return Ground(level, abs(level) or speed, walks and cycle)


def _speeds(foot: Foot, way: Array, runs: Runs) -> Array:
    """The speeds in all contacts, one after the other [length / s]."""
    speed = velocity(way, foot.times, OVER)
    return np.concatenate([np.zeros(0), *(speed[start:stop] for start, stop in runs)])


def _stand(foot: Foot, run: Array, ground: Ground) -> Stand:
    start, stop = (int(i) for i in run)
    speed = velocity(foot.track[:, 0], foot.times, OVER)[start:stop]
    if not ground.known:
        own = float(np.median(speed))
        ground = Ground(own, abs(own), known=False)
    trim = (stop - start) // TRIM
    inner = slice(start + trim, stop - trim)
    way = foot.track[inner, 0] - ground.level * foot.times[inner]
    return Stand(foot, start, stop, ground, speed - ground.level, spread(way))


def measure(take: Take, stands: list[Stand]) -> Measure:
    """What goes into the report's summary of an animation: also where nothing is wrong."""
    moving = [stand for stand in stands if stand.ground.speed]
    shares = np.concatenate([np.zeros(0), *(np.abs(stand.off) / stand.ground.speed for stand in moving)])
    values = {
        "ground_speed": float(np.median([stand.ground.speed for stand in moving])) if moving else 0.0,
        "share": float(np.median(shares)) if moving else None,
        "slide": max(stand.slide for stand in stands),
        "contacts": len(stands),
        "feet": list(dict.fromkeys(stand.foot.name for stand in stands)),
    }
    return Measure("slide", take.animation, values)


def _finding(take: Take, sliding: list[Stand], threshold: float | None) -> Finding:
    stands = sliding[0].ground.speed == 0.0
    units = threshold is not None or stands
    worst = max(sliding, key=lambda stand: stand.slide if units else stand.share)
    foot, frame = worst.foot, worst.foot.frame(worst.start + int(np.abs(worst.off).argmax()))
    bound = threshold if threshold is not None else STAND * foot.leg if stands else 100.0 * SHARE
    cause, hint = _cause(worst)
    details: dict[str, Any] = {
        "code": "slide",
        "severity": "error" if threshold is not None else "info" if stands else "warning",
        "message": f"{foot.name} {take.place}: {_said(worst, len(sliding))}; {cause}",
        "hint": hint,
        "frames": sum(stand.stop - stand.start for stand in sliding),
        "value": worst.slide if units else 100.0 * worst.share,
        "limit": bound,
        "unit": "units" if units else "% of ground speed",
    }
    if foot.limb is not None:
        return take.finding(foot.limb, frame, **details)
    return Finding(**details, animation=take.animation, frame=frame, time=float(take.keyed.times[frame]))


def _said(stand: Stand, count: int) -> str:
    """What a foot does, in words."""
    speed = stand.ground.speed
    share = f", {short(100.0 * stand.share)} % of the ground speed of {short(speed)} units/s" if speed else ""
    more = f", {counted(count, 'contact')} in all" if count > 1 else ""
    at = " at the end of" if stand.foot.limb is not None and stand.foot.bone == stand.foot.limb.bones[-1] else ""
    first, last = stand.frames
    return (
        f'the foot{at} "{stand.foot.bone}" stands from frame {first} to {last} and slides over the ground by '
        f"{short(stand.slide)} units{share}{more}"
    )


def _cause(stand: Stand) -> tuple[str, str]:
    """What makes it slide, and what to do about it."""
    keys = "frames {} and {}".format(*stand.frames)
    middle = float(np.median(stand.off))
    steady = abs(middle) > float(np.median(np.abs(stand.off - middle)))
    level, speed = stand.ground.level, stand.ground.speed
    if steady and speed and level:
        what, cure = ("faster", "shorten") if middle * level > 0.0 else ("slower", "lengthen")
        return f"it goes {what} than the ground", f"{cure} the foot's way between {keys}"
    if steady and speed:
        back = middle * float(stand.foot.hip[-1, 0] - stand.foot.hip[0, 0]) < 0.0
        return (
            f"the character gets {'less far' if back else 'further'} than its steps",
            "scale the way of the root, or the steps, by that share",
        )
    if not level:
        return "the ground rests there", f"keep the foot's target in place between {keys}, in a space that stays"
    return "its speed is uneven", f"lead the foot in one straight line between {keys}: two keys, linear"


CHECK = Check(code="slide", page=__doc__, of_take=find)
