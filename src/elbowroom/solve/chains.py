"""Limbs of three bones and more, and those that name a chain solver: their measures, and the solver's answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from elbowroom.kernel.ccd import ccd
from elbowroom.kernel.engine import rows
from elbowroom.kernel.fabrik import fabrik
from elbowroom.kernel.flow import TOLERANCE
from elbowroom.kernel.least_change import least_change
from elbowroom.kernel.reach import curve_code
from elbowroom.kernel.solution import Solution, Why
from elbowroom.rig import affine
from elbowroom.rig.constraint import IKConstraint
from elbowroom.rig.pose import Pose
from elbowroom.solve.geometry import Array, Mask, along, angle, norm, own_axes, place, turned, unit
from elbowroom.solve.limb import Wish

SOLVERS: dict[str, Callable[..., Solution]] = {"ccd": ccd, "fabrik": fabrik, "least_change": least_change}
DEFAULT = "least_change"
FIT = 1e-6  # of the square size of a bone's axes: beyond, they are no similarity and the answer is approximate


@dataclass(frozen=True)
class Chain:
    """The measures of a chain of n bones, in the space its root bone hangs in; as `Limb`, for similar axes.

    lengths : (..., n) [length] of the segments;  leans : (..., n) [rad] where each lies at its bone's rotation 0
    turns : (..., n) [rad] by how much a bone's own scale and shear turn what hangs on it
    own_side : (..., n) −1 where a bone mirrors what hangs on it;  above : (..., n) the same of all bones before it
    uneven : (...) bool, where scale or shear of a bone changes the shape of what hangs on it
    """

    lengths: Array
    leans: Array
    turns: Array
    own_side: Array
    above: Array
    uneven: Mask

    @classmethod
    def of(cls, pose: Pose, bones: Sequence[int]) -> Chain:
        """Measured on a pose; a bone's segment goes to the next joint, the last one's is its own length."""
        tip = np.broadcast_to(np.array([pose.skeleton.lengths[bones[-1]], 0.0]), (*pose.shape, 2))
        ends = [*(place(pose, bone) for bone in bones[1:]), tip]
        axes = [own_axes(pose, bone) for bone in bones]
        segments = [along(m, end) for m, end in zip(axes, ends, strict=True)]
        area = np.stack([affine.determinant(m) for m in axes], axis=-1)
        side = np.where(area < 0.0, -1.0, 1.0)
        size = np.sqrt(np.abs(area))
        before = np.concatenate([np.ones_like(size[..., :1]), size[..., :-1]], axis=-1).cumprod(axis=-1)
        above = np.concatenate([np.ones_like(side[..., :1]), side[..., :-1]], axis=-1).cumprod(axis=-1)
        lengths = before * np.stack([norm(segment) for segment in segments], axis=-1)
        leans = np.stack([angle(segment) for segment in segments], axis=-1)
        uneven = np.logical_or.reduce([_uneven(m) for m in axes[:-1]])
        turns = np.stack([angle(m[..., :, 0]) for m in axes], axis=-1)
        return cls(lengths, leans, turns, side, above, np.broadcast_to(uneven, pose.shape))

    @property
    def _shift(self) -> Array:
        """(..., n) [rad] the rotation of each bone at which its segment goes straight on."""
        before = self.own_side * (self.leans - self.turns)
        return np.concatenate([np.zeros_like(before[..., :1]), before[..., :-1]], axis=-1) - self.leans

    def angles(self, rotations: Sequence[Array]) -> Array:
        """The segments' angles (..., n), each against the one before, at the bones' own rotations."""
        return np.asarray(self.above * (np.stack(list(rotations), axis=-1) - self._shift))

    def rotations(self, angles: Array) -> list[Array]:
        """The bones' own rotations, n of (...), from the segments' angles."""
        turns = self.above * angles + self._shift
        return [turns[..., i] for i in range(turns.shape[-1])]

    def ranges(self, limits: Sequence[tuple[float, float]] | None) -> Array | None:
        """Limits (n, 2) [rad] of the bones' own rotations as limits (..., n, 2) of the segments' angles."""
        if limits is None:
            return None
        low, high = (self.above * (np.array([pair[i] for pair in limits]) - self._shift) for i in (0, 1))
        return np.stack([np.minimum(low, high), np.maximum(low, high)], axis=-1)

    def own(self, over: Array) -> Array:
        """What segments exceed (..., n) as what the bones' own rotations do."""
        return np.asarray(self.above * over)

    def answer(self, constraint: IKConstraint, wish: Wish) -> Solution:
        """The solver's answer in the space the chain hangs in."""
        return answer(constraint, self, wish)

    def ahead(self, rotations: Sequence[Array]) -> Array:
        """The unit vector (..., 2) from root to end at the bones' own rotations; (1, 0) if folded up."""
        turns = self.angles(rotations).cumsum(axis=-1)
        end = turned(np.stack([self.lengths, np.zeros_like(self.lengths)], axis=-1), turns).sum(axis=-2)
        return unit(end, (1.0, 0.0))


def _uneven(axes: Array) -> Mask:
    a, b, _, c, d, _ = affine.entries(axes)
    along_x, along_y, across = a * a + c * c, b * b + d * d, a * b + c * d
    most = FIT * (along_x + along_y)
    off: Mask = (np.abs(along_x - along_y) > most) | (np.abs(across) > most)
    return off


def answer(constraint: IKConstraint, chain: Chain, wish: Wish) -> Solution:
    """The chain solver's answer, in the space the chain hangs in."""
    reach = chain.lengths.sum(axis=-1)
    hole = np.maximum(0.0, 2.0 * chain.lengths.max(axis=-1) - reach)
    step = wish.goal - wish.here
    asked = norm(step)
    bands = rows().bands(reach, hole, wish.softness, constraint.inner_softness)
    eased, _, zone = rows().soft(asked, reach, hole, *bands, curve_code(constraint.curve))
    aim = unit(step, wish.fallback)
    soft = zone != 0.0
    sought = np.where(soft[..., np.newaxis], aim * eased[..., np.newaxis], step)
    found = _solved(constraint, chain, wish, sought, np.ones_like(asked))
    k, found = _stretched(constraint, chain, wish, (step, sought, found))
    flags = (asked > reach) * int(Why.FAR) + (asked < hole) * int(Why.NEAR) + soft * int(Why.SOFT)
    said = np.asarray(found.why) & ~int(Why.FAR | Why.NEAR | Why.SOFT)
    why = said | flags | np.where(k != 1.0, int(Why.STRETCH), 0) | np.where(chain.uneven, int(Why.DEGENERATE), 0)
    return found.replace(why=why, stretch=k, direction=aim)


def _solved(constraint: IKConstraint, chain: Chain, wish: Wish, sought: Array, k: Array) -> Solution:
    """One call of the solver, for bones k times as long."""
    settings: dict[str, Any] = {"iterations": constraint.iterations, "tolerance": constraint.tolerance}
    settings = {name: value for name, value in settings.items() if value is not None}
    solver = SOLVERS[constraint.solver or DEFAULT]
    return solver(
        np.zeros_like(sought), sought, chain.lengths * k[..., np.newaxis], chain.angles(wish.rotations),
        bend=np.where(wish.bend == 0.0, 1.0, wish.bend), limits=chain.ranges(constraint.limits), **settings,
    )  # fmt: skip


def _stretched(
    constraint: IKConstraint, chain: Chain, wish: Wish, tried: tuple[Array, Array, Solution]
) -> tuple[Array, Solution]:
    """The least change of length within the cap that brings the end to the target, or the nearest to it; the answer."""
    step, sought, found = tried
    one = np.ones(step.shape[:-1])
    end = np.asarray(found.joints)[..., -1, :]
    reach = chain.lengths.sum(axis=-1)
    off = norm(end - step)
    if wish.stretch == 0.0 or not (off > TOLERANCE * reach).any():
        return one, found
    size = (end * end).sum(axis=-1)
    wanted = (end * step).sum(axis=-1) / np.where(size > 0.0, size, 1.0)
    k = np.clip(wanted, max(1.0 - wish.stretch, 0.0), 1.0 + wish.stretch)
    k = np.where((off > TOLERANCE * reach) & (size > 0.0), k, 1.0)
    longer = _solved(constraint, chain, wish, sought * k[..., np.newaxis], k)
    better = norm(np.asarray(longer.joints)[..., -1, :] - step) < off
    return np.where(better, k, 1.0), _picked(better, longer, found)


def _picked(which: Mask, one: Solution, other: Solution) -> Solution:
    """`one` where `which`, else the other."""

    def choose(name: str) -> Any:
        a, b = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
        return np.where(which.reshape(*which.shape, *[1] * (a.ndim - which.ndim)), a, b)

    fields = ("joints", "angles", "error", "reached", "why", "over", "iterations")
    return other.replace(**{name: choose(name) for name in fields})
