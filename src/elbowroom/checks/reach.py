"""reach: a limb does not get to its target.

What it means
  At full mix the end of a limb should be where its target is. This check measures the distance that is left (the
  miss) in every frame, on the finished pose, and reports the worst frame of each limb and animation.

Thresholds
  Limbs of two or more bones: a miss of more than 0.5 % of the limb's reach, the sum of its bones as they stand in the
  world. `--max-miss U` replaces this by a length in rig units. Severity: error.
  A limb of one bone aims, so its distance is no miss: the angle between bone and target counts, more than 0.5 degrees.
  Frames whose mix is below 1 are meant to miss: severity info, cause MIX. Where it is 0 the limb is off, and nothing
  is said.
  Frames in which a bone above the limb is scaled to a line or a point cannot be solved: the limb keeps its angles of
  the frame before; severity info, cause DEGENERATE.

What causes it, and how to cure it
  FAR         The target is beyond the limb's reach. Move the target or the body, lengthen the bones, or let the limb
              stretch: "on_miss": "stretch" with a "max_stretch".
  NEAR        The target is nearer to the limb's root than the limb can fold, which is the difference of its two
              bones. Move the target away, or make the bones more alike; one of length 0 cannot fold at all.
  SOFT        Softness eases the limb off before it is straight, so it stops a little short. Lower "softness", or
              move the target closer.
  STRETCH     The limb stretched, or shortened, as far as "max_stretch" lets it. Raise it, or move the target.
  LIMIT       A joint limit stops the limb. Widen "limits_deg", or move the target.
  BUDGET      A chain ran out of iterations. Raise "iterations".
  RATE        A limit on how fast the limb may turn. Slow the target down.
  MIX         The mix is below 1: keys and inverse kinematics share the limb. Key the mix to 1 where it must arrive.
  DEGENERATE  A bone above the limb is squashed: keep its scale away from 0, or set the mix to 0 while it is hidden.
              Or the limb has no exact answer, because a bone of it has no length or does not inherit everything.
  KEYS        Of a bake: the solved limb arrived, its keys are only as near as the tolerance asks. Lower the tolerance.
  ORDER       The limb arrived, and a constraint solved later moved it away. Change the order of the constraints.

  Where "move_root" may shift a bone above and the limb still misses, the message says what kept the shift back:
  "max_shift", which may be raised, or the smoothing along time, which is less with a lower "shift_half_life".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elbowroom.checks import rootshift
from elbowroom.checks.kind import FULL, Array, Check, Mask, Take
from elbowroom.checks.report import Finding, short, tally
from elbowroom.kernel.engine import rows
from elbowroom.kernel.solution import Solution, Why
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.units import RADIANS
from elbowroom.solve.limb import parent_frame

SHARE = 0.005  # [fraction of reach]
TURN = 0.5  # [deg], of a bone that aims

ORDER = ("LIMIT", "STRETCH", "FAR", "NEAR", "SOFT", "BUDGET", "RATE", "DEGENERATE")  # which cause to name of several
TOLD = ("error", "held", "mixed")  # groups of frames that are findings, the first that has any gives the worst
OF_REACH = ("FAR", "NEAR", "SOFT", "LIMIT", "STRETCH")  # what moving the root is meant to make up for
WORDS = {  # cause -> what it is, what to do
    "FAR": ("the target is beyond the limb's reach", 'move the target or "{root}" closer, or allow stretch'),
    "NEAR": ("the target is nearer than the limb can fold", 'move the target away from "{root}"'),
    "SOFT": ("softness holds the limb back", "lower the softness, or move the target closer"),
    "STRETCH": ("the limb is stretched as far as it may", "raise max_stretch, or move the target closer"),
    "SHORT": ("the limb is shortened as far as it may", "raise max_stretch, or move the target"),
    "LIMIT": ("a joint limit stops the limb", "widen the limits, or move the target"),
    "BUDGET": ("the chain ran out of iterations", "raise iterations"),
    "RATE": ("the limb may not turn any faster", "slow the target down"),
    "MIX": ("the mix is below 1", "key the mix to 1 where the limb must arrive"),
    "DEGENERATE": ("the limb cannot be solved exactly", "let its bones inherit everything, and give them a length"),
    "FLAT": ("the limb cannot fold, because it has a bone of length 0", 'give "{flat}" a length'),
    "HELD": ("a bone above is squashed, so the limb keeps its angles",
             "keep the scale above it away from 0, or set the mix to 0 there"),
    "KEYS": ("the keys are only as near as the tolerance of baking asks", "lower the tolerance"),
    "ORDER": ("what is solved after it moves it away", "change the order of the constraints"),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Misses:
    """Of one constraint: how far it is off in each frame (T,), what it should not exceed (T,), in which unit."""

    value: Array
    bound: Array
    unit: str


def find(take: Take, threshold: float | None, solved: Mapping[str, Solution] | None = None) -> Iterator[Finding]:
    """A finding for each constraint that misses, is held, or has less than full mix while it misses.

    solved : what was solved, where the take's solutions are those of keys made of it
    """
    for constraint in take.rig.constraints:
        solution, mix = take.solutions[constraint.name], take.mixes[constraint.name]
        misses = measured(constraint, solution, threshold)
        held = squashed(take, constraint) & (mix > 0.0)
        off = (misses.value > misses.bound) & ~held & (mix > 0.0)
        exact = measured(constraint, (solved or take.solutions)[constraint.name], threshold)
        groups = {"error": off & (mix >= FULL), "held": held, "mixed": off & (mix < FULL)}
        if any(group.any() for group in groups.values()):
            groups["keys"] = groups["error"] & (exact.value <= exact.bound) if solved else np.zeros_like(held)
            groups["stretched"] = rootshift.used_up(take, constraint)
            yield _finding(take, constraint, misses, groups)


def measured(constraint: IKConstraint, solution: Solution, threshold: float | None) -> Misses:
    """The misses of a limb that aims or reaches."""
    return aiming(solution) if len(constraint.bones) == 1 else reaching(solution, threshold)


def reaching(solution: Solution, threshold: float | None) -> Misses:
    """Distances, beside the threshold or a share of the reach as the bones stand in the world, without stretch."""
    segments = np.diff(solution.joints, axis=-2)
    reach = rows().length(segments[..., 0], segments[..., 1]).sum(axis=-1) / solution.stretch
    bound = SHARE * reach if threshold is None else np.full_like(reach, threshold)
    return Misses(solution.error, bound, "units")


def aiming(solution: Solution) -> Misses:
    """Angles between the bone and its target; 0 where there is no direction to the target."""
    bone, to = solution.joints[..., 1, :] - solution.joints[..., 0, :], solution.direction
    cross = bone[..., 0] * to[..., 1] - bone[..., 1] * to[..., 0]
    dot = bone[..., 0] * to[..., 0] + bone[..., 1] * to[..., 1]
    angle = np.abs(rows().atan2(cross + 0.0, dot + 0.0)) / RADIANS
    angle = np.where(np.asarray(solution.why) & int(Why.DEGENERATE), 0.0, angle)
    return Misses(angle, np.full_like(angle, TURN), "deg")


def squashed(take: Take, constraint: IKConstraint) -> Mask:
    """(T,) whether what the limb hangs on has no inverse."""
    first = take.rig.skeleton.index(constraint.bones[0])
    return np.broadcast_to(parent_frame(take.posed, take.posed.world(), first)[1], take.posed.shape)


def causes(why: npt.NDArray[np.int64], groups: dict[str, Mask]) -> list[str]:
    """(T,) the one cause to name of each frame."""
    flags = [(why & int(Why[name])) != 0 for name in ORDER]
    first = [groups[name] for name in ("held", "mixed", "keys", "stretched")]
    named = np.select([*first, *flags], ["DEGENERATE", "MIX", "KEYS", "STRETCH", *ORDER], "ORDER")
    return [str(name) for name in named]


def _finding(take: Take, constraint: IKConstraint, misses: Misses, groups: dict[str, Mask]) -> Finding:
    why = np.asarray(take.solutions[constraint.name].why)
    if misses.unit == "deg":
        why = why & ~int(Why.FAR | Why.NEAR)  # a distance, which is nothing to a bone that aims
    named = causes(why, groups)
    told = [groups[name] for name in TOLD]
    main = next(group for group in told if group.any())
    worst = int(np.where(main, misses.value, -1.0).argmax())
    cause = named[worst]
    words, hint = _words(take, constraint, misses, groups, cause, worst)
    acted = [flag.name or "" for flag in Why if why[worst] & flag and not (flag is Why.MIX and cause == "ORDER")]
    every = np.flatnonzero(np.logical_or.reduce(told))
    return Finding(
        code="reach",
        severity="error" if groups["error"].any() else "info",
        message=f"{_message(take, constraint, misses, cause, main, worst)}; {words} ({cause})",
        hint=hint,
        animation=take.animation,
        constraint=constraint.name,
        frame=worst,
        time=float(take.keyed.times[worst]),
        frames=int(main.sum()),
        value=float(misses.value[worst]),
        limit=float(misses.bound[worst]),
        unit=misses.unit,
        why=(cause, *(name for name in acted if name != cause)),
        causes=tally(named[i] for i in every),
    )


def _words(
    take: Take, constraint: IKConstraint, misses: Misses, groups: dict[str, Mask], cause: str, worst: int
) -> tuple[str, str]:
    """What a cause is, and what to do about it."""
    if cause in OF_REACH and (held_back := rootshift.held_back(take, constraint, worst, float(misses.bound[worst]))):
        return held_back
    flat = _flat(take, constraint, worst) if cause in ("NEAR", "DEGENERATE") else ""
    shrunk = cause == "STRETCH" and take.solutions[constraint.name].stretch[worst] < 1.0
    words, hint = WORDS["HELD" if groups["held"][worst] else "FLAT" if flat else "SHORT" if shrunk else cause]
    return words, hint.format(root=constraint.bones[0], flat=flat)


def _flat(take: Take, constraint: IKConstraint, frame: int) -> str:
    """The first bone of a limb that begins and ends in one point, or ''."""
    joints = np.asarray(take.solutions[constraint.name].joints)[frame]
    same = (np.diff(joints, axis=0) == 0.0).all(axis=-1)
    return next((bone for bone, flat in zip(constraint.bones, same, strict=True) if flat), "")


def _message(take: Take, constraint: IKConstraint, misses: Misses, cause: str, main: Mask, worst: int) -> str:
    tip, off = constraint.bones[-1], short(float(misses.value[worst]))
    if misses.unit == "deg":
        what = f'"{tip}" points {off}° past its target'
    elif cause in ("FAR", "SOFT"):
        what = f'the tip of "{tip}" stops {off} short of its target'
    else:
        what = f'the tip of "{tip}" is {off} off its target'
    return f"{constraint.name} {take.place}: {what} {take.when(worst)}{take.often(int(main.sum()))}"


CHECK = Check(code="reach", page=__doc__, of_take=find)
