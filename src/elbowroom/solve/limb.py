"""One constraint on one pose: into the space the limb hangs in, through the kernel, back as local channels.

In that space the bones keep their lengths whatever is above them: scaled, sheared or mirrored. Which side `bend`
means is the limb's own matter: under a mirrored parent the whole picture is mirrored, and so is a limb whose own root
bone is mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from elbowroom.kernel.aim import aim
from elbowroom.kernel.engine import rows
from elbowroom.kernel.solution import FIELDS, Solution, Why
from elbowroom.kernel.two_bone import two_bone
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.solve.geometry import Array, Flags, Limb, Mask, along, norm, place, unit
from elbowroom.solve.hung import Hung
from elbowroom.solve.skew import uneven_limbs

if TYPE_CHECKING:
    from elbowroom.solve.chains import Chain

CHAINS = ("ccd", "fabrik", "least_change")


@dataclass(frozen=True)
class Wish:
    """What a limb is asked for, in the space it hangs in.

    here, goal : (..., 2) from its root to its target;  rotations : n of (...) [rad] the bones' own, as keyed
    bend, softness : (...);  fallback : (..., 2) where to aim if the target is on the root;  stretch : most, a fraction
    """

    here: Array
    goal: Array
    rotations: list[Array]
    bend: Array
    softness: Array
    fallback: Array
    stretch: float


@dataclass(frozen=True)
class Posed:
    """A constraint's answer.

    channels : name -> bone -> (...), what it writes
    stretch : (...) factor that is in them;  why : (...) flags of the solver
    direction : (..., 2) unit, where the limb aimed in the world
    over : (..., n) [rad] how far the bones' own rotations would lie outside their limits
    held : (...) bool, where the limb could not be solved and kept its pose: what it hangs on has no inverse
    iterations : (...) that a chain solver took
    """

    channels: dict[str, dict[int, Array]]
    stretch: Array
    why: Flags
    direction: Array
    over: Array
    held: Mask
    iterations: Array | int = 0


def is_chain(constraint: IKConstraint) -> bool:
    """Whether a constraint is solved by a chain solver: three bones or more, or one that is named."""
    return len(constraint.bones) > 2 or constraint.solver in CHAINS


def strategies(constraint: IKConstraint) -> tuple[str, ...]:
    """What is done about a miss, in order, up to the point where it is accepted."""
    listed = constraint.on_miss
    return listed[: listed.index("accept")] if "accept" in listed else listed


def solve_limb(
    constraint: IKConstraint,
    pose: Pose,
    world: Array,
    goal_world: Array,
    bend: Array,
    mix: Array,
    engine: str,
    *,
    softness: Array | None = None,
) -> Posed:
    """Solve one constraint.

    world : (..., n, 2, 3) of the pose so far;  goal_world : (..., 2);  bend, mix : (...)
    softness : (...) [fraction of reach] in place of the constraint's own
    """
    bones = [pose.skeleton.index(name) for name in constraint.bones]
    hung, limb = Hung.of(pose, world, bones[0]), _measures(constraint, pose, bones)
    rotations = [hung.inner(pose.rotation[..., bones[0]]), *(pose.rotation[..., bone] for bone in bones[1:])]
    keyed = limb.ahead(rotations)
    here = place(pose, bones[0])
    goal, none = hung.goal(here, goal_world)
    fallback = carried(goal - here, keyed, none, isinstance(pose, Clip))
    soft = np.broadcast_to(constraint.softness if softness is None else softness, pose.shape)
    wish = Wish(here, goal, rotations, bend, soft, fallback, _most_stretch(constraint))
    answer = _answer(constraint, limb, wish, engine) if isinstance(limb, Limb) else limb.answer(constraint, wish)
    first, *rest = limb.rotations(answer.angles)
    k = _kept(pose, np.where(hung.flat, 1.0, 1.0 + mix * (answer.stretch - 1.0)), hung.flat & (mix > 0.0))
    channels = {"rotation": _turns(pose, bones, [hung.outer(first), *rest], mix, hung.flat), **_sizes(pose, bones, k)}
    ahead = unit(along(hung.frame, answer.direction), (1.0, 0.0))
    spent = answer.iterations
    return Posed(channels, k, answer.why, ahead, limb.own(answer.over), hung.flat, spent)


def _measures(constraint: IKConstraint, pose: Pose, bones: list[int]) -> Limb | Chain:
    if not is_chain(constraint):
        return Limb.of(pose, bones)
    from elbowroom.solve.chains import Chain  # the solvers, which most rigs never need

    return Chain.of(pose, bones)


def _most_stretch(constraint: IKConstraint) -> float:
    return constraint.max_stretch if "stretch" in strategies(constraint) else 0.0


def _answer(constraint: IKConstraint, limb: Limb, wish: Wish, engine: str) -> Solution:
    """The closed form's answer in the space the limb hangs in."""
    limits, stretch = limb.ranges(constraint.limits), wish.stretch
    if len(limb.lengths) == 1:
        return _aimed(wish.here, wish.goal, limb.lengths[0], limits, wish.fallback, stretch)
    answer = two_bone(
        wish.here, wish.goal, *limb.lengths, bend=wish.bend * limb.side, limits=limits, softness=wish.softness,
        curve=constraint.curve, inner_softness=constraint.inner_softness, fallback=wish.fallback, engine=engine,
        max_stretch=stretch,
    )  # fmt: skip
    if limits is not None or not limb.uneven.any():  # limits are exact where the root bone keeps the limb's shape
        return answer
    which = limb.uneven
    step, ahead, bend, soft = (each[which] for each in (wish.goal - wish.here, wish.fallback, wish.bend, wish.softness))
    return _merged(answer, which, uneven_limbs(limb.pick(which), step, ahead, bend, soft, constraint, stretch=stretch))


def _aimed(here: Array, goal: Array, length: Array, limits: Any, fallback: Array, stretch: float) -> Solution:
    """One bone: it aims, and where it may stretch it does so to get there."""
    answer = aim(here, goal, length, limits=limits, fallback=fallback)
    if stretch == 0.0:
        return answer
    wanted = norm(goal - here) / np.where(length > 0.0, length, 1.0)
    k = np.where(length > 0.0, np.clip(wanted, max(1.0 - stretch, 0.0), 1.0 + stretch), 1.0)
    return answer.replace(stretch=k, why=answer.why | np.where(k != 1.0, int(Why.STRETCH), 0))


def _merged(answer: Solution, which: Mask, other: Solution) -> Solution:
    """An answer (...) with the k places `which` taken from another one (k, ...)."""
    fields: dict[str, Any] = {name: np.array(getattr(answer, name)) for name in FIELDS}
    for name, values in fields.items():
        values[which] = getattr(other, name)
    return Solution(**fields)


def parent_frame(pose: Pose, world: Array, bone: int) -> tuple[Array, Mask]:
    """The frame (..., 2, 3) in which the bone's local channels act, and where it has no inverse (unit there)."""
    hung = Hung.of(pose, world, bone)
    return hung.frame, hung.flat


def carried(reach: Array, keyed: Array, none: Mask, in_time: bool) -> Array:
    """Where to aim when the target is on the root: in a clip as in the last frame that had a direction.

    reach : (..., 2) root to target;  none : (...) where that is no direction
    keyed : (..., 2) the direction of the keyed pose, for frames before any
    """
    aim_at = np.where(none[..., np.newaxis], keyed, reach)
    return hold(aim_at, none) if in_time else aim_at


def hold(values: Array, gaps: Mask) -> Array:
    """Values (T, ...) with gaps filled by the last value before them; leading gaps keep their own."""
    if not gaps.any():
        return values
    index = np.arange(len(values)).reshape(-1, *[1] * (gaps.ndim - 1))
    last = np.maximum.accumulate(np.where(gaps, -1, index), axis=0)
    last = np.where(last < 0, index, last)
    return np.take_along_axis(values, last.reshape(*last.shape, *[1] * (values.ndim - last.ndim)), axis=0)


def _turns(pose: Pose, bones: list[int], solved: list[Array], mix: Array, flat: Mask) -> dict[int, Array]:
    """The bones' rotations after mixing, the short way round; a limb that hangs on nothing solid keeps its own."""
    out = {}
    for bone, angle in zip(bones, solved, strict=True):
        was = pose.rotation[..., bone]
        blend = np.where(mix == 1.0, rows().wrap(angle), was + mix * rows().wrap(angle - was))
        out[bone] = _kept(pose, np.where(flat | (mix == 0.0), was, blend), flat & (mix > 0.0))
    return out


def _sizes(pose: Pose, bones: list[int], k: Array) -> dict[str, dict[int, Array]]:
    """The channels a stretch is written to: the next joint's offset, and the last bone's scale along itself."""
    if (k == 1.0).all():
        return {}
    out = {"scale_x": {bones[-1]: pose.scale_x[..., bones[-1]] * k}}
    return out | {name: {bone: getattr(pose, name)[..., bone] * k for bone in bones[1:]} for name in ("x", "y")}


def _kept(pose: Pose, values: Array, gaps: Mask) -> Array:
    """In a clip, gaps filled with the frame before."""
    return hold(values, gaps) if isinstance(pose, Clip) else values
