"""One constraint on one pose: into the space the limb hangs in, through the kernel, back as local channels.

In that space the bones keep their lengths whatever is above them: scaled, sheared or mirrored. Which side `bend`
means is the limb's own matter: under a mirrored parent the whole picture is mirrored, and so is a limb whose own root
bone is mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from elbowroom.errors import RigError
from elbowroom.kernel.aim import aim
from elbowroom.kernel.engine import rows
from elbowroom.kernel.solution import FIELDS, Solution, Why
from elbowroom.kernel.two_bone import two_bone
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.solve.geometry import Array, Flags, Limb, Mask, along, norm, place, unit
from elbowroom.solve.hung import Hung
from elbowroom.solve.skew import uneven_limbs

NOT_YET = "is not supported yet in this version"


@dataclass(frozen=True)
class Posed:
    """A constraint's answer.

    channels : name -> bone -> (...), what it writes
    stretch : (...) factor that is in them;  why : (...) flags of the solver
    direction : (..., 2) unit, where the limb aimed in the world
    over : (..., n) [rad] how far the bones' own rotations would lie outside their limits
    held : (...) bool, where the limb could not be solved and kept its pose: what it hangs on has no inverse
    """

    channels: dict[str, dict[int, Array]]
    stretch: Array
    why: Flags
    direction: Array
    over: Array
    held: Mask


def check_supported(constraint: IKConstraint) -> None:
    """Raise the one clear error for what the record can say and this version cannot solve."""
    where = f'constraint "{constraint.name}"'
    if len(constraint.bones) > 2 or constraint.solver in ("ccd", "fabrik", "least_change"):
        raise RigError(f"{where}: a chain of bones or a chain solver {NOT_YET} (use one or two bones)")
    if constraint.orientation != "free":
        raise RigError(f'{where}: orientation "{constraint.orientation}" {NOT_YET} (use "free")')


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
    hung, limb = Hung.of(pose, world, bones[0]), Limb.of(pose, bones)
    rotations = [pose.rotation[..., bone] for bone in bones]
    keyed = limb.ahead([hung.inner(rotations[0]), *rotations[1:]])
    here = place(pose, bones[0])
    goal, none = hung.goal(here, goal_world)
    fallback = carried(goal - here, keyed, none, isinstance(pose, Clip))
    soft = np.broadcast_to(constraint.softness if softness is None else softness, pose.shape)
    answer = _answer(constraint, limb, here, goal, bend, soft, fallback, engine)
    first, *rest = limb.rotations(answer.angles)
    k = _kept(pose, np.where(hung.flat, 1.0, 1.0 + mix * (answer.stretch - 1.0)), hung.flat & (mix > 0.0))
    channels = {"rotation": _turns(pose, bones, [hung.outer(first), *rest], mix, hung.flat), **_sizes(pose, bones, k)}
    ahead = unit(along(hung.frame, answer.direction), (1.0, 0.0))
    return Posed(channels, k, answer.why, ahead, limb.own(answer.over), hung.flat)


def _answer(
    constraint: IKConstraint,
    limb: Limb,
    here: Array,
    goal: Array,
    bend: Array,
    soft: Array,
    fallback: Array,
    engine: str,
) -> Solution:
    """The solver's answer in the space the limb hangs in."""
    stretch = constraint.max_stretch if "stretch" in strategies(constraint) else 0.0
    limits = limb.ranges(constraint.limits)
    if len(limb.lengths) == 1:
        return _aimed(here, goal, limb.lengths[0], limits, fallback, stretch)
    answer = two_bone(
        here, goal, *limb.lengths, bend=bend * limb.side, limits=limits, softness=soft,
        curve=constraint.curve, inner_softness=constraint.inner_softness, fallback=fallback, engine=engine,
        max_stretch=stretch,
    )  # fmt: skip
    if limits is not None or not limb.uneven.any():  # limits are exact where the root bone keeps the limb's shape
        return answer
    which = limb.uneven
    picked = (limb.pick(which), (goal - here)[which], fallback[which], bend[which], soft[which])
    return _merged(answer, which, uneven_limbs(*picked, constraint, stretch=stretch))


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
