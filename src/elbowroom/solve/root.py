"""Moving the root: one bone is shifted so that the limbs that ask for it reach again.

All limbs that name the same root are looked at together, before the first of them is solved, and the shift is the
least that closes what their earlier strategies leave. It goes into the pose as the root bone's own position, so it is
there to read: `shifts` gives it in the world. Along a clip it passes a window that looks as far ahead as back, and so
comes without lag; what the window or `max_shift` keeps from a limb is that limb's error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from elbowroom.kernel.engine import rows
from elbowroom.rig import affine
from elbowroom.rig.affine import IDENTITY
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Clip, Pose
from elbowroom.rig.rig import Rig
from elbowroom.rig.target import Target
from elbowroom.solve.geometry import Array, Limb, Mask, along, linear, norm, place
from elbowroom.solve.goal import Goal, Resolve, Spaces, point
from elbowroom.solve.hung import Hung
from elbowroom.solve.limb import is_chain, strategies
from elbowroom.solve.rootset import Reach, bounds, least_shifts

LOG_TWO = 0.6931471805599453
CUT = 5.0  # half-lives on each side of a frame that its window looks at


def shifts(rig: Rig, keyed: Pose, solved: Pose) -> dict[str, Array]:
    """How far each root that "move_root" may shift was moved: {bone: (..., 2) [length] in the world}.

    keyed : what was given to `solve`;  solved : what it returned
    """
    out = {}
    for name in dict.fromkeys(limb.root for limb in rig.constraints if "move_root" in strategies(limb)):
        if name is not None:
            bone = rig.skeleton.index(name)
            out[name] = along(_above(solved, solved.world(), bone), place(solved, bone) - place(keyed, bone))
    return out


@dataclass
class Roots:
    """The roots of one solve, and what became of them.

    known, wanted, sides : the spaces, the goals, and the bend and effective mix of every constraint
    back : (..., 2) [length] by how much the character's own frame was shifted
    """

    known: Spaces
    wanted: Mapping[str, Goal]
    sides: Mapping[str, tuple[Array, Array]]
    back: Array | None = field(default=None)

    def limbs(self, constraint: IKConstraint) -> list[IKConstraint]:
        """The limbs that move a root together, if the given one is the first of them in order; else none."""
        if "move_root" not in strategies(constraint):
            return []
        every = [c for c in self.known.rig.constraints if "move_root" in strategies(c) and c.root == constraint.root]
        return every if every[0] is constraint else []

    def before(self, constraint: IKConstraint, pose: Pose, world: Array) -> dict[str, dict[int, Array]]:
        """What is written before a constraint is solved: name -> bone -> (...); nothing if no root moves here."""
        limbs = self.limbs(constraint)
        if not limbs:
            return {}
        bone = pose.skeleton.index(str(constraint.root))
        above = _above(pose, world, bone)
        fixed = affine.singular(above)
        shift = np.where(fixed[..., np.newaxis], 0.0, self._shift(limbs, bone, pose, world))
        if not shift.any():
            return {}
        if bone == self.known.rig.skeleton.root:
            self.back = shift if self.back is None else self.back + shift
        above = np.where(fixed[..., np.newaxis, np.newaxis], IDENTITY, above)
        at = place(pose, bone) + along(affine.invert(above), shift)
        return {"x": {bone: at[..., 0]}, "y": {bone: at[..., 1]}}

    def at(self, world: Array) -> Resolve:
        """name -> world_from_space for the pose so far; the character's frame is that before any shift."""
        if self.back is None:
            return self.known.at(world)
        still = np.array(world)
        still[..., self.known.rig.skeleton.root, :, 2] -= self.back
        moving, resting = self.known.at(world), self.known.at(still)
        return lambda name: resting(name) if self._ground(name) == "character" else moving(name)

    def _ground(self, space: str) -> str:
        """What a space hangs on in the end: a bone, "world", "character" or a frame of the caller."""
        while space in self.known.rig.frames and space not in self.known.frames:
            space = self.known.rig.frames[space].parent
        return space

    def _rides(self, limb: IKConstraint, bone: int, pose: Pose) -> Mask:
        """Where (...) a limb's target moves with the root."""
        skeleton, goal = self.known.rig.skeleton, self.wanted[limb.name]
        names = {name for name, moved in zip(skeleton.names, skeleton.below([bone]), strict=True) if moved}
        if isinstance(goal, Target):
            return np.broadcast_to(self._ground(goal.space) in names, pose.shape)
        rides = np.zeros(len(goal), dtype=np.bool_)
        weight = np.ones(len(goal)) if goal.weight is None else goal.weight
        for spaces, used in ((goal.space, weight > 0.0), (goal.before_space, weight < 1.0)):
            if spaces is not None:
                rides |= np.array([self._ground(space) in names for space in spaces]) & used
        return np.broadcast_to(rides.reshape(-1, *[1] * (len(pose.shape) - 1)), pose.shape)

    def _shift(self, limbs: Sequence[IKConstraint], bone: int, pose: Pose, world: Array) -> Array:
        """The shift (..., 2) [length] in the world.

        Where limbs have different mixes, the share of it that all have is the shift of all, the share that only some
        have is the shift of these: it fades out with the mix of the limb that needed it.
        """
        hung = [Hung.of(pose, world, pose.skeleton.index(limb.bones[0])) for limb in limbs]
        common = linear(hung[0].frame)
        mix = np.stack([
            np.where(h.flat | self._rides(limb, bone, pose), 0.0, self.sides[limb.name][1])
            for limb, h in zip(limbs, hung, strict=True)
        ])  # fmt: skip
        reaches = [self._reach(limb, h, common, pose, world) for limb, h in zip(limbs, hung, strict=True)]
        whole = np.zeros((*pose.shape, 2))
        for chosen, weight in _shares(mix.reshape(len(limbs), -1)):
            frames = np.flatnonzero(weight > 0.0)
            raw = np.zeros((weight.size, 2))
            raw[frames] = least_shifts([reaches[i].pick(frames) for i in chosen])
            told = [limbs[i] for i in chosen]
            wide = along(common, raw.reshape(whole.shape))
            whole += _eased(wide, weight.reshape(pose.shape), told, pose)
        return whole

    def _reach(self, limb: IKConstraint, hung: Hung, common: Array, pose: Pose, world: Array) -> Reach:
        """What a limb reaches, every frame of a pose in one row."""
        bones = [pose.skeleton.index(name) for name in limb.bones]
        (upper, lower), side, ranges = _measures(limb, pose, bones)
        here = place(pose, bones[0])
        goal = point(self.wanted[limb.name], limb, pose, self.at(world))
        step = affine.apply(affine.invert(hung.frame), goal) - here
        stretch = _stretch_before(limb)
        near, far = bounds(limb, upper.ravel(), lower.ravel(), stretch)
        axes = affine.compose(affine.invert(common), linear(hung.frame))
        return Reach(
            limb, _flat(step, pose, 1), _flat(upper, pose), _flat(lower, pose),
            _flat(self.sides[limb.name][0] * side, pose), near, far,
            None if ranges is None else _flat(ranges, pose, 2), stretch, _flat(axes, pose, 2),
        )  # fmt: skip


def _measures(limb: IKConstraint, pose: Pose, bones: list[int]) -> tuple[tuple[Array, Array], Array, Array | None]:
    """Two bones (...) that reach what a limb reaches, which way they turn, and their ranges (..., 2, 2) or None.

    A chain reaches a ring, its limits left aside; where they bind, what is left of the miss is told.
    """
    if is_chain(limb):
        from elbowroom.solve.chains import Chain

        lengths = Chain.of(pose, bones).lengths
        reach = lengths.sum(axis=-1)
        hole = np.maximum(0.0, 2.0 * lengths.max(axis=-1) - reach)
        return ((reach + hole) / 2.0, (reach - hole) / 2.0), np.ones(pose.shape), None
    shape = Limb.of(pose, bones)
    ranges = shape.ranges(limb.limits)
    if len(bones) == 2:
        return shape.lengths, shape.side, ranges  # type: ignore[return-value]  # two of them
    single = None if ranges is None else np.concatenate([ranges, np.zeros_like(ranges)], axis=-2)
    return (shape.lengths[0], np.zeros(pose.shape)), shape.side, single


def _above(pose: Pose, world: Array, bone: int) -> Array:
    """The axes (..., 2, 3) in which a bone's position is written, without an offset."""
    parent = pose.skeleton.parents[bone]
    return linear(np.broadcast_to(IDENTITY, (*pose.shape, 2, 3)) if parent < 0 else world[..., parent, :, :])


def _flat(values: Array, pose: Pose, width: int = 0) -> Array:
    """Values (..., width more axes) with one row for every frame of a pose."""
    inner = values.shape[values.ndim - width :]
    return np.broadcast_to(values, (*pose.shape, *inner)).reshape(-1, *inner)


def _stretch_before(limb: IKConstraint) -> float:
    """How much a limb may be stretched before its root is moved."""
    listed = strategies(limb)
    earlier = "stretch" in listed and listed.index("stretch") < listed.index("move_root")
    return limb.max_stretch if earlier else 0.0


def _shares(mix: Array) -> list[tuple[tuple[int, ...], Array]]:
    """Mixes (n, k) as sets of limbs and the weight (k,) each set has: those of mix 1 and 0.4 share 0.4."""
    levels = np.sort(mix, axis=0)[::-1]
    found: dict[tuple[int, ...], Array] = {}
    for level, below in zip(levels, [*levels[1:], np.zeros_like(levels[0])], strict=True):
        taking = mix >= level
        for members in np.unique(taking[:, level > below], axis=1).T:
            same = (level > below) & (taking == members[:, np.newaxis]).all(axis=0)
            weight = found.setdefault(tuple(np.flatnonzero(members).tolist()), np.zeros_like(level))
            weight[same] += (level - below)[same]
    return list(found.items())


def _eased(raw: Array, weight: Array, limbs: Sequence[IKConstraint], pose: Pose) -> Array:
    """Raw shifts (..., 2) smoothed in time, capped, and taken by their weight (...)."""
    half_life = max(limb.shift_half_life for limb in limbs)
    if isinstance(pose, Clip) and half_life > 0.0:
        most = weight[..., np.newaxis]
        share = windowed(most, half_life * pose.fps)
        raw = np.where(most > 0.0, windowed(raw * most, half_life * pose.fps) / np.where(most > 0.0, share, 1.0), 0.0)
    size, cap = norm(raw), min(limb.max_shift for limb in limbs)
    over = size > cap
    factor = np.where(over, min(cap, 1e300) / np.where(over, size, 1.0), 1.0)
    return np.asarray(raw * (factor * weight)[..., np.newaxis])


def windowed(values: Array, half_life: float) -> Array:
    """Values (T, ...) averaged under the window 2^(-|t| / half_life), cut at five half-lives, the ends held.

    half_life : [frames], > 0.  Symmetric in time, so nothing lags.
    """
    reach = int(np.floor(CUT * half_life * (1.0 + 1e-12)))
    weights = rows().exp(-LOG_TWO / half_life * np.arange(reach + 1.0))
    last, out = len(values) - 1, weights[0] * values
    frames = np.arange(len(values))
    for away in range(1, reach + 1):
        out += weights[away] * (values[np.maximum(frames - away, 0)] + values[np.minimum(frames + away, last)])
    return np.asarray(out / (weights[0] + 2.0 * weights[1:].sum()))
