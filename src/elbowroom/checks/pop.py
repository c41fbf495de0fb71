"""pop: a joint jumps from one frame to the next.

What it means
  A bone of a limb turns by a lot within one frame while it hardly moves in the frames around it. The eye takes that
  for a mistake. Frames whose mix is 0 are not looked at: there the keys have the word. Severity: warning.

Threshold
  More than 30 degrees in 1/60 s, and more than 4 times the median of the steps within 0.1 s of it: a fast swing is no
  pop. Longer frames count by the 1/60 s; shorter ones as they are, since a jump takes one frame however short it is.
  `thresholds={"pop": DEGREES}` replaces the 30 degrees.

What causes it, and how to cure it
  a key of bend      The elbow changes its side in one frame. Key it where the limb is straight or folded up.
  a key of space     The target goes to another space at once. Give the space keys a "blend".
  a key of mix       The mix jumps. Key it over several frames.
  limits             Two poses within the limits are equally near to the target, and the nearer one changes. Lead the
                     target another way, or widen "limits_deg".
  the limb's root    The target passes close to it, so that its direction swings round. Keep it at a distance, or
                     raise "inner_softness".
  a hard end         Without softness the elbow snaps as the limb gets straight. Set "softness" to 0.05.
  the target         It jumps itself: mend the track, or key its way over more frames.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from elbowroom.checks.kind import Array, Check, Indexes, Take
from elbowroom.checks.report import Finding, short
from elbowroom.kernel.engine import rows
from elbowroom.kernel.solution import Why
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.track import SampledTrack
from elbowroom.rig.units import RADIANS
from elbowroom.solve.geometry import norm

TURN = 30.0  # [deg] in 1/60 s
TIMES = 4.0  # what the median around it is multiplied by
NEAR = 0.1  # [s] what is around a step
RATE = 60.0  # [1/s]
JUMP = 0.25  # a mix, or a way as a fraction of the reach, that is no gentle step
CLOSE = 0.1  # [fraction of reach] to the limb's root
UNIT = "deg in 1/60 s"


def find(take: Take, threshold: float | None) -> Iterator[Finding]:
    """A finding for each limb one of whose bones jumps."""
    bound = TURN if threshold is None else threshold
    if len(take.keyed) < 2:
        return
    for limb in take.rig.constraints:
        speed = np.stack([_speed(take, bone) for bone in limb.bones], axis=-1)
        mix = take.mixes[limb.name]
        fast = (speed > bound) & ((mix[:-1] > 0.0) | (mix[1:] > 0.0))[:, np.newaxis]
        for joint in np.flatnonzero(fast.any(axis=0)):
            steps = np.flatnonzero(fast[:, joint])
            fast[steps, joint] = speed[steps, joint] > TIMES * medians(speed[:, joint], take.keyed.times, steps)
        if fast.any():
            yield _finding(take, limb, np.where(fast, speed, 0.0), bound)


def _speed(take: Take, bone: str) -> Array:
    """(T − 1,) [deg in 1/60 s] how fast a bone turns, from each frame to the next."""
    turn = np.abs(rows().wrap(np.diff(take.turns(bone)))) / RADIANS
    return np.asarray(turn / np.maximum(np.diff(take.keyed.times) * RATE, 1.0))


def medians(speed: Array, times: Array, steps: Indexes) -> Array:
    """(k,) the median of the steps within NEAR of each of the chosen ones, without itself; 0 where there is none."""
    middle = (times[1:] + times[:-1]) / 2.0
    width = min(int(np.ceil(NEAR / np.median(np.diff(times)))) + 1, len(speed))
    values, clock = (sliding_window_view(np.pad(x, width, constant_values=np.nan), 2 * width + 1)[steps]
                     for x in (speed, middle))  # fmt: skip
    around = np.abs(clock - middle[steps][:, np.newaxis]) <= NEAR * (1.0 + 1e-9)
    around[:, width] = False
    values, count = np.sort(np.where(around, values, np.inf), axis=-1), around.sum(axis=-1)
    row = np.arange(len(steps))
    found = (values[row, np.maximum(count - 1, 0) // 2] + values[row, count // 2]) / 2.0
    return np.where(count > 0, found, 0.0)


def _finding(take: Take, limb: IKConstraint, speed: Array, bound: float) -> Finding:
    """speed : (T − 1, n), 0 where there is no pop."""
    step, joint = (int(i) for i in np.unravel_index(speed.argmax(), speed.shape))
    frames = int((speed > 0.0).any(axis=-1).sum())
    turn = float(np.abs(rows().wrap(np.diff(take.turns(limb.bones[joint])[step : step + 2]))[0])) / RADIANS
    cause, hint = _cause(take, limb, step)
    return take.finding(
        limb,
        step + 1,
        code="pop",
        severity="warning",
        message=f'{limb.name} {take.place}: "{limb.bones[joint]}" jumps by {short(turn)}° {take.when(step + 1)}'
        f"{take.often(frames)}; {cause}",
        hint=hint,
        frames=frames,
        value=float(speed[step, joint]),
        limit=bound,
        unit=UNIT,
    )


def _cause(take: Take, limb: IKConstraint, step: int) -> tuple[str, str]:
    """What makes it jump between two frames, and what to do about it."""
    pair = slice(step, step + 2)
    bend, mix, goal = take.bends[limb.name][pair], take.mixes[limb.name][pair], take.goals[limb.name]
    acted = int(np.bitwise_or.reduce(take.why(limb)[pair]))
    if bend[0] != bend[1]:
        return "bend is keyed there", "key bend where the limb is straight or folded up"
    if isinstance(goal, SampledTrack) and goal.space and goal.space[step] != goal.space[step + 1]:
        return "its target changes its space there", 'give its space keys a "blend"'
    if abs(mix[1] - mix[0]) > JUMP:
        return "its mix jumps there", "key the mix over several frames"
    if acted & Why.LIMIT:
        return "another pose within the limits is nearer there", "lead the target another way, or widen limits_deg"
    return _way(take, limb, pair, acted)


def _way(take: Take, limb: IKConstraint, pair: slice, acted: int) -> tuple[str, str]:
    """The same for what is left: where the target goes."""
    joints, goal = take.joints(limb)[pair], take.goal(limb)[pair]
    sizes = norm(np.diff(joints, axis=1)).max(axis=0)
    reach, ways = sizes.sum(), goal - joints[:, 0]
    if norm(np.diff(ways, axis=0))[0] > JUMP * reach:
        return "its target jumps", "mend the target's track, or key its way over more frames"
    if norm(ways).min() < CLOSE * reach + max(2.0 * sizes.max() - reach, 0.0):
        text = f'its target passes close to the root of "{limb.bones[0]}"'
        return text, "lead the target past it at a distance, or raise inner_softness"
    if acted & Why.FAR and limb.softness == 0.0:
        return "it snaps straight", "set softness to 0.05"
    return "its target or what it hangs on moves abruptly", "look at the keys of both there"


CHECK = Check(code="pop", page=__doc__, of_take=find)
